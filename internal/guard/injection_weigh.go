package guard

import (
	"slices"
	"strings"

	"dossier/internal/text"
)

// minWeight is the weight from which a passage is an injection. An unambiguous sign weighs as much alone; otherwise it
// takes two of the three: an addressee, what to disregard, what to grade and how.
const minWeight = 3

// weight is what a sentence's signs come to, by kind. Kinds add up, over two sentences too; signs of one kind do not,
// since a description of a scale holds many an order to grade.
type weight struct{ address, setAside, grading int }

// weigh reads one sentence; room is for its words.
func weigh(sentence string, room *[]cueToken) weight {
	text := normalForm(sentence)
	if strings.ContainsAny(text, "<[#{|>") && (holdsAny(text, controlTokens) || callTag().MatchString(text)) ||
		strings.IndexByte(text, '_') >= 0 && holdsAny(text, replyFields) {
		return weight{address: minWeight}
	}
	*room = tokens(text, *room)

	s := clause(*room)
	if s.takesTurn(text) {
		return weight{address: minWeight}
	}
	w := weight{setAside: s.setsAside(), grading: max(s.gradesPaper(), s.paperMustGet(), s.sinksOthers())}
	w.address = s.addresses(w.setAside > 0 || w.grading >= minWeight)
	return w
}

// controlTokens part the turns of a conversation with a model, in the formats that models are trained on; replyFields
// are what screening asks models for. Neither has any place in a paper.
var (
	controlTokens = []string{
		"<|im_", "<|system", "<|user", "<|assistant", "<|end", "<|eot", "<|start", "<|begin",
		"[inst]", "[/inst]", "<<sys>>", "<start_of_turn>", "<end_of_turn>", "[system]", "[assistant]",
		"<system>", "</system>", "<system_prompt>", "<assistant>", "</assistant>", "<instructions>", "</instructions>",
		"### system", "### instruction", "### human", "### user", "### assistant", "### response",
		`"role": "system"`, `"role":"system"`, "begin system prompt", "end of system prompt",
	}
	replyFields = []string{"relevance_score", "is_relevant", "matched_criteria", "key_findings"}
)

// callTag matches a tag of words joined by an underscore, the form in which tool calls and results are shown to models
// (<tool_result>); no markup of papers has such names.
var callTag = text.LazyRegexp(`</?[a-z]+(?:_[a-z]+)+[ >]`)

// speakers are those whose turn in a conversation with a model a text can pass itself off as.
var speakers = []string{"system", "user", "human", "assistant"}

// takesTurn reports whether a sentence begins as a turn in a conversation with a model, which receives an instruction
// there.
func (s clause) takesTurn(text string) bool {
	speaker, _, said := strings.Cut(strings.TrimLeft(text, " \n"), ":")
	return said && len(s) > 1 && s[0].closes && s.is(1, signPolite|signYou) && slices.Contains(speakers, speaker)
}

func holdsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// clause is a sentence's words.
type clause []cueToken

// is reports whether word i is there and has one of the signs.
func (s clause) is(i int, signs sign) bool { return i >= 0 && i < len(s) && s[i].signs&signs != 0 }

// find gives the first word from up to, not including, to that has one of the signs; -1 where there is none.
func (s clause) find(from, to int, signs sign) int {
	for i := max(from, 0); i < min(to, len(s)); i++ {
		if s[i].signs&signs != 0 {
			return i
		}
	}
	return -1
}

// orderedAt reports whether the verb at i is an order rather than a description: it opens a clause, follows "please",
// "must" or another order, or the reader is addressed before it. Chinese verbs do not show it.
func (s clause) orderedAt(i int) bool {
	if s[i].han || s[i].opens {
		return true
	}

	before := i - 1
	for s.is(before, signFiller) && before > i-3 {
		before--
	}
	return s.is(before, signPolite|signAnd|signMust|signYou|signNot) || s.find(i-20, i, signYou) >= 0 || s.endsDuty(i)
}

// endsDuty reports whether the verb at i ends a clause with a duty in it, as German verbs do.
func (s clause) endsDuty(i int) bool {
	return s.is(i, signBare) && s[i].closes && s.find(i-10, i, signMust) >= 0
}

// setsAside weighs orders to set instructions, or the other papers, aside.
func (s clause) setsAside() int {
	heaviest := 0
	for i := range s {
		unheeded := s.is(i, signObey) && s.find(i-3, i+4, signNot) >= 0
		if (unheeded || s.is(i, signSetAside) && !s.is(i-1, signNot)) && s.orderedAt(i) {
			heaviest = max(heaviest, s.setAsideFrom(i))
		}
		// previous instructions must be ignored
		if what := s.find(i-9, i, signOrders); what >= 0 && s.is(i, signDropped) &&
			s.find(what-3, what+4, signEarlier) >= 0 && s.find(what, i, signMust) >= 0 {
			heaviest = minWeight
		}
	}
	return heaviest
}

func (s clause) setAsideFrom(verb int) int {
	const reach = 10

	which := s.find(verb+1, verb+reach, signEarlier) >= 0
	if s.find(verb+1, verb+reach, signOrders) >= 0 {
		return 2 + one(which)
	}

	if s.find(verb+1, verb+reach, signRules) >= 0 {
		return 1 + 2*one(which)
	}

	if s.find(verb+1, verb+reach, signStandards) >= 0 {
		return 1 + one(which)
	}

	if others := s.find(verb+1, verb+5, signOther); others >= 0 && s.find(others-3, others+4, signPaper) >= 0 {
		return 2 + one(which)
	}
	above := s.find(verb+1, verb+5, signEarlier) // ignore everything above
	return one(above >= 0 && (s[above].closes || s.is(above+1, signAnd)))
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// gradesPaper weighs orders to give this paper, or something, a full mark.
func (s clause) gradesPaper() int {
	const reach = 14

	heaviest := 0
	for i := range s {
		if !s.is(i, signGrading) || !s.orderedAt(i) {
			continue
		}

		if s.is(i, signAsNoun) && !s[i].han && s.find(i+1, i+3, signThis|signThe|signPaper) < 0 && !s.next(i, "it") {
			continue // a score, a rate
		}

		from, to := i+1, i+reach
		switch {
		case s[i].han: // 把本文标记为
			from = i - 6
		case s.endsDuty(i):
			from, to = i-reach, i
		}
		mine := s.thisPaper(from, to) || s.next(i, "it") || s.is(i+1, signThis) && s.isFull(i+2)
		graded := s.find(from, to, signGrade) >= 0
		praised := s.find(from, to, signPraise) >= 0
		only := s.find(i-1, to, signPolite) >= 0

		first := s.next(i, "it") && s.next(i+1, "above") && s.find(i+3, i+6, signOther) >= 0 // rank it above the rest
		switch full := s.fullMark(from, to, true); {
		case mine && (full || praised), praised && graded && only:
			heaviest = minWeight
		case first, graded && (full || praised) && s.find(i-reach, i+reach, signScale) < 0:
			heaviest = max(heaviest, 2)
		}
	}
	return heaviest
}

// next reports whether the word behind i is this one.
func (s clause) next(i int, word string) bool { return i+1 < len(s) && s[i+1].text == word }

// thisPaper reports whether words name the paper itself: this article, the study, 本文.
func (s clause) thisPaper(from, to int) bool {
	for i := s.find(from, to, signPaper); i >= 0; i = s.find(i+1, to, signPaper) {
		if s.is(i, signThis) || s.find(i-2, i, signThis|signThe) >= 0 && s.find(i-3, i+2, signOther) < 0 {
			return true
		}
	}
	return false
}

// fullMark reports whether words hold a full mark. anyVerdict takes "relevant" and "a guideline" for one.
func (s clause) fullMark(from, to int, anyVerdict bool) bool {
	for i := max(from, 0); i < min(to, len(s)); i++ {
		if s.isFull(i) || s.is(i, signTop) && s.find(i-4, i+5, signGrade) >= 0 || anyVerdict && s.is(i, signVerdict) {
			return true
		}
	}
	return false
}

// isFull is true of figures that are a mark: neither the end of a range, nor a count of something, nor the name of a
// scale.
func (s clause) isFull(i int) bool {
	return s.is(i, signFull) && (s.endsFigure(i) || s.is(i+1, signOutOf) && s.is(i+2, signFull))
}

func (s clause) endsFigure(i int) bool {
	for j := max(0, i-2); j < i; j++ {
		if c := s[j].text[0]; c >= '0' && c <= '9' {
			return false
		}
	}

	if s.find(i+1, i+4, signScale) >= 0 {
		return false
	}
	return s[i].closes || s.is(i+1,
		signGrade|signToward|signPaper|signAnd|signFiller|signPolite|signThis|signThe|signOther|
			signBare|signGraded|signGrading|signMust)
}

// paperMustGet weighs what this paper must be given, without saying to whom.
func (s clause) paperMustGet() int {
	const reach = 14
	for i := s.find(0, len(s), signPaper); i >= 0; i = s.find(i+1, len(s), signPaper) {
		article := s.find(i-2, i, signThis|signThe)

		mine := s.is(i, signThis) || article >= 0 && s.is(article, signThis)
		if article < 0 && !mine || article > 0 && s.is(article-1, signInside) && !s[article].opens {
			continue // in this paper
		}
		duty := s.find(i+1, i+5, signMust) >= 0 || s.is(len(s)-1, signBare)

		verb := s.find(i+1, i+reach, signGraded|signBare) >= 0 || s[i].han && s.find(i+1, i+reach, signGrading) >= 0
		if !duty || !verb {
			continue
		}

		marked := s.fullMark(i+1, i+reach, false) && s.find(i+1, i+reach, signGrade) >= 0
		if marked || mine && s.fullMark(i+1, i+reach, true) {
			return minWeight
		}
	}
	return 0
}

// sinksOthers weighs what is to become of the other papers.
func (s clause) sinksOthers() int {
	const reach = 14

	heaviest := 0
	for i := s.find(0, len(s), signOther); i >= 0; i = s.find(i+1, len(s), signOther) {
		if s.is(i-1, signInside) && !s[i].opens && s.find(i-8, i, signGrading) < 0 {
			continue // in other papers
		}
		papers := s.find(i-2, i+4, signPaper)
		last := max(i, papers)
		verb := s.find(last+1, i+reach, signGets|signGrading|signMust)
		low := s.find(last+1, i+reach, signNought|signUnfit)
		direct := low >= 0 && s[last].closes && low <= last+1 || low == last+1
		wished := low > verb && verb >= 0
		before := s.find(i-8, i, signGrading)

		ordered := before >= 0 && s.orderedAt(before) && s.find(before+1, i+reach, signNought|signUnfit) >= 0
		switch {
		case !ordered && (!wished && !direct || !s.endsFigure(low)):
		case papers < 0 || !ordered && !direct && !s.is(verb, signMust|signGrading) && s.is(low, signUnfit) && !s[low].han:
			heaviest = max(heaviest, 2) // all other studies are irrelevant
		default:
			heaviest = minWeight
		}
	}
	return heaviest
}

// addresses weighs the addressee. ordered means that the sentence gives an order, which makes a mention an address.
func (s clause) addresses(ordered bool) int {
	heaviest := 0
	for i := 0; i < len(s); i++ {
		end, named := s.modelAt(i)
		if !named && !s.is(i, signRole) {
			continue
		}
		heaviest = max(heaviest, s.addressAt(i, end, named, ordered))
		i = end
	}
	return heaviest
}

// modelAt reports whether a model is named from i on (an AI, a language model, automated reviewers, modèles de
// langage), and the last word of the name.
func (s clause) modelAt(i int) (end int, named bool) {
	const part = signMachine | signModel
	// behind reports whether a word of the name follows word j, with "de" between them or not.
	behind := func(j int, signs sign) bool {
		return !s[j].closes && (s.is(j+1, signs) || s.is(j+1, signFiller|signThe) && !s[j+1].closes && s.is(j+2, signs))
	}
	switch {
	case s.is(i, signModel):
	case s.is(i, signMachine) && (behind(i, signRole) || behind(i, signMachine) && behind(i+1, signRole)):
	case s.is(i, signRole) && behind(i, part):
	default:
		return i, false
	}

	for end = i; s.is(end+1, signRole) && !s[end].closes || behind(end, part) ||
		end > i && s.is(end, signFiller|signThe); {
		end++
	}
	return end, true
}

func (s clause) addressAt(start, end int, named, ordered bool) int {
	from := start
	for from > start-8 && !s[from].opens &&
		s.is(from-1, signToward|signThe|signThis|signEarlier|signFiller|signHail|signGreeting|signMachine) {
		from--
	}

	if from > 0 && s.is(from-1, signHail|signGreeting) { // attention, all AI reviewers
		from--
	}

	hailed, greeted := s.find(from, start, signHail) >= 0 && s[from].opens, s.find(from, start, signGreeting) >= 0
	// AI reviewers, please note
	if s.is(end+1, signPolite) && s.is(end+2, signHail) || s.is(end+1, signHail) && s[end+1].han {
		return minWeight
	}
	follows := s[end].closes || s.is(end+1, signWhoReads|signMust|signYou|signPolite|signSetAside|signGrading)
	said := s.find(start-5, start, signYou|signFormal)
	spoken := said >= 0 && (s.find(said+1, start, signBeing) >= 0 || s.is(end+1, signBeing)) // you are
	asked := s.find(start-6, start, signWhether) >= 0

	reads := s.find(end+1, end+7, signWhoReads) >= 0 && s.find(end+1, end+5, signThis) >= 0
	switch withRole := s.find(start, end+1, signRole) >= 0; {
	case !named && reads && s[from].opens && s.find(end+1, len(s), signMust) >= 0: // agents that read this are expected to
		return 2
	case !named:
		return one(hailed && follows || greeted && follows || s.find(end+1, end+3, signMust) >= 0 && ordered)
	case hailed && follows, greeted && follows && withRole, spoken && asked: // if you are an AI
		return minWeight
	case s[from].opens && s.is(from, signToward) && s[end].closes, // for AI reviewers:
		asked && (s[end].closes || s.find(end+1, end+5, signYou|signPolite) >= 0 || ordered), // as a language model,
		reads && (asked || s[from].opens): // an AI that reads this
		return 2
	}
	return one(ordered || greeted)
}
