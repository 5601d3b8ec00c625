package answer

import (
	"fmt"
	"slices"
	"strings"

	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// Slots is what a question asks, slot by slot, in the documented JSON form (docs/JSON.md). Lists are never null.
type Slots struct {
	Tumours     []Concept              `json:"tumours"`
	Conditions  []Concept              `json:"conditions"`
	Alterations []lexicon.Alteration   `json:"alterations"`
	Biomarkers  []lexicon.Biomarker    `json:"biomarkers"`
	Drugs       []lexicon.Drug         `json:"drugs"`
	Setting     []lexicon.Circumstance `json:"setting"`
	Relations   []lexicon.Relation     `json:"relations"`
	Words       []lexicon.Word         `json:"words"`
	Dropped     []lexicon.Dropped      `json:"dropped"`
	Corrected   []lexicon.Correction   `json:"corrected"`
}

// Concept is a tumour or another disease; Broader goes from the nearest broader concept to the root.
type Concept struct {
	Name       string         `json:"name"`
	Site       string         `json:"site"`
	Type       string         `json:"type"`
	Qualifiers []string       `json:"qualifiers"`
	Broader    []string       `json:"broader"`
	Status     lexicon.Status `json:"status"`
	lexicon.Part
}

// Understood is a question as it was understood.
type Understood struct {
	Slots    Slots    `json:"slots"`
	Readings []string `json:"readings"`          // how treatments that stand side by side were read, in sentences
	Privacy  *Privacy `json:"privacy,omitempty"` // nil where the question tells nothing of who the patient is
	Warnings []string `json:"warnings"`          // contradictions, a patient's data and the like
}

// Privacy is what in a question tells who the patient is, and what became of it (docs/JSON.md).
type Privacy struct {
	Policy string    `json:"policy"` // refuse, strip, allow
	Found  []Private `json:"found"`
	SentAs string    `json:"sent_as"` // the question as it went out; empty where nothing did
}

// Private is a place in the question as it was given, in bytes. What stands there is not told.
type Private struct {
	Kind  string `json:"kind"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// NewUnderstood shows q; broader names the concepts that hold one, from the nearest to the root.
func NewUnderstood(q *lexicon.Question, broader func(*lexicon.Concept) []string) Understood {
	concept := func(c lexicon.Concept) Concept {
		return Concept{
			Name: c.Name, Site: c.Site, Type: c.Type, Qualifiers: NotNull(c.Qualifiers), Broader: NotNull(broader(&c)),
			Status: c.Status, Part: c.Part,
		}
	}
	drug := func(d lexicon.Drug) lexicon.Drug {
		d.Targets = NotNull(d.Targets)
		return d
	}
	return Understood{Warnings: q.Warnings, Readings: q.Readings, Slots: Slots{
		Tumours: text.Each(q.Tumours, concept), Conditions: text.Each(q.Conditions, concept), Alterations: q.Alterations,
		Biomarkers: q.Biomarkers, Drugs: text.Each(q.Drugs, drug), Setting: q.Setting, Relations: q.Relations,
		Words: q.Words, Dropped: q.Dropped, Corrected: q.Corrected,
	}.WithLists()}
}

// WithLists has no list null.
func (s Slots) WithLists() Slots {
	return Slots{
		Tumours: NotNull(s.Tumours), Conditions: NotNull(s.Conditions), Alterations: NotNull(s.Alterations),
		Biomarkers: NotNull(s.Biomarkers), Drugs: NotNull(s.Drugs), Setting: NotNull(s.Setting),
		Relations: NotNull(s.Relations), Words: NotNull(s.Words), Dropped: NotNull(s.Dropped),
		Corrected: NotNull(s.Corrected),
	}
}

// NotNull is an empty list for one that is nil, so that JSON has no null for it.
func NotNull[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// Corrections says what was read as something else; empty where nothing was.
func (s Slots) Corrections() string {
	return strings.Join(text.Each(s.Corrected, func(c lexicon.Correction) string {
		return fmt.Sprintf("%q for %q", text.Line(c.To), text.Line(c.Text))
	}), ", ")
}

// RelationsText says what stands on which side of what; empty where nothing is related.
func (s Slots) RelationsText() string {
	return strings.Join(text.Each(s.Relations, func(r lexicon.Relation) string { return text.Line(r.String()) }), "; ")
}

// Unknown names the words that no dictionary has.
func (s Slots) Unknown() string {
	return strings.Join(text.Each(s.Words, func(w lexicon.Word) string {
		if w.Language != "" {
			return fmt.Sprintf("%s (%s)", text.Line(w.Text), w.Language)
		}
		return text.Line(w.Text)
	}), ", ")
}

// DroppedText names what was dropped, the words of one reason together: "what, is, the (a question word)".
func (s Slots) DroppedText() string {
	var reasons []string

	words := map[string][]string{}
	for _, d := range s.Dropped {
		if !slices.Contains(reasons, d.Why) {
			reasons = append(reasons, d.Why)
		}

		if word := text.Line(d.Text); !slices.Contains(words[d.Why], word) {
			words[d.Why] = append(words[d.Why], word)
		}
	}
	return strings.Join(text.Each(reasons, func(why string) string {
		return fmt.Sprintf("%s (%s)", strings.Join(words[why], ", "), text.Line(why))
	}), ", ")
}
