#!/usr/bin/env bash
# Runs every fuzz target of the module for the time given, one after the other.
set -euo pipefail
time=${1:-3s}
grep -rlE '^func Fuzz' --include='*_test.go' cmd internal | sort | while read -r file; do
  dir=./$(dirname "$file")
  grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | awk '{print $2}' | while read -r target; do
    echo "fuzz $dir $target"
    go test "$dir" -run '^$' -fuzz "^${target}\$" -fuzztime "$time" >/tmp/fuzz.$$ 2>&1 || { cat /tmp/fuzz.$$; rm -f /tmp/fuzz.$$; exit 1; }
    rm -f /tmp/fuzz.$$
  done
done
