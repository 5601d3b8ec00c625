package llm

import (
	"fmt"
	"sync"
	"time"
)

const (
	// Failed calls in a row, over all topics, that begin a pause: more than one wave of calls at once. Of an endpoint that
	// has not answered yet each try counts, for it may not be there at all.
	failuresToPause = 12
	pauseLength     = 5 * time.Minute
)

// pause keeps a run over hundreds of topics from waiting for an endpoint that is down, call after call. After a pause
// one call may try; if it fails as well, the next pause begins.
type pause struct {
	patience time.Duration // the longest Retry-After that a call waits for

	mu       sync.Mutex
	answered bool // a call has succeeded
	failed   int
	until    time.Time
	cause    error
}

// check gives an error while the endpoint is left alone.
func (p *pause) check(now time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()

	if !now.Before(p.until) {
		return nil
	}
	return fmt.Errorf("the endpoint is left alone for another %s: %w", p.until.Sub(now).Round(time.Second), p.cause)
}

// note counts a call. What ended on our side says nothing about the endpoint.
func (p *pause) note(failure *Error, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()

	switch {
	case failure == nil:
		p.answered, p.failed, p.until = true, 0, time.Time{}
		return
	case failure.Kind == Cancelled || failure.Kind == OverBudget || failure.Kind == Paused || failure.Kind == TooLong:
		return // TooLong is the request's fault
	}

	if p.failed++; !p.answered {
		p.failed += max(failure.Tries-1, 0)
	}

	length := time.Duration(0)
	if p.failed >= failuresToPause || failure.Kind.lasting() {
		length = pauseLength
	}

	if failure.RetryAfter > p.patience {
		length = failure.RetryAfter // it has said when it may be asked again; until then no topic needs to hear it once more
	}

	if length > 0 {
		p.failed, p.until, p.cause = failuresToPause, now.Add(length), failure
	}
}
