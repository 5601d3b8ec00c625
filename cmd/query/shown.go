package main

import (
	"io"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/reader"
	"dossier/internal/render"
	"dossier/internal/store"
)

// withReader runs work with a reader of the store, for a command that reads it.
func withReader(cmd *cobra.Command, s command.Streams, work func(r *reader.Reader) error) error {
	return command.WithReader(cmd, s, func(app *command.App, generation *store.Reader, missing error) error {
		return work(reader.New(app, generation, missing))
	})
}

// withQuestion is withReader for a command with a question. Anything in it that may identify a patient is not repeated
// on standard error if that may be a log.
func withQuestion(cmd *cobra.Command, s command.Streams, question string, work func(r *reader.Reader) error) error {
	return withReader(cmd, s, func(r *reader.Reader) error {
		s.Redact(func(message string) string {
			words, err := r.Lexicon()
			if err != nil {
				return message // it does not contain the question
			}
			return guard.Redact(words, question, message)
		})
		return work(r)
	})
}

// shown is a list of records to print: an answer or a search's hits.
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
		return reader.Citations(w, format, reader.Sequence(items))
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
