package generations

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"dossier/internal/opensearch"
)

// lease is the document that says who writes.
type lease struct {
	Fence   int       `json:"fence"`   // grows with each time that it is taken
	Program string    `json:"program"` // empty: nobody holds it
	ID      string    `json:"id"`      // of the holder: no other has it
	Since   time.Time `json:"since"`
	Until   time.Time `json:"until"` // when it runs out
	// Copy is set where it was let go of, and who is next goes on in copies: a write of the one before may be on its way.
	Copy bool `json:"copy,omitempty"`
}

// heldByOther reports whether somebody else than the writer of that id has the lease, or had it and never let go.
func (l lease) heldByOther(id string) bool { return l.Program != "" && l.ID != id }

const leaseID = "lease"

// LockedError says that somebody else writes to the store (exit code 5).
type LockedError struct {
	Program      string
	Since, Until time.Time
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("%s writes to the store since %s, with a lease until %s: try again when it has finished; readers "+
		"need not wait", e.Program, e.Since.UTC().Format(time.RFC3339), e.Until.UTC().Format(time.RFC3339))
}

// ErrLost is what a writer gets that has lost its lease to another. What it committed before is in the generation that
// the other took up, or is set aside.
var ErrLost = errors.New("another writer has taken over, because this one's lease had run out: nothing more is written")

// take takes the lease, or is a *LockedError. Found is how it was before.
func (w *Writer) take(ctx context.Context) (found lease, err error) {
	now := w.options.Clock.Now().UTC()

	found, before, err := w.readLease(ctx)
	if err != nil {
		return found, err
	}

	if found.heldByOther(w.options.ID) && now.Before(found.Until) {
		return found, &LockedError{found.Program, found.Since, found.Until}
	}

	if found.heldByOther(w.options.ID) {
		w.options.Logger.Warn("taking over from a writer whose lease has run out", "program", found.Program,
			"since", found.Since, "until", found.Until)
	}
	mine := lease{Fence: found.Fence + 1, Program: w.options.Program, ID: w.options.ID, Since: now,
		Until: now.Add(w.options.Lease)}

	err = w.putLease(ctx, mine, before)
	if opensearch.KindOf(err) == opensearch.Conflict {
		if found, _, err = w.readLease(ctx); err == nil {
			err = &LockedError{found.Program, found.Since, found.Until}
		}
	}
	return found, err
}

func (w *Writer) readLease(ctx context.Context) (found lease, version *opensearch.Version, err error) {
	version, err = w.read(ctx, leaseID, &found)
	return found, version, err
}

// putLease writes the lease where it is as before says.
func (w *Writer) putLease(ctx context.Context, l lease, before *opensearch.Version) error {
	version, err := w.swap(ctx, leaseID, l, before)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lease, w.version = l, version
	return nil
}

// read reads a document of what is written down of the store; version is nil where there is none.
func (s *Store) read(ctx context.Context, id string, into any) (version *opensearch.Version, err error) {
	doc, ok, err := s.client.Get(ctx, s.state(), id)
	if !ok || err != nil {
		return nil, err
	}

	if err := json.Unmarshal(doc.Source, into); err != nil {
		return nil, fmt.Errorf("reading %q of %s: %w", id, s.state(), err)
	}
	return &doc.Version, nil
}

// swaps is how often a document is written whose answers are lost, and swapPause what is waited before the second time,
// and twice as long before each further one: a cluster that has lost a node answers again after some seconds.
const (
	swaps     = 8
	swapPause = 100 * time.Millisecond
)

// swap writes a document where it still is as before says; nil stands for one that is not there yet. It is of Kind
// Conflict where another has written it. Whether it was written is read where the answer was lost: no two writers write
// the same.
func (s *Store) swap(ctx context.Context, id string, document any, before *opensearch.Version) (opensearch.Version,
	error) {
	text, err := json.Marshal(document)
	if err != nil {
		return opensearch.Version{}, err
	}

	for try := 1; ; try++ {
		version, err := s.client.Put(ctx, s.state(), id, text, before)
		if err == nil {
			return version, nil
		}

		conflict := opensearch.KindOf(err) == opensearch.Conflict
		if conflict && try == 1 {
			return version, err
		}
		doc, ok, readErr := s.client.Get(ctx, s.state(), id)

		same := ok == (before != nil) && (!ok || doc.Version == *before)
		switch {
		case readErr != nil:
			return version, errors.Join(err, readErr)
		case ok && bytes.Equal(doc.Source, text):
			return doc.Version, nil // the answer alone was lost
		case conflict || !same || try == swaps:
			return version, err
		}

		if waitErr := s.options.Clock.Sleep(ctx, swapPause<<(try-1)); waitErr != nil {
			return version, errors.Join(err, waitErr)
		}
	}
}

// hold renews the lease; the error is ErrLost where another has taken it.
func (w *Writer) hold(ctx context.Context) error {
	w.renewing.Lock()
	defer w.renewing.Unlock()
	w.mu.Lock()
	mine, version, lost := w.lease, w.version, w.lost
	w.mu.Unlock()

	if lost != nil {
		return lost
	}
	mine.Until = w.options.Clock.Now().UTC().Add(w.options.Lease)

	err := w.putLease(ctx, mine, &version)
	if opensearch.KindOf(err) == opensearch.Conflict {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.lost = ErrLost
		return ErrLost
	}

	if err != nil {
		return fmt.Errorf("renewing the lease on the store: %w", err)
	}
	return nil
}

// renewals in the time of one lease.
const renewals = 3

// startKeeping renews the lease until stopKeeping.
func (w *Writer) startKeeping(ctx context.Context) {
	ctx, w.end = context.WithCancel(context.WithoutCancel(ctx))
	kept := make(chan struct{})
	w.kept = kept
	go func() {
		defer close(kept)
		w.keep(ctx)
	}()
}

// keep renews the lease until ctx ends or it is lost. A renewal that was begun is ended: one of which nobody knows
// whether it was made would keep the lease from being let go of.
func (w *Writer) keep(ctx context.Context) {
	for w.options.Clock.Sleep(ctx, w.options.Lease/renewals) == nil {
		err := w.hold(context.WithoutCancel(ctx))
		if errors.Is(err, ErrLost) {
			w.options.Logger.Error("lost the lease on the store", "reason", err)
			return
		}

		if err != nil && ctx.Err() == nil {
			w.options.Logger.Warn("the lease on the store could not be renewed; it is tried again", "reason", err)
		}
	}
}

// Close lets go of all that the writer holds. What was committed and not published stays for the next Begin.
func (w *Writer) Close(ctx context.Context) error { return errors.Join(w.signOff(ctx), w.letGo(ctx)) }

// letGo lets go of the lease, where it is held.
func (w *Writer) letGo(ctx context.Context) error {
	if w.end == nil {
		return nil
	}
	w.end()
	<-w.kept
	w.end = nil
	w.mu.Lock()
	mine, version, lost := w.lease, w.version, w.lost
	w.mu.Unlock()

	if lost != nil {
		return nil //nolint:nilerr // there is nothing to let go of
	}

	err := w.putLease(ctx, lease{Fence: mine.Fence, Copy: w.unclean || !w.shares()}, &version)
	if err != nil && opensearch.KindOf(err) != opensearch.Conflict { // with which it is another's
		return fmt.Errorf("letting go of the lease on the store, which runs out at %s: %w",
			mine.Until.Format(time.RFC3339), err)
	}
	return nil
}
