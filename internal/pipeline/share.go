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
// last of them publishes it. Work for one run alone is a named piece.
type Share interface {
	// Take claims a piece of work for this run, unless another has it or has done it.
	Take(ctx context.Context, piece string) (evidence.PieceState, error)
	// Await waits while another run holds it: for a dead one until that is certain, for a live one at most so long.
	Await(ctx context.Context, piece string, alive time.Duration) (evidence.PieceState, error)
	// Hold returns evidence.ErrTaken where another run has taken over a piece claimed by this one.
	Hold(ctx context.Context, piece string) error
	// Done records that a piece is done, or failed: then another run may try again.
	Done(ctx context.Context, piece string, failed bool) error
	// GiveBack releases a piece that is not done.
	GiveBack(ctx context.Context, piece string) error
	// Complete records, in a turn, that this run has done its share. If no other run is awaited, it publishes.
	Complete(ctx context.Context, changed bool) (evidence.Night, error)
}

// noSharing is the Share of a run without others.
type noSharing struct{}

func (noSharing) Take(context.Context, string) (evidence.PieceState, error) {
	return evidence.PieceState{Mine: true}, nil
}

func (noSharing) Await(context.Context, string, time.Duration) (evidence.PieceState, error) {
	return evidence.PieceState{}, nil
}
func (noSharing) Hold(context.Context, string) error       { return nil }
func (noSharing) Done(context.Context, string, bool) error { return nil }
func (noSharing) GiveBack(context.Context, string) error   { return nil }

func (noSharing) Complete(_ context.Context, changed bool) (evidence.Night, error) {
	return evidence.Night{Changed: changed}, nil
}

// The pieces of work of a night: what is done once for the whole store, and each topic.
const wholeStore = "store"

func pieceOf(topic string) string { return "topic-" + topic }

// storeWait is how long the topics of one run wait for another's work on the whole store. What is not done by then is
// corrected before the publication.
const storeWait = time.Hour

// runStoreWork does the nightly work on the whole store, unless another run does: then it waits, so that what the
// topics show is right tonight.
func (r *run) runStoreWork(ctx context.Context) error {
	lease, err := r.takePiece(ctx, wholeStore, storeWait)
	if err != nil {
		return err
	}

	if !lease.Mine {
		if lease.Holder != "" {
			r.note("the topics go on while " + lease.Holder + " looks what became of the store's papers")
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

// takePiece claims a piece of work, waiting while another run holds it; alive limits the wait for a live one.
func (r *run) takePiece(ctx context.Context, piece string, alive time.Duration) (lease evidence.PieceState, err error) {
	for {
		lease, err = r.share.Take(ctx, piece)
		if err == nil && lease.Holder != "" {
			r.Log.Info("another run has this; waiting", "work", piece, "holder", lease.Holder)

			if lease, err = r.share.Await(ctx, piece, alive); err == nil && lease.Holder == "" {
				continue
			}
		}

		if err != nil {
			return lease, storeError{fmt.Errorf("taking up work that runs share: %w", err)}
		}
		return lease, nil
	}
}

// takeLeft claims the topics of dead runs; topics that live runs hold stay with them.
func (r *run) takeLeft(ctx context.Context) (left []evidence.Topic, err error) {
	again := r.left
	for _, topic := range again {
		lease, err := r.share.Await(ctx, pieceOf(topic.ID), 0)
		if err != nil {
			return nil, storeError{fmt.Errorf("waiting for topic %s: %w", topic.ID, err)}
		}

		if lease.Holder != "" { // a live run holds the others, too
			break
		}
	}

	r.left = nil
	if err := r.runTopics(ctx, again); err != nil {
		return nil, err
	}
	return r.left, nil
}

// complete records that this run has done its share of the night. The last run corrects all answers by what all have
// written, and publishes.
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
			r.store.changed.Store(true) // by any run
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
	return strings.Join(text.Each(night.Awaited, func(number int) string {
		return evidence.Shard{Number: number, Of: night.Of}.String()
	}), ", ")
}
