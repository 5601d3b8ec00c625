package generations

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"dossier/internal/opensearch"
)

// Writer is the one writer of a store. Its methods are called one at a time.
type Writer struct {
	*Store
	renewing sync.Mutex // one renewal at a time
	mu       sync.Mutex
	lease    lease
	version  opensearch.Version // of the lease's document
	lost     error              // set once another has taken over

	end          context.CancelFunc // of the renewals; nil while the lease is not held
	kept         chan struct{}      // closed when they have ended
	current      Generation         // the zero one before the first
	building     Generation         // what is written to; the zero one where nothing is
	publications int                // so far, under the fencing number that was moved last

	unclean bool    // a write may be on its way, of this writer or of the one before: who is next goes on in copies
	last    int     // the fencing number of this writer's last turn
	sharer  *sharer // what a writer that shares a generation holds beside its turns; nil of others
}

// Begin takes the lease, makes the store where there is none, finishes a publication that was interrupted, and takes up
// what the last writer left, in copies of its own. The error is a *LockedError while another writes.
//
// A writer that shares a generation with others (Options.Shards) goes on with what these are building, and waits for
// its turn. It returns within that turn, which Leave ends.
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

// beginAlone takes the lease for as long as the writer lives.
func (w *Writer) beginAlone(ctx context.Context) error {
	if err := w.refuseBesideSharers(ctx); err != nil {
		return err
	}

	if _, err := w.take(ctx); err != nil {
		return err
	}
	w.startKeeping(ctx)

	if err := w.refuseBesideSharers(ctx); err != nil { // one that began meanwhile
		return err
	}
	return w.takeUp(ctx)
}

// create makes the index that says who writes and what there is.
func (w *Writer) create(ctx context.Context) error {
	err := w.client.Create(ctx, w.state(), opensearch.Definition{
		Settings: map[string]any{"number_of_shards": 1},
		Mappings: map[string]any{"enabled": false}, // nothing is searched in it
	})
	if opensearch.KindOf(err) == opensearch.Exists {
		return nil
	}
	return err
}

// takeUp sees that the writer before can do no more, and goes on with what it left.
func (w *Writer) takeUp(ctx context.Context) error {
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
		if err := w.settle(ctx, g); err != nil {
			return fmt.Errorf("taking up generation %d: %w", g.Number, err)
		}
	}
	return w.client.Delete(ctx, w.spent(strays)...)
}

// spent are those of strays that nobody can be writing to: copies that were not completed. What the generation under
// way was copied from stays, closed to writing, until that is published: OpenSearch makes a deleted index anew for one
// who still writes to it.
func (w *Writer) spent(strays []string) []string {
	return slices.DeleteFunc(slices.Clone(strays), func(name string) bool {
		_, number, fence, _ := w.parse(name)
		return number == w.building.Number && fence < w.building.Fence
	})
}

// sweep deletes what has no use any more. It keeps nobody from anything: what can't be deleted is left to the next one.
func (w *Writer) sweep(ctx context.Context) {
	status, err := w.Status(ctx)
	if err == nil {
		err = w.client.Delete(ctx, w.spent(status.Strays)...)
	}

	if err != nil {
		w.options.Logger.Warn("leftovers could not be removed; the next writer tries again", "reason", err)
	}
}

// moveFence puts this writer's fencing number in place of all others'. A publication of theirs fails from now on.
func (w *Writer) moveFence(ctx context.Context) error {
	indices, err := w.client.Indices(ctx, w.state())
	if err != nil {
		return err
	}

	var changes []opensearch.Alias
	for _, alias := range slices.Sorted(slices.Values(indices[w.state()].Aliases)) {
		if strings.HasPrefix(alias, w.client.Name("writer-")) {
			changes = append(changes, opensearch.Alias{Index: w.state(), Alias: alias, Remove: true})
		}
	}
	changes = append(changes, opensearch.Alias{Index: w.state(), Alias: w.fenceAlias(w.lease.Fence, 0)})
	w.publications = 0
	return w.client.Alias(ctx, changes...)
}

// settle brings a generation to where it belongs: one under publication is published, one that was being built upon the
// current one is gone on with.
func (w *Writer) settle(ctx context.Context, g Generation) error {
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
		return w.goOn(ctx, g)
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

// goOn takes up what another writer was building: closed to it first, then copied.
func (w *Writer) goOn(ctx context.Context, g Generation) error {
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

// clone copies a generation's indices to names of g's, and writes g down once all are there.
func (w *Writer) clone(ctx context.Context, from Generation, g *Generation) error {
	g.Indices = map[string]string{}
	for _, part := range w.options.Parts {
		if err := w.hold(ctx); err != nil {
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

// Building is the generation that is written to; ok is false where Start is still to begin one.
func (w *Writer) Building() (g Generation, ok bool) { return w.building, w.building.Number != 0 }

// Current is the generation that this one goes on from; the zero one before the first.
func (w *Writer) Current() Generation { return w.current }

// Start begins a generation as a copy of the current one, where none is under way.
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
		if err := w.close(ctx, w.current); err != nil { // it is, unless somebody opened it
			return Generation{}, err
		}
	}

	if err := w.clone(ctx, w.current, &g); err != nil {
		return Generation{}, fmt.Errorf("beginning generation %d: %w", g.Number, err)
	}
	w.building = g
	return g, nil
}

// putManifest writes down what a generation is. Only who holds the lease does.
func (w *Writer) putManifest(ctx context.Context, g Generation) error {
	if err := w.hold(ctx); err != nil {
		return err
	}

	doc, ok, err := w.client.Get(ctx, w.state(), manifestID(g.Number))
	if err != nil {
		return err
	}

	var before *opensearch.Version
	if ok {
		before = &doc.Version
	}

	_, err = w.client.Put(ctx, w.state(), manifestID(g.Number), g, before)
	if err != nil && opensearch.KindOf(err) != opensearch.Conflict {
		now, ok, readErr := w.manifest(ctx, g.Number)
		if ok && readErr == nil && now.State == g.State && now.Fence == g.Fence { // the answer alone was lost
			return nil
		}
	}

	if err != nil {
		return fmt.Errorf("writing the manifest of generation %d: %w", g.Number, err)
	}
	return nil
}
