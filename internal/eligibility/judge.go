package eligibility

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// Judge decides whether the patients of questions may enter trials.
type Judge struct {
	Lexicon *lexicon.Lexicon
}

// Entry reads a question once, for the trials that are then checked for it.
func (j *Judge) Entry(q *lexicon.Question) func(*evidence.Record) *evidence.Eligibility {
	return j.Patient(q).Enters
}

// Patient is a question's patient, prepared for checks against trials.
type Patient struct {
	judge   *Judge
	patient *patient
}

// Patient reads a question once for many trials.
func (j *Judge) Patient(q *lexicon.Question) *Patient {
	return &Patient{judge: j, patient: patientOf(j.Lexicon, q)}
}

// maxShown is how much of a line is kept, in bytes.
const maxShown = 300

// Enters decides whether the patient may enter a registered trial. It never fails: text that it can't read has no
// effect.
func (p *Patient) Enters(r *evidence.Record) *evidence.Eligibility {
	if r.Trial == nil {
		return nil
	}
	h := &evaluation{screener: screener{Lexicon: p.judge.Lexicon, patient: p.patient}, trial: r.Trial}
	criteria := reading(r.Trial.Eligibility)

	h.lines, h.screener.trial = criteria.lines, h.trialTumours(r)
	if criteria.cut != "" {
		h.record(undecided, outcome{at: -1, line: criteria.cut})
	}
	h.weighRegistryFields()
	h.weighCriteria()
	h.weighTumour(r)
	return h.verdict()
}

// effect is what an outcome means for the patient.
type effect uint8

const (
	admits     effect = iota // the line requires or allows something that the question states
	leavesOpen               // it may exclude the patient, or asks for something unknown: the verdict can not be a yes
	rejects                  // it excludes the patient
)

// outcome is what a line means for the patient.
type outcome struct {
	effect    effect
	slot      evidence.Slot
	key       string
	line      string
	inclusion bool
	at        int                // its line; -1 if no line
	tumours   []*lexicon.Concept // that it asks for and the patient does not have
}

// evaluation goes through a trial's criteria for one patient.
type evaluation struct {
	screener
	trial    *evidence.Trial
	lines    []criterion
	bases    []sense // of each line's items
	outcomes []outcome
	own      []*lexicon.Concept // the patient's tumours, as the criteria name them
	allowed  map[string][]int   // by key, the lines that allow it
}

// record records the outcome of a requirement's bearing.
func (e *evaluation) record(b bearing, o outcome) {
	switch b {
	case holds:
		o.effect = admits
	case refuted:
		o.effect = rejects
	case undecided:
		o.effect = leavesOpen
	case unrelated:
		return
	}
	e.outcomes = append(e.outcomes, o)
}

// weighCriteria weighs the lines one by one.
func (e *evaluation) weighCriteria() {
	e.allowed = map[string][]int{}

	e.bases = make([]sense, len(e.lines))
	for i := range e.lines {
		c := &e.lines[i]

		base := excludes
		if c.inclusion {
			base = requires
		}

		if c.parent >= 0 {
			base = e.bases[c.parent]
		}

		if e.bases[i] = base; c.opens {
			e.bases[i] = senseOfItems(c, base)
		}

		if c.others || c.sub {
			continue
		}

		before := len(e.outcomes)
		for _, cl := range clausesOf(c, base, e.isGene) {
			e.weighClause(i, &cl)
		}

		if forms("never tells").MatchString(c.text) && !forms("tells of pregnancy").MatchString(c.text) {
			e.outcomes = append(e.outcomes[:before], openDoubts(e.outcomes[before:])...)
		}
	}
	e.resolveAlternatives()
	e.leaveUnmentionedOpen()
}

// isGene reports whether a symbol names a gene, and no marker that is measured.
func (e *evaluation) isGene(symbol string) bool {
	_, isGene := e.Lookup(lexicon.KindGene, symbol)
	_, isMarker := e.Lookup(lexicon.KindBiomarker, symbol)
	return isGene && !isMarker
}

// leaveUnmentionedOpen leaves open a patient's particulars that no line mentions (an alteration, a marker or a disease
// beside the tumour): criteria exclude much in words of their own.
func (e *evaluation) leaveUnmentionedOpen() {
	need := func(slot evidence.Slot, key string) {
		if !slices.ContainsFunc(e.outcomes, func(o outcome) bool { return o.key == key }) {
			e.record(undecided, outcome{at: -1, slot: slot, key: key})
		}
	}
	if p := e.patient; p.pregnant {
		need(evidence.SlotSetting, "pregnant")
	} else if p.second {
		need(evidence.SlotTumour, p.tumours[1].Name)
	}

	for _, c := range e.patient.conditions {
		need(evidence.SlotCondition, c.Name)
	}

	for i := range e.patient.findings {
		if f := &e.patient.findings[i]; !f.IsMetastasis() && f.IsThere() {
			need(slotOf(f), f.String())
		}
	}
}

// openDoubts are the outcomes kept from a line on consent, tissue, life expectancy and the like: a performance score,
// and what would exclude the patient, which is left open.
func openDoubts(outcomes []outcome) []outcome {
	var out []outcome
	for _, o := range outcomes {
		if o.slot == evidence.SlotPerformance {
			out = append(out, o)
		} else if o.effect == rejects {
			o.effect = leavesOpen
			out = append(out, o)
		}
	}
	return out
}

// senseOfItems is the sense of a line for the items below it.
func senseOfItems(c *criterion, base sense) sense {
	s := plain(c.text)
	switch how := senseOf(s, base); {
	case forms("ends in an exception").MatchString(s):
		return opposite(base)
	case how == doubleNegative, how == allows && base == requires && forms("all who enter").MatchString(s):
		return base
	default:
		return how
	}
}

// weighClause weighs one clause of line i.
func (e *evaluation) weighClause(i int, cl *clause) {
	c := &e.lines[i]

	context := ""
	if c.parent >= 0 {
		context = text.Head(e.lines[c.parent].text, maxShown)
	}

	if cl.sense == excludes {
		cl.text = withoutDenial(cl.text)
	}
	items := e.compareClause(cl.text, context)

	o := outcome{line: c.text, inclusion: c.inclusion, at: i}
	if cl.condition != "" && !e.meetsCondition(cl.condition) {
		if it, ok := e.mayConcern(cl.condition, items); ok { // it may concern the patient
			o.slot, o.key = it.slot, it.key
			e.record(undecided, o)
		}
		return
	}
	e.leaveUnreadOpen(cl, items, o)

	switch cl.sense {
	case requires:
		e.require(i, cl, items, o)
	case excludes:
		if !c.opens { // a line that opens a list states nothing without it
			e.exclude(i, cl, items, o)
		}
	case allows:
		e.allow(cl, items, o)
	case doubleNegative:
		e.weighDoubleNegative(i, cl, items, o)
	}
}

// leaveUnreadOpen leaves open what a clause is about by its words if the lexicon reads nothing on it: earlier
// treatment, or the extent of the disease. A requirement always asks for it; an exclusion, only if the question
// mentions it.
func (e *evaluation) leaveUnreadOpen(cl *clause, items []item, o outcome) {
	p := e.patient
	isRead := func(slots ...evidence.Slot) bool {
		return slices.ContainsFunc(items, func(it item) bool { return slices.Contains(slots, it.slot) })
	}
	isAsked := cl.sense == requires || cl.sense == allows && o.inclusion
	isTreated := p.lines != nil || len(p.prior)+len(p.never) > 0

	if e.isOutsideQuestions(cl.text) {
		return
	}

	isTherapy := (isAsked || isTreated) && forms("on prior therapy").MatchString(cl.text) && !e.isOfAnother(cl.text) ||
		isAsked && (forms("history asked").MatchString(cl.text) || e.isElsewhereGiven(cl.text))
	if isTherapy && !isRead(evidence.SlotPrior, evidence.SlotTreatment) {
		o.slot = evidence.SlotPrior
		e.record(undecided, o)
	}
	isExtent := (isAsked || p.states("extent") || forms("on extent").MatchString(p.asked.Text)) &&
		forms("on extent").MatchString(cl.text)

	hasMetastases := slices.ContainsFunc(p.findings, func(f lexicon.Finding) bool {
		return f.IsMetastasis() && f.IsThere()
	})

	isSite := (isAsked || hasMetastases) && forms("on metastases").MatchString(cl.text)
	if (isExtent || isSite) && !isRead(evidence.SlotSetting) {
		o.slot = evidence.SlotSetting
		e.record(undecided, o)
	}
}

// isOutsideQuestions reports whether a clause is of a kind that a board's question never covers: when a patient enters,
// harm from a treatment, consent and the like.
func (e *evaluation) isOutsideQuestions(clause string) bool {
	return slices.ContainsFunc([]string{"of harm", "window", "never tells"}, func(form string) bool {
		return forms(form).MatchString(clause)
	})
}

// isElsewhereGiven reports whether a clause asks for a treatment other than the trial's own.
func (e *evaluation) isElsewhereGiven(clause string) bool {
	if !forms("to be treated").MatchString(clause) {
		return false
	}
	t := e.Read(clause)
	return slices.ContainsFunc(t.Drugs, func(d lexicon.Drug) bool {
		return !slices.ContainsFunc(e.trial.Interventions, func(in evidence.Intervention) bool {
			own := e.Read(text.Head(in.Name, maxLine))
			return slices.ContainsFunc(own.Drugs, func(given lexicon.Drug) bool {
				return e.Gives(&given, &d) || e.Gives(&d, &given)
			})
		})
	})
}

// withoutDenial blanks the words that mark an exclusion as one: read with their subject, they would deny it ("Patients
// with Down syndrome are excluded from this study"). Places in the text stay.
func withoutDenial(s string) string {
	return forms("excluded outright").ReplaceAllStringFunc(s, func(m string) string { return strings.Repeat(" ", len(m)) })
}

// meetsCondition reports whether everything that a condition names holds for the patient.
func (e *evaluation) meetsCondition(condition string) bool {
	own := false
	for _, it := range e.compareClause(condition, "") {
		switch it.bearing {
		case holds:
			own = true
		case refuted, undecided, unrelated:
			return false
		}
	}
	return own
}

// mayConcern finds something by which a condition may concern the patient; if nothing in the condition is read, an item
// that would exclude him.
func (e *evaluation) mayConcern(condition string, items []item) (item, bool) {
	named := e.compareClause(condition, "")
	if at := slices.IndexFunc(named, func(it item) bool {
		return (it.bearing == holds || it.bearing == undecided) && !it.kin && it.slot != evidence.SlotTumour
	}); at >= 0 {
		return named[at], true
	}

	if at := slices.IndexFunc(items, func(it item) bool { return it.bearing == refuted }); at >= 0 && len(named) == 0 {
		return items[at], true
	}
	return item{}, false
}

// slotOrder is the order in which reasons to admit a patient are shown: the most particular first.
var slotOrder = []evidence.Slot{evidence.SlotAlteration, evidence.SlotBiomarker, evidence.SlotPrior,
	evidence.SlotCondition, evidence.SlotTreatment, evidence.SlotSetting, evidence.SlotPerformance, evidence.SlotAge}

// verdict combines the outcomes.
func (e *evaluation) verdict() *evidence.Eligibility {
	e.outcomes = slices.DeleteFunc(e.outcomes, func(o outcome) bool {
		return o.effect != admits && (e.isExempt(&o) || e.isOnOtherTumour(&o))
	})

	first := map[effect]*outcome{}
	for i := range e.outcomes {
		o := &e.outcomes[i]
		if o.effect == rejects && e.isMetInSameList(o) {
			o.effect = leavesOpen
		}
		best := first[o.effect]

		isBetter := best != nil && o.effect == admits && slices.Index(slotOrder, o.slot) < slices.Index(slotOrder, best.slot)
		if best == nil || isBetter {
			first[o.effect] = o
		}
	}

	switch o := first[rejects]; {
	case o != nil && !o.inclusion && (len(e.allowed[o.key]) > 0 || isMarker(o.slot) && e.isRequired(o.key)):
		return newEligibility(evidence.NotTold, o) // the criteria contradict each other
	case o != nil:
		return newEligibility(evidence.CannotEnter, o)
	case first[leavesOpen] != nil:
		return newEligibility(evidence.NotTold, first[leavesOpen])
	case first[admits] == nil || !e.isOnTumour():
		return &evidence.Eligibility{Verdict: evidence.NotTold}
	}
	return newEligibility(evidence.MayEnter, first[admits])
}

func isMarker(s evidence.Slot) bool {
	return s == evidence.SlotAlteration || s == evidence.SlotBiomarker
}

// isExempt reports whether another line allows what an outcome excludes: any line, if only some state is excluded; a
// line that belongs to it, if it is excluded altogether.
func (e *evaluation) isExempt(o *outcome) bool {
	return !o.inclusion && slices.ContainsFunc(e.allowed[o.key], func(by int) bool {
		return o.effect == leavesOpen && o.key != "lines" && !isStated(o.key) || by == o.at || by >= 0 && e.lines[by].parent == o.at
	})
}

// isOnOtherTumour reports whether an outcome asks for another tumour than the patient's, and another line for the
// patient's: the trial is on both. A kind of the patient's tumour is not another one.
func (e *evaluation) isOnOtherTumour(o *outcome) bool {
	return slices.ContainsFunc(o.tumours, func(other *lexicon.Concept) bool {
		return slices.ContainsFunc(e.own, func(own *lexicon.Concept) bool { return !e.Holds(own, other) })
	})
}

// isMetInSameList reports whether an item asks for another value than the patient's, while another item of the same
// line asks for the patient's: a list of stages.
func (e *evaluation) isMetInSameList(o *outcome) bool {
	isListed := o.inclusion && o.slot == evidence.SlotSetting && o.at >= 0 && e.lines[o.at].parent >= 0
	return isListed && slices.ContainsFunc(e.outcomes, func(by outcome) bool {
		return by.effect == admits && by.key == o.key && by.at >= 0 && e.lines[by.at].parent == e.lines[o.at].parent
	})
}

func newEligibility(v evidence.Entry, o *outcome) *evidence.Eligibility {
	return &evidence.Eligibility{Verdict: v, Line: text.AtWord(text.Line(o.line), maxShown), Slot: o.slot,
		Inclusion: o.inclusion}
}
