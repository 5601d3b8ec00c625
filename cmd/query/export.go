package main

import (
	"bufio"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/reader"
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
  query export --format ris > library.ris              # for a reference manager`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withReader(cmd, s, func(r *reader.Reader) error {
				items, warnings, err := r.Items(cmd.Context(), topic)
				printWarnings(r.App, warnings)

				if err != nil {
					return err
				}

				generation, err := r.Generation()
				if err != nil {
					return err
				}

				if format != "csv" && !slices.Contains(reader.CitationFormats(), format) { // these have no place for it
					items = r.WithFamilies(items)
				}
				out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<20)
				return errors.Join(reader.Export(out, items, topic, generation, format), out.Flush())
			})
		},
	}
	command.FormatFlag(cmd, &format, "", reader.ExportFormats()...)
	cmd.Flags().StringVar(&topic, "topic", "", "only the records that this topic found")
	command.Offer(cmd, "topic", command.Topics(s))
	return cmd
}
