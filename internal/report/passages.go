package report

import (
	"strings"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// Bounds on a passage of a full text for the model, in bytes: if less room is left, it gets none.
const (
	maxPassage   = 600
	leastPassage = 100
)

// Passage is a part of a record's full text as given to the model.
type Passage struct {
	Where string `json:"where"` // the section's title, or the table's label
	Text  string `json:"text"`  // cut at a sentence's end
}

// withPassages adds to the evidence the passages of the kept full texts nearest to the question. The abstracts come
// first: the rest of MaxText is divided evenly among the records.
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

// passagesWithin are the first of a record's passages that fit into so many bytes.
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
