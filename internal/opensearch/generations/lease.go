package generations

import (
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
}

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

// take takes the lease, or is a *LockedError. That it is there is read again where the answer was lost.
func (w *Writer) take(ctx context.Context) error {
	now := w.options.Clock.Now().UTC()
	found, before, err := w.readLease(ctx)
	if err != nil {
		return err
	}
	if found.Program != "" && found.ID != w.options.ID && now.Before(found.Until) {
		return &LockedError{found.Program, found.Since, found.Until}
	}
	if found.Program != "" && found.ID != w.options.ID {
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
	return err
}

func (w *Writer) readLease(ctx context.Context) (found lease, version *opensearch.Version, err error) {
	doc, ok, err := w.client.Get(ctx, w.state(), leaseID)
	if !ok || err != nil {
		return found, nil, err
	}
	return found, &doc.Version, json.Unmarshal(doc.Source, &found)
}

// putLease writes the lease where it is as before says.
func (w *Writer) putLease(ctx context.Context, l lease, before *opensearch.Version) error {
	version, err := w.client.Put(ctx, w.state(), leaseID, l, before)
	if err != nil && opensearch.KindOf(err) != opensearch.Conflict {
		found, held, readErr := w.readLease(ctx)
		if readErr != nil || held == nil || found != l {
			return errors.Join(err, readErr)
		}
		version = *held // the answer alone was lost
	} else if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lease, w.version = l, version
	return nil
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

// keep renews the lease until ctx ends or it is lost.
func (w *Writer) keep(ctx context.Context) {
	defer close(w.kept)
	for w.options.Clock.Sleep(ctx, w.options.Lease/renewals) == nil {
		err := w.hold(ctx)
		if errors.Is(err, ErrLost) {
			w.options.Logger.Error("lost the lease on the store", "reason", err)
			return
		}
		if err != nil && ctx.Err() == nil {
			w.options.Logger.Warn("the lease on the store could not be renewed; it is tried again", "reason", err)
		}
	}
}

// Close lets go of the lease. What was committed and not published stays for the next Begin.
func (w *Writer) Close(ctx context.Context) error {
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
	err := w.putLease(ctx, lease{Fence: mine.Fence}, &version)
	if err != nil && opensearch.KindOf(err) != opensearch.Conflict { // with which it is another's
		return fmt.Errorf("letting go of the lease on the store, which runs out at %s: %w",
			mine.Until.Format(time.RFC3339), err)
	}
	return nil
}
