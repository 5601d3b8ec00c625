#!/usr/bin/env python3
"""Index and search the texts of `DOSSIER_TEXTS=10000 DOSSIER_TEXTS_TO=DIR go test -run TestManyTexts -v
./internal/articles` with tantivy (pip install tantivy), for figures beside Dossier's: fulltext_peer.py DIR. Without the
package it says so and ends well."""

import json
import pathlib
import statistics
import sys
import tempfile
import time

try:
    import tantivy
except ImportError:
    print("skipped: tantivy is not installed (pip install tantivy)")
    sys.exit(0)

folder = pathlib.Path(sys.argv[1])
schema = tantivy.SchemaBuilder()
schema.add_text_field("id", stored=True, tokenizer_name="raw")
schema.add_text_field("title", stored=True, tokenizer_name="en_stem")
schema.add_text_field("text", stored=True, tokenizer_name="en_stem")
with tempfile.TemporaryDirectory() as place:
    index = tantivy.Index(schema.build(), path=place)
    began, count = time.perf_counter(), 0
    writer = index.writer(heap_size=200_000_000, num_threads=1)
    with open(folder / "texts.jsonl", encoding="utf-8") as lines:
        for line in lines:
            text = json.loads(line)
            writer.add_document(tantivy.Document(id=[text["id"]], title=[text["title"]], text=[text["text"]]))
            count += 1
    writer.commit()
    writer.wait_merging_threads()
    took = time.perf_counter() - began
    size = sum(f.stat().st_size for f in pathlib.Path(place).rglob("*") if f.is_file())
    print(f"tantivy {tantivy.__version__}: {count} texts in {took:.1f} s, {1e6 * took / count:.0f} µs a text; "
          f"{size // count} bytes a text on disk")
    index.reload()
    searcher = index.searcher()
    queries = (folder / "queries.txt").read_text(encoding="utf-8").splitlines()
    for run in ("cold", "warm"):
        times = []
        for query in queries:
            began = time.perf_counter()
            found = searcher.search(index.parse_query(query, ["title", "text"]), 10)
            for _, address in found.hits:
                searcher.doc(address)
            times.append(time.perf_counter() - began)
        times.sort()
        print(f"{run}: p50 {1000 * statistics.median(times):.3f} ms, p99 {1000 * times[len(times) * 99 // 100]:.3f} ms")
