#!/usr/bin/env bash
# Runs every fuzz target below the folders given, or of the whole module, for the time given, one after the other, and prints
# how many inputs each has tried. One that tries fewer than a thousand a second tests next to nothing, and is marked so; on a
# machine with other work to do that may be the machine's fault.
# Usage: scripts/fuzz.sh TIME [FOLDER…]
set -euo pipefail
time=${1:-3s}
shift || true
[ $# -gt 0 ] || set -- cmd internal
out=$(mktemp)
trap 'rm -f "$out"' EXIT
printf '%-34s %-24s %12s %12s\n' package target inputs 'a second'
grep -rlE '^func Fuzz' --include='*_test.go' "$@" | sort | while read -r file; do
  dir=$(dirname "$file")
  grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | awk '{print $2}' | while read -r target; do
    go test "./$dir" -run '^$' -fuzz "^${target}\$" -fuzztime "$time" -fuzzminimizetime 1x > "$out" 2>&1 || { cat "$out"; exit 1; }
    # "fuzz: elapsed: 20s, execs: 123456 (6172/sec), …": the lines before hold the time in which known inputs were tried.
    awk -v dir="$dir" -v target="$target" '
      /^fuzz: elapsed: .* execs: / {
        elapsed = execs = $0
        sub(/^fuzz: elapsed: /, "", elapsed); sub(/,.*/, "", elapsed)
        sub(/.* execs: /, "", execs); sub(/ .*/, "", execs)
        seconds = 0
        while (match(elapsed, /^[0-9]+[hms]/)) {
          unit = substr(elapsed, RLENGTH, 1)
          seconds += substr(elapsed, 1, RLENGTH - 1) * (unit == "h" ? 3600 : unit == "m" ? 60 : 1)
          elapsed = substr(elapsed, RLENGTH + 1)
        }
        if (!began) { began = 1; from = seconds; first = execs }
        last = execs; to = seconds
      }
      END {
        span = to - from
        if (span < 1) { span = to < 1 ? 1 : to; first = 0 }
        rate = (last - first) / span
        printf "%-34s %-24s %12d %12d%s\n", dir, target, last, rate, rate < 1000 ? "  slow" : ""
      }' "$out"
  done
done
