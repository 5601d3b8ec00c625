package main

import (
	"errors"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/pipeline"
	"dossier/internal/store"
	"dossier/internal/text"
)

// importStatements has f take in what others say of papers or drugs: with the store that is being written, the steps
// that work on it, and what the run's record tells of the import of files.
func importStatements(
	cmd *cobra.Command, app *command.App, files string,
	f func(w *store.Writer, steps *pipeline.Pipeline, opts pipeline.ImportOptions) error,
) (err error) {
	words, err := app.Lexicon()
	if err != nil {
		return err
	}
	w, err := app.BeginStore(cmd.Context(), cmd.CommandPath())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	steps, err := app.Pipeline(w, words, pipeline.NoProgress{})
	if err != nil {
		return err
	}
	return f(w, steps, pipeline.ImportOptions{
		ID: app.Now().UTC().Format("20060102T150405Z"), Program: command.Version, Files: files,
	})
}

// unread is the error of an import that could not read all: so many rows or entries, whose reasons were told.
func unread(left []evidence.LeftOut, noun string) error {
	damaged := 0
	for _, l := range left {
		if l.Fault {
			damaged += l.Rows
		}
	}
	if damaged == 0 {
		return nil
	}
	return command.Exitf(command.ExitPartial, "%s could not be read; the reasons stand above", text.Plural(damaged, noun))
}
