package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"time"

	"dossier/internal/text"
)

// leastOfTail is how many runs a 99th percentile is told of at least.
const leastOfTail = 100

// runTime runs a command again and again, and prints the median of its wall and of its processor time, from the
// process's start to its exit.
func runTime(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("time", flag.ContinueOnError)
	runs := flags.Int("runs", 21, "how many runs count; one more goes before them to warm the caches")
	name := flags.String("name", "", "what the line is called")
	allow := flags.Int("allow", 0, "an exit code that is as good as 0")
	cold := flags.Bool("once", false, "run it once only: it changes something")
	records := flags.Int("records", 0, "how many records it works on: prints the rate")
	tail := flags.Bool("tail", false, "print the 99th percentile of the clock, of 100 runs or more")

	written := flags.Bool("written", false, "print what it wrote to disk, where the system tells")
	if err := flags.Parse(args); err != nil {
		return err
	}

	warm := 1
	if *cold {
		*runs, warm = 1, 0
	}

	if *runs < 1 || *tail && *runs < leastOfTail || flags.NArg() == 0 {
		return fmt.Errorf("time needs a command, and -tail %d runs", leastOfTail)
	}

	var all []usage
	for i := range *runs + warm {
		used, err := once(flags.Args(), *allow)
		if err != nil {
			return err
		}

		if i >= warm {
			all = append(all, used)
		}
	}
	walls, cpus := text.Each(all, func(u usage) time.Duration { return u.wall }), text.Each(all, cpuOf)

	line := fmt.Sprintf("%-44.44s %8.1f ms  cpu %8.1f ms", *name, milliseconds(median(walls)), milliseconds(median(cpus)))
	if *records > 0 {
		line += "  " + rate(*records, median(walls), median(cpus))
		if memory := slices.Max(text.Each(all, func(u usage) int64 { return u.memory })); memory > 0 {
			line += fmt.Sprintf(", at most %d MB of anonymous memory", memory>>20)
		}
	}

	if *written {
		line += fmt.Sprintf("  %.1f MB written", float64(slices.Max(text.Each(all, func(u usage) int64 { return u.written })))/1e6)
	}

	if *tail {
		line += fmt.Sprintf("  p99 %.1f ms", milliseconds(quantile(walls, 0.99)))
	}

	if len(walls) > 1 {
		line += fmt.Sprintf("  (%.1f to %.1f, %d runs)", milliseconds(slices.Min(walls)), milliseconds(slices.Max(walls)),
			len(walls))
	}
	_, err := fmt.Fprintln(out, line)
	return err
}

// usage is what one run of a command took.
type usage struct {
	wall, cpu time.Duration
	memory    int64 // bytes that no file backs, at the most
	written   int64 // bytes to disk
}

func cpuOf(u usage) time.Duration { return u.cpu }

// once runs a command to its end and throws away what it prints. Memory is the most that was seen, 50 times a second.
func once(args []string, allow int) (used usage, err error) {
	command := exec.CommandContext(context.Background(), args[0], args[1:]...)
	var problems bytes.Buffer
	command.Stdout, command.Stderr = nil, &problems
	start := time.Now()

	if err := command.Start(); err != nil {
		return used, fmt.Errorf("running %q: %w", args, err)
	}
	done := make(chan error, 1)
	go func() { done <- command.Wait() }()

	for running := true; running; {
		select {
		case err = <-done:
			running = false
		case <-time.After(20 * time.Millisecond):
			used.memory = max(used.memory, anonymous(command.Process.Pid))
		}
	}
	used.wall = time.Since(start)

	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == allow && allow != 0 {
		err = nil
	}

	if err != nil {
		return used, fmt.Errorf("running %q: %w: %s", args, err, problems.String())
	}
	used.cpu = command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	used.written = writtenBy(command.ProcessState)
	return used, nil
}

func rate(records int, wall, cpu time.Duration) string {
	return fmt.Sprintf("%.0f records/s, cpu %.3f ms a record", float64(records)/wall.Seconds(),
		milliseconds(cpu)/float64(records))
}
