package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/pipeline"
	"dossier/internal/published"
	"dossier/internal/store"
	"dossier/internal/text"
)

func newImportCurated(s command.Streams) *cobra.Command {
	var date string
	cmd := &cobra.Command{
		Use:     "import-curated FILE...",
		Aliases: []string{"import-civic"},
		Short:   "Take in what curators say, by level: CIViC's, ClinVar's and OncoKB's files",
		Long: `import-curated reads what curators of knowledge bases say, from files that you
have. Which one a file is, its header tells:

  CIViC's evidence     ClinicalEvidenceSummaries.tsv of
                       https://civicdb.org/releases (public domain): levels,
                       shown beside the paper that is cited
  CIViC's assertions   AssertionSummaries.tsv from there: AMP/ASCO/CAP tiers of
                       an alteration in a disease
  ClinVar's variants   variant_summary.txt.gz
  OncoKB's tables      biomarkers and drugs, actionable and annotated variants:
                       only for those who have OncoKB's licence

What is on an alteration is held against each question: answers, reports and
packets say what curators say of this very alteration, tumour and treatment, or
of another one, in their words, with level or tier as they gave it. None is ever
worked out, and nothing of it is sent anywhere. See docs/CURATED.md.

The files of one source take the place of those of that source before: name all
of OncoKB's at once. CIViC's evidence is one file by itself; what it cites for
the very same question is put forward in answers (docs/METHOD.md). Rows that
can't be used are counted by reason. Files may be packed with gzip, and - is
standard input. A file is as old as --date, else its name, else the day on which
it was changed last. The command was called import-civic before.

` + command.ExitHelp(command.ExitPartial, command.ExitLocked, command.ExitNoStore),
		Example: `  indexer import-curated 01-Nov-2026-ClinicalEvidenceSummaries.tsv
  indexer import-curated 01-Nov-2026-AssertionSummaries.tsv
  indexer import-curated variant_summary.txt.gz --date 2026-11-20`,
		Args: cobra.MinimumNArgs(1),
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, args []string) error {
			words, err := app.Lexicon()
			if err != nil {
				return err
			}
			reader := published.NewReader(words)

			read := published.Curated{KeysIn: reader.KeysIn, IsGene: reader.IsGene}
			if err := readCurated(cmd, app, &read, args, evidence.Date(date)); err != nil {
				return err
			}
			return importCurated(cmd, app, &read, args)
		}),
	}
	cmd.Flags().StringVar(&date, "date", "", "the files' day, as YYYY-MM-DD")
	return cmd
}

// maxCuratedSize bounds a packed file's unpacked size; ClinVar's has 4 GB. Each format has bounds of its own.
const maxCuratedSize = 16 << 30

// readCurated reads all files before any work starts.
func readCurated(
	cmd *cobra.Command, app *command.App, read *published.Curated, paths []string, date evidence.Date,
) error {
	return readImported(cmd, app, paths, date, func(in *input, path string, day evidence.Date) error {
		plain, err := files.Unzipped(in, maxCuratedSize)
		if err != nil {
			return err
		}
		reported := len(read.LeftOut())

		err = read.Read(plain, originName(path), day, app.Now())
		for _, l := range read.LeftOut()[reported:] {
			printLeftOut(cmd, l)
		}
		return err
	})
}

// importCurated imports what was read: first the statements on papers, then those on alterations.
func importCurated(cmd *cobra.Command, app *command.App, read *published.Curated, paths []string) error {
	files, entries := read.All()
	if read.Evidence == nil && len(entries) == 0 {
		return errNothingImported
	}
	err := importStatements(cmd, app, nameFiles(paths),
		func(w *store.Writer, steps *pipeline.Pipeline, opts pipeline.ImportOptions) error {
			if read.Evidence != nil {
				run, counts, err := steps.ImportCurated(cmd.Context(), w, *read.Evidence, opts)
				if err == nil {
					err = printCivic(cmd, read.Evidence, &read.Summaries, counts, run.Generation)
				}

				if err != nil || len(entries) == 0 {
					return err
				}
			}

			run, counts, err := steps.ImportInterpretations(cmd.Context(), w, files, entries, opts)
			if err != nil {
				return err
			}
			return printImported(cmd, files, counts, run.Generation)
		})
	return cmp.Or(err, unreadError(read.LeftOut(), "row"))
}

// printCivic prints the result of importing statements on papers.
func printCivic(
	cmd *cobra.Command, file *evidence.CuratedFile, read *published.Summaries, counts pipeline.CuratedCounts,
	generation int,
) error {
	state := curatedState{CuratedFile: *file, Statements: counts.Statements, Papers: counts.Papers, Joined: counts.Joined}

	lines := []string{curatedLine("CIViC's file", state)}
	if counts.BeforeDate == "" {
		lines = append(lines, "before: none")
	} else {
		lines = append(lines, fmt.Sprintf("before: %s, file of %s; new %d, changed %d, gone %d",
			text.Plural(counts.Before, "statement"), counts.BeforeDate, counts.New, counts.Changed, counts.Gone))
	}

	if counts.BeforeDate > file.Date {
		lines = append(lines, "note: the file before was of a later day; import it again if that was a mistake")
	}

	if left := read.Rows - counts.Statements; left > 0 {
		lines = append(lines, fmt.Sprintf("left out: %d of %s", left, text.Plural(read.Rows, "row")))
	}

	if read.Foreign > 0 {
		lines = append(lines, text.Plural(read.Foreign, "link")+" left out: not to https://civicdb.org/")
	}

	if len(counts.Corrected) > 0 {
		lines = append(lines, "answers sampled again: "+strings.Join(counts.Corrected, ", "))
	}
	lines = append(lines, fmt.Sprintf("generation %d is published", generation))
	_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(lines, "\n"))
	return err
}

// curatedState describes the curators' data in a store, in JSON output too.
type curatedState struct {
	evidence.CuratedFile
	Statements int `json:"statements"`
	Papers     int `json:"papers"` // with statements
	Joined     int `json:"joined"` // of these, how many the store has
}

// curatedIn describes the imported file of CIViC; nil if there is none.
func curatedIn(reader *store.Reader) (*curatedState, error) {
	file, found, err := reader.CuratedFile()
	if err != nil || !found {
		return nil, err
	}
	pmids := file.PMIDs()
	joined, err := pipeline.PapersHeld(reader, pmids)
	return &curatedState{CuratedFile: file, Statements: len(file.Statements), Papers: len(pmids), Joined: joined}, err
}

func curatedLine(what string, s curatedState) string {
	return fmt.Sprintf("%s of %s: %s on %s, %d of them in the store",
		what, s.Date, text.Plural(s.Statements, "statement"), text.Plural(s.Papers, "paper"), s.Joined)
}
