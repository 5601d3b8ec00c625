package eligibility

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// Judge says of questions' patients whether they may enter trials.
type Judge struct {
	Lexicon *lexicon.Lexicon
}

// Entry reads a question once, for the trials that are then held against it.
func (j *Judge) Entry(q *lexicon.Question) func(*evidence.Record) *evidence.Eligibility {
	return j.Patient(q).Enters
}

// Patient is what a question says of its patient, ready to be held against trials.
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

// Enters says whether the patient may enter a registered trial. It never fails: what it can't read tells nothing.
func (p *Patient) Enters(r *evidence.Record) *evidence.Eligibility {
	if r.Trial == nil {
		return nil
	}
	h := &hearing{scale: scale{Lexicon: p.judge.Lexicon, patient: p.patient}, trial: r.Trial}
	h.lines, h.scale.trial = read(r.Trial.Eligibility), h.onTumours(r)
	h.registered()
	h.criteria()
	h.tumour(r)
	return h.verdict()
}

// effect is what an outcome means for the patient.
type effect uint8

const (
	lets  effect = iota // what the question states is required or allowed
	opens               // it may shut the patient out
	asks                // it requires an alteration or a marker of which the question tells nothing
	waits               // it asks for what the question leaves open
	shuts               // it shuts the patient out
)

// outcome is what a line means for the patient.
type outcome struct {
	effect    effect
	slot      evidence.Slot
	key       string
	line      string
	inclusion bool
	at        int                // its line; -1 for what is no line's
	tumours   []*lexicon.Concept // that it asks for, where these are not the patient's
}

// hearing goes through a trial's criteria for one patient.
type hearing struct {
	scale
	trial    *evidence.Trial
	lines    []criterion
	bases    []sense // of each line's items
	outcomes []outcome
	own      []*lexicon.Concept // the patient's tumours, as the criteria name them
	foreign  bool               // a line asks for tumours none of which is the patient's
	related  bool               // a line asks for one that may be the patient's
	allowed  map[string][]int   // by the key of what is allowed, the lines that allow it
	either   map[int]*choice    // by the line that holds alternatives
	branches map[int]*choice    // by branch
}

// note keeps what a requirement's bearing means.
func (h *hearing) note(b bearing, o outcome) {
	switch b {
	case bornOut:
		o.effect = lets
	case refuted:
		o.effect = shuts
	case undecided:
		o.effect = waits
	case unrelated:
		return
	}
	h.outcomes = append(h.outcomes, o)
}

// criteria weighs line after line.
func (h *hearing) criteria() {
	h.allowed, h.either, h.branches = map[string][]int{}, map[int]*choice{}, map[int]*choice{}
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
		if c.others {
			continue
		}
		before := len(h.outcomes)
		for _, cl := range clausesOf(c, base) {
			h.clause(i, &cl)
		}
		if forms("never tells").MatchString(c.text) && !forms("tells of pregnancy").MatchString(c.text) {
			h.outcomes = append(h.outcomes[:before], doubts(h.outcomes[before:])...)
		}
	}
	for _, all := range h.choices() {
		if all.refuted > 0 && all.others == 0 {
			h.outcomes = append(h.outcomes, all.first)
		}
	}
}

// doubts are what is kept of a line that is on consent, tissue, life expectancy and the like: a performance score, and
// what is peculiar to a patient and shut out all the same, which is left open.
func doubts(outcomes []outcome) []outcome {
	var out []outcome
	for _, o := range outcomes {
		switch {
		case o.slot == evidence.SlotPerformance:
			out = append(out, o)
		case o.effect == shuts && isOwn(o.slot):
			o.effect = opens
			out = append(out, o)
		}
	}
	return out
}

// itemsSense is what a line does with the items below it.
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
	if cl.condition != "" && !h.concerns(cl.condition) {
		h.aside(i, cl)
		return
	}
	o := outcome{line: c.text, inclusion: c.inclusion, at: i}
	switch cl.sense {
	case requires:
		h.require(i, cl, items, o)
	case excludes:
		if !c.opens { // what opens a list says nothing without it
			h.exclude(i, cl, items, o)
		}
	case allows:
		h.allow(cl, items, o)
	case twice:
		h.twice(i, cl, items, o)
	}
}

// withoutDenial blanks the words by which an exclusion says that it is one: read with what they are on, they would deny
// it ("Patients with Down syndrome are excluded from this study"). Places in the text stay.
func withoutDenial(s string) string {
	return forms("excluded outright").ReplaceAllStringFunc(s, func(m string) string { return strings.Repeat(" ", len(m)) })
}

// concerns says that a condition is so of the patient, in all that it names.
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

// aside lets in the patient whom a condition is on, where what follows is met: "Patients with brain metastases must be
// stable". Else nothing is known.
func (h *hearing) aside(i int, cl *clause) {
	for _, it := range h.weigh(cl.condition, "") {
		if it.bearing == bornOut && !it.kin && it.slot != evidence.SlotTumour {
			h.outcomes = append(h.outcomes, outcome{effect: waits, slot: it.slot, key: it.key, line: h.lines[i].text,
				inclusion: h.lines[i].inclusion})
			return
		}
	}
}

// slotOrder is the order in which what lets a patient in is shown: what is most the patient's own first.
var slotOrder = []evidence.Slot{evidence.SlotAlteration, evidence.SlotBiomarker, evidence.SlotPrior,
	evidence.SlotCondition, evidence.SlotTreatment, evidence.SlotSetting, evidence.SlotPerformance, evidence.SlotAge}

// verdict is what the outcomes make together.
func (h *hearing) verdict() *evidence.Eligibility {
	find := func(e effect) *outcome {
		for i := range h.outcomes {
			o := &h.outcomes[i]
			if o.effect == e && !h.isExempt(o) && !h.isOther(o) && !h.isMetBeside(o) {
				return o
			}
		}
		return nil
	}
	if o := find(shuts); o != nil {
		isMarker := o.slot == evidence.SlotAlteration || o.slot == evidence.SlotBiomarker
		if !o.inclusion && (len(h.allowed[o.key]) > 0 || isMarker && h.isRequired(o.key)) {
			return made(evidence.NotTold, o) // the criteria contradict one another
		}
		return made(evidence.CannotEnter, o)
	}
	for _, e := range []effect{opens, asks} {
		if o := find(e); o != nil {
			return made(evidence.NotTold, o)
		}
	}
	if !h.isOnTumour() {
		return &evidence.Eligibility{Verdict: evidence.NotTold}
	}
	var best *outcome
	for i := range h.outcomes {
		o := &h.outcomes[i]
		if o.effect == lets && (best == nil || slices.Index(slotOrder, o.slot) < slices.Index(slotOrder, best.slot)) {
			best = o
		}
	}
	if best != nil {
		return made(evidence.MayEnter, best)
	}
	if o := find(waits); o != nil {
		return made(evidence.NotTold, o)
	}
	return &evidence.Eligibility{Verdict: evidence.NotTold}
}

// isExempt says that another line allows what an outcome excludes: any line what is excluded in some state only, and
// one that belongs to it what is excluded altogether.
func (h *hearing) isExempt(o *outcome) bool {
	return !o.inclusion && slices.ContainsFunc(h.allowed[o.key], func(by int) bool {
		return o.effect == opens || by == o.at || by >= 0 && h.lines[by].parent == o.at
	})
}

// isOther says that an outcome asks for another tumour beside the patient's, which another line asks for: the trial is
// on both. A kind of the patient's tumour is no other one.
func (h *hearing) isOther(o *outcome) bool {
	return slices.ContainsFunc(o.tumours, func(other *lexicon.Concept) bool {
		return slices.ContainsFunc(h.own, func(own *lexicon.Concept) bool { return !h.Holds(own, other) })
	})
}

// isMetBeside says that of the items of a line another asks for what the question states, where one asks for something
// else of the same kind: a list of stages.
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
