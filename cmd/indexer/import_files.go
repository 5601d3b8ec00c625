package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/pipeline"
	"dossier/internal/source"
	"dossier/internal/store"
	"dossier/internal/text"
)

// fileReader yields a file's records, and reports unreadable ones to problem. It may read r again from its beginning.
type fileReader func(ctx context.Context, r io.ReadSeeker, path string,
	problem func(evidence.Problem)) iter.Seq2[pipeline.ImportItem, error]

// importFiles imports files, publishes, and reports the result. It checks all files before any work starts.
func importFiles(cmd *cobra.Command, s command.Streams, paths []string, read fileReader) (err error) {
	app, err := command.Load(cmd, s)
	if err != nil {
		return err
	}

	if err := checkInputs(paths); err != nil {
		return err
	}

	w, err := app.BeginStore(cmd.Context(), cmd.CommandPath())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	im := &fileImport{cmd: cmd, app: app, paths: paths, read: read}
	counts, err := im.importInto(w)
	im.endProgress()

	if err != nil && cmd.Context().Err() == nil {
		return fmt.Errorf("%w; what was committed before stays for the next import or run to publish: %s", err, advice(err))
	}

	if err != nil {
		return err
	}

	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s; unreadable %d; generation %d is published\n", counts, im.problems,
		im.generation); err != nil {
		return err
	}

	if im.problems > 0 {
		return &command.ExitError{Code: command.ExitPartial, Err: errors.New(im.verdict())}
	}

	if counts.LeftOut > 0 {
		return command.Exitf(command.ExitPartial, "%s left out, since their papers have enough source records; "+
			"the first are named above", text.Plural(counts.LeftOut, "record"))
	}
	return nil
}

// advice is the remedy for an import that stopped: a full disk or an unavailable service is not the file's fault.
func advice(err error) string {
	if errors.Is(err, pipeline.ErrListedOffline) {
		return "import it where PubMed can be asked, or save PubMed's answer there and import that"
	}

	if failed, ok := errors.AsType[*source.Error](err); ok {
		return "import the list again; " + cmp.Or(failed.Hint, "PubMed may answer then")
	}

	if files.IsFull(err) {
		return "make room, and import the file again"
	}
	return "get the file again, and import it again"
}

type fileImport struct {
	cmd           *cobra.Command
	app           *command.App
	paths         []string
	read          fileReader
	problems      int
	shown         int // lines on single records
	apart         int // identifiers whose records were kept apart
	generation    int
	progressShown bool // a line of progress stands on the terminal
}

func (im *fileImport) importInto(w *store.Writer) (pipeline.ImportCounts, error) {
	words, err := im.app.Lexicon()
	if err != nil {
		return pipeline.ImportCounts{}, err
	}
	id := im.app.Now().UTC().Format("20060102T150405Z")

	steps, err := im.app.Pipeline(w, words, pipeline.NoProgress{})
	if err != nil {
		return pipeline.ImportCounts{}, err
	}
	run, counts, err := steps.Import(im.cmd.Context(), w, im.items(), pipeline.ImportOptions{
		ID: id, Program: command.Version, Files: nameFiles(im.paths), Progress: im.showProgress, LeftOut: im.reportLeftOut,
		Cut: im.reportCut, Noted: im.show, Unreadable: im.reportProblem, Apart: im.reportConflict,
	})
	im.generation = run.Generation
	return counts, err
}

// showProgress shows on a terminal that a long import makes progress.
func (im *fileImport) showProgress(read, stored int) {
	if command.IsTerminal(im.cmd.ErrOrStderr()) {
		fmt.Fprintf(im.cmd.ErrOrStderr(), "\r%d read, %d stored", read, stored)
		im.progressShown = true
	}
}

// endProgress ends the line of progress.
func (im *fileImport) endProgress() {
	if im.progressShown {
		fmt.Fprintln(im.cmd.ErrOrStderr())
		im.progressShown = false
	}
}

// filesNamed is how many files the record of an import names; PubMed's baseline has over a thousand.
const filesNamed = 3

func nameFiles(paths []string) string {
	paths = text.Each(paths, shownName)
	if len(paths) <= filesNamed {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s … %s (%d files)", paths[0], paths[len(paths)-1], len(paths))
}

// maxProblemsShown bounds how many problems of a file are printed; all are counted.
const maxProblemsShown = 50

func (im *fileImport) reportProblem(file string, p evidence.Problem) {
	im.problems++
	im.show(file, p)
}

// reportLeftOut reports a record that its paper has no room for.
func (im *fileImport) reportLeftOut(p evidence.Problem) { im.show(nameFiles(im.paths), p) }

// reportCut reports a truncated record.
func (im *fileImport) reportCut(r evidence.Record) {
	cuts := text.Each(r.Cut, evidence.Cut.String)
	im.show(r.Origins[0].Source, evidence.Problem{ID: r.Origins[0].ID, Reason: strings.Join(cuts, "; ")})
}

// maxApartShown bounds how many identifiers with conflicting records are named: a baseline has thousands.
const maxApartShown = 10

// reportConflict reports records that share an identifier and are different papers; all are counted.
func (im *fileImport) reportConflict(conflict string) {
	if im.apart++; im.apart > maxApartShown {
		return
	}
	im.endProgress()
	fmt.Fprintf(im.cmd.ErrOrStderr(), "kept apart: %s\n", text.Line(conflict))
}

func (im *fileImport) show(where string, p evidence.Problem) {
	if im.shown++; im.shown > maxProblemsShown {
		return
	}
	im.endProgress()

	record := "a record without an id"
	if id := text.Line(p.ID); id != "" {
		record = "record " + id
	}
	fmt.Fprintf(im.cmd.ErrOrStderr(), "%s: %s: %s\n", text.Line(where), record, text.Line(p.Reason))
}

func (im *fileImport) verdict() string {
	verdict := fmt.Sprintf("%d of the records could not be read; ", im.problems)
	if im.shown > maxProblemsShown {
		return verdict + "the first are named above"
	}
	return verdict + "they are named above"
}

func (im *fileImport) items() iter.Seq2[pipeline.ImportItem, error] {
	return func(yield func(pipeline.ImportItem, error) bool) {
		for _, path := range im.paths {
			if !im.file(path, yield) {
				return
			}
		}
	}
}

func (im *fileImport) file(path string, yield func(pipeline.ImportItem, error) bool) bool {
	f, err := openInput(path, im.cmd.InOrStdin())
	if err != nil {
		return yield(pipeline.ImportItem{}, fmt.Errorf("%s: %w", shownName(path), err))
	}
	defer f.Close()
	stopped := false

	problem := func(p evidence.Problem) {
		stopped = stopped || !yield(pipeline.ImportItem{File: shownName(path), Unreadable: &p}, nil)
	}
	for item, err := range im.read(im.cmd.Context(), f, path, problem) {
		if err != nil && len(im.paths) > 1 { // one alone is named by the import
			err = fmt.Errorf("%s: %w", shownName(path), err)
		}

		item.File = shownName(path)
		if stopped || !yield(item, err) || err != nil {
			return false
		}
	}
	return !stopped
}

// errStopped ends the parser when no more records are wanted.
var errStopped = errors.New("stopped")
