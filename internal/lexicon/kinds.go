package lexicon

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/text"
)

// areGivenTogether reports whether one row of the table of known combinations has a place for each of the drugs.
func (l *Lexicon) areGivenTogether(drugs []Drug) bool {
	names := make([][]string, len(drugs))
	for i := range drugs {
		names[i] = l.answersTo(&drugs[i])
	}
	return slices.ContainsFunc(l.combinations, func(row []string) bool {
		return len(row) >= len(drugs) && fills(slices.Clone(row), names)
	})
}

// fills reports whether each of several drugs, by the names it answers to, finds a place of its own in a row.
func fills(row []string, drugs [][]string) bool {
	if len(drugs) == 0 {
		return true
	}

	for i, place := range row {
		if place != "" && slices.Contains(drugs[0], place) {
			row[i] = ""
			if fills(row, drugs[1:]) {
				return true
			}
			row[i] = place
		}
	}
	return false
}

// answersTo returns the names that stand for a drug in a row: its own, its class, and for a class or an operation those
// that hold it. If its class has no targets (checkpoint inhibitors, conjugates), the classes on its own targets count
// too.
func (l *Lexicon) answersTo(d *Drug) []string {
	out := []string{d.Name}
	switch {
	case d.Entry == nil:
		return out
	case d.Class:
		return append(out, l.classNamed(d.Name)...)
	case d.Entry.Kind == KindTreatment:
		return append(out, text.Each(l.classesOf(d), func(e *Entry) string { return e.Name })...)
	case d.Entry.Kind != KindDrug:
		return out
	}
	out = append(out, d.Entry.Class)

	own, known := l.Lookup(KindClass, d.Entry.Class)
	if !known {
		return out
	}

	out = append(append(out, own.Name), own.Synonyms...)
	if len(own.Targets) > 0 {
		return out
	}

	for _, target := range d.Entry.Targets {
		for _, class := range l.classesOn(target) {
			out = append(out, l.classNamed(class)...)
		}
	}
	return out
}

// classNamed returns the names of a class and of those that hold it.
func (l *Lexicon) classNamed(name string) []string {
	var out []string
	if e, ok := l.Lookup(KindClass, name); ok {
		out = append([]string{e.Name}, e.Synonyms...)
	}

	for _, e := range l.broaderThan(KindClass, name) {
		out = append(append(out, e.Name), e.Synonyms...)
	}
	return out
}

// classesOn returns the classes that act on a target alone, such as "GENE inhibitor".
func (l *Lexicon) classesOn(target string) []string {
	var out []string
	for i := range l.entries {
		e := &l.entries[i]
		if e.Kind == KindClass && len(e.Targets) == 1 && e.Targets[0] == target {
			out = append(out, e.Name)
		}
	}
	return out
}

// maxMembers is the most drugs of a class that are asked for by their names.
const maxMembers = mostChoices - narrowTerms

// membersOf names the first drugs of a class, from each group with the same targets in proportion to its share: of
// checkpoint inhibitors most act on PD-1, some on PD-L1, few on CTLA-4.
func (l *Lexicon) membersOf(class *Entry) []string {
	type member struct {
		name, kind string
		nth        int // of its kind
	}
	var all []member

	kinds := map[string]int{}
	for i := range l.entries {
		if e := &l.entries[i]; e.Kind == KindDrug && slices.Contains(l.holdersOf(e), class) {
			kind := strings.Join(e.Targets, " ")
			kinds[kind]++
			all = append(all, member{e.Name, kind, kinds[kind]})
		}
	}
	slices.SortStableFunc(all, func(a, b member) int { return cmp.Compare(a.nth*kinds[b.kind], b.nth*kinds[a.kind]) })
	return text.Each(all[:min(len(all), maxMembers)], func(m member) string { return m.name })
}

// sameKind returns what two treatments share that makes them alternatives: "are ALK inhibitors", "act on EGFR"; empty
// if they share nothing.
func (l *Lexicon) sameKind(a, b *Drug) string {
	for _, pair := range [][2]*Drug{{a, b}, {b, a}} {
		if pair[0].Class && slices.Contains(l.answersTo(pair[1]), pair[0].Name) {
			return "are " + plural(pair[0].Name)
		}
	}

	if a.Entry != nil && b.Entry != nil && a.Entry.Class != "" && a.Entry.Class == b.Entry.Class {
		return "are " + plural(a.Entry.Class)
	}

	for _, gene := range actsOn(a) {
		if slices.Contains(actsOn(b), gene) {
			return "act on " + gene
		}
	}
	return ""
}

// actsOn returns the genes that a drug or a class acts on, without their variants.
func actsOn(d *Drug) []string {
	targets := d.Targets
	if d.Entry != nil {
		targets = d.Entry.Targets
	}

	var out []string
	for _, t := range targets {
		gene, _, _ := strings.Cut(t, " ")
		out = append(out, gene)
	}
	return out
}

// plural writes the name of a class for several of its drugs.
func plural(class string) string {
	if stem, ok := strings.CutSuffix(class, "y"); ok && !strings.HasSuffix(class, "ay") {
		return stem + "ies"
	}
	return class + "s"
}
