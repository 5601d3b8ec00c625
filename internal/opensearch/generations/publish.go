package generations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"dossier/internal/opensearch"
)

// Publish makes the generation under way the one that readers open: all of it, or nothing. Check is asked once
// everything can be searched and nothing is written any more; its error, as one about counts or a sample, ends it, and
// the generation stays to be gone on with. About goes into the manifest. Where nothing was begun, it gives the current
// one.
func (w *Writer) Publish(ctx context.Context, about any, check func(ctx context.Context, g Generation) error) (
	Generation, error) {
	g := w.building
	if g.Number == 0 {
		return w.current, nil
	}

	failed := func(err error) (Generation, error) {
		return Generation{}, fmt.Errorf("publishing generation %d: %w", g.Number, err)
	}
	if err := w.hold(ctx); err != nil {
		return failed(err)
	}

	if w.shares() {
		if err := w.moveFence(ctx); err != nil { // each turn has a fencing number of its own
			return failed(err)
		}
	}

	var err error
	if g.About, err = json.Marshal(about); err != nil {
		return failed(err)
	}

	if err := w.complete(ctx, g, check); err != nil {
		return failed(errors.Join(err, w.reopen(ctx, g)))
	}

	g.State, g.Built = Publishing, w.options.Clock.Now().UTC()
	if err := w.putManifest(ctx, g); err != nil {
		return failed(errors.Join(err, w.reopen(ctx, g)))
	}
	w.options.Step("publish: the manifest is written")

	if err := w.switchTo(ctx, g); err != nil {
		return failed(err)
	}
	w.sweep(ctx)
	return w.current, nil
}

// complete has all that was written searchable, in files and on every node that is to have a copy, closes it to
// writing, and has it checked.
func (w *Writer) complete(ctx context.Context, g Generation,
	check func(ctx context.Context, g Generation) error) error {
	indices := slices.Sorted(maps.Values(g.Indices))
	if err := w.client.Refresh(ctx, indices...); err != nil {
		return err
	}

	if err := w.client.Flush(ctx, indices...); err != nil {
		return err
	}

	if err := w.close(ctx, g); err != nil {
		return err
	}
	w.options.Step("publish: closed to writing")

	if err := w.client.Settled(ctx, indices...); err != nil { // a clone's copies are made after it
		return err
	}
	return check(ctx, g)
}

// reopen lets a generation that could not be published be written to again; one of another's is left.
func (w *Writer) reopen(ctx context.Context, g Generation) error {
	ctx = context.WithoutCancel(ctx)
	if err := w.hold(ctx); errors.Is(err, ErrLost) {
		return nil // whose error the caller has
	} else if err != nil {
		return err
	}

	for _, part := range slices.Sorted(maps.Keys(g.Indices)) {
		if err := w.client.Block(ctx, g.Indices[part], false); err != nil {
			return err
		}
	}
	return nil
}

// switchTo moves all aliases to a generation that is whole, and the fencing number with them, in one request. Where its
// answer is lost, it is read whether they moved.
func (w *Writer) switchTo(ctx context.Context, to Generation) error {
	if err := w.hold(ctx); err != nil {
		return err
	}

	changes := []opensearch.Alias{
		{Index: w.state(), Alias: w.fenceAlias(w.lease.Fence, w.publications), Remove: true},
		{Index: w.state(), Alias: w.fenceAlias(w.lease.Fence, w.publications+1)},
	}
	for _, part := range w.options.Parts {
		alias := w.alias(part.Name)
		if w.current.Number != 0 {
			changes = append(changes, opensearch.Alias{Index: w.current.Indices[part.Name], Alias: alias, Remove: true})
		}
		changes = append(changes, opensearch.Alias{Index: to.Indices[part.Name], Alias: alias})
	}
	w.options.Step("publish: about to move the aliases")

	err := w.client.Alias(ctx, changes...)
	if opensearch.KindOf(err) == opensearch.Missing {
		return w.explainMissing(ctx, err)
	}

	if err != nil {
		now, readErr := w.Store.Current(ctx)
		if readErr != nil || now.Number != to.Number {
			return errors.Join(err, readErr)
		}
	}
	w.publications++
	w.options.Step("publish: the aliases have moved")
	to.State = Published
	w.current, w.building = to, Generation{}
	return w.putManifest(ctx, to)
}

// explainMissing tells why an alias was not where it had been left: another writer has taken over, or somebody moved
// one.
func (w *Writer) explainMissing(ctx context.Context, err error) error {
	if held := w.hold(ctx); errors.Is(held, ErrLost) {
		return ErrLost
	}
	return errors.Join(w.moved("an alias is not where it was left"), err)
}

// ErrNoGeneration is given where the generation to go back to is none of the store's.
var ErrNoGeneration = errors.New("not in the store")

// Rollback has readers open an older generation again: the one of that number, or with 0 the newest that is older than
// the current one. Nothing is deleted.
func (w *Writer) Rollback(ctx context.Context, number int) (Generation, error) {
	status, err := w.Status(ctx)
	if err != nil {
		return Generation{}, err
	}

	for _, g := range slices.Backward(status.Generations) {
		if g.State == Published && g.Number != w.current.Number &&
			(g.Number == number || number == 0 && g.Number < w.current.Number) {
			if err := w.switchTo(ctx, g); err != nil {
				return Generation{}, fmt.Errorf("going back to generation %d: %w", g.Number, err)
			}
			return g, nil
		}
	}
	return Generation{}, fmt.Errorf("generation %d: %w", number, ErrNoGeneration)
}

// Prune deletes the oldest published generations but for the newest keep, and what was set aside but for the newest,
// never the current one or the one under way. It gives the numbers.
func (w *Writer) Prune(ctx context.Context, keep int) (pruned []int, err error) {
	status, err := w.Status(ctx)
	if err != nil {
		return nil, err
	}

	kept, aside := 0, 0
	for _, g := range slices.Backward(status.Generations) {
		switch {
		case g.Number == w.building.Number:
			continue
		case g.State == Published:
			if kept++; kept <= max(keep, 1) || g.Number == w.current.Number {
				continue
			}
		default:
			if aside++; aside <= 1 {
				continue
			}
		}

		g.State = Removing // one that is half gone is no damage
		if err := w.putManifest(ctx, g); err != nil {
			return pruned, err
		}
		w.options.Step("prune: out of sight")

		if err := w.client.Delete(ctx, slices.Sorted(maps.Values(g.Indices))...); err != nil {
			return pruned, fmt.Errorf("removing generation %d: %w", g.Number, err)
		}
		pruned = append(pruned, g.Number)
	}
	w.sweep(ctx)
	return pruned, nil
}
