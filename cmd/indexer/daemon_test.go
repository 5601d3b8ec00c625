package main

import (
	"testing"
	"time"

	"dossier/internal/command"
	"dossier/internal/config"
)

// TestJitterIsTheSameForTheSameNight: a daemon that is started anew must not run a night twice, nor all nights at once.
func TestJitterIsTheSameForTheSameNight(t *testing.T) {
	const most = 10 * time.Minute
	d := &daemon{app: &command.App{Config: config.Config{Schedule: config.Schedule{Jitter: config.Duration(most)}}}}
	due := time.Date(2026, 11, 20, 2, 30, 0, 0, time.UTC)
	seen := map[time.Duration]bool{}
	for night := range 50 {
		at := due.AddDate(0, 0, night)
		one := d.jitter(at)
		if one < 0 || one >= most || one != d.jitter(at.In(time.FixedZone("elsewhere", 3600))) {
			t.Errorf("night %d: %s, then %s", night, one, d.jitter(at.In(time.FixedZone("elsewhere", 3600))))
		}
		seen[one.Truncate(time.Minute)] = true
	}
	if len(seen) < 8 {
		t.Errorf("50 nights are spread over %d minutes of ten", len(seen))
	}
	d.app.Config.Schedule.Jitter = 0
	if j := d.jitter(due); j != 0 {
		t.Errorf("without jitter: %s", j)
	}
}
