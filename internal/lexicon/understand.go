package lexicon

import (
	"fmt"
	"strings"

	"dossier/internal/text"
)

// maxQuestion bounds the bytes that are read of a question; topics have fewer.
const maxQuestion = 8192

// Understand reads what a question asks (docs/METHOD.md, "What a question asks"). It never fails: Words and Warnings
// hold what it does not understand.
func (l *Lexicon) Understand(question string) Question {
	q := Question{}
	if len(strings.ToValidUTF8(question, " ")) > maxQuestion {
		q.Warnings = append(q.Warnings, fmt.Sprintf("Only the first %d bytes of the question were read.", maxQuestion))
	}
	l.read(&q, question, true)
	q.warn()
	return q
}

// read fills q's slots from a text. It corrects only text that a person typed, and reads titles as written.
func (l *Lexicon) read(q *Question, words string, typed bool) {
	q.Text = text.Head(text.Visible(strings.ToValidUTF8(words, " ")), maxQuestion)
	r := &reader{lexicon: l, text: q.Text, tokens: withTakenOut(q.Text, tokenize(q.Text))}
	r.shouting, r.small, r.languages = r.isShouting(), q.Text == strings.ToLower(q.Text), languagesOf(q.Text, r.tokens)
	r.readOptional()

	if r.typed = typed; typed {
		r.spellOut()
		r.correct()
	}
	r.read(q)
	l.organs(q, typed)
	l.shorten(q)
	l.group(q)

	if typed {
		r.regimens().number(q)
		q.relateTreatments()
		q.readRoles()
	}
}

// read splits the text into spans, and sorts them into q's slots.
func (r *reader) read(q *Question) {
	r.scan()
	r.turn()
	r.disambiguate()

	if r.typed {
		r.recist()
		r.spread()
		r.counted()
	}
	r.numerals()
	r.compose()
	r.fuse()
	r.levels()
	r.bounds()
	r.target()
	r.absences()
	r.nodes()
	r.attach()
	r.nameDrugs()

	if r.typed {
		r.doses()
		r.raised()
	}
	r.circumstances()
	r.alternatives()
	r.scopes()
	r.excludeFurther()
	r.statuses()
	r.origins()
	r.collect(q)
}

// warn adds warnings about contradictions and unreadable languages, for which no reading can be right.
func (q *Question) warn() {
	for i, a := range q.Alterations {
		for _, b := range q.Alterations[i+1:] {
			if a.Gene != "" && a.Gene == b.Gene && a.Status != b.Status && a.Origin == b.Origin &&
				(a.Kind == b.Kind && a.Change == b.Change || a.Status == WildType || b.Status == WildType) {
				q.Warnings = append(q.Warnings, fmt.Sprintf("The question contradicts itself: %q and %q.", a.Text, b.Text))
			}
		}
	}

	for i, a := range q.Biomarkers {
		for _, b := range q.Biomarkers[i+1:] {
			if a.Name == b.Name && a.Level == b.Level && a.Status != b.Status {
				q.Warnings = append(q.Warnings, fmt.Sprintf("The question contradicts itself: %q and %q.", a.Text, b.Text))
			}
		}
	}

	if foreign := q.Unread(); len(foreign) > 0 {
		q.Warnings = append(q.Warnings, fmt.Sprintf("A part of the question is in a language that nothing here reads: %s.",
			strings.Join(foreign, ", ")))
	}
}

// Empty reports whether all slots of the question that can be searched for are empty.
func (q *Question) Empty() bool {
	return len(q.Tumours)+len(q.Conditions)+len(q.Alterations)+len(q.Biomarkers)+len(q.Drugs) == 0
}
