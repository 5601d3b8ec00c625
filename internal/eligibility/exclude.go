package eligibility

import (
	"maps"
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// exclude weighs exclusions, phrase by phrase.
func (e *evaluation) exclude(i int, cl *clause, items []item, o outcome) {
	for _, part := range phrases(cl.text) {
		e.excludePhrase(i, cl, part, items, o)
	}
}

// itemsIn are the items of a clause that lie in a phrase of it.
func itemsIn(items []item, part [2]int) []item {
	return slices.DeleteFunc(slices.Clone(items), func(it item) bool { return it.start < part[0] || it.start >= part[1] })
}

// excludePhrase weighs a phrase: it excludes the patient only if everything that it names holds for him. A kind of
// the patient's tumour that the question does not state is not his.
func (e *evaluation) excludePhrase(i int, cl *clause, part [2]int, items []item, o outcome) {
	var relevant []item
	blocked, isApart := false, false
	own := itemsIn(items, part)
	hasOwn := slices.ContainsFunc(own, func(it item) bool {
		return it.slot == evidence.SlotTumour && it.bearing == holds
	})

	hasLines := slices.ContainsFunc(own, func(it item) bool { return it.key == "lines" })
	for _, it := range own {
		switch {
		case it.bearing == unrelated && isExample(cl.text, items, &it):
		case isOfTherapy(cl.text, items, &it):
			isApart = isApart || !hasLines
		case it.slot == evidence.SlotTumour && it.bearing != holds && hasOwn:
		case it.bearing == refuted && it.slot == evidence.SlotTumour:
			blocked = true
		case it.bearing == refuted && it.slot == evidence.SlotSetting && e.isLimited(cl.text):
			it.bearing, blocked = undecided, true // "uncontrolled or symptomatic": one is refuted, the other unknown
			relevant = append(relevant, it)
		case it.bearing == refuted:
			isApart = true

			isFar := !o.inclusion && it.slot == evidence.SlotPrior && (it.start > nearStart ||
				e.patient.isUntreated() && forms("lines").MatchString(cl.text))
			if countsAgainst(it.slot) && !isFar && cl.behind == "" && it.key != untreated &&
				(cl.sense == doubleNegative || !forms("inner negation").MatchString(cl.text)) {
				o.slot, o.key = it.slot, it.key
				e.record(holds, o)
			}
		case it.another && (it.key == "lines" || e.isRequired(it.key)):
			isApart = true
		case it.bearing == unrelated:
			blocked = true
		default:
			relevant = append(relevant, it)
			blocked = blocked || it.bearing == undecided
		}
	}

	if !isApart {
		e.decideExclusion(i, cl, part, relevant, blocked, o)
	}
}

// isExample reports whether a drug is an example of a class that the patient was given: "PARP inhibitors, such as A".
func isExample(clause string, items []item, it *item) bool {
	return it.slot == evidence.SlotPrior && slices.ContainsFunc(items, func(by item) bool {
		return by.slot == it.slot && by.bearing == holds && by.start < it.start &&
			forms("among others").MatchString(clause[by.start:it.start])
	})
}

// isOfTherapy reports whether a setting or a tumour is only the purpose of a treatment that the patient has not had, or
// of which the question tells nothing: "prior docetaxel for metastatic disease".
func isOfTherapy(clause string, items []item, it *item) bool {
	if it.slot != evidence.SlotTumour && it.key != "extent" && it.key != "course" {
		return false
	}

	if !slices.ContainsFunc(items, func(by item) bool { return by.slot == evidence.SlotPrior }) {
		before := clause[:it.start]
		at := forms("a therapy").FindStringIndex(before)
		return at != nil && forms("prior").MatchString(before) && forms("given for").MatchString(before[at[1]:])
	}
	return slices.ContainsFunc(items, func(by item) bool {
		isMissing := by.key == "lines" || by.bearing == unrelated || by.bearing == refuted
		return isMissing && by.slot == evidence.SlotPrior && by.start < it.start &&
			forms("given for").MatchString(clause[by.start:it.start])
	})
}

// nearStart is how near its start, in bytes, a line that excludes treated patients does so: "Prior systemic therapy".
const nearStart = 30

// isRequired reports whether the trial's criteria require a known property of the patient.
func (e *evaluation) isRequired(key string) bool {
	return slices.ContainsFunc(e.outcomes, func(o outcome) bool {
		return o.effect == admits && o.inclusion && o.key == key
	})
}

// countsAgainst reports whether trials ask for the absence of what they exclude of a slot.
func countsAgainst(s evidence.Slot) bool {
	return s == evidence.SlotAlteration || s == evidence.SlotBiomarker || s == evidence.SlotPerformance ||
		s == evidence.SlotPrior
}

// decideExclusion decides on one phrase.
func (e *evaluation) decideExclusion(i int, cl *clause, part [2]int, relevant []item, blocked bool, o outcome) {
	decisive := slices.IndexFunc(relevant, func(it item) bool { return !it.kin })
	if decisive < 0 && len(relevant) == 1 && forms("tumour alone").MatchString(strings.ReplaceAll(cl.text[part[0]:part[1]],
		relevant[0].tumour.Text, "")) {
		decisive = 0 // a trial on those without the tumour: "no history of breast cancer"
	}

	if decisive < 0 {
		return
	}

	it := relevant[decisive] //nolint:gosec // it is a place of relevant

	isOfTumour := it.slot == evidence.SlotTumour || it.slot == evidence.SlotSetting
	if isOfTumour && forms("other malignancy").MatchString(cl.text) && !e.patient.second {
		return
	}
	o.slot, o.key, o.effect = it.slot, it.key, rejects

	state := cl.text
	if it.slot == evidence.SlotTumour || it.key == "lines" {
		state = forms("no state").ReplaceAllStringFunc(state, func(m string) string { return strings.Repeat(" ", len(m)) })
	}

	limited, apart := e.limits(state, part)
	if apart {
		return
	}

	exempt := cl.exception != "" && !e.isIrrelevantException(cl.exception)
	if exempt && e.meetsCondition(cl.exception) {
		return
	}

	isApart := cl.condition != "" || e.lines[i].part || e.lines[i].opens
	if blocked || limited || exempt || isApart || it.bearing != holds || cl.behind != "" && !e.meetsCondition(cl.behind) {
		o.effect = leavesOpen
	}
	e.outcomes = append(e.outcomes, o)
}

// isIrrelevantException reports whether an exception does not concern the patient.
func (e *evaluation) isIrrelevantException(exception string) bool {
	items := e.compareClause(exception, "")
	return len(items) > 0 && !slices.ContainsFunc(items, func(it item) bool {
		return it.bearing == holds || it.bearing == undecided
	})
}

// opposites are words for states that exclude each other.
var opposites = map[string]string{"symptomatic": "asymptomatic", "asymptomatic": "symptomatic", "unstable": "stable",
	"stable": "unstable", "uncontrolled": "controlled", "controlled": "uncontrolled", "untreated": "treated",
	"treated": "untreated", "active": "inactive", "detectable": "undetectable", "undetectable": "detectable"}

// limits reports whether a clause limits a phrase to a state that the question does not state; apart if the question
// states the opposite.
func (e *evaluation) limits(clause string, part [2]int) (limited, apart bool) {
	if forms("another cause").MatchString(clause) {
		return false, true
	}

	if forms("either way").MatchString(clause) {
		return false, false
	}

	if forms("window").MatchString(clause) {
		limited = true
	}

	for _, at := range forms("limit").FindAllStringIndex(clause[:part[1]], -1) {
		switch word := strings.ToLower(clause[at[0]:at[1]]); {
		case e.patient.mentions(word):
		case opposites[word] != "" && e.patient.mentions(opposites[word]):
			apart = true
		default:
			limited = true
		}
	}
	return limited, apart && !limited
}

// isLimited reports whether a clause names a state that the question does not mention.
func (e *evaluation) isLimited(clause string) bool {
	limited, _ := e.limits(clause, [2]int{0, len(clause)})
	return limited
}

// mentions reports whether the question has a word.
func (p *patient) mentions(word string) bool {
	return slices.Contains(strings.FieldsFunc(p.text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), word)
}

// phrases splits a list at its commas and at "or"; at "and" only if it has commas too.
func phrases(s string) [][2]int {
	var out [][2]int

	cuts := forms("list of phrases").FindAllStringIndex(s, -1)
	if strings.Contains(s, ",") {
		cuts = append(cuts, forms("and").FindAllStringIndex(s, -1)...)
		slices.SortFunc(cuts, func(a, b []int) int { return a[0] - b[0] })
	}

	from := 0
	for _, at := range cuts {
		if at[0] > from {
			out = append(out, [2]int{from, at[0]})
			from = at[0]
		}
	}
	return append(out, [2]int{from, len(s)})
}

// allow records what a clause admits, even if another line may exclude the patient.
func (e *evaluation) allow(cl *clause, items []item, o outcome) {
	isOpen := slices.ContainsFunc(items, func(it item) bool {
		return it.slot != evidence.SlotTumour && it.slot != evidence.SlotWord && it.bearing != holds && it.isPresent
	})
	for _, it := range items {
		limited, apart := e.limits(cl.text, [2]int{0, len(cl.text)})
		isPast := it.slot == evidence.SlotCondition && forms("past").MatchString(cl.text)
		limited = limited || isPast

		if apart || it.bearing != holds || it.kin || it.slot == evidence.SlotTumour {
			continue
		}

		o.slot, o.key = it.slot, it.key
		if limited || cl.behind != "" && !e.meetsCondition(cl.behind) {
			e.outcomes = append(e.outcomes, outcome{effect: leavesOpen, slot: o.slot, key: o.key, line: o.line,
				inclusion: o.inclusion})
			continue
		}

		if e.allowed[it.key] = append(e.allowed[it.key], o.at); !isOpen {
			e.record(holds, o)
		}
	}
}

// weighDoubleNegative reads a denial among exclusions. For an alteration, it excludes those who lack it; but no trial
// excludes anyone for lack of a disease, of metastases or of a pregnancy, so there the denial repeats the exclusion.
// For treatment it may mean either.
func (e *evaluation) weighDoubleNegative(i int, cl *clause, items []item, o outcome) {
	for _, it := range items {
		o.slot, o.key = it.slot, it.key
		switch it.slot {
		case evidence.SlotCondition, evidence.SlotSetting:
			if it.isPresent && isStated(it.key) {
				continue // it stands beside the denied thing
			}

			if !isStated(it.key) {
				if it = withoutOwnDenial(it); it.bearing == holds {
					e.decideExclusion(i, cl, [2]int{0, len(cl.text)}, []item{it}, false, o)
				}
				continue
			}
			e.exclude(i, cl, []item{it}, o)
		case evidence.SlotAlteration, evidence.SlotBiomarker, evidence.SlotSex, evidence.SlotAge, evidence.SlotPerformance:
			if it.isPresent && it.slot != evidence.SlotAge && it.slot != evidence.SlotPerformance {
				continue // it stands beside the denied thing
			}
			e.exclude(i, cl, []item{it}, o)
		case evidence.SlotPrior, evidence.SlotTreatment, evidence.SlotWord, evidence.SlotTumour:
			if it.bearing == holds && !it.kin || it.bearing == refuted && it.slot == evidence.SlotPrior {
				o.effect = leavesOpen
				e.outcomes = append(e.outcomes, o)
			}
		}
	}
}

// isStated reports whether a trial may want a setting: a stage, but not a pregnancy.
func isStated(key string) bool {
	return key == "stage" || slices.ContainsFunc(slices.Collect(maps.Values(meanings())), func(m meaning) bool {
		return m.family == key
	})
}

// withoutOwnDenial undoes a clause's denial of what it names.
func withoutOwnDenial(it item) item {
	if !it.isPresent || it.bearing == refuted {
		it.bearing, it.isPresent = it.bearing.denied(), true
	}
	return it
}
