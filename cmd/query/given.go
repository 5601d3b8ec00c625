package main

import (
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/reader"
	"dossier/internal/render"
)

func newApprovals(s command.Streams) *cobra.Command {
	return newGiven(s, &cobra.Command{
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
	}, (*reader.Reader).Approvals)
}

func newCurated(s command.Streams) *cobra.Command {
	return newGiven(s, &cobra.Command{
		Use:   `curated TOPIC | "question"`,
		Short: "Say what curators say of a question's alterations, by the files that were imported",
		Long: `curated holds what curators of knowledge bases say against a question: of each
entry on its alterations whether it is on this very alteration, tumour and
treatment, on a wider one or on another, in the curators' own words, with level
or tier as they gave it, and the file's day. Sensitivity and resistance are told
apart. It needs no answer to the question, asks nobody, works out no level, and
recommends nothing. The files come from ` + "`indexer import-curated`; what CIViC says of" + `
single papers stands beside the papers (` + "`query show`)." + `

` + command.ExitHelp(command.ExitNothing, command.ExitNoStore),
		Example: `  query curated "KRAS G12C NSCLC sotorasib"
  query curated egfr-t790m-nsclc-osimertinib --format json`,
	}, (*reader.Reader).Interpretations)
}

// newGiven creates a command that prints the results of find.
func newGiven(
	s command.Streams, cmd *cobra.Command, find func(r *reader.Reader, question string) (*render.Held, error),
) *cobra.Command {
	var format string
	cmd.Args, cmd.ValidArgsFunction = cobra.MinimumNArgs(1), command.FirstTopic(s)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		question, err := reader.CleanQuestion(strings.Join(args, " "))
		if err != nil {
			return command.Usagef("%w; see `query %s --help`", err, cmd.Name())
		}
		return withQuestion(cmd, s, question, func(r *reader.Reader) error {
			if r.Missing != nil {
				return r.Missing
			}

			found, err := find(r, question)
			if err != nil {
				return err
			}

			switch format {
			case "json":
				return found.JSON(cmd.OutOrStdout())
			case "markdown":
				return found.Markdown(cmd.OutOrStdout())
			}
			return found.Table(cmd.OutOrStdout(), command.TerminalOf(r.App.Out, r.App.Environ))
		})
	}
	command.FormatFlag(cmd, &format, "", "table", "json", "markdown")
	return cmd
}
