package eligibility

import (
	"maps"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// resolveAlternatives drops, where one of several alternatives is met, what the others ask for; it excludes the patient
// only if all do. Alternatives are the items of a line of which one is enough, and the parts of a section that "OR"
// separates.
func (e *evaluation) resolveAlternatives() {
	options := map[int]map[int][]outcome{}
	e.outcomes = slices.DeleteFunc(e.outcomes, func(o outcome) bool {
		choice, option := e.optionOf(o.at)
		if choice != 0 {
			if options[choice] == nil {
				options[choice] = map[int][]outcome{}
			}
			options[choice][option] = append(options[choice][option], o)
		}
		return choice != 0
	})

	all := map[int]map[int]bool{}
	for i := range e.lines {
		if choice, option := e.optionOf(i); choice != 0 {
			if all[choice] == nil {
				all[choice] = map[int]bool{}
			}
			all[choice][option] = true
		}
	}

	for _, choice := range slices.Sorted(maps.Keys(options)) {
		e.outcomes = append(e.outcomes, bestAlternative(options[choice], len(all[choice]))...)
	}
}

// bestAlternative is the remainder of alternatives: the outcomes of one that is met, with what the others ask for of
// another kind, left open; else one line that is not met.
func bestAlternative(options map[int][]outcome, all int) []outcome {
	isLet := func(o outcome) bool { return o.effect == admits }
	var others []outcome

	shut := 0
	for _, at := range slices.Sorted(maps.Keys(options)) {
		option := options[at]
		if !slices.ContainsFunc(option, func(o outcome) bool { return !isLet(o) }) {
			met := option
			for _, other := range slices.Sorted(maps.Keys(options)) {
				for _, o := range options[other] {
					if !isLet(o) && !slices.ContainsFunc(option, func(by outcome) bool { return by.slot == o.slot }) {
						o.effect = leavesOpen
						met = append(met, o)
					}
				}
			}
			return met
		}

		if slices.ContainsFunc(option, func(o outcome) bool { return o.effect == rejects }) {
			shut++
		}
		others = append(others, slices.DeleteFunc(option, isLet)...)
	}

	if shut < all {
		others[0].effect = leavesOpen
	}
	return others[:1]
}

// optionOf returns a line's choice and its alternative in it; 0 for none.
func (e *evaluation) optionOf(at int) (choice, option int) {
	if at < 0 || !e.lines[at].inclusion {
		return 0, 0
	}

	for i, steps := at, 0; i >= 0 && steps < maxDepth; steps++ {
		up := e.lines[i].parent
		if up >= 0 && (e.lines[up].either || e.lines[up].opens && forms("alternatives").MatchString(e.lines[up].text)) {
			return up + 1, i + 1
		}
		i = up
	}
	return -min(e.lines[at].branch, 1), e.lines[at].branch
}

const maxDepth = 8

// require weighs a requirement. Parts joined by "or" are alternatives, of which one is enough.
func (e *evaluation) require(i int, cl *clause, items []item, o outcome) {
	c := &e.lines[i]
	isChoice := strings.Contains(cl.text, " or ") || strings.Contains(cl.text, "/") ||
		forms("alternatives").MatchString(cl.text)
	isElse := cl.behind != "" && !e.meetsCondition(cl.behind) // it holds for others
	var met []outcome

	refutedOne := false
	for _, group := range bySlot(items) {
		got, it := group.bearing(isChoice)

		o.slot, o.key, o.effect, o.tumours = it.slot, it.key, leavesOpen, nil
		switch {
		case it.slot == evidence.SlotTumour:
			if got == holds {
				e.own = append(e.own, group.tumours(holds)...)
				continue
			}

			o.tumours = group.tumours(got)
			switch {
			case !e.isDiagnosis(cl.text), got == unrelated:
				continue
			case got == refuted && !isElse && !c.part:
				o.effect = rejects
			}
		case it.slot == evidence.SlotWord && got == undecided && slices.ContainsFunc(items, item.isMet):
			continue // the line is read, except a word
		case got == unrelated && (isElse || !e.demands(&group, cl)):
			continue
		case got == holds && !isElse && !c.part:
			o.effect = admits
			if it.key != "sex" { // the sex is no reason of its own to admit a patient
				met = append(met, o)
			}
			continue
		case got == refuted && !isElse && !c.part && cl.exception == "" && !forms("either this or").MatchString(c.text):
			o.effect = rejects
		}
		refutedOne = refutedOne || got == refuted
		e.outcomes = append(e.outcomes, o)
	}

	if !refutedOne { // a line whose requirement fails admits nobody by its other parts
		e.outcomes = append(e.outcomes, met...)
	}
}

func (it item) isMet() bool { return it.bearing == holds }

// demands reports whether a clause asks for something decisive that the question does not mention.
func (e *evaluation) demands(group *group, cl *clause) bool {
	it := (*group)[0]
	switch {
	case !it.isPresent:
		return false
	case it.slot == evidence.SlotSetting:
		isOfBlood := (it.key == "" || it.key == "extent") && e.patient.isHematologic(e.Lexicon)
		return it.key != "sex" && !isOfBlood && e.isDiagnosis(cl.text)
	}
	return isMarker(it.slot) || it.slot == evidence.SlotPrior ||
		it.slot == evidence.SlotCondition && forms("diagnosis").MatchString(cl.text)
}

// isDiagnosis reports whether a clause names the tumour that patients have, not one that they had.
func (e *evaluation) isDiagnosis(s string) bool {
	return !forms("other malignancy").MatchString(s) && (forms("diagnosis").MatchString(s) || len(s) < longDiagnosis)
}

const longDiagnosis = 60

// group is a clause's items of one slot.
type group []item

// bySlot groups items by slot, in order of appearance; settings also by key.
func bySlot(items []item) []group {
	var out []group
	for _, it := range items {
		at := slices.IndexFunc(out, func(g group) bool {
			return g[0].slot == it.slot && (it.slot != evidence.SlotSetting || g[0].key == it.key) &&
				(it.slot != evidence.SlotPrior || (g[0].key == "lines") == (it.key == "lines"))
		})
		if at < 0 {
			out = append(out, group{it})
			continue
		}
		out[at] = append(out[at], it)
	}
	return out
}

// tumours lists the tumours with a bearing.
func (g group) tumours(b bearing) []*lexicon.Concept {
	var out []*lexicon.Concept
	for _, it := range g {
		if it.bearing == b && it.tumour != nil {
			out = append(out, it.tumour)
		}
	}
	return out
}

// hasMet reports whether another item of the group is met for the same key: of "del 19, L858R" one is enough.
func (g group) hasMet(key string) bool {
	return slices.ContainsFunc(g, func(it item) bool { return it.bearing == holds && it.key == key && it.isPresent })
}

// bearing is a group's bearing: the best of alternatives; otherwise one refuted item is enough. A denied item is never
// an alternative: neither EGFR nor ALK.
func (g group) bearing(isChoice bool) (bearing, item) {
	var relevant []item

	silent := false
	for _, it := range g {
		if it.bearing == unrelated {
			silent = true
			continue
		}

		isOther := it.isPresent && isChoice || (it.isPresent || isChoice) && g.hasMet(it.key)
		if it.bearing == refuted && !isOther && it.slot != evidence.SlotTumour {
			return refuted, it
		}
		relevant = append(relevant, it)
	}

	if len(relevant) == 0 {
		return unrelated, g[0]
	}
	best := slices.MaxFunc(relevant, func(a, b item) int { return int(a.bearing) - int(b.bearing) })

	isOpen := func(it item) bool { return it.bearing == undecided }
	if i := slices.IndexFunc(relevant, isOpen); i >= 0 && best.bearing == refuted {
		return undecided, relevant[i]
	}

	if silent && best.bearing == refuted {
		return undecided, best
	}
	return best.bearing, best
}
