package llm

import (
	"context"
	"fmt"
	"sync"

	"dossier/internal/evidence"
)

// How many unusable replies in a row stop a run: few while no reply was usable yet, later more than one wave of
// concurrent calls.
const (
	fewUseless  = 4
	manyUseless = 12
)

// maxRoom bounds how often the room for a reply is doubled after cut replies.
const maxRoom = 8

// lessons are a judge's adjustments to its model. They hold for a run, over all topics, so that no topic pays for them
// again.
type lessons struct {
	first chan struct{} // held by the single call under way while no reply was usable yet

	mu      sync.Mutex
	open    bool           // calls run concurrently
	proven  bool           // a reply was usable
	scale   string         // how scores were of another scale; each further call repeats the scale
	room    int            // factor of the room for a reply
	useless int            // unusable replies in a row
	cost    evidence.Usage // of these
	stopped *Error         // no further calls are made

	// failed calls about batches of a size or smaller, and successful ones of that size or larger
	failed, worked [sizeClasses]int
}

// sizeClasses is the number of distinguished batch sizes: whole, half, a quarter, and so on.
const sizeClasses = 5

// maxFailedCalls is how many calls about batches of a size must fail before the size is given up.
const maxFailedCalls = 2

// tally records the outcome of a call about n records, of which judged were judged. A server that fails at a size fails
// at larger ones; one that succeeds does so at smaller ones. again means that the records were retried: then they may
// be at fault.
func (l *lessons) tally(batch, n, judged int, failure *Error, again bool) {
	size := 0
	for size < sizeClasses-1 && n <= batch>>(size+1) {
		size++
	}
	l.mu.Lock()
	defer l.mu.Unlock()

	switch {
	case failure == nil && 2*judged >= n:
		for i := size; i < sizeClasses; i++ {
			l.worked[i]++
		}
	case !again && (failure == nil || failure.Kind.isTooMuch()):
		for i := range size + 1 {
			l.failed[i]++
		}
	}
}

// maxBatch is the largest batch that the server handles, as far as known.
func (l *lessons) maxBatch(batch int) int {
	l.mu.Lock()
	defer l.mu.Unlock()

	for i := range sizeClasses {
		if l.failed[i] < maxFailedCalls || l.worked[i] >= l.failed[i] {
			return max(1, batch>>i)
		}
	}
	return 1
}

func (l *lessons) isProven() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.proven
}

// admit admits a call. Until a reply was usable it admits one at a time, so that an unfit model costs a few calls and
// not a wave of them. release must be called when the call's outcome has been recorded.
func (l *lessons) admit(ctx context.Context, fail func(Kind, error) *Error) (release func(), failure *Error) {
	free := func() {}
	if open, stopped := l.state(); open || stopped != nil {
		return free, stopped
	}

	select {
	case l.first <- struct{}{}:
	case <-ctx.Done():
		return free, fail(Cancelled, ctx.Err())
	}

	release = func() { <-l.first }
	if open, stopped := l.state(); open || stopped != nil {
		release()
		return free, stopped
	}
	return release, nil
}

func (l *lessons) state() (open bool, stopped *Error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open, l.stopped
}

// current returns the adjustments for the next call: the scale's failure, empty where there was none, and the factor
// for the room.
func (l *lessons) current() (scale string, room int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.scale, l.room
}

// record learns from a call. A nil failure is a usable reply. again means that the call retried records that an earlier
// reply omitted: a usable model's failure on those reveals nothing about others. The returned error stops all calls.
func (l *lessons) record(failure *Error, scale string, again bool) *Error {
	l.mu.Lock()
	defer l.mu.Unlock()

	if scale != "" {
		l.scale = scale
	}

	switch {
	case failure == nil:
		l.open, l.proven, l.useless, l.cost = true, true, 0, evidence.Usage{}
		return nil
	case failure.Kind == TooLong, failure.Kind == Refusal && l.proven:
		return nil // reveals nothing about the replies
	case failure.Kind == TimedOut:
		l.open = true // a slow model is not awaited call by call
		return nil
	case failure.Kind.isOutage() && failure.Kind != BadRequest:
		return nil // limited by the breaker; one call at a time detects a server that is down
	}

	if failure.Kind == Cut {
		l.growLocked()
	}

	if l.proven && again {
		return nil
	}
	l.useless++

	l.cost = l.cost.Plus(failure.Used)
	if l.useless < fewUseless || l.proven && l.useless < manyUseless {
		return nil
	}

	if l.stopped == nil {
		stopped := *failure
		stopped.Kind, stopped.Because, stopped.Tries, stopped.Used = Useless, failure.Kind, 0, l.cost

		reason := string(failure.Kind)
		if failure.Err != nil {
			reason += fmt.Sprintf(" (%v)", failure.Err)
		}
		stopped.Err = fmt.Errorf(
			"%d replies in a row were of no use, the last one for this: %s; they cost %d calls and %d tokens",
			l.useless, reason, l.cost.Calls, l.cost.Tokens())
		l.stopped = &stopped
	}
	return l.stopped
}

// grow gives further replies more room, after a usable one that was cut.
func (l *lessons) grow() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.growLocked()
}

// growLocked requires mu.
func (l *lessons) growLocked() { l.room = min(2*l.room, maxRoom) }
