package generations

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"dossier/internal/opensearch"
)

// piece is the document of a piece of work on a shared generation, which one writer does.
type piece struct {
	Generation int       `json:"generation"`
	Fence      int       `json:"fence"` // grows with each time that it is taken
	Program    string    `json:"program,omitempty"`
	ID         string    `json:"id,omitempty"` // of the writer that has it; empty: nobody does
	Since      time.Time `json:"since,omitzero"`
	Until      time.Time `json:"until,omitzero"` // when it runs out
	Done       time.Time `json:"done,omitzero"`
	Failed     bool      `json:"failed,omitempty"` // it was done, and nothing came of it
}

func pieceID(name string) string { return "work-" + name }

// ErrTaken is given for a piece of work that another writer has taken over, because this one's lease had run out.
var ErrTaken = errors.New("another has taken over the work, because this one's lease on it had run out")

// PieceState says how a piece of work is.
type PieceState struct {
	Mine   bool         // this writer has it
	Done   bool         // in this generation, and tonight
	Failed bool         // it was done, and nothing came of it; it can be taken again
	Holder *LockedError // another that has it; nil where none does
}

// held is a piece of work that a writer has.
type held struct {
	sharer  *sharer
	name    string
	mu      sync.Mutex
	doc     piece
	version opensearch.Version
	lost    bool
}

// Take takes a piece of work, such as a topic, for this writer alone, unless it is done or another has it. It needs no
// turn.
func (w *Writer) Take(ctx context.Context, name string) (PieceState, error) {
	if w.sharer == nil {
		return PieceState{}, ErrEnded
	}

	for {
		at, err := w.sharer.take(ctx, name)
		if opensearch.KindOf(err) != opensearch.Conflict { // with which another was quicker
			return at, err
		}
	}
}

func (s *sharer) take(ctx context.Context, name string) (PieceState, error) {
	found, before, err := s.readPiece(ctx, name)
	if err != nil {
		return PieceState{}, err
	}

	now := s.options.Clock.Now().UTC()
	if at := s.standing(found, now); at.Done && !at.Failed || at.Holder != nil {
		return at, nil //nolint:nilerr // who has it is no failure
	}

	taken := &held{sharer: s, name: name, doc: piece{Generation: s.generation, Fence: found.Fence + 1,
		Program: s.options.Program, ID: s.options.ID, Since: now, Until: now.Add(s.options.Lease)}}
	if taken.version, err = s.swap(ctx, pieceID(name), taken.doc, before); err != nil {
		return PieceState{}, fmt.Errorf("taking %s: %w", name, err)
	}
	s.note(taken)
	return PieceState{Mine: true}, nil
}

// Await waits while another has a piece of work: until that is done, given back, or its lease has run out, because it
// died; of one that is seen to be alive, at most for as long as alive says.
func (w *Writer) Await(ctx context.Context, name string, alive time.Duration) (PieceState, error) {
	s := w.sharer
	if s == nil {
		return PieceState{}, ErrEnded
	}
	began := w.options.Clock.Now()

	var first time.Time
	for look := firstLook; ; look = min(2*look, longestLook) {
		found, _, err := s.readPiece(ctx, name)
		now := w.options.Clock.Now()

		at := s.standing(found, now)
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

// readPiece reads a piece of work; of one that is of another generation, how often it was taken.
func (s *sharer) readPiece(ctx context.Context, name string) (found piece, version *opensearch.Version, err error) {
	if version, err = s.read(ctx, pieceID(name), &found); err != nil {
		return found, version, fmt.Errorf("looking who does %s: %w", name, err)
	}

	if found.Generation != s.generation {
		found = piece{Fence: found.Fence}
	}
	return found, version, nil
}

func (s *sharer) standing(found piece, now time.Time) (at PieceState) {
	at.Done = !found.Done.IsZero() && now.Sub(found.Done) < night

	at.Failed = at.Done && found.Failed
	if !at.Done && found.ID != "" && found.ID != s.options.ID && now.Before(found.Until) {
		at.Holder = &LockedError{found.Program, found.Since, found.Until}
	}
	return at
}

func (s *sharer) note(p *held) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[p.name] = p
}

func (s *sharer) forget(p *held) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if s.held[p.name] == p {
		delete(s.held, p.name)
	}
}

// all are the pieces that are held.
func (s *sharer) all() []*held {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.held))
}

// holding is a piece that this writer has taken; the error is ErrTaken where it has it no more.
func (w *Writer) holding(name string) (*held, error) {
	if s := w.sharer; s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()

		if p := s.held[name]; p != nil {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", name, ErrTaken)
}

// Hold renews the lease on a piece of work; the error is ErrTaken where another has it.
func (w *Writer) Hold(ctx context.Context, name string) error {
	p, err := w.holding(name)
	if err != nil {
		return err
	}
	return p.renew(ctx)
}

func (p *held) renew(ctx context.Context) error {
	return p.change(ctx, func(doc *piece) {
		doc.Until = p.sharer.options.Clock.Now().UTC().Add(p.sharer.options.Lease)
	})
}

// Done notes that a piece of work is done; failed, that nothing came of it. The error is ErrTaken where another has it.
func (w *Writer) Done(ctx context.Context, name string, failed bool) error {
	p, err := w.holding(name)
	if err != nil {
		return err
	}

	err = p.change(ctx, func(doc *piece) {
		*doc = piece{Generation: doc.Generation, Fence: doc.Fence, Done: w.options.Clock.Now().UTC(), Failed: failed}
	})
	if err == nil {
		p.sharer.forget(p)
	}
	return err
}

// GiveBack lets others take a piece of work that this writer has not done; of one that it has no more, it does nothing.
func (w *Writer) GiveBack(ctx context.Context, name string) error {
	p, err := w.holding(name)
	if err != nil {
		return nil //nolint:nilerr // there is nothing to give back
	}
	return p.giveBack(ctx)
}

func (p *held) giveBack(ctx context.Context) error {
	err := p.change(ctx, func(doc *piece) { *doc = piece{Generation: doc.Generation, Fence: doc.Fence} })
	if err == nil || errors.Is(err, ErrTaken) {
		p.sharer.forget(p)
		return nil
	}
	return err
}

// change writes the piece down otherwise, where this writer still has it.
func (p *held) change(ctx context.Context, change func(*piece)) error {
	p.mu.Lock()
	defer p.mu.Unlock()

	if p.lost {
		return fmt.Errorf("%s: %w", p.name, ErrTaken)
	}

	if p.doc.ID == "" { // it was done, or given back, since it was looked for
		return nil
	}
	doc := p.doc
	change(&doc)

	version, err := p.sharer.swap(ctx, pieceID(p.name), doc, &p.version)
	if opensearch.KindOf(err) == opensearch.Conflict {
		p.lost = true
		p.sharer.forget(p)
		return fmt.Errorf("%s: %w", p.name, ErrTaken)
	}

	if err != nil {
		return fmt.Errorf("renewing the lease on %s: %w", p.name, err)
	}
	p.doc, p.version = doc, version
	return nil
}
