//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/reader"
)

func newSearch(s command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "search",
		Short: "Answer each query, a line, by the hits read and the nanoseconds by the clock and of the processor",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			app, err := command.Load(cmd, s)
			if err != nil {
				return err
			}
			command.RelaxGC(command.ReadersPercent) // as `query serve` has it, and the next line
			app.Config.Offline = true

			stored, err := app.OpenStore(cmd.Context())
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, stored.Close()) }()
			return answer(cmd.Context(), reader.New(app, stored, nil), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}

// answer searches for each line. The time is that of reading the query, searching and reading the records found.
func answer(ctx context.Context, r *reader.Reader, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		text := strings.TrimSpace(lines.Text())
		start, cpu := time.Now(), cpuTime()

		hits, err := searchOnce(ctx, r, text)
		if err != nil {
			return err
		}

		clock, cpu := time.Since(start), cpuTime()-cpu
		if _, err := fmt.Fprintln(out, hits, clock.Nanoseconds(), cpu.Nanoseconds()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// searchOnce reads a query, searches, and reads the records found; hits is how many.
func searchOnce(ctx context.Context, r *reader.Reader, text string) (hits int, err error) {
	options := reader.SearchOptions{Limit: reader.DefaultHits}

	request, _, err := options.Request(text)
	if err != nil {
		return 0, err
	}

	found, err := r.Search(ctx, text, request)
	if err != nil {
		return 0, err
	}
	return len(found.Hits), nil
}

// cpuTime is what this process has used of the processors, the garbage collector's part with it.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
