#!/usr/bin/env bash
# Runs an OpenSearch of its own on loopback, for tests and measurements: the distribution comes from where Maven's
# settings say, once, into $XDG_CACHE_HOME/dossier (or ~/.cache/dossier), and every cluster lives in one folder with all
# it writes. Needs Maven, Java 17 to 21 and unzip; where one is missing it says so and ends with 77.
#   scripts/opensearch.sh get                     fetches the distribution, and prints the file
#   scripts/opensearch.sh start [NODES [FOLDER]]  starts one node or two, waits until the cluster is usable, prints its
#                                                 URL; FOLDER must not exist or be empty, a temporary one is told
#   scripts/opensearch.sh stop FOLDER             ends the nodes by FOLDER/node-N/pid, and waits for them
#   scripts/opensearch.sh again FOLDER NODE       starts a node of FOLDER again that was stopped or killed
# The first node alone is master, so that the cluster goes on where the second is killed. FOLDER/node-N/url is where
# each answers.
#   OPENSEARCH_PORT=9200    the first node's port, the second's is the next one; free ones where it is not set
#   OPENSEARCH_HEAP=512m    each node's
# Root starts them as the user dossier-opensearch, made where it is missing: OpenSearch refuses root.
set -euo pipefail
version=2.19.1
sum=af7152d8b7f6f1cee09d47276b32b70479fe6dd8cdbb61213f84eb7f8098b261 # SHA-256
artifact=org.opensearch.distribution.integ-test-zip:opensearch:$version:zip
plugin=org.apache.maven.plugins:maven-dependency-plugin:3.8.1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/dossier
zip=$cache/opensearch-$version.zip
user=dossier-opensearch
patience=180 # seconds

usage() { sed -n '2,/^set /{s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
missing() { echo "$*" >&2; exit 77; }
die() { echo "opensearch.sh: $*" >&2; exit 1; }

matches() { echo "$sum  $1" | sha256sum --check --status 2> /dev/null; }

get() {
  if ! matches "$zip"; then
    command -v mvn > /dev/null || missing "there is no Maven here to fetch OpenSearch with"
    mkdir -p "$cache"
    local part
    part=$(mktemp -d "$cache/part.XXXXXX")
    { mvn -B -q "$plugin:get" -Dartifact="$artifact" -Dtransitive=false \
      && mvn -B -q "$plugin:copy" -Dartifact="$artifact" -DoutputDirectory="$part"; } > "$part/log" 2>&1 \
      || { tail -n 5 "$part/log" >&2; rm -rf "$part"; missing "OpenSearch $version can't be had from Maven's repository"; }
    matches "$part/opensearch-$version.zip" || { rm -rf "$part"; die "what Maven fetched is not OpenSearch $version: its sum is another"; }
    mv "$part/opensearch-$version.zip" "$zip"
    rm -rf "$part"
  fi
  echo "$zip"
}

# A Java that OpenSearch runs with: the one that is asked for, the usual one, or another that is installed.
java_home() {
  local home major
  for home in "${OPENSEARCH_JAVA_HOME:-}" "${JAVA_HOME:-}" "$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")" \
    /usr/lib/jvm/*; do
    [ -n "$home" ] && [ -x "$home/bin/java" ] || continue
    major=$("$home/bin/java" -version 2>&1 | sed -n '1s/.*version "\([0-9]*\).*/\1/p')
    if [ "${major:-0}" -ge 17 ] && [ "$major" -le 21 ]; then
      echo "$home"
      return
    fi
  done
  missing "there is no Java 17 to 21 here"
}

# run FOLDER NODE: starts the node as it is configured, in a session of its own, and waits until it listens.
run() {
  local folder=$1 node=$1/node-$2 as=()
  [ "$(id -u)" != 0 ] || as=(setpriv "--reuid=$user" "--regid=$user" --clear-groups)
  rm -f "$node"/logs/*.ports
  ( # a node ends with no signal that its starter gets
    cd "$node" # where the JVM writes what it writes without being asked
    env -u JAVA_HOME OPENSEARCH_JAVA_HOME="$(java_home)" OPENSEARCH_PATH_CONF="$node/config" OPENSEARCH_TMPDIR="$node/tmp" HOME="$node" \
      OPENSEARCH_JAVA_OPTS="-Xms${OPENSEARCH_HEAP:-512m} -Xmx${OPENSEARCH_HEAP:-512m}" \
      setsid "${as[@]}" bash "$folder/home/bin/opensearch" > "$node/logs/out" 2>&1 < /dev/null &
    echo $! > "$node/pid" # bin/opensearch becomes Java
  )
  for _ in $(seq $((patience * 5))); do
    kill -0 "$(cat "$node/pid")" 2> /dev/null || { tail -n 20 "$node/logs/out" >&2; die "node $2 has ended"; }
    if [ -s "$node/logs/http.ports" ] && [ -s "$node/logs/transport.ports" ]; then
      keep_port "$node" http
      keep_port "$node" transport
      echo "http://$(grep -m 1 -F 127.0.0.1 "$node/logs/http.ports")" > "$node/url"
      return
    fi
    sleep 0.2
  done
  tail -n 20 "$node/logs/out" >&2
  die "node $2 does not listen after $patience s"
}

# keep_port NODE KIND: a node that is started again is found where it was.
keep_port() {
  local port
  port=$(sed -n '/^127\.0\.0\.1:/{s/.*://p;q}' "$1/logs/$2.ports")
  sed -i "s/^$2\.port: .*/$2.port: $port/" "$1/config/opensearch.yml"
}

# configure FOLDER NODE
configure() {
  local folder=$1 n=$2 node=$1/node-$2 port=0
  [ -z "${OPENSEARCH_PORT:-}" ] || port=$((OPENSEARCH_PORT + n - 1))
  mkdir -p "$node/config" "$node/data" "$node/logs" "$node/tmp"
  cp -r "$folder/home/config/." "$node/config"
  cat > "$node/config/opensearch.yml" << YML
cluster.name: dossier-test
node.name: node-$n
node.portsfile: true
path.data: $node/data
path.logs: $node/logs
network.host: 127.0.0.1
http.port: $port
transport.port: 0
cluster.initial_cluster_manager_nodes: [node-1]
cluster.routing.allocation.disk.threshold_enabled: false
YML
  if [ "$n" != 1 ]; then
    sed -i '/initial_cluster_manager/d' "$node/config/opensearch.yml"
    echo "node.roles: [data, ingest]" >> "$node/config/opensearch.yml"
    echo "discovery.seed_providers: file" >> "$node/config/opensearch.yml"
  else
    echo "discovery.seed_hosts: []" >> "$node/config/opensearch.yml"
  fi
}

# meet FOLDER NODE: tells a node where the first one is.
meet() {
  [ "$2" = 1 ] || grep -m 1 -F 127.0.0.1 "$1/node-1/logs/transport.ports" > "$1/node-$2/config/unicast_hosts.txt"
}

# usable FOLDER NODES [QUERY]: waits until as many nodes have met, and what QUERY says.
usable() {
  local url
  url=$(cat "$1/node-1/url")
  for _ in $(seq "$patience"); do
    if curl -sf --noproxy '*' "$url/_cluster/health?wait_for_nodes=%3E%3D$2&timeout=5s${3:-}" > /dev/null; then
      echo "$url"
      return
    fi
    sleep 0.5
  done
  die "the cluster at $url is not usable after $patience s"
}

start() {
  local nodes=${1:-1} folder=${2:-} n
  case $nodes in 1 | 2) ;; *) usage ;; esac
  for tool in unzip curl setsid setpriv; do command -v "$tool" > /dev/null || missing "there is no $tool here"; done
  command -v java > /dev/null || missing "there is no Java here"
  java_home > /dev/null
  get > /dev/null
  if [ -z "$folder" ]; then
    folder=$(mktemp -d)
    echo "the cluster is in $folder" >&2
  fi
  mkdir -p "$folder"
  folder=$(cd "$folder" && pwd -P)
  [ -z "$(ls -A "$folder")" ] || die "$folder is not empty"
  trap 'stop "$folder" > /dev/null 2>&1' EXIT
  unzip -q "$zip" -d "$folder"
  mv "$folder/opensearch-$version" "$folder/home"
  for n in $(seq "$nodes"); do configure "$folder" "$n"; done
  if [ "$(id -u)" = 0 ]; then
    id "$user" > /dev/null 2>&1 || useradd --system --user-group --no-create-home --shell /usr/sbin/nologin "$user"
    chown -R "$user:$user" "$folder"
  fi
  for n in $(seq "$nodes"); do
    meet "$folder" "$n"
    run "$folder" "$n"
  done
  usable "$folder" "$nodes" "&wait_for_status=yellow"
  trap - EXIT
}

again() {
  local folder
  folder=$(cd "$1" && pwd -P)
  [ -d "$folder/node-$2" ] || die "$folder has no node $2"
  ! runs "$folder/node-$2" || die "node $2 runs"
  meet "$folder" "$2"
  run "$folder" "$2"
  usable "$folder" "$(for node in "$folder"/node-*; do ! runs "$node" || echo; done | wc -l)"
}

# runs NODE: whether the process that the node wrote down is there, and is that node: ids are given again.
runs() {
  [ -s "$1/pid" ] && ps -o args= -p "$(cat "$1/pid")" 2> /dev/null | grep -qF -- "$(dirname "$1")/home"
}

stop() {
  local folder node
  folder=$(cd "$1" && pwd -P)
  for node in "$folder"/node-*; do
    ! runs "$node" || kill "$(cat "$node/pid")"
  done
  for node in "$folder"/node-*; do
    for _ in $(seq 300); do runs "$node" || continue 2; sleep 0.2; done
    kill -9 "$(cat "$node/pid")"
  done
}

case ${1:-} in
get) get ;;
start) shift; start "$@" ;;
stop) [ $# = 2 ] || usage; stop "$2" ;;
again) [ $# = 3 ] || usage; again "$2" "$3" ;;
*) usage ;;
esac
