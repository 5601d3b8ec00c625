package lexicon

import (
	"slices"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

// maxTogether is the most treatments of one regimen that a group asks for together, where others are its alternatives.
const maxTogether = 3

// treatmentNeeds asks for the treatments that a question is about, drugs before classes: what every regimen has, each
// apart, and of what is left of them any. Partners are what everybody gives, and classes beside a drug.
func (l *Lexicon) treatmentNeeds(q *Question) (treatments, partners []need) {
	for _, of := range []func(*Question) (need, bool){l.causeNeed, l.failedNeed, l.withheldNeed} {
		if n, ok := of(q); ok {
			treatments = append(treatments, n)
		}
	}

	shared, rests := regimensOfQuestion(q)
	if n, ok := l.alternativesNeed(rests, resistanceNeeds(q)); ok {
		treatments = append(treatments, n)
	}

	for _, isPartner := range []bool{false, true} {
		for _, d := range shared {
			if isPartner != d.isPartner() {
				continue
			}

			if isPartner {
				n := l.drugNeed(d)
				n.merge(resistanceNeeds(q)...)
				partners = append(partners, n)
			} else {
				treatments = append(treatments, l.drugNeed(d))
			}
		}
	}
	return treatments, partners
}

// isSubstance reports whether d is a drug, and no class or other treatment.
func (d *Drug) isSubstance() bool { return !d.Class && (d.Entry == nil || d.Entry.Kind == KindDrug) }

// isPartner reports whether d is given beside what a question is about: a drug that is everybody's partner, or a class.
func (d *Drug) isPartner() bool { return !d.isSubstance() || d.Entry != nil && d.Entry.Common }

// regimensOfQuestion takes the regimens apart into what all of them have and what is left of each; none is left where
// one of them has nothing more. A regimen that holds another one is met by it.
func regimensOfQuestion(q *Question) (shared []*Drug, rests [][]*Drug) {
	var all [][]*Drug
	for i := range q.Drugs {
		d := &q.Drugs[i]
		if d.Regimen == 0 || q.leavesOpen(d) {
			continue
		}

		for len(all) < d.Regimen {
			all = append(all, nil)
		}
		all[d.Regimen-1] = append(all[d.Regimen-1], d)
	}

	all = slices.DeleteFunc(all, func(regimen []*Drug) bool { return len(regimen) == 0 })
	if len(all) == 0 {
		return nil, nil
	}

	for _, d := range all[0] {
		if !slices.ContainsFunc(all, func(other []*Drug) bool { return !hasDrug(other, d) }) {
			shared = append(shared, d)
		}
	}

	for _, regimen := range all {
		rest := slices.DeleteFunc(slices.Clone(regimen), func(d *Drug) bool { return hasDrug(shared, d) })
		if len(rest) == 0 {
			return shared, nil
		}
		rests = append(rests, rest)
	}
	return shared, rests
}

func hasDrug(drugs []*Drug, d *Drug) bool {
	return slices.ContainsFunc(drugs, func(o *Drug) bool { return o.Name == d.Name })
}

// resistanceNeeds ask for resistance as such, which shares the group of the classes that are all that is asked about:
// "resistance SHP2 SOS1 inhibitor" is on either.
func resistanceNeeds(q *Question) []need {
	var out []need
	for i := range q.Setting {
		if c := &q.Setting[i]; c.Status == Present && c.Entry != nil && isPlainResistance(c.Entry) && q.asksClassesOnly() {
			out = append(out, need{canonical: []string{c.canonical()}, narrow: plainTerms(c.Entry),
				headings: headingsOf(c.Entry)})
		}
	}
	return out
}

// asksClassesOnly reports whether no drug is asked about, and of classes and treatments one, or any of several.
func (q *Question) asksClassesOnly() bool {
	for _, d := range q.Drugs {
		isSecond := slices.ContainsFunc(q.Drugs, func(o Drug) bool { return o.Regimen == d.Regimen && o.Name != d.Name })
		if d.isAsked() && (d.isSubstance() || isSecond) {
			return false
		}
	}
	return q.asksTreatment()
}

// alternativesNeed asks for any of several regimens: the names of those that are one drug, and the drugs of each other
// one together. The further needs are alternatives to them.
func (l *Lexicon) alternativesNeed(regimens [][]*Drug, further []need) (n need, ok bool) {
	n.common, n.rare, n.class = true, true, true

	var single []need
	for _, regimen := range regimens {
		needs := make([]need, len(regimen))
		for i, d := range regimen {
			needs[i] = l.drugNeed(d)
		}
		slices.SortStableFunc(needs, func(a, b need) int { return order(a.common) - order(b.common) })
		n.common, n.rare = n.common && needs[0].common, n.rare && needs[0].rare

		n.class = n.class && needs[0].class
		if len(needs) > 1 {
			for i := range needs {
				needs[i].together = nil
			}
			n.together = append(n.together, needs[:min(len(needs), maxTogether)])
		} else {
			single = append(single, needs[0])
		}
		ok = true
	}
	n.merge(append(single, further...)...)

	n.concept, n.minor = boolean.Drug, n.class
	if n.class {
		n.concept = boolean.MechanismOutcome
	}
	return n, ok
}

func order(last bool) int {
	if last {
		return 1
	}
	return 0
}

// drugNeed asks for a drug, a class with its drugs, or another treatment.
func (l *Lexicon) drugNeed(d *Drug) need {
	n := need{concept: boolean.Drug, canonical: []string{d.canonical()}, headings: headingsOf(d.Entry), choices: 1}
	if !d.isSubstance() {
		n.concept, n.class = boolean.MechanismOutcome, true

		n.narrow, n.common, n.minor = l.classNames(d), true, true
		if d.Class && d.Entry != nil && !d.Entry.Broad {
			names := n.narrow[:min(len(n.narrow), narrowTerms)]
			n.narrow = slices.Concat(names, l.membersOf(d.Entry))
			n.choices = len(n.narrow) // a paper on one of a class need not name the class
		}
		return n
	}

	n.narrow, n.rare = l.classNames(d), d.Entry == nil
	if d.Entry != nil {
		n.common, n.together = d.Entry.Common, l.componentNeeds(d.Entry)
		n.rare = slices.ContainsFunc(d.Entry.Codes, func(code string) bool { return fold(code) == fold(d.Text) })
	}
	return n
}

// componentNeeds ask for what a regimen consists of, together, since papers write it out: of CAPTEM capecitabine and
// temozolomide. A steroid is beside all of them; nil for what is no regimen, or has more components than a group asks
// for together.
func (l *Lexicon) componentNeeds(e *Entry) [][]need {
	components := slices.DeleteFunc(slices.Clone(l.componentsOf(e)), func(c *Entry) bool {
		return c.Kind != KindDrug || c.Class == steroids || len(c.Implies) > 1
	})
	if len(components) < 2 || len(components) > maxTogether {
		return nil
	}
	return [][]need{text.Each(components, func(c *Entry) need {
		return need{concept: boolean.Drug, narrow: drugTerms(c), headings: headingsOf(c), choices: 1}
	})}
}

// steroids is the class of the drugs that regimens have beside what they are about.
const steroids = "corticosteroid"

// causeNeed asks for any of the drugs that brought a disease about.
func (l *Lexicon) causeNeed(q *Question) (need, bool) {
	return l.anyDrugNeed(q, func(d *Drug) bool { return d.Role == Cause && q.regimenOf(d.Name) == 0 })
}

// backgroundNeed asks for any of the drugs that are under way beside what is asked about, unless they are to be
// replaced; where no treatment is asked about, for any that was given before. What was only told of before the question
// says whom it is about.
func (l *Lexicon) backgroundNeed(q *Question) []need {
	n, ok := l.anyDrugNeed(q, func(d *Drug) bool {
		switch {
		case q.regimenOf(d.Name) > 0:
			return false
		case q.asksTreatment():
			isAsked := slices.ContainsFunc(q.Drugs, func(o Drug) bool { return o.isAsked() && l.isTreatment(&o, d) })
			return d.Role == Background && !d.told && !isAsked && !slices.ContainsFunc(q.Setting, isReplacing)
		}
		return d.Role == Prior && !q.AsksWithheld() || d.Role == Background
	})
	if !ok {
		return nil
	}
	n.prior = true
	return []need{n}
}

// isReplacing says of a setting that what is under way gives way to something else.
func isReplacing(c Circumstance) bool {
	return c.Status == Present && slices.Contains([]string{"switch", "progressive", "after progression", "after failure",
		"oligoprogression"}, c.Value)
}

// failedNeed asks for any of the drugs that were resisted or not tolerated, where no treatment is asked about: they are
// then what the question is about.
func (l *Lexicon) failedNeed(q *Question) (need, bool) {
	return l.anyDrugNeed(q, func(d *Drug) bool {
		return d.isEarlier() && d.Role != Prior && d.Role != Background && !q.asksTreatment()
	})
}

// withheldNeed asks for any of the treatments that are left out, where that is what is asked about.
func (l *Lexicon) withheldNeed(q *Question) (need, bool) {
	return l.anyDrugNeed(q, func(d *Drug) bool { return d.Role == Withheld && q.AsksWithheld() })
}

// AsksWithheld reports whether a question is about leaving a treatment out, since it asks about giving none.
func (q *Question) AsksWithheld() bool {
	return !q.asksTreatment() && slices.ContainsFunc(q.Drugs, func(d Drug) bool { return d.Role == Withheld })
}

func (q *Question) asksTreatment() bool {
	return slices.ContainsFunc(q.Drugs, func(d Drug) bool { return d.isAsked() })
}

// asksAny reports whether a treatment is asked about, be it given or left out.
func (q *Question) asksAny() bool { return q.asksTreatment() || q.AsksWithheld() }

func (l *Lexicon) anyDrugNeed(q *Question, is func(*Drug) bool) (n need, ok bool) {
	var all []need
	for i := range q.Drugs {
		if is(&q.Drugs[i]) {
			all = append(all, l.drugNeed(&q.Drugs[i]))
		}
	}

	n.concept = boolean.Drug
	if !slices.ContainsFunc(all, func(o need) bool { return !o.class }) {
		n.concept = boolean.MechanismOutcome
	}
	n.merge(all...)
	return n, len(all) > 0
}
