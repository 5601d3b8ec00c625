package llm

import (
	"context"
	"fmt"
	"sync"

	"dossier/internal/evidence"
)

// How many replies of no use in a row end a run's asking: few while no reply was ever of use, more than one wave of
// calls at once where some were.
const (
	fewUseless  = 4
	manyUseless = 12
)

// mostRoom bounds how often the room for a reply is doubled after replies that were cut.
const mostRoom = 8

// lessons are what a judge learns of its model while it works. They hold for a run, over all topics: what one topic has
// paid to find out is not found out again by the next.
type lessons struct {
	first chan struct{} // held by the one call under way while no reply was of use yet

	mu      sync.Mutex
	open    bool           // calls go out freely
	proven  bool           // a reply was of use
	scale   string         // how scores were of another scale; each further call says the scale again
	room    int            // by how much more than usual a reply may take
	useless int            // replies of no use, in a row
	cost    evidence.Usage // of those
	stopped *Error         // nothing more is asked

	failed, worked [sizes]int // calls about batches of a size, and what was larger or smaller
}

// sizes are the sizes of a batch that are told apart: whole, half, a quarter, and so on.
const sizes = 5

// enoughFailed is how many calls about batches of a size must have failed before it is given up.
const enoughFailed = 2

// tally notes how a call about n records went, of which judged were. What a server does not manage it manages no more
// of, and of what it manages less as well. again says that the records were asked about before: then they may be at
// fault.
func (l *lessons) tally(batch, n, judged int, failure *Error, again bool) {
	size := 0
	for size < sizes-1 && n <= batch>>(size+1) {
		size++
	}
	l.mu.Lock()
	defer l.mu.Unlock()

	switch {
	case failure == nil && 2*judged >= n:
		for i := size; i < sizes; i++ {
			l.worked[i]++
		}
	case !again && (failure == nil || failure.Kind.tooMuch()):
		for i := range size + 1 {
			l.failed[i]++
		}
	}
}

// manages is the largest batch that the server manages, as far as is known.
func (l *lessons) manages(batch int) int {
	l.mu.Lock()
	defer l.mu.Unlock()

	for i := range sizes {
		if l.failed[i] < enoughFailed || l.worked[i] >= l.failed[i] {
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

// admit lets a call go out. Until a reply was of use it lets out one at a time, so that a model that cannot do the work
// costs a few calls and not a wave of them. release is called when the call's outcome has been noted.
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

// now is what the next call has to heed: the scale's failing, empty where there was none, and the factor for the room.
func (l *lessons) now() (scale string, room int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.scale, l.room
}

// note learns from a call. A nil failure is a reply of use. again says that the call was about records that an earlier
// reply left out: what a model that was of use can't say of those tells nothing about the others. The error is what
// ends all asking.
func (l *lessons) note(failure *Error, scale string, again bool) *Error {
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
		return nil // says nothing about the replies
	case failure.Kind == TimedOut:
		l.open = true // a slow model is not waited for call by call
		return nil
	case failure.Kind.outage() && failure.Kind != BadRequest:
		return nil // has a bound of its own, the pause; a server that is down is found out one call at a time
	}

	if failure.Kind == Cut {
		l.roomier()
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

// grow gives further replies more room, after one of use that was cut.
func (l *lessons) grow() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.roomier()
}

// roomier is for who holds mu.
func (l *lessons) roomier() { l.room = min(2*l.room, mostRoom) }
