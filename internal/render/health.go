package render

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"dossier/internal/evidence"
	"dossier/internal/health"
	plaintext "dossier/internal/text"
)

// minuteUTC is the form of a moment in a line.
const minuteUTC = "2006-01-02 15:04 MST"

// HealthTable prints the state of topics and sources: the sources in lines, the topics in a table, and below it the
// failures of either. With queries it includes each topic's query.
func HealthTable(w io.Writer, term Terminal, h health.Health, now time.Time, queries bool) error {
	p := &printer{w: w, term: term}
	for _, s := range h.Sources {
		p.line(term.labelled("source", plaintext.Line(sourceLine(s, now))))
	}

	if len(h.Topics) > 0 {
		p.line("")
		p.health(h.Topics, now)
	}

	if len(h.Retired) > 0 {
		ids := plaintext.Each(h.Retired, func(t health.Topic) string { return t.ID })
		p.line(term.wrap("retired: "+strings.Join(ids, ", "), "  "))
	}

	for _, t := range h.Topics {
		p.troubles(t)

		if agreement := t.Counts.AgreementText(); agreement != "" {
			p.line(term.wrap(t.ID+": "+agreement, "  "))
		}

		if queries && t.Query.Text != "" {
			p.line(term.wrap(t.ID+": "+queryName(t.Query.Layer, t.Query.By)+": "+plaintext.Line(t.Query.Text), "  "))
		}
	}
	return p.err
}

// health prints the table of topics.
func (p *printer) health(topics []health.Topic, now time.Time) {
	t := newTable()
	t.AppendHeader(table.Row{"topic", "records", "new", "answered", "errors", "cost"})
	t.SetColumnConfigs([]table.ColumnConfig{
		{Number: 2, Align: text.AlignRight}, {Number: 3, Align: text.AlignRight},
		{Number: 5, Align: text.AlignRight}, {Number: 6, Align: text.AlignRight},
	})

	const otherColumns = 50
	for _, topic := range topics {
		answered := "never"
		if !topic.Built.IsZero() {
			answered = evidence.Old(now.Sub(topic.Built))
		}

		errs := ""
		if topic.ErrorsInARow > 0 {
			errs = plaintext.Plural(topic.ErrorsInARow, "run")
		}
		t.AppendRow(table.Row{
			text.WrapHard(topic.ID, p.term.width()-otherColumns), topic.Counts.Unique, topic.Counts.New, answered, errs,
			costText(topic.Usage),
		})
	}
	p.write(t)
}

// costText is a model's cost, in a cell: in the prices' currency, else in tokens.
func costText(u evidence.Usage) string {
	switch {
	case u.Calls == 0:
		return ""
	case u.Cost > 0:
		return fmt.Sprintf("%.4f", u.Cost)
	}
	return fmt.Sprintf("%d t", u.Tokens())
}

// troubles prints a topic's failures: the answer's, or the newest run's if that gave no answer; and since when they
// last.
func (p *printer) troubles(t health.Topic) {
	var lines []string
	switch {
	case !t.Failed:
		lines = append(lines, t.Trouble...)
	case t.Built.IsZero():
		lines = append(lines, "never answered: "+strings.Join(t.RunErrors, "; "))
	default:
		lines = append(lines, "the answer of "+t.Built.Format(minuteUTC)+" stands: "+strings.Join(t.RunErrors, "; "))
	}

	if t.ErrorsInARow > 1 {
		since := t.ErrorsSince.Format(minuteUTC)
		lines = append(lines, fmt.Sprintf("errors in %d runs in a row, since %s", t.ErrorsInARow, since))
	}

	for _, line := range lines {
		p.line(p.term.wrap("! "+t.ID+": "+plaintext.Line(line), "  "))
	}
}

// sourceLine states when a source last answered and since when it fails.
func sourceLine(s health.Source, now time.Time) string {
	line := s.Name + " " + health.LastTime(s.LastSuccess, "answered a topic", now)
	if !s.LastSuccess.IsZero() {
		line += ", " + s.LastSuccess.Format(minuteUTC)
	}

	switch {
	case s.InARow > 0:
		line += fmt.Sprintf("; FAILS since %s, in %s", s.Since.Format(minuteUTC), plaintext.Plural(s.InARow, "run"))
	case s.Failed > 0:
		line += fmt.Sprintf("; failed for %d of %s", s.Failed, plaintext.Plural(s.Topics, "topic"))
	}

	if s.Error != "" {
		line += ": " + s.Error
	}

	if s.NotAsked != "" {
		line += "; the last run did not ask it: " + s.NotAsked
	}

	if s.CheckError != "" {
		line += "; its check of the store's papers fails since " + s.CheckSince.Format(minuteUTC) + ": " + s.CheckError
	}
	return line
}
