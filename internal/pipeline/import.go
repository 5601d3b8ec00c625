package pipeline

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"strings"

	"dossier/internal/evidence"
)

// One transaction takes this many source records, or as many as hold so many bytes of text.
const (
	importBatch = 1000
	importBytes = 16 << 20
)

// maxCopies is how many source records one paper may have. No collection has so many exports of one paper; with more,
// each addition would cost as much as all before it.
const maxCopies = 200

// ImportOptions are one import's own settings.
type ImportOptions struct {
	ID       string // names the run in the store
	Program  string
	Files    string                 // the files' names, for the run's record
	Progress func(read, stored int) // called after each transaction; may be nil
	LeftOut  func(evidence.Problem) // called for each record that is left out because its paper has enough; may be nil
	Cut      func(evidence.Record)  // called for each record that was cut; may be nil
	// called for each doubtful record of a file; may be nil
	Noted func(file string, p evidence.Problem)
	Apart func(conflict string) // called for each identifier whose records were kept apart; may be nil
	// called for each record of a file that could not be read; may be nil
	Unreadable func(file string, p evidence.Problem)
}

// ImportItem is what a file holds at one place: a source record, the PMID of one that PubMed has, the origin key of one
// that the source has withdrawn, or something that can't be read.
type ImportItem struct {
	Record     evidence.Record
	PMID       string // of the record, which the file does not hold
	Withdrawn  string
	Notes      []string // what was doubtful in Record, or dropped from it
	Unreadable *evidence.Problem
	File       string // where it stands
}

// ImportCounts are the results of an import.
type ImportCounts struct {
	Read      int // records in the files
	Stored    int // of these, new or changed
	New       int // papers new to the store
	Merged    int // records merged into a stored paper
	Withdrawn int
	Conflicts int // shared identifiers whose records were kept apart
	Repeated  int // equal to an earlier record of the same file, and dropped
	LeftOut   int // beyond the limit of source records per paper
	Cut       int // stored after a cut
	Noted     int // doubtful when they were read
}

// Import stores records from files through the same marks and identity rules as a search's, in transactions of 1,000 in
// the files' order, and publishes. Records listed only by PMID are fetched from PubMed. Repeated and older records
// change nothing. An error of items ends the import; what was committed stays for the next run, unpublished. Answers
// whose sample the records make wrong, as a retraction does, are corrected.
func (p *Pipeline) Import(ctx context.Context, store Library, items iter.Seq2[ImportItem, error],
	opts ImportOptions) (evidence.Run, ImportCounts, error) {
	im := &importing{store: store, opts: opts, log: p.Log}

	run := evidence.Run{ID: opts.ID, Program: opts.Program, Started: p.Now().UTC(), Import: opts.Files}
	if err := im.run(ctx, p.fetchListed(ctx, items)); err != nil {
		return run, im.counts, err
	}
	var corrected []string

	news := im.counts.Stored+im.counts.Withdrawn > 0
	if news {
		var err error
		if corrected, err = p.CorrectAnswers(ctx, store); err != nil {
			return run, im.counts, err
		}
	}
	err := p.publishImport(ctx, store, &run, news, im.counts.String(),
		"answers corrected because their records had changed", corrected)
	return run, im.counts, err
}

// publishImport ends an import: it writes its record if anything changed, and publishes, including the remains of an
// interrupted import.
func (p *Pipeline) publishImport(
	ctx context.Context, store Store, run *evidence.Run, news bool, note, why string, corrected []string,
) error {
	if news {
		run.Finished, run.Notes = p.Now().UTC(), []string{note}
		if len(corrected) > 0 {
			run.Notes = append(run.Notes, why+": "+strings.Join(corrected, ", "))
		}

		if err := commit(ctx, store, evidence.Batch{Run: run}); err != nil {
			return err
		}
	}

	generation, err := store.Publish(ctx)
	if err != nil {
		return fmt.Errorf("publishing the import of %s: %w", run.Import, err)
	}
	run.Generation = generation
	p.Progress.Published(generation)
	return nil
}

// String formats the counts as one line. Rare outcomes appear only if they occurred.
func (c ImportCounts) String() string {
	line := fmt.Sprintf("read %d, stored %d, new papers %d, merged %d, withdrawn %d, kept apart %d",
		c.Read, c.Stored, c.New, c.Merged, c.Withdrawn, c.Conflicts)
	for _, rare := range []struct {
		what string
		n    int
	}{{"repeated in the file", c.Repeated}, {"left out", c.LeftOut}, {"cut", c.Cut}, {"doubtful", c.Noted}} {
		if rare.n > 0 {
			line += fmt.Sprintf(", %s %d", rare.what, rare.n)
		}
	}
	return line
}

type importing struct {
	store   Store
	opts    ImportOptions
	log     *slog.Logger
	counts  ImportCounts
	pending []evidence.Record // of the current part
}

// run processes part after part, while the next is read.
func (im *importing) run(ctx context.Context, items iter.Seq2[ImportItem, error]) error {
	for part := range readParts(items) {
		im.reportPart(&part)

		if part.err != nil {
			return fmt.Errorf("importing %s: %w", im.opts.Files, part.err)
		}

		if err := im.commitPart(ctx, &part); err != nil {
			return err
		}
	}
	return nil
}

// reportPart counts the items read for a part, and reports the remarks on it.
func (im *importing) reportPart(part *importPart) {
	im.counts.Read += part.read

	im.counts.Repeated += part.repeated
	for _, r := range part.remarks {
		if !r.isDoubt {
			if im.opts.Unreadable != nil {
				im.opts.Unreadable(r.file, r.problem)
			}
			continue
		}

		im.counts.Noted++
		if im.opts.Noted != nil {
			im.opts.Noted(r.file, r.problem)
		}
	}
}

// commitPart joins a part with what the store holds, and commits it.
func (im *importing) commitPart(ctx context.Context, part *importPart) error {
	var identified Identified

	var err error
	if len(part.gone) > 0 {
		identified, err = im.withdraw(part.gone)
	} else {
		im.pending = part.records
		identified, err = im.identify()
	}

	if err != nil {
		return fmt.Errorf("importing %s: %w", im.opts.Files, err)
	}

	if !identified.Batch.Empty() {
		if err := commit(ctx, im.store, identified.Batch); err != nil {
			return err
		}
		im.count(identified)
	}

	if im.opts.Progress != nil {
		im.opts.Progress(im.counts.Read, im.counts.Stored)
	}
	return ctx.Err()
}

// withdraw drops keys that the store never had.
func (im *importing) withdraw(gone []string) (Identified, error) {
	var have []string
	for _, key := range gone {
		_, ok, err := im.store.SourceRecord(key)
		if err != nil {
			return Identified{}, fmt.Errorf("looking up %s: %w", key, err)
		}

		if ok {
			have = append(have, key)
		}
	}

	if len(have) == 0 {
		return Identified{}, nil
	}
	return Withdraw(im.store, have)
}

// count adds a batch to the counts, and reports conflicting identifiers.
func (im *importing) count(id Identified) {
	for _, c := range id.Conflicts {
		im.log.Info("kept apart", "conflict", fmt.Sprint(c))

		if im.opts.Apart != nil {
			im.opts.Apart(fmt.Sprint(c))
		}
	}
	im.counts.Stored += len(id.Batch.SourceRecords)
	im.counts.Withdrawn += len(id.Batch.DropSources)
	im.counts.Conflicts += len(id.Conflicts)

	added := 0
	for _, m := range id.Batch.Put {
		if m.New {
			added++
		}
	}
	im.counts.New += added

	im.counts.Cut += len(id.Cut)
	if im.opts.Cut != nil {
		for _, r := range id.Cut {
			im.opts.Cut(r)
		}
	}
	im.counts.Merged += max(0, len(id.Batch.SourceRecords)-added)
}
