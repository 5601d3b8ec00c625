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

	"github.com/gofrs/flock"
	"golang.org/x/time/rate"
)

// limits keeps each service's pace. Within the process a service's callers queue; the one at the head takes the next free slot
// from a file that all processes of the machine share, and waits for it. So a process never holds more than one slot that it
// has not used, and the file never runs far ahead of the clock.
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
	turn    chan struct{} // holds one token: whoever has it is at the head of the queue
	limiter *rate.Limiter
}

// margin stretches the distance between two requests. The services count in windows of their own, and two requests that leave in
// even steps may arrive closer together than they left.
const margin = 1.05

func newLimits(dir string, clock Clock, log *slog.Logger) *limits {
	return &limits{dir: dir, clock: clock, log: log, services: map[string]*pace{}}
}

// wait returns when the service may be called, or when ctx ends.
func (l *limits) wait(ctx context.Context, service string, limit Limit) error {
	if limit.PerSecond <= 0 {
		return ctx.Err()
	}
	step := time.Duration(float64(time.Second) / limit.PerSecond * margin)
	p := l.pace(service)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-p.turn:
	}
	defer func() { p.turn <- struct{}{} }()
	p.limiter.SetLimitAt(l.clock.Now(), rate.Every(step))
	return l.clock.Sleep(ctx, max(l.own(p), l.shared(ctx, service, step)))
}

func (l *limits) pace(service string) *pace {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.services[service]
	if p == nil {
		p = &pace{turn: make(chan struct{}, 1), limiter: rate.NewLimiter(rate.Inf, 1)}
		p.turn <- struct{}{}
		l.services[service] = p
	}
	return p
}

// own is how long this process alone would have to wait. It holds also where the shared state cannot be used.
func (l *limits) own(p *pace) time.Duration {
	now := l.clock.Now()
	return p.limiter.ReserveN(now, 1).DelayFrom(now)
}

// shared takes the machine's next slot and says how far off it is.
func (l *limits) shared(ctx context.Context, service string, step time.Duration) time.Duration {
	if l.dir == "" {
		return 0
	}
	slot, err := l.reserve(ctx, service, step)
	if err != nil {
		if ctx.Err() == nil {
			l.once.Do(func() {
				l.log.Warn("the rate limits are kept for this process only; two programs at once may go over a service's limit", "folder", l.dir, "cause", err)
			})
		}
		return 0
	}
	return slot.Sub(l.clock.Now())
}

// reserve reads the service's next free slot and moves it on by step, under a file lock that is given back before anyone waits.
func (l *limits) reserve(ctx context.Context, service string, step time.Duration) (time.Time, error) {
	if err := os.MkdirAll(l.dir, 0o777); err != nil {
		return time.Time{}, fmt.Errorf("making the folder of the rate limits: %w", err)
	}
	base := filepath.Join(l.dir, fileName(service))
	lock := flock.New(base+".lock", flock.SetPermissions(0o666))
	if err := l.lock(ctx, lock); err != nil {
		return time.Time{}, err
	}
	defer lock.Close()
	now := l.clock.Now()
	slot := nextSlot(readState(base+".slot"), now, step)
	if err := os.WriteFile(base+".slot", state{written: now, next: slot.Add(step)}.encode(), 0o666); err != nil {
		return time.Time{}, fmt.Errorf("writing the state of the rate limit: %w", err)
	}
	return slot, nil
}

// A lock is held for the time of one small read and write; whoever holds it longer is stopped or stuck, and is not waited for.
const (
	lockPoll  = 2 * time.Millisecond
	lockTries = 500
)

func (l *limits) lock(ctx context.Context, lock *flock.Flock) error {
	for range lockTries {
		locked, err := lock.TryLock()
		if err != nil {
			return fmt.Errorf("locking the state of the rate limit: %w", err)
		}
		if locked {
			return nil
		}
		if err := l.clock.Sleep(ctx, lockPoll); err != nil {
			return err
		}
	}
	return fmt.Errorf("the lock %s is held by a process that does not let go of it", lock.Path())
}

// state is what the file holds: when it was written, and the next free slot, in nanoseconds since 1970.
type state struct {
	written, next time.Time
}

func (s state) encode() []byte {
	return fmt.Appendf(nil, "%d %d\n", s.written.UnixNano(), s.next.UnixNano())
}

// readState gives nil for a missing file and the zero state for a damaged one.
func readState(path string) *state {
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil
	}
	var written, next int64
	if n, scanErr := fmt.Sscanf(string(data), "%d %d\n", &written, &next); err != nil || scanErr != nil || n != 2 {
		return &state{}
	}
	return &state{written: time.Unix(0, written), next: time.Unix(0, next)}
}

// maxAhead bounds how far the file may run ahead: one slot a process, at one a second, for more processes than a machine runs.
const maxAhead = 2 * time.Minute

// nextSlot is the first free slot after what s says. A state that was written in the future (the clock was set back), that is
// damaged, or that runs too far ahead, counts as one request made just now.
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

// DefaultLimitDir is the folder that all of a user's programs share: dossier/limits in the user's cache. It is empty where the
// user has none, as a service account may; the limits then hold in each process only.
func DefaultLimitDir() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "dossier", "limits")
}
