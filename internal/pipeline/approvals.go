package pipeline

import (
	"context"
	"fmt"

	"dossier/internal/evidence"
)

// ApprovalsStore is a Store that tells what it has on approvals.
type ApprovalsStore interface {
	Store
	Approvals() (evidence.Approvals, error)
}

// ApprovalCounts tells what an import of files on what is approved did.
type ApprovalCounts struct {
	Entries, Before int // of the sources that were imported
	evidence.CuratedChanges
}

// String is a line for people.
func (c ApprovalCounts) String() string {
	return fmt.Sprintf("entries on what is approved %d (before %d): new %d, changed %d, gone %d", c.Entries, c.Before,
		c.New, c.Changed, c.Gone)
}

// ImportApprovals puts files on what is approved in the place of those that the store has of the same sources, and
// publishes. The same files again change nothing; after an interruption it finishes what was begun.
func (p *Pipeline) ImportApprovals(
	ctx context.Context, store ApprovalsStore, files []evidence.GivenFile, entries []evidence.Approval,
	opts ImportOptions,
) (evidence.Run, ApprovalCounts, error) {
	run := evidence.Run{ID: opts.ID, Program: opts.Program, Started: p.Now().UTC(), Import: opts.Files}
	before, err := store.Approvals()
	if err != nil {
		return run, ApprovalCounts{}, fmt.Errorf("reading what is approved: %w", err)
	}
	all := before.With(files, entries)
	others := len(all.Entries) - len(entries)
	counts := ApprovalCounts{
		Entries: len(entries), Before: len(before.Entries) - others, CuratedChanges: all.ChangesSince(&before),
	}
	news := counts.CuratedChanges != evidence.CuratedChanges{} || !sameFiles(before.Files, all.Files)
	if news {
		if err := commit(ctx, store, evidence.Batch{Approvals: &all}); err != nil {
			return run, counts, err
		}
	}
	err = p.publishImport(ctx, store, &run, news, counts.String(), "", nil)
	return run, counts, err
}

// sameFiles says that two imports had the same files, whenever that was.
func sameFiles(a, b []evidence.GivenFile) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		was := a[i]
		if was.Imported = b[i].Imported; was != b[i] {
			return false
		}
	}
	return true
}
