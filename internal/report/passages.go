package report

import (
	"strings"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// Bounds of what a model is given of one passage of a full text, in bytes: where less room is left, nothing is.
const (
	maxPassage   = 600
	leastPassage = 100
)

// Passage is a part of a record's full text as the model gets it.
type Passage struct {
	Where string `json:"where"` // the section's title, or the table's label
	Text  string `json:"text"`  // cut at a sentence's end
}

// withPassages adds to the evidence what is nearest to the question in the full texts that are kept. The abstracts come
// first: what they leave of MaxText is parted evenly among the records.
func (b *builder) withPassages(given []Evidence) []Evidence {
	if b.opt.Nearest == nil {
		return given
	}

	left := b.opt.MaxText
	for _, e := range given {
		left -= len(e.Abstract)
	}
	share := max(left, 0) / max(len(given), 1)

	records := map[string]*evidence.Record{}
	for _, it := range b.evidence() {
		records[it.Record.ID] = it.Record
	}
	return plaintext.Each(given, func(e Evidence) Evidence {
		e.Passages = passagesWithin(b.opt.Nearest(records[e.ID]), share)
		if len(e.Passages) > 0 {
			b.passagesGiven++
		}
		return e
	})
}

// passagesWithin are the first of a record's passages, in so many bytes.
func passagesWithin(passages []evidence.Passage, left int) (out []Passage) {
	for _, p := range passages {
		if left < leastPassage {
			break
		}
		given := Passage{Where: oneLine(p.Section, maxName),
			Text: cutAtSentence(strings.TrimSpace(plaintext.Lines(p.Text, "\n")), min(maxPassage, left))}
		left -= len(given.Text)
		out = append(out, given)
	}
	return out
}
