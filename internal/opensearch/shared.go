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

// sharing is the document that describes how writers share a generation: which are at work, and which shares are done.
// It is ignored unless its generation is being built.
type sharing struct {
	Generation int         `json:"generation"`
	Of         int         `json:"of"` // how many shares there are
	Begun      time.Time   `json:"begun"`
	Writers    []Sharer    `json:"writers,omitempty"`
	Done       []DoneShare `json:"done,omitempty"`
}

// Sharer is a writer at work on a share.
type Sharer struct {
	Program string    `json:"program"`
	ID      string    `json:"id"`
	Shard   int       `json:"shard"`
	Since   time.Time `json:"since"`
	Until   time.Time `json:"until"` // when it counts as dead, unless it renews this
}

// DoneShare is a finished share.
type DoneShare struct {
	Shard   int       `json:"shard"`
	At      time.Time `json:"at"`
	Changed bool      `json:"changed"` // it committed something to publish
}

const sharingID = "shards"

// doneValidFor is how long a finished share counts as done: an older one belongs to another night.
const doneValidFor = 12 * time.Hour

var (
	// ErrEnded is returned to a writer of a shared generation that another has published, or set aside.
	ErrEnded = errors.New("the generation that this shard was at work on was published or set aside by another: run it " +
		"again; what it had committed before is in that generation")
	// ErrShards is returned to a writer that would share a generation in another number of parts.
	ErrShards = errors.New("the generation under way is shared otherwise")
)

func (w *Writer) shares() bool { return w.options.Shards > 0 }

// live are the writers at work that do not count as dead.
func (d *sharing) live(now time.Time) []Sharer {
	return slices.DeleteFunc(slices.Clone(d.Writers), func(s Sharer) bool { return !now.Before(s.Until) })
}

// awaited are the shares that are not done.
func (d *sharing) awaited() (numbers []int) {
	for number := 1; number <= d.Of; number++ {
		if !slices.ContainsFunc(d.Done, func(done DoneShare) bool { return done.Shard == number }) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// readSharing reads how the generation under construction is shared; Generation is 0 if it is not.
func (s *Store) readSharing(ctx context.Context) (d sharing, version *Version, err error) {
	if version, err = s.readDocument(ctx, sharingID, &d); err != nil || d.Generation == 0 {
		return sharing{}, version, err
	}

	g, ok, err := s.manifest(ctx, d.Generation)
	if err != nil || !ok || g.State != Building {
		return sharing{}, version, err
	}
	return d, version, nil
}

// changeSharing updates the sharing document, which others may update at the same time.
func (w *Writer) changeSharing(ctx context.Context, change func(*sharing) error) error {
	for {
		d, before, err := w.readSharing(ctx)
		if err != nil {
			return err
		}

		if err := change(&d); err != nil {
			return err
		}

		if _, err = w.compareAndSwap(ctx, sharingID, d, before); KindOf(err) != Conflict {
			return err
		}
	}
}

// refuseWhileShared returns a *LockedError while others share the generation under construction: between their turns
// the lease is free, although they are at work.
func (w *Writer) refuseWhileShared(ctx context.Context) error {
	d, _, err := w.readSharing(ctx)
	if err != nil {
		return err
	}

	for _, at := range d.live(w.options.Clock.Now()) {
		return &LockedError{at.Program, at.Since, at.Until}
	}
	return nil
}

// join begins a shared generation, or continues one that others have begun, and registers this writer.
func (w *Writer) join(ctx context.Context) error {
	found, err := w.awaitTurn(ctx)
	if err != nil {
		return err
	}

	d, _, err := w.readSharing(ctx)
	if err != nil {
		return err
	}

	if err := w.continueShared(ctx, found, d.Generation); err != nil {
		return err
	}

	if d.Generation != 0 && d.Generation == w.building.Number && d.Of != w.options.Shards {
		return fmt.Errorf("%w: generation %d in %d shards, of which this would be %d of %d; run it as --shard 1/%d to %d/%d, "+
			"or finish it by a run without --shard", ErrShards, d.Generation, d.Of, w.options.Shard, w.options.Shards, d.Of,
			d.Of, d.Of)
	}

	if _, err := w.Start(ctx); err != nil {
		return err
	}
	return w.register(ctx)
}

// continueShared continues the shared generation in place if its last turn ended cleanly; otherwise as any writer
// does.
func (w *Writer) continueShared(ctx context.Context, found lease, number int) (err error) {
	if number == 0 || w.mustCopy(found) {
		return w.recoverShared(ctx)
	}

	if w.current, err = w.Store.Current(ctx); err != nil && !errors.Is(err, ErrNoStore) {
		return err
	}

	g, _, err := w.manifest(ctx, number)
	if err != nil {
		return err
	}

	if g.Parent != w.current.Number {
		return w.recoverShared(ctx)
	}
	w.building = g
	return nil
}

// mustCopy reports whether a write to the indices may be in flight.
func (w *Writer) mustCopy(found lease) bool {
	return w.unclean || found.Copy || found.heldByOther(w.options.ID)
}

// recoverShared is fenceAndRecover for a writer that must mark the lease as unclean if it fails.
func (w *Writer) recoverShared(ctx context.Context) error {
	w.unclean = true
	err := w.fenceAndRecover(ctx)
	w.unclean = err != nil
	return err
}

// The intervals of polling for a turn: the first, and the longest.
const firstPoll, maxPoll = 50 * time.Millisecond, 2 * time.Second

// awaitTurn takes the lease as soon as it is free. found is its state before.
func (w *Writer) awaitTurn(ctx context.Context) (found lease, err error) {
	began := w.options.Clock.Now()
	for look := firstPoll; ; look = min(2*look, maxPoll) {
		found, err = w.takeLease(ctx)
		if locked, ok := errors.AsType[*LockedError](err); !ok {
			break
		} else if waited := w.options.Clock.Now().Sub(began); waited >= w.options.Wait {
			return found, fmt.Errorf("waited %s for a turn to write: %w", waited.Round(time.Second), locked)
		}

		if err := w.options.Clock.Sleep(ctx, look); err != nil {
			return found, err
		}
	}

	if err != nil {
		return found, err
	}
	w.last = w.lease.Fence
	w.startRenewing(ctx)
	return found, nil
}

// Turn describes what other writers have done since this writer's last turn.
type Turn struct {
	Changed bool // they may have written to the indices
	Moved   bool // they have continued in other indices
}

// Enter begins a turn, in which only this writer writes to the shared generation. It waits for another's turn to end.
// It takes over a turn that never ended: it first copies what that had committed, so that no late write can change it.
// ErrEnded means that the generation can't be written to any more.
func (w *Writer) Enter(ctx context.Context) (turn Turn, err error) {
	last, before := w.last, w.building

	found, err := w.awaitTurn(ctx)
	if err != nil {
		return turn, err
	}

	switch {
	case w.mustCopy(found):
		err = w.recoverShared(ctx)
	case found.Fence == last:
		return turn, nil
	default:
		w.building, _, err = w.manifest(ctx, before.Number)
	}

	if err == nil && (w.building.Number != before.Number || w.building.State != Building) {
		w.building = Generation{}
		err = ErrEnded
	}

	if err != nil {
		return turn, errors.Join(err, w.Leave(context.WithoutCancel(ctx), true))
	}
	return Turn{Changed: true, Moved: !maps.Equal(w.building.Indices, before.Indices)}, nil
}

// Leave ends a turn. It is not clean if one of its writes failed, and so may still be in flight: then the next writer
// continues in copies.
func (w *Writer) Leave(ctx context.Context, clean bool) error {
	w.unclean = w.unclean || !clean
	return w.releaseLease(ctx)
}

// register registers this writer as at work, until unregister. It discards a record of its share being done if that is
// from another night.
func (w *Writer) register(ctx context.Context) error {
	now := w.options.Clock.Now().UTC()
	me := Sharer{Program: w.options.Program, ID: w.options.ID, Shard: w.options.Shard, Since: now,
		Until: now.Add(w.options.Lease)}
	number := w.building.Number

	err := w.changeSharing(ctx, func(d *sharing) error {
		if d.Generation != number {
			*d = sharing{Generation: number, Of: w.options.Shards, Begun: now}
		}
		d.Writers = append(d.live(now), me)
		d.Done = slices.DeleteFunc(d.Done, func(done DoneShare) bool {
			return done.Shard == w.options.Shard && now.Sub(done.At) >= doneValidFor
		})
		return nil
	})
	if err != nil {
		return fmt.Errorf("signing on for shard %d of %d: %w", w.options.Shard, w.options.Shards, err)
	}
	w.sharer = &sharer{Writer: w, generation: number}
	w.sharer.start(ctx)
	return nil
}

// sharer holds what a writer of a shared generation has while it is at work, in its turns and between them: its
// registration, and the pieces of work that it has taken. It renews them.
type sharer struct {
	*Writer
	generation int
	end        context.CancelFunc
	ended      chan struct{}
	mu         sync.Mutex
	held       map[string]*heldPiece // by name
}

func (s *sharer) start(ctx context.Context) {
	s.held = map[string]*heldPiece{}
	ctx, s.end = context.WithCancel(context.WithoutCancel(ctx))
	s.ended = make(chan struct{})
	go func() {
		defer close(s.ended)

		for s.options.Clock.Sleep(ctx, s.options.Lease/renewals) == nil {
			s.renew(context.WithoutCancel(ctx)) // a piece with an unknown renewal can't be given back
		}
	}()
}

// renew renews all that is held; it retries failures the next time.
func (s *sharer) renew(ctx context.Context) {
	now := s.options.Clock.Now().UTC()

	err := s.changeMine(ctx, func(mine *Sharer) { mine.Until = now.Add(s.options.Lease) })
	for _, piece := range s.heldPieces() {
		if failed := piece.renew(ctx); !errors.Is(failed, ErrTaken) { // the next commit reports it
			err = errors.Join(err, failed)
		}
	}

	if err != nil {
		s.options.Logger.Warn("what this shard holds could not be renewed; it is tried again", "reason", err)
	}
}

// errNoChange ends an update that has nothing to change.
var errNoChange = errors.New("nothing to change")

func (s *sharer) changeMine(ctx context.Context, change func(mine *Sharer)) error {
	err := s.changeSharing(ctx, func(d *sharing) error {
		at := slices.IndexFunc(d.Writers, func(other Sharer) bool { return other.ID == s.options.ID })
		if d.Generation != s.generation || at < 0 {
			return errNoChange
		}
		change(&d.Writers[at])
		d.Writers = slices.DeleteFunc(d.Writers, func(other Sharer) bool { return other.ID == "" })
		return nil
	})
	if errors.Is(err, errNoChange) {
		return nil
	}
	return err
}

// unregister removes this writer from those at work, and gives back the pieces that it had taken.
func (w *Writer) unregister(ctx context.Context) error {
	s := w.sharer
	if s == nil {
		return nil
	}
	w.sharer = nil
	s.end()
	<-s.ended

	var err error
	for _, piece := range s.heldPieces() {
		err = errors.Join(err, piece.giveBack(ctx))
	}

	err = errors.Join(err, s.changeMine(ctx, func(mine *Sharer) { *mine = Sharer{} }))
	if err != nil {
		return fmt.Errorf("signing off from shard %d of %d: %w", w.options.Shard, w.options.Shards, err)
	}
	return nil
}

// Shared describes how a generation is shared, and its progress.
type Shared struct {
	Generation int
	Of         int
	Begun      time.Time
	Awaited    []int    // the shares that are not done
	Writers    []Sharer // at work
	Changed    bool     // a finished share committed something to publish
}

func (d *sharing) shared(now time.Time) *Shared {
	return &Shared{Generation: d.Generation, Of: d.Of, Begun: d.Begun, Awaited: d.awaited(), Writers: d.live(now),
		Changed: slices.ContainsFunc(d.Done, func(done DoneShare) bool { return done.Changed })}
}

// shared describes the sharing of the generation under construction; nil if it is not shared.
func (s *Store) shared(ctx context.Context, current int, list []Generation) (*Shared, error) {
	d, _, err := s.readSharing(ctx)

	there := slices.ContainsFunc(list, func(g Generation) bool { return g.Number == d.Generation && g.Parent == current })
	if err != nil || !there {
		return nil, err
	}
	return d.shared(s.options.Clock.Now()), nil
}

// Complete records, in a turn, that this writer's share is done. The writer that finds no share awaited publishes. If
// all are done and none has changed anything, there is nothing to publish, and the next night starts afresh.
func (w *Writer) Complete(ctx context.Context, changed bool) (now *Shared, err error) {
	at := w.options.Clock.Now().UTC()

	err = w.changeSharing(ctx, func(d *sharing) error {
		if d.Generation != w.building.Number {
			return ErrEnded
		}

		mine := slices.IndexFunc(d.Done, func(done DoneShare) bool { return done.Shard == w.options.Shard })
		if mine < 0 {
			d.Done = append(d.Done, DoneShare{Shard: w.options.Shard, At: at, Changed: changed})
		} else {
			d.Done[mine].Changed = d.Done[mine].Changed || changed
		}

		if now = d.shared(at); len(now.Awaited) == 0 && !now.Changed {
			d.Done = nil
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("noting that shard %d of %d is done: %w", w.options.Shard, w.options.Shards, err)
	}
	return now, nil
}
