#!/usr/bin/env bash
# Runs two nights of sixty topics over four services and a model that answer from recorded records and keep the real
# services' limits, and prints what their requests take at these limits, and what the run took. It takes some three
# minutes; where ../shared, with the recorded services, is absent, it says so and skips.
#   NIGHT_TOPICS=jobs     other topics: a file or a folder
#   NIGHT_MODEL=no        no model: screening by rules
#   NIGHT_LATENCY=200ms   added to every answer; 0
# Usage: scripts/night.sh BIN_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(realpath "$1")
shared=$(realpath "${SHARED_TEST_DATA:-../shared}")
if [ ! -d "$shared/mirror" ]; then
  echo "skipped: the recorded services (../shared/mirror) are not here"
  exit 0
fi
work=$(mktemp -d)
mirror=
trap '[ -z "$mirror" ] || kill "$mirror" 2> /dev/null || true; rm -rf "$work"' EXIT
unset "${!DOSSIER_@}" NCBI_API_KEY OPENALEX_API_KEY OPENROUTER_API_KEY
go build -trimpath -o "$work/bench" ./scripts/bench
go build -C "$shared/mirror" -o "$work/mirror" .
"$work/mirror" -addr 127.0.0.1:0 -data "$shared/data" -log "$work/requests.jsonl" -port-file "$work/address" \
  -latency "${NIGHT_LATENCY:-0}" 2> "$work/mirror.log" &
mirror=$!
for _ in $(seq 600); do
  [ ! -s "$work/address" ] || break
  kill -0 "$mirror" 2> /dev/null || { cat "$work/mirror.log"; exit 1; }
  sleep 0.1
done
base=$(cat "$work/address")
export HOME=$work XDG_CACHE_HOME=$work/cache
export DOSSIER_SOURCES_PUBMED_BASE_URL=$base/entrez/eutils DOSSIER_SOURCES_OPENALEX_BASE_URL=$base
export DOSSIER_SOURCES_EUROPEPMC_BASE_URL=$base/europepmc/webservices/rest
export DOSSIER_SOURCES_CLINICALTRIALS_BASE_URL=$base/api/v2
if [ "${NIGHT_MODEL:-yes}" = yes ]; then
  export DOSSIER_LLM_BASE_URL=$base/v1 DOSSIER_LLM_MODEL=overlap
fi
echo "processors: $(nproc), load: $(cut -d' ' -f1-3 /proc/loadavg 2> /dev/null || echo unknown)"
for night in first second; do
  "$work/bench" night -name "the $night night" -log "$work/requests.jsonl" \
    "$bin/indexer" run --data "$work/data" --jobs "${NIGHT_TOPICS:-scripts/night.yaml}" --max 60
done
