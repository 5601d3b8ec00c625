package opensearch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Writer is the single writer of a store. It is not safe for concurrent use.
type Writer struct {
	*Store
	renewing sync.Mutex // one renewal at a time
	mu       sync.Mutex
	lease    lease
	version  Version // of the lease's document
	lost     error   // set once another has taken over

	stopRenewals context.CancelFunc // of the renewals; nil while the lease is not held
	renewalsDone chan struct{}      // closed when they have ended
	current      Generation         // zero before the first
	building     Generation         // the generation being written; zero if none
	publications int                // so far, under the current fencing number

	unclean bool    // a write of this or the previous writer may be in flight: the next writer continues in copies
	last    int     // the fencing number of this writer's last turn
	sharer  *sharer // the state of a writer that shares a generation between its turns; else nil
}

// Begin takes the lease, creates the store if there is none, finishes an interrupted publication, and continues the
// last writer's work in copies of its own. The error is a *LockedError while another process writes.
//
// A writer that shares a generation with others (Options.Shards) continues with the one that they are building, and
// waits for its turn. It returns within that turn, which Leave ends.
func (s *Store) Begin(ctx context.Context) (*Writer, error) {
	w := &Writer{Store: s}
	if err := w.create(ctx); err != nil {
		return nil, err
	}

	begin := w.beginAlone
	if w.shares() {
		begin = w.join
	}

	if err := begin(ctx); err != nil {
		return nil, errors.Join(err, w.Close(context.WithoutCancel(ctx)))
	}
	return w, nil
}

// beginAlone takes the lease for the writer's lifetime.
func (w *Writer) beginAlone(ctx context.Context) error {
	if err := w.refuseWhileShared(ctx); err != nil {
		return err
	}

	if _, err := w.takeLease(ctx); err != nil {
		return err
	}
	w.startRenewing(ctx)

	if err := w.refuseWhileShared(ctx); err != nil { // one that began meanwhile
		return err
	}
	return w.fenceAndRecover(ctx)
}

// create creates the index that holds the lease and the generations' manifests.
func (w *Writer) create(ctx context.Context) error {
	err := w.client.Create(ctx, w.state(), Definition{
		Settings: map[string]any{"number_of_shards": 1},
		Mappings: map[string]any{"enabled": false}, // nothing is searched in it
	})
	if KindOf(err) == Exists {
		return nil
	}
	return err
}

// fenceAndRecover makes sure that the previous writer can't write any more, and continues its work.
func (w *Writer) fenceAndRecover(ctx context.Context) error {
	w.building = Generation{}
	if err := w.moveFence(ctx); err != nil {
		return err
	}
	w.options.Step("begin: the writer before can't publish")

	indices, err := w.client.Indices(ctx, w.client.Name("*"))
	if err != nil {
		return err
	}

	list, strays, err := w.list(ctx, indices)
	if err != nil {
		return err
	}

	if w.current, err = w.Store.current(ctx, indices); err != nil && !errors.Is(err, ErrNoStore) {
		return err
	}

	for _, g := range list {
		if err := w.resumeGeneration(ctx, g); err != nil {
			return fmt.Errorf("taking up generation %d: %w", g.Number, err)
		}
	}
	return w.client.Delete(ctx, w.unusedCopies(strays)...)
}

// unusedCopies are the strays that no writer can be using: copies that were not completed. The source of the
// generation under way stays, closed to writing, until that is published: OpenSearch recreates a deleted index when a
// late write arrives.
func (w *Writer) unusedCopies(strays []string) []string {
	return slices.DeleteFunc(slices.Clone(strays), func(name string) bool {
		_, number, fence, _ := w.parse(name)
		return number == w.building.Number && fence < w.building.Fence
	})
}

// deleteUnused deletes unused indices. They block nothing, so failures are left to the next writer.
func (w *Writer) deleteUnused(ctx context.Context) {
	status, err := w.Status(ctx)
	if err == nil {
		err = w.client.Delete(ctx, w.unusedCopies(status.Orphans)...)
	}

	if err != nil {
		w.options.Logger.Warn("leftovers could not be removed; the next writer tries again", "reason", err)
	}
}

// moveFence replaces all other writers' fencing numbers with this writer's. From now on their publications fail.
func (w *Writer) moveFence(ctx context.Context) error {
	indices, err := w.client.Indices(ctx, w.state())
	if err != nil {
		return err
	}

	var changes []Alias
	for _, alias := range slices.Sorted(slices.Values(indices[w.state()].Aliases)) {
		if strings.HasPrefix(alias, w.client.Name("writer-")) {
			changes = append(changes, Alias{Index: w.state(), Alias: alias, Remove: true})
		}
	}
	changes = append(changes, Alias{Index: w.state(), Alias: w.fenceAlias(w.lease.Fence, 0)})
	w.publications = 0
	return w.client.Alias(ctx, changes...)
}

// resumeGeneration completes an interrupted publication, or continues a generation that was being built on the current
// one.
func (w *Writer) resumeGeneration(ctx context.Context, g Generation) error {
	switch {
	case g.State == Published:
		return nil
	case g.State == Publishing && g.Number == w.current.Number:
		g.State = Published
		return w.putManifest(ctx, g)
	case g.State == Publishing && g.Parent == w.current.Number:
		w.options.Logger.Info("finishing an interrupted publication", "generation", g.Number)
		return w.switchTo(ctx, g)
	case g.Parent == w.current.Number && w.building.Number == 0:
		return w.continueInCopy(ctx, g)
	}
	w.options.Logger.Warn("an unpublished generation was built upon another than the current one; it stays aside",
		"generation", g.Number, "upon", g.Parent, "current", w.current.Number)
	return w.close(ctx, g)
}

// close closes a generation's indices to writing.
func (w *Writer) close(ctx context.Context, g Generation) error {
	for _, part := range slices.Sorted(maps.Keys(g.Indices)) {
		if err := w.client.Block(ctx, g.Indices[part], true); err != nil {
			return err
		}
	}
	return nil
}

// continueInCopy continues another writer's unfinished generation: it closes that to writing, then copies it.
func (w *Writer) continueInCopy(ctx context.Context, g Generation) error {
	w.options.Logger.Info("taking up what an earlier run left", "generation", g.Number)

	if err := w.close(ctx, g); err != nil {
		return err
	}
	w.options.Step("begin: the writer before can't write")
	before := g

	g.Fence, g.Program = w.lease.Fence, w.options.Program
	if err := w.clone(ctx, before, &g); err != nil {
		return err
	}
	w.building = g
	return nil
}

// clone copies a generation's indices to g's names, and stores g's manifest once all exist.
func (w *Writer) clone(ctx context.Context, from Generation, g *Generation) error {
	g.Indices = map[string]string{}
	for _, part := range w.options.Parts {
		if err := w.renewLease(ctx); err != nil {
			return err
		}
		to := w.index(part.Name, g.Number, g.Fence)
		g.Indices[part.Name] = to

		var err error
		if from.Number == 0 {
			err = part.Create(ctx, w.client, to)
		} else {
			err = w.client.Clone(ctx, from.Indices[part.Name], to)
		}

		if err != nil {
			return err
		}
		w.options.Step("begin: a part is copied")
	}
	return w.putManifest(ctx, *g)
}

// Building is the generation being written; ok is false if Start has yet to begin one.
func (w *Writer) Building() (g Generation, ok bool) { return w.building, w.building.Number != 0 }

// Current is the generation that this writer builds on; zero before the first.
func (w *Writer) Current() Generation { return w.current }

// Start begins a generation as a copy of the current one, unless one is under way.
func (w *Writer) Start(ctx context.Context) (Generation, error) {
	if w.building.Number != 0 {
		return w.building, nil
	}

	status, err := w.Status(ctx)
	if err != nil {
		return Generation{}, err
	}

	if status.Current.Number != w.current.Number {
		return Generation{}, w.moved("the aliases were moved from generation %d to %d while it was written to",
			w.current.Number, status.Current.Number)
	}

	number := w.current.Number
	for _, g := range status.Generations {
		number = max(number, g.Number)
	}

	g := Generation{Number: number + 1, Parent: w.current.Number, Fence: w.lease.Fence, State: Building,
		Program: w.options.Program}
	if w.current.Number != 0 {
		if err := w.close(ctx, w.current); err != nil { // it is closed, unless someone opened it
			return Generation{}, err
		}
	}

	if err := w.clone(ctx, w.current, &g); err != nil {
		return Generation{}, fmt.Errorf("beginning generation %d: %w", g.Number, err)
	}
	w.building = g
	return g, nil
}

// putManifest stores a generation's manifest. Only the lease's holder does so.
func (w *Writer) putManifest(ctx context.Context, g Generation) error {
	if err := w.renewLease(ctx); err != nil {
		return err
	}

	doc, ok, err := w.client.Get(ctx, w.state(), manifestID(g.Number))
	if err != nil {
		return err
	}

	var before *Version
	if ok {
		before = &doc.Version
	}

	_, err = w.client.Put(ctx, w.state(), manifestID(g.Number), g, before)
	if err != nil && KindOf(err) != Conflict {
		now, ok, readErr := w.manifest(ctx, g.Number)
		if ok && readErr == nil && now.State == g.State && now.Fence == g.Fence { // only the answer was lost
			return nil
		}
	}

	if err != nil {
		return fmt.Errorf("writing the manifest of generation %d: %w", g.Number, err)
	}
	return nil
}
