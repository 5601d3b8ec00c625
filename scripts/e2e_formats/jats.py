"""Reads JATS files with lxml, and compares what it finds with what the program shows of them.

Usage: jats.py record FILE RIS writes the paper as RIS and prints its DOI; jats.py compare FILE SHOWN compares the tables, figures,
paragraphs and cited DOIs of FILE's one article with the JSON of `query show --section all` in SHOWN. Ends with 1 and a line for each
difference.
"""

import json
import pathlib
import re
import sys
import unicodedata

from lxml import etree

UNSEEN = {"alt-text", "long-desc", "tex-math", "annotation", "object-id"}
TABLES = {"table-wrap", "table-wrap-group"}
FIGURES = {"fig", "fig-group"}
ASIDE = TABLES | FIGURES | {"supplementary-material"}
LINK = "{http://www.w3.org/1999/xlink}href"


def name(element):
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def words(element, without=frozenset()):
    """An element's letters and digits, in order."""
    if not name(element) or name(element) in UNSEEN | without:
        return ""
    if name(element) in ("inline-formula", "disp-formula") and not essence("".join(element.itertext())):
        return "formula"  # a picture alone
    parts = [element.text or ""]
    for child in element:
        parts += [words(child, without), child.tail or ""]
    return essence("".join(parts))


def essence(text):
    text = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in text if c.isalnum())


def within(element, *names):
    return [e for e in element.iter() if name(e) in names]


def number(element, attribute, otherwise):
    value = element.get(attribute, "")
    return int(value) if value.isdigit() else otherwise


def columns(group):
    """Where OASIS's columns and spans of columns lie, by name."""
    found, at = {}, 0
    for spec in within(group, "colspec"):
        at = number(spec, "colnum", at + 1)
        found[spec.get("colname", "")] = (at, at)
    for spec in within(group, "spanspec"):
        found[spec.get("spanname")] = (found[spec.get("namest")][0], found[spec.get("nameend")][1])
    found.pop("", None)
    return found


def grid(table):
    """The rows of a table, each place filled by the cell that covers it; a head first, a foot last; rows without words left out."""
    kinds, rows = {"thead": [], "tbody": [], "tfoot": []}, []
    groups = [e for e in within(table, "thead", "tbody", "tfoot") if next(e.iterancestors("{*}table")) is table] or [table]
    named = columns(table)
    for group in groups:
        covered, lines = {}, [e for e in group if name(e) in ("tr", "row")]
        for y, line in enumerate(lines):
            x, own = 1, False
            for cell in (c for c in line if name(c) in ("td", "th", "entry")):
                begin, end = named.get(cell.get("spanname") or cell.get("namest") or cell.get("colname"), (0, 0))
                end = named.get(cell.get("nameend"), (0, end))[1]
                while (y, x) in covered:
                    x += 1
                x = max(x, begin)
                wide = end - begin + 1 if begin else number(cell, "colspan", 1)
                deep = number(cell, "rowspan", number(cell, "morerows", 0) + 1) or len(lines)
                text = words(cell)
                own = own or text != ""
                for dy in range(min(deep, len(lines) - y)):
                    for dx in range(wide):
                        covered[y + dy, x + dx] = text
                x += wide
            if own:
                last = max(at for row, at in covered if row == y)
                kinds.get(name(group), rows).append([covered.get((y, at), "") for at in range(1, last + 1)])
    return kinds["thead"] + rows + kinds["tbody"] + kinds["tfoot"]


def cited(ref):
    """The identifiers of a reference: what is called one, and links to a DOI."""
    links = [e.get(LINK, "") for e in within(ref, "ext-link")]
    return [e.text for e in within(ref, "pub-id")] + [link for link in links if "doi.org/" in link]


def compare(file, shown):
    root = etree.parse(file, etree.XMLParser(resolve_entities=False, no_network=True)).getroot()
    text = json.loads(pathlib.Path(shown).read_text(encoding="utf-8"))["full_text"]
    failures = []

    def same(what, want, got):
        if want != got:
            failures.append(f"{what}: lxml reads\n  {want}\nand the program\n  {got}")

    wraps = within(root, "table-wrap")
    tables = text.get("tables", [])
    same("how many tables", len(wraps), len(tables))
    for wrap, table in zip(wraps, tables):
        outer = [e for e in wrap.iterancestors() if name(e) in TABLES][:1]
        label = next((words(e) for at in [wrap] + outer for e in at if name(e) == "label"), "")
        caption = "".join(words(e) for at in outer + [wrap] for e in at if name(e) == "caption")
        grids = [e for e in within(wrap, "table") if not any(name(a) == "table" for a in e.iterancestors())]
        same("a table's label", label, essence(table.get("label", "")))
        same(f"the caption of {label}", caption, essence(table.get("caption", "")))
        same(f"the rows of {label}", [row for one in grids for row in grid(one)],
             [[essence(cell) for cell in row] for row in table.get("rows", [])])
        notes = [words(e) for foot in within(wrap, "table-wrap-foot") for e in foot.iter()
                 if name(e) in ("fn", "attrib") or name(e) == "p" and name(e.getparent()) == "table-wrap-foot"]
        same(f"the notes of {label}", notes, [essence(note) for note in table.get("footnotes", [])])
    figures = [(words(next((e for e in fig if name(e) == "label"), fig[0])),
                "".join(words(e) for e in fig if name(e) == "caption")) for fig in within(root, "fig")]
    same("the figures", figures, [(essence(f.get("label", "")), essence(f.get("caption", ""))) for f in text.get("figures", [])])
    parts = [e for e in within(root, "author-notes", "abstract", "trans-abstract")
             if name(e) != "abstract" or e.get("abstract-type")] + [e for e in root if name(e) in ("body", "back")]
    paragraphs = []
    for p in (p for part in parts for p in within(part, "p")):
        if not any(name(a) in ASIDE | {"p", "boxed-text", "list-item"} for a in p.iterancestors()):
            paragraphs.append(words(p, frozenset(TABLES | FIGURES)))
    same("the paragraphs", sorted(p for p in paragraphs if p),
         sorted(essence(p) for s in text["sections"] for p in s.get("paragraphs", [])))
    same("the sections", [words(e) for part in parts for sec in within(part, "sec", "ack", "abstract", "trans-abstract")
                          for e in sec if name(e) == "title"],
         [essence(s["title"].split(" > ")[-1]) for s in text["sections"] if s.get("title")])
    dois = [sorted({re.sub(r".*doi\.org/", "", id).casefold() for id in cited(ref)}) for ref in within(root, "ref")]
    same("the references", dois, [sorted(i["value"] for i in r.get("identifiers", [])) for r in text.get("references", [])])
    return failures


if sys.argv[1] == "record":
    article = etree.parse(sys.argv[2], etree.XMLParser(resolve_entities=False, no_network=True)).getroot()
    doi = next(e.text for e in within(article, "article-id") if e.get("pub-id-type") == "doi")
    title = "".join(next(e for e in within(article, "article-title")).itertext())
    pathlib.Path(sys.argv[3]).write_text(f"TY  - JOUR\nTI  - {title}\nDO  - {doi}\nPY  - 2024\nER  - \n", encoding="utf-8")
    print(doi)
else:
    found = compare(*sys.argv[2:])
    print("\n".join(found) or f"{sys.argv[2]}: all as lxml reads it")
    sys.exit(1 if found else 0)
