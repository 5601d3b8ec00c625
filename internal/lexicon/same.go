package lexicon

import (
	"slices"
	"strconv"
	"strings"

	"dossier/internal/text"
)

// Key is the canonical form of what a question asks, slot by slot: questions with the same Key ask the same, in
// whatever words. It is empty if the question names no disease, gene, marker or drug: words alone are never enough to
// treat two questions as the same.
func (q *Question) Key() string {
	if q.Empty() {
		return ""
	}

	return q.joinSlots("|", func(s slot) string { return s.name + "=" + strings.Join(s.values, ",") })
}

// joinSlots writes the slots that have values, and joins them.
func (q *Question) joinSlots(sep string, write func(slot) string) string {
	filled := slices.DeleteFunc(q.slots(), func(s slot) bool { return len(s.values) == 0 })
	return strings.Join(text.Each(filled, write), sep)
}

// slot is one slot's canonical values, sorted, each once.
type slot struct {
	name   string
	values []string
}

func (q *Question) slots() []slot {
	return []slot{
		{"tumours", canonicals(q.Tumours, Concept.canonical)},
		{"conditions", canonicals(q.Conditions, Concept.canonical)},
		{"alterations", canonicals(q.Alterations, Alteration.canonical)},
		{"biomarkers", canonicals(q.Biomarkers, Biomarker.canonical)},
		{"alternatives", q.either()},
		{"drugs", canonicals(q.Drugs, Drug.canonical)},
		{"setting", canonicals(q.Setting, Circumstance.canonical)},
		{"words", canonicals(q.Words, func(w Word) string { return w.Key })},
		{"relations", canonicals(q.heldBy(heldByNone, heldByRegimens), Relation.String)},
	}
}

func canonicals[T any](items []T, canonical func(T) string) []string {
	out := text.Each(items, canonical)
	slices.Sort(out)
	return slices.Compact(out)
}

// either writes the alternatives: the members of each group, so that "EGFR or ALK" differs from "EGFR and ALK".
func (q *Question) either() []string {
	groups := map[int][]string{}
	for _, m := range q.markers() {
		if m.either > 0 {
			groups[m.either] = append(groups[m.either], m.canonical())
		}
	}

	var out []string
	for _, members := range groups {
		slices.Sort(members)

		if members = slices.Compact(members); len(members) > 1 {
			out = append(out, strings.Join(members, " or "))
		}
	}
	slices.Sort(out)
	return out
}

func (c Concept) canonical() string { return negated(c.Name, c.Status) }

func (a Alteration) canonical() string {
	name := a.Gene
	if a.Partner != "" {
		pair := []string{a.Gene, a.Partner}
		slices.Sort(pair)
		name = strings.Join(pair, "::")
	}

	kind := a.Kind
	if kind == AnyAlteration && a.Origin != "" && a.Status == Present {
		kind = Mutation // an inherited or acquired change is a mutation: "germline BRCA1"
	}

	parts := []string{a.Origin, name, a.Change}
	if (a.Change == "" || kind == Expression) && kind != AnyAlteration {
		parts = append(parts, string(kind))
	}

	text := strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " ")
	return negated(text, a.Status)
}

func (b Biomarker) canonical() string {
	text := strings.Join(slices.DeleteFunc([]string{b.Name, b.Score, b.Level}, func(p string) bool { return p == "" }),
		" ")
	return negated(text, b.Status)
}

func (d Drug) canonical() string {
	if d.arm > 0 {
		return string(Compared) + ": " + d.Name
	}

	if d.Role == Given {
		return d.Name
	}

	if d.step > 1 {
		return string(d.Role) + " " + strconv.Itoa(d.step) + ": " + d.Name
	}
	return string(d.Role) + ": " + d.Name
}

func (c Circumstance) canonical() string { return negated(c.Value, c.Status) }

func negated(text string, s Status) string {
	switch s {
	case Absent:
		return "no " + text
	case Open:
		return "with or without " + text
	case WildType, NotWildType:
		return text + " " + string(s)
	case Present:
	}
	return text
}

// Differences lists the slots in which two questions differ, in the order of [Question]; none if they are the same.
func Differences(asked, stored *Question) []Difference {
	var out []Difference

	a, b := asked.slots(), stored.slots()
	for i := range a {
		d := Difference{Slot: a[i].name, Asked: missing(a[i].values, b[i].values), Stored: missing(b[i].values, a[i].values)}
		if len(d.Asked)+len(d.Stored) > 0 {
			out = append(out, d)
		}
	}
	return out
}

// missing lists the values that are not among others.
func missing[T comparable](values, others []T) []T {
	return slices.DeleteFunc(slices.Clone(values), func(v T) bool { return slices.Contains(others, v) })
}

// String returns the slots in a line, for logs and tests.
func (q *Question) String() string {
	return q.joinSlots(" ", func(s slot) string { return s.name + " " + strconv.Quote(strings.Join(s.values, "; ")) })
}
