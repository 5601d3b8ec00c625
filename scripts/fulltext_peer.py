#!/usr/bin/env python3
"""Index and search the texts of `DOSSIER_TEXTS=10000 DOSSIER_TEXTS_TO=DIR go test -run TestManyTexts -v
./internal/articles` with tantivy (pip install tantivy) and with PaperQA2's index of papers (pip install paper-qa), for
figures beside Dossier's: fulltext_peer.py DIR. What is not installed is left out, and named.

PaperQA2 finds papers in such an index, and then asks a model; only the finding is measured."""

import asyncio
import importlib.metadata
import json
import pathlib
import sys
import tempfile
import time

folder = pathlib.Path(sys.argv[1])
queries = (folder / "queries.txt").read_text(encoding="utf-8").splitlines()


def texts():
    with open(folder / "texts.jsonl", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def report_import(name, began, place):
    """Clock and processor time a text, and bytes on disk."""
    clock, processor = time.perf_counter() - began[0], time.process_time() - began[1]
    count = sum(1 for _ in texts())
    size = sum(f.stat().st_size for f in pathlib.Path(place).rglob("*") if f.is_file())
    print(f"{name}: {count} texts in {clock:.1f} s, {1e6 * clock / count:.0f} µs a text ({1e6 * processor / count:.0f} of "
          f"processor time); {size // count} bytes a text on disk")


def report_searches(search):
    """Clock time of the queries, cold and warm; search takes one."""
    for run in ("cold", "warm"):
        times, processor = [], time.process_time()
        for query in queries:
            began = time.perf_counter()
            search(query)
            times.append(time.perf_counter() - began)
        times.sort()
        processor = time.process_time() - processor
        print(f"{run}: p50 {1000 * times[len(times) // 2]:.3f} ms, p99 {1000 * times[len(times) * 99 // 100]:.3f} ms; "
              f"{1000 * processor / len(queries):.3f} ms of processor time each")


def measure_tantivy(place):
    import tantivy

    schema = tantivy.SchemaBuilder()
    schema.add_text_field("id", stored=True, tokenizer_name="raw")
    schema.add_text_field("title", stored=True, tokenizer_name="en_stem")
    schema.add_text_field("text", stored=True, tokenizer_name="en_stem")
    index = tantivy.Index(schema.build(), path=place)
    began = time.perf_counter(), time.process_time()
    writer = index.writer(heap_size=200_000_000, num_threads=1)
    for text in texts():
        writer.add_document(tantivy.Document(id=[text["id"]], title=[text["title"]], text=[text["text"]]))
    writer.commit()
    writer.wait_merging_threads()
    report_import(f"tantivy {tantivy.__version__}", began, place)
    index.reload()
    searcher = index.searcher()

    def search(query):
        for _, address in searcher.search(index.parse_query(query, ["title", "text"]), 10).hits:
            searcher.doc(address)

    report_searches(search)


def measure_paperqa(place):
    from paperqa.agents.search import SearchIndex

    chunk = 5000  # characters, as its settings have it

    async def build(index):
        for text in texts():
            chunks = [text["text"][i : i + chunk] for i in range(0, len(text["text"]), chunk)]
            await index.add_document(
                {"file_location": text["id"], "title": text["title"], "body": text["text"], "year": ""}, document=chunks)
        await index.save_index()

    index = SearchIndex(fields=[*SearchIndex.REQUIRED_FIELDS, "title", "year"], index_directory=place)
    began = time.perf_counter(), time.process_time()
    with asyncio.Runner() as runner:
        runner.run(build(index))
        report_import("PaperQA2 " + importlib.metadata.version("paper-qa"), began, place)
        report_searches(lambda query: runner.run(index.query(query, field_subset=["title", "body"])))


for measure in (measure_tantivy, measure_paperqa):
    with tempfile.TemporaryDirectory() as place:
        try:
            measure(place)
        except ImportError as missing:
            print(f"left out: {missing} (pip install tantivy paper-qa)")
