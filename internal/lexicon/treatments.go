package lexicon

import (
	"slices"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

// maxTogether is the most treatments of one regimen that a group with alternatives asks for together.
const maxTogether = 3

// treatmentNeeds asks for the treatments that a question is about, drugs before classes: each treatment that all
// regimens share, separately, and any one of the regimens' remainders. Partners are common drugs and classes beside a
// drug.
func (l *Lexicon) treatmentNeeds(q *Question) (treatments, partners []need) {
	for _, is := range []func(*Drug) bool{
		func(d *Drug) bool { return d.Role == Cause && q.regimenOf(d.Name) == 0 },
		func(d *Drug) bool { // resisted or not tolerated: without an asked treatment the question is about it
			return d.isEarlier() && d.Role != Prior && d.Role != Background && !q.asksTreatment()
		},
		func(d *Drug) bool { return d.Role == Withheld && q.AsksWithheld() },
	} {
		if n, ok := l.anyDrugNeed(q, is); ok {
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

// isSubstance reports whether d is a drug, not a class or another treatment.
func (d *Drug) isSubstance() bool { return !d.Class && (d.Entry == nil || d.Entry.Kind == KindDrug) }

// isPartner reports whether d is usually given beside the drug that a question is about: a common drug, or no drug
// itself.
func (d *Drug) isPartner() bool { return !d.isSubstance() || d.Entry != nil && d.Entry.Common }

// regimensOfQuestion splits the regimens into the treatments that all share and the rest of each. It returns no rests
// if one regimen has nothing more: that one then suffices for the longer ones.
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

// resistanceNeeds asks for resistance as such, if the question asks about classes alone; it then joins their group:
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

// asksClassesOnly reports whether the question asks about no drug, and about one class or treatment, or any of several.
func (q *Question) asksClassesOnly() bool {
	for _, d := range q.Drugs {
		isSecond := slices.ContainsFunc(q.Drugs, func(o Drug) bool { return o.Regimen == d.Regimen && o.Name != d.Name })
		if d.isAsked() && (d.isSubstance() || isSecond) {
			return false
		}
	}
	return q.asksTreatment()
}

// alternativesNeed asks for any of several regimens: single drugs by their names, the drugs of each other regimen
// together. The further needs are alternatives to them.
func (l *Lexicon) alternativesNeed(regimens [][]*Drug, further []need) (n need, ok bool) {
	n.common, n.rare, n.class = true, true, true

	var single []need
	for _, regimen := range regimens {
		needs := make([]need, len(regimen))
		for i, d := range regimen {
			needs[i] = l.drugNeed(d)
		}
		slices.SortStableFunc(needs, func(a, b need) int { return count(a.common) - count(b.common) })
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

// componentNeeds asks for a regimen's components together, since papers write them out: for CAPTEM capecitabine and
// temozolomide. It leaves out steroids. It returns nil for an entry that is no regimen, or has more components than a
// group asks for together.
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

// steroids is the class of drugs that regimens have beside their main ones.
const steroids = "corticosteroid"

// backgroundNeed asks for any of the drugs that are under way beside the asked ones, unless they are to be replaced; if
// no treatment is asked about, for any that was given before or is under way. A drug only stated before the question
// describes the patient.
func (l *Lexicon) backgroundNeed(q *Question) []need {
	n, ok := l.anyDrugNeed(q, func(d *Drug) bool {
		switch {
		case q.regimenOf(d.Name) > 0:
			return false
		case q.asksTreatment():
			isAsked := slices.ContainsFunc(q.Drugs, func(o Drug) bool { return o.isAsked() && l.isTreatment(&o, d) })
			return d.Role == Background && !d.stated && !isAsked && !slices.ContainsFunc(q.Setting, isReplacing)
		}
		return d.Role == Prior && !q.AsksWithheld() || d.Role == Background
	})
	if !ok {
		return nil
	}
	n.prior = true
	return []need{n}
}

// isReplacing reports whether a setting means that another treatment replaces the one under way.
func isReplacing(c Circumstance) bool {
	return c.Status == Present && slices.Contains([]string{"switch", "progressive", "after progression", "after failure",
		"oligoprogression"}, c.Value)
}

// AsksWithheld reports whether a question is about leaving a treatment out: it names one as left out and asks about
// none.
func (q *Question) AsksWithheld() bool {
	return !q.asksTreatment() && slices.ContainsFunc(q.Drugs, func(d Drug) bool { return d.Role == Withheld })
}

func (q *Question) asksTreatment() bool {
	return slices.ContainsFunc(q.Drugs, func(d Drug) bool { return d.isAsked() })
}

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
