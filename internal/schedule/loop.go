package schedule

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"
)

// Clock is time as a Loop sees it; tests bring one that does not pass by itself.
type Clock interface {
	Now() time.Time
	// Sleep returns after d, or with the context's error as soon as ctx ends.
	Sleep(ctx context.Context, d time.Duration) error
}

// Job is something that runs when its line falls due.
type Job struct {
	Name string // unique; what was run is remembered under it
	Line Line
}

// Loop runs jobs, one run at a time. All of its fields but Busy must be set.
type Loop struct {
	Clock Clock
	// Read gives the jobs as they are now. Where it fails, those of before go on.
	Read func() ([]Job, error)
	// Stamp changes when what Read reads does.
	Stamp func() string
	// Do runs the jobs of these names together: those that are due at once are one run.
	Do func(ctx context.Context, jobs []string) error
	// Jitter is by how much what falls due then runs later, always the same for the same time.
	Jitter func(due time.Time) time.Duration
	// Busy says of a run's error that somebody else is at work, and that it may be tried again. Nil: none is.
	Busy     func(error) bool
	Patience func() time.Duration // how long somebody else's work is waited for
	File     string               // remembers what was run
	Tell     func(line string)
	Alive    func(status string) // called at every step, at least every Step
	// Step is how long it sleeps at most: how soon a changed file, or a clock that was set, is noticed.
	Step time.Duration
}

const (
	busyStep  = 30 * time.Second
	minGap    = time.Second     // between two runs, whose names are their seconds
	late      = 5 * time.Minute // from where on a run is told to be late
	maxTries  = 3               // runs of one due time that were killed
	clockBack = time.Hour       // by how much what was run may lie ahead of a clock that was not put back
	maxCount  = 100_000         // of due times that were missed
)

// under is a Loop under way.
type under struct {
	*Loop
	state state
	jobs  []Job
	stamp string
}

// Run runs jobs until ctx ends, which is no error: a run that is under way then is ended by its ctx. What fell due
// while the Loop did not run, or while another job did, is run once. The error is that of the first Read.
func (l *Loop) Run(ctx context.Context) error {
	u := &under{Loop: l, stamp: l.Stamp()}

	var err error
	if u.jobs, err = l.Read(); err != nil {
		return err
	}

	if u.state, err = readState(u.File); err != nil {
		u.Tell(err.Error()) // what can't be read is taken for never run
	}

	for ctx.Err() == nil {
		u.reread()
		u.adopt()
		now := l.Clock.Now()
		next, at := u.next()

		wait := l.Step
		if next == nil {
			l.Alive("waiting; no topic file has a schedule")
		} else {
			l.Alive(fmt.Sprintf("waiting; next %s at %s", next.Name, told(at)))

			if wait = min(wait, at.Sub(now)); wait <= 0 {
				u.run(ctx, now)
				wait = minGap
			}
		}
		_ = l.Clock.Sleep(ctx, wait) // it fails where ctx has ended, which ends the loop
	}
	return nil
}

// reread takes up changed jobs.
func (u *under) reread() {
	stamp := u.Stamp()
	if stamp == u.stamp {
		return
	}
	u.stamp = stamp

	jobs, err := u.Read()
	if err != nil {
		u.Tell("the changed files can't be used, and those of before go on: " + err.Error())
		return
	}
	u.jobs = jobs
	u.Tell("the changed files are read")
}

// adopt begins to count for jobs that are new, or whose line has changed: nothing of what they say was missed before.
// So it does where the clock was put back.
func (u *under) adopt() {
	now, changed := u.Clock.Now(), false
	for _, job := range u.jobs {
		known, ok := u.state[job.Name]
		switch {
		case !ok:
			u.state[job.Name] = entry{Line: job.Line.String(), Done: now}
		case known.Line != job.Line.String():
			u.state[job.Name] = entry{Line: job.Line.String(), Done: now}
		case known.Done.After(now.Add(clockBack)):
			u.Tell(fmt.Sprintf("%s: it was run at %s, ahead of this machine's clock, which was put back; counted from now",
				job.Name, told(known.Done)))
			u.state[job.Name] = entry{Line: known.Line, Done: now}
		default:
			continue
		}
		changed = true
		u.Tell(fmt.Sprintf("%s: %s, next at %s", job.Name, job.Line, told(job.Line.Next(now))))
	}

	if changed {
		u.remember()
	}
}

// told is how a moment is told.
func told(at time.Time) string { return at.Format("2006-01-02 15:04 MST") }

// next is the job that runs first, and when; of several, the first in the jobs' order.
func (u *under) next() (job *Job, at time.Time) {
	for i := range u.jobs {
		due := u.jobs[i].Line.Next(u.state[u.jobs[i].Name].Done)
		if due.IsZero() {
			continue
		}

		due = due.Add(u.Jitter(due))
		if job == nil || due.Before(at) {
			job, at = &u.jobs[i], due
		}
	}
	return job, at
}

// batch is what is run together.
type batch struct {
	names  []string
	before map[string]entry // what was known of each
	after  map[string]entry // what is known of each once it has run
}

// run runs all that is to run by now, for all that fell due until then.
func (u *under) run(ctx context.Context, now time.Time) {
	b := u.take(now)
	if len(b.names) == 0 {
		return
	}
	names := strings.Join(b.names, ", ")
	u.Alive("running " + names)

	err := u.patiently(ctx, b.names)
	if ctx.Err() != nil {
		maps.Copy(u.state, b.before) // a stop that was asked for is no failure of the run: it is made up for
		u.remember()
		u.Tell(names + ": stopped; what it had committed is kept, and the next start goes on from there")
		return
	}
	maps.Copy(u.state, b.after)
	u.remember()

	how := "done"
	if err != nil {
		how = err.Error()
	}
	next, at := u.next()
	u.Tell(fmt.Sprintf("%s: %s; next %s at %s", names, how, next.Name, told(at)))
}

// take marks all that is to run by now as begun, and tells what of it is late. What was killed too often is given up.
func (u *under) take(now time.Time) batch {
	b := batch{before: map[string]entry{}, after: map[string]entry{}}
	for _, job := range u.jobs {
		known := u.state[job.Name]

		first := job.Line.Next(known.Done)
		if first.IsZero() || first.Add(u.Jitter(first)).After(now) {
			continue
		}

		last, times := first, 1
		for times < maxCount {
			due := job.Line.Next(last)
			if due.IsZero() || due.After(now) {
				break
			}
			last, times = due, times+1
		}

		if times == maxCount {
			last = now
		}

		done := entry{Line: known.Line, Done: last}
		if known.Tries >= maxTries {
			u.Tell(fmt.Sprintf("%s: its run of %s was killed %d times and is given up; next at %s", job.Name, told(first),
				known.Tries, told(job.Line.Next(last))))
			u.state[job.Name] = done
			continue
		}

		if now.Sub(first.Add(u.Jitter(first))) >= late || times > 1 || known.Tries > 0 {
			u.Tell(lateness(job.Name, first, times, known.Tries))
		}
		b.names = append(b.names, job.Name)
		b.before[job.Name], b.after[job.Name] = known, done
		u.state[job.Name] = entry{Line: known.Line, Done: known.Done, Begun: now, Tries: known.Tries + 1}
	}
	u.remember()
	return b
}

func lateness(job string, first time.Time, times, tries int) string {
	line := fmt.Sprintf("%s: was due at %s", job, told(first))
	if tries > 0 {
		line += ", and its run was killed"
	}

	if times > 1 {
		line += fmt.Sprintf(", and %d times since; one run makes up for all", times-1)
	} else {
		line += "; it is made up for now"
	}
	return line
}

// patiently runs jobs, again where somebody else is at work, as long as Patience says.
func (u *under) patiently(ctx context.Context, jobs []string) error {
	names, patience := strings.Join(jobs, ", "), u.Patience()

	until, said := u.Clock.Now().Add(patience), false
	for {
		err := u.Do(ctx, jobs)
		if err == nil || u.Busy == nil || !u.Busy(err) {
			return err
		}

		if !u.Clock.Now().Before(until) {
			return fmt.Errorf("not run, after %s of waiting: %w", patience, err)
		}

		if !said {
			u.Tell(fmt.Sprintf("%s: waits, for %s at most: %v", names, patience, err))
			said = true
		}
		u.Alive("waiting for another writer, to run " + names)

		if sleepErr := u.Clock.Sleep(ctx, min(busyStep, u.Step)); sleepErr != nil {
			return errors.Join(sleepErr, err)
		}
	}
}

func (u *under) remember() {
	if err := u.state.write(u.File); err != nil {
		u.Tell(fmt.Sprintf("what was run can't be remembered over a restart: %v", err))
	}
}
