package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"

	"github.com/google/renameio/v2/maybe"
	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/pipeline"
	"dossier/internal/published"
	"dossier/internal/text"
)

// retractionsName is the file, in the data directory, that holds the table which was imported last: each run holds it
// against what it brings.
const retractionsName = "retractions.csv"

// maxRetractions bounds a table of retractions, in bytes; Retraction Watch's has some 60 MB.
const maxRetractions = 512 << 20

func newImportRetractions(s command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "import-retractions FILE",
		Short: "Take Retraction Watch's table in: which papers were retracted or doubted",
		Long: `import-retractions reads Retraction Watch's table, as Crossref publishes it (retraction_watch.csv; plain or
gzipped), and marks the papers that it calls retracted, and their copies, in the store and in stored answers. Expressions
of concern are shown beside their papers. What is reinstated is retracted no more.

The table is kept: each run holds it against the papers that it brings. The next table takes its place as a whole. Of the
table only papers come into the store that it holds already, or holds copies of.

` + command.ExitHelp(command.ExitPartial, command.ExitLocked, command.ExitNoStore),
		Example: `  indexer import-retractions retraction_watch.csv`,
		Args:    cobra.ExactArgs(1),
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, args []string) error {
			return importRetractions(cmd, app, args[0])
		}),
	}
}

func importRetractions(cmd *cobra.Command, app *command.App, path string) (err error) {
	content, table, err := readRetractions(cmd, path)
	if err != nil {
		return err
	}

	for _, p := range table.Problems[:min(len(table.Problems), maxProblemsShown)] {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s left out: %s\n", shownName(path), p.ID, text.Line(p.Reason))
	}

	before, err := keptRetractions(app)
	if err != nil {
		return err
	}

	w, err := app.BeginStore(cmd.Context(), cmd.CommandPath())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()

	concerning, err := pipeline.Concerning(cmd.Context(), w, table.Records)
	if err != nil {
		return err
	}
	gone := removedOrigins(before, table.Records)
	im := &fileImport{cmd: cmd, app: app, paths: []string{path},
		read: func(context.Context, io.ReadSeeker, string, func(evidence.Problem)) iter.Seq2[pipeline.ImportItem, error] {
			return retractionItems(concerning, gone)
		}}
	counts, err := im.importInto(w)
	im.endProgress()

	if err != nil {
		return err
	}

	if err := maybe.WriteFile(filepath.Join(app.Config.Data, retractionsName), content, 0o640); err != nil {
		return fmt.Errorf("keeping the table for later runs: %w; import it again", err)
	}

	if _, err := fmt.Fprintf(cmd.OutOrStdout(),
		"%s, %d of papers that the store holds or holds copies of; %s; generation %d is published; the table is kept for "+
			"later runs\n", text.Plural(table.Rows, "row"), len(concerning), counts,
		im.generation); err != nil {
		return err
	}

	if n := len(table.Problems); n > 0 {
		return command.Exitf(command.ExitPartial, "%s could not be read; the first are named above", text.Plural(n, "row"))
	}
	return nil
}

// readRetractions reads a file whole before any work starts.
func readRetractions(cmd *cobra.Command, path string) (content []byte, table published.Retractions, err error) {
	if err := checkInputs([]string{path}); err != nil {
		return nil, table, err
	}

	in, err := openInput(path, cmd.InOrStdin())
	if err != nil {
		return nil, table, fmt.Errorf("%s: %w", shownName(path), err)
	}
	defer in.Close()

	plain, err := files.Unzipped(in, maxRetractions)
	if err == nil {
		content, err = io.ReadAll(plain)
	}

	if err == nil {
		table, err = published.ReadRetractions(bytes.NewReader(content))
	}

	if err != nil {
		return nil, table, command.Usagef("%s: %w; nothing was imported", shownName(path), err)
	}
	return content, table, nil
}

// keptRetractions are the records of the last imported table, if any.
func keptRetractions(app *command.App) ([]evidence.Record, error) {
	path := filepath.Join(app.Config.Data, retractionsName)

	content, err := files.ReadOwn(path, maxRetractions)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}

	if err != nil {
		return nil, fmt.Errorf("reading the table of retractions that is kept: %w; import it again", err)
	}

	table, err := published.ReadRetractions(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("%s: %w; import the table again", path, err)
	}
	return table.Records, nil
}

// removedOrigins are the origins that the previous table had and the new one lacks.
func removedOrigins(before, now []evidence.Record) (keys []string) {
	has := map[string]bool{}
	for i := range now {
		has[now[i].Origins[0].Key()] = true
	}

	for i := range before {
		if key := before[i].Origins[0].Key(); !has[key] {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

func retractionItems(records []evidence.Record, gone []string) iter.Seq2[pipeline.ImportItem, error] {
	return func(yield func(pipeline.ImportItem, error) bool) {
		for i := range records {
			if !yield(pipeline.ImportItem{Record: records[i]}, nil) {
				return
			}
		}

		for _, key := range gone {
			if !yield(pipeline.ImportItem{Withdrawn: key}, nil) {
				return
			}
		}
	}
}
