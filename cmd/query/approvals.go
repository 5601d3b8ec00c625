package main

import (
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/ask"
	"dossier/internal/command"
	"dossier/internal/desk"
	"dossier/internal/store"
)

func newApprovals(s command.Streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   `approvals TOPIC | "question"`,
		Short: "Say what is approved of a question's drugs, by the files that were imported",
		Long: `approvals holds what regulators have approved against a question: of each drug
that is asked about, whether it is approved in this very indication or in
another one, with the agency's own words, what differs, and the file's day. It
needs no answer to the question, asks nobody, and recommends nothing. The files
come from ` + "`indexer import-approvals`." + `

` + command.ExitHelp(command.ExitNothing, command.ExitNoStore),
		Example: `  query approvals "sotorasib KRAS G12C NSCLC second line"
  query approvals egfr-t790m-nsclc-osimertinib --format json`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: command.FirstTopic(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			question, err := ask.CleanQuestion(strings.Join(args, " "))
			if err != nil {
				return command.Usagef("%w; see `query approvals --help`", err)
			}
			return command.WithReader(cmd, s, func(app *command.App, reader *store.Reader, missing error) error {
				if missing != nil {
					return missing
				}
				found, err := desk.New(app, reader, missing).Approvals(question)
				if err != nil {
					return err
				}
				switch format {
				case "json":
					return found.JSON(cmd.OutOrStdout())
				case "markdown":
					return found.Markdown(cmd.OutOrStdout())
				}
				return found.Table(cmd.OutOrStdout(), command.TerminalOf(app.Out, app.Environ))
			})
		},
	}
	command.FormatFlag(cmd, &format, "", "table", "json", "markdown")
	return cmd
}
