package eligibility

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// trialTumours lists the trial's own tumours: those of its conditions, and of its title if the conditions name none.
func (e *evaluation) trialTumours(r *evidence.Record) []lexicon.Concept {
	var out []lexicon.Concept
	for _, c := range r.Trial.Conditions[:min(len(r.Trial.Conditions), maxConditions)] {
		out = append(out, e.Read(text.Head(c, maxLine)).Tumours...)
	}

	if !slices.ContainsFunc(out, func(c lexicon.Concept) bool { return !e.isBroad(&c) }) {
		out = append(out, e.Read(r.Title).Tumours...)
	}
	return out
}

const maxConditions = 40

// weighRegistryFields weighs the registry's own fields: age, sex, and what every arm is given.
func (e *evaluation) weighRegistryFields() {
	t, p := e.trial, e.patient

	limits := span{0, endless}
	if n, ok := ageIn(t.MinimumAge); ok {
		limits.low = n
	}

	if n, ok := ageIn(t.MaximumAge); ok {
		limits.high = n + 0.99
	}

	age := outcome{at: -1, slot: evidence.SlotAge, key: "age", inclusion: true,
		line: "Age: " + text.Join(" to ", t.MinimumAge, t.MaximumAge)}
	switch {
	case p.age == nil && (limits.low >= old || limits.high < young):
		e.record(undecided, age)
	case p.age != nil && p.age.compare(limits) != holds:
		// the patient's age is no reason of its own to admit him
		e.record(p.age.compare(limits), age)
	}
	e.weighSex()
	e.weighBarredDrugs()
}

// weighSex weighs the sex that a trial takes. If the question states none, and the tumour is not limited to one sex, a
// trial on one sex stays open.
func (e *evaluation) weighSex() {
	t, p := e.trial, e.patient
	o := outcome{at: -1, effect: leavesOpen, slot: evidence.SlotSex, key: "sex", inclusion: true,
		line: "Sex: " + strings.ToLower(t.Sex)}

	isTold := p.pregnant || slices.ContainsFunc(p.tumours, func(c lexicon.Concept) bool {
		return forms("of one sex").MatchString(c.Name)
	})
	for _, m := range p.meanings {
		isTold = isTold || m.family == "sex" || m.family == "menopause"

		isFemale := m.family == "menopause" || m.family == "sex" && slices.Contains(m.parts, "female")
		if isFemale && t.Sex == "MALE" || m.family == "sex" && !isFemale && t.Sex == "FEMALE" {
			e.record(refuted, o)
		}
	}

	if p.pregnant && t.Sex == "MALE" {
		e.record(refuted, o)
	}

	if !isTold && (t.Sex == "MALE" || t.Sex == "FEMALE") {
		e.outcomes = append(e.outcomes, o)
	}
}

// old is the age from which a trial takes only the old, and young the age up to which it takes only the young.
const (
	old   = 55
	young = 30
)

// ofAge is the age of majority; to admit adults says nothing of a patient.
const ofAge = 18

func ageIn(s string) (float64, bool) {
	m := forms("an age").FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	n, ok := numberOf(m[2])
	return years(n, m[3]), ok
}

// weighBarredDrugs finds drugs of the trial that the patient must not be given. If an arm does without, the outcome is
// left open.
func (e *evaluation) weighBarredDrugs() {
	for i := range e.patient.barred {
		d := &e.patient.barred[i]
		gives := func(name string) bool {
			q := e.Read(text.Head(name, maxLine))
			return slices.ContainsFunc(q.Drugs, func(t lexicon.Drug) bool { return e.Gives(&t, d) || e.Gives(d, &t) })
		}

		line := ""
		for _, in := range e.trial.Interventions {
			if gives(in.Name) {
				line = in.Name
			}
		}

		if line == "" {
			continue
		}
		o := outcome{at: -1, effect: leavesOpen, slot: evidence.SlotTreatment, key: d.Name, line: "Given: " + line,
			inclusion: true}

		spares := func(a evidence.Arm) bool { return !slices.ContainsFunc(a.Interventions, gives) }
		if len(e.trial.Arms) > 0 && !slices.ContainsFunc(e.trial.Arms, spares) {
			o.effect = rejects
		}
		e.outcomes = append(e.outcomes, o)
	}
}

// weighTumour excludes the patient if none of the trial's tumours is related to his.
func (e *evaluation) weighTumour(r *evidence.Record) {
	asked := e.particular(e.patient.tumours)
	named := e.particular(e.screener.trial)

	isKnown := len(named) > 0 && len(asked) > 0 && len(named) == len(e.screener.trial) && len(e.own) == 0
	if !isKnown || e.areRelated(named, asked) {
		return
	}
	e.outcomes = append(e.outcomes, outcome{at: -1, effect: rejects, slot: evidence.SlotTumour, inclusion: true,
		key: asked[0].Name, line: "Conditions: " + strings.Join(r.Trial.Conditions, "; ")})
}

// isOnTumour reports whether a trial is on the patient's tumour, on a kind of it, or on a broader one.
func (e *evaluation) isOnTumour() bool {
	asked, named := e.particular(e.patient.tumours), e.particular(e.screener.trial)
	switch {
	case len(e.own) > 0:
		return true
	case len(named) == 0:
		named = e.screener.trial
	}
	return len(asked) == 0 || e.areRelated(named, asked) ||
		slices.ContainsFunc(e.screener.trial, isSolid) && !e.patient.isHematologic(e.Lexicon)
}

// isSolid reports whether a concept means all tumours except those of the blood.
func isSolid(c lexicon.Concept) bool { return c.Name == "solid tumor" }

// particular drops concepts that are no particular tumour.
func (e *evaluation) particular(all []lexicon.Concept) []lexicon.Concept {
	return slices.DeleteFunc(slices.Clone(all), func(c lexicon.Concept) bool {
		return e.isBroad(&c) || c.Status != lexicon.Present
	})
}

// areRelated reports whether a tumour of one list equals, includes, or is a kind of one of the other.
func (e *evaluation) areRelated(some, others []lexicon.Concept) bool {
	return slices.ContainsFunc(some, func(a lexicon.Concept) bool {
		return slices.ContainsFunc(others, func(b lexicon.Concept) bool { return e.Holds(&a, &b) || e.Holds(&b, &a) })
	})
}
