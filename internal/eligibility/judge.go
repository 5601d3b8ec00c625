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
	h := &hearing{scale: scale{Lexicon: p.judge.Lexicon, patient: p.patient}, trial: r.Trial}
	criteria := reading(r.Trial.Eligibility)

	h.lines, h.scale.trial = criteria.lines, h.onTumours(r)
	if criteria.cut != "" {
		h.note(undecided, outcome{at: -1, line: criteria.cut})
	}
	h.registered()
	h.criteria()
	h.tumour(r)
	return h.verdict()
}

// effect is what an outcome means for the patient.
type effect uint8

const (
	lets  effect = iota // the line requires or allows something that the question states
	opens               // it may exclude the patient, or asks for something unknown: the verdict can not be a yes
	shuts               // it excludes the patient
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

// hearing goes through a trial's criteria for one patient.
type hearing struct {
	scale
	trial    *evidence.Trial
	lines    []criterion
	bases    []sense // of each line's items
	outcomes []outcome
	own      []*lexicon.Concept // the patient's tumours, as the criteria name them
	allowed  map[string][]int   // by key, the lines that allow it
}

// note records the outcome of a requirement's bearing.
func (h *hearing) note(b bearing, o outcome) {
	switch b {
	case bornOut:
		o.effect = lets
	case refuted:
		o.effect = shuts
	case undecided:
		o.effect = opens
	case unrelated:
		return
	}
	h.outcomes = append(h.outcomes, o)
}

// criteria weighs the lines one by one.
func (h *hearing) criteria() {
	h.allowed = map[string][]int{}

	h.bases = make([]sense, len(h.lines))
	for i := range h.lines {
		c := &h.lines[i]

		base := excludes
		if c.inclusion {
			base = requires
		}

		if c.parent >= 0 {
			base = h.bases[c.parent]
		}

		if h.bases[i] = base; c.opens {
			h.bases[i] = itemsSense(c, base)
		}

		if c.others || c.sub {
			continue
		}

		before := len(h.outcomes)
		for _, cl := range clausesOf(c, base, h.isGene) {
			h.clause(i, &cl)
		}

		if forms("never tells").MatchString(c.text) && !forms("tells of pregnancy").MatchString(c.text) {
			h.outcomes = append(h.outcomes[:before], doubts(h.outcomes[before:])...)
		}
	}
	h.choose()
	h.unspoken()
}

// isGene reports whether a symbol names a gene, and no marker that is measured.
func (h *hearing) isGene(symbol string) bool {
	_, isGene := h.Lookup(lexicon.KindGene, symbol)
	_, isMarker := h.Lookup(lexicon.KindBiomarker, symbol)
	return isGene && !isMarker
}

// unspoken leaves open a patient's particulars that no line mentions (an alteration, a marker or a disease beside the
// tumour): criteria exclude much in words of their own.
func (h *hearing) unspoken() {
	need := func(slot evidence.Slot, key string) {
		if !slices.ContainsFunc(h.outcomes, func(o outcome) bool { return o.key == key }) {
			h.note(undecided, outcome{at: -1, slot: slot, key: key})
		}
	}
	if p := h.patient; p.pregnant {
		need(evidence.SlotSetting, "pregnant")
	} else if p.second {
		need(evidence.SlotTumour, p.tumours[1].Name)
	}

	for _, c := range h.patient.conditions {
		need(evidence.SlotCondition, c.Name)
	}

	for i := range h.patient.findings {
		if f := &h.patient.findings[i]; !f.IsMetastasis() && f.IsThere() {
			need(slotOf(f), f.String())
		}
	}
}

// doubts are the outcomes kept from a line on consent, tissue, life expectancy and the like: a performance score, and
// what would exclude the patient, which is left open.
func doubts(outcomes []outcome) []outcome {
	var out []outcome
	for _, o := range outcomes {
		if o.slot == evidence.SlotPerformance {
			out = append(out, o)
		} else if o.effect == shuts {
			o.effect = opens
			out = append(out, o)
		}
	}
	return out
}

// itemsSense is the sense of a line for the items below it.
func itemsSense(c *criterion, base sense) sense {
	s := plain(c.text)
	switch how := senseOf(s, base); {
	case forms("ends in an exception").MatchString(s):
		return opposite(base)
	case how == twice, how == allows && base == requires && forms("all who enter").MatchString(s):
		return base
	default:
		return how
	}
}

// clause weighs one clause of line i.
func (h *hearing) clause(i int, cl *clause) {
	c := &h.lines[i]

	context := ""
	if c.parent >= 0 {
		context = text.Head(h.lines[c.parent].text, maxShown)
	}

	if cl.sense == excludes {
		cl.text = withoutDenial(cl.text)
	}
	items := h.weigh(cl.text, context)

	o := outcome{line: c.text, inclusion: c.inclusion, at: i}
	if cl.condition != "" && !h.concerns(cl.condition) {
		if it, ok := h.touches(cl.condition, items); ok { // it may concern the patient
			o.slot, o.key = it.slot, it.key
			h.note(undecided, o)
		}
		return
	}
	h.overlook(cl, items, o)

	switch cl.sense {
	case requires:
		h.require(i, cl, items, o)
	case excludes:
		if !c.opens { // a line that opens a list states nothing without it
			h.exclude(i, cl, items, o)
		}
	case allows:
		h.allow(cl, items, o)
	case twice:
		h.twice(i, cl, items, o)
	}
}

// overlook leaves open what a clause is about by its words if the lexicon reads nothing on it: earlier treatment, or
// the extent of the disease. A requirement always asks for it; an exclusion, only if the question mentions it.
func (h *hearing) overlook(cl *clause, items []item, o outcome) {
	p := h.patient
	isRead := func(slots ...evidence.Slot) bool {
		return slices.ContainsFunc(items, func(it item) bool { return slices.Contains(slots, it.slot) })
	}
	isAsked := cl.sense == requires || cl.sense == allows && o.inclusion
	isTreated := p.lines != nil || len(p.prior)+len(p.never) > 0

	if h.isNeverTold(cl.text) {
		return
	}

	isTherapy := (isAsked || isTreated) && forms("on prior therapy").MatchString(cl.text) && !h.isOfAnother(cl.text) ||
		isAsked && (forms("history asked").MatchString(cl.text) || h.isElsewhereGiven(cl.text))
	if isTherapy && !isRead(evidence.SlotPrior, evidence.SlotTreatment) {
		o.slot = evidence.SlotPrior
		h.note(undecided, o)
	}
	isExtent := (isAsked || p.tells("extent") || forms("on extent").MatchString(p.asked.Text)) &&
		forms("on extent").MatchString(cl.text)

	hasMetastases := slices.ContainsFunc(p.findings, func(f lexicon.Finding) bool {
		return f.IsMetastasis() && f.IsThere()
	})
	isSite := (isAsked || hasMetastases) && forms("on metastases").MatchString(cl.text)
	if (isExtent || isSite) && !isRead(evidence.SlotSetting) {
		o.slot = evidence.SlotSetting
		h.note(undecided, o)
	}
}

// isNeverTold reports whether a clause is of a kind that a board's question never covers: when a patient enters, harm
// from a treatment, consent and the like.
func (h *hearing) isNeverTold(clause string) bool {
	return slices.ContainsFunc([]string{"of harm", "window", "never tells"}, func(form string) bool {
		return forms(form).MatchString(clause)
	})
}

// isElsewhereGiven reports whether a clause asks for a treatment other than the trial's own.
func (h *hearing) isElsewhereGiven(clause string) bool {
	if !forms("to be treated").MatchString(clause) {
		return false
	}
	t := h.Read(clause)
	return slices.ContainsFunc(t.Drugs, func(d lexicon.Drug) bool {
		return !slices.ContainsFunc(h.trial.Interventions, func(in evidence.Intervention) bool {
			own := h.Read(text.Head(in.Name, maxLine))
			return slices.ContainsFunc(own.Drugs, func(given lexicon.Drug) bool {
				return h.Gives(&given, &d) || h.Gives(&d, &given)
			})
		})
	})
}

// withoutDenial blanks the words that mark an exclusion as one: read with their subject, they would deny it ("Patients
// with Down syndrome are excluded from this study"). Places in the text stay.
func withoutDenial(s string) string {
	return forms("excluded outright").ReplaceAllStringFunc(s, func(m string) string { return strings.Repeat(" ", len(m)) })
}

// concerns reports whether everything that a condition names holds for the patient.
func (h *hearing) concerns(condition string) bool {
	own := false
	for _, it := range h.weigh(condition, "") {
		switch it.bearing {
		case bornOut:
			own = true
		case refuted, undecided, unrelated:
			return false
		}
	}
	return own
}

// touches finds something by which a condition may concern the patient; if nothing in the condition is read, an item
// that would exclude him.
func (h *hearing) touches(condition string, items []item) (item, bool) {
	named := h.weigh(condition, "")
	if at := slices.IndexFunc(named, func(it item) bool {
		return (it.bearing == bornOut || it.bearing == undecided) && !it.kin && it.slot != evidence.SlotTumour
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
func (h *hearing) verdict() *evidence.Eligibility {
	h.outcomes = slices.DeleteFunc(h.outcomes, func(o outcome) bool {
		return o.effect != lets && (h.isExempt(&o) || h.isOther(&o))
	})

	first := map[effect]*outcome{}
	for i := range h.outcomes {
		o := &h.outcomes[i]
		if o.effect == shuts && h.isMetBeside(o) {
			o.effect = opens
		}
		best := first[o.effect]

		isBetter := best != nil && o.effect == lets && slices.Index(slotOrder, o.slot) < slices.Index(slotOrder, best.slot)
		if best == nil || isBetter {
			first[o.effect] = o
		}
	}

	switch o := first[shuts]; {
	case o != nil && !o.inclusion && (len(h.allowed[o.key]) > 0 || isMarker(o.slot) && h.isRequired(o.key)):
		return made(evidence.NotTold, o) // the criteria contradict each other
	case o != nil:
		return made(evidence.CannotEnter, o)
	case first[opens] != nil:
		return made(evidence.NotTold, first[opens])
	case first[lets] == nil || !h.isOnTumour():
		return &evidence.Eligibility{Verdict: evidence.NotTold}
	}
	return made(evidence.MayEnter, first[lets])
}

func isMarker(s evidence.Slot) bool {
	return s == evidence.SlotAlteration || s == evidence.SlotBiomarker
}

// isExempt reports whether another line allows what an outcome excludes: any line, if only some state is excluded; a
// line that belongs to it, if it is excluded altogether.
func (h *hearing) isExempt(o *outcome) bool {
	return !o.inclusion && slices.ContainsFunc(h.allowed[o.key], func(by int) bool {
		return o.effect == opens && o.key != "lines" && !isStated(o.key) || by == o.at || by >= 0 && h.lines[by].parent == o.at
	})
}

// isOther reports whether an outcome asks for another tumour than the patient's, and another line for the patient's:
// the trial is on both. A kind of the patient's tumour is not another one.
func (h *hearing) isOther(o *outcome) bool {
	return slices.ContainsFunc(o.tumours, func(other *lexicon.Concept) bool {
		return slices.ContainsFunc(h.own, func(own *lexicon.Concept) bool { return !h.Holds(own, other) })
	})
}

// isMetBeside reports whether an item asks for another value than the patient's, while another item of the same line
// asks for the patient's: a list of stages.
func (h *hearing) isMetBeside(o *outcome) bool {
	isListed := o.inclusion && o.slot == evidence.SlotSetting && o.at >= 0 && h.lines[o.at].parent >= 0
	return isListed && slices.ContainsFunc(h.outcomes, func(by outcome) bool {
		return by.effect == lets && by.key == o.key && by.at >= 0 && h.lines[by.at].parent == h.lines[o.at].parent
	})
}

func made(v evidence.Entry, o *outcome) *evidence.Eligibility {
	return &evidence.Eligibility{Verdict: v, Line: text.AtWord(text.Line(o.line), maxShown), Slot: o.slot,
		Inclusion: o.inclusion}
}
