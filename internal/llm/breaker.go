package llm

import (
	"fmt"
	"sync"
	"time"
)

const (
	// Failed calls in a row, over all topics, that open the breaker: more than one wave of concurrent calls. Before an
	// endpoint's first answer each try counts, since it may not exist.
	failuresToPause = 12
	pauseLength     = 5 * time.Minute
)

// breaker is a circuit breaker: it keeps a run over hundreds of topics from waiting for a dead endpoint call after
// call. After a pause one call may try; if it fails as well, the next pause begins.
type breaker struct {
	maxRetryAfter time.Duration // the longest Retry-After that a call waits for

	mu       sync.Mutex
	answered bool // a call has succeeded
	failed   int
	until    time.Time
	cause    error
}

// check returns an error while the endpoint is left alone.
func (p *breaker) check(now time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()

	if !now.Before(p.until) {
		return nil
	}
	return fmt.Errorf("the endpoint is left alone for another %s: %w", p.until.Sub(now).Round(time.Second), p.cause)
}

// record counts a call. Failures on our side reveal nothing about the endpoint.
func (p *breaker) record(failure *Error, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()

	switch {
	case failure == nil:
		p.answered, p.failed, p.until = true, 0, time.Time{}
		return
	case failure.Kind == Cancelled || failure.Kind == OverBudget || failure.Kind == Paused || failure.Kind == TooLong:
		return // TooLong is the request's failure
	}

	if p.failed++; !p.answered {
		p.failed += max(failure.Tries-1, 0)
	}

	length := time.Duration(0)
	if p.failed >= failuresToPause || failure.Kind.isPermanent() {
		length = pauseLength
	}

	if failure.RetryAfter > p.maxRetryAfter {
		length = failure.RetryAfter // the endpoint has stated when to retry; no topic needs to be refused again until then
	}

	if length > 0 {
		p.failed, p.until, p.cause = failuresToPause, now.Add(length), failure
	}
}
