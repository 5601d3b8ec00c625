package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/text"
)

// askWords asks for the words that nothing in the dictionary accounts for. They are the point of a question that asks
// for fewer than two other things; of another one those that name a thing must be met too.
func (m *Matcher) askWords() {
	isRest := m.points() >= coreGroups
	for i := range m.asked.Words {
		w := &m.asked.Words[i]
		if len([]rune(w.Text)) < shortestWord || !m.lexicon.tells(w) {
			continue
		}

		need := wholly
		if isRest && m.saysHow(w) {
			need = noPoint
		}
		m.ask(askedSlot{slot: evidence.SlotWord, name: w.Text, point: need, part: w.Part,
			asks: true, spare: need == noPoint,
			options: oneOf(func(p *passage) finding { return wordIn(w, p) })})
	}
}

// wordIn looks for a word: itself, wherever it stands; in a title or conclusion, which say what the record is on, by
// another word for the same too, and elsewhere by that in part.
func wordIn(w *Word, p *passage) finding {
	stem := stemOf(w.Key)
	switch {
	case p.words()[stem], slices.ContainsFunc(p.read.Words, func(n Word) bool { return n.Key == w.Key }):
		return finding{evidence.MetWhole, w.Text}
	case !p.saysOtherwise(stem):
		return silent
	case p.isTelling():
		return finding{evidence.MetWhole, w.Text}
	}
	return finding{evidence.MetInPart, w.Text}
}

// saysHow reports whether a word by its place names no thing beside those that the dictionary knows, but what is asked
// of them: it follows the topic ("cervical cancer screening: uptake"), or is a verb ("what predicts survival", "how to
// overcome resistance").
func (m *Matcher) saysHow(w *Word) bool {
	before := m.asked.Text[:w.Start]

	past := tokenize(before)
	for len(past) > 0 && auxiliary(past[len(past)-1].key) {
		past = past[:len(past)-1] // "who is eligible"
	}
	return m.isBehindTopic(before) || len(past) > 0 && asking(past[len(past)-1].key)
}

// isBehindTopic reports whether a text ends behind a colon or a dash that follows what is a question of its own.
func (m *Matcher) isBehindTopic(before string) bool {
	at := max(strings.LastIndex(before, ": "), strings.LastIndex(before, " - "), strings.LastIndex(before, " – "))

	known := 0
	for _, u := range m.asked.units() {
		known += count(u.kind != kindWord && u.End <= at)
	}
	return known >= coreGroups
}

// asking words stand before the verb of what is asked.
var asking = text.Set(`what which who how why when where whether to`)

// joinAlternatives makes one of two things between which "or" stands, and of which either will do: "neuropathic pain or
// myoclonus".
func (m *Matcher) joinAlternatives() {
	isOne := func(a, b *askedSlot) bool {
		if a.part.End == 0 || a.part.End > b.part.Start {
			return false
		}
		between := tokenize(m.asked.Text[a.part.End:b.part.Start])
		return len(between) == 1 && isOr(between[0].key)
	}
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

// joinAspects makes one of the outcomes, circumstances and diseases that are listed behind the topic: "COVID-19 in
// cancer: infection, treatment, adherence" asks for any of them.
func (m *Matcher) joinAspects() {
	first := -1
	for i := 0; i < len(m.slots); i++ {
		s := &m.slots[i]

		isAspect := s.slot == evidence.SlotSetting || s.slot == evidence.SlotCondition || s.spare
		if s.part.End == 0 || !isAspect || s.point == noPoint || !m.isBehindTopic(m.asked.Text[:s.part.Start]) {
			continue
		}

		if first < 0 {
			first = i
			continue
		}
		a := &m.slots[first]
		a.name, a.options = orList([]string{a.name, s.name}), append(a.options, s.options...)
		m.slots = slices.Delete(m.slots, i, i+1)
		i--
	}
}

// RestsOnWords reports whether a question has words that the dictionary does not know, and names fewer than two
// diseases, markers and treatments beside them: its slots do not tell all that it is about.
func (m *Matcher) RestsOnWords() bool {
	subjects := 0
	for i := range m.slots {
		slot := evidence.SlotFit{Slot: m.slots[i].slot}
		subjects += count(m.slots[i].point != noPoint && slot.IsSubject())
	}
	return subjects < coreGroups && slices.ContainsFunc(m.asked.Words, func(w Word) bool { return m.lexicon.tells(&w) })
}

// tells reports whether a word which the dictionary does not know tells what is asked: it is in a language that is
// read, and no word of grammar, nor one that relates others and has found none ("versus").
func (l *Lexicon) tells(w *Word) bool {
	return w.Language == "" && !boolean.IsStopWord(w.Key) && l.wordList(w.Key).name() != wordsComparison
}
