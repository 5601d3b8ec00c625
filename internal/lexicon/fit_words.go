package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/text"
)

// askWords asks for the words unknown to the dictionary. They are the point of a question that asks for fewer than two
// other things; in any other question those that name a thing must be met too.
func (m *Matcher) askWords() {
	isRest := m.points() >= coreGroups
	for i := range m.asked.Words {
		w := &m.asked.Words[i]
		if len([]rune(w.Text)) < shortestWord || !m.lexicon.tells(w) {
			continue
		}

		need := wholly
		if isRest && m.asksOfKnown(w) {
			need = noPoint
		}
		m.ask(askedSlot{slot: evidence.SlotWord, name: w.Text, point: need, part: w.Part,
			asks: true, spare: need == noPoint,
			options: oneOf(func(p *passage) finding { return wordIn(w, p) })})
	}
}

// wordIn looks for a word. A synonym meets it whole in a title or conclusion, which state what the record is on, and in
// part elsewhere.
func wordIn(w *Word, p *passage) finding {
	stem := stemOf(w.Key)
	switch {
	case p.words()[stem], slices.ContainsFunc(p.read.Words, func(n Word) bool { return n.Key == w.Key }):
		return finding{evidence.MetWhole, w.Text}
	case !p.hasSynonym(stem):
		return silent
	case p.isTelling():
		return finding{evidence.MetWhole, w.Text}
	}
	return finding{evidence.MetInPart, w.Text}
}

// asksOfKnown reports whether a word, by its place, asks something about the known values and names no further thing:
// it follows the topic ("cervical cancer screening: uptake"), or is a verb ("what predicts survival", "how to overcome
// resistance").
func (m *Matcher) asksOfKnown(w *Word) bool {
	before := m.asked.Text[:w.Start]

	past := tokenize(before)
	for len(past) > 0 && auxiliary(past[len(past)-1].key) && !asking(past[len(past)-1].key) {
		past = past[:len(past)-1] // "who is eligible"
	}

	n := len(past)
	isAsked := n > 0 && asking(past[n-1].key) ||
		n > 1 && which(past[n-2].key) && !functionWords(past[n-1].key) // "which genes drive"
	return isAsked || m.isBehindTopic(before) || m.isVerbOfOutcome(w)
}

// isVerbOfOutcome reports whether a word stands right before an outcome in a question with an auxiliary verb: "does
// exposure to antibiotics worsen survival".
func (m *Matcher) isVerbOfOutcome(w *Word) bool {
	isPut := anyWord(m.asked.Text[:w.Start], putting)
	return isPut && slices.ContainsFunc(m.asked.Setting, func(c Circumstance) bool {
		return c.Aspect == aspectOutcome && c.Start == w.End+1
	})
}

// isBehindTopic reports whether a text has a colon or a dash behind enough values for a question of their own.
func (m *Matcher) isBehindTopic(before string) bool {
	at := max(strings.LastIndex(before, ": "), strings.LastIndex(before, " - "), strings.LastIndex(before, " – "))

	known := 0
	for _, u := range m.asked.units() {
		known += count(u.kind != kindWord && u.End <= at)
	}
	return known >= coreGroups
}

// joinAlternatives makes one slot of two things that "or" joins, either of which is enough: "neuropathic pain or
// myoclonus".
func (m *Matcher) joinAlternatives() {
	isOne := func(a, b *askedSlot) bool {
		if a.part.End == 0 || a.part.End > b.part.Start {
			return false
		}
		between := tokenize(m.asked.Text[a.part.End:b.part.Start])
		return len(between) == 1 && isOr(between[0].key)
	}
	m.joinPhrases()

	for i := 0; i < len(m.slots); i++ {
		a := &m.slots[i]

		j := slices.IndexFunc(m.slots, func(b askedSlot) bool { return isOne(a, &b) })
		if j < 0 {
			continue
		}
		b := m.slots[j]
		a.name, a.options, a.part.End = orList([]string{a.name, b.name}), append(a.options, b.options...), b.part.End
		m.slots = slices.Delete(m.slots, j, j+1)
		i = -1
	}
}

// joinPhrases makes one slot of two phrases of equally many words that "or" joins: "salted fish or preserved food".
func (m *Matcher) joinPhrases() {
	between := func(i, j int) string {
		if m.slots[i].part.End == 0 || m.slots[i].part.End > m.slots[j].part.Start {
			return ""
		}
		return m.asked.Text[m.slots[i].part.End:m.slots[j].part.Start]
	}
	isRun := func(i, j int) bool {
		return i >= 0 && j < len(m.slots) && m.slots[i].slot == evidence.SlotWord &&
			m.slots[j].slot == evidence.SlotWord && between(i, j) == " "
	}

	for or := 0; or+1 < len(m.slots); or++ {
		words := tokenize(between(or, or+1))
		if len(words) != 1 || !isOr(words[0].key) {
			continue
		}

		n := 0
		for isRun(or-n-1, or-n) && isRun(or+1+n, or+2+n) {
			n++
		}

		if n == 0 || isRun(or-n-1, or-n) || isRun(or+1+n, or+2+n) {
			continue
		}
		m.joinRuns(or-n, or+1, n+1)
	}
}

// joinRuns makes one slot of two runs of n words each: a passage has all of the one, or all of the other.
func (m *Matcher) joinRuns(first, second, n int) {
	one := m.slots[first]

	one.options, one.name = nil, ""
	for _, start := range []int{first, second} {
		run := slices.Clone(m.slots[start : start+n])
		one.options = append(one.options, []element{func(p *passage) finding {
			return slices.MaxFunc(text.Each(run, func(s askedSlot) finding { return s.options[0][0](p) }),
				func(a, b finding) int { return rank(a.met) - rank(b.met) })
		}})
		name := strings.Join(text.Each(run, func(s askedSlot) string { return s.name }), " ")
		one.name = text.Join(" or ", one.name, name)
	}
	one.part.End = m.slots[second+n-1].part.End
	m.slots = slices.Replace(m.slots, first, second+n, one)
}

// joinAspects makes one slot of the outcomes, circumstances and diseases listed behind the topic: "COVID-19 in cancer:
// infection, treatment, adherence" asks for any of them. If only words that need not be met stand there, it asks for
// any of several too, which a title alone may leave out: "screening: who is eligible, who attends".
func (m *Matcher) joinAspects() {
	isListed := func(s *askedSlot) bool {
		isAspect := s.slot == evidence.SlotSetting || s.slot == evidence.SlotCondition || s.spare
		return isAspect && s.part.End > 0 && m.isBehindTopic(m.asked.Text[:s.part.Start])
	}

	var listed, words []int
	isLeftOut := false

	for i := range m.slots {
		switch s := &m.slots[i]; {
		case !isListed(s):
		case s.point != noPoint:
			listed = append(listed, i)
		case s.slot == evidence.SlotWord:
			words = append(words, i)
		}
	}

	isBehind := func(d Drug) bool { return m.isBehindTopic(m.asked.Text[:d.Start]) } // a question of its own
	if len(listed) == 0 && !slices.ContainsFunc(m.asked.Drugs, isBehind) {
		listed, isLeftOut = words, len(words) > 1
	}

	if len(listed) < 2 {
		return
	}
	first := &m.slots[listed[0]]
	first.point, first.leftOut = wholly, isLeftOut

	for n, i := range listed[1:] {
		i -= n // as many have gone
		first.name = orList([]string{first.name, m.slots[i].name})
		first.options = append(first.options, m.slots[i].options...)
		m.slots = slices.Delete(m.slots, i, i+1)
	}
}

// RestsOnWords reports whether a question has words unknown to the dictionary, and fewer than two diseases, markers and
// treatments beside them: its slots do not cover all that it is about.
func (m *Matcher) RestsOnWords() bool {
	subjects := 0
	for i := range m.slots {
		slot := evidence.SlotFit{Slot: m.slots[i].slot}
		subjects += count(m.slots[i].point != noPoint && slot.IsSubject())
	}
	return subjects < coreGroups && slices.ContainsFunc(m.asked.Words, func(w Word) bool { return m.lexicon.tells(&w) })
}

// tells reports whether an unknown word matters to the question: it is in a supported language, and no word of grammar,
// nor a word of comparison that governs nothing ("versus").
func (l *Lexicon) tells(w *Word) bool {
	return w.Language == "" && !boolean.IsStopWord(w.Key) && l.wordList(w.Key).name() != wordsComparison
}
