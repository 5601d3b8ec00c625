package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/opensearch/generations"
)

// isShared reports whether other Writers write to the generation, too.
func (w *indices) isShared() bool { return !w.options.Shard.IsAll() }

// within marks a context as that of what is done in a turn of this Writer's.
type within struct{ writer *indices }

var errNoTurn = errors.New("a shared generation is published in a turn")

// turn runs f in a turn, where the generation is shared, or in the one that it is called in. The full text has followed
// what was committed in it when it ends, as far as it was due: nobody writes between turns.
func (w *indices) turn(ctx context.Context, f func(ctx context.Context) error) (err error) {
	if !w.isShared() || ctx.Value(within{w}) != nil {
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
	err = f(context.WithValue(ctx, within{w}, true))
	clean = err == nil || errors.Is(err, evidence.ErrTaken)
	return err
}

// enter begins a turn, and goes on where others have come to.
func (w *indices) enter(ctx context.Context) error {
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

// resume has the view show what others have written to its indices.
func (w *indices) resume(ctx context.Context) error {
	return w.use(func(v *view) error {
		if text, is := v.text.(clusterText); is {
			text.Resume()
		}
		return w.entries.Resume(ctx)
	})
}

// leave ends a turn.
func (w *indices) leave(ctx context.Context, clean bool) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	followed := w.follower.wait() // what it could not do, the next round does or tells
	w.follower = nil
	return w.generations.Leave(context.WithoutCancel(ctx), clean && followed == nil)
}

// Sharing is a Writer's part in a generation that several share.
type Sharing struct{ indices *indices }

// Sharing is nil where the Writer writes alone.
func (w *Writer) Sharing() *Sharing {
	if shared, is := w.backend.(*indices); is && shared.isShared() {
		return &Sharing{shared}
	}
	return nil
}

func pieceStateOf(s generations.PieceState) evidence.PieceState {
	out := evidence.PieceState{Mine: s.Mine, Done: s.Done, Failed: s.Failed}
	if s.Holder != nil {
		out.Holder = fmt.Sprintf("%s (since %s)", s.Holder.Program, s.Holder.Since.UTC().Format(time.RFC3339))
	}
	return out
}

// Take takes a piece of work for this Writer alone, unless another has it or has done it.
func (s *Sharing) Take(ctx context.Context, piece string) (evidence.PieceState, error) {
	standing, err := s.indices.generations.Take(ctx, piece)
	return pieceStateOf(standing), explainCluster(err)
}

// Await waits while another has a piece of work: one that died until its lease has run out, one that is alive at most
// for so long.
func (s *Sharing) Await(ctx context.Context, piece string, alive time.Duration) (evidence.PieceState, error) {
	standing, err := s.indices.generations.Await(ctx, piece, alive)
	return pieceStateOf(standing), explainCluster(err)
}

// Hold renews the lease on a piece of work; the error is evidence.ErrTaken where another has taken it over.
func (s *Sharing) Hold(ctx context.Context, piece string) error {
	return explainCluster(s.indices.generations.Hold(ctx, piece))
}

// Done notes that a piece of work is done, or that nothing came of it.
func (s *Sharing) Done(ctx context.Context, piece string, failed bool) error {
	return explainCluster(s.indices.generations.Done(ctx, piece, failed))
}

// GiveBack lets others take a piece of work that is not done.
func (s *Sharing) GiveBack(ctx context.Context, piece string) error {
	return explainCluster(s.indices.generations.GiveBack(ctx, piece))
}

// Complete notes, in a turn, that the Writer's share is done, and says how far the others are.
func (s *Sharing) Complete(ctx context.Context, changed bool) (evidence.Night, error) {
	now, err := s.indices.generations.Complete(ctx, changed)
	if err != nil {
		return evidence.Night{}, explainCluster(err)
	}
	return evidence.Night{Generation: now.Generation, Of: now.Of, Begun: now.Begun, Awaited: now.Awaited,
		Changed: now.Changed}, nil
}
