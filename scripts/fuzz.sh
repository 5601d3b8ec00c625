#!/usr/bin/env bash
# Runs every fuzz target below the folders given, or of the whole module, for the time given, one after the other.
# Usage: scripts/fuzz.sh TIME [FOLDER…]
set -euo pipefail
time=${1:-3s}
shift || true
[ $# -gt 0 ] || set -- cmd internal
out=$(mktemp)
trap 'rm -f "$out"' EXIT
grep -rlE '^func Fuzz' --include='*_test.go' "$@" | sort | while read -r file; do
  dir=./$(dirname "$file")
  grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | awk '{print $2}' | while read -r target; do
    echo "fuzz $dir $target"
    go test "$dir" -run '^$' -fuzz "^${target}\$" -fuzztime "$time" -fuzzminimizetime 1x > "$out" 2>&1 || { cat "$out"; exit 1; }
  done
done
