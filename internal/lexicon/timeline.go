package lexicon

import (
	"cmp"
	"slices"
	"strings"
)

// timeline separates the treatments that a note lists as given, in order, from those that it then asks about: "osi x14
// mo, PD: savolitinib?", "VRd -> ASCT -> len, relapse, DKd or cilta-cel", "16 wks FOLFIRINOX w/ SD -> olaparib?". A
// course is over if its outcome or its length stands between it and the next treatment, and a sign or a word ends the
// clause before that one; then all earlier courses are over too.
func (r *reader) timeline() {
	asked := r.askedSpans()

	past := 0
	for k := 1; k < len(asked); k++ {
		if r.isOverBefore(asked[k-1], asked[k]) {
			past = k
		}
	}

	if n := len(asked); n > 0 && r.asksWhatFollows(asked[n-1]) {
		past = n
	}

	if past == 0 {
		return
	}

	next := len(r.spans)
	if past < len(asked) {
		next = asked[past]
	}

	isLast := true // of the courses that are over, the last may be under way
	for k := past - 1; k >= 0; k-- {
		role := Prior
		if isLast && r.isUnfinished(asked[k], asked[past-1], next) {
			role = Background
		}
		r.tell(asked[k], role)
		isLast = isLast && k > 0 && !r.hasBreak(asked[k-1], asked[k])
	}
	r.restart(asked[past:])
}

// tell gives the asked treatments at span i the role of treatments that a note states before it asks.
func (r *reader) tell(i int, role DrugRole) {
	if r.isOver(i) {
		role = Prior
	}

	for k := range r.spans[i].drugs {
		if d := &r.spans[i].drugs[k]; d.isAsked() {
			d.Role, d.step, d.arm, d.stated = role, 0, 0, true
		}
	}
}

// restart counts the order of the asked treatments from the first of them.
func (r *reader) restart(asked []int) {
	first := 0
	for _, i := range asked {
		for k := range r.spans[i].drugs {
			d := &r.spans[i].drugs[k]
			if d.Role != Then {
				continue
			}

			if first == 0 {
				first = d.step
			}

			if d.step -= first; d.step <= 0 {
				d.Role, d.step = Given, 0
			}
		}
	}
}

// isOverBefore reports whether the course at span a is over when the treatment at span b is asked about.
func (r *reader) isOverBefore(a, b int) bool {
	if r.spans[a].end >= r.spans[b].start || r.spans[b].open {
		return false
	}

	for j := a + 1; j < b; j++ {
		if r.isOutcome(j) && r.hasBreak(j, b) {
			return !r.isChoiceBetween(a, j)
		}
	}
	// a "now", or a length, implies that a treatment was given only if it is not planned
	isNow := r.spans[b].past < len(r.tokens) && nows(r.tokens[r.spans[b].past].key)
	isLong := r.lengthOf(a) != "" && r.lengthOf(b) == ""
	return (isNow || isLong) && !r.isChoiceBetween(a, b) && r.hasBreak(a, b) && r.asksOf(b) && !r.isPlanned(a, b)
}

// asksWhatFollows reports whether a note ends with the failure of the treatment at span i, and asks what to do next.
func (r *reader) asksWhatFollows(i int) bool {
	for j := i + 1; j < len(r.spans); j++ {
		if !r.isOutcome(j) || !r.isEnded(j) {
			continue
		}

		for k := r.spans[j].past; k < len(r.tokens); k++ {
			if r.breaksAt(k) {
				isStated := r.lengthOf(i) != "" || r.spans[j].first > 0 && nows(r.tokens[r.spans[j].first-1].key)
				return isStated && strings.ContainsAny(r.text[r.tokens[k].end:], "?？") ||
					slices.ContainsFunc(r.tokens[k:], func(t token) bool { return asksWhat(t.key) })
			}
		}
		return false
	}
	return false
}

// isUnfinished reports whether the last of the courses that are over when the treatment at span next is asked about may
// be under way: it began at a time and nothing ended it, or the other is to be added.
func (r *reader) isUnfinished(i, last, next int) bool {
	if next < len(r.spans) && slices.ContainsFunc(r.tokens[r.clauseOf(r.spans[next].first):r.spans[next].first],
		func(t token) bool { return adds(t.key) }) {
		return true
	}

	isAnswered := false
	for j := last + 1; j < next; j++ {
		switch s := &r.spans[j]; {
		case s.is(KindSetting) && s.entry.Name == "oligoprogression": // a treatment may continue beyond it
			return true
		case !r.isOutcome(j):
		case r.isEnded(j):
			return false
		default:
			isAnswered = true
		}
	}
	length := cmp.Or(r.lengthOf(i), r.lengthOf(last))
	isFinished := length == "" || strings.HasSuffix(length, " cycles") || strings.HasPrefix(length, untilWhen)
	return strings.HasPrefix(length, sinceWhen) || !isAnswered && !isFinished
}

// isOutcome reports whether span j is the outcome of a treatment: the disease responded, progressed or came back.
func (r *reader) isOutcome(j int) bool {
	s := &r.spans[j]
	if s.content() != circumstances || !s.is(KindSetting) || timed(r.tokens[s.past-1].key) ||
		s.past < len(r.tokens) && timed(r.tokens[s.past].key) {
		return false
	}
	answers := []string{"response", "remission", "stable disease", "no evidence of disease", "residual disease"}
	isNamed := func(word string) bool { return strings.HasSuffix(s.entry.Name, word) }
	return isEnding(s.entry) || !strings.HasPrefix(s.entry.Name, "duration") && slices.ContainsFunc(answers, isNamed)
}

// isEnded reports whether an outcome means that the treatment did not work, or no longer does.
func (r *reader) isEnded(j int) bool {
	s := &r.spans[j]
	return isEnding(s.entry) == (s.sets[0].Status == Present)
}

// isEnding reports whether a setting means that a treatment did not work, or no longer does.
func isEnding(e *Entry) bool {
	isOther := strings.Contains(e.Name, "survival") || strings.Contains(e.Name, "within") ||
		strings.HasPrefix(e.Name, "oligo")
	return !isOther && slices.ContainsFunc([]string{"progressi", "relapse", "recurren", refractory, "after failure"},
		func(word string) bool { return strings.Contains(e.Name, word) })
}

// isChoiceBetween reports whether a word between spans a and b, such as "or", sets alternatives against each other.
func (r *reader) isChoiceBetween(a, b int) bool {
	for k := r.spans[a].past; k < r.spans[b].first; k++ {
		if key := r.tokens[k].key; isOr(key) || r.lexicon.wordList(key).name() == wordsComparison {
			return true
		}
	}
	return false
}

// hasBreak reports whether a clause ends behind span i and before the end of span j's first token.
func (r *reader) hasBreak(i, j int) bool {
	for k := r.spans[i].past; k <= r.spans[j].first; k++ {
		if r.breaksAt(k) {
			return true
		}
	}
	return false
}

// breaksAt reports whether another clause of a note begins at token k, by a sign before it or as a word like "now".
func (r *reader) breaksAt(k int) bool {
	if k == 0 || r.tokens[k-1].end > r.tokens[k].start {
		return false
	}
	before, gap := &r.tokens[k-1], r.text[r.tokens[k-1].end:r.tokens[k].start]
	isNumber := gap == "," && isDigit(before.raw[len(before.raw)-1]) && isDigit(r.tokens[k].raw[0])
	return !isNumber && (parts(gap) || strings.ContainsAny(gap, ",，、") || arrow(gap)) || nows(r.tokens[k].key)
}

// asksOf reports whether the clause with the treatment at span i, or a later one, asks: by a question mark or a choice.
func (r *reader) asksOf(i int) bool {
	return r.isQuestion(i) || slices.ContainsFunc(r.tokens[r.spans[i].past:], func(t token) bool { return isOr(t.key) })
}

// isPlanned reports whether an arrow or a word of order leads from span a to span b, and a's length is in cycles: plans
// are written so, too.
func (r *reader) isPlanned(a, b int) bool {
	isOrdered := arrow(r.text[r.spans[a].end:r.spans[b].start])
	for j := a + 1; j < b; j++ {
		next := r.neighbour(j, 1)
		isOrdered = isOrdered || r.isListed(&r.spans[j], wordsSequence) && next >= 0 && !r.isEvent(next)
	}
	return isOrdered && strings.HasSuffix(r.lengthOf(a), " cycles")
}

// lengthOf returns how long, how often or since when the treatment at span i was given, by a span behind it, behind
// those given with it, or before it; empty if there is none.
func (r *reader) lengthOf(i int) string {
	for j := i + 1; j < len(r.spans); j++ {
		switch s := &r.spans[j]; {
		case r.isLength(j):
			return strings.TrimPrefix(s.value, aspectMeasure+": ")
		case r.isLengthPassed(j):
			continue
		}
		break
	}

	for j := i - 1; j >= 0; j-- {
		switch s := &r.spans[j]; {
		case r.isLength(j) && !r.breaksAt(r.spans[j+1].first):
			if before := r.neighbour(j, -1); before >= 0 && r.spans[before].content() == drugs && !r.hasBreak(before, j) {
				return "" // it belongs to the treatment before
			}
			return strings.TrimPrefix(s.value, aspectMeasure+": ")
		case s.content() == drugs && !r.breaksAt(r.spans[j+1].first), s.gone,
			r.isListed(s, wordsFillers) && !r.breaksAt(r.spans[j+1].first):
			continue
		}
		break
	}
	return ""
}

// isLengthPassed reports whether span j may stand between a treatment and its length: a partner, its dose or its
// purpose.
func (r *reader) isLengthPassed(j int) bool {
	s := &r.spans[j]
	if s.gone {
		return true
	}

	if r.hasBreak(j-1, j) {
		return false
	}
	return s.content() == drugs || s.isHowGiven() || s.entry == nil && s.past == s.first+1 &&
		(isDigit(r.tokens[s.first].raw[0]) || howOften(r.tokens[s.first].key) || functionWords(r.tokens[s.first].key))
}

// isLength reports whether span j is how long or how often something was given, or when.
func (r *reader) isLength(j int) bool {
	s := &r.spans[j]
	if s.gone || s.form != setForm || s.bound != "" {
		return false
	}
	length, isMeasure := strings.CutPrefix(s.value, aspectMeasure+": ")
	return isMeasure && (strings.HasPrefix(length, sinceWhen) || strings.HasPrefix(length, untilWhen) ||
		slices.ContainsFunc(lengthUnits, func(unit string) bool { return strings.HasSuffix(length, unit) }))
}

var lengthUnits = []string{" months", " month", " weeks", " week", " years", " year", " days", " cycles", " cycle"}

// The first words of the values of when a treatment began, and of when it ended.
const (
	sinceWhen = "since "
	untilWhen = "until "
)

// recist reads the two-letter responses beside a treatment (CR, PR, SD, PD), whatever else they may mean: the PR of
// "FOLFIRINOX x8, PR" is no progesterone receptor.
func (r *reader) recist() {
	for i := range r.spans {
		s := &r.spans[i]

		name := ""
		if raw := r.tokens[s.first].raw; len(raw) == len("PD") {
			name = recistAnswers()[strings.ToUpper(raw)]
		}

		isWord := s.start == r.tokens[s.first].start && s.past == s.first+1 // and no sign behind one
		if name == "" || !isWord || s.gone || s.is(KindTreatment) || r.isTested(i) ||
			!r.isBehindCourse(i) && !r.isBeforeCourse(i) &&
				!(r.isProgressed(i) && i+1 < len(r.spans) && r.spans[i+1].isTreatment() && r.gapAfter(i) == " ") && // "pd pembro"
				!(i+1 < len(r.spans) && r.spans[i+1].is(KindSite)) { // "PD liver"
			continue
		}

		if e, ok := r.lexicon.Lookup(KindSetting, name); ok {
			s.entry, s.key, s.form, s.list, s.plain = e, fold(e.Name), noForm, 0, false
		}
	}
}

// isBeforeCourse reports whether a word right behind span i leads to the treatment with that response: "PR unter
// FOLFIRINOX".
func (r *reader) isBeforeCourse(i int) bool {
	past := r.spans[i].past
	if past == len(r.tokens) {
		return false
	}
	list := r.lexicon.wordList(r.tokens[past].key).name()
	return (under(r.tokens[past].key) || list == wordsPrior || list == wordsBackground) &&
		slices.ContainsFunc(r.spans[i+1:min(i+4, len(r.spans))], func(s span) bool { return s.isTreatment() })
}

// isBehindCourse reports whether a treatment stands before span i, with no more than its length, settings and markers
// between them.
func (r *reader) isBehindCourse(i int) bool {
	for j := i - 1; j >= 0; j-- {
		s := &r.spans[j]
		switch first := r.tokens[s.first]; {
		case s.isTreatment():
			return true
		case s.gone, r.isLength(j), s.is(KindSetting), s.isMarker(),
			s.entry == nil && (s.list > 0 || isDigit(first.raw[0]) || howOften(first.key)):
			continue
		}
		return false
	}
	return false
}
