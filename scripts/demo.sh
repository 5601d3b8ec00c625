#!/usr/bin/env bash
# The whole program on the invented sample: import, run three topics, ask, search, report. No network, no keys, no model.
# Usage: scripts/demo.sh BIN_FOLDER DATA_FOLDER REPORT_FOLDER
set -euo pipefail
bin=$1 data=$2 reports=$3
rm -rf "$data" "$reports"
unset "${!DOSSIER_@}" NCBI_API_KEY OPENALEX_API_KEY OPENROUTER_API_KEY

bold='' plain=''
[ ! -t 1 ] || { bold=$'\033[1m' plain=$'\033[0m'; }

# say shows a command as it can be given again: what a shell would take apart stands in quotes.
say() {
  printf '\n%s$' "$bold"
  for word in "$@"; do
    case $word in
      *[!A-Za-z0-9_./=:-]*) printf " '%s'" "$word" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
  printf '%s\n' "$plain"
}
try() { say "$@"; "$@"; }

echo "Everything below is made of invented records (see sample/README.md)."
try "$bin/indexer" import-pubmed --offline --data "$data" sample/pubmed.xml
try "$bin/indexer" import-records --offline --data "$data" sample/europepmc.json sample/openalex.json sample/ctgov.json
try "$bin/indexer" import-curated --offline --data "$data" sample/civic-01-Nov-2026.tsv
try "$bin/indexer" run --offline --data "$data" --jobs jobs/demo.yaml
try "$bin/query" --offline --data "$data" "KRAS G12C colorectal cancer resistance SHP2 SOS1 inhibitor"
try "$bin/query" search --data "$data" '"MET amplification"[tiab] AND osimertinib' --limit 3
try "$bin/query" report --all --offline --data "$data" --out "$reports"

cat <<END

The store is in $data. Try for yourself:
  $bin/query topics --data $data
  $bin/query show PMID:99000018 --data $data          # a retracted article
  $bin/query egfr-t790m-nsclc-osimertinib --data $data --format json

The reports: $reports/index.html
END
