package main

import (
	"errors"
	"testing"
	"time"

	"dossier/internal/command"
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
		err := statusVerdict(info, now, tc.maxAge)
		var exit *command.ExitError
		if got := errors.As(err, &exit) && exit.Code == command.ExitTooOld; got != tc.tooOld {
			t.Errorf("%s: %v", name, err)
		}
	}
}
