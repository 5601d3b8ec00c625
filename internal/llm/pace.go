package llm

import (
	"context"
	"time"

	"golang.org/x/time/rate"

	"dossier/internal/fetch"
)

// Pace is an account's rate limit per minute, over all of its models. It is safe for concurrent use.
type Pace struct {
	requests, tokens *rate.Limiter // nil: no limit
}

// NewPace limits requests and tokens per minute; 0 means no limit. The minute's limit is spread evenly, since endpoints
// count in windows that they do not publish.
func NewPace(requests, tokens int) *Pace {
	return &Pace{requests: perMinute(requests, 1), tokens: perMinute(tokens, tokens)}
}

func perMinute(n, burst int) *rate.Limiter {
	if n <= 0 {
		return nil
	}
	return rate.NewLimiter(rate.Limit(float64(n)/60), burst)
}

// wait returns when a call of so many tokens may be sent. A call above the minute's limit takes a whole minute's. The
// error is ctx's.
func (p *Pace) wait(ctx context.Context, clock fetch.Clock, tokens int) error {
	if p == nil {
		return nil
	}
	now := clock.Now()

	delay := max(delayOf(p.requests, now, 1), delayOf(p.tokens, now, tokens))
	if delay == 0 {
		return ctx.Err()
	}
	return clock.Sleep(ctx, delay)
}

func delayOf(l *rate.Limiter, now time.Time, n int) time.Duration {
	if l == nil {
		return 0
	}
	return l.ReserveN(now, min(n, l.Burst())).DelayFrom(now)
}
