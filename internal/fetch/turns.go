package fetch

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// turns lets the callers of a service through one at a time: the lowest place first, and of several who have the same,
// who came first. The zero value is ready.
type turns struct {
	mu      sync.Mutex
	taken   bool
	waiting []caller // in the order in which they go
}

type caller struct {
	place  int
	called chan struct{} // closed when it is its turn
}

type placeKey struct{}

// InTurn marks ctx: of the requests that wait for a service's limit, those of a lower place go first. The place of a
// ctx without the mark is 0.
func InTurn(ctx context.Context, place int) context.Context {
	return context.WithValue(ctx, placeKey{}, place)
}

// take returns when it is the caller's turn, which give ends, or with an error when ctx ends.
func (t *turns) take(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	if !t.taken {
		t.taken = true
		t.mu.Unlock()
		return nil
	}
	place, _ := ctx.Value(placeKey{}).(int)
	called := make(chan struct{})
	behind, _ := slices.BinarySearchFunc(t.waiting, place+1, func(c caller, p int) int { return cmp.Compare(c.place, p) })
	t.waiting = slices.Insert(t.waiting, behind, caller{place, called})
	t.mu.Unlock()

	select {
	case <-called:
		return nil
	case <-ctx.Done():
		t.leave(called)
		return ctx.Err()
	}
}

// leave takes a caller out of the queue, or, where it has been called in the meantime, passes its turn on.
func (t *turns) leave(called chan struct{}) {
	t.mu.Lock()

	at := slices.IndexFunc(t.waiting, func(c caller) bool { return c.called == called })
	if at >= 0 {
		t.waiting = slices.Delete(t.waiting, at, at+1)
	}
	t.mu.Unlock()

	if at < 0 {
		t.give()
	}
}

// give ends a turn and calls the next.
func (t *turns) give() {
	t.mu.Lock()
	defer t.mu.Unlock()

	if t.taken = len(t.waiting) > 0; t.taken {
		close(t.waiting[0].called)
		t.waiting = slices.Delete(t.waiting, 0, 1)
	}
}
