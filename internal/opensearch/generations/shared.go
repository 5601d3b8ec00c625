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

// sharing is the document that says how a generation is shared among writers: who is at work on it, and which shares
// are done. That of a generation that is not being built any more says nothing.
type sharing struct {
	Generation int       `json:"generation"`
	Of         int       `json:"of"` // how many shares there are
	Begun      time.Time `json:"begun"`
	Writers    []Sharer  `json:"writers,omitempty"`
	Done       []ShareAt `json:"done,omitempty"`
}

// Sharer is a writer at work on a share.
type Sharer struct {
	Program string    `json:"program"`
	ID      string    `json:"id"`
	Shard   int       `json:"shard"`
	Since   time.Time `json:"since"`
	Until   time.Time `json:"until"` // when it is taken for dead, unless it says otherwise
}

// ShareAt is a share that was done.
type ShareAt struct {
	Shard   int       `json:"shard"`
	At      time.Time `json:"at"`
	Changed bool      `json:"changed"` // it committed what is worth a publication
}

const sharingID = "shards"

// night is for how long what was done counts as done: what is older was another night's.
const night = 12 * time.Hour

var (
	// ErrEnded is given to a writer of a shared generation that somebody else has published, or set aside.
	ErrEnded = errors.New("the generation that this shard was at work on was published or set aside by another: run it " +
		"again; what it had committed before is in that generation")
	// ErrShards is given to a writer that would share a generation in another number of parts than others do.
	ErrShards = errors.New("the generation under way is shared otherwise")
)

func (w *Writer) shares() bool { return w.options.Shards > 0 }

// live are those of the writers at work that are not taken for dead.
func (d *sharing) live(now time.Time) []Sharer {
	return slices.DeleteFunc(slices.Clone(d.Writers), func(s Sharer) bool { return !now.Before(s.Until) })
}

// awaited are the shares that are not done.
func (d *sharing) awaited() (numbers []int) {
	for number := 1; number <= d.Of; number++ {
		if !slices.ContainsFunc(d.Done, func(done ShareAt) bool { return done.Shard == number }) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// readSharing reads how the generation that is being built is shared; Generation is 0 where it is not.
func (s *Store) readSharing(ctx context.Context) (d sharing, version *opensearch.Version, err error) {
	if version, err = s.read(ctx, sharingID, &d); err != nil || d.Generation == 0 {
		return sharing{}, version, err
	}

	g, ok, err := s.manifest(ctx, d.Generation)
	if err != nil || !ok || g.State != Building {
		return sharing{}, version, err
	}
	return d, version, nil
}

// changeSharing changes what is written down of the sharing, which others may do at the same time.
func (w *Writer) changeSharing(ctx context.Context, change func(*sharing) error) error {
	for {
		d, before, err := w.readSharing(ctx)
		if err != nil {
			return err
		}

		if err := change(&d); err != nil {
			return err
		}

		if _, err = w.swap(ctx, sharingID, d, before); opensearch.KindOf(err) != opensearch.Conflict {
			return err
		}
	}
}

// refuseBesideSharers is a *LockedError while others share the generation that is being built: between their turns the
// lease is free, and they are at work all the same.
func (w *Writer) refuseBesideSharers(ctx context.Context) error {
	d, _, err := w.readSharing(ctx)
	if err != nil {
		return err
	}

	for _, at := range d.live(w.options.Clock.Now()) {
		return &LockedError{at.Program, at.Since, at.Until}
	}
	return nil
}

// join begins a generation that is shared, or goes on with the one that others have begun so, and signs on.
func (w *Writer) join(ctx context.Context) error {
	found, err := w.awaitTurn(ctx)
	if err != nil {
		return err
	}

	d, _, err := w.readSharing(ctx)
	if err != nil {
		return err
	}

	if err := w.goOnShared(ctx, found, d.Generation); err != nil {
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
	return w.signOn(ctx)
}

// goOnShared goes on with the generation that others share, as it is, where the last of them left it whole; else as any
// writer does.
func (w *Writer) goOnShared(ctx context.Context, found lease, number int) (err error) {
	if number == 0 || w.mustCopy(found) {
		return w.takeUpShared(ctx)
	}

	if w.current, err = w.Store.Current(ctx); err != nil && !errors.Is(err, ErrNoStore) {
		return err
	}

	g, _, err := w.manifest(ctx, number)
	if err != nil {
		return err
	}

	if g.Parent != w.current.Number {
		return w.takeUpShared(ctx)
	}
	w.building = g
	return nil
}

// mustCopy reports whether a write to the indices may be on its way.
func (w *Writer) mustCopy(found lease) bool {
	return w.unclean || found.Copy || found.heldByOther(w.options.ID)
}

// takeUpShared is takeUp by a writer that has to leave word where it fails.
func (w *Writer) takeUpShared(ctx context.Context) error {
	w.unclean = true
	err := w.takeUp(ctx)
	w.unclean = err != nil
	return err
}

// How often it is looked whether a turn has come: at first, and at the longest.
const firstLook, longestLook = 50 * time.Millisecond, 2 * time.Second

// awaitTurn takes the lease as soon as nobody has it. Found is how it was left.
func (w *Writer) awaitTurn(ctx context.Context) (found lease, err error) {
	began := w.options.Clock.Now()
	for look := firstLook; ; look = min(2*look, longestLook) {
		found, err = w.take(ctx)
		if locked, is := errors.AsType[*LockedError](err); !is {
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
	w.startKeeping(ctx)
	return found, nil
}

// Turn says what others have done since a writer's last one.
type Turn struct {
	Changed bool // they may have written to the indices
	Moved   bool // they have gone on in others
}

// Enter begins a turn, in which this writer alone writes to the generation that it shares. It waits while another has
// one. A turn that another never ended is taken over: what that had committed is copied first, so that it can't be
// written to. ErrEnded: there is nothing to write to any more.
func (w *Writer) Enter(ctx context.Context) (turn Turn, err error) {
	last, before := w.last, w.building

	found, err := w.awaitTurn(ctx)
	if err != nil {
		return turn, err
	}

	switch {
	case w.mustCopy(found):
		err = w.takeUpShared(ctx)
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

// Leave ends a turn. Where a write of it failed it is not clean: it may be on its way yet, and whoever is next goes on
// in copies.
func (w *Writer) Leave(ctx context.Context, clean bool) error {
	w.unclean = w.unclean || !clean
	return w.letGo(ctx)
}

// signOn says that this writer is at work, until signOff. A note that its share is done does not count any more where
// it is of another night.
func (w *Writer) signOn(ctx context.Context) error {
	now := w.options.Clock.Now().UTC()
	me := Sharer{Program: w.options.Program, ID: w.options.ID, Shard: w.options.Shard, Since: now,
		Until: now.Add(w.options.Lease)}
	number := w.building.Number

	err := w.changeSharing(ctx, func(d *sharing) error {
		if d.Generation != number {
			*d = sharing{Generation: number, Of: w.options.Shards, Begun: now}
		}
		d.Writers = append(d.live(now), me)
		d.Done = slices.DeleteFunc(d.Done, func(done ShareAt) bool {
			return done.Shard == w.options.Shard && now.Sub(done.At) >= night
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

// sharer is what a writer of a shared generation holds for all the time that it is at work, in its turns and between
// them: its place among the others, and the pieces of work that it has taken. It renews them.
type sharer struct {
	*Writer
	generation int
	end        context.CancelFunc
	ended      chan struct{}
	mu         sync.Mutex
	held       map[string]*held // by name
}

func (s *sharer) start(ctx context.Context) {
	s.held = map[string]*held{}
	ctx, s.end = context.WithCancel(context.WithoutCancel(ctx))
	s.ended = make(chan struct{})
	go func() {
		defer close(s.ended)

		for s.options.Clock.Sleep(ctx, s.options.Lease/renewals) == nil {
			s.renew(context.WithoutCancel(ctx)) // one of which nobody knows whether it was made can't be given back
		}
	}()
}

// renew renews all that is held; what can't be is tried again the next time.
func (s *sharer) renew(ctx context.Context) {
	now := s.options.Clock.Now().UTC()

	err := s.changeMine(ctx, func(mine *Sharer) { mine.Until = now.Add(s.options.Lease) })
	for _, piece := range s.all() {
		if failed := piece.renew(ctx); !errors.Is(failed, ErrTaken) { // which its next commit says
			err = errors.Join(err, failed)
		}
	}

	if err != nil {
		s.options.Logger.Warn("what this shard holds could not be renewed; it is tried again", "reason", err)
	}
}

// errNothing ends a change that has nothing to change.
var errNothing = errors.New("nothing to change")

func (s *sharer) changeMine(ctx context.Context, change func(mine *Sharer)) error {
	err := s.changeSharing(ctx, func(d *sharing) error {
		at := slices.IndexFunc(d.Writers, func(other Sharer) bool { return other.ID == s.options.ID })
		if d.Generation != s.generation || at < 0 {
			return errNothing
		}
		change(&d.Writers[at])
		d.Writers = slices.DeleteFunc(d.Writers, func(other Sharer) bool { return other.ID == "" })
		return nil
	})
	if errors.Is(err, errNothing) {
		return nil
	}
	return err
}

// signOff takes this writer from among those at work, and gives back what it had taken.
func (w *Writer) signOff(ctx context.Context) error {
	s := w.sharer
	if s == nil {
		return nil
	}
	w.sharer = nil
	s.end()
	<-s.ended

	var err error
	for _, piece := range s.all() {
		err = errors.Join(err, piece.giveBack(ctx))
	}

	err = errors.Join(err, s.changeMine(ctx, func(mine *Sharer) { *mine = Sharer{} }))
	if err != nil {
		return fmt.Errorf("signing off from shard %d of %d: %w", w.options.Shard, w.options.Shards, err)
	}
	return nil
}

// Shared says how a generation is shared, and how far it has come.
type Shared struct {
	Generation int
	Of         int
	Begun      time.Time
	Awaited    []int    // the shares that are not done
	Writers    []Sharer // at work
	Changed    bool     // a share that is done committed what is worth a publication
}

func (d *sharing) shared(now time.Time) *Shared {
	return &Shared{Generation: d.Generation, Of: d.Of, Begun: d.Begun, Awaited: d.awaited(), Writers: d.live(now),
		Changed: slices.ContainsFunc(d.Done, func(done ShareAt) bool { return done.Changed })}
}

// shared gives how the generation that is being built is shared; nil where it is not.
func (s *Store) shared(ctx context.Context, current int, list []Generation) (*Shared, error) {
	d, _, err := s.readSharing(ctx)

	there := slices.ContainsFunc(list, func(g Generation) bool { return g.Number == d.Generation && g.Parent == current })
	if err != nil || !there {
		return nil, err
	}
	return d.shared(s.options.Clock.Now()), nil
}

// Complete notes that this writer's share is done, in a turn: whoever is told that none is awaited any more publishes.
// Where all are done and none has changed anything, there is nothing to publish, and the next night begins all anew.
func (w *Writer) Complete(ctx context.Context, changed bool) (now *Shared, err error) {
	at := w.options.Clock.Now().UTC()

	err = w.changeSharing(ctx, func(d *sharing) error {
		if d.Generation != w.building.Number {
			return ErrEnded
		}

		mine := slices.IndexFunc(d.Done, func(done ShareAt) bool { return done.Shard == w.options.Shard })
		if mine < 0 {
			d.Done = append(d.Done, ShareAt{Shard: w.options.Shard, At: at, Changed: changed})
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
