package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/marks"
	"dossier/internal/reader"
	"dossier/internal/render"
	"dossier/internal/text"
)

func newMark(s command.Streams) *cobra.Command {
	var who, reason, note string
	var settle bool
	decisions := strings.Join(text.Each(marks.Decisions, func(r marks.Decision) string { return string(r) }), ", ")
	reasons := strings.Join(text.Each(marks.Reasons, func(r marks.Reason) string { return string(r) }), ", ")
	cmd := &cobra.Command{
		Use:   "mark TOPIC DECISION RECORD…",
		Short: "Keep or exclude records of a topic, or note that they were presented or are recommended",
		Long: `mark keeps what a reader decides of records: ` + decisions + `. A later decision takes the place of
the one before; what is undecided, not-presented or not-recommended takes it back. To exclude wants a --reason:
` + reasons + `; "other" wants a --note, too.

What is excluded leaves the topic's sample, brief, report and packet at once, and is listed there with who and why.
Where marks.readers is more than 1, so many have to decide first, none sees another's decision until they have, and
where they differ nothing is excluded until somebody settles it with --settle. "query marks" shows all that.

Marks lie in data/marks, beside the store; no run and no import changes them.

` + command.ExitHelp(command.ExitNothing, command.ExitNoStore),
		Example: `  query mark kras-g12c keep PMID:99000001 PMID:99000002
  query mark kras-g12c exclude PMID:99000003 --reason "wrong population"
  query mark kras-g12c presented PMID:99000001 --reader "A. Reader"
  query mark kras-g12c keep PMID:99000003 --settle`,
		Args:              cobra.MinimumNArgs(3),
		ValidArgsFunction: command.FirstTopic(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withReader(cmd, s, func(r *reader.Reader) error {
				m := marks.Mark{Reader: who, Topic: args[0], Decision: marks.Decision(args[1]), Note: note, Settles: settle}
				if !cmd.Flags().Changed("reader") {
					m.Reader = r.App.User
				}

				if cmd.Flags().Changed("reason") {
					var err error
					if m.Reason, err = marks.ParseReason(reason); err != nil {
						return command.Usage(err)
					}
				}
				return markAll(cmd, r, m, args[2:])
			})
		},
	}
	cmd.Flags().StringVar(&who, "reader", "", "who decides; else the user of this account")
	cmd.Flags().StringVar(&reason, "reason", "", "why it is excluded")
	cmd.Flags().StringVar(&note, "note", "", "the same in your own words")
	cmd.Flags().BoolVar(&settle, "settle", false, "settle the conflict of readers who differ")
	return cmd
}

// markAll marks records one by one; those before an invalid one stay marked.
func markAll(cmd *cobra.Command, r *reader.Reader, m marks.Mark, records []string) error {
	for _, name := range records {
		m.Record = name

		record, err := r.Mark(cmd.Context(), m)
		if invalid, ok := errors.AsType[*marks.InvalidError](err); ok {
			return command.Usage(invalid)
		}

		if err != nil {
			return err
		}

		wording := string(m.Decision)
		if m.Settles {
			wording = "settled: " + wording
		}

		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s %s by %s: %s\n", record.ID, wording, text.Line(m.Reader),
			text.Line(render.TitleOf(record))); err != nil {
			return err
		}
	}
	return nil
}

func newMarks(s command.Streams) *cobra.Command {
	var format, who, verdict string
	var all bool
	formats := append([]string{"table", "json"}, reader.ScreeningFormats...)
	cmd := &cobra.Command{
		Use:   "marks TOPIC",
		Short: "Show what readers have decided of a topic's records, and where they differ",
		Long: `marks lists the records of a topic that readers have marked, with what they decided together: kept, excluded,
or conflict where they differ and nobody has settled it. Where marks.readers is more than 1, a decision is shown to
others only when so many have decided; --reader shows a reader's own before. ris and csv are for Covidence and Rayyan,
with the decisions.

` + command.ExitHelp(command.ExitNothing, command.ExitNoStore),
		Example: `  query marks kras-g12c-crc-resistance
  query marks kras-g12c-crc-resistance --verdict conflict
  query marks kras-g12c-crc-resistance --format csv > rayyan.csv`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: command.FirstTopic(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withReader(cmd, s, func(r *reader.Reader) error {
				marked, warnings, err := r.Marked(cmd.Context(), args[0],
					reader.MarkedOptions{Reader: who, Verdict: verdict, All: all})
				printWarnings(r.App, warnings)

				if err != nil {
					return err
				}

				switch format {
				case "json":
					return marked.JSON(cmd.OutOrStdout())
				case "table", "":
					return marked.Table(cmd.OutOrStdout(), command.TerminalOf(r.App.Out, r.App.Environ))
				}
				return reader.Screening(cmd.OutOrStdout(), marked.Items(), format)
			})
		},
	}
	command.FormatFlag(cmd, &format, "", formats...)
	cmd.Flags().StringVar(&who, "reader", "", "show this reader's own decisions before the others have decided")
	cmd.Flags().StringVar(&verdict, "verdict", "", "only records that are kept, excluded, conflict or open")
	cmd.Flags().BoolVar(&all, "all", false, "also the records that nobody has marked")
	return cmd
}
