package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// runAsk starts a command and its peer, and asks them in turns. Each answers a line, the query, by a line of numbers:
// the hits that it read, and the nanoseconds that it took by the clock and of the processor. Printed are the medians,
// the 99th percentiles, and how many times the peer's time the command's is, pair by pair.
func runAsk(args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("ask", flag.ContinueOnError)
	runs := flags.Int("runs", 101, "how many pairs count; one more goes before them to warm the caches")
	query := flags.String("query", "", "what the command is asked")

	peerQuery := flags.String("peer-query", "", "what the peer is asked; else the same")
	if err := flags.Parse(args); err != nil {
		return err
	}

	command, peer, err := peers(flags.Args())
	if err != nil || *runs < leastOfTail || *query == "" {
		return errors.Join(fmt.Errorf("ask needs a query, %d runs, a command and its peer", leastOfTail), err)
	}

	if *peerQuery == "" {
		*peerQuery = *query
	}

	ours, err := begin(command)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ours.end()) }()

	theirs, err := begin(peer)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, theirs.end()) }()
	var times, peerTimes, ratios, cpuRatios []float64

	var last, peerLast reply
	for i := range *runs + 1 {
		if last, err = ours.ask(*query); err != nil {
			return err
		}

		if peerLast, err = theirs.ask(*peerQuery); err != nil {
			return err
		}

		if i > 0 {
			times, peerTimes = append(times, milliseconds(last.clock)), append(peerTimes, milliseconds(peerLast.clock))
			ratios = append(ratios, ratio(last.clock, peerLast.clock))
			cpuRatios = append(cpuRatios, ratio(last.cpu, peerLast.cpu))
		}
	}
	_, err = fmt.Fprintf(out, "%-44.44s %6.1f ms, p99 %6.1f; the peer's %6.1f ms, p99 %6.1f: %.2f times, "+
		"the processor %.2f times  (%d pairs, %d and %d hits)\n", *query, median(times), quantile(times, 0.99),
		median(peerTimes), quantile(peerTimes, 0.99), median(ratios), median(cpuRatios), *runs, last.hits, peerLast.hits)
	return err
}

// answerer is a program that is up and answers.
type answerer struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

type reply struct {
	hits       int
	clock, cpu time.Duration
}

func begin(args []string) (*answerer, error) {
	command := exec.CommandContext(context.Background(), args[0], args[1:]...)
	command.Stderr = os.Stderr

	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}

	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}

	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("running %q: %w", args, err)
	}
	return &answerer{command, in, bufio.NewReader(out)}, nil
}

func (a *answerer) ask(query string) (r reply, err error) {
	if _, err := fmt.Fprintln(a.in, query); err != nil {
		return r, fmt.Errorf("asking %q: %w", a.command.Args, err)
	}

	if _, err := fmt.Fscanln(a.out, &r.hits, &r.clock, &r.cpu); err != nil {
		return r, fmt.Errorf("reading the answer of %q to %s: %w", a.command.Args, query, err)
	}
	return r, nil
}

// end has the program end by itself: there are no more queries.
func (a *answerer) end() error { return errors.Join(a.in.Close(), a.command.Wait()) }
