#!/usr/bin/env bash
# Measures the program; docs/BENCHMARKS.md says what the figures show.
#   BENCH_RECORDS=100000   records in the store that is searched
#   BENCH_RUNS=21          runs of each process, of which the median counts
#   BENCH_TAIL=101         runs of each search, of which the 99th percentile is told as well: 100 or more
#   BENCH_LARGE=1          identity at 1,000,000 records as well
#   BENCH_WORK=folder      where the store goes, and stays; else a temporary folder
set -euo pipefail
records=${BENCH_RECORDS:-100000} runs=${BENCH_RUNS:-21} tail=${BENCH_TAIL:-101}
work=${BENCH_WORK:-$(mktemp -d)}
[[ -n ${BENCH_WORK:-} ]] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
unset "${!DOSSIER_@}" NCBI_API_KEY OPENALEX_API_KEY OPENROUTER_API_KEY

say() { printf '\n== %s\n' "$*"; }
micro() { # micro PACKAGE PATTERN [FLAG…]: Go benchmarks, without the lines around them
  local package=$1 pattern=$2
  shift 2
  go test -run '^$' -bench "$pattern" "$@" "$package" | { grep ^Benchmark || true; }
}
process() { "$work/bench" time -runs "$runs" "$@"; } # process -name NAME COMMAND…
found() { command -v "$1" > /dev/null || { echo "no $1: that peer is left out"; return 1; }; }

say "the machine"
uname -sm
echo "processors: $(nproc), load: $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown)"
go version

CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$work/" ./cmd/indexer ./cmd/query ./scripts/bench ./scripts/bench/inside # as releases are

say "parsing PubMed's XML, and encoding/xml on the same records"
micro ./internal/source/pubmed '^BenchmarkParse' -count 3

say "indexing text alone, and bleve alone with its English analyser on the same text, in turns"
micro ./internal/fulltext '^BenchmarkImportBesideBleve' -benchtime 11x

say "reading a question; the dictionary"
micro ./internal/lexicon '^Benchmark(Understand|Contradicts|Default)$' -benchmem -count 3

say "identity"
micro ./internal/identity '^BenchmarkJoin' -benchtime 3x -timeout 60m

say "opening and publishing a store"
micro ./internal/store '^Benchmark(Open|Publish10000)$' -benchtime 5x

say "labelled sets: identity, ranking (left out where ../shared is absent)"
verbose() { go test -count=1 -v "$@" | { grep -E "$keep" || true; } }
keep=' F1 ' verbose -run '^TestLabelledSets$' ./internal/identity
keep='nDCG|\.[0-9]{4} ' verbose -run XXX -bench '^BenchmarkRankingOnLabelledSet$' -benchtime 1x ./internal/fulltext

say "reports: grounding on the gold set, and a hundred reports in three formats"
keep='recall|precision|caught|removed' verbose -run 'Gold' ./internal/grounding
micro ./internal/report '^BenchmarkReports' -benchmem -benchtime 1x
micro ./internal/grounding '^BenchmarkGrounding' -benchmem -benchtime 1x

say "screening 2,000 records by a model that takes 200 ms: the ratio to calls / concurrency x latency"
micro ./internal/llm '^BenchmarkScreen' -benchtime 2x

inputs=(../shared/data/pubmed/*.xml.gz)
if [[ ! -e ${inputs[0]} ]]; then
  echo "../shared/data/pubmed is absent: the sample's records are multiplied instead"
  inputs=(sample/pubmed.xml)
fi
say "import of $records records made from ${inputs[*]}"
rm -rf "$work/files" "$work/store"
mkdir "$work/files"
"$work/bench" records -n "$records" -out "$work/files" "${inputs[@]}"
"$work/bench" time -once -records "$records" -name "indexer import-pubmed" \
  "$work/indexer" import-pubmed --offline --data "$work/store" "$work"/files/*.xml.gz
generation=$work/store/generations/$(cat "$work/store/CURRENT")
(cd "$generation" && "$work/bench" size -records "$records" evidence.db text.bleve)
"$work/bench" time -once -allow 3 -name "indexer run: three topics, store alone" \
  "$work/indexer" run --offline --data "$work/store" --jobs jobs/demo.yaml

parsed=10000
say "PMID, title, abstract and headings of $parsed records in PubMed's XML, and by xtract, in turns"
if found xtract; then
  rm -rf "$work/parse"
  mkdir "$work/parse"
  "$work/bench" records -n "$parsed" -out "$work/parse" "${inputs[@]}"
  gunzip "$work"/parse/*.gz
  "$work/bench" pair -runs "$runs" -records "$parsed" -name "inside parse, xtract -strict" \
    "$work/inside" parse "$work"/parse/*.xml ::: xtract -strict -input "$work"/parse/*.xml -pattern PubmedArticle \
    -element MedlineCitation/PMID ArticleTitle AbstractText -block MeshHeading -element DescriptorName
  rm -r "$work/parse"
fi

say "whole processes over $records records, caches warm"
search() { # search NAME QUERY…; nothing found is an answer
  local name=$1
  shift
  "$work/bench" time -runs "$tail" -tail -allow 4 -name "search: $name" "$work/query" search --data "$work/store" "$@"
}
process -name "query --version: no store" "$work/query" --version
process -name "search: a word that is nowhere" -allow 4 "$work/query" search --data "$work/store" zzyzxqj
search "plain word" resistance
search "three words" lung cancer resistance
search "phrase" '"gene expression"'
search "boolean of phrases" '"breast cancer" AND ("gene expression" OR "overall survival")'
search "year filter and facets" resistance --from 2015 --facets bucket,year
process -name "query TOPIC" "$work/query" --offline --data "$work/store" braf-v600e-melanoma-adjuvant

say "a packet of twelve cases over the recorded answers of the services"
packet() { # starts the recorded services, asks them the first twelve of scripts/night.yaml, and times the packet
  local shared mirror base
  shared=$(realpath "${SHARED_TEST_DATA:-../shared}")
  [ -d "$shared/mirror" ] || { echo "the recorded services (../shared/mirror) are not here: left out"; return 0; }
  rm -rf "$work/packet" "$work/address"
  go build -C "$shared/mirror" -o "$work/mirror" .
  "$work/mirror" -addr 127.0.0.1:0 -data "$shared/data" -port-file "$work/address" 2> "$work/mirror.log" &
  mirror=$!
  until [ -s "$work/address" ]; do kill -0 "$mirror" || return 1; sleep 0.1; done
  base=$(cat "$work/address")
  awk '/id:/ && ++n > 12 { exit } { print }' scripts/night.yaml > "$work/twelve.yaml"
  DOSSIER_SOURCES_PUBMED_BASE_URL=$base/entrez/eutils DOSSIER_SOURCES_OPENALEX_BASE_URL=$base \
    DOSSIER_SOURCES_EUROPEPMC_BASE_URL=$base/europepmc/webservices/rest \
    DOSSIER_SOURCES_CLINICALTRIALS_BASE_URL=$base/api/v2 \
    "$work/indexer" run --data "$work/packet" --jobs "$work/twelve.yaml" > "$work/night.log" 2>&1 || cat "$work/night.log"
  kill "$mirror"
  for ending in html docx; do
    process -name "query packet: twelve cases as $ending" \
      "$work/query" packet "$work/twelve.yaml" --offline --data "$work/packet" --out "$work/packet.$ending"
  done
}
packet

say "peers, the same records"
"$work/query" export --data "$work/store" --format jsonl >"$work/export.jsonl"
process -name "scan of all records as JSON, one word" "$work/bench" scan "$work/export.jsonl" resistance
each() { # each COMMAND…: with every search, and its form in FTS5
  "$@" 'resistance' 'resistance'
  "$@" 'lung cancer resistance' 'lung OR cancer OR resistance'
  "$@" '"gene expression"' '"gene expression"'
  local phrases='"breast cancer" AND ("gene expression" OR "overall survival")'
  "$@" "$phrases" "$phrases"
}
up() { # up QUERY FTS5-QUERY
  "$work/bench" ask -runs "$tail" -query "$1" -peer-query "$2" \
    "$work/inside" search --offline --data "$work/store" ::: python3 scripts/fts5.py answer "$work/fts.db"
}
shell() { # shell QUERY FTS5-QUERY
  local select="SELECT id, title, bm25(paper, 2, 1, 1) AS score FROM paper WHERE paper MATCH"
  "$work/bench" pair -runs "$runs" -allow 4 -name "$1" "$work/query" search --data "$work/store" "$1" ::: \
    sqlite3 -readonly "$work/fts.db" "$select '$2' ORDER BY score LIMIT 20"
}
if python3 -c 'import sqlite3; sqlite3.connect(":memory:").execute("CREATE VIRTUAL TABLE t USING fts5(a)")' 2>/dev/null; then
  python3 scripts/fts5.py build "$work/export.jsonl" "$work/fts.db"
  echo "in processes that are up, in turns with FTS5 in python's sqlite3:"
  each up
  if found sqlite3; then
    echo "whole processes, in turns with the sqlite3 shell:"
    each shell
  fi
else
  echo "no python3 with SQLite's FTS5: that peer is left out"
fi

night=300
say "nights of $night new records each, published into the store of $records"
for n in 0 1 2; do
  rm -rf "$work/night"
  mkdir "$work/night"
  "$work/bench" records -from $((records + n * night)) -n "$night" -out "$work/night" "${inputs[@]}"
  "$work/bench" time -once -written -records "$night" -name "indexer import-pubmed, night $((n + 1))" \
    "$work/indexer" import-pubmed --offline --data "$work/store" "$work"/night/*.xml.gz
done
