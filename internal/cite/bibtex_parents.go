package cite

import (
	"maps"
	"slices"
	"strings"
)

// parents are the entries that others refer to by crossref or xdata, and take fields from. They may stand before those
// or behind them.
type parents struct {
	known   map[string]bibEntry // by key, in small letters: what may be referred to
	waiting []waitingEntry      // entries that refer to what has not come yet
}

// waitingEntry is an entry with its line.
type waitingEntry struct {
	entry bibEntry
	line  int
}

const (
	maxParents = 20_000 // entries that are kept for others to refer to, and that wait
	maxLineage = 8      // parents of parents
)

// emitInherited emits an entry without parents, and keeps one with parents until all are read. An @xdata is no record
// itself.
func (r *bibReader) emitInherited(e bibEntry, line int) error {
	key := strings.ToLower(e.key)
	if key != "" && len(r.known) < maxParents {
		kept := e

		kept.fields = maps.Clone(e.fields)
		if e.kind != "xdata" {
			delete(kept.fields, "abstract") // which no entry inherits, and which is most of an entry
		}
		r.known[key] = kept
	}

	switch refs := refersTo(e); {
	case e.kind == "xdata":
		return nil
	case len(refs) == 0:
		return r.emitEntry(e, line)
	case len(r.waiting) >= maxParents:
		return r.emitEntry(r.withInherited(e, 0), line)
	default:
		r.waiting = append(r.waiting, waitingEntry{e, line})
		return nil
	}
}

// emitWaiting emits the entries that waited for their parents, in the file's order.
func (r *bibReader) emitWaiting() error {
	for _, w := range r.waiting {
		if err := r.emitEntry(r.withInherited(w.entry, 0), w.line); err != nil {
			return err
		}
	}
	r.waiting = nil
	return nil
}

// isParentKind reports whether entries of that type are meant to be referred to.
func isParentKind(kind string) bool {
	return slices.Contains([]string{"xdata", "proceedings", "mvproceedings", "book", "mvbook", "collection",
		"mvcollection", "reference", "periodical"}, kind)
}

// refersTo lists the keys that an entry refers to, in small letters.
func refersTo(e bibEntry) []string {
	var keys []string
	for _, name := range []string{"xdata", "crossref"} {
		for key := range strings.SplitSeq(e.fields[name], ",") {
			if key = strings.ToLower(strings.TrimSpace(key)); key != "" && key != strings.ToLower(e.key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// withInherited is an entry with the fields that it lacks and its parents have, as far as they are inherited: what
// names the parent itself is not, and its title is the title of the whole.
func (r *bibReader) withInherited(e bibEntry, depth int) bibEntry {
	out := e

	out.fields, out.missing = maps.Clone(e.fields), nil
	for _, key := range refersTo(e) {
		parent, known := r.known[key]
		if !known {
			out.missing = append(out.missing, key)
			continue
		}

		if depth < maxLineage {
			parent = r.withInherited(parent, depth+1)
		}

		for name, value := range parent.fields {
			if name = inherited(&e, parent.kind, name); name != "" && strings.TrimSpace(out.fields[name]) == "" {
				out.fields[name] = value
			}
		}

		if title := parent.fields["title"]; parent.kind != "xdata" && out.fields["title"] != title &&
			out.fields["booktitle"] == "" && isParentKind(parent.kind) {
			out.fields["booktitle"] = title
		}
	}
	return out
}

// inherited is the name under which an entry gets a parent's field; empty where it does not.
func inherited(e *bibEntry, parent, name string) string {
	switch name {
	case "crossref", "xdata":
		return ""
	case "doi", "pmid", "pmcid", "pmc", "url", "isbn", "eprint", "note", "annote", "abstract", "keywords", "pages":
		if parent != "xdata" {
			return ""
		}
	case "title", "subtitle", "author", "editor":
		if parent != "xdata" && e.fields["title"] != "" {
			return ""
		}
	}
	return name
}
