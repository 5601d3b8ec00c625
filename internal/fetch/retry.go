package fetch

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const maxBackoff = 20 * time.Second

// Retry is how often, and for how long, what failed is sent again. The zero value of each field stands for the default
// named.
type Retry struct {
	Tries         int           // how often a request is sent at most; 4
	MaxElapsed    time.Duration // no new try is begun later than this after the first; 2 minutes
	MaxRetryAfter time.Duration // the longest Retry-After that is waited for; 30 seconds
	FirstBackoff  time.Duration // before the second try, doubled for each further one; 500 ms
	Steady        bool          // no random spread of the waits, for tests
}

// WithDefaults fills the fields that are zero.
func (r Retry) WithDefaults() Retry {
	r.Tries = cmp.Or(r.Tries, 4)
	r.MaxElapsed = cmp.Or(r.MaxElapsed, 2*time.Minute)
	r.MaxRetryAfter = cmp.Or(r.MaxRetryAfter, 30*time.Second)
	r.FirstBackoff = cmp.Or(r.FirstBackoff, 500*time.Millisecond)
	return r
}

// Run calls send, with the number of the try, until it wants no further try or none is left; it ends early where
// waiting would exceed the maximum or the caller's deadline. It waits at least as long as send requests (a
// Retry-After). onWait is called for each wait. The error is that of a context which ended during a wait; send must
// store the result of the last try.
func (r Retry) Run(
	ctx context.Context, clock Clock, send func(try int) (again bool, after time.Duration),
	onWait func(try int, wait time.Duration),
) error {
	delays := backoff.NewExponentialBackOff()

	delays.InitialInterval, delays.Multiplier, delays.MaxInterval = r.FirstBackoff, 2, maxBackoff
	if r.Steady {
		delays.RandomizationFactor = 0
	}

	started := clock.Now()
	for try := 1; ; try++ {
		again, after := send(try)
		if !again || try >= r.Tries {
			return nil
		}
		wait := max(delays.NextBackOff(), after)
		next := clock.Now().Add(wait)

		deadline, bounded := ctx.Deadline()
		if next.Sub(started) > r.MaxElapsed || bounded && next.After(deadline) {
			return nil
		}
		onWait(try, wait)

		if err := clock.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// maxRetryAfter bounds what a header can make anyone compute with.
const maxRetryAfter = 366 * 24 * time.Hour

// RetryAfter reads a Retry-After header: seconds, or a date. 0 stands for none, a past one, or one that makes no sense.
func RetryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseFloat(header, 64); err == nil {
		if !(seconds > 0) {
			return 0
		}
		return time.Duration(min(seconds, maxRetryAfter.Seconds()) * float64(time.Second))
	}

	if at, err := http.ParseTime(header); err == nil && at.After(now) {
		return min(at.Sub(now), maxRetryAfter)
	}
	return 0
}
