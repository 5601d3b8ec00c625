package main

import (
	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/reader"
)

func newDiff(s command.Streams) *cobra.Command {
	var format, since string
	var topics []string
	cmd := &cobra.Command{
		Use:   "diff",
		Short: "Tell what changed: new, retracted, reclassified and dropped records, and trials that opened or closed",
		Long: `diff compares the answer of each topic with an earlier one, and lists by kind what a reader of that one does not know.
Without --since it is the last answer that showed something else. --since takes a date (what was shown when that day
began), a generation that is kept (` + "`indexer status`" + ` lists them), or last-report: what the last ` +
			"`query report`" + ` on the topic was made of.

A record that has got another identifier since is the same record. Where nothing has changed, it says so, with exit
code 0.

` + command.ExitHelp(command.ExitNothing, command.ExitNoStore),
		Example: `  query diff
  query diff --since 2026-11-01 --topic kras-g12c-crc-resistance
  query diff --since last-report --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			from, err := reader.ParseSince(since)
			if err != nil {
				return err
			}
			return withReader(cmd, s, func(r *reader.Reader) error {
				if r.Missing != nil {
					return r.Missing
				}

				changed, err := r.Changes(cmd.Context(), from, topics...)
				if err != nil {
					return err
				}

				if len(changed.Topics) == 0 {
					return errNoTopics
				}
				return writeShown(cmd.OutOrStdout(), r.App, changed, nil, format)
			})
		},
	}
	cmd.Flags().StringVar(&since, "since", "", "a date such as 2026-11-01, a generation such as 42, or last-report")
	cmd.Flags().StringSliceVar(&topics, "topic", nil, "only these topics, by id")
	command.FormatFlag(cmd, &format, "", formats...)
	command.OfferTopics(cmd, "topic", s)
	command.Offer(cmd, "since", command.Generations(s, "last-report"))
	return cmd
}
