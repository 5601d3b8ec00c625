#!/usr/bin/env bash
# Runs every fuzz target below the folders given, or of the whole module, for the time given, one after the other, and prints
# how many inputs each has tried, how many in a second, and how many in a second of one processor, which other work on the machine changes
# little. One that tries fewer than 500 in a processor's second, so fewer than a thousand a second on two of them, tests next to
# nothing, and is marked so. The first seconds of a target that has no cached inputs are slow: each input that reaches new code is
# written down. Cached inputs are all tried before any new one, and a second is added for each four hundred of them.
# Usage: scripts/fuzz.sh SECONDSs [FOLDER…]
set -euo pipefail
time=${1:-3s}
[[ $time =~ ^[0-9]+s$ ]] || { echo "fuzz.sh: the time is one such as 20s, not $time" >&2; exit 2; }
shift || true
[ $# -gt 0 ] || set -- cmd internal
module=$(go list -m)
cache=$(go env GOCACHE)/fuzz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'
# Go's fuzzer now and then calls its own time limit a failure, where the limit comes while an input is handed to a worker. A fault
# that was found always comes with an input, or with what the process said.
time_was_up() { [ "$(grep -aA 2 -- '^--- FAIL' "$work/out" | tr -s ' \n' ' ' | sed 's/ ([0-9.]*s)//')" = "--- FAIL: $target context deadline exceeded FAIL " ]; }
printf '%-34s %-24s %10s %10s %20s\n' package target inputs 'a second' 'a processor second'
grep -rlE '^func Fuzz' --include='*_test.go' "$@" | xargs -n 1 dirname | sort -u | while read -r dir; do
  go test -c -fuzz . -o "$work/fuzz.test" "./$dir"
  grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go | awk '{print $2}' | sort | while read -r target; do
    known=$(find "$cache/$module/$dir/$target" -type f 2> /dev/null | wc -l || true)
    # What reaches new code is kept as it is: making it smaller first takes as long as trying ten others.
    { time (cd "$dir" && "$work/fuzz.test" -test.run '^$' -test.fuzz "^${target}\$" -test.fuzzcachedir "$cache/$module/$dir" \
      -test.fuzztime "$((${time%s} + known / 400))s" -test.fuzzminimizetime 0x > "$work/out" 2>&1); } 2> "$work/processor" || time_was_up || { cat "$work/out"; exit 1; }
    # "fuzz: elapsed: 20s, execs: 123456 (6172/sec), …": the lines before hold the time in which known inputs were tried.
    awk -v dir="$dir" -v target="$target" -v processor="$(tail -n 1 "$work/processor")" '
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
        split(processor, used, " ")
        of_one = last / (used[1] + used[2] + 0.001)
        printf "%-34s %-24s %10d %10d %20d%s\n", dir, target, last, (last - first) / span, of_one,
          !last ? "  known inputs alone: more time" : of_one < 500 ? "  slow" : ""
      }' "$work/out"
  done
done
