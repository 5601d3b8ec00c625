package fetch

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// limits keeps each service's pace. Within the process a service's callers queue; the one at the head takes the next
// free slot from a file that all processes of the machine share, and waits for it. So a process never holds more than
// one slot that it has not used, and the file never runs far ahead of the clock.
type limits struct {
	dir   string
	clock Clock
	log   *slog.Logger
	once  sync.Once // for the one complaint about dir

	mu       sync.Mutex
	services map[string]*pace
}

// pace is one service's limit within this process.
type pace struct {
	turns   turns // whose turn it is, is at the head of the queue
	limiter *rate.Limiter
}

// margin stretches the distance between two requests. The services count in windows of their own, and two requests that
// leave in even steps may arrive closer together than they left.
const margin = 1.05

const (
	// slack is how late a request may leave: what margin leaves over a second. One that leaves later, as under load,
	// stands close to those behind it, and takes another slot.
	slack = 50 * time.Millisecond
	// latest is how many slots a request may miss; a machine so busy sends little anyway.
	latest = 5
	// maxWait applies to the shared state only: a process that books slots far ahead delays no one for longer. The
	// process's own pace still applies.
	maxWait = 10 * time.Second
)

// wait returns when the service may be called, or when ctx ends.
func (l *limits) wait(ctx context.Context, service string, limit Limit) error {
	if limit.PerSecond <= 0 {
		return ctx.Err()
	}
	step := time.Duration(float64(time.Second) / limit.PerSecond * margin)

	p := l.pace(service, step)
	if err := p.turns.take(ctx); err != nil {
		return err
	}
	defer p.turns.give()

	for range latest {
		begun := l.clock.Now()
		// What this process alone would have to wait holds also where the shared state cannot be used.
		own := p.limiter.ReserveN(begun, 1).DelayFrom(begun)

		pause := max(own, l.shared(ctx, service, step))
		if err := l.clock.Sleep(ctx, pause); err != nil {
			return err
		}

		if l.clock.Now().Sub(begun) <= pause+slack {
			break
		}
	}
	// The next request keeps this one's distance, as in the shared state, and not its own to what is behind it.
	p.limiter.SetLimitAt(l.clock.Now(), rate.Every(step))
	return ctx.Err()
}

func (l *limits) pace(service string, step time.Duration) *pace {
	l.mu.Lock()
	defer l.mu.Unlock()

	p := l.services[service]
	if p == nil {
		p = &pace{limiter: rate.NewLimiter(rate.Every(step), 1)}
		l.services[service] = p
	}
	return p
}

// shared takes the machine's next slot and returns the time until then.
func (l *limits) shared(ctx context.Context, service string, step time.Duration) time.Duration {
	if l.dir == "" {
		return 0
	}

	slot, err := l.reserve(ctx, service, step)
	if err != nil {
		if ctx.Err() == nil {
			l.once.Do(func() {
				l.log.Warn("the rate limits are kept for this process only; two programs at once may go over a service's limit",
					"folder", l.dir, "cause", err)
			})
		}
		return 0
	}
	return min(slot.Sub(l.clock.Now()), maxWait)
}

// reserve reads the service's next free slot and moves it on by step.
func (l *limits) reserve(ctx context.Context, service string, step time.Duration) (slot time.Time, err error) {
	file := Shared{Dir: l.dir, Name: fileName(service), Clock: l.clock}
	err = file.Update(ctx, func(old []byte) []byte {
		now := l.clock.Now()
		slot = nextSlot(readState(old), now, step)
		return fmt.Appendf(nil, "%d %d\n", now.UnixNano(), slot.Add(step).UnixNano())
	})
	return slot, err
}

// state is what the file holds: when it was written, and the next free slot, in nanoseconds since 1970.
type state struct {
	written, next time.Time
}

// readState gives nil where there was no file, and the zero state for a damaged one.
func readState(text []byte) *state {
	if text == nil {
		return nil
	}

	var written, next int64
	if n, err := fmt.Sscanf(string(text), "%d %d\n", &written, &next); err != nil || n != 2 {
		return &state{}
	}
	return &state{written: time.Unix(0, written), next: time.Unix(0, next)}
}

// maxAhead bounds how far the file may run ahead: one slot a process, at one a second, for more processes than a
// machine runs.
const maxAhead = 2 * time.Minute

// nextSlot is the first free slot after s. A state from the future (the clock was set back), a damaged one, or one too
// far ahead counts as one request made just now.
func nextSlot(s *state, now time.Time, step time.Duration) time.Time {
	switch {
	case s == nil:
		return now
	case s.written.IsZero(), s.written.After(now), s.next.Sub(now) > maxAhead:
		return now.Add(step)
	case s.next.After(now):
		return s.next
	}
	return now
}

// fileName keeps a service's name from reaching out of the folder.
func fileName(service string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, strings.ToLower(service))
}

// DefaultLimitDir is the folder that all of a user's programs share: dossier/limits in the user's cache. It is empty
// where the user has none, as a service account may; the limits then hold in each process only.
func DefaultLimitDir() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "dossier", "limits")
}
