package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/render"
	"dossier/internal/store"
)

func newShow(s command.Streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show all that the store knows of one record",
		Long: `show takes any identifier of a record: a PMID, DOI, PMCID, NCT, PPR or OpenAlex id, or the address of its page.

` + command.ExitHelp(command.ExitNothing, command.ExitNoStore),
		Example: `  query show PMID:99000001
  query show 10.5555/dossier.crc.2023.001 --format json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return command.WithReader(cmd, s, format, listFormats, func(app *command.App, reader *store.Reader) error {
				record, err := findRecord(reader, args[0])
				if err != nil {
					return err
				}
				generation, err := reader.Generation()
				if err != nil {
					return err
				}
				return writeRecord(cmd, app, render.Item{Record: &record}, generation.Number, format)
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", formatHelp(listFormats))
	return cmd
}

// findRecord takes a record's id as printed, or any identifier that names exactly one record.
func findRecord(reader *store.Reader, name string) (evidence.Record, error) {
	record, err := reader.Record(name)
	if err == nil || !errors.Is(err, store.ErrNotFound) {
		return record, err
	}
	id, parseErr := evidence.ParseIdentifier(name)
	if parseErr != nil {
		return record, command.Usage(parseErr)
	}
	ids, err := reader.Lookup(id)
	if err != nil {
		return record, err
	}
	switch len(ids) {
	case 0:
		return record, &command.ExitError{Code: command.ExitNothing, Err: fmt.Errorf("%s is %w; `query search` looks for words", id, store.ErrNotFound)}
	case 1:
		return reader.Record(ids[0])
	}
	return record, command.Usagef("%s names %d records, which contradict each other and are kept apart: %s; show one of them", id, len(ids), strings.Join(ids, ", "))
}

func writeRecord(cmd *cobra.Command, app *command.App, it render.Item, generation int, format string) error {
	w := cmd.OutOrStdout()
	if isCitationFormat(format) {
		return writeCitations(w, format, sequence([]render.Item{it}))
	}
	switch format {
	case "json":
		return render.RecordJSON(w, it, generation)
	case "jsonl":
		return render.JSONLine(w, it)
	case "markdown":
		return render.RecordMarkdown(w, it)
	case "csv":
		return render.RecordCSV(w, it)
	}
	return render.RecordTable(w, command.TerminalOf(app.Out, app.Environ), it)
}
