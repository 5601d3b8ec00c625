package main

import (
	"errors"
	"testing"
	"time"

	"dossier/internal/command"
	"dossier/internal/health"
	"dossier/internal/store"
)

func TestStatusVerdict(t *testing.T) {
	now := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		built  time.Time
		maxAge time.Duration
		tooOld bool
	}{
		"of last night":                     {now.Add(-4 * time.Hour), 36 * time.Hour, false},
		"of last week":                      {now.AddDate(0, 0, -7), 36 * time.Hour, true},
		"of last week, and nobody asks":     {now.AddDate(0, 0, -7), 0, false},
		"built by a clock a year ahead":     {now.AddDate(1, 0, 0), 36 * time.Hour, true},
		"built by a clock that is near":     {now.Add(time.Minute), 36 * time.Hour, false},
		"a clock ahead, and nobody asks it": {now.AddDate(1, 0, 0), 0, false},
	} {
		info := store.Info{Generations: []store.GenerationInfo{{Generation: store.Generation{Number: 3, Built: tc.built},
			Current: true}}}
		err := statusVerdict(statusData{Info: info, now: now}, tc.maxAge, true)
		var exit *command.ExitError
		if got := errors.As(err, &exit) && exit.Code == command.ExitTooOld; got != tc.tooOld {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestASourceThatIsDeadIsTold: although the run publishes what the others give.
func TestASourceThatIsDeadIsTold(t *testing.T) {
	now := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
	night := now.Add(-4 * time.Hour)
	generation := store.GenerationInfo{Generation: store.Generation{Number: 3, Built: night}, Current: true}
	st := statusData{now: now, Info: store.Info{Generations: []store.GenerationInfo{generation}},
		health: health.Health{Sources: []health.Source{
			{Name: "europepmc", Asked: night, LastSuccess: night},
			{Name: "pubmed", Asked: night, LastSuccess: night.AddDate(0, 0, -2), Since: night.AddDate(0, 0, -1), InARow: 2,
				Error: "503"},
		}}}
	err := statusVerdict(st, 36*time.Hour, true)
	if command.CodeOf(err) != command.ExitTooOld || err.Error() != "pubmed last answered a topic 2 days ago (503)" {
		t.Errorf("%v", err)
	}
	if err := statusVerdict(st, 36*time.Hour, false); err != nil {
		t.Errorf("with offline: true: %v", err)
	}
	if err := statusVerdict(st, 72*time.Hour, true); err != nil {
		t.Errorf("within three days: %v", err)
	}
}
