package render

import (
	"encoding/csv"
	"fmt"
	"io"
	"time"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// Changes are the changes of some topics.
type Changes struct {
	Generation int
	Topics     []evidence.TopicChanges
}

// changeColumn is the width of the names of changes, with a gap.
const changeColumn = 24

// Table prints the changes for people; a topic without changes takes one line.
func (c *Changes) Table(w io.Writer, term Terminal) error {
	p := &printer{w: w, term: term}
	for i, t := range c.Topics {
		if i > 0 {
			p.line("")
		}
		p.line(term.bold(plaintext.Line(t.ID)))
		p.line("  " + term.wrapBeside(plaintext.Line(t.Question), 2))
		p.line("  " + term.wrapBeside(ChangesHead(&t), 2))

		for _, item := range t.Items {
			wording := item.Record + ": " + item.Title
			if fromTo := item.FromTo(); fromTo != "" {
				wording += " (" + fromTo + ")"
			}
			lead := fmt.Sprintf("  %-*s", changeColumn, item.Name())
			p.line(lead + term.wrapBeside(plaintext.Line(wording), changeColumn+2))
		}
	}
	return p.err
}

// wrapBeside breaks a text to the right of a column.
func (t Terminal) wrapBeside(s string, column int) string {
	return t.wrap(s, fmt.Sprintf("%*s", column, ""))
}

// ChangesHead states the period of the changes and their number.
func ChangesHead(t *evidence.TopicChanges) string {
	const form = "2006-01-02 15:04 MST"

	if t.Note != "" {
		return t.Note
	}

	if len(t.Items) == 0 {
		return fmt.Sprintf("Nothing has changed since the answer of %s.", t.Since.UTC().Format(form))
	}
	return fmt.Sprintf("%s since the answer of %s, to that of %s.", plaintext.Plural(len(t.Items), "change"),
		t.Since.UTC().Format(form), t.Until.UTC().Format(form))
}

// Markdown writes the changes as a Markdown document.
func (c *Changes) Markdown(w io.Writer) error {
	p := &printer{w: w}
	for i, t := range c.Topics {
		if i > 0 {
			p.line("")
		}
		p.line("# " + plaintext.Markdown(t.Question))
		p.line("")
		p.line(plaintext.Markdown(ChangesHead(&t)))

		for j, item := range t.Items {
			if j == 0 {
				p.line("")
			}

			line := fmt.Sprintf("- **%s** %s %s", item.Name(), markdownLink(item.Record, item.URL),
				plaintext.Markdown(item.Title))
			if fromTo := item.FromTo(); fromTo != "" {
				line += plaintext.Markdown(" (" + fromTo + ")")
			}
			p.line(line)
		}
	}
	return p.err
}

// JSON writes the changes as one object.
func (c *Changes) JSON(w io.Writer) error {
	return JSON(w, struct {
		Head
		Generation int                     `json:"generation"`
		Topics     []evidence.TopicChanges `json:"topics"`
	}{HeadOf("diff"), c.Generation, answer.NotNull(c.Topics)})
}

// changeLine is a change with its topic and period.
type changeLine struct {
	Topic string    `json:"topic"`
	Since time.Time `json:"since,omitzero"`
	Until time.Time `json:"until"`
	evidence.Change
}

// JSONLines writes one change a line.
func (c *Changes) JSONLines(w io.Writer) error {
	for _, t := range c.Topics {
		for _, item := range t.Items {
			if err := encodeLine(w, changeLine{t.ID, t.Since, t.Until, item}); err != nil {
				return err
			}
		}
	}
	return nil
}

// CSV writes one change a row.
func (c *Changes) CSV(w io.Writer) error {
	rows := [][]string{{"topic", "since", "until", "kind", "record", "title", "from", "to", "url"}}
	for _, t := range c.Topics {
		for _, i := range t.Items {
			rows = append(rows, []string{Cell(t.ID), sinceText(t.Since), t.Until.UTC().Format(time.RFC3339),
				string(i.Kind), Cell(i.Record), Cell(i.Title), Cell(i.From), Cell(i.To), Cell(i.URL)})
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}
