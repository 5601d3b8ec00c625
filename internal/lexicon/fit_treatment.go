package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// askAnyTreatment asks for a treatment of any kind where the question asks how a tumour is treated and names none.
func (m *Matcher) askAnyTreatment() {
	if len(m.asked.Drugs) > 0 || len(m.asked.Conditions) > 0 || !m.asksHowTreated() ||
		slices.ContainsFunc(m.asked.Setting, func(c Circumstance) bool { return c.Aspect == aspectToxicity }) {
		return
	}
	m.ask(askedSlot{slot: evidence.SlotTreatment, name: "treatment", point: wholly, mentions: mentionsToMeet, asks: true,
		options: oneOf(anyTreatmentIn)})
}

// asksHowTreated reports whether a word for treatment, outside names, is the head of the question.
func (m *Matcher) asksHowTreated() bool {
	for _, d := range m.asked.Dropped {
		past, next := tokenize(m.asked.Text[:d.Start]), tokenize(m.asked.Text[d.End:])
		isAsked := len(past) == 0 || !askedOfTreatment(past[len(past)-1].key)

		isHead := len(next) == 0 || functionWords(next[0].key) || m.asked.Text[d.End] != ' '
		if isAsked && isHead && anyWord(d.Text, treating) {
			return true
		}
	}
	return false
}

// isTreated reports whether the question asks how the value at a part of it is treated or prevented.
func (m *Matcher) isTreated(p Part) bool {
	past := tokenize(m.asked.Text[:p.Start])
	if len(past) > 0 && functionWords(past[len(past)-1].key) {
		past = past[:len(past)-1]
	}
	return len(past) > 0 && (treating(past[len(past)-1].key) || preventing(past[len(past)-1].key))
}

// anyTreatmentIn looks for a treatment that is given, or for a word like "treatment": whole in a title or heading, else
// in part.
func anyTreatmentIn(p *passage) finding {
	for i := range p.read.Drugs {
		if isAsked(p.read.Drugs[i].Role) {
			return finding{evidence.MetWhole, p.read.Drugs[i].Name}
		}
	}
	words := tokenize(p.read.Text)

	at := slices.IndexFunc(words, func(t token) bool { return treating(t.key) })
	switch {
	case at < 0:
		return silent
	case p.place == evidence.InTitle, p.place == evidence.InHeadings:
		return finding{evidence.MetWhole, strings.ToLower(words[at].raw)}
	}
	return finding{evidence.MetInPart, strings.ToLower(words[at].raw)}
}
