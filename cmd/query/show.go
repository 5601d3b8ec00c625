package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/identity"
	"dossier/internal/render"
	"dossier/internal/store"
)

func newShow(s command.Streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show all that the store knows of one record",
		Long: `show takes any identifier of a record: a PMID, DOI, PMCID, NCT, PPR or OpenAlex id, or the address of its page. A record
that the store lacks and a live answer found is shown too, with who fetched it.

` + command.ExitHelp(command.ExitNothing, command.ExitNoStore),
		Example: `  query show PMID:99000001
  query show 10.5555/dossier.crc.2023.001 --format json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			show := func(app *command.App, reader *store.Reader, missing error) error {
				it, err := findItem(cmd.Context(), app, reader, missing, args[0])
				if err != nil {
					return err
				}
				generation, err := generationOf(reader)
				if err != nil {
					return err
				}
				if reader != nil && it.Live == nil {
					if it.Family, err = identity.Family(reader, it.Record); err != nil {
						return err
					}
				}
				return writeRecord(cmd, app, it, generation, format)
			}
			return command.WithReader(cmd, s, format, listFormats, show)
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", formatHelp(listFormats))
	return cmd
}

// findItem finds a record in the store, else among those that wait in the inbox. Where there is neither, the error is
// the store's.
func findItem(
	ctx context.Context, app *command.App, reader *store.Reader, missing error, name string,
) (evidence.Item, error) {
	if err := otherThanNoStore(missing); err != nil {
		return evidence.Item{}, err
	}
	if reader != nil {
		record, ok, err := findRecord(reader, name)
		if ok || err != nil {
			return evidence.Item{Record: &record}, err
		}
		id, _ := evidence.ParseIdentifier(name) // as findRecord has read it
		missing = &command.ExitError{Code: command.ExitNothing,
			Err: fmt.Errorf("%s is not in the store; `query search` looks for words", id)}
	}
	it, ok, err := liveRecord(ctx, app, reader, name)
	if err == nil && !ok {
		err = missing
	}
	return it, err
}

// findRecord takes a record's id as printed, or any identifier that names exactly one record.
func findRecord(reader *store.Reader, name string) (record evidence.Record, ok bool, err error) {
	if record, ok, err = reader.Record(name); ok || err != nil {
		return record, ok, err
	}
	id, err := evidence.ParseIdentifier(name)
	if err != nil {
		return record, false, command.Usage(err)
	}
	ids, err := reader.Lookup(id)
	switch {
	case err != nil || len(ids) == 0:
		return record, false, err
	case len(ids) == 1:
		return reader.Record(ids[0])
	}
	return record, false,
		command.Usagef("%s names %d records, which contradict each other and are kept apart: %s; show one of them", id,
			len(ids), strings.Join(ids, ", "))
}

func writeRecord(cmd *cobra.Command, app *command.App, it evidence.Item, generation int, format string) error {
	w := cmd.OutOrStdout()
	if isCitationFormat(format) {
		return writeCitations(w, format, sequence([]evidence.Item{it}))
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
