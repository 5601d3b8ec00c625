package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/text"
)

// collect sorts the spans into the question's slots.
func (r *reader) collect(q *Question) {
	q.Corrected = r.fixed
	for _, u := range r.unclear {
		q.Warnings = append(q.Warnings, u.warning())
	}

	for i := range r.spans {
		s := &r.spans[i]
		switch {
		case s.gone && s.covered != "":
			q.drop(r.part(s), s.covered)
		case s.gone:
		case s.content() != nothing:
			r.fill(q, s)
		default:
			r.leave(q, s)
		}
	}
	slices.SortStableFunc(q.Dropped, func(a, b Dropped) int { return a.Start - b.Start })
}

func (r *reader) part(s *span) Part {
	return Part{Text: r.text[s.start:s.end], Start: s.start, End: s.end}
}

func (q *Question) drop(part Part, why string) {
	q.Dropped = append(q.Dropped, Dropped{Part: part, Why: why})
}

func (r *reader) fill(q *Question, s *span) {
	for _, c := range s.concepts {
		if c.isCondition() {
			q.Conditions = append(q.Conditions, c)
		} else {
			q.Tumours = append(q.Tumours, c)
		}
	}

	q.Alterations = append(q.Alterations, s.alts...)
	for _, b := range s.marks {
		if len(b.Entry.Implies) > 0 && !r.nested {
			r.imply(q, b)
			continue
		}
		q.Biomarkers = append(q.Biomarkers, b)
	}
	q.Drugs = append(q.Drugs, s.drugs...)
	q.Setting = append(q.Setting, s.sets...)
}

// imply reads a short form as what it stands for: pMMR as MMR-proficient.
func (r *reader) imply(q *Question, b Biomarker) {
	for _, text := range b.Entry.Implies {
		implied := r.lexicon.implied(text)
		for _, m := range implied.Biomarkers {
			m.Part, m.Either = b.Part, b.Either
			if b.Status != Present {
				m.Status = b.Status
			}
			q.Biomarkers = append(q.Biomarkers, m)
		}

		for _, a := range implied.Alterations {
			a.Part, a.Either = b.Part, b.Either
			switch b.Status {
			case Absent:
				a.Status = denied(a.Status)
			case Open:
				a.Status = Open
			case Present, WildType, NotWildType:
			}
			q.Alterations = append(q.Alterations, a)
		}
	}
}

// implied reads the text that a name implies. It does not expand names within that text, so that no two names can
// expand each other for ever.
func (l *Lexicon) implied(text string) Question {
	var q Question
	r := &reader{lexicon: l, text: text, tokens: tokenize(text), nested: true}
	r.read(&q)
	return q
}

// saidAlready begins the reason for dropping a part that another part of the question repeats.
const saidAlready = "said already by "

// leave lists a span that fills no slot: it drops fillers, and adds all else to the words.
func (r *reader) leave(q *Question, s *span) {
	part := r.part(s)
	switch {
	case s.past == s.first+1 && r.tokens[s.first].raw == TakenOut:
		q.drop(part, "something was taken out here")
	case r.isPrefix(s), r.isLettered(s), r.isShort(s), s.plain:
		q.Words = append(q.Words, Word{Part: part, Key: r.keyOf(s), Language: scriptOf(part.Text)})
	case r.isListed(s, wordsFillers), r.isListed(s, wordsSoFar), s.key == "done",
		r.isListed(s, wordsPrior) && r.isSpelledOut(s.first),                 // "Z.n. Apoplex" is a history
		s.is(KindChange) && r.lexicon.wordList(s.key).name() == wordsFillers, // "del" before a noun
		s.entry == nil && s.past == s.first+1 && (bridgeWords(r.tokens[s.first].key) || joiningWords(s.key)):
		q.drop(part, "a word that says nothing of what is asked")
	case r.joins(s):
		q.drop(part, "a word that joins others")
	case len(q.Words) > 0 && q.Words[len(q.Words)-1].Language == chinese &&
		q.Words[len(q.Words)-1].End == s.start && scriptOf(r.text[s.start:s.end]) == chinese:
		last := &q.Words[len(q.Words)-1]
		last.End = s.end
		last.Text = r.text[last.Start:last.End]
		last.Key += r.keyOf(s)
	default:
		word := Word{Part: part, Key: r.signBefore(s) + r.keyOf(s)}
		if s.list == 0 { // a word of a list is understood, even if it governs nothing
			word.Language = scriptOf(part.Text)
		}
		q.Words = append(q.Words, word)
	}
}

// isShort reports whether an apparent function word of another language is a short form, by its capitals: ESA, IM, AO.
func (r *reader) isShort(s *span) bool {
	raw := r.tokens[s.first].raw
	return s.past == s.first+1 && r.isListed(s, wordsFillers) && !r.shouting && len(raw) > 1 && len(raw) <= longestShort &&
		raw == strings.ToUpper(raw) && text.IsASCII(raw) && !stressed(r.tokens[s.first].key)
}

// isPrefix reports whether a hyphen joins an apparent filler to the word behind it, whose meaning it reverses:
// "de-escalated", "out-field", or "like" to the word before it: a BCR-ABL1-like leukemia has no BCR-ABL1.
func (r *reader) isPrefix(s *span) bool {
	rest := r.text[s.end:]
	if r.tokens[s.first].key == "like" && s.start > 0 && r.text[s.start-1] == '-' {
		return true
	}
	return s.entry == nil && s.form == noForm && s.end-s.start <= 3 && len(rest) > 1 && rest[0] == '-' && isLetter(rest[1])
}

func (r *reader) keyOf(s *span) string {
	if s.start >= r.tokens[s.past-1].end {
		return s.key // a sign behind its token
	}

	if s.is(KindChange) && (s.entry.Name == "positive" || s.entry.Name == "negative") {
		return s.entry.Name // like the sign: MRD-neg is MRD-
	}

	key := ""
	for _, t := range r.tokens[s.first:s.past] {
		key += t.key
	}
	return key
}
