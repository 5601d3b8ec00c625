package eligibility

import (
	"maps"
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
	h := &hearing{scale: scale{Lexicon: p.judge.Lexicon, patient: p.patient}, trial: r.Trial, lines: read(r.Trial.Eligibility)}
	h.scale.trial = h.onTumours(r)
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
	allowed  map[string]bool    // keys of what a line allows
	either   map[int]*choice    // by the line that holds alternatives
	branches map[int]*choice    // by branch
}

// choice is a list of alternatives: one shuts the patient out only where all do.
type choice struct {
	refuted, others int
	first           outcome
}

// onTumours lists the trial's own tumours: those of its conditions, and of its title where these name none.
func (h *hearing) onTumours(r *evidence.Record) []lexicon.Concept {
	var out []lexicon.Concept
	for _, c := range r.Trial.Conditions[:min(len(r.Trial.Conditions), maxConditions)] {
		out = append(out, h.Read(text.Head(c, maxLine)).Tumours...)
	}
	if !slices.ContainsFunc(out, func(c lexicon.Concept) bool { return !h.isBroad(&c) }) {
		out = append(out, h.Read(r.Title).Tumours...)
	}
	return out
}

const maxConditions = 40

// registered weighs what the registry says in fields of its own: age, sex, and what every arm is given.
func (h *hearing) registered() {
	t, p := h.trial, h.patient
	if p.age != nil {
		limits := span{0, endless}
		if n, ok := ageIn(t.MinimumAge); ok {
			limits.low = n
		}
		if n, ok := ageIn(t.MaximumAge); ok {
			limits.high = n + 0.99
		}
		if t.MinimumAge != "" || t.MaximumAge != "" {
			h.note(p.age.bears(limits), outcome{slot: evidence.SlotAge, key: "age", inclusion: true,
				line: "Age: " + text.Join(" to ", t.MinimumAge, t.MaximumAge)})
		}
	}
	for _, m := range p.meanings {
		isFemale := m.family == "menopause" || m.family == "sex" && slices.Contains(m.parts, "female")
		if isFemale && t.Sex == "MALE" || m.family == "sex" && !isFemale && t.Sex == "FEMALE" {
			h.note(refuted, outcome{slot: evidence.SlotSex, key: "sex", inclusion: true, line: "Sex: " + strings.ToLower(t.Sex)})
		}
	}
	if p.pregnant && t.Sex == "MALE" {
		h.note(refuted, outcome{slot: evidence.SlotSex, key: "sex", inclusion: true, line: "Sex: male"})
	}
	h.barred()
}

func ageIn(s string) (float64, bool) {
	m := forms("an age").FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	n, ok := numberOf(m[2])
	return years(n, m[3]), ok
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

// barred finds the drugs that the patient must not be given among those of the trial. Where an arm does without, it is
// left open.
func (h *hearing) barred() {
	for i := range h.patient.barred {
		d := &h.patient.barred[i]
		gives := func(name string) bool {
			q := h.Read(text.Head(name, maxLine))
			return slices.ContainsFunc(q.Drugs, func(t lexicon.Drug) bool { return h.Gives(&t, d) || h.Gives(d, &t) })
		}
		line := ""
		for _, in := range h.trial.Interventions {
			if gives(in.Name) {
				line = in.Name
			}
		}
		if line == "" {
			continue
		}
		o := outcome{effect: opens, slot: evidence.SlotTreatment, key: d.Name, line: "Given: " + line, inclusion: true}
		spares := func(a evidence.Arm) bool { return !slices.ContainsFunc(a.Interventions, gives) }
		if len(h.trial.Arms) > 0 && !slices.ContainsFunc(h.trial.Arms, spares) {
			o.effect = shuts
		}
		h.outcomes = append(h.outcomes, o)
	}
}

// criteria weighs line after line.
func (h *hearing) criteria() {
	h.allowed, h.either, h.branches = map[string]bool{}, map[int]*choice{}, map[int]*choice{}
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
		if c.others || forms("never tells").MatchString(c.text) && !forms("tells of pregnancy").MatchString(c.text) {
			continue
		}
		for _, cl := range clausesOf(c, base) {
			h.clause(i, &cl)
		}
	}
	for _, all := range h.choices() {
		if all.refuted > 0 && all.others == 0 {
			h.outcomes = append(h.outcomes, all.first)
		}
	}
}

// itemsSense is what a line does with the items below it.
func itemsSense(c *criterion, base sense) sense {
	s := plain(c.text)
	switch how := senseOf(s, base); {
	case forms("ends in an exception").MatchString(s):
		return opposite(base)
	case how == twice:
		return base
	default:
		return how
	}
}

// choices lists the alternatives, those of lines before those of branches.
func (h *hearing) choices() []*choice {
	var out []*choice
	for i := range h.lines {
		if c := h.either[i]; c != nil {
			out = append(out, c)
		}
	}
	if len(h.branches) > 1 {
		joined := &choice{}
		for i := 1; i <= len(h.branches); i++ {
			b := h.branches[i]
			if b == nil || b.refuted == 0 {
				return out
			}
			if joined.refuted++; joined.refuted == 1 {
				joined.first = b.first
			}
		}
		out = append(out, joined)
	}
	return out
}

// clause weighs one clause of line i.
func (h *hearing) clause(i int, cl *clause) {
	c := &h.lines[i]
	context := ""
	if c.parent >= 0 {
		context = text.Head(h.lines[c.parent].text, maxShown)
	}
	items := h.weigh(cl.text, context)
	if cl.condition != "" && !h.concerns(cl.condition) {
		h.aside(i, cl)
		return
	}
	o := outcome{line: c.text, inclusion: c.inclusion}
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

// require weighs what must be so. What "or" parts are alternatives, of which one is enough.
func (h *hearing) require(i int, cl *clause, items []item, o outcome) {
	c := &h.lines[i]
	isChoice := strings.Contains(cl.text, " or ") || strings.Contains(cl.text, "/") ||
		forms("alternatives").MatchString(cl.text)
	refutedOne := false
	for _, group := range bySlot(items) {
		got, it := group.bearing(isChoice)
		o.slot, o.key = it.slot, it.key
		if it.slot == evidence.SlotWord && got != refuted {
			continue
		}
		if it.slot == evidence.SlotTumour {
			if got == bornOut {
				h.own = append(h.own, group.tumours(bornOut)...)
			}
			if got != refuted || !h.isDiagnosis(cl.text) {
				continue
			}
			o.tumours = group.tumours(refuted)
		}
		if it.slot == evidence.SlotSetting && it.key == "extent" && forms("prior").MatchString(cl.text) && got == refuted {
			continue
		}
		switch {
		case got != refuted:
			h.note(got, o)
		case c.sub, forms("either this or").MatchString(c.text):
			h.note(undecided, o)
		case cl.behind != "" && !h.concerns(cl.behind), c.part, cl.exception != "":
			o.effect = opens
			h.outcomes = append(h.outcomes, o)
		case h.choose(i, o):
		default:
			h.note(refuted, o)
		}
		refutedOne = refutedOne || got == refuted
	}
	if !refutedOne {
		h.spare(i)
	}
}

// choose keeps a refuted alternative for when all of its list are known.
func (h *hearing) choose(i int, o outcome) bool {
	o.effect = shuts
	all := h.choiceOf(i)
	if all == nil {
		return false
	}
	if all.refuted++; all.refuted == 1 {
		all.first = o
	}
	return true
}

// spare keeps that an alternative does not shut the patient out.
func (h *hearing) spare(i int) {
	if c := &h.lines[i]; c.parent >= 0 && h.isEither(c.parent) {
		h.choiceOf(i).others++
	}
}

func (h *hearing) choiceOf(i int) *choice {
	c := &h.lines[i]
	var in map[int]*choice
	key := 0
	switch {
	case c.parent >= 0 && h.isEither(c.parent):
		in, key = h.either, c.parent
	case c.branch > 0 && c.inclusion:
		in, key = h.branches, c.branch
	default:
		return nil
	}
	if in[key] == nil {
		in[key] = &choice{}
	}
	return in[key]
}

// isEither says that one of the items of a line is enough, or one of those of the line above it.
func (h *hearing) isEither(at int) bool {
	for steps := 0; at >= 0 && steps < maxDepth; steps++ {
		if forms("alternatives").MatchString(h.lines[at].text) {
			return true
		}
		at = h.lines[at].parent
	}
	return false
}

const maxDepth = 8

// isDiagnosis says that a clause names the tumour that patients have, and not one that they had.
func (h *hearing) isDiagnosis(s string) bool {
	return !forms("other malignancy").MatchString(s) && (forms("diagnosis").MatchString(s) || len(s) < longDiagnosis)
}

const longDiagnosis = 60

// group is what a clause names of one slot.
type group []item

// bySlot sorts items into groups, in the order in which they stand; settings each by what they are on.
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

// tumours lists those of a bearing.
func (g group) tumours(b bearing) []*lexicon.Concept {
	var out []*lexicon.Concept
	for _, it := range g {
		if it.bearing == b && it.tumour != nil {
			out = append(out, it.tumour)
		}
	}
	return out
}

// bearing is what a group means: of alternatives the best; else one that is not so is enough. What is denied is never
// an alternative: neither EGFR nor ALK.
func (g group) bearing(isChoice bool) (bearing, item) {
	var told []item
	silent := false
	for _, it := range g {
		if it.bearing == unrelated {
			silent = true
			continue
		}
		if it.bearing == refuted && (!isChoice || !it.there) && it.slot != evidence.SlotTumour {
			return refuted, it
		}
		told = append(told, it)
	}
	if len(told) == 0 {
		return unrelated, g[0]
	}
	best := slices.MaxFunc(told, func(a, b item) int { return int(a.bearing) - int(b.bearing) })
	if i := slices.IndexFunc(told, func(it item) bool { return it.bearing == undecided }); i >= 0 && best.bearing == refuted {
		return undecided, told[i]
	}
	if silent && best.bearing == refuted {
		return undecided, best
	}
	return best.bearing, best
}

// exclude weighs what must not be so, phrase by phrase: all that a phrase names must be so of the patient to shut him
// out. A kind of the patient's tumour that the question does not tell is not his.
func (h *hearing) exclude(i int, cl *clause, items []item, o outcome) {
	for _, part := range phrases(cl.text) {
		var told []item
		blocked, isApart := false, false
		hasOwn := slices.ContainsFunc(items, func(it item) bool {
			return it.slot == evidence.SlotTumour && it.bearing == bornOut && it.start >= part[0] && it.start < part[1]
		})
		for _, it := range items {
			if it.start < part[0] || it.start >= part[1] {
				continue
			}
			switch {
			case it.slot == evidence.SlotTumour && it.bearing != bornOut && hasOwn:
			case it.bearing == refuted:
				isApart = true
				if countsAgainst(it.slot) && cl.behind == "" {
					o.slot, o.key = it.slot, it.key
					h.note(bornOut, o)
				}
			case it.bearing == undecided && it.slot == evidence.SlotTumour:
				isApart = true
			case it.bearing == unrelated:
				blocked = true
			default:
				told = append(told, it)
				blocked = blocked || it.bearing == undecided
			}
		}
		if !isApart {
			h.excluded(i, cl, part, told, blocked, o)
		}
	}
}

// countsAgainst says that to be without what is excluded of a slot is a property that the trial asks for.
func countsAgainst(s evidence.Slot) bool {
	switch s {
	case evidence.SlotAlteration, evidence.SlotBiomarker, evidence.SlotPerformance, evidence.SlotPrior:
		return true
	}
	return false
}

// excluded decides on one phrase.
func (h *hearing) excluded(i int, cl *clause, part [2]int, told []item, blocked bool, o outcome) {
	decisive := slices.IndexFunc(told, func(it item) bool { return !it.kin })
	if decisive < 0 {
		return
	}
	it := told[decisive]
	if it.slot == evidence.SlotTumour && forms("other malignancy").MatchString(cl.text) && !h.patient.second {
		return
	}
	o.slot, o.key, o.effect = it.slot, it.key, shuts
	limited, apart := h.limits(cl.text, part)
	if apart {
		return
	}
	exempt := cl.exception != "" && !h.isBeside(cl.exception)
	if exempt && h.concerns(cl.exception) {
		return
	}
	if blocked || limited || exempt || cl.behind != "" && !h.concerns(cl.behind) || cl.condition != "" || h.lines[i].part || h.lines[i].opens ||
		it.bearing != bornOut {
		o.effect = opens
	}
	h.outcomes = append(h.outcomes, o)
}

// isBeside says that an exception is on something else than the patient.
func (h *hearing) isBeside(exception string) bool {
	items := h.weigh(exception, "")
	return len(items) > 0 && !slices.ContainsFunc(items, func(it item) bool {
		return it.bearing == bornOut || it.bearing == undecided
	})
}

// opposites are words for states that shut one another out.
var opposites = map[string]string{"symptomatic": "asymptomatic", "asymptomatic": "symptomatic", "unstable": "stable",
	"stable": "unstable", "uncontrolled": "controlled", "controlled": "uncontrolled", "untreated": "treated",
	"treated": "untreated", "active": "inactive", "detectable": "undetectable", "undetectable": "detectable"}

// limits says that a clause names what a phrase is on only in some state, which the question does not tell; apart where
// the question tells the opposite.
func (h *hearing) limits(clause string, part [2]int) (limited, apart bool) {
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
		case h.patient.says(word):
		case opposites[word] != "" && h.patient.says(opposites[word]):
			return false, true
		default:
			limited = true
		}
	}
	return limited, false
}

// outlasts says that a time told in the question is as long as a clause asks for, and that nothing else limits it.
func (p *patient) outlasts(clause string) bool {
	own, asked := durations(p.text), durations(clause)
	return len(own) == 1 && len(asked) == 1 && own[0] >= asked[0] && !forms("limit").MatchString(
		forms("duration").ReplaceAllString(strings.ReplaceAll(clause, "previously treated", ""), ""))
}

// durations reads times, in years.
func durations(s string) []float64 {
	var out []float64
	for _, m := range forms("duration").FindAllStringSubmatch(s, -1) {
		if n, ok := numberOf(m[1]); ok {
			out = append(out, years(n, m[2]))
		}
	}
	return out
}

// says looks for a word in the question.
func (p *patient) says(word string) bool {
	return slices.Contains(strings.FieldsFunc(p.text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), word)
}

// phrases parts a list at its commas and at "or"; "and" parts only what has commas too.
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

// allow keeps what a clause lets in, and whom it lets in although another line may shut him out.
func (h *hearing) allow(cl *clause, items []item, o outcome) {
	for _, it := range items {
		limited, _ := h.limits(cl.text, [2]int{0, len(cl.text)})
		limited = limited && !h.patient.outlasts(cl.text)
		if it.bearing != bornOut || it.kin || it.slot == evidence.SlotTumour {
			continue
		}
		o.slot, o.key = it.slot, it.key
		if limited || cl.behind != "" && !h.concerns(cl.behind) {
			h.outcomes = append(h.outcomes, outcome{effect: waits, slot: o.slot, key: o.key, line: o.line,
				inclusion: o.inclusion})
			continue
		}
		h.allowed[it.key] = true
		h.note(bornOut, o)
	}
}

// twice reads a denial among what excludes. Who lacks an alteration is meant by it; but nobody is shut out for lack of
// a disease, of metastases or of a pregnancy, so that there it says twice that they are excluded. Of treatment it may
// mean either.
func (h *hearing) twice(i int, cl *clause, items []item, o outcome) {
	for _, it := range items {
		o.slot, o.key = it.slot, it.key
		switch it.slot {
		case evidence.SlotCondition, evidence.SlotSetting:
			if it.there && isStated(it.key) {
				continue // it stands beside what is denied
			}
			if !isStated(it.key) {
				if it = undenied(it); it.bearing == bornOut {
					h.excluded(i, cl, [2]int{0, len(cl.text)}, []item{it}, false, o)
				}
				continue
			}
			h.exclude(i, cl, []item{it}, o)
		case evidence.SlotAlteration, evidence.SlotBiomarker, evidence.SlotSex, evidence.SlotAge, evidence.SlotPerformance:
			if it.there && it.slot != evidence.SlotAge && it.slot != evidence.SlotPerformance {
				continue // it stands beside what is denied
			}
			h.exclude(i, cl, []item{it}, o)
		case evidence.SlotPrior, evidence.SlotTreatment, evidence.SlotWord, evidence.SlotTumour:
			if it.bearing == bornOut || it.bearing == refuted && it.slot == evidence.SlotPrior {
				o.effect = opens
				h.outcomes = append(h.outcomes, o)
			}
		}
	}
}

// isStated says that a setting is one that a trial may want: a stage, and not a pregnancy.
func isStated(key string) bool {
	return key == "stage" || slices.ContainsFunc(slices.Collect(maps.Values(meanings())), func(m meaning) bool {
		return m.family == key
	})
}

// undenied takes back that a clause denies what it names.
func undenied(it item) item {
	if !it.there || it.bearing == refuted {
		it.bearing, it.there = it.bearing.denied(), true
	}
	return it
}

// tumour compares the trial's tumours with the patient's, where no line did.
func (h *hearing) tumour(r *evidence.Record) {
	named := slices.DeleteFunc(slices.Clone(h.scale.trial), func(c lexicon.Concept) bool {
		return h.isBroad(&c) || c.Status != lexicon.Present
	})
	asked := slices.DeleteFunc(slices.Clone(h.patient.tumours), func(c lexicon.Concept) bool { return h.isBroad(&c) })
	if len(named) == 0 || len(asked) == 0 || len(named) < len(h.scale.trial) {
		return
	}
	for i := range named {
		for j := range asked {
			if h.Holds(&asked[j], &named[i]) || h.Holds(&named[i], &asked[j]) {
				return
			}
		}
	}
	line := strings.Join(r.Trial.Conditions, "; ")
	h.outcomes = append(h.outcomes, outcome{effect: shuts, slot: evidence.SlotTumour, line: "Conditions: " + line,
		inclusion: true, key: asked[0].Name})
}

// slotOrder is the order in which what lets a patient in is shown: what is most the patient's own first.
var slotOrder = []evidence.Slot{evidence.SlotAlteration, evidence.SlotBiomarker, evidence.SlotPrior,
	evidence.SlotCondition, evidence.SlotTreatment, evidence.SlotSetting, evidence.SlotPerformance, evidence.SlotAge}

// verdict is what the outcomes make together.
func (h *hearing) verdict() *evidence.Eligibility {
	find := func(e effect) *outcome {
		for i := range h.outcomes {
			if o := &h.outcomes[i]; o.effect == e && !(h.allowed[o.key] && !o.inclusion) && !h.isOther(o) {
				return o
			}
		}
		return nil
	}
	if o := find(shuts); o != nil {
		for _, other := range h.outcomes {
			if other.effect == lets && other.slot == o.slot && other.key == o.key && h.allowed[o.key] {
				return made(evidence.NotTold, o) // the criteria contradict one another
			}
		}
		return made(evidence.CannotEnter, o)
	}
	if o := find(opens); o != nil {
		return made(evidence.NotTold, o)
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

// isOther says that an outcome asks for another tumour beside the patient's, which another line asks for: the trial is
// on both. A kind of the patient's tumour is no other one.
func (h *hearing) isOther(o *outcome) bool {
	return slices.ContainsFunc(o.tumours, func(other *lexicon.Concept) bool {
		return slices.ContainsFunc(h.own, func(own *lexicon.Concept) bool { return !h.Holds(own, other) })
	})
}

func made(v evidence.Entry, o *outcome) *evidence.Eligibility {
	return &evidence.Eligibility{Verdict: v, Line: text.AtWord(text.Line(o.line), maxShown), Slot: o.slot,
		Inclusion: o.inclusion}
}
