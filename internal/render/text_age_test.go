package render

import (
	"testing"
	"time"

	"dossier/internal/evidence"
)

// A store that was built by a clock that is ahead is of no known age, and passes for young nowhere.
func TestPath(t *testing.T) {
	for path, want := range map[string]string{
		"data/a b.ris": "data/a b.ris", "größe.ris": "größe.ris", "a\x1b[31m.ris": `"a\x1b[31m.ris"`,
		"a\nb": `"a\nb"`, "a\u202eb": `"a\u202eb"`, "a  b": `"a  b"`, "\xff": `"\xff"`,
	} {
		if got := Path(path); got != want {
			t.Errorf("Path(%q) = %s, want %s", path, got, want)
		}
	}
}

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
		{-evidence.ClockTolerance, "less than a minute old", false},
		{-6 * time.Minute, "dated 6 minutes ahead of this machine's clock", true},
		{-365 * day, "dated 365 days ahead of this machine's clock", true},
	} {
		if got := evidence.Old(tc.age); got != tc.says || evidence.TooOld(tc.age, day) != tc.tooOld {
			t.Errorf("%s: %q, too old: %v", tc.age, got, evidence.TooOld(tc.age, day))
		}
	}
}
