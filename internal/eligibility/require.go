package eligibility

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// noted is an outcome with the bearing that it comes from.
type noted struct {
	bearing bearing
	outcome outcome
}

// choice is a list of alternatives: one shuts the patient out only where all do.
type choice struct {
	refuted, others int
	first           outcome
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

// require weighs what must be so. What "or" parts are alternatives, of which one is enough.
func (h *hearing) require(i int, cl *clause, items []item, o outcome) {
	c := &h.lines[i]
	isChoice := strings.Contains(cl.text, " or ") || strings.Contains(cl.text, "/") ||
		forms("alternatives").MatchString(cl.text)
	refutedOne := false
	var met []noted
	for _, group := range bySlot(items) {
		got, it := group.bearing(isChoice)
		o.slot, o.key = it.slot, it.key
		if it.slot == evidence.SlotWord && got != refuted {
			if len(it.key) < shortestWord && h.isOpen(i, cl) {
				o.effect = asks // a name that nobody has read
				h.outcomes = append(h.outcomes, o)
			}
			continue
		}
		if it.slot == evidence.SlotTumour {
			if h.hearTumour(cl, &group, got); got != refuted || !h.isDiagnosis(cl.text) {
				continue
			}
			o.tumours = group.tumours(refuted)
		}
		if it.slot == evidence.SlotSetting && it.key == "extent" && forms("prior").MatchString(cl.text) && got == refuted {
			continue
		}
		switch {
		case got == bornOut && cl.behind != "" && !h.concerns(cl.behind):
			h.note(undecided, o)
		case got != refuted:
			met = append(met, noted{got, o})
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
	if refutedOne {
		return // what a line asks for beside what is not so lets nobody in
	}
	h.admit(i, cl, met)
	h.spare(i)
	h.ask(i, cl, items, isChoice, o)
}

// hearTumour keeps how a required tumour is the patient's.
func (h *hearing) hearTumour(cl *clause, group *group, got bearing) {
	if got == bornOut {
		h.own = append(h.own, group.tumours(bornOut)...)
	}
	h.foreign = h.foreign || got == refuted && !forms("other malignancy").MatchString(cl.text)
	h.related = h.related || got == undecided
}

// admit keeps what of a line is met, or may be.
func (h *hearing) admit(i int, cl *clause, met []noted) {
	for _, m := range met {
		if m.outcome.key == "sex" && m.bearing == bornOut {
			continue // that a trial takes women lets in nobody in particular
		}
		isStage := m.outcome.key == "extent" && h.patient.stage != nil
		if m.bearing == undecided && (isStage || isOwn(m.outcome.slot)) && h.isOpen(i, cl) {
			m.outcome.effect = asks
			h.outcomes = append(h.outcomes, m.outcome)
			continue
		}
		h.note(m.bearing, m.outcome)
	}
}

// isOpen says that a line asks something of all patients.
func (h *hearing) isOpen(i int, cl *clause) bool {
	c := &h.lines[i]
	isOfAll := c.parent < 0 || forms("all who enter").MatchString(h.lines[c.parent].text)
	return isOfAll && !c.part && c.branch == 0 && cl.behind == "" && cl.condition == ""
}

// isOwn says that a slot is on what is peculiar to a patient: where it may be what a line asks for, or not, the line is
// not passed over for another.
func isOwn(s evidence.Slot) bool {
	return s == evidence.SlotAlteration || s == evidence.SlotBiomarker || s == evidence.SlotCondition
}

// ask keeps that a line requires an alteration or a marker to be there of which the question tells nothing. One of
// several, or of a cohort, may be another.
func (h *hearing) ask(i int, cl *clause, items []item, isChoice bool, o outcome) {
	isOther := func(it item) bool { return !isOwn(it.slot) && it.slot != evidence.SlotTumour }
	if !h.isOpen(i, cl) || isChoice && slices.ContainsFunc(items, isOther) {
		return
	}
	for _, it := range items {
		if it.slot != evidence.SlotAlteration {
			continue
		}
		if it.bearing != unrelated || !it.there {
			return
		}
		o.effect, o.slot, o.key = asks, it.slot, ""
	}
	if o.effect == asks {
		h.outcomes = append(h.outcomes, o)
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
	var key int
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
		if h.lines[at].either || forms("alternatives").MatchString(h.lines[at].text) {
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

// isMet says that another of the group is so of the same: of "del 19, L858R" one is enough.
func (g group) isMet(key string) bool {
	return slices.ContainsFunc(g, func(it item) bool { return it.bearing == bornOut && it.key == key && it.there })
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
		isOther := it.there && isChoice || (it.there || isChoice) && g.isMet(it.key)
		if it.bearing == refuted && !isOther && it.slot != evidence.SlotTumour {
			return refuted, it
		}
		told = append(told, it)
	}
	if len(told) == 0 {
		return unrelated, g[0]
	}
	best := slices.MaxFunc(told, func(a, b item) int { return int(a.bearing) - int(b.bearing) })
	isOpen := func(it item) bool { return it.bearing == undecided }
	if i := slices.IndexFunc(told, isOpen); i >= 0 && best.bearing == refuted {
		return undecided, told[i]
	}
	if silent && best.bearing == refuted {
		return undecided, best
	}
	return best.bearing, best
}
