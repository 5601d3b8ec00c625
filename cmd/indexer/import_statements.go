package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/pipeline"
	"dossier/internal/published"
	"dossier/internal/store"
	"dossier/internal/text"
)

// importStatements runs f, which imports statements on papers or drugs, with the store that is being written, the
// pipeline steps that work on it, and the run's record of the import.
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

// readImported reads users' files, whose kind it detects, before any work starts. The day is the given one, else the
// file's.
func readImported(
	cmd *cobra.Command, app *command.App, paths []string, date evidence.Date,
	read func(in *input, path string, day evidence.Date) error,
) error {
	if _, err := time.Parse(time.DateOnly, string(date)); err != nil && date != "" {
		return command.Usagef("--date %q is no day of the form 2026-11-01", date)
	}

	if err := checkInputs(paths); err != nil {
		return err
	}

	for _, path := range paths {
		in, err := openInput(path, cmd.InOrStdin())
		if err == nil {
			err = read(in, path, cmp.Or(date, dayOf(path, app.Now())))
			in.Close() // only read
		}

		if err != nil {
			return fmt.Errorf("%s: %w; nothing was imported", shownName(path), err)
		}
	}
	return nil
}

// dayOf is the day of a file without a given one: that in its name, else that of its last change, else today.
func dayOf(path string, now time.Time) evidence.Date {
	if path == standardInput {
		return evidence.DateOf(now)
	}

	if day := published.DateIn(filepath.Base(path)); day != "" {
		return day
	}

	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		return evidence.DateOf(info.ModTime())
	}
	return evidence.DateOf(now)
}

// printLeftOut reports what in a file can't be used, and why.
func printLeftOut(cmd *cobra.Command, l published.FileLeftOut) {
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s left out: %s (first: %s)\n", text.Line(l.File), text.Plural(l.Rows, l.Noun),
		text.Line(l.Reason), text.Line(l.First))
}

// errNothingImported is returned for files without anything usable.
var errNothingImported = errors.New(
	"no entry of the files can be used; nothing was imported, and the store keeps what it has")

// printImported prints the result of importing files that are compared with questions.
func printImported(cmd *cobra.Command, files []evidence.GivenFile, counts pipeline.GivenCounts, generation int) error {
	lines := append(text.Each(files, importedLine), counts.String(), fmt.Sprintf("generation %d is published", generation))
	_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(lines, "\n"))
	return err
}

// importedLine reports how much of a file is kept.
func importedLine(f evidence.GivenFile) string {
	return text.Line(fmt.Sprintf("%s %s of %s: %s seen, %d kept, %d left out", f.Source, f.Name, f.Date,
		text.Plural(f.Seen, "entry"), f.Kept, f.Seen-f.Kept))
}

// unreadError is returned if an import could not read all: so many rows or entries, whose reasons were reported.
func unreadError(left []published.FileLeftOut, noun string) error {
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
