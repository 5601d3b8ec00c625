package sourcetest

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
	"dossier/internal/source"
)

// Source is what every source gives.
type Source interface {
	Name() evidence.SourceName
	Search(context.Context, source.Query) (source.Result, error)
}

// Fetcher is what one gives that is asked for records by their ids.
type Fetcher interface {
	Source
	Fetch(context.Context, []string) (source.Batch, error)
}

// Case describes a source and a small healthy stand-in for its service.
type Case struct {
	// New makes the source for a service at baseURL, with Key as its secret where it has one.
	New func(baseURL string, client *fetch.Client) Source
	Key string
	// Service is a handler that holds hits records, all of which match Query, and answers in the service's own format with
	// its own paging. It need not understand the query, and must not misbehave: the suite adds the faults.
	Service func(hits int) http.Handler
	Query   source.Query // its Limit is set by the suite
	// Several is a number of records that takes a search, or a search and the fetches after it, more than one page.
	Several int
	// PerSecond is the limit that the source must keep.
	PerSecond float64
	// Unfit are bodies, beside those that the suite has, that come with a 200 and are no good answer to a search.
	Unfit map[string]string
	// RefusedQuery is an answer, with its status, that reports a malformed query; empty where there is none.
	RefusedQuery       string
	RefusedQueryStatus int

	op string // of the requests that are spoilt
}

// Run runs the suite.
func Run(t *testing.T, c Case) {
	c.op = "search"
	t.Run("good answers", c.testGoodAnswers)
	t.Run("faults that pass", c.testPassingFaults)
	t.Run("faults that stay", c.testLastingFaults)
	t.Run("faults of fetching", c.testFetchFaults)
	t.Run("unfit answers", c.testUnfitAnswers)
	t.Run("short answers", c.testShortAnswers)
	t.Run("refusals", c.testRefusals)
	t.Run("out of budget", c.testOverBudget)
	t.Run("cancelled", c.testCancelled)
}

// RunLookup runs what of the suite is of a source that searches nothing and is asked about papers one by one: New makes
// one whose Search asks about three.
func RunLookup(t *testing.T, c Case) {
	c.op = "fetch"
	t.Run("faults that pass", c.testPassingFaults)
	t.Run("faults that stay", c.testLastingFaults)
	t.Run("unfit answers", c.testUnfitAnswers)
	t.Run("refusals", c.testRefusals)
	t.Run("out of budget", c.testOverBudget)
	t.Run("cancelled", c.testCancelled)
}

// bench is one source, its service with the faults of a test, and all that can be seen from outside.
type bench struct {
	source Source
	clock  *fetchtest.Clock
	log    *safeBuffer
	key    string

	mu    sync.Mutex
	asked int
}

// maxBytes is the bound on bodies in the suite; no good answer of a Case's Service comes near it.
const maxBytes = 8 << 20

// newBench lets fault answer a request, by its number from 1 on; where it returns false, the healthy service does.
func (c Case) newBench(t *testing.T, hits int, fault func(n int, w http.ResponseWriter, r *http.Request) bool) *bench {
	t.Helper()
	b := &bench{clock: fetchtest.NewClock(), log: &safeBuffer{}, key: c.Key}
	healthy := c.Service(hits)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fault == nil || !fault(b.count(), w, r) {
			healthy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	client := fetch.New(fetch.Options{
		UserAgent: "dossier/test", Clock: b.clock, Retry: fetch.Retry{Steady: true}, MaxBytes: maxBytes,
		Logger: slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	b.source = c.New(server.URL, client)
	return b
}

func (b *bench) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked++
	return b.asked
}

func (b *bench) requests() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.asked
}

// records searches, and fetches where the search gave ids alone.
func (c Case) records(ctx context.Context, b *bench, limit int) (source.Result, source.Batch, error) {
	query := c.Query
	query.Limit = limit
	found, err := b.source.Search(ctx, query)

	fetcher, fetches := b.source.(Fetcher)
	if err != nil || !fetches || found.Records != nil {
		return found, source.Batch{Records: found.Records, Problems: found.Problems}, err
	}
	batch, err := fetcher.Fetch(ctx, found.IDs)
	return found, batch, err
}

// checkSecret sees that neither err nor the log shows the source's key.
func (b *bench) checkSecret(t *testing.T, err error) {
	t.Helper()

	if b.key == "" {
		return
	}

	if err != nil && strings.Contains(err.Error(), b.key) {
		t.Errorf("the error shows the key: %v", err)
	}

	if strings.Contains(b.log.String(), b.key) {
		t.Errorf("the log shows the key:\n%s", b.log.String())
	}
}

// safeBuffer is a log that several goroutines may write to.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
