#!/usr/bin/env bash
# Starts an OpenSearch of two nodes on loopback, runs what is tested against one, and stops it. Needs Maven, or a
# distribution that scripts/opensearch.sh has fetched before, Java 17 to 21 and unzip; where they are not there it says
# so and skips.
# Usage: scripts/e2e_opensearch.sh [FLAGS OF GO TEST]; with -short what takes minutes is left out
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
chmod 755 "$work" # the nodes run as a user of their own
trap '[ ! -d "$work/cluster" ] || scripts/opensearch.sh stop "$work/cluster" || true; rm -rf "$work"' EXIT
code=0
DOSSIER_OPENSEARCH=$(scripts/opensearch.sh start 2 "$work/cluster" 2> "$work/log") || code=$?
if [ "$code" = 77 ]; then
  echo "skipped: $(tail -n 1 "$work/log")"
  exit 0
fi
[ "$code" = 0 ] || { cat "$work/log" >&2; exit "$code"; }
export DOSSIER_OPENSEARCH DOSSIER_OPENSEARCH_FOLDER=$work/cluster
go test -count=1 -timeout 1h "$@" -run '^TestPlaces$' ./internal/store
if [[ " $* " != *" -short "* ]]; then # several writers take minutes
  go test -count=1 -timeout 1h "$@" -run '^Test(Shards|AShard|ATurn|WhoMay|APiece)' ./internal/store
  go test -count=1 -timeout 1h "$@" -run '^TestTwoIndexersShareTwoNights$' . # needs ../shared, else skips
fi
go test -count=1 -timeout 1h "$@" ./internal/opensearch
