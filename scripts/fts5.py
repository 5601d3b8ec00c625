"""The same records and searches in SQLite FTS5, as a peer to measure against.

    fts5.py build EXPORT.jsonl FTS.db      make the database, and tell how fast
    fts5.py answer FTS.db                  answer each line of standard input, an FTS5 query, for its best 20: by the hits
                                           read, and the nanoseconds by the clock and of the processor
"""
import json
import os
import sqlite3
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


def answer(path):
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    for line in sys.stdin:
        start, cpu = time.perf_counter_ns(), time.process_time_ns()
        hits = db.execute(SEARCH, (line.strip(),)).fetchall()
        print(len(hits), time.perf_counter_ns() - start, time.process_time_ns() - cpu, flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["build"]:
        build(*sys.argv[2:])
    elif sys.argv[1:2] == ["answer"]:
        answer(sys.argv[2])
    else:
        sys.exit(__doc__)
