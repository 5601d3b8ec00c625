package guard

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/lexicon"
)

// Kind is the kind of a finding.
type Kind string

// The kinds.
const (
	Name      Kind = "name"
	Record    Kind = "record number"
	Insurance Kind = "insurance number"
	Birth     Kind = "birth date"
	Date      Kind = "date" // with its day
	Age       Kind = "age over 89"
	Phone     Kind = "phone number"
	Email     Kind = "e-mail address"
	Address   Kind = "address"
	WebPath   Kind = "web address" // neither a paper's nor a register's
)

// Finding is a place in a text, in bytes, with its content.
type Finding struct {
	Kind       Kind
	Start, End int
	Text       string
}

// Find lists what identifies a patient, in the text's order, without overlaps. known reports whether a word, in its
// spelling, belongs to medicine or everyday language, and is no name; nil knows none.
func Find(text string, known func(word string) bool) []Finding {
	if known == nil {
		known = func(string) bool { return false }
	}
	r := read(text, known)
	r.messages()
	r.labels()
	r.titles()
	r.streets()
	r.forms()
	return r.findings()
}

// Mark replaces removed text.
const Mark = lexicon.TakenOut

// Strip returns text with Mark in place of each finding.
func Strip(text string, found []Finding) string {
	var b strings.Builder

	at := 0
	for _, f := range found {
		b.WriteString(text[at:f.Start])
		b.WriteString(Mark)
		at = f.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// hit is a finding's place in the folded text.
type hit struct {
	kind       Kind
	start, end int
}

// hit trims punctuation from the end of a place; an empty place, as where no name was found, is no hit.
func (r *reading) hit(kind Kind, start, end int) {
	for end > start && !isWordByte(r.folded[end-1]) && r.folded[end-1] != ')' {
		end--
	}

	if end > start {
		r.hits = append(r.hits, hit{kind, start, end})
	}
}

// isHit reports whether a finding overlaps a place.
func (r *reading) isHit(start, end int) bool {
	return slices.ContainsFunc(r.hits, func(h hit) bool { return h.start < end && start < h.end })
}

// findings are the hits' places in the text. Overlapping hits are joined; the first one found gives the kind.
func (r *reading) findings() []Finding {
	slices.SortStableFunc(r.hits, func(a, b hit) int { return cmp.Compare(a.start, b.start) })

	var out []Finding
	for _, h := range r.hits {
		f := Finding{Kind: h.kind, Start: r.from[h.start], End: r.to[h.end-1]}
		if last := len(out) - 1; last >= 0 && f.Start < out[last].End {
			out[last].End = max(out[last].End, f.End)
			continue
		}
		out = append(out, f)
	}

	for i := range out {
		out[i].Text = r.text[out[i].Start:out[i].End]
	}
	return out
}
