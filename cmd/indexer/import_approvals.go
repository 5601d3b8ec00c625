package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/pipeline"
	"dossier/internal/published"
	"dossier/internal/store"
	"dossier/internal/text"
)

func newImportApprovals(s command.Streams) *cobra.Command {
	var date string
	cmd := &cobra.Command{
		Use:   "import-approvals FILE...",
		Short: "Take in what regulators have approved: openFDA's labels, the EMA's table, MOAlmanac's indications",
		Long: `import-approvals reads what is approved, and for what, from files that you have:

  openFDA's drug labels     drug-label-0001-of-0013.json.zip and the others, as
                            downloaded or unpacked
  the EMA's medicines       the table of medicines, as XLSX or as JSON
  MOAlmanac's indications   JSON with the indications of several agencies, with
                            their documents or without

Answers, reports and packets then say of each drug of a question whether it is
approved in this very indication, or in another one, with the agency's own
words, and what differs. They recommend nothing. See docs/APPROVALS.md.

The files of one source take the place of those of that source before: name all
of openFDA's at once. What is for no tumour is not kept. Whatever is left out is
counted by reason. Each file is as old as it says itself, else as --date, else
its name, else the day on which it was last changed. - is standard input.

` + command.ExitHelp(command.ExitPartial, command.ExitLocked, command.ExitNoStore),
		Example: `  indexer import-approvals drug-label-*.json.zip
  indexer import-approvals medicines_en.xlsx --date 2026-11-20`,
		Args: cobra.MinimumNArgs(1),
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, args []string) error {
			words, err := app.Lexicon()
			if err != nil {
				return err
			}
			reader := published.NewReader(words)

			read := published.Approvals{DrugsIn: reader.Substances, Concerns: reader.Concerns}
			if err := readApprovals(cmd, app, &read, args, evidence.Date(date)); err != nil {
				return err
			}
			return importApprovals(cmd, app, &read, args)
		}),
	}
	cmd.Flags().StringVar(&date, "date", "", "the files' day, as YYYY-MM-DD, where they do not say it themselves")
	return cmd
}

// readApprovals reads all files before any work starts.
func readApprovals(
	cmd *cobra.Command, app *command.App, read *published.Approvals, paths []string, date evidence.Date,
) error {
	err := readImported(cmd, app, paths, date, func(in *input, path string, day evidence.Date) error {
		info, err := in.Stat()
		if err != nil {
			return err
		}
		return read.Read(in, info.Size(), originName(path), day, app.Now())
	})
	if err != nil {
		return err
	}

	for _, l := range read.LeftOut() {
		printLeftOut(cmd, l)
	}

	for _, note := range read.Notes {
		fmt.Fprintln(cmd.ErrOrStderr(), text.Line(note))
	}
	return nil
}

func importApprovals(cmd *cobra.Command, app *command.App, read *published.Approvals, paths []string) error {
	files, entries := read.All()
	if len(entries) == 0 {
		return errNothingImported
	}
	err := importStatements(cmd, app, nameFiles(paths),
		func(w *store.Writer, steps *pipeline.Pipeline, opts pipeline.ImportOptions) error {
			run, counts, err := steps.ImportApprovals(cmd.Context(), w, files, entries, opts)
			if err != nil {
				return err
			}
			return printImported(cmd, files, counts, run.Generation)
		})
	return cmp.Or(err, unreadError(read.LeftOut(), "entry"))
}
