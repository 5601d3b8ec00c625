#!/bin/sh
# Makes what TLS needs, in the folder certificates/: an authority of this cluster's own, a certificate for each node,
# and the one by which the cluster is managed. ca.pem is what the programs are given (store.ca_file); *.key are secrets.
# What is there already stays: to have one made again, after 825 days at the latest, take it away first.
# Usage: ./certificates.sh [NODE[=NAME,…]…]
#   ./certificates.sh                   for opensearch-1, opensearch-2 and opensearch-3
#   ./certificates.sh opensearch-1=search1.example.org opensearch-2=search2.example.org
#                                       with names by which the programs reach a node, beside its own and localhost
set -eu
[ $# -gt 0 ] || set -- opensearch-1 opensearch-2 opensearch-3
cd "$(dirname "$0")"
mkdir -p certificates
cd certificates
umask 077
days=825

if [ ! -e ca.key ]; then
  openssl req -x509 -newkey rsa:3072 -nodes -sha256 -days 3650 -subj "/O=dossier/CN=authority" \
    -addext keyUsage=critical,keyCertSign,cRLSign -keyout ca.key -out ca.pem 2> /dev/null
fi

# certificate FILE NAME EXTENSIONS
certificate() {
  [ ! -e "$1.pem" ] || return 0
  openssl req -newkey rsa:3072 -nodes -sha256 -subj "/O=dossier/CN=$2" -keyout "$1.key" -out "$1.csr" 2> /dev/null
  printf 'basicConstraints=CA:false\nkeyUsage=digitalSignature,keyEncipherment\n%s\n' "$3" > "$1.ext"
  openssl x509 -req -sha256 -days "$days" -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -extfile "$1.ext" \
    -out "$1.pem" 2> /dev/null
  rm "$1.csr" "$1.ext"
}

for node in "$@"; do
  name=${node%%=*}
  case $name in opensearch-*) ;; *) echo "a node is called opensearch-…, and not $name" >&2; exit 2 ;; esac
  names="DNS:$name,DNS:localhost,IP:127.0.0.1"
  case $node in *=*) names="$names,DNS:$(echo "${node#*=}" | sed 's/,/,DNS:/g')" ;; esac
  mkdir -p "$name"
  certificate "$name/node" "$name" "extendedKeyUsage=serverAuth,clientAuth
subjectAltName=$names"
  cp ca.pem "$name/ca.pem"
done
certificate admin admin extendedKeyUsage=clientAuth
chmod 644 ca.pem
