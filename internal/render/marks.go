package render

import (
	"cmp"
	"fmt"
	"io"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// Marks are the readers' decisions on a topic's records.
type Marks struct {
	Topic      string
	Generation int
	Needed     int      // how many readers have to decide
	Readers    []string // all who have marked anything
	Records    []Marked
}

// Marked is a record with its readers' decisions.
type Marked struct {
	Item    evidence.Item
	Decided int    // how many readers have kept or excluded it
	Own     string // the present reader's decision; empty if there is none
}

// VerdictOpen replaces a verdict if too few readers have decided.
const VerdictOpen = "open"

// Verdict is the readers' joint verdict, or VerdictOpen.
func (m *Marked) Verdict() string {
	return cmp.Or(string(m.Item.Assessment.Reading.Is()), VerdictOpen)
}

// Items are the records.
func (m *Marks) Items() []evidence.Item {
	return plaintext.Each(m.Records, func(one Marked) evidence.Item { return one.Item })
}

// counts are the numbers of records by verdict.
func (m *Marks) counts() map[string]int {
	counts := map[string]int{VerdictOpen: 0}
	for _, v := range evidence.Verdicts {
		counts[string(v)] = 0
	}

	for i := range m.Records {
		counts[m.Records[i].Verdict()]++
	}
	return counts
}

// Table prints the marks for people, with all readers and their reasons.
func (m *Marks) Table(w io.Writer, term Terminal) error {
	p := &printer{w: w, term: term}
	counts := m.counts()
	p.line(fmt.Sprintf("%s: %d kept, %d excluded, %d in conflict, %d open; %s needed.", m.Topic,
		counts[string(evidence.VerdictKept)], counts[string(evidence.VerdictExcluded)],
		counts[string(evidence.VerdictConflict)], counts[VerdictOpen], plaintext.Plural(m.Needed, "reader")))

	for i := range m.Records {
		one := &m.Records[i]
		r := one.Item.Record
		p.line("")
		p.line(term.bold(fmt.Sprintf("%s  %s  %s%s", one.Verdict(), r.ID, retractedLead(r), plaintext.Line(TitleOf(r)))))

		reading := one.Item.Assessment.Reading
		if reading == nil || len(reading.Decisions) == 0 {
			p.line(fmt.Sprintf("  %d of %d readers have decided", one.Decided, m.Needed))

			if one.Own != "" {
				p.line("  you: " + plaintext.Line(one.Own))
			}
		}

		if reading != nil {
			p.reading(reading)
		}

		if check := CheckOf(one.Item); check != "" {
			p.line("  check: " + plaintext.Line(check))
		}
	}
	return p.err
}

// reading prints each reader's decision.
func (p *printer) reading(r *evidence.Reading) {
	said := func(d evidence.ReaderDecision) string {
		day := d.At.UTC().Format("2006-01-02")
		return plaintext.Line(plaintext.Join(": ", fmt.Sprintf("%s on %s: %s", d.Reader, day, d.Decision),
			plaintext.Join(", ", d.Reason, d.Note)))
	}
	for _, d := range r.Decisions {
		p.line("  " + said(d))
	}

	if r.Settled != nil {
		p.line("  settled by " + said(*r.Settled))
	}

	for _, reader := range r.Presented {
		p.line("  presented by " + plaintext.Line(reader))
	}

	for _, reader := range r.Recommended {
		p.line("  recommended by " + plaintext.Line(reader))
	}

	if r.Changed {
		p.line("  changed since it was excluded: look at it again")
	}
}

// JSON writes the marks as one object (docs/JSON.md).
func (m *Marks) JSON(w io.Writer) error {
	type record struct {
		Record  string            `json:"record"`
		Title   string            `json:"title"`
		Verdict string            `json:"verdict"`
		Decided int               `json:"decided"`
		Own     string            `json:"own,omitempty"`
		Reading *evidence.Reading `json:"reading"`
		Learned *evidence.Learned `json:"learned,omitempty"`

		Retracted evidence.Ternary `json:"retracted"`
		Review    string           `json:"review,omitempty"`
	}
	return JSON(w, struct {
		Head
		Topic      string         `json:"topic"`
		Generation int            `json:"generation"`
		Needed     int            `json:"readers_needed"`
		Readers    []string       `json:"readers"`
		Counts     map[string]int `json:"counts"`
		Records    []record       `json:"records"`
	}{HeadOf("marks"), m.Topic, m.Generation, m.Needed, answer.NotNull(m.Readers), m.counts(),
		plaintext.Each(m.Records, func(one Marked) record {
			it := one.Item
			return record{
				Record: it.Record.ID, Title: TitleOf(it.Record), Verdict: one.Verdict(), Decided: one.Decided, Own: one.Own,
				Reading: it.Assessment.Reading, Learned: it.Assessment.Learned,
				Retracted: cmp.Or(it.Record.Retraction.Status, evidence.Unknown), Review: CheckOf(it),
			}
		})})
}
