package pipeline

import (
	"context"
	"fmt"
	"slices"

	"dossier/internal/evidence"
)

// GivenStore is a Store that lists its entries from users' files.
type GivenStore interface {
	Store
	Approvals() (evidence.Approvals, error)
	Interpretations() (evidence.Interpretations, error)
}

// GivenCounts are the results of an import of such files.
type GivenCounts struct {
	What            string // what the entries are about
	Entries, Before int    // of the sources that were imported
	evidence.CuratedChanges
}

// String formats the counts as one line.
func (c GivenCounts) String() string {
	return fmt.Sprintf("entries on %s %d (before %d): new %d, changed %d, gone %d", c.What, c.Entries, c.Before, c.New,
		c.Changed, c.Gone)
}

// ImportApprovals replaces the stored approvals of the files' sources, and publishes. The same files again change
// nothing; after an interruption it completes the import.
func (p *Pipeline) ImportApprovals(
	ctx context.Context, store GivenStore, files []evidence.GivenFile, entries []evidence.Approval, opts ImportOptions,
) (evidence.Run, GivenCounts, error) {
	before, err := store.Approvals()
	if err != nil {
		return evidence.Run{}, GivenCounts{}, fmt.Errorf("reading what is approved: %w", err)
	}
	all := before.With(files, entries)
	counts := countGiven("what is approved", &before, &all, entries)
	return p.importGiven(ctx, store, counts, sameFiles(before.Files, all.Files), evidence.Batch{Approvals: &all}, opts)
}

// ImportInterpretations does so with curators' files on alterations.
func (p *Pipeline) ImportInterpretations(
	ctx context.Context, store GivenStore, files []evidence.GivenFile, entries []evidence.Interpretation,
	opts ImportOptions,
) (evidence.Run, GivenCounts, error) {
	before, err := store.Interpretations()
	if err != nil {
		return evidence.Run{}, GivenCounts{}, fmt.Errorf("reading what curators say: %w", err)
	}
	all := before.With(files, entries)
	counts := countGiven("alterations", &before, &all, entries)
	return p.importGiven(ctx, store, counts, sameFiles(before.Files, all.Files), evidence.Batch{Interpretations: &all},
		opts)
}

func countGiven[E evidence.GivenEntry[E]](what string, before, all *evidence.Given[E], entries []E) GivenCounts {
	others := len(all.Entries) - len(entries)
	return GivenCounts{
		What: what, Entries: len(entries), Before: len(before.Entries) - others, CuratedChanges: all.ChangesSince(before),
	}
}

func (p *Pipeline) importGiven(
	ctx context.Context, store Store, counts GivenCounts, same bool, batch evidence.Batch, opts ImportOptions,
) (evidence.Run, GivenCounts, error) {
	run := evidence.Run{ID: opts.ID, Program: opts.Program, Started: p.Now().UTC(), Import: opts.Files}

	news := !same || counts.CuratedChanges != evidence.CuratedChanges{}
	if news {
		if err := commit(ctx, store, batch); err != nil {
			return run, counts, err
		}
	}
	err := p.publishImport(ctx, store, &run, news, counts.String(), "", nil)
	return run, counts, err
}

// sameFiles reports whether two imports had the same files, whatever their times.
func sameFiles(a, b []evidence.GivenFile) bool {
	return slices.EqualFunc(a, b, func(a, b evidence.GivenFile) bool {
		a.Imported = b.Imported
		return a == b
	})
}
