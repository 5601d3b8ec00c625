//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"dossier/internal/command"
	"dossier/internal/reader"
	"dossier/internal/store"
)

func newLoad(s command.Streams) *cobra.Command {
	var clients, searches int
	cmd := &cobra.Command{
		Use: "load QUERY",
		Short: "Search for a query again and again, by several clients at once, in whichever generation is current, " +
			"and print the nanoseconds that each search took",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			app, err := command.Load(cmd, s)
			if err != nil {
				return err
			}
			command.RelaxGC(command.ReadersPercent)
			app.Config.Offline = true

			l := &load{app: app, query: args[0]}
			if err := l.follow(cmd.Context()); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, l.reader.Close()) }()
			return l.run(cmd.Context(), clients, searches, cmd.OutOrStdout())
		},
	}
	cmd.Flags().IntVar(&clients, "clients", 1, "how many search at once")
	cmd.Flags().IntVar(&searches, "searches", 100, "how many searches count, of all clients together")
	return cmd
}

// load is a query that is asked of the current generation.
type load struct {
	app    *command.App
	query  string
	mu     sync.RWMutex // held for reading while a search is under way
	reader *store.Reader
	number int // of the reader's generation
}

// follow opens the current generation where another is open.
func (l *load) follow(ctx context.Context) error {
	number, err := l.app.Store().Current(ctx)
	if err != nil || number == l.number {
		return err
	}

	next, err := l.app.OpenStore(ctx)
	if err != nil {
		return err
	}
	l.mu.Lock()
	before := l.reader
	l.reader, l.number = next, number
	l.mu.Unlock()

	if before == nil {
		return nil
	}
	return before.Close()
}

// followEvery is how often it is looked for another generation.
const followEvery = time.Second

func (l *load) run(ctx context.Context, clients, searches int, out io.Writer) error {
	if _, err := l.search(ctx); err != nil { // the caches
		return err
	}
	together, searching := errgroup.WithContext(ctx)
	following, end := context.WithCancel(searching)
	defer end()
	followed := make(chan error, 1)
	go func() {
		for {
			select {
			case <-following.Done():
				followed <- nil
				return
			case <-time.After(followEvery):
			}

			if err := l.follow(searching); err != nil && following.Err() == nil {
				followed <- err
				return
			}
		}
	}()
	took := make([]time.Duration, searches)

	var next atomic.Int64
	for range clients {
		together.Go(func() (err error) {
			for i := next.Add(1) - 1; int(i) < searches && err == nil; i = next.Add(1) - 1 {
				took[i], err = l.search(searching)
			}
			return err
		})
	}
	err := together.Wait()
	end()

	if err = errors.Join(err, <-followed); err != nil {
		return err
	}

	for _, each := range took {
		if _, err := fmt.Fprintln(out, each.Nanoseconds()); err != nil {
			return err
		}
	}
	return nil
}

// search asks once, and says how long reading the query, searching and reading the records found took.
func (l *load) search(ctx context.Context) (time.Duration, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	start := time.Now()
	_, err := searchOnce(ctx, reader.New(l.app, l.reader, nil), l.query)
	return time.Since(start), err
}
