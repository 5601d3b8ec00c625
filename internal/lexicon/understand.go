package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
)

// Understand reads what a question asks. It never fails; what it does not understand stands in Words.
func (l *Lexicon) Understand(text string) Question {
	c := l.Recognise(text)
	q := Question{Text: c.Question}
	for _, m := range c.Mentions {
		part := Part{Text: m.Text, Start: m.Start, End: m.End}
		switch {
		case m.Concept == boolean.Disease:
			q.Tumours = append(q.Tumours, Concept{Part: part, Name: m.Name, Entry: m.Entry, Status: Present})
		case m.Concept == boolean.GeneVariant:
			q.Alterations = append(q.Alterations, Alteration{Part: part, Gene: m.Name, Entry: m.Entry, Kind: AnyAlteration, Status: Present})
		case m.Concept == boolean.Drug || m.isClass():
			q.Drugs = append(q.Drugs, Drug{Part: part, Name: m.Name, Entry: m.Entry, Known: m.Entry != nil, Role: Given, Class: m.isClass()})
		default:
			q.Setting = append(q.Setting, Circumstance{Part: part, Aspect: "mechanism", Value: m.Name, Entry: m.Entry, Status: Present})
		}
	}
	for _, d := range c.Modifiers {
		q.Setting = append(q.Setting, Circumstance{Part: Part{Text: d.Text, Start: d.Start, End: d.End}, Aspect: d.Why, Value: fold(d.Text), Status: Present})
	}
	for _, d := range c.Rest {
		q.Words = append(q.Words, Word{Part: Part{Text: d.Text, Start: d.Start, End: d.End}, Key: fold(d.Text)})
	}
	for _, d := range c.Fillers {
		q.Dropped = append(q.Dropped, Dropped{Part: Part{Text: d.Text, Start: d.Start, End: d.End}, Why: "a filler"})
	}
	return q
}

// Key is the canonical form of what a question asks, slot by slot; questions with the same Key ask the same. It is empty
// where nothing of the question was understood.
func (q *Question) Key() string {
	var parts []string
	add := func(slot string, values []string) {
		slices.Sort(values)
		if len(values) > 0 {
			parts = append(parts, slot+"="+strings.Join(slices.Compact(values), ","))
		}
	}
	for _, s := range q.slots() {
		add(s.name, s.values)
	}
	return strings.Join(parts, "|")
}

type slot struct {
	name   string
	values []string // canonical
}

func (q *Question) slots() []slot {
	out := []slot{{name: "tumours"}, {name: "alterations"}, {name: "drugs"}, {name: "setting"}, {name: "words"}}
	for _, c := range q.Tumours {
		out[0].values = append(out[0].values, c.Name)
	}
	for _, a := range q.Alterations {
		out[1].values = append(out[1].values, a.Gene)
	}
	for _, d := range q.Drugs {
		out[2].values = append(out[2].values, d.Name)
	}
	for _, s := range q.Setting {
		out[3].values = append(out[3].values, s.Value)
	}
	for _, w := range q.Words {
		out[4].values = append(out[4].values, w.Key)
	}
	return out
}

// Same says whether two questions ask the same, slot by slot: never nearly the same, and never for asking nothing.
func Same(a, b *Question) bool {
	key := a.Key()
	return key != "" && key == b.Key()
}

// Differences lists the slots in which two questions differ, in the order of [Question]; none where they are the same.
func Differences(asked, stored *Question) []Difference {
	var out []Difference
	a, b := asked.slots(), stored.slots()
	for i := range a {
		d := Difference{Slot: a[i].name, Asked: without(a[i].values, b[i].values), Stored: without(b[i].values, a[i].values)}
		if len(d.Asked)+len(d.Stored) > 0 {
			out = append(out, d)
		}
	}
	return out
}

func without(values, others []string) []string {
	var out []string
	for _, v := range values {
		if !slices.Contains(others, v) {
			out = append(out, v)
		}
	}
	return out
}

// Named is the query for the records that have every slot of a question; nil where the question asks nothing.
func (l *Lexicon) Named(q *Question) boolean.Node { return l.named(q.Text) }

// Layer plans layer n of a question's query by rules; false where the layer has nothing to ask.
func (l *Lexicon) Layer(q *Question, n int) (boolean.Query, bool) { return l.layer(q.Text, n) }
