package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"dossier/internal/answer"
	"dossier/internal/evidence"

	plaintext "dossier/internal/text"
)

// Head explains, before the answer, how the question was handled: what was read as something else, dropped,
// contradictory or unknown, and what was asked instead.
func (a *Answer) Head() []string {
	var lines []string
	add := func(name, value string) {
		if value != "" {
			lines = append(lines, name+": "+value)
		}
	}
	add("Read as", a.Understood.Slots.Corrections())
	add("Dropped", a.Understood.Slots.DroppedText())

	for _, w := range a.Understood.Warnings {
		lines = append(lines, "! "+plaintext.Line(w))
	}
	add("Not in the dictionary", a.Understood.Slots.Unknown())

	for _, reading := range a.Answer.Query.Readings {
		lines = append(lines, plaintext.Line(reading))
	}
	add("The query leaves out or broadens", plaintext.Line(strings.Join(a.Answer.Query.LeftOut, "; ")))
	add(queryName(a.Answer.Query.Layer, a.Answer.Query.By), plaintext.Line(a.Answer.Query.Text))

	if len(a.Answer.Query.Failed) > 0 {
		add("Asked ring by ring", a.Answer.Query.RingsText())
	}

	for _, s := range a.Answer.Searches {
		add(fmt.Sprintf("%s had nothing for it, and layer %d leaves out or broadens", s.Source, s.Layer),
			a.Answer.Query.LeftOutBy(s))
	}

	if a.AllQueries {
		for i := range a.Answer.Searches {
			lines = append(lines, queriesTo(&a.Answer.Searches[i])...)
		}
	}
	return lines
}

// queriesTo are the lines on the queries sent to a source: the one that its answer is from, then those of other layers.
func queriesTo(s *evidence.Search) []string {
	lines := []string{"Query to " + s.Source + ": " + plaintext.Line(s.Query)}
	if s.Query == "" {
		lines = nil
	}

	for _, r := range s.AsRings() {
		if r.Layer != s.Layer || s.Query == "" {
			lines = append(lines, "Query to "+s.Source+", "+r.String()+": "+plaintext.Line(cmp.Or(r.Query, r.Error)))
		}
	}
	return lines
}

// queryName names a query: "Query (layer 2, by rules)".
func queryName(layer int, maker string) string {
	by := "by " + plaintext.Line(cmp.Or(maker, "hand"))
	if layer > 0 {
		by = fmt.Sprintf("layer %d, %s", layer, by)
	}
	return "Query (" + by + ")"
}

// Table prints what the store has nearest to a question without an answer.
func (m *Miss) Table(w io.Writer, term Terminal) error {
	p := &printer{w: w, term: term}
	p.section("Nearest in the store, and no answer", m.Nearest)
	return p.err
}

// JSON writes the miss as one object.
func (m *Miss) JSON(w io.Writer) error {
	return JSON(w, struct {
		Head
		Question   string          `json:"question"`
		Miss       bool            `json:"miss"`
		Understood answer.Slots    `json:"understood"`
		Privacy    *answer.Privacy `json:"privacy,omitempty"`
		Near       []answer.Near   `json:"near"`
		Nearest    []Record        `json:"nearest"`
		Warnings   []string        `json:"warnings"`
	}{
		HeadOf("query"), m.Question, true, m.Slots.WithLists(), m.Privacy, answer.NotNull(m.Near),
		plaintext.Each(m.Nearest, NewRecord),
		answer.NotNull(slices.Concat(m.Understood.Warnings, m.Warnings)),
	})
}
