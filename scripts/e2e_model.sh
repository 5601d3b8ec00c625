#!/usr/bin/env bash
# Screens and reports through a model server that nobody here wrote: llama.cpp's own, from PyPI, with a model of random weights, at a
# context that is too small for anything and at one that is large. Every record must be judged by the model, or it must be told why
# not. Needs Python with venv, and PyPI; where they are not there it says so and skips.
# Usage: scripts/e2e_model.sh BIN_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$1
skip() { echo "skipped: $*"; exit 0; }

work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
command -v python3 > /dev/null || skip "there is no Python here"
python3 -m venv "$work/venv" > /dev/null 2>&1 || skip "Python's venv is not here"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check xllamacpp gguf numpy > "$work/pip" 2>&1 \
  || skip "llama.cpp's server can't be had: $(tail -n 1 "$work/pip")"
"$work/venv/bin/python" scripts/e2e_model/random_model.py "$work/random.gguf"

unset "${!DOSSIER_@}" OPENROUTER_API_KEY
export DOSSIER_SOURCES_OFFLINE=true DOSSIER_LLM_MODEL=random.gguf DOSSIER_LLM_TIMEOUT=600s DOSSIER_LLM_CONCURRENCY=2
for context in 2048 65536; do
  echo "== a context of $context tokens"
  "$work/venv/bin/python" scripts/e2e_model/serve.py "$work/random.gguf" "$context" > "$work/server" 2>&1 &
  server=$!
  for _ in $(seq 60); do
    address=$(sed -n 's/^listening //p' "$work/server")
    [ -z "$address" ] || break
    sleep 1
  done
  [ -n "$address" ] || { tail -n 20 "$work/server"; exit 1; }
  export DOSSIER_LLM_BASE_URL=$address/v1
  data=$work/data-$context
  "$bin/indexer" import-pubmed --offline --data "$data" sample/pubmed.xml > /dev/null
  code=0
  "$bin/indexer" run --data "$data" --jobs jobs/demo.yaml --format json > "$work/run.json" 2> "$work/log" || code=$?
  [ "$code" = 0 ] || [ "$code" = 3 ] || { cat "$work/log"; exit 1; }
  python3 scripts/e2e_model/check.py "$work/run.json" 20
  "$bin/query" report kras-g12c-crc-resistance --data "$data" --out "$work/report.md"
  grep -q '## In brief' "$work/report.md"
  kill "$server"
  wait "$server" 2> /dev/null || true
  server=
done
echo "every record was judged, or it was told why not"
