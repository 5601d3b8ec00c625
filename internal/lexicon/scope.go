package lexicon

import (
	"slices"
	"strings"
)

// content is the kind of slot that a span fills.
type content uint8

const (
	nothing content = iota
	markers
	drugs
	diseases
	circumstances
)

func (s *span) content() content {
	switch {
	case s.gone:
		return nothing
	case len(s.alts)+len(s.marks) > 0:
		return markers
	case len(s.drugs) > 0:
		return drugs
	case len(s.concepts) > 0:
		return diseases
	case len(s.sets) > 0:
		return circumstances
	}
	return nothing
}

// scopes applies the words of absence, of earlier treatment and of comparison to the spans that they govern. A word
// that governs nothing stays among the question's words.
func (r *reader) scopes() {
	r.apposed()
	r.choices()
	r.operated()
	r.resistances()
	r.endings()
	r.causes()
	r.arrows()

	for i := 0; i < len(r.spans); i++ { //nolint:intrange // tellEnding may put one more behind this one
		s := &r.spans[i]
		if s.is(KindChange) && r.lexicon.wordList(s.key).name() == wordsWithheld { // "skip surgery" is no exon's
			s.entry, s.list = nil, r.lexicon.wordList(s.key)
		}

		if s.gone || s.content() != nothing || s.entry != nil {
			continue
		}

		if r.tokens[s.first].key == "from" && !r.isListed(s, wordsSequence) && !r.isSwitch(i) {
			r.replaced(i)
			continue
		}

		if r.isAbsence(s) && !r.isExcluding(s) && r.isPreposition(i) {
			s.gone, s.covered = true, "a word that says nothing of what is asked"
			continue
		}

		if r.governs(i) {
			if r.typed && r.readEnding(i, true) {
				continue
			}
			s.gone, s.covered = true, governing
			continue
		}
		r.readEnding(i, false)
	}
	r.openSigns()

	if r.typed {
		r.timeline()
	}
	r.compareAlternatives()
	r.background()
	r.ownTargets()
	r.passPhases()
}

// governs applies the word of span i to the spans that it governs, and reports whether there were any.
func (r *reader) governs(i int) bool {
	s := &r.spans[i]
	switch {
	case r.isListed(s, wordsSequence), r.isSwitch(i):
		return r.follow(i)
	case r.isExcluding(s):
		return r.exclude(i)
	case r.isListed(s, wordsLacking) && (s.past == len(r.tokens) || r.breaksAt(s.past)),
		r.isAbsence(s) && s.past < len(r.tokens) && r.endsClause(s.past): // "POD24 no. Now …"
		return r.ruleOut(i)
	case r.isAbsence(s) && r.isUntilNow(i):
		return r.govern(i, notPrior)
	case r.isAbsence(s):
		return r.denyPrior(i) || r.govern(i, deny)
	case r.isFreeOf(i):
		deny(&r.spans[i-1])
		return true
	case r.isListed(s, wordsOpen):
		return r.open(i)
	case r.isListed(s, wordsNaive):
		isAdjective := naives(r.tokens[s.first].key) && s.past == s.first+1 // "melanoma naive, BRAF V600E+"
		return r.follows(i, NotPrior) || r.governDrugs(i, NotPrior) || !isAdjective && r.govern(i, deny)
	case r.isListed(s, wordsResistant):
		return r.follows(i, Resistant) || r.governDrugs(i, Resistant)
	case r.isListed(s, wordsIntolerant):
		return r.follows(i, Intolerant) || r.governDrugs(i, Intolerant)
	case r.isListed(s, wordsEnded):
		return r.follows(i, Prior)
	case r.isListed(s, wordsPrior):
		return r.follows(i, Prior) || r.governDrugs(i, Prior) || r.passLines(i, i+2) ||
			r.typed && s.past == s.first+1 && i+1 < len(r.spans) && r.isLength(i+1) // "A stopped after 5 months"
	case r.isListed(s, wordsWithheld):
		return r.withhold(i)
	case r.isUnder(i):
		isBefore := r.gapAfter(i) == " " && r.spans[i+1].content() == drugs // "sunitinib 9 mo, on warfarin"
		return isBefore && r.governDrugs(i, Background) || r.follows(i, Background) || r.governDrugs(i, Background)
	case r.isListed(s, wordsComparison):
		return r.compare(i)
	}
	return false
}

// ruleOut denies the value right before span i, a word of absence that ends its clause: "Richter ruled out, PD". It
// reads a treatment as one that must not be given.
func (r *reader) ruleOut(i int) bool {
	at := r.neighbour(i, -1)
	if at < 0 || !isOnly(r.between(at, i), auxiliary) || strings.ContainsAny(r.between(at, i), ",;:.?") {
		return false
	}

	if r.spans[at].content() == drugs {
		r.spans[at].assume(Excluded)
		return true
	}
	deny(&r.spans[at])
	return true
}

func (r *reader) isAbsence(s *span) bool {
	return r.isListed(s, wordsAbsence) || r.isListed(s, wordsLacking)
}

// denyPrior reads a word of absence before a word like "prior": in "no prior osimertinib" the drug was not given
// before.
func (r *reader) denyPrior(i int) bool {
	next := i + 1
	for next < len(r.spans) && (r.spans[next].gone || r.isPassed(next)) {
		next++
	}

	if next == len(r.spans) || !r.isListed(&r.spans[next], wordsPrior) {
		return false
	}

	if !r.governDrugs(next, NotPrior) {
		return r.govern(next, deny) // "no prior breast cancer"
	}

	for j := next; j < len(r.spans) && r.spans[j].content() != drugs; j++ {
		if r.isListed(&r.spans[j], wordsPrior) {
			r.spans[j].gone, r.spans[j].covered = true, governing
		}
	}
	return true
}

// isUntilNow reports whether the clause with the word of absence at span i is about the time up to now: "no PARP
// inhibitor yet", "bisher keine Chemo".
func (r *reader) isUntilNow(i int) bool {
	at := r.spans[i].first
	for j := range r.spans {
		s := &r.spans[j]
		if !r.isListed(s, wordsSoFar) {
			continue
		}
		first, past := min(at, s.first), max(at, s.first)

		isParted := false
		for k := first + 1; k <= past && !isParted; k++ {
			isParted = r.breaksAt(k) && !nows(r.tokens[k].key)
		}

		if !isParted {
			return true
		}
	}
	return false
}

// notPrior reads treatments as not given before, and all else as absent.
func notPrior(s *span) {
	if s.content() != drugs {
		deny(s)
		return
	}
	s.assume(NotPrior)
}

// isFreeOf reports whether span i is "free" behind a drug that is not given: "chemotherapy-free". An interval or a
// survival free of something is a measurement instead.
func (r *reader) isFreeOf(i int) bool {
	if i == 0 || r.spans[i-1].content() != drugs {
		return false
	}
	gap, next := r.between(i-1, i), r.spans[i].past
	isFree := r.tokens[r.spans[i].first].key == "free"
	return isFree && gap == "-" && (next == len(r.tokens) || !measured(r.tokens[next].key))
}

// withhold reads a treatment as left out: "omitting radiotherapy", "radiotherapy omission", "can radiotherapy be safely
// omitted".
func (r *reader) withhold(i int) bool {
	before := r.neighbour(i, -1)
	if r.isMeant(i) {
		for before >= 0 && (r.spans[before].content() != drugs || !r.isAsked(before)) {
			before = r.neighbour(before, -1)
		}
	}

	if before >= 0 && r.spans[before].content() == drugs && r.isAsked(before) &&
		!awaitsDrug(r.tokens[r.spans[i].past-1].key) {
		gap := r.between(before, i)
		if !strings.ContainsAny(gap, ",;:.?") && isOnly(gap, auxiliary) || r.isMeant(i) {
			deny(&r.spans[before])
			return true
		}
	}
	return r.govern(i, deny)
}

// isMeant reports whether a pronoun before the word at span i refers to the treatment of the clause before: "is RT
// needed? can it be omitted?"
func (r *reader) isMeant(i int) bool {
	first := r.spans[i].first

	from := first
	for from > 0 && !strings.ContainsAny(r.text[r.tokens[from-1].end:r.tokens[from].start], ",;:.?!–") {
		from--
	}
	words := r.tokens[from:first]
	return slices.ContainsFunc(words, func(t token) bool { return pronouns(t.key) }) &&
		!slices.ContainsFunc(words, func(t token) bool { return !pronouns(t.key) && !auxiliary(t.key) })
}

// isPreposition reports whether span i is the Portuguese "no" (in the), not an absence: a disease in a Romance language
// follows.
func (r *reader) isPreposition(i int) bool {
	next := r.neighbour(i, 1)
	return r.spans[i].key == "no" && next >= 0 && len(r.spans[next].concepts) > 0 && r.spans[next].entry != nil &&
		r.isForeign(&r.spans[next])
}

// governing is the reason why a word that governs others fills no slot of its own.
const governing = "its meaning is in what it governs"

// govern applies change to what follows span i, over a list of members of one kind.
func (r *reader) govern(i int, change func(*span)) bool {
	what := nothing
	for j := i + 1; j < len(r.spans); j++ {
		s := &r.spans[j]
		switch got := s.content(); {
		case got == nothing && (s.gone || r.isPassed(j)):
		case got == nothing, what != nothing && got != what,
			what != nothing && (!r.isListedTo(j) || r.isAlone(j) || r.isAskedInstead(i, j)),
			what == circumstances && strings.Contains(r.between(r.neighbour(j, -1), j), ","):
			return what != nothing
		default:
			what = got
			change(s)
		}
	}
	return what != nothing
}

// isAskedInstead reports whether the treatment at span j, the question's last, follows one that span i denies behind a
// comma alone, with no treatment before span i: "no cisplatin, carboplatin?" asks for the second, "A without B, C" does
// not.
func (r *reader) isAskedInstead(i, j int) bool {
	isDrug := func(s span) bool { return s.content() == drugs }
	if !isDrug(r.spans[j]) || !strings.ContainsAny(r.between(r.neighbour(j, -1), j), ",，") ||
		slices.ContainsFunc(r.spans[:i], isDrug) {
		return false
	}

	for k := i + 1; k < len(r.spans); k++ {
		got := r.spans[k].content()
		if r.isListWord(k) || k > j && got != nothing && got != drugs {
			return false
		}
	}
	return true
}

// isAlone reports whether the drug at span j is given alone, and so is not in a list of denied ones: "no RT, TMZ
// alone".
func (r *reader) isAlone(j int) bool {
	past := r.spans[j].past
	return r.spans[j].content() == drugs && past < len(r.tokens) && alone(r.tokens[past].key)
}

// isPassed reports whether a word of absence reaches over span j: fillers and words of lists.
func (r *reader) isPassed(j int) bool {
	s := &r.spans[j]
	return r.isListWord(j) || r.isListed(s, wordsFillers) && !presence(r.tokens[s.first].key) ||
		r.isListed(s, wordsSoFar) || r.isAbsence(s) || r.tokens[s.first].key == "re" && r.gapAfter(j) == "-" // "Re-OP"
}

// isListedTo reports whether a list's sign or word stands before span j.
func (r *reader) isListedTo(j int) bool {
	for k := j - 1; k >= 0; k-- {
		if gap := r.between(k, k+1); strings.ContainsAny(gap, ",/&+") || r.isListWord(k) {
			return !strings.Contains(gap, ",") || !r.endsClause(r.spans[k+1].first)
		}

		if s := &r.spans[k]; !s.gone && !(r.isListed(s, wordsFillers) && functionWords(s.key)) {
			return false
		}
	}
	return false
}

// deny makes all values of a span absent. An absent value stays so: it is not certain that "without ER-negative" means
// "ER-positive".
func deny(s *span) {
	s.restate(denied)

	for k := range s.drugs {
		s.drugs[k].Role = Withheld
	}
}

// restate changes the status of all values of a span but its drugs.
func (s *span) restate(status func(Status) Status) {
	for k := range s.alts {
		s.alts[k].Status, s.alts[k].Either = status(s.alts[k].Status), 0
	}

	for k := range s.marks {
		s.marks[k].Status, s.marks[k].Either = status(s.marks[k].Status), 0
	}

	for k := range s.concepts {
		s.concepts[k].Status = status(s.concepts[k].Status)
	}

	for k := range s.sets {
		s.sets[k].Status = status(s.sets[k].Status)
	}
}

func denied(s Status) Status {
	if s == WildType {
		return NotWildType
	}
	return Absent
}

// neighbour returns the nearest span from i in a direction that fills a slot; -1 if there is none.
func (r *reader) neighbour(i, step int) int {
	return r.nearest(i, step, func(s *span) bool { return s.content() != nothing })
}

// nearest returns the nearest span from i in a direction for which is holds; -1 if there is none.
func (r *reader) nearest(i, step int, is func(*span) bool) int {
	for j := i + step; j >= 0 && j < len(r.spans); j += step {
		if is(&r.spans[j]) {
			return j
		}
	}
	return -1
}
