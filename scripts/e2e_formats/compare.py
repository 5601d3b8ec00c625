"""Reads a store's exports with other programs and compares what they find with its JSON.

Usage: compare.py FOLDER WRITTEN, where FOLDER holds refs.jsonl, .ris, .bibtex, .nbib and .csl-json; what the programs write of it
goes to WRITTEN. Ends with 1 and a line for each difference.
"""

import json
import pathlib
import re
import sys
import unicodedata

import bibtexparser
import rispy
from Bio import Medline

try:
    import pypandoc
except ImportError:
    pypandoc = None

folder, written = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
failures = []


def essence(text):
    """A text's letters and digits: LaTeX's braces and escapes, dashes and case are each program's own."""
    text = re.sub(r"\\(?:text\w+|[a-zA-Z]+)\{\}|[\\{}]", "", text or "")
    text = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in text if c.isalnum())


def first(value):
    return value[0] if isinstance(value, list) and value else value or ""


def expected(record):
    title = ("RETRACTED: " if record["retracted"] == "yes" else "") + record["title"]
    return {
        "title": essence(title), "authors": len(record["authors"]), "year": record["date"][:4], "volume": record["volume"],
        "doi": record["identifiers"].get("doi", "").lower(), "journal": essence(record["journal"]),
    }


def compare(program, name, found, wanted, fields):
    if len(found) != len(wanted):
        failures.append(f"{program}, {name}: {len(found)} records of {len(wanted)}")
        return
    for got, want in zip(found, wanted):
        for field in fields:
            if got.get(field) != want[field]:
                failures.append(f"{program}, {name}: {field} {got.get(field)!r}, want {want[field]!r}")
    print(f"{program} reads {name}: {len(found)} records, {len(fields)} fields of each")


records = [json.loads(line) for line in (folder / "refs.jsonl").read_text().splitlines()]
wanted = [expected(r) for r in records]

ris = rispy.loads((folder / "refs.ris").read_text())
compare("rispy", "RIS", [{
    "title": essence(e.get("title", "")), "authors": len(e.get("authors", [])), "year": e.get("year", ""), "volume": e.get("volume", ""),
    "doi": e.get("doi", "").lower(), "journal": essence(e.get("secondary_title") or e.get("journal_name", "")),
} for e in ris], wanted, ["title", "authors", "year", "volume", "doi", "journal"])
(written / "rispy.ris").write_text(rispy.dumps(ris))

library = bibtexparser.parse_string((folder / "refs.bibtex").read_text())
if library.failed_blocks:
    failures.append(f"bibtexparser: {len(library.failed_blocks)} blocks can't be read")
entries = [{f.key: str(f.value) for f in e.fields} for e in library.entries]
compare("bibtexparser", "BibTeX", [{
    "title": essence(e.get("title", "")), "authors": len(e["author"].split(" and ")) if "author" in e else 0, "year": e.get("year", ""),
    "volume": e.get("volume", ""), "doi": e.get("doi", "").lower(), "journal": essence(e.get("journal") or e.get("booktitle", "")),
} for e in entries], wanted, ["title", "authors", "year", "volume", "doi", "journal"])
(written / "bibtexparser.bib").write_text(bibtexparser.write_string(library))

with (folder / "refs.nbib").open() as lines:
    medline = list(Medline.parse(lines))
compare("Bio.Medline", "NBIB", [{
    "title": essence(e.get("TI", "")), "authors": len(e.get("FAU", [])) + len(e.get("CN", [])), "year": e.get("DP", "")[:4],
    "volume": e.get("VI", ""), "journal": essence(e.get("JT", "")),
    "doi": first([a.removesuffix(" [doi]").lower() for a in e.get("AID", []) if a.endswith("[doi]")]),
} for e in medline], wanted, ["title", "authors", "year", "volume", "doi", "journal"])

if pypandoc:
    for source, form in [("refs.csl-json", "csljson"), ("refs.bibtex", "bibtex"), ("refs.ris", "ris")]:
        items = json.loads(pypandoc.convert_text((folder / source).read_text(), "csljson", format=form))
        compare("pandoc", form, [{
            "title": essence(re.sub(r"<[^>]*>", "", i.get("title", ""))), "authors": len(i.get("author", [])),
            "year": str(first(first(i.get("issued", {}).get("date-parts", [])))), "doi": i.get("DOI", "").lower(),
        } for i in items], wanted, ["title", "authors", "year", "doi"])
        if form != "ris":  # of which pandoc drops the publication types, by which a notice is none of the paper
            (written / f"pandoc-{form}.json").write_text(json.dumps(items))

for failure in failures:
    print("differs:", failure, file=sys.stderr)
sys.exit(bool(failures))
