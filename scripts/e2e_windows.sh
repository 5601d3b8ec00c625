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

echo "== building"
CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go build -trimpath -buildvcs=false -ldflags "-s -w" -o "$built/" ./cmd/indexer ./cmd/query
for package in durable store; do
  CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go test -c -o "$built/$package.test.exe" "./internal/$package"
done

echo "== the store's own tests"
tests='HoldsTheLock|KilledHolder|ReaderKeeps|CannotBePruned|StayReadable|PublishedIsRead|ExportMakes|ImportBrings|LinkingTo'
(cd internal/durable && "$wine" "$built/durable.test.exe" -test.short)
(cd internal/store && "$wine" "$built/store.test.exe" -test.short -test.run "$tests")

echo "== the sample"
data=$work/data
indexer() { "$wine" "$built/indexer.exe" "$@" --data "$data" < /dev/null; }
query() { "$wine" "$built/query.exe" "$@" --data "$data" --offline < /dev/null; }
holds() { grep -q -- "$1" "$work/out" || { cat "$work/out"; echo "the output has no $1"; exit 1; }; }
indexer import-pubmed --offline sample/pubmed.xml > "$work/out" && holds 'read 64, stored 64'
indexer import-records --offline sample/europepmc.json sample/openalex.json sample/ctgov.json > "$work/out" && holds 'is published'
indexer run --offline --jobs jobs/demo.yaml > "$work/out" 2>&1 && holds 'is published'
query kras-g12c-crc-resistance > "$work/out" && holds 'PMID:99000002'
query search osimertinib > "$work/out" && holds 'PMID:990000'
query report kras-g12c-crc-resistance --format html --out "$work/report.html" > "$work/out" && grep -q '</html>' "$work/report.html"

echo "== a generation is published, and pruned, while a page has one open"
"$wine" "$built/query.exe" serve --data "$data" --listen 127.0.0.1:18080 > "$work/page" 2>&1 < /dev/null &
page=$!
for _ in $(seq 60); do curl -fs http://127.0.0.1:18080/healthz > /dev/null 2>&1 && break || sleep 1; done
curl -fs http://127.0.0.1:18080/ > "$work/out" && holds 'kras-g12c'
import() { # NUMBER: one more record, and no generation is kept but the current one
  printf 'TY  - JOUR\r\nTI  - Invented record %s for another system\r\nDO  - 10.5555/windows.%s\r\nPY  - 2026\r\nER  - \r\n' "$1" "$1" \
    > "$work/$1.ris"
  DOSSIER_STORE_KEEP_GENERATIONS=1 indexer import-records --offline "$work/$1.ris" > "$work/out" 2>&1
  holds 'is published'
}
import 1
holds 'old generations could not be removed'
curl -fs http://127.0.0.1:18080/ > "$work/out" && holds 'kras-g12c' # it goes on to the new one
kill "$page" 2> /dev/null || true
wait "$page" 2> /dev/null || true
import 2
indexer generations > "$work/out"
[ "$(wc -l < "$work/out")" = 1 ] || { cat "$work/out"; echo "what nobody has open any more was not removed"; exit 1; }
indexer verify > "$work/out" && holds 'no damage found'
echo "the Windows programs work under $("$wine" --version)"
