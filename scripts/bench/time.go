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
)

// peerMark stands between a command and the peer that it is measured against.
const peerMark = ":::"

// runPair runs a command and its peer in turns, and prints the medians of their processor times and of the times that
// the command's is the peer's, pair by pair.
func runPair(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("pair", flag.ContinueOnError)
	runs := flags.Int("runs", 21, "how many pairs count; one more goes before them to warm the caches")
	name := flags.String("name", "", "what the line is called")
	if err := flags.Parse(args); err != nil {
		return err
	}
	place := slices.Index(flags.Args(), peerMark)
	if *runs < 1 || place < 1 || place == flags.NArg()-1 {
		return fmt.Errorf("pair needs a command, %s and its peer", peerMark)
	}
	var ours, theirs []time.Duration
	var ratios []float64
	for i := range *runs + 1 {
		_, cpu, _, err := once(flags.Args()[:place], 0)
		if err != nil {
			return err
		}
		_, peer, _, err := once(flags.Args()[place+1:], 0)
		if err != nil {
			return err
		}
		if i > 0 {
			ours, theirs = append(ours, cpu), append(theirs, peer)
			ratios = append(ratios, float64(cpu)/float64(max(peer, 1)))
		}
	}
	_, err := fmt.Fprintf(out, "%-44.44s cpu %8.1f ms, the peer's %8.1f ms: %.1f times  (%d pairs)\n", *name,
		milliseconds(median(ours)), milliseconds(median(theirs)), median(ratios), *runs)
	return err
}

// runTime runs a command again and again, and prints the median of its wall and of its processor time, from the
// process's start to its exit.
func runTime(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("time", flag.ContinueOnError)
	runs := flags.Int("runs", 21, "how many runs count; one more goes before them to warm the caches")
	name := flags.String("name", "", "what the line is called")
	allow := flags.Int("allow", 0, "an exit code that is as good as 0")
	cold := flags.Bool("once", false, "run it once only: it changes something")
	records := flags.Int("records", 0, "how many records it works on: prints the rate")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *runs < 1 || flags.NArg() == 0 {
		return errors.New("time needs a command")
	}
	var walls, cpus []time.Duration
	var memory int64
	warm := 1
	if *cold {
		*runs, warm = 1, 0
	}
	for i := range *runs + warm {
		wall, cpu, anonymous, err := once(flags.Args(), *allow)
		if err != nil {
			return err
		}
		memory = max(memory, anonymous)
		if i >= warm {
			walls, cpus = append(walls, wall), append(cpus, cpu)
		}
	}
	wall, cpu := median(walls), median(cpus)
	line := fmt.Sprintf("%-44.44s %8.1f ms  cpu %8.1f ms", *name, milliseconds(wall), milliseconds(cpu))
	if *records > 0 {
		line += fmt.Sprintf("  %.0f records/s, cpu %.2f ms a record", float64(*records)/wall.Seconds(),
			milliseconds(cpu)/float64(*records))
		if memory > 0 {
			line += fmt.Sprintf(", at most %d MB of anonymous memory", memory>>20)
		}
	}
	if len(walls) > 1 {
		line += fmt.Sprintf("  (%.1f to %.1f, %d runs)", milliseconds(slices.Min(walls)), milliseconds(slices.Max(walls)),
			len(walls))
	}
	_, err := fmt.Fprintln(out, line)
	return err
}

// once runs a command to its end and throws away what it prints. Memory is the most that was seen, 50 times a second.
func once(args []string, allow int) (wall, cpu time.Duration, memory int64, err error) {
	command := exec.CommandContext(context.Background(), args[0], args[1:]...)
	var problems bytes.Buffer
	command.Stdout, command.Stderr = nil, &problems
	start := time.Now()
	if err := command.Start(); err != nil {
		return 0, 0, 0, fmt.Errorf("running %q: %w", args, err)
	}
	done := make(chan error, 1)
	go func() { done <- command.Wait() }()
	for running := true; running; {
		select {
		case err = <-done:
			running = false
		case <-time.After(20 * time.Millisecond):
			memory = max(memory, anonymous(command.Process.Pid))
		}
	}
	wall = time.Since(start)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == allow && allow != 0 {
		err = nil
	}
	if err != nil {
		return 0, 0, 0, fmt.Errorf("running %q: %w: %s", args, err, problems.String())
	}
	return wall, command.ProcessState.UserTime() + command.ProcessState.SystemTime(), memory, nil
}

func median[T time.Duration | float64](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
