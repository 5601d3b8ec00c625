package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Share is a run's part in a night that several runs share, each with its topics: they write to one generation, and the
// last of them publishes it. What one alone is to do is a piece of work, with a name.
type Share interface {
	// Take takes a piece of work for this run alone, unless another has it or has done it.
	Take(ctx context.Context, piece string) (evidence.PieceState, error)
	// Await waits while another has it: one that died until that is certain, one that is alive at most for so long.
	Await(ctx context.Context, piece string, alive time.Duration) (evidence.PieceState, error)
	// Hold is evidence.ErrTaken where another run has taken over a piece that this one had taken.
	Hold(ctx context.Context, piece string) error
	// Done notes that a piece is done, or that nothing came of it: then another run may try again.
	Done(ctx context.Context, piece string, failed bool) error
	// GiveBack lets others take a piece that is not done.
	GiveBack(ctx context.Context, piece string) error
	// Complete notes, in a turn, that this run has done its share. Where no other is awaited, it publishes.
	Complete(ctx context.Context, changed bool) (evidence.Night, error)
}

// alone is the Share of a run that shares its night with none.
type alone struct{}

func (alone) Take(context.Context, string) (evidence.PieceState, error) {
	return evidence.PieceState{Mine: true}, nil
}

func (alone) Await(context.Context, string, time.Duration) (evidence.PieceState, error) {
	return evidence.PieceState{}, nil
}
func (alone) Hold(context.Context, string) error       { return nil }
func (alone) Done(context.Context, string, bool) error { return nil }
func (alone) GiveBack(context.Context, string) error   { return nil }

func (alone) Complete(_ context.Context, changed bool) (evidence.Night, error) {
	return evidence.Night{Changed: changed}, nil
}

// The pieces of work of a night: what is done once for the whole store, and each topic.
const wholeStore = "store"

func pieceOf(topic string) string { return "topic-" + topic }

// storeWait is for how long the topics of one run wait for what another does for the whole store. What is not done by
// then is put right before the publication.
const storeWait = time.Hour

// once does what is done once a night for the whole store, unless another run does: then it waits for that, so that
// what the topics show is right tonight.
func (r *run) once(ctx context.Context) error {
	standing, err := r.take(ctx, wholeStore, storeWait)
	if err != nil {
		return err
	}

	if !standing.Mine {
		if standing.Holder != "" {
			r.note("the topics go on while " + standing.Holder + " looks what became of the store's papers")
		}
		return nil
	}
	r.store.piece = wholeStore
	defer func() { r.store.piece = "" }()

	for _, step := range []func(context.Context) error{r.rebuildMerged, r.sweep, r.correctAnswers} {
		if err = step(ctx); err != nil {
			break
		}
	}

	if err == nil {
		err = r.share.Done(ctx, wholeStore, false)
	}

	if errors.Is(err, evidence.ErrTaken) {
		r.note("another run has taken over the check of the store's papers")
		return nil
	}
	return err
}

// take takes a piece of work, for which it waits while another run has it; alive says how long where that is alive.
func (r *run) take(ctx context.Context, piece string, alive time.Duration) (standing evidence.PieceState, err error) {
	for {
		standing, err = r.share.Take(ctx, piece)
		if err == nil && standing.Holder != "" {
			r.Log.Info("another run has this; waiting", "work", piece, "holder", standing.Holder)

			if standing, err = r.share.Await(ctx, piece, alive); err == nil && standing.Holder == "" {
				continue
			}
		}

		if err != nil {
			return standing, storeError{fmt.Errorf("taking up work that runs share: %w", err)}
		}
		return standing, nil
	}
}

// takeLeft takes up the topics that another run had, where that has died; it gives those that others are at work on.
func (r *run) takeLeft(ctx context.Context) (left []evidence.Topic, err error) {
	again := r.left
	for _, topic := range again {
		standing, err := r.share.Await(ctx, pieceOf(topic.ID), 0)
		if err != nil {
			return nil, storeError{fmt.Errorf("waiting for topic %s: %w", topic.ID, err)}
		}

		if standing.Holder != "" { // who is alive has the others, too
			break
		}
	}

	r.left = nil
	if err := r.runTopics(ctx, again); err != nil {
		return nil, err
	}
	return r.left, nil
}

// complete notes that this run has done its share of the night. The last one to do so corrects all answers by what all
// have written, and publishes.
func (r *run) complete(ctx context.Context) error {
	left, err := r.takeLeft(ctx)
	if err != nil {
		return err
	}

	if len(left) > 0 {
		r.publishes = false
		r.note(fmt.Sprintf("%s of this share, %s among them, left to another run that is at work on them: who is last "+
			"completes the share", text.Plural(len(left), "topic"), left[0].ID))
		return nil
	}

	err = r.store.Turn(ctx, func(ctx context.Context) error {
		night, err := r.share.Complete(ctx, r.unsaved)
		if err != nil {
			return storeError{err}
		}

		if len(night.Awaited) > 0 {
			r.publishes = false
			r.note(fmt.Sprintf("this share is done; generation %d is published when %s is", night.Generation,
				sharesOf(night)))
			return nil
		}

		if night.Of > 0 {
			r.report.Began = night.Begun
			r.store.changed.Store(true) // by whom ever
		}
		r.unsaved = night.Changed
		return r.correctAnswers(ctx)
	})
	if errors.Is(err, evidence.ErrEnded) {
		r.note("another run has published what this one did")
		r.ended = true
		return nil
	}
	return err
}

// sharesOf names the shares that are awaited.
func sharesOf(night evidence.Night) string {
	var names []string
	for _, number := range night.Awaited {
		names = append(names, evidence.Shard{Number: number, Of: night.Of}.String())
	}
	return strings.Join(names, ", ")
}
