#!/usr/bin/env bash
# Makes inputs that are broken or mean harm, gives each to the programs, and prints what they took: peak memory and time.
# docs/BENCHMARKS.md has the table. Needs GNU time.
# Usage: scripts/hostile.sh BIN_FOLDER
set -euo pipefail
bin=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'kill "${page:-}" 2> /dev/null; rm -rf "$work"' EXIT
cd "$work"
unset "${!DOSSIER_@}" NCBI_API_KEY OPENALEX_API_KEY OPENROUTER_API_KEY
time=$(command -v time) || { echo "GNU time is not there; install the package time"; exit 1; }

measure() { # measure NAME COMMAND…: a store of its own for each; the last line of what is said stands behind the figures
  local name=$1 code=0
  shift
  rm -rf data
  "$time" -f '%M %e %U %S' -o figures timeout 600 "$@" --offline --data data > said 2>&1 || code=$?
  tail -n 1 figures | while read -r kilobytes seconds user system; do
    printf '%-58s %6d MB %8.1f s, processor %.1f + %.1f s  exit code %d\n' "$name" $((kilobytes / 1024)) "$seconds" "$user" "$system" "$code"
  done
  grep -hE 'read [0-9]|is a (device|pipe)|more than' said | tail -n 1 | cut -c1-150 | sed 's/^/    /'
}

letters() { head -c "$1" /dev/zero | tr '\0' 'x'; }
words() { awk -v n="$1" 'BEGIN { srand(7); while (n > 0) { w = sprintf("%c%c%d ", 97 + rand() * 26, 97 + rand() * 26, rand() * 99999); n -= length(w); printf "%s", w } }'; }
articles() { # articles N: articles with the text of the file "words" in the place of each @ of what follows
  awk -v n="$1" -v r="$2" 'BEGIN {
    getline text < "words"
    print "<?xml version=\"1.0\"?><PubmedArticleSet>"
    split(r, part, "@")
    for (i = 0; i < n; i++)
      printf "<PubmedArticle><MedlineCitation><PMID Version=\"1\">%d</PMID><Article>%s%s%s</Article></MedlineCitation></PubmedArticle>\n", 99000000 + i, part[1], text, part[2]
    print "</PubmedArticleSet>" }'
}
repeated() { # repeated N RECORD: the same record N times
  awk -v n="$1" -v r="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", r }'
}
numbered() { # numbered N RECORD: with the number in the place of each @
  awk -v n="$1" -v r="$2" 'BEGIN { for (i = 0; i < n; i++) { s = r; gsub(/@/, i, s); printf "%s", s } }'
}

words 80000 > words
articles 200 '<ArticleTitle>@</ArticleTitle>' > titles.xml
measure "200 titles of 80 KB" "$bin/indexer" import-pubmed titles.xml
words 1000000 > words
articles 200 '<ArticleTitle>A</ArticleTitle><Abstract><AbstractText>@</AbstractText></Abstract>' > abstracts.xml
measure "200 abstracts of 1 MB" "$bin/indexer" import-pubmed abstracts.xml

for n in 6000 60000; do
  repeated $n $'PMID- 1\n\n' > equal.nbib
  measure "$n times PMID- 1 in NBIB" "$bin/indexer" import-records equal.nbib
  repeated $n $'TY  - JOUR\nTI  - An invented paper on nothing\nAU  - Doe, Jane\nPY  - 2020\nDO  - 10.5555/nothing\nER  - \n\n' > equal.ris
  measure "$n equal RIS records" "$bin/indexer" import-records equal.ris
  { printf '['; repeated $((n - 1)) '{"type":"article","title":"An invented paper","DOI":"10.5555/nothing"},'; printf '{"type":"article","title":"An invented paper","DOI":"10.5555/nothing"}]'; } > equal.json
  measure "$n equal CSL items" "$bin/indexer" import-records equal.json
  numbered $n $'TY  - JOUR\nTI  - An invented paper on nothing\nAU  - Doe, Jane\nPY  - 2020\nDO  - 10.5555/nothing\nKW  - word @\nER  - \n\n' > near.ris
  measure "$n RIS records of one paper, a keyword apart" "$bin/indexer" import-records near.ris
done
numbered 6000 $'TY  - JOUR\nTI  - Abstract number @ on a matter of its own\nAU  - Doe@, Jane\nPY  - 2020\nDO  - 10.5555/supplement\nER  - \n\n' > supplement.ris
measure "6000 different papers under one DOI" "$bin/indexer" import-records supplement.ris
numbered 24000 $'TY  - JOUR\nTI  - Abstract number @ on a matter of its own\nAU  - Doe@, Jane\nPY  - 2020\nDO  - 10.5555/supplement\nER  - \n\n' > supplement.ris
measure "24000 of them" "$bin/indexer" import-records supplement.ris

{ printf 'TY  - JOUR\nTI  - '; letters 300000000; printf '\nER  - \n'; } > line.ris
measure "a RIS line of 300 MB" "$bin/indexer" import-records line.ris
{ printf 'TY  - JOUR\nTI  - A\nAB  - '; head -c 1000000000 /dev/zero; } | gzip -1 > bomb.ris.gz
measure "1 GB of zeros in a gzip file of $(du -k bomb.ris.gz | cut -f1) KB" "$bin/indexer" import-records bomb.ris.gz
numbered 100000 $'AU  - Doe, Jane @\n' > authors
{ printf 'TY  - JOUR\nTI  - A\nDO  - 10.5555/a\n'; cat authors; printf 'ER  - \n'; } > authors.ris
measure "a record with 100000 authors" "$bin/indexer" import-records authors.ris

printf 'lexicon: {files: [/dev/zero]}\n' > endless.yaml
measure "/dev/zero as a dictionary" "$bin/query" explain KRAS --config endless.yaml
measure "/dev/zero as topics" "$bin/indexer" run --jobs /dev/zero
measure "/dev/zero as an export" "$bin/indexer" import-records /dev/zero

# The page, beside clients of one address that say little or read nothing.
rm -rf data
"$bin/indexer" import-pubmed --offline --data data "$root/sample/pubmed.xml" > said
"$bin/indexer" run --offline --data data --jobs "$root/jobs/demo.yaml" > said 2>&1
"$bin/query" serve --data data --listen 127.0.0.1:0 > page 2> said & page=$!
for _ in $(seq 50); do grep -q http page && break; sleep 0.2; done
address=$(sed -n 's,.*http://\([^/]*\)/.*,\1,p' page)
(cd "$root" && go run ./scripts/bench clients "$address")
