package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/fetch"
	"dossier/internal/files"
	"dossier/internal/jobs"
	"dossier/internal/schedule"
	"dossier/internal/store"
	"dossier/internal/text"
)

// The daemon's files in the data directory: what it has run, and its own lock.
const (
	scheduleName     = "schedule.json"
	scheduleLockName = "schedule.lock"
)

// daemonStep is how long the daemon sleeps at most, and so how soon it notices a changed file.
const daemonStep = time.Minute

func newDaemon(s command.Streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "daemon",
		Short: "Run each topic file whenever its schedule says so",
		Long: `daemon runs the topics of each file that has a ` + "`schedule:`" + ` when it falls due, as ` +
			"`indexer run --jobs FILE`" + `
does; files that fall due together are one run, and there is one run at a time. A schedule is a cron line (minute, hour, day, month,
weekday) in the time of schedule.timezone, or of its own zone: "CRON_TZ=Europe/Berlin 30 2 * * *". A time that daylight saving leaves
out falls due when the clock is put forward, and one that comes twice, the first time. What fell due while another run was under way,
or while the machine was off, is run once.

Changed topic files, and a changed configuration, are taken up within a minute; where they have a mistake it is told, and those of
before go on. A terminating signal ends the run under way with what is there: the next start goes on from it. Under systemd it says
when it is ready, what it does, and that it is alive.

` + command.ExitHelp(command.ExitLocked),
		Example: `  indexer daemon --data /srv/dossier/data --jobs /srv/dossier/jobs
  DOSSIER_SCHEDULE_TIMEZONE=Europe/Berlin indexer daemon`,
		Args: cobra.NoArgs,
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, _ []string) error {
			d := &daemon{cmd: cmd, streams: s, manager: newNotifier(s.Environ), format: format, app: app}
			return d.run(cmd.Context())
		}),
	}
	cmd.Flags().String("jobs", "jobs", "topic file, or folder of topic files")
	command.FormatFlag(cmd, &format, "what is printed at the end of each run: ", "table", "json")
	return cmd
}

// daemon wires schedules to runs.
type daemon struct {
	cmd     *cobra.Command
	streams command.Streams
	manager notifier
	format  string
	app     *command.App // as it was last read
	files   []jobs.File  // of the same
}

func (d *daemon) run(ctx context.Context) (err error) {
	data := d.app.Config.Data
	if err := files.MakeFolders(data, 0o750); err != nil {
		return fmt.Errorf("making the data directory: %w", err)
	}
	lock := flock.New(filepath.Join(data, scheduleLockName), flock.SetFlag(os.O_CREATE|os.O_RDWR|files.NoFollow),
		flock.SetPermissions(0o600)) // any user who can open a file can lock it
	alone, err := lock.TryLock()
	if err != nil {
		return fmt.Errorf("taking the daemon's lock: %w; check --data and the permissions", err)
	}

	if !alone {
		return command.Exitf(command.ExitLocked, "another `indexer daemon` runs the topics of %s", data)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()

	step := daemonStep
	if watchdog := d.manager.Watchdog(); watchdog > 0 {
		step = min(step, watchdog/2) // often enough for the watchdog
	}
	ready := sync.OnceFunc(func() { d.warn(d.manager.Ready()) })

	loop := schedule.Loop{
		Clock: fetch.SystemClock{}, Read: d.read, Stamp: d.stamp, Do: d.runFiles, Jitter: d.jitter, Busy: isLocked,
		Patience: func() time.Duration { return d.app.Config.Schedule.LockWait.Std() },
		File:     filepath.Join(data, scheduleName), Tell: d.logLine, Step: step,
		Alive: func(status string) {
			ready() // faults of the files were reported before
			d.warn(d.manager.Alive(status))
		},
	}
	if err := loop.Run(ctx); err != nil {
		return err
	}
	d.logLine("stopped")
	d.warn(d.manager.Stopping())
	return nil
}

// read reads the configuration and the topic files, and creates a job for each file with a schedule.
func (d *daemon) read() ([]schedule.Job, error) {
	app, err := command.Load(d.cmd, d.streams)
	if err != nil {
		return nil, err
	}

	if now, before := app.Config.Data, d.app.Config.Data; now != before {
		return nil, command.Usagef("the data directory is another, %s in place of %s: start the daemon again", now, before)
	}

	if err := checkRun(app); err != nil {
		return nil, err
	}

	files, err := app.ReadTopics()
	if err != nil {
		return nil, err
	}

	var scheduled []schedule.Job
	for _, file := range files {
		name := filepath.Base(file.Path)
		if file.Schedule.IsZero() {
			d.logLine(name + ": has no schedule, and is left to `indexer run`")
			continue
		}
		scheduled = append(scheduled, schedule.Job{Name: name, Line: file.Schedule})
	}

	if len(scheduled) == 0 {
		return nil, command.Usagef("no topic file in %s has a schedule; add a line such as\nschedule: \"30 2 * * *\"",
			app.Config.Jobs)
	}
	d.app, d.files = app, files
	return scheduled, nil
}

// runFiles runs the topics of the named files, with an App of its own, because a run has its own model budget. Files
// that are due together are one run, so that the services are queried once about the store's papers, and a night makes
// one generation to go back to.
func (d *daemon) runFiles(_ context.Context, names []string) error {
	due := slices.DeleteFunc(slices.Clone(d.files), func(f jobs.File) bool {
		return !slices.Contains(names, filepath.Base(f.Path))
	})
	app := *d.app
	ended := make(chan struct{})

	var watched sync.WaitGroup
	if watchdog := d.manager.Watchdog(); watchdog > 0 {
		watched.Go(func() {
			for {
				select {
				case <-ended:
					return
				case <-time.After(watchdog / 2):
					d.warn(d.manager.StillAlive())
				}
			}
		})
	}
	err := runTopics(d.cmd, &app, jobs.Topics(due), runOptions{format: d.format, inFiles: topicIDs(d.files)})
	close(ended)
	watched.Wait()
	debug.FreeOSMemory() // until the next night nothing needs it
	return err
}

func isLocked(err error) bool { return errors.As(err, new(*store.LockedError)) }

// jitter spreads runs by machine and night, always by the same amount. Files that are due together stay together.
func (d *daemon) jitter(due time.Time) time.Duration {
	most := d.app.Config.Schedule.Jitter.Std()
	if most <= 0 {
		return 0
	}
	host, _ := os.Hostname() // without one, machines share their jitter
	sum := fnv.New64a()
	fmt.Fprintf(sum, "%s\x00%d", host, due.Unix())
	return time.Duration(sum.Sum64() % uint64(most))
}

// stamp identifies the state of all files that read reads: their names, sizes and times.
func (d *daemon) stamp() string {
	c := d.app.Config

	paths := append([]string{c.File, "config.yaml", command.PolicyFile, c.Jobs}, c.Lexicon.Files...)
	if entries, err := os.ReadDir(c.Jobs); err == nil {
		for _, e := range entries {
			paths = append(paths, filepath.Join(c.Jobs, e.Name()))
		}
	}

	var b strings.Builder
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", path, err)
			continue
		}
		fmt.Fprintf(&b, "%s: %d %d\n", path, info.Size(), info.ModTime().UnixNano())
	}
	return b.String()
}

func (d *daemon) logLine(line string) {
	fmt.Fprintf(d.streams.Err, "%s daemon: %s\n", time.Now().Format("2006-01-02 15:04:05"), text.Lines(line, "\n  "))
}

// warn reports what does not stop the daemon.
func (d *daemon) warn(err error) {
	if err != nil {
		d.app.Log.Warn(err.Error())
	}
}
