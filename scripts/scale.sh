#!/usr/bin/env bash
# Imports the same records into a folder and into an OpenSearch of two nodes on loopback, which it starts, and searches
# both while nights are published; docs/SCALE.md has the table. Needs what scripts/opensearch.sh needs, else skips.
#   N=300000               records
#   SCALE_SEARCHES=200     searches of each kind, by one client and by sixteen, of which median and 99th percentile count
#   SCALE_REPLICAS=0       copies of each shard on the other node
#   SCALE_WORK=folder      where stores and nodes go, and stay, the nodes stopped; else a temporary folder
#   OPENSEARCH_HEAP=512m   each node's
set -euo pipefail
cd "$(dirname "$0")/.."
work=${SCALE_WORK:-$(mktemp -d)}
mkdir -p "$work"
work=$(cd "$work" && pwd -P)
chmod 755 "$work" # the nodes run as a user of their own
trap '[ ! -d "$work/cluster" ] || scripts/opensearch.sh stop "$work/cluster" || true
  [ -n "${SCALE_WORK:-}" ] || rm -rf "$work"' EXIT
unset "${!DOSSIER_@}" NCBI_API_KEY OPENALEX_API_KEY OPENROUTER_API_KEY
code=0
url=$(scripts/opensearch.sh start 2 "$work/cluster" 2> "$work/log") || code=$?
if [ "$code" = 77 ]; then
  echo "skipped: $(tail -n 1 "$work/log")"
  exit 0
fi
[ "$code" = 0 ] || { cat "$work/log" >&2; exit "$code"; }
inputs=(../shared/data/pubmed/*.xml.gz)
[[ -e ${inputs[0]} ]] || inputs=(sample/pubmed.xml)
go build -trimpath -o "$work/" ./cmd/indexer ./scripts/bench ./scripts/bench/inside
uname -sm
echo "processors: $(nproc), load: $(cut -d' ' -f1-3 /proc/loadavg 2> /dev/null || echo unknown)"
"$work/bench" scale -n "${N:-300000}" -searches "${SCALE_SEARCHES:-200}" -replicas "${SCALE_REPLICAS:-0}" -programs "$work" \
  -work "$work" -cluster "$url" -nodes "$work/cluster/node-1/pid,$work/cluster/node-2/pid" "${inputs[@]}"
