package opensearch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Publish makes the generation under way the one that readers open: all of it, or nothing. It calls check once
// everything is searchable and no write is possible; an error, such as one about counts or a sample, ends the
// publication, and the generation can be continued. about goes into the manifest. If no generation is under way, it
// returns the current one.
func (w *Writer) Publish(ctx context.Context, about any, check func(ctx context.Context, g Generation) error) (
	Generation, error) {
	g := w.building
	if g.Number == 0 {
		return w.current, nil
	}

	failed := func(err error) (Generation, error) {
		return Generation{}, fmt.Errorf("publishing generation %d: %w", g.Number, err)
	}
	if err := w.renewLease(ctx); err != nil {
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
	w.deleteUnused(ctx)
	return w.current, nil
}

// complete makes all writes searchable, stores them in files on every node that is to have a copy, closes the
// generation to writing, and checks it.
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

	if err := w.client.Settled(ctx, indices...); err != nil { // a clone's copies are made later
		return err
	}
	return check(ctx, g)
}

// reopen opens a generation that could not be published to writing again, unless it is another writer's.
func (w *Writer) reopen(ctx context.Context, g Generation) error {
	ctx = context.WithoutCancel(ctx)
	if err := w.renewLease(ctx); errors.Is(err, ErrLost) {
		return nil // the caller has the error
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

// switchTo moves all aliases to a complete generation, and the fencing number with them, in one request. After a lost
// answer it reads whether they moved.
func (w *Writer) switchTo(ctx context.Context, to Generation) error {
	if err := w.renewLease(ctx); err != nil {
		return err
	}

	changes := []Alias{
		{Index: w.state(), Alias: w.fenceAlias(w.lease.Fence, w.publications), Remove: true},
		{Index: w.state(), Alias: w.fenceAlias(w.lease.Fence, w.publications+1)},
	}
	for _, part := range w.options.Parts {
		alias := w.alias(part.Name)
		if w.current.Number != 0 {
			changes = append(changes, Alias{Index: w.current.Indices[part.Name], Alias: alias, Remove: true})
		}
		changes = append(changes, Alias{Index: to.Indices[part.Name], Alias: alias})
	}
	w.options.Step("publish: about to move the aliases")

	err := w.client.Alias(ctx, changes...)
	if KindOf(err) == Missing {
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

// explainMissing explains why an alias was not where this writer left it: another writer has taken over, or someone
// moved it.
func (w *Writer) explainMissing(ctx context.Context, err error) error {
	if held := w.renewLease(ctx); errors.Is(held, ErrLost) {
		return ErrLost
	}
	return errors.Join(w.moved("an alias is not where it was left"), err)
}

// ErrNoGeneration is returned if the generation to go back to is not in the store.
var ErrNoGeneration = errors.New("not in the store")

// Rollback makes readers open an older generation again: the one with that number or, with 0, the newest that is older
// than the current one. It deletes nothing.
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

// Prune deletes the oldest published generations except the newest keep, and those set aside except the newest; never
// the current one or the one under way. It returns their numbers.
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

		g.State = Removing // a partly deleted one is no damage
		if err := w.putManifest(ctx, g); err != nil {
			return pruned, err
		}
		w.options.Step("prune: out of sight")

		if err := w.client.Delete(ctx, slices.Sorted(maps.Values(g.Indices))...); err != nil {
			return pruned, fmt.Errorf("removing generation %d: %w", g.Number, err)
		}
		pruned = append(pruned, g.Number)
	}
	w.deleteUnused(ctx)
	return pruned, nil
}
