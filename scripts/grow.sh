#!/usr/bin/env bash
# Imports ever more invented records into an empty store, and prints the processor time a record and the most anonymous memory:
# both are to stay as they are. docs/BENCHMARKS.md has the figures. Linux tells the memory; elsewhere it is left out.
#   GROW_SIZES="10000 30000 100000"          how many records
#   GROW_SHAPES="distinct one-title supplements"   how they are alike
# Usage: scripts/grow.sh BIN_FOLDER
set -euo pipefail
bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!DOSSIER_@}" NCBI_API_KEY OPENALEX_API_KEY OPENROUTER_API_KEY
go build -trimpath -o "$work/bench" ./scripts/bench
for shape in ${GROW_SHAPES:-distinct one-title supplements}; do
  for records in ${GROW_SIZES:-10000 30000 100000}; do
    "$work/bench" exports -n "$records" -shape "$shape" > "$work/export.ris"
    rm -rf "$work/store"
    "$work/bench" time -once -records "$records" -name "$shape, $records" \
      "$bin/indexer" import-records --offline --data "$work/store" "$work/export.ris"
  done
done
