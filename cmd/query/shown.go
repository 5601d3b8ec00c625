package main

import (
	"io"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/desk"
	"dossier/internal/evidence"
	"dossier/internal/privacy"
	"dossier/internal/render"
	"dossier/internal/store"
)

// withDesk runs work at a desk before the store, for a command that reads it.
func withDesk(cmd *cobra.Command, s command.Streams, work func(d *desk.Desk) error) error {
	return command.WithReader(cmd, s, func(app *command.App, reader *store.Reader, missing error) error {
		return work(desk.New(app, reader, missing))
	})
}

// withQuestion is withDesk for a command that is given a question. What of it may tell of a patient is not repeated on
// standard error where that may be a log.
func withQuestion(cmd *cobra.Command, s command.Streams, question string, work func(d *desk.Desk) error) error {
	return withDesk(cmd, s, func(d *desk.Desk) error {
		s.Redact(func(message string) string {
			words, err := d.Lexicon()
			if err != nil {
				return message // nothing was read by it, so nothing is said of the question
			}
			return privacy.Redact(words, question, message)
		})
		return work(d)
	})
}

// shown is what a command prints that gives a list of records: an answer or a search's hits.
type shown interface {
	JSON(io.Writer) error
	JSONLines(io.Writer) error
	Markdown(io.Writer) error
	CSV(io.Writer) error
	Table(io.Writer, render.Terminal) error
}

// writeShown writes s in one of listFormats; items are its records, for reference managers.
func writeShown(w io.Writer, app *command.App, s shown, items []evidence.Item, format string) error {
	if isCitationFormat(format) {
		return desk.Citations(w, format, desk.Sequence(items))
	}

	switch format {
	case "json":
		return s.JSON(w)
	case "jsonl":
		return s.JSONLines(w)
	case "markdown":
		return s.Markdown(w)
	case "csv":
		return s.CSV(w)
	}
	return s.Table(w, command.TerminalOf(app.Out, app.Environ))
}
