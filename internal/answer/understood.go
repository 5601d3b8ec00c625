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
	Tumours     []Concept      `json:"tumours"`
	Conditions  []Concept      `json:"conditions"`
	Alterations []Alteration   `json:"alterations"`
	Biomarkers  []Biomarker    `json:"biomarkers"`
	Drugs       []Drug         `json:"drugs"`
	Setting     []Circumstance `json:"setting"`
	Words       []Word         `json:"words"`
	Dropped     []Dropped      `json:"dropped"`
	Corrected   []Correction   `json:"corrected"`
}

// Part is a place in the question, in bytes.
type Part struct {
	Text  string `json:"text"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// Concept is a tumour or another disease; Broader goes from the nearest broader concept to the root.
type Concept struct {
	Name       string         `json:"name"`
	Site       string         `json:"site"`
	Type       string         `json:"type"`
	Qualifiers []string       `json:"qualifiers"`
	Broader    []string       `json:"broader"`
	Status     lexicon.Status `json:"status"`
	Part
}

// Alteration is what the question says of a gene.
type Alteration struct {
	Gene    string                 `json:"gene"`
	Kind    lexicon.AlterationKind `json:"kind"`
	Change  string                 `json:"change"`
	Partner string                 `json:"partner"`
	Origin  string                 `json:"origin"`
	Status  lexicon.Status         `json:"status"`
	Either  int                    `json:"either"`
	Part
}

// Biomarker is a marker that is no single alteration.
type Biomarker struct {
	Name   string         `json:"name"`
	Level  string         `json:"level"`
	Score  string         `json:"score"`
	Status lexicon.Status `json:"status"`
	Either int            `json:"either"`
	Part
}

// Drug is a drug, a class of drugs or another treatment.
type Drug struct {
	Name    string           `json:"name"`
	Class   bool             `json:"class"`
	Known   bool             `json:"known"`
	Targets []string         `json:"targets"`
	Role    lexicon.DrugRole `json:"role"`
	Part
}

// Circumstance is who is treated, when and how, and what is asked of it.
type Circumstance struct {
	Aspect string         `json:"aspect"`
	Value  string         `json:"value"`
	Status lexicon.Status `json:"status"`
	Part
}

// Word is one that nothing in the dictionary accounts for.
type Word struct {
	Key      string `json:"key"`
	Language string `json:"language"`
	Part
}

// Dropped is a part that says nothing of what is asked.
type Dropped struct {
	Why string `json:"why"`
	Part
}

// Correction is a typing error and what it was read as.
type Correction struct {
	To string `json:"to"`
	Part
}

// Understood is a question as it was understood.
type Understood struct {
	Slots    Slots
	Warnings []string // contradictions, a patient's data and the like
	Privacy  *Privacy // nil where the question tells nothing of who the patient is
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
			Name: c.Name, Site: c.Site, Type: c.Type, Qualifiers: orEmpty(c.Qualifiers), Broader: orEmpty(broader(&c)),
			Status: c.Status, Part: Part(c.Part),
		}
	}
	return Understood{Warnings: q.Warnings, Slots: Slots{
		Tumours: each(q.Tumours, concept), Conditions: each(q.Conditions, concept),
		Alterations: each(q.Alterations, func(a lexicon.Alteration) Alteration {
			return Alteration{
				Gene: a.Gene, Kind: a.Kind, Change: a.Change, Partner: a.Partner, Origin: a.Origin, Status: a.Status,
				Either: a.Either, Part: Part(a.Part),
			}
		}),
		Biomarkers: each(q.Biomarkers, func(b lexicon.Biomarker) Biomarker {
			return Biomarker{Name: b.Name, Level: b.Level, Score: b.Score, Status: b.Status, Either: b.Either, Part: Part(b.Part)}
		}),
		Drugs: each(q.Drugs, func(d lexicon.Drug) Drug {
			return Drug{Name: d.Name, Class: d.Class, Known: d.Known, Targets: orEmpty(d.Targets), Role: d.Role, Part: Part(d.Part)}
		}),
		Setting: each(q.Setting, func(c lexicon.Circumstance) Circumstance {
			return Circumstance{Aspect: c.Aspect, Value: c.Value, Status: c.Status, Part: Part(c.Part)}
		}),
		Words: each(q.Words, func(w lexicon.Word) Word { return Word{Key: w.Key, Language: w.Language, Part: Part(w.Part)} }),
		Dropped: each(q.Dropped, func(d lexicon.Dropped) Dropped {
			return Dropped{Why: d.Why, Part: Part(d.Part)}
		}),
		Corrected: each(q.Corrected, func(c lexicon.Correction) Correction { return Correction{To: c.To, Part: Part(c.Part)} }),
	}}
}

// each converts a list; the result is never nil.
func each[A, B any](items []A, convert func(A) B) []B {
	out := make([]B, len(items))
	for i, item := range items {
		out[i] = convert(item)
	}
	return out
}

// WithLists has no list null.
func (s Slots) WithLists() Slots {
	return Slots{
		Tumours: orEmpty(s.Tumours), Conditions: orEmpty(s.Conditions), Alterations: orEmpty(s.Alterations),
		Biomarkers: orEmpty(s.Biomarkers), Drugs: orEmpty(s.Drugs), Setting: orEmpty(s.Setting),
		Words: orEmpty(s.Words), Dropped: orEmpty(s.Dropped), Corrected: orEmpty(s.Corrected),
	}
}

func orEmpty[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// Corrections says what was read as something else; empty where nothing was.
func (s Slots) Corrections() string {
	return joined(s.Corrected, func(c Correction) string {
		return fmt.Sprintf("%q for %q", text.Line(c.To), text.Line(c.Text))
	})
}

// Unknown names the words that no dictionary has.
func (s Slots) Unknown() string {
	return joined(s.Words, func(w Word) string {
		if w.Language != "" {
			return fmt.Sprintf("%s (%s)", text.Line(w.Text), w.Language)
		}
		return text.Line(w.Text)
	})
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
	return joined(reasons, func(why string) string {
		return fmt.Sprintf("%s (%s)", strings.Join(words[why], ", "), text.Line(why))
	})
}

func joined[T any](items []T, word func(T) string) string {
	return strings.Join(each(items, word), ", ")
}
