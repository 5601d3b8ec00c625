package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dossier/internal/civic"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/pipeline"
	"dossier/internal/store"
	"dossier/internal/text"
)

func newImportCivic(s command.Streams) *cobra.Command {
	var date string
	cmd := &cobra.Command{
		Use:   "import-civic FILE",
		Short: "Take CIViC's evidence summaries in: what curators say of papers, by level",
		Long: `import-civic reads CIViC's evidence summaries (ClinicalEvidenceSummaries.tsv or AcceptedAndSubmitted… of
https://civicdb.org/releases, in the public domain) and shows each statement beside the paper that it cites, joined by
PMID: level (A validated, B clinical, C case study, D preclinical, E inferential), direction and link. The file may be
packed with gzip, and - is standard input.

A file takes the place of the one before. The papers need not be in the store yet: one that comes later has its levels
at once. What CIViC cites for the very same question is put forward in stored answers, openly; see docs/METHOD.md.

Rows that can't be used (rejected, citing no PubMed paper, damaged) are counted by reason. The statements are as old as
the file: its day is that of --date, else of its name (01-Nov-2026-ClinicalEvidenceSummaries.tsv), else the day on which
it was last changed.

` + command.ExitHelp(command.ExitPartial, command.ExitLocked, command.ExitNoStore),
		Example: `  indexer import-civic 01-Nov-2026-ClinicalEvidenceSummaries.tsv
  indexer import-civic ClinicalEvidenceSummaries.tsv.gz --date 2026-11-20`,
		Args: cobra.ExactArgs(1),
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, args []string) error {
			file, read, err := readCivic(cmd, app, args[0], date)
			if err != nil {
				return err
			}
			return importCivic(cmd, app, file, read)
		}),
	}
	cmd.Flags().StringVar(&date, "date", "", "the file's day, as YYYY-MM-DD")
	return cmd
}

// readCivic reads a file whole before any work starts.
func readCivic(
	cmd *cobra.Command, app *command.App, path, date string,
) (*evidence.CuratedFile, civic.Summaries, error) {
	var read civic.Summaries
	if _, err := time.Parse(time.DateOnly, date); err != nil && date != "" {
		return nil, read, command.Usagef("--date %q is no day of the form 2026-11-01", date)
	}
	if err := checkInputs([]string{path}); err != nil {
		return nil, read, err
	}
	f, err := openInput(path, cmd.InOrStdin())
	if err != nil {
		return nil, read, fmt.Errorf("%s: %w", shownName(path), err)
	}
	defer f.Close()
	file := &evidence.CuratedFile{
		Source: evidence.CuratedCIViC, Name: originName(path), Date: evidence.Date(date), Imported: app.Now().UTC(),
	}
	if file.Date == "" {
		file.Date = dayOf(path, app.Now())
	}
	plain, err := unpacked(f)
	if err == nil {
		read, err = civic.Read(plain, file.Date)
	}
	if err != nil {
		return nil, read, fmt.Errorf("%s: %w; nothing was imported", shownName(path), err)
	}
	for _, l := range read.LeftOut {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s left out: %s (first: %s)\n",
			shownName(path), text.Plural(l.Rows, "row"), text.Line(l.Reason), l.First)
	}
	if len(read.Statements) == 0 {
		const kept = "nothing was imported, and the store keeps what it has"
		return nil, read, fmt.Errorf("%s: none of its %s can be used; %s", shownName(path), text.Plural(read.Rows, "row"),
			kept)
	}
	file.Statements = read.Statements
	return file, read, nil
}

// dayOf is the day of a file that nobody has told: that of its name, else the one on which it was last changed, else
// today.
func dayOf(path string, now time.Time) evidence.Date {
	if path == standardInput {
		return evidence.DateOf(now)
	}
	if day := civic.DateIn(filepath.Base(path)); day != "" {
		return day
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		return evidence.DateOf(info.ModTime())
	}
	return evidence.DateOf(now)
}

func importCivic(cmd *cobra.Command, app *command.App, file *evidence.CuratedFile, read civic.Summaries) error {
	err := importStatements(cmd, app, file.Name,
		func(w *store.Writer, steps *pipeline.Pipeline, opts pipeline.ImportOptions) error {
			run, counts, err := steps.ImportCurated(cmd.Context(), w, *file, opts)
			if err != nil {
				return err
			}
			return tellCivic(cmd, file, read, counts, run.Generation)
		})
	return cmp.Or(err, unread(read.LeftOut, "row"))
}

// tellCivic prints what came of an import.
func tellCivic(
	cmd *cobra.Command, file *evidence.CuratedFile, read civic.Summaries, counts pipeline.CuratedCounts, generation int,
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

// curatedState is how what a store has of curators stands, in JSON output too.
type curatedState struct {
	evidence.CuratedFile
	Statements int `json:"statements"`
	Papers     int `json:"papers"` // that the statements are on
	Joined     int `json:"joined"` // of these, how many the store has
}

// curatedIn reads it; nil where nothing was imported.
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
