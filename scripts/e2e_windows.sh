#!/usr/bin/env bash
# Runs the Windows programs and the store's own tests under Wine, for what Windows does otherwise: locks that keep readers out, files
# that can't be replaced or removed while somebody has them open, no links that outlive that. Skips where Wine is not there.
# Usage: scripts/e2e_windows.sh [FOLDER], which keeps the programs for the next time
set -euo pipefail
cd "$(dirname "$0")/.."
skip() { echo "skipped: $*"; exit 0; }
wine=$(command -v wine64 wine /usr/lib/wine/wine64 | head -n 1) || true
[ -n "$wine" ] || skip "there is no Wine here (Debian: apt-get install wine64)"

work=$(mktemp -d)
trap 'WINEPREFIX=$work/prefix "${wine%/*}"/wineserver64 -k 2> /dev/null || true; rm -rf "$work"' EXIT
built=${1:-$work/built}
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;mshtml='
unset DISPLAY
timeout 300 "$wine" cmd /c exit > /dev/null 2>&1 || skip "Wine does not start here"
library=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
if [ ! -e "$library" ]; then # Go's programs ask it for random numbers; Wine has it since version 9
  cc=$(command -v x86_64-w64-mingw32-gcc) || skip "this Wine lacks a library (Debian: apt-get install gcc-mingw-w64-x86-64)"
  "$cc" -shared -o "$library" -x c - -ladvapi32 << 'END'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T size) { return SystemFunction036(to, (ULONG)size); }
END
fi

echo "== building"
CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go build -trimpath -buildvcs=false -ldflags "-s -w" -o "$built/" ./cmd/indexer ./cmd/query
for package in files store; do
  CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go test -c -o "$built/$package.test.exe" "./internal/$package"
done

echo "== the store's own tests"
tests='HoldsTheLock|KilledHolder|ReaderKeeps|CannotBePruned|StayReadable|PublishedIsRead|ExportMakes|ImportBrings|LinkingTo'
removes=yes
if (cd internal/files && "$wine" "$built/files.test.exe" -test.short > "$work/out" 2>&1); then
  (cd internal/store && "$wine" "$built/store.test.exe" -test.short -test.run "$tests")
elif grep -q 'RemoveAll cleanup: .*Invalid function' "$work/out"; then
  echo "$("$wine" --version) removes no file in the way that Go asks for: the tests, and what is removed below, are left out"
  removes=
else
  cat "$work/out"
  exit 1
fi

echo "== the sample"
data=$work/data
indexer() { "$wine" "$built/indexer.exe" "$@" --data "$data" < /dev/null; }
query() { "$wine" "$built/query.exe" "$@" --data "$data" --offline < /dev/null; }
run() { "$@" > "$work/out" 2>&1 || { cat "$work/out"; echo "$* failed"; exit 1; }; } # set -e does not see what stands before &&
holds() { grep -q -- "$1" "$work/out" || { cat "$work/out"; echo "the output has no $1"; exit 1; }; }
run indexer import-pubmed --offline sample/pubmed.xml
holds 'read 64, stored 64'
run indexer import-records --offline sample/europepmc.json sample/openalex.json sample/ctgov.json
holds 'is published'
run indexer run --offline --jobs jobs/demo.yaml
holds 'published generation'
run query kras-g12c-crc-resistance
holds 'PMID:99000002'
run query search osimertinib
holds 'PMID:990000'
run query report kras-g12c-crc-resistance --format html --out "$work/report.html"
grep -q '</html>' "$work/report.html"

echo "== a generation is published, and pruned, while a page has one open"
"$wine" "$built/query.exe" serve --data "$data" --listen 127.0.0.1:18080 > "$work/page" 2>&1 < /dev/null &
page=$!
for _ in $(seq 60); do curl -fs http://127.0.0.1:18080/healthz > /dev/null 2>&1 && break || sleep 1; done
run curl -fsS http://127.0.0.1:18080/
holds 'kras-g12c'
import() { # NUMBER: one more record, and no generation is kept but the current one
  printf 'TY  - JOUR\r\nTI  - Invented record %s for another system\r\nDO  - 10.5555/windows.%s\r\nPY  - 2026\r\nER  - \r\n' "$1" "$1" \
    > "$work/$1.ris"
  DOSSIER_STORE_KEEP_GENERATIONS=1 run indexer import-records --offline "$work/$1.ris"
  holds 'is published'
}
import 1
[ -z "$removes" ] || holds 'old generations could not be removed'
run curl -fsS http://127.0.0.1:18080/
holds 'kras-g12c' # it goes on to the new one
kill "$page" 2> /dev/null || true
wait "$page" 2> /dev/null || true
import 2
sed 's/2/3/g' "$work/2.ris" | "$wine" "$built/indexer.exe" import-records --offline --data "$data" - > "$work/out" 2>&1 || true
holds 'is published' # what standard input holds is kept in a file, which goes
run indexer generations
[ -z "$removes" ] || [ "$(wc -l < "$work/out")" = 1 ] || { cat "$work/out"; echo "what nobody has open any more was not removed"; exit 1; }
run indexer verify
holds 'no damage found'
echo "the Windows programs work under $("$wine" --version)"
