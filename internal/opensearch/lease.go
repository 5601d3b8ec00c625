package opensearch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// lease is the document that names the writer.
type lease struct {
	Fence   int       `json:"fence"`   // grows with each time that it is taken
	Program string    `json:"program"` // empty: no one holds it
	ID      string    `json:"id"`      // of the holder, unique
	Since   time.Time `json:"since"`
	Until   time.Time `json:"until"` // when it runs out
	// Copy is set on release if a write may be in flight: the next writer continues in copies.
	Copy bool `json:"copy,omitempty"`
}

// heldByOther reports whether another writer than id has the lease, or had it and never released it.
func (l lease) heldByOther(id string) bool { return l.Program != "" && l.ID != id }

const leaseID = "lease"

// LockedError reports that another process writes to the store (exit code 5).
type LockedError struct {
	Program      string
	Since, Until time.Time
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("%s writes to the store since %s, with a lease until %s: try again when it has finished; readers "+
		"need not wait", e.Program, e.Since.UTC().Format(time.RFC3339), e.Until.UTC().Format(time.RFC3339))
}

// ErrLost is returned to a writer that has lost its lease. Its commits are in the generation that the other writer
// took over, or are set aside.
var ErrLost = errors.New("another writer has taken over, because this one's lease had run out: nothing more is written")

// takeLease takes the lease, or returns a *LockedError. found is its state before.
func (w *Writer) takeLease(ctx context.Context) (found lease, err error) {
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
	if KindOf(err) == Conflict {
		if found, _, err = w.readLease(ctx); err == nil {
			err = &LockedError{found.Program, found.Since, found.Until}
		}
	}
	return found, err
}

func (w *Writer) readLease(ctx context.Context) (found lease, version *Version, err error) {
	version, err = w.readDocument(ctx, leaseID, &found)
	return found, version, err
}

// putLease writes the lease if it still has the version before.
func (w *Writer) putLease(ctx context.Context, l lease, before *Version) error {
	version, err := w.compareAndSwap(ctx, leaseID, l, before)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lease, w.version = l, version
	return nil
}

// readDocument reads a document of the store's state; version is nil if there is none.
func (s *Store) readDocument(ctx context.Context, id string, into any) (version *Version, err error) {
	doc, ok, err := s.client.Get(ctx, s.state(), id)
	if !ok || err != nil {
		return nil, err
	}

	if err := json.Unmarshal(doc.Source, into); err != nil {
		return nil, fmt.Errorf("reading %q of %s: %w", id, s.state(), err)
	}
	return &doc.Version, nil
}

// maxSwapTries is how often a write with a lost answer is tried, and swapPause the wait before the second try, doubled
// before each further one: a cluster that has lost a node answers again after some seconds.
const (
	maxSwapTries = 8
	swapPause    = 100 * time.Millisecond
)

// compareAndSwap writes a document if it still has the version before; nil means that it does not exist yet. The error
// has Kind Conflict if another writer has changed it. After a lost answer it reads the document to see whether the
// write succeeded: no two writers write the same content.
func (s *Store) compareAndSwap(ctx context.Context, id string, document any, before *Version) (Version,
	error) {
	text, err := json.Marshal(document)
	if err != nil {
		return Version{}, err
	}

	for try := 1; ; try++ {
		version, err := s.client.Put(ctx, s.state(), id, text, before)
		if err == nil {
			return version, nil
		}

		conflict := KindOf(err) == Conflict
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
		case conflict || !same || try == maxSwapTries:
			return version, err
		}

		if waitErr := s.options.Clock.Sleep(ctx, swapPause<<(try-1)); waitErr != nil {
			return version, errors.Join(err, waitErr)
		}
	}
}

// renewLease renews the lease; the error is ErrLost if another writer has taken it.
func (w *Writer) renewLease(ctx context.Context) error {
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
	if KindOf(err) == Conflict {
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

// startRenewing renews the lease in the background until it is released.
func (w *Writer) startRenewing(ctx context.Context) {
	ctx, w.stopRenewals = context.WithCancel(context.WithoutCancel(ctx))
	kept := make(chan struct{})
	w.renewalsDone = kept
	go func() {
		defer close(kept)
		w.renewLoop(ctx)
	}()
}

// renewLoop renews the lease until ctx ends or the lease is lost. It completes a renewal in progress: with one of
// unknown outcome the lease could not be released.
func (w *Writer) renewLoop(ctx context.Context) {
	for w.options.Clock.Sleep(ctx, w.options.Lease/renewals) == nil {
		err := w.renewLease(context.WithoutCancel(ctx))
		if errors.Is(err, ErrLost) {
			w.options.Logger.Error("lost the lease on the store", "reason", err)
			return
		}

		if err != nil && ctx.Err() == nil {
			w.options.Logger.Warn("the lease on the store could not be renewed; it is tried again", "reason", err)
		}
	}
}

// Close releases all that the writer holds. What was committed and not published stays for the next Begin.
func (w *Writer) Close(ctx context.Context) error {
	return errors.Join(w.unregister(ctx), w.releaseLease(ctx))
}

// releaseLease releases the lease, if it is held.
func (w *Writer) releaseLease(ctx context.Context) error {
	if w.stopRenewals == nil {
		return nil
	}
	w.stopRenewals()
	<-w.renewalsDone
	w.stopRenewals = nil
	w.mu.Lock()
	mine, version, lost := w.lease, w.version, w.lost
	w.mu.Unlock()

	if lost != nil {
		return nil //nolint:nilerr // there is nothing to release
	}

	err := w.putLease(ctx, lease{Fence: mine.Fence, Copy: w.unclean || !w.shares()}, &version)
	if err != nil && KindOf(err) != Conflict { // a conflict means that another has it
		return fmt.Errorf("letting go of the lease on the store, which runs out at %s: %w",
			mine.Until.Format(time.RFC3339), err)
	}
	return nil
}
