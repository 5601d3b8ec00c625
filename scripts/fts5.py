"""The same records and searches in SQLite FTS5, as a peer to measure against.

    fts5.py build EXPORT.jsonl FTS.db      make the database, and tell how fast
    fts5.py search FTS.db RUNS QUERY…      each FTS5 query for its best 20: once, then RUNS times with their median told
"""
import json
import os
import sqlite3
import statistics
import sys
import time


def build(export, path):
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    db.execute("CREATE VIRTUAL TABLE paper USING fts5(title, abstract, terms, id UNINDEXED, year UNINDEXED, bucket UNINDEXED, tokenize='porter')")
    start, cpu, count = time.perf_counter(), time.process_time(), 0
    with open(export, encoding="utf-8") as lines, db:
        for line in lines:
            record = json.loads(line)
            terms = [heading if isinstance(heading, str) else heading.get("name", "") for heading in record.get("mesh") or []]
            row = (record["title"], record.get("abstract", ""), "\n".join(terms + (record.get("keywords") or [])),
                   record["id"], (record.get("date") or "")[:4], record.get("bucket", ""))
            db.execute("INSERT INTO paper VALUES (?, ?, ?, ?, ?, ?)", row)
            count += 1
    db.execute("INSERT INTO paper(paper) VALUES ('optimize')")
    db.commit()
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    print(f"{'FTS5: build, merged':44s} {count / wall:8.0f} records/s  cpu {cpu / count * 1e3:.2f} ms a record  {os.path.getsize(path) / count:.0f} bytes a record")


SEARCH = "SELECT id, title, bm25(paper, 2, 1, 1) AS score FROM paper WHERE paper MATCH ? ORDER BY score LIMIT 20"


def search(path, runs, queries):
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    for query in queries:
        db.execute(SEARCH, (query,)).fetchall()
        times = []
        for _ in range(runs):
            start = time.perf_counter()
            db.execute(SEARCH, (query,)).fetchall()
            times.append(time.perf_counter() - start)
        if times:
            print(f"{'FTS5: ' + query:44.44s} {statistics.median(times) * 1e3:8.1f} ms")


if __name__ == "__main__":
    if sys.argv[1:2] == ["build"]:
        build(*sys.argv[2:])
    elif sys.argv[1:2] == ["search"]:
        search(sys.argv[2], int(sys.argv[3]), sys.argv[4:])
    else:
        sys.exit(__doc__)
