#!/usr/bin/env bash
# Imports ever more invented records into an empty store, and prints the processor time a record and the most anonymous memory:
# both are to stay as they are. docs/BENCHMARKS.md has the figures. Linux tells the memory; elsewhere it is left out.
#   GROW_SIZES="10000 30000 100000"          how many records
#   GROW_SHAPES="distinct one-title supplements"   how they are alike
#   GROW_BESIDE=10000   so many are imported beside each, every four minutes: what else the machine does shows in both
# Usage: scripts/grow.sh BIN_FOLDER
set -euo pipefail
bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!DOSSIER_@}" NCBI_API_KEY OPENALEX_API_KEY OPENROUTER_API_KEY
go build -trimpath -o "$work/bench" ./scripts/bench
import() { # NAME RECORDS STORE FILE
  "$work/bench" time -once -records "$2" -name "$1" "$bin/indexer" import-records --offline --data "$work/$3" "$work/$4"
}
for shape in ${GROW_SHAPES:-distinct one-title supplements}; do
  for records in ${GROW_SIZES:-10000 30000 100000}; do
    "$work/bench" exports -n "$records" -shape "$shape" > "$work/export.ris"
    rm -rf "$work/store"
    import "$shape, $records" "$records" store export.ris &
    large=$!
    if [ -n "${GROW_BESIDE:-}" ]; then
      "$work/bench" exports -n "$GROW_BESIDE" -shape "$shape" > "$work/beside.ris"
      while kill -0 "$large" 2> /dev/null; do
        rm -rf "$work/beside"
        import "  beside it: $shape, $GROW_BESIDE" "$GROW_BESIDE" beside beside.ris
        sleep 240
      done
    fi
    wait "$large"
  done
done
