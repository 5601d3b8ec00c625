package lexicon

import (
	"slices"
	"strings"
)

// areGivenTogether says that one row of the table of known combinations has a place for each of the drugs.
func (l *Lexicon) areGivenTogether(drugs []Drug) bool {
	return slices.ContainsFunc(l.combinations, func(row []string) bool {
		return len(row) >= len(drugs) && l.fill(slices.Clone(row), drugs)
	})
}

// fill says that each of the drugs finds a place of its own in a row.
func (l *Lexicon) fill(row []string, drugs []Drug) bool {
	if len(drugs) == 0 {
		return true
	}
	for i, place := range row {
		if place != "" && l.isOne(&drugs[0], place) {
			row[i] = ""
			if l.fill(row, drugs[1:]) {
				return true
			}
			row[i] = place
		}
	}
	return false
}

// isOne says that a drug is the named one, or of the named class. A class of drugs that only says how they work
// (checkpoint inhibitors, conjugates) leaves it to their targets.
func (l *Lexicon) isOne(d *Drug, name string) bool {
	class, isClass := l.Lookup(KindClass, name)
	switch {
	case d.Name == name:
		return true
	case d.Class:
		return d.Entry != nil && isClass && l.within(KindClass, d.Name, class.Name)
	case d.Entry == nil || d.Entry.Kind != KindDrug:
		return false
	case d.Entry.Class == name:
		return true
	}
	own, known := l.Lookup(KindClass, d.Entry.Class)
	if known && own == class {
		return true
	}
	if !known || !isClass || len(own.Targets) > 0 {
		return false
	}
	return slices.ContainsFunc(d.Entry.Targets, func(target string) bool {
		return slices.ContainsFunc(l.classesOn(target), func(on string) bool { return l.within(KindClass, on, class.Name) })
	})
}

// classesOn are the classes of what acts on a target as such, "GENE inhibitor" and its like.
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

// sameKind says what two treatments have in common that makes one stand for the other: "are ALK inhibitors", "act on
// EGFR"; empty where they have nothing.
func (l *Lexicon) sameKind(a, b *Drug) string {
	for _, pair := range [][2]*Drug{{a, b}, {b, a}} {
		if pair[0].Class && l.isOne(pair[1], pair[0].Name) {
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

// actsOn are what a drug or a class acts on, without the variant.
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
