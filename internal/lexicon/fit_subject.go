package lexicon

import (
	"maps"
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// demote lowers a slot that a record meets outside its title to "in part", if the record is on something else: its
// title is on other treatments and the conclusion does not name the asked one, or it names other tumours more often.
func (m *Matcher) demote(all []evidence.SlotFit, parts Passages) {
	for i := range all {
		s := &all[i]
		if s.Met != evidence.MetWhole || s.Where == evidence.InTitle || m.slots[i].point != wholly {
			continue
		}

		var other []string
		switch s.Slot {
		case evidence.SlotTreatment:
			if s.Where != evidence.InConclusion {
				other = m.treatmentsInstead(&parts[0])
			}

			if len(other) == 0 && m.compares() {
				other = m.comparedInstead(&parts[0])
			}
		case evidence.SlotTumour:
			other = m.tumoursBefore(parts)
		case evidence.SlotCondition, evidence.SlotAlteration, evidence.SlotBiomarker, evidence.SlotSetting, evidence.SlotWord:
		}

		if len(other) > 0 {
			s.Met, s.Seen = evidence.MetInPart, strings.Join(other[:min(len(other), maxShown)], ", ")
		}
	}
}

// treatmentsInstead returns the treatments that a title names, if none is asked in any role or akin to one that is: a
// paper on chemoradiotherapy mentions cystectomy as its background or comparison.
func (m *Matcher) treatmentsInstead(title *passage) []string {
	var out []string
	for i := range title.read.Drugs {
		named := &title.read.Drugs[i]
		if slices.ContainsFunc(m.asked.Drugs, func(d Drug) bool {
			return m.lexicon.relateDrugs(&d, named) != unrelated
		}) {
			return nil
		}

		if named.Entry == nil || !named.Entry.Broad {
			out = append(out, named.Name)
		}
	}
	return unique(out)
}

// comparedInstead returns the treatments that a title compares and the question does not, if the title lacks a side of
// the question's comparison: "robotic versus laparoscopic", for laparoscopic versus open.
func (m *Matcher) comparedInstead(title *passage) []string {
	isIn := func(asked *Drug) bool {
		return slices.ContainsFunc(title.read.Drugs, func(n Drug) bool { return m.lexicon.isTreatment(asked, &n) })
	}
	if !slices.ContainsFunc(m.asked.Drugs, func(d Drug) bool { return d.Role == Compared && !isIn(&d) }) {
		return nil
	}

	var out []string
	for i := range title.read.Drugs {
		named := &title.read.Drugs[i]
		if named.Role == Compared && !slices.ContainsFunc(m.asked.Drugs, func(d Drug) bool {
			return m.lexicon.isTreatment(&d, named) || m.lexicon.isTreatment(named, &d)
		}) {
			out = append(out, named.Name)
		}
	}
	return unique(out)
}

// tumoursBefore returns the tumours that a record without one in its title names in more sentences than the asked ones:
// the asked one is then one of several.
func (m *Matcher) tumoursBefore(parts Passages) []string {
	if len(specific(parts[0].read.Tumours)) > 0 {
		return nil
	}

	count, asked := map[string]int{}, 0
	for i := range parts {
		if parts[i].place == evidence.InHeadings {
			continue
		}

		others, isAsked := m.tumoursIn(&parts[i])
		for _, name := range unique(others) {
			count[name]++
		}

		if isAsked {
			asked++
		}
	}

	var out []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		if count[name] > asked {
			out = append(out, name)
		}
	}
	return out
}

// tumoursIn returns a passage's tumours other than the asked ones and those that hold them, and whether it names an
// asked one.
func (m *Matcher) tumoursIn(p *passage) (others []string, isAsked bool) {
	for _, named := range specific(p.read.Tumours) {
		switch {
		case slices.ContainsFunc(m.asked.Tumours, func(a Concept) bool { return m.lexicon.Holds(&a, &named) }):
			isAsked = true
		case !slices.ContainsFunc(m.asked.Tumours, func(a Concept) bool { return m.lexicon.Holds(&named, &a) }):
			others = append(others, named.Name)
		}
	}
	return others, isAsked
}
