package evidence

import (
	"testing"
	"time"
)

// A store that was built by a clock that is ahead is of no known age, and passes for young nowhere.
func TestAges(t *testing.T) {
	const day = 24 * time.Hour
	for _, tc := range []struct {
		age    time.Duration
		says   string
		tooOld bool // for a day
	}{
		{0, "less than a minute old", false},
		{23 * time.Hour, "23 hours old", false},
		{25 * time.Hour, "25 hours old", true},
		{-ClockTolerance, "less than a minute old", false},
		{-6 * time.Minute, "dated 6 minutes ahead of this machine's clock", true},
		{-365 * day, "dated 365 days ahead of this machine's clock", true},
	} {
		if got := Old(tc.age); got != tc.says || TooOld(tc.age, day) != tc.tooOld {
			t.Errorf("%s: %q, too old: %v", tc.age, got, TooOld(tc.age, day))
		}
	}
}
