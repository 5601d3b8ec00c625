package schedule

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// fakeClock is a clock that moves when somebody sleeps, and ends a loop at its end.
type fakeClock struct {
	now, end time.Time
	stop     context.CancelFunc
	onSleep  func(now time.Time)
}

func (c *fakeClock) Now() time.Time { return c.now }

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	c.pass(d)
	return ctx.Err()
}

func (c *fakeClock) pass(d time.Duration) {
	c.now = c.now.Add(d)
	if c.onSleep != nil {
		c.onSleep(c.now)
	}
	if !c.now.Before(c.end) {
		c.stop()
	}
}

// world is a Loop with all that is around it.
type world struct {
	Loop
	clock  fakeClock
	jobs   []Job
	bad    error // what reading the jobs comes to
	stamp  string
	runs   []string // each "NAME TIME"
	ended  []string // those that were not stopped
	said   []string
	takes  time.Duration // what a run takes
	err    error         // what it comes to
	berlin *time.Location
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{takes: 40 * time.Minute}
	var err error
	if w.berlin, err = Zone("Europe/Berlin"); err != nil {
		t.Fatal(err)
	}
	w.Loop = Loop{
		Clock: &w.clock, File: filepath.Join(t.TempDir(), "schedule.json"), Step: time.Minute,
		Patience: func() time.Duration { return time.Hour }, Do: w.do,
		Read: func() ([]Job, error) { return w.jobs, w.bad }, Stamp: func() string { return w.stamp },
		Jitter: func(time.Time) time.Duration { return 0 },
		Tell:   func(line string) { w.said = append(w.said, line) }, Alive: func(string) {},
	}
	return w
}

// job adds a job, or changes it.
func (w *world) job(t *testing.T, name, line string) {
	t.Helper()
	l, err := Parse(line, w.berlin)
	if err != nil {
		t.Fatal(err)
	}
	w.jobs = slices.DeleteFunc(slices.Clone(w.jobs), func(j Job) bool { return j.Name == name })
	w.jobs = append(w.jobs, Job{Name: name, Line: l})
}

// do is a run.
func (w *world) do(ctx context.Context, jobs []string) error {
	run := strings.Join(jobs, "+") + " " + w.clock.now.In(w.berlin).Format("01-02 15:04 MST")
	w.runs = append(w.runs, run)
	if w.clock.pass(w.takes); ctx.Err() == nil {
		w.ended = append(w.ended, run)
	}
	return w.err
}

// live runs the loop from one moment to another, as one process would.
func (w *world) live(t *testing.T, from, to string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	at := func(s string) time.Time {
		parsed, err := time.ParseInLocation("2006-01-02 15:04", s, w.berlin)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	w.clock.now, w.clock.end, w.clock.stop = at(from), at(to), cancel
	if err := w.Run(ctx); err != nil {
		t.Fatal(err)
	}
}

func (w *world) wants(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(w.runs, want) {
		t.Errorf("runs\n%s\nwant\n%s\nsaid\n%s", strings.Join(w.runs, "\n"), strings.Join(want, "\n"),
			strings.Join(w.said, "\n"))
	}
}

func (w *world) tells(t *testing.T, want string) {
	t.Helper()
	if !strings.Contains(strings.Join(w.said, "\n"), want) {
		t.Errorf("said\n%s\nand not %q", strings.Join(w.said, "\n"), want)
	}
}

// TestAMonthOfNights: each nightly run comes exactly once, over the nights on which the clock is put forward and back,
// with a daemon that is started anew every few hours, and with runs that start later than they fall due.
func TestAMonthOfNights(t *testing.T) {
	for _, month := range []struct{ name, from, to string }{
		{"March, with the night of an hour less", "2026-03-01 12:00", "2026-04-01 12:00"},
		{"October, with the night of an hour more", "2026-10-01 12:00", "2026-11-01 12:00"},
	} {
		for _, line := range []string{"30 2 * * *", "0 3 * * *", "CRON_TZ=UTC 30 1 * * *"} {
			for _, restarts := range []bool{false, true} {
				t.Run(month.name+" "+line, func(t *testing.T) {
					w := newWorld(t)
					w.job(t, "lung", line)
					w.Step = 15 * time.Minute
					w.Jitter = func(due time.Time) time.Duration { return time.Duration(due.Day()%7) * time.Minute }
					for from := month.from; from < month.to; {
						at, err := time.ParseInLocation("2006-01-02 15:04", from, w.berlin)
						if err != nil {
							t.Fatal(err)
						}
						to := month.to
						if restarts {
							to = min(at.Add(7*time.Hour+13*time.Minute).Format("2006-01-02 15:04"), month.to)
						}
						w.live(t, from, to)
						if from = w.clock.now.In(w.berlin).Format("2006-01-02 15:04"); to == month.to {
							break
						}
					}
					days := map[string]int{}
					for _, run := range w.ended {
						days[strings.Fields(run)[1]]++
					}
					for day, n := range days {
						if n != 1 {
							t.Errorf("%d runs on %s", n, day)
						}
					}
					if len(days) != 31 {
						t.Errorf("runs on %d days, want 31: %q", len(days), w.runs)
					}
				})
			}
		}
	}
}

func TestRunsDoNotOverlap(t *testing.T) {
	w := newWorld(t)
	w.job(t, "lung", "0 2 * * *")
	w.job(t, "colon", "10 2 * * *")
	w.job(t, "often", "*/30 2-3 * * *") // due with others, it is run with them
	w.takes = 45 * time.Minute
	w.live(t, "2026-11-20 00:00", "2026-11-20 08:00")
	w.wants(t, "lung+often 11-20 02:00 CET", "colon+often 11-20 02:45 CET", "often 11-20 03:30 CET")
	w.tells(t, "colon: was due at 2026-11-20 02:10 CET; it is made up for now")
}

func TestWhatWasMissedIsMadeUpForOnce(t *testing.T) {
	w := newWorld(t)
	w.job(t, "lung", "30 2 * * *")
	w.live(t, "2026-11-17 12:00", "2026-11-18 12:00")
	w.live(t, "2026-11-21 09:00", "2026-11-21 12:00") // the machine was off for three nights
	w.live(t, "2026-11-21 13:00", "2026-11-22 12:00")
	w.wants(t, "lung 11-18 02:30 CET", "lung 11-21 09:00 CET", "lung 11-22 02:30 CET")
	w.tells(t, "lung: was due at 2026-11-19 02:30 CET, and 2 times since; one run makes up for all")
}

func TestANewJobWaitsForItsTime(t *testing.T) {
	w := newWorld(t)
	w.job(t, "lung", "30 2 * * *")
	w.live(t, "2026-11-20 03:00", "2026-11-20 23:00")
	w.wants(t)
	w.tells(t, "lung: 30 2 * * *, next at 2026-11-21 02:30 CET")
}

func TestChangedFilesAreTakenUp(t *testing.T) {
	w := newWorld(t)
	w.job(t, "lung", "0 2 * * *")
	w.clock.onSleep = func(now time.Time) {
		switch now.In(w.berlin).Format("02 15:04") {
		case "20 12:00": // somebody writes a file that can't be read
			w.bad, w.stamp = errors.New("lung.yaml:3: unknown key"), "a"
		case "21 12:00":
			w.bad, w.stamp = nil, "b"
			w.job(t, "lung", "0 4 * * *")
			w.job(t, "colon", "0 1 * * *")
		case "22 12:00":
			w.stamp, w.jobs = "c", w.jobs[1:]
		}
	}
	w.live(t, "2026-11-20 06:00", "2026-11-24 00:00")
	w.wants(t, "lung 11-21 02:00 CET", "colon 11-22 01:00 CET", "lung 11-22 04:00 CET", "colon 11-23 01:00 CET")
	w.tells(t, "the changed files can't be used, and those of before go on: lung.yaml:3: unknown key")
	if n := strings.Count(strings.Join(w.said, "\n"), "can't be used"); n != 1 {
		t.Errorf("told %d times", n)
	}
}

func TestALockThatIsHeldIsWaitedFor(t *testing.T) {
	busy := errors.New("the store is locked by indexer import-pubmed")
	for _, tc := range []struct {
		name string
		free string // when the other writer ends
		want string
		runs int
	}{
		{"it comes free", "02:20", "lung: done; next lung at ", 42},
		{"it does not", "09:00", "lung: not run, after 1h0m0s of waiting: the store is locked by indexer import-pubmed", 121},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			w.job(t, "lung", "0 2 * * *")
			w.Busy = func(err error) bool { return errors.Is(err, busy) }
			w.takes, w.err = 0, busy
			w.clock.onSleep = func(now time.Time) {
				if now.In(w.berlin).Format("15:04") >= tc.free {
					w.err = nil
				}
			}
			w.live(t, "2026-11-20 01:00", "2026-11-20 08:00")
			w.tells(t, "lung: waits, for 1h0m0s at most: the store is locked by indexer import-pubmed")
			w.tells(t, tc.want)
			if len(w.runs) != tc.runs-1 && len(w.runs) != tc.runs {
				t.Errorf("tried %d times, want about %d", len(w.runs), tc.runs)
			}
		})
	}
}

func TestAStopWithinARunIsMadeUpFor(t *testing.T) {
	w := newWorld(t)
	w.job(t, "lung", "30 2 * * *")
	w.live(t, "2026-11-20 00:00", "2026-11-20 02:50") // the run takes until ten past three
	w.tells(t, "lung: stopped; what it had committed is kept, and the next start goes on from there")
	w.live(t, "2026-11-20 03:20", "2026-11-20 12:00")
	w.wants(t, "lung 11-20 02:30 CET", "lung 11-20 03:20 CET")
	w.tells(t, "lung: was due at 2026-11-20 02:30 CET; it is made up for now") // and not that it was killed
}

func TestARunThatIsKilledIsMadeUpForAFewTimes(t *testing.T) {
	w := newWorld(t)
	w.job(t, "lung", "30 2 * * *")
	kill := errors.New("killed")
	w.Do = func(ctx context.Context, jobs []string) error { _ = w.do(ctx, jobs); panic(kill) }
	w.takes = time.Minute
	for _, hour := range []string{"02:00", "03:00", "04:00", "05:00", "06:00"} {
		func() {
			defer func() {
				if r := recover(); r != nil && r != kill {
					panic(r)
				}
			}()
			w.live(t, "2026-11-20 "+hour, "2026-11-20 "+hour[:3]+"45")
		}()
	}
	w.wants(t, "lung 11-20 02:30 CET", "lung 11-20 03:00 CET", "lung 11-20 04:00 CET")
	w.tells(t, "lung: was due at 2026-11-20 02:30 CET, and its run was killed; it is made up for now")
	w.tells(t, "was killed 3 times and is given up; next at 2026-11-21 02:30 CET")
}

func TestAClockThatIsPutBack(t *testing.T) {
	w := newWorld(t)
	w.job(t, "lung", "30 2 * * *")
	w.live(t, "2030-01-01 00:00", "2030-01-02 00:00")
	w.live(t, "2026-11-20 00:00", "2026-11-21 00:00")
	w.wants(t, "lung 01-01 02:30 CET", "lung 11-20 02:30 CET")
	w.tells(t, "ahead of this machine's clock, which was put back")
}

func TestAFileThatCannotBeBelieved(t *testing.T) {
	for _, tc := range []struct {
		name, content, told string
		runs                []string
	}{
		{"cut", `{"lung": 1`, "what fell due meanwhile is not made up for", []string{"lung 11-20 02:30 CET"}},
		{"nothing", "null", "it holds nothing; what fell due meanwhile is not made up for", []string{"lung 11-20 02:30 CET"}},
		{"of another schedule", `{"lung": {"line": "0 1 * * *", "done": "2026-11-01T00:00:00Z"}}`,
			"next at 2026-11-20 02:30 CET", []string{"lung 11-20 02:30 CET"}},
		{"of the beginning of time", `{"lung": {"line": "30 2 * * *", "done": "0001-01-01T00:00:00Z"}}`,
			"one run makes up for all",
			[]string{"lung 11-20 00:00 CET", "lung 11-20 02:30 CET"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			w.job(t, "lung", "30 2 * * *")
			if err := os.WriteFile(w.File, []byte(tc.content), 0o600); err != nil {
				t.Fatal(err)
			}
			w.live(t, "2026-11-20 00:00", "2026-11-20 12:00")
			w.wants(t, tc.runs...)
			w.tells(t, tc.told)
		})
	}
}

func FuzzDecodeState(f *testing.F) {
	f.Add(
		[]byte(
			`{"lung": {"line": "30 2 * * *", "done": "2026-11-20T02:30:00Z", "begun": "2026-11-20T02:30:00Z", "tries": 1}}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if s, err := decodeState(content); err == nil {
			s["lung"] = entry{} // what was read can be written to
		}
	})
}

func TestTheFirstReadMustSucceed(t *testing.T) {
	w := newWorld(t)
	w.bad = errors.New("no such folder")
	if err := w.Run(t.Context()); !errors.Is(err, w.bad) {
		t.Errorf("error %v", err)
	}
}
