package fetchtest

import (
	"context"
	"sync"
	"time"
)

// Clock is a fetch.Clock that stands still but for Sleep, which returns at once and moves it on. It is safe for use by
// several goroutines.
type Clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

// Start is what a new Clock shows.
func Start() time.Time { return time.Date(2026, 3, 2, 4, 5, 6, 0, time.UTC) }

// NewClock shows Start.
func NewClock() *Clock { return &Clock{now: Start()} }

// Now is what the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Sleep moves the clock on by d, unless ctx has ended.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	return nil
}

// Set sets the clock, as an administrator may.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// Slept lists all waits so far.
func (c *Clock) Slept() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]time.Duration(nil), c.slept...)
}
