package lexicon

import (
	"slices"
	"strings"
)

// isSwitch reports whether span i leads from the stopped drug to its replacement: "switch from imatinib to dasatinib".
func (r *reader) isSwitch(i int) bool {
	switch r.tokens[r.spans[i].first].key {
	case "to", "zu", "auf", "à", "a", "para":
		return r.namesReplacement()
	}
	return false
}

func (r *reader) namesReplacement() bool {
	return slices.ContainsFunc(r.spans, func(s span) bool {
		return s.is(KindSetting) && replacing(s.entry.Name)
	})
}

// replaced reads the two drugs of a switch in reverse order: "switch to dasatinib from imatinib".
func (r *reader) replaced(i int) {
	taken, left := r.neighbour(i, -1), r.neighbour(i, 1)
	if taken < 1 || left < 0 || r.spans[taken].content() != drugs || r.spans[left].content() != drugs ||
		r.tokens[r.spans[taken-1].first].key != "to" || !r.namesReplacement() {
		return
	}

	for k := range r.spans[taken].drugs {
		r.spans[taken].drugs[k].Role, r.spans[taken].drugs[k].step = Then, 1
	}
}

// arrows reads arrows between two drugs: the second follows the first.
func (r *reader) arrows() {
	last := -1
	for i := range r.spans {
		s := &r.spans[i]
		if s.content() != drugs {
			continue
		}

		if last >= 0 && r.spans[last].end <= s.start && arrow(r.text[r.spans[last].end:s.start]) {
			r.follow(i - 1)
		}
		last = i
	}
}

// arrow reports whether a text has an arrow that is not between two numbers, where it is a change of a value: "EF
// 55→42%".
func arrow(gap string) bool {
	return slices.ContainsFunc([]string{"→", "⇒", "➔", "->", "=>"}, func(a string) bool {
		before, after, ok := strings.Cut(gap, a)
		before, after = strings.TrimRight(before, " %"), strings.TrimLeft(after, " ")
		return ok && (before == "" || after == "" || !isDigit(before[len(before)-1]) || !isDigit(after[0]))
	})
}

// follow marks the drugs behind span i as following those before it.
func (r *reader) follow(i int) bool {
	isDrug := func(s span) bool { return s.content() == drugs }

	next := slices.IndexFunc(r.spans[i+1:], isDrug)
	if j := r.neighbour(i, 1); next >= 0 && j < i+1+next && r.isEvent(j) {
		return true // "then ILD - rechallenge?" states an event, not a treatment
	}

	if next < 0 || !slices.ContainsFunc(r.spans[:i+1], isDrug) {
		return false
	}

	if j := r.neighbour(i, -1); j >= 0 && r.spans[j].content() == drugs && r.spans[j].drugs[0].Role == Prior &&
		!r.hasBreak(j, i) && r.asksElsewhere(0, i+1+next) {
		r.spans[i+1+next].assume(Prior) // "PD on alectinib then lorlatinib: chemotherapy?"
		return true
	}

	step := 1
	for _, s := range r.spans[:i+1] {
		for _, d := range s.drugs {
			step = max(step, d.step+1)
		}
	}
	return r.govern(i+next, func(s *span) {
		for k := range s.drugs {
			if s.drugs[k].Role == Given {
				s.drugs[k].Role, s.drugs[k].step = Then, step
			}
		}
	})
}

// isEvent reports whether span i is an event of the patient: an outcome, a toxicity, a disease.
func (r *reader) isEvent(i int) bool {
	s := &r.spans[i]
	return r.isOutcome(i) || s.content() == diseases && s.concepts[0].isCondition() ||
		s.content() == circumstances && s.entry != nil && s.entry.Aspect == "toxicity"
}
