package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/ask"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

func newExport(s command.Streams) *cobra.Command {
	var format, topic string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write every record of the store, or of a topic",
		Long: `export writes all records, retracted ones and those that did not pass included, in order of id; with --topic those that the
topic found, each with its judgement. A live answer that waits for the indexer is exported by its id (asked-…), and is no
part of the store's own export.

` + command.ExitHelp(command.ExitNothing, command.ExitNoStore),
		Example: `  query export --format jsonl > records.jsonl
  query export --topic kras-g12c-crc-resistance --format csv > kras.csv
  query export --format ris > library.ris                # for a reference manager`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			export := func(app *command.App, reader *store.Reader, missing error) error {
				items, err := itemsOf(cmd.Context(), app, reader, missing, topic)
				if err != nil {
					return err
				}
				generation, err := generationOf(reader)
				if err != nil {
					return err
				}
				out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<20)
				return errors.Join(writeExport(out, items, topic, generation, format), out.Flush())
			}
			return command.WithReader(cmd, s, format, exportFormats, export)
		},
	}
	cmd.Flags().StringVar(&format, "format", "jsonl", formatHelp(exportFormats))
	cmd.Flags().StringVar(&topic, "topic", "", "only the records that this topic found")
	return cmd
}

var exportFormats = slices.Concat([]string{"jsonl", "json", "markdown", "csv"}, citationFormats)

// itemsOf gives the records of the store, or of a topic: of one that waits in the inbox where the store has no answer
// to it.
func itemsOf(
	ctx context.Context, app *command.App, reader *store.Reader, missing error, topic string,
) (iter.Seq2[evidence.Item, error], error) {
	if err := otherThanNoStore(missing); err != nil || topic == "" && missing != nil {
		return nil, missing
	}
	if topic == "" {
		entries, warnings := ask.Waiting(ctx, app.Config.Data)
		var ids []string
		for i := range entries {
			ids = append(ids, entries[i].Answer.Topic.ID)
		}
		if len(ids) > 0 {
			warnings = append(warnings, fmt.Sprintf(
				"not in this export are %s that wait for the indexer's next run (%s); --topic exports one",
				text.Plural(len(ids), "live answer"), strings.Join(ids, ", ")))
		}
		tellWarnings(app, warnings)
		return allItems(ctx, reader), nil
	}
	if reader != nil {
		answer, ok, err := reader.Answer(topic)
		if err != nil {
			return nil, err
		}
		if ok {
			return topicItems(ctx, reader, &answer), nil
		}
		missing = &command.ExitError{Code: command.ExitNothing,
			Err: fmt.Errorf("topic %.200q: not in the store; `query topics` lists those that are", topic)}
	}
	if !evidence.IsLiveTopic(topic) {
		return nil, missing
	}
	words, err := app.Lexicon()
	if err != nil {
		return nil, err
	}
	asker, err := newAsker(app, reader, words)
	if err != nil {
		return nil, err
	}
	items, warnings, ok, err := asker.LiveItems(ctx, topic)
	tellWarnings(app, warnings)
	if err == nil && !ok {
		err = missing
	}
	return sequence(items), err
}

func allItems(ctx context.Context, reader *store.Reader) iter.Seq2[evidence.Item, error] {
	return func(yield func(evidence.Item, error) bool) {
		for record, err := range reader.Records(ctx) {
			if !yield(evidence.Item{Record: &record}, err) || err != nil {
				return
			}
		}
	}
}

func topicItems(ctx context.Context, reader *store.Reader, answer *evidence.Answer) iter.Seq2[evidence.Item, error] {
	return func(yield func(evidence.Item, error) bool) {
		for i := range answer.Assessments {
			id := answer.Assessments[i].Record
			record, ok, err := reader.Record(id)
			if err == nil && !ok {
				err = fmt.Errorf("record %.200q: not in the store", id)
			}
			err = errors.Join(ctx.Err(), err)
			if !yield(evidence.Item{Record: &record, Assessment: &answer.Assessments[i]}, err) || err != nil {
				return
			}
		}
	}
}

func writeExport(w io.Writer, items iter.Seq2[evidence.Item, error], topic string, generation int,
	format string) error {
	if isCitationFormat(format) {
		return writeCitations(w, format, items)
	}
	switch format {
	case "csv":
		return exportCSV(w, items)
	case "json":
		return exportJSON(w, items, topic, generation)
	case "markdown":
		return exportEach(items, func(it evidence.Item) error {
			if err := render.RecordMarkdown(w, it); err != nil {
				return err
			}
			_, err := fmt.Fprintln(w)
			return err
		})
	}
	return exportEach(items, func(it evidence.Item) error { return render.JSONLine(w, it) })
}

func exportEach(items iter.Seq2[evidence.Item, error], write func(evidence.Item) error) error {
	for it, err := range items {
		if err != nil {
			return err
		}
		if err := write(it); err != nil {
			return err
		}
	}
	return nil
}

func exportCSV(w io.Writer, items iter.Seq2[evidence.Item, error]) error {
	rows, err := render.NewRecordsCSV(w)
	if err != nil {
		return err
	}
	if err := exportEach(items, func(it evidence.Item) error { return rows.Write("", it) }); err != nil {
		return err
	}
	return rows.Flush()
}

// exportJSON writes one object, record by record, so that a large store needs no more memory than a small one.
func exportJSON(w io.Writer, items iter.Seq2[evidence.Item, error], topic string, generation int) error {
	name, err := json.Marshal(topic)
	if err != nil {
		return err
	}
	if _,
		err := fmt.Fprintf(w,
		"{\n\"schema\": %q,\n\"command\": \"export\",\n\"generation\": %d,\n\"topic\": %s,\n\"records\": [", render.Schema,
		generation, name); err != nil {
		return err
	}
	separator := "\n"
	err = exportEach(items, func(it evidence.Item) error {
		if _, err := io.WriteString(w, separator); err != nil {
			return err
		}
		separator = ","
		return render.JSONLine(w, it)
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "]\n}\n")
	return err
}
