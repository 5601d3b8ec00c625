package opensearch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// piece is the document of a piece of work on a shared generation, which one writer does.
type piece struct {
	Generation int       `json:"generation"`
	Fence      int       `json:"fence"` // grows with each time that it is taken
	Program    string    `json:"program,omitempty"`
	ID         string    `json:"id,omitempty"` // of the writer that has it; empty: no one does
	Since      time.Time `json:"since,omitzero"`
	Until      time.Time `json:"until,omitzero"` // when it runs out
	Done       time.Time `json:"done,omitzero"`
	Failed     bool      `json:"failed,omitempty"` // it was done, and nothing came of it
}

func pieceID(name string) string { return "work-" + name }

// ErrTaken is returned for a piece of work that another writer has taken over, because this one's lease had expired.
var ErrTaken = errors.New("another has taken over the work, because this one's lease on it had run out")

// PieceState is the state of a piece of work.
type PieceState struct {
	Mine   bool         // this writer has it
	Done   bool         // in this generation, and tonight
	Failed bool         // it was done without a result; it can be taken again
	Holder *LockedError // another that has it; nil if none does
}

// heldPiece is a piece of work that a writer has.
type heldPiece struct {
	sharer  *sharer
	name    string
	mu      sync.Mutex
	doc     piece
	version Version
	lost    bool
}

// Take claims a piece of work, such as a topic, for this writer alone, unless it is done or another writer has it. It
// needs no turn.
func (w *Writer) Take(ctx context.Context, name string) (PieceState, error) {
	if w.sharer == nil {
		return PieceState{}, ErrEnded
	}

	for {
		at, err := w.sharer.take(ctx, name)
		if KindOf(err) != Conflict { // a conflict means that another was quicker
			return at, err
		}
	}
}

// take claims a piece unless it is done or another writer holds it, whose claim it returns.
func (s *sharer) take(ctx context.Context, name string) (PieceState, error) {
	found, before, err := s.readPiece(ctx, name)
	if err != nil {
		return PieceState{}, err
	}

	now := s.options.Clock.Now().UTC()
	if at := s.pieceState(found, now); at.Done && !at.Failed || at.Holder != nil {
		return at, nil
	}

	taken := &heldPiece{sharer: s, name: name, doc: piece{Generation: s.generation, Fence: found.Fence + 1,
		Program: s.options.Program, ID: s.options.ID, Since: now, Until: now.Add(s.options.Lease)}}
	if taken.version, err = s.compareAndSwap(ctx, pieceID(name), taken.doc, before); err != nil {
		return PieceState{}, fmt.Errorf("taking %s: %w", name, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[name] = taken
	return PieceState{Mine: true}, nil
}

// Await waits while another writer has a piece of work: until that is done, given back, or its lease expires because
// that writer died; for a writer seen to be alive, at most for alive.
func (w *Writer) Await(ctx context.Context, name string, alive time.Duration) (PieceState, error) {
	s := w.sharer
	if s == nil {
		return PieceState{}, ErrEnded
	}
	began := w.options.Clock.Now()

	var first time.Time
	for look := firstPoll; ; look = min(2*look, maxPoll) {
		found, _, err := s.readPiece(ctx, name)
		now := w.options.Clock.Now()

		at := s.pieceState(found, now)
		if err != nil || at.Holder == nil {
			return at, err
		}

		if first.IsZero() {
			first = found.Until
		}

		if !found.Until.Equal(first) && now.Sub(began) >= alive {
			return at, nil
		}

		if err := w.options.Clock.Sleep(ctx, look); err != nil {
			return at, err
		}
	}
}

// readPiece reads a piece of work; for one of another generation, only how often it was taken.
func (s *sharer) readPiece(ctx context.Context, name string) (found piece, version *Version, err error) {
	if version, err = s.readDocument(ctx, pieceID(name), &found); err != nil {
		return found, version, fmt.Errorf("looking who does %s: %w", name, err)
	}

	if found.Generation != s.generation {
		found = piece{Fence: found.Fence}
	}
	return found, version, nil
}

// pieceState is a piece's state for this writer: done, failed, held by another, or free.
func (s *sharer) pieceState(found piece, now time.Time) (at PieceState) {
	at.Done = !found.Done.IsZero() && now.Sub(found.Done) < doneValidFor

	at.Failed = at.Done && found.Failed
	if !at.Done && found.ID != "" && found.ID != s.options.ID && now.Before(found.Until) {
		at.Holder = &LockedError{found.Program, found.Since, found.Until}
	}
	return at
}

func (s *sharer) removeHeld(p *heldPiece) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if s.held[p.name] == p {
		delete(s.held, p.name)
	}
}

// heldPieces are the pieces that the writer has.
func (s *sharer) heldPieces() []*heldPiece {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.held))
}

// findHeld returns a piece that this writer has taken; the error is ErrTaken if it has lost it.
func (w *Writer) findHeld(name string) (*heldPiece, error) {
	if s := w.sharer; s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()

		if p := s.held[name]; p != nil {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", name, ErrTaken)
}

// Hold renews the lease on a piece of work; the error is ErrTaken if another writer has it.
func (w *Writer) Hold(ctx context.Context, name string) error {
	p, err := w.findHeld(name)
	if err != nil {
		return err
	}
	return p.renew(ctx)
}

func (p *heldPiece) renew(ctx context.Context) error {
	return p.change(ctx, func(doc *piece) {
		doc.Until = p.sharer.options.Clock.Now().UTC().Add(p.sharer.options.Lease)
	})
}

// Done records that a piece of work is done, or that it failed. The error is ErrTaken if another writer has it.
func (w *Writer) Done(ctx context.Context, name string, failed bool) error {
	p, err := w.findHeld(name)
	if err != nil {
		return err
	}

	err = p.change(ctx, func(doc *piece) {
		*doc = piece{Generation: doc.Generation, Fence: doc.Fence, Done: w.options.Clock.Now().UTC(), Failed: failed}
	})
	if err == nil {
		p.sharer.removeHeld(p)
	}
	return err
}

// GiveBack releases a piece of work that this writer has not done; it does nothing if the writer has lost it.
func (w *Writer) GiveBack(ctx context.Context, name string) error {
	p, err := w.findHeld(name)
	if err != nil {
		return nil //nolint:nilerr // there is nothing to give back
	}
	return p.giveBack(ctx)
}

func (p *heldPiece) giveBack(ctx context.Context) error {
	err := p.change(ctx, func(doc *piece) { *doc = piece{Generation: doc.Generation, Fence: doc.Fence} })
	if err == nil || errors.Is(err, ErrTaken) {
		p.sharer.removeHeld(p)
		return nil
	}
	return err
}

// change updates the piece, if this writer still has it.
func (p *heldPiece) change(ctx context.Context, change func(*piece)) error {
	p.mu.Lock()
	defer p.mu.Unlock()

	if p.lost {
		return fmt.Errorf("%s: %w", p.name, ErrTaken)
	}

	if p.doc.ID == "" { // it was done or given back meanwhile
		return nil
	}
	doc := p.doc
	change(&doc)

	version, err := p.sharer.compareAndSwap(ctx, pieceID(p.name), doc, &p.version)
	if KindOf(err) == Conflict {
		p.lost = true
		p.sharer.removeHeld(p)
		return fmt.Errorf("%s: %w", p.name, ErrTaken)
	}

	if err != nil {
		return fmt.Errorf("renewing the lease on %s: %w", p.name, err)
	}
	p.doc, p.version = doc, version
	return nil
}
