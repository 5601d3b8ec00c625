package fetch

import (
	"context"
	"time"
)

// Clock is the clients' clock; tests use one that stands still.
type Clock interface {
	Now() time.Time
	// Sleep returns after d, or with the context's error as soon as ctx ends.
	Sleep(ctx context.Context, d time.Duration) error
}

// SystemClock is the machine's time.
type SystemClock struct{}

// Now is the time.
func (SystemClock) Now() time.Time { return time.Now() }

// Sleep returns after d, or with the context's error as soon as ctx ends.
func (SystemClock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()

	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
