package lexicon

import (
	"slices"
	"strings"
)

// governPriors gives the drugs from span first on, which the word at span i governs, the role of earlier ones. In a
// list with a comma those behind the last one may be asked about: "after ipilimumab/nivolumab, encorafenib plus
// binimetinib". Else the comma only separates earlier treatments: "after FOLFOX, FOLFIRI and bevacizumab".
func (r *reader) governPriors(i, first int, role DrugRole) bool {
	list := r.priorList(first, true)

	given := list.drugs
	switch {
	case list.comma == 0 || listsBefore(r.tokens[r.spans[i].past-1].key):
	case r.asksAfter(list), role == Background && !list.and:
		given = given[:list.comma]
	}

	for _, j := range given {
		r.spans[j].assume(role)
	}
	return true
}

// asksAfter reports whether the question asks about the drugs behind a list's last comma.
func (r *reader) asksAfter(list priorList) bool {
	first, last := list.drugs[0], list.drugs[len(list.drugs)-1]
	line, isOpen := r.lineAsked()

	isJoined := r.isJoinedOn(last)
	if line > list.parts || isOpen && !isJoined {
		return false
	}
	return isJoined || !list.and && list.parts == max(line, 2) && !r.asksElsewhere(first, last)
}

// priorList is a list of drugs that were given before, or so it seems.
type priorList struct {
	drugs []int // spans
	comma int   // which of them is the first behind the last comma; 0 if there is none
	parts int   // how many parts the commas make
	and   bool  // between the last ones
	or    bool  // likewise
}

// priorList returns the list of drugs that begins at span first, including those given together if withJoined is set.
func (r *reader) priorList(first int, withJoined bool) priorList {
	list := priorList{drugs: []int{first}, parts: 1}
	for j := first + 1; j < len(r.spans); j++ {
		s := &r.spans[j]
		if !s.gone && s.content() != drugs && r.isUnder(j) { // "after sunitinib, on warfarin"
			break
		}

		if s.content() != drugs && (s.gone || r.isPassed(j) || withJoined && (r.isHowOften(j) ||
			s.entry == nil && s.past == s.first+1 && joinsOnly(r.tokens[s.first].key))) {
			continue
		}
		between := r.between(list.drugs[len(list.drugs)-1], j)

		if withJoined && r.isHowListed(j) {
			continue
		}

		isPaired := s.content() == drugs && withJoined && r.isPaired(list.drugs, j)
		if s.content() != drugs || !isPaired && !r.isListedTo(j) && !r.isHowListed(j-1) &&
			!(withJoined && list.parts == 1 && r.isGivenWith(between)) {
			break
		}

		if asksAnew(between) {
			break
		}

		isAnd := anyWord(between, ands)
		if strings.Contains(between, ",") {
			list.comma, list.and = len(list.drugs), isAnd
			list.parts++
		}
		list.and = list.and || isAnd
		list.or = anyWord(between, isOr)
		list.drugs = append(list.drugs, j)
	}
	return list
}

// isHowListed reports whether span j is a word, behind a list word like "and", on how the treatment right behind it was
// given: "after A and previous B", "nach A und hochdosiertem B".
func (r *reader) isHowListed(j int) bool {
	return r.describesTreatment(&r.spans[j]) && r.gapAfter(j) == " " && j > 0 && r.isListWord(j-1) &&
		r.gapAfter(j-1) == " " && j+1 < len(r.spans) && r.spans[j+1].content() == drugs && ands(r.tokens[r.spans[j-1].first].key)
}

// isPaired reports whether span j is the second drug of a word that holds two, or follows such a word and is known to
// be given with both: "cisgem durva".
func (r *reader) isPaired(before []int, j int) bool {
	last := before[len(before)-1]
	if r.spans[last].first == r.spans[j].first {
		return true
	}
	isPair := len(before) > 1 && r.spans[before[len(before)-2]].first == r.spans[last].first
	return isPair && r.gapAfter(last) == " " && r.lexicon.areGivenTogether(slices.Concat(
		r.spans[before[len(before)-2]].drugs, r.spans[last].drugs, r.spans[j].drugs))
}

// asksAnew reports whether a text between two treatments begins another question: "after breast conservation, or is
// mastectomy preferred?"
func asksAnew(between string) bool {
	words := tokenize(between)
	at := slices.IndexFunc(words, func(t token) bool { return isOr(t.key) })
	return at >= 0 && slices.ContainsFunc(words[at:], func(t token) bool { return auxiliary(t.key) })
}

// isGivenWith reports whether the text between two drugs makes one regimen of them: "after carboplatin-pemetrexed",
// "after FOLFOX plus bevacizumab", "after surgery + 6 x carboplatin".
func (r *reader) isGivenWith(between string) bool {
	words := slices.DeleteFunc(tokenize(between), func(t token) bool { return isDigit(t.raw[0]) || howOften(t.key) })
	isJoined := slices.ContainsFunc(words, func(t token) bool { return joinsOnly(t.key) }) ||
		strings.Contains(between, "+")
	isOther := slices.ContainsFunc(words, func(t token) bool { return !joinsOnly(t.key) })
	return isJoined && !isOther && !strings.ContainsAny(between, ",;:.?") || between == "-" || between == "–"
}

// isHowOften reports whether span j is how often, for how long or in which amount a treatment was given: "6 x", "3
// cycles of".
func (r *reader) isHowOften(j int) bool {
	s := &r.spans[j]
	first := &r.tokens[s.first]
	return r.isAmount(j) || s.entry == nil && s.past == s.first+1 && (isDigit(first.raw[0]) || howOften(first.key))
}

// isNumberedLine reports whether span i is a line of treatment.
func (r *reader) isNumberedLine(i int) bool {
	s := &r.spans[i]
	return s.is(KindSetting) && lineNumbers[s.entry.Name] > 0 && len(s.sets) > 0
}

// isAmount reports whether span i is how long something was given, or how much of it: "after 5 years of tamoxifen",
// "after 70 Gy IMRT".
func (r *reader) isAmount(i int) bool {
	s := &r.spans[i]
	isTime := strings.HasSuffix(s.value, " years") && strings.HasPrefix(r.text[s.end:], " of ")
	return s.form == setForm && s.bound == "" && (strings.HasPrefix(s.value, aspectMeasure) || isTime)
}

// passLines marks the lines between spans i and first, in which a drug was given before, as not asked about: "after
// first-line osimertinib" asks what comes next, and so does "after first line".
func (r *reader) passLines(i, first int) (passed bool) {
	for j := i + 1; j < min(first, len(r.spans)); j++ {
		if r.isNumberedLine(j) {
			c := &r.spans[j].sets[0]
			c.Value, c.Entry, passed = "after "+c.Value, nil, true
		}
	}
	return passed
}

// passPhases marks the phase of an earlier treatment as not asked about: in "after R-Benda and R maintenance" the
// maintenance is over, and so is the induction of "GP诱导后".
func (r *reader) passPhases() {
	for i := range r.spans {
		s := &r.spans[i]
		if !s.is(KindSetting) || len(s.sets) == 0 || s.sets[0].Entry == nil || !phases(s.entry.Name) {
			continue
		}

		of := r.neighbour(i, 1)
		if of < 0 || r.spans[of].content() != drugs || strings.Trim(r.between(i, of), " -") != "" {
			of = r.neighbour(i, -1)
			if of < 0 || r.spans[of].content() != drugs || phaseEnds(r.between(of, i)) {
				continue
			}
		}

		if r.spans[of].drugs[0].isEarlier() {
			s.sets[0].Value, s.sets[0].Entry = "after "+s.sets[0].Value, nil
		}
	}
}

// phaseEnds reports whether a sign separates a treatment from a phase of a course.
func phaseEnds(gap string) bool { return parts(gap) || strings.ContainsAny(gap, ",，()+.") }

// lineAsked returns the number of the line of treatment that a question is about, 0 if it names none. It is open if the
// question asks what comes next.
func (r *reader) lineAsked() (line int, isOpen bool) {
	for i := range r.spans {
		s := &r.spans[i]
		switch {
		case s.gone:
		case s.is(KindSetting) && s.entry.Aspect == "line" && len(s.sets) > 0 && s.sets[0].Entry != nil:
			line = max(line, lineNumbers[s.entry.Name])
			isOpen = isOpen || s.entry.Name == "later-line" || s.entry.Name == "treatment sequencing"
		case s.entry == nil:
			isOpen = isOpen || asksWhat(r.tokens[s.first].key)
		}
	}
	return line, isOpen
}

var lineNumbers = map[string]int{"first-line": 1, "second-line": 2, "second-line or later": 2, "third-line": 3,
	"third-line or later": 3, "fourth-line": 4}

// isJoinedOn reports whether the drug at span i is one of a combination, or of a comparison, with the one that follows.
func (r *reader) isJoinedOn(i int) bool {
	next := r.neighbour(i, 1)
	if next < 0 || r.spans[next].content() != drugs {
		return false
	}
	joins := func(key string) bool {
		return joinsDrugs(key) && !ands(key) || key == "vs" || key == "versus" || sequenceWords(key) && key != "by"
	}
	between := r.between(i, next)
	return !strings.ContainsAny(between, ",;:.?") && (between == "-" || strings.ContainsAny(between, "+±") ||
		isOnly(between, joins) && len(tokenize(between)) > 0)
}

// asksElsewhere reports whether a drug outside of spans first to last is asked about.
func (r *reader) asksElsewhere(first, last int) bool {
	for i := range r.spans {
		if (i < first || i > last) && r.spans[i].content() == drugs && r.isAsked(i) {
			return true
		}
	}
	return false
}
