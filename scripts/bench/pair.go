package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"time"

	"dossier/internal/text"
)

// peerMark stands between a command and the peer that it is measured against.
const peerMark = ":::"

// peers parts a command from its peer.
func peers(args []string) (command, peer []string, err error) {
	place := slices.Index(args, peerMark)
	if place < 1 || place == len(args)-1 {
		return nil, nil, fmt.Errorf("a command, %s and its peer are needed", peerMark)
	}
	return args[:place], args[place+1:], nil
}

// runPair runs a command and its peer in turns, and prints the medians of their processor times and of the times that
// the command's is the peer's, pair by pair; with -records the same of the clock.
func runPair(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("pair", flag.ContinueOnError)
	runs := flags.Int("runs", 21, "how many pairs count; one more goes before them to warm the caches")
	name := flags.String("name", "", "what the line is called")
	records := flags.Int("records", 0, "how many records both work on: prints the rates")

	allow := flags.Int("allow", 0, "an exit code that is as good as 0")
	if err := flags.Parse(args); err != nil {
		return err
	}

	command, peer, err := peers(flags.Args())
	if err != nil {
		return err
	}

	if *runs < 1 {
		return fmt.Errorf("pair needs runs above 0, not %d", *runs)
	}

	var ours, theirs []usage
	for i := range *runs + 1 {
		used, err := once(command, *allow)
		if err != nil {
			return err
		}

		other, err := once(peer, *allow)
		if err != nil {
			return err
		}

		if i > 0 {
			ours, theirs = append(ours, used), append(theirs, other)
		}
	}

	line := compared("cpu", ours, theirs, cpuOf)
	if *records > 0 {
		wallOf := func(u usage) time.Duration { return u.wall }
		line += "; " + compared("clock", ours, theirs, wallOf) + fmt.Sprintf("\n%-44s %s\n%-44s %s", "",
			rate(*records, median(text.Each(ours, wallOf)), median(text.Each(ours, cpuOf))), "  the peer",
			rate(*records, median(text.Each(theirs, wallOf)), median(text.Each(theirs, cpuOf))))
	}
	_, err = fmt.Fprintf(out, "%-44.44s %s  (%d pairs)\n", *name, line, *runs)
	return err
}

func compared(what string, ours, theirs []usage, of func(usage) time.Duration) string {
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = ratio(of(ours[i]), of(theirs[i]))
	}
	return fmt.Sprintf("%s %8.1f ms, the peer's %8.1f ms: %.1f times", what, milliseconds(median(text.Each(ours, of))),
		milliseconds(median(text.Each(theirs, of))), median(ratios))
}
