#!/usr/bin/env bash
# Looks at the page in a real Chromium: with and without JavaScript, at 390 and 1,280 pixels, light and dark, by keyboard, and by the
# rules of axe-core, which is fetched from npm into a temporary folder. Then 2,000 requests, 16 at once, on 20,000 records while
# generations are published; on E2E_RECORDS of them where that is set, or on a copy of the store E2E_STORE. Where there is
# no Chromium, or no npm, it says so and skips what needs them. E2E_VIEW looks in one view alone, such as 390-dark.
# Usage: scripts/e2e_page.sh BIN_FOLDER [SCREENSHOT_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(realpath "$1") shots=${2:-}

work=$(mktemp -d)
pages=()
trap 'for p in "${pages[@]}"; do kill "$p" 2>/dev/null || true; done; wait 2>/dev/null || true; rm -rf "$work"' EXIT
[ -n "$shots" ] || shots=$work/shots
mkdir -p "$shots"
shots=$(realpath "$shots")
unset "${!DOSSIER_@}" OPENROUTER_API_KEY

# serve DATA: starts the page over a store; its address is in $address then.
serve() {
  : > "$work/serve"
  "$bin/query" serve --data "$1" --listen 127.0.0.1:0 > "$work/serve" 2> "$work/serve.log" &
  pages+=($!)
  address=
  for _ in $(seq 50); do
    address=$(sed -n 's/^Dossier: //p' "$work/serve")
    [ -z "$address" ] || return 0
    sleep 0.1
  done
  cat "$work/serve.log"
  return 1
}

go mod download -C scripts/e2e_page || { echo "skipped: what drives the browser can't be had"; exit 0; }
go build -C scripts/e2e_page -o "$work/e2e_page" .

echo "== in the browser"
if ! command -v chromium > /dev/null && ! command -v google-chrome > /dev/null; then
  echo "skipped: there is no Chromium here (apt-get install chromium)"
elif ! (cd "$work" && npm pack --silent axe-core@4.11.0 > /dev/null 2>&1 && tar xzf axe-core-*.tgz); then
  echo "skipped: axe-core can't be had from npm"
else
  "$bin/indexer" import-pubmed --offline --data "$work/data" sample/pubmed.xml > /dev/null
  "$bin/indexer" import-records --offline --data "$work/data" sample/europepmc.json sample/openalex.json sample/ctgov.json > /dev/null
  "$bin/indexer" import-curated --offline --data "$work/data" sample/civic-01-Nov-2026.tsv > /dev/null
  "$bin/indexer" run --offline --data "$work/data" --jobs jobs/demo.yaml > /dev/null
  serve "$work/data"
  "$work/e2e_page" browse "$address" "$work/package/axe.min.js" "$PWD/sample/cases.csv" "$shots"
fi

echo "== many at once, while generations are published"
if [ -n "${E2E_STORE:-}" ]; then # one of such records that was made before
  cp -a --reflink=auto "$E2E_STORE" "$work/large"
else
  go run ./scripts/bench exports -n "${E2E_RECORDS:-20000}" > "$work/many.ris"
  "$bin/indexer" import-records --offline --data "$work/large" "$work/many.ris" > /dev/null
fi
serve "$work/large"
(
  n=0
  while [ ! -e "$work/enough" ]; do
    n=$((n + 1))
    printf 'TY  - JOUR\nTI  - Invented addition number %s\nPY  - 2026\nDO  - 10.5555/added.%s\nER  - \n' "$n" "$n" > "$work/added-$n.ris"
    "$bin/indexer" import-records --offline --data "$work/large" "$work/added-$n.ris" > /dev/null 2>> "$work/publish.log" || exit 1
  done
) &
publisher=$!
code=0
"$work/e2e_page" load "$address" "ba,ce,di,fo gu,babe" "$bin/query" search --data "$work/large" --facets bucket,design,year,source,status,country ba || code=$?
touch "$work/enough"
wait "$publisher" || { cat "$work/publish.log"; code=1; }
exit "$code"
