package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/opensearch"
)

// isShared reports whether other Writers write to the same generation.
func (w *clusterBackend) isShared() bool { return !w.options.Shard.IsAll() }

// turnKey marks a context as being inside a turn of this Writer.
type turnKey struct{ writer *clusterBackend }

var errNoTurn = errors.New("a shared generation is published in a turn")

// turn runs f in a turn if the generation is shared; inside a turn it runs f directly. When a turn ends, the full text
// has taken the committed changes as far as that was due: nothing is written between turns.
func (w *clusterBackend) turn(ctx context.Context, f func(ctx context.Context) error) (err error) {
	if !w.isShared() || ctx.Value(turnKey{w}) != nil {
		return f(ctx)
	}
	w.turns.Lock()
	defer w.turns.Unlock()

	if err := w.enter(ctx); err != nil {
		return explainCluster(err)
	}
	clean := false
	defer func() {
		if left := w.leave(ctx, clean); left != nil {
			w.options.Logger.Warn("the turn to write was not ended; others wait until it has run out", "reason", left)
		}
	}()
	err = f(context.WithValue(ctx, turnKey{w}, true))
	clean = err == nil || errors.Is(err, evidence.ErrTaken)
	return err
}

// enter begins a turn, and continues from what other Writers have written.
func (w *clusterBackend) enter(ctx context.Context) error {
	w.writing.Lock()
	defer w.writing.Unlock()

	turn, err := w.generations.Enter(ctx)
	if err != nil || !turn.Changed {
		return err
	}

	if g, _ := w.generations.Building(); turn.Moved {
		err = w.open(ctx, g)
	} else {
		err = w.resume(ctx)
	}

	if err != nil {
		return errors.Join(err, w.generations.Leave(context.WithoutCancel(ctx), false))
	}
	return nil
}

// resume refreshes the view to show what other Writers have written to its indices.
func (w *clusterBackend) resume(ctx context.Context) error {
	return w.withView(func(v *view) error {
		if text, ok := v.text.(clusterText); ok {
			text.Resume()
		}
		return w.entries.Resume(ctx)
	})
}

// leave ends a turn.
func (w *clusterBackend) leave(ctx context.Context, clean bool) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	followed := w.follower.wait() // the next round retries what failed, or reports it
	w.follower = nil
	return w.generations.Leave(context.WithoutCancel(ctx), clean && followed == nil)
}

// Sharing is a Writer's part in a generation that several Writers share.
type Sharing struct{ indices *clusterBackend }

// Sharing is nil if the Writer does not share its generation.
func (w *Writer) Sharing() *Sharing {
	if shared, ok := w.backend.(*clusterBackend); ok && shared.isShared() {
		return &Sharing{shared}
	}
	return nil
}

func pieceStateOf(s opensearch.PieceState) evidence.PieceState {
	out := evidence.PieceState{Mine: s.Mine, Done: s.Done, Failed: s.Failed}
	if s.Holder != nil {
		out.Holder = fmt.Sprintf("%s (since %s)", s.Holder.Program, s.Holder.Since.UTC().Format(time.RFC3339))
	}
	return out
}

// Take claims a piece of work for this Writer alone, unless another Writer has it or has done it.
func (s *Sharing) Take(ctx context.Context, piece string) (evidence.PieceState, error) {
	standing, err := s.indices.generations.Take(ctx, piece)
	return pieceStateOf(standing), explainCluster(err)
}

// Await waits while another Writer has a piece of work: until its lease expires if that Writer died, and at most for
// alive otherwise.
func (s *Sharing) Await(ctx context.Context, piece string, alive time.Duration) (evidence.PieceState, error) {
	standing, err := s.indices.generations.Await(ctx, piece, alive)
	return pieceStateOf(standing), explainCluster(err)
}

// Hold renews the lease on a piece of work; the error is evidence.ErrTaken where another has taken it over.
func (s *Sharing) Hold(ctx context.Context, piece string) error {
	return explainCluster(s.indices.generations.Hold(ctx, piece))
}

// Done records that a piece of work is done, or that it failed.
func (s *Sharing) Done(ctx context.Context, piece string, failed bool) error {
	return explainCluster(s.indices.generations.Done(ctx, piece, failed))
}

// GiveBack releases a piece of work that is not done.
func (s *Sharing) GiveBack(ctx context.Context, piece string) error {
	return explainCluster(s.indices.generations.GiveBack(ctx, piece))
}

// Complete records, in a turn, that the Writer's share is done, and reports how far the others are.
func (s *Sharing) Complete(ctx context.Context, changed bool) (evidence.Night, error) {
	now, err := s.indices.generations.Complete(ctx, changed)
	if err != nil {
		return evidence.Night{}, explainCluster(err)
	}
	return evidence.Night{Generation: now.Generation, Of: now.Of, Begun: now.Begun, Awaited: now.Awaited,
		Changed: now.Changed}, nil
}
