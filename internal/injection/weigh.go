package injection

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
func weigh(sentence string, room *[]token) weight {
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
	return said && len(s) > 1 && s[0].closes && s.is(1, polite|you) && slices.Contains(speakers, speaker)
}

func holdsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// clause is a sentence's words.
type clause []token

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
	for s.is(before, filler) && before > i-3 {
		before--
	}
	return s.is(before, polite|and|must|you|not) || s.find(i-20, i, you) >= 0 || s.endsDuty(i)
}

// endsDuty reports whether the verb at i ends a clause with a duty in it, as German verbs do.
func (s clause) endsDuty(i int) bool {
	return s.is(i, bare) && s[i].closes && s.find(i-10, i, must) >= 0
}

// setsAside weighs orders to set instructions, or the other papers, aside.
func (s clause) setsAside() int {
	heaviest := 0
	for i := range s {
		unheeded := s.is(i, obey) && s.find(i-3, i+4, not) >= 0
		if (unheeded || s.is(i, setAside) && !s.is(i-1, not)) && s.orderedAt(i) {
			heaviest = max(heaviest, s.setAsideFrom(i))
		}
		// previous instructions must be ignored
		if what := s.find(i-9, i, orders); what >= 0 && s.is(i, dropped) &&
			s.find(what-3, what+4, earlier) >= 0 && s.find(what, i, must) >= 0 {
			heaviest = minWeight
		}
	}
	return heaviest
}

func (s clause) setAsideFrom(verb int) int {
	const reach = 10

	which := s.find(verb+1, verb+reach, earlier) >= 0
	if s.find(verb+1, verb+reach, orders) >= 0 {
		return 2 + one(which)
	}

	if s.find(verb+1, verb+reach, rules) >= 0 {
		return 1 + 2*one(which)
	}

	if s.find(verb+1, verb+reach, standards) >= 0 {
		return 1 + one(which)
	}

	if others := s.find(verb+1, verb+5, other); others >= 0 && s.find(others-3, others+4, paper) >= 0 {
		return 2 + one(which)
	}
	above := s.find(verb+1, verb+5, earlier) // ignore everything above
	return one(above >= 0 && (s[above].closes || s.is(above+1, and)))
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
		if !s.is(i, grading) || !s.orderedAt(i) {
			continue
		}

		if s.is(i, asNoun) && !s[i].han && s.find(i+1, i+3, this|the|paper) < 0 && !s.next(i, "it") {
			continue // a score, a rate
		}

		from, to := i+1, i+reach
		switch {
		case s[i].han: // 把本文标记为
			from = i - 6
		case s.endsDuty(i):
			from, to = i-reach, i
		}
		mine := s.thisPaper(from, to) || s.next(i, "it") || s.is(i+1, this) && s.isFull(i+2)
		graded := s.find(from, to, grade) >= 0
		praised := s.find(from, to, praise) >= 0
		only := s.find(i-1, to, polite) >= 0

		first := s.next(i, "it") && s.next(i+1, "above") && s.find(i+3, i+6, other) >= 0 // rank it above the rest
		switch full := s.fullMark(from, to, true); {
		case mine && (full || praised), praised && graded && only:
			heaviest = minWeight
		case first, graded && (full || praised) && s.find(i-reach, i+reach, scale) < 0:
			heaviest = max(heaviest, 2)
		}
	}
	return heaviest
}

// next reports whether the word behind i is this one.
func (s clause) next(i int, word string) bool { return i+1 < len(s) && s[i+1].text == word }

// thisPaper reports whether words name the paper itself: this article, the study, 本文.
func (s clause) thisPaper(from, to int) bool {
	for i := s.find(from, to, paper); i >= 0; i = s.find(i+1, to, paper) {
		if s.is(i, this) || s.find(i-2, i, this|the) >= 0 && s.find(i-3, i+2, other) < 0 {
			return true
		}
	}
	return false
}

// fullMark reports whether words hold a full mark. anyVerdict takes "relevant" and "a guideline" for one.
func (s clause) fullMark(from, to int, anyVerdict bool) bool {
	for i := max(from, 0); i < min(to, len(s)); i++ {
		if s.isFull(i) || s.is(i, top) && s.find(i-4, i+5, grade) >= 0 || anyVerdict && s.is(i, verdict) {
			return true
		}
	}
	return false
}

// isFull is true of figures that are a mark: neither the end of a range, nor a count of something, nor the name of a
// scale.
func (s clause) isFull(i int) bool {
	return s.is(i, full) && (s.endsFigure(i) || s.is(i+1, outOf) && s.is(i+2, full))
}

func (s clause) endsFigure(i int) bool {
	for j := max(0, i-2); j < i; j++ {
		if c := s[j].text[0]; c >= '0' && c <= '9' {
			return false
		}
	}

	if s.find(i+1, i+4, scale) >= 0 {
		return false
	}
	return s[i].closes || s.is(i+1, grade|toward|paper|and|filler|polite|this|the|other|bare|graded|grading|must)
}

// paperMustGet weighs what this paper must be given, without saying to whom.
func (s clause) paperMustGet() int {
	const reach = 14
	for i := s.find(0, len(s), paper); i >= 0; i = s.find(i+1, len(s), paper) {
		article := s.find(i-2, i, this|the)

		mine := s.is(i, this) || article >= 0 && s.is(article, this)
		if article < 0 && !mine || article > 0 && s.is(article-1, inside) && !s[article].opens {
			continue // in this paper
		}
		duty := s.find(i+1, i+5, must) >= 0 || s.is(len(s)-1, bare)

		verb := s.find(i+1, i+reach, graded|bare) >= 0 || s[i].han && s.find(i+1, i+reach, grading) >= 0
		if !duty || !verb {
			continue
		}

		marked := s.fullMark(i+1, i+reach, false) && s.find(i+1, i+reach, grade) >= 0
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
	for i := s.find(0, len(s), other); i >= 0; i = s.find(i+1, len(s), other) {
		if s.is(i-1, inside) && !s[i].opens && s.find(i-8, i, grading) < 0 {
			continue // in other papers
		}
		papers := s.find(i-2, i+4, paper)
		last := max(i, papers)
		verb := s.find(last+1, i+reach, gets|grading|must)
		low := s.find(last+1, i+reach, nought|unfit)
		direct := low >= 0 && s[last].closes && low <= last+1 || low == last+1
		wished := low > verb && verb >= 0
		before := s.find(i-8, i, grading)

		ordered := before >= 0 && s.orderedAt(before) && s.find(before+1, i+reach, nought|unfit) >= 0
		switch {
		case !ordered && (!wished && !direct || !s.endsFigure(low)):
		case papers < 0 || !ordered && !direct && !s.is(verb, must|grading) && s.is(low, unfit) && !s[low].han:
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
		if !named && !s.is(i, role) {
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
	const part = machine | model
	// behind reports whether a word of the name follows word j, with "de" between them or not.
	behind := func(j int, signs sign) bool {
		return !s[j].closes && (s.is(j+1, signs) || s.is(j+1, filler|the) && !s[j+1].closes && s.is(j+2, signs))
	}
	switch {
	case s.is(i, model):
	case s.is(i, machine) && (behind(i, role) || behind(i, machine) && behind(i+1, role)):
	case s.is(i, role) && behind(i, part):
	default:
		return i, false
	}

	for end = i; s.is(end+1, role) && !s[end].closes || behind(end, part) || end > i && s.is(end, filler|the); {
		end++
	}
	return end, true
}

func (s clause) addressAt(start, end int, named, ordered bool) int {
	from := start
	for from > start-8 && !s[from].opens && s.is(from-1, toward|the|this|earlier|filler|hail|greeting|machine) {
		from--
	}

	if from > 0 && s.is(from-1, hail|greeting) { // attention, all AI reviewers
		from--
	}

	hailed, greeted := s.find(from, start, hail) >= 0 && s[from].opens, s.find(from, start, greeting) >= 0
	if s.is(end+1, polite) && s.is(end+2, hail) || s.is(end+1, hail) && s[end+1].han { // AI reviewers, please note
		return minWeight
	}
	follows := s[end].closes || s.is(end+1, whoReads|must|you|polite|setAside|grading)
	said := s.find(start-5, start, you|formal)
	spoken := said >= 0 && (s.find(said+1, start, being) >= 0 || s.is(end+1, being)) // you are
	asked := s.find(start-6, start, whether) >= 0

	reads := s.find(end+1, end+7, whoReads) >= 0 && s.find(end+1, end+5, this) >= 0
	switch withRole := s.find(start, end+1, role) >= 0; {
	case !named && reads && s[from].opens && s.find(end+1, len(s), must) >= 0: // agents that read this are expected to
		return 2
	case !named:
		return one(hailed && follows || greeted && follows || s.find(end+1, end+3, must) >= 0 && ordered)
	case hailed && follows, greeted && follows && withRole, spoken && asked: // if you are an AI
		return minWeight
	case s[from].opens && s.is(from, toward) && s[end].closes, // for AI reviewers:
		asked && (s[end].closes || s.find(end+1, end+5, you|polite) >= 0 || ordered), // as a language model,
		reads && (asked || s[from].opens):                                            // an AI that reads this
		return 2
	}
	return one(ordered || greeted)
}
