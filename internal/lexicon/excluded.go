package lexicon

import (
	"slices"
	"strings"
)

// isExcluding reports whether a word means that a drug must not be given, or is the label for that in a question's
// Wording.
func (r *reader) isExcluding(s *span) bool {
	return r.isListed(s, wordsExcluded) || s.key == string(Excluded) && strings.HasPrefix(r.text[s.end:], ":")
}

// exclude gives the role Excluded to the drugs beside the excluding word at span i: "cisplatin is contraindicated",
// "allergic to carboplatin". A denied word ("no contraindication to") excludes nothing.
func (r *reader) exclude(i int) bool {
	if i > 0 && r.isAbsence(&r.spans[i-1]) || r.asksWhether(i) {
		return false
	}

	if !awaitsDrug(r.tokens[r.spans[i].past-1].key) && r.excludeBefore(i) {
		return true
	}
	return r.excludeBehind(i)
}

// asksWhether reports whether the word at span i ends a question that asks whether the treatment before it may be
// given: "ipi-nivo contraindicated?"
func (r *reader) asksWhether(i int) bool {
	at := r.neighbour(i, -1)
	isEnd := strings.TrimLeft(r.text[r.spans[i].end:], " ?？") == "" && strings.ContainsAny(r.text[r.spans[i].end:], "?？")
	return r.typed && isEnd && at >= 0 && r.spans[at].content() == drugs
}

// excludeBehind excludes the drug behind span i, and those that "and" or "or" joins to it. A comma ends the reach: the
// drug behind it is asked about instead, as in "ineligible for cisplatin, pembrolizumab".
func (r *reader) excludeBehind(i int) bool {
	at := i + 1
	for at < len(r.spans) && (r.spans[at].gone || r.isPassed(at) || r.isIntent(at)) && !r.isAbsence(&r.spans[at]) {
		at++
	}

	isIntensive := r.excludeIntensive(i)
	if at == len(r.spans) || r.spans[at].content() != drugs || strings.ContainsAny(r.between(i, at), ",;.?") ||
		isIntensive && strings.ContainsAny(r.between(i, at), ":–：") {
		return isIntensive
	}
	r.spans[at].assume(Excluded)
	r.excludeJoined(at, 1)
	return true
}

// excludeIntensive reads an excluded intensive treatment, whatever its drugs, as an unfit patient.
func (r *reader) excludeIntensive(i int) bool {
	at := r.neighbour(i, 1)

	unfit, ok := r.lexicon.Lookup(KindSetting, "unfit")
	if !ok || at < 0 || !r.spans[at].is(KindSetting) || r.spans[at].entry.Name != "intensive treatment" ||
		strings.ContainsAny(r.between(i, at), ",;.?") {
		return false
	}
	c := &r.spans[at].sets[0]
	c.Aspect, c.Value, c.Entry = unfit.Aspect, unfit.Name, unfit
	return true
}

// excludeBefore excludes the drug right before span i, over a verb: "cisplatin is contraindicated".
func (r *reader) excludeBefore(i int) bool {
	at := r.neighbour(i, -1)
	if at < 0 || r.spans[at].content() != drugs {
		return false
	}

	if gap := r.between(at, i); strings.ContainsAny(gap, ",;:.?") || !isOnly(gap, auxiliary) {
		return false
	}
	r.spans[at].assume(Excluded)
	r.excludeJoined(at, -1)
	return true
}

// excludeJoined also excludes the drugs that belong to the one at span at: "cisplatin or carboplatin", "cisplatin-based
// chemotherapy".
func (r *reader) excludeJoined(at, step int) {
	for {
		next := r.neighbour(at, step)
		if next < 0 || r.spans[next].content() != drugs || !r.isAsked(next) {
			return
		}

		gap := r.between(min(at, next), max(at, next))
		if strings.ContainsAny(gap, ",;:.?+") || parts(gap) || !isOnly(gap, joinsExcluded) || strings.TrimSpace(gap) == "" {
			return
		}
		r.spans[next].assume(Excluded)
		at = next
	}
}

// excludeFurther continues from a setting that excludes a drug: in "ineligible for cisplatin or carboplatin" the first
// part is an entry of the dictionary.
func (r *reader) excludeFurther() {
	for i := range r.spans {
		s := &r.spans[i]
		if s.gone || !s.is(KindSetting) || !strings.HasSuffix(s.entry.Name, ineligible) {
			continue
		}

		if last := r.tokens[s.past-1].key; !strings.HasSuffix(last, "ineligible") && !strings.HasSuffix(last, "unfit") {
			r.excludeJoined(i, 1)
		}
	}
}

// ineligible ends the names of the settings that exclude a treatment.
const ineligible = "-ineligible"

// mustNotBeGiven names the treatments that a question excludes, also by a setting: "cisplatin-ineligible".
func (q *Question) mustNotBeGiven() []string {
	var out []string
	for _, d := range q.Drugs {
		if d.Role == Excluded {
			out = append(out, d.Name)
		}
	}

	for _, c := range q.Setting {
		if name, ok := strings.CutSuffix(c.Value, ineligible); ok && c.Status == Present {
			out = append(out, name)
		}
	}
	return slices.Compact(out)
}
