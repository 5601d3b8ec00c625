package fetch_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"

	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
)

// paced asks a service that notes when it is asked, by the test's clock.
type paced struct {
	clock   *fetchtest.Clock
	address string
	mu      sync.Mutex
	times   []time.Duration
}

func newPaced(t *testing.T) *paced {
	p := &paced{clock: fetchtest.NewClock()}
	p.address, _ = script(t, func(w http.ResponseWriter, _ *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.times = append(p.times, p.clock.Now().Sub(fetchtest.Start()))
		fmt.Fprint(w, good)
	})
	return p
}

func (p *paced) client(dir string, log *bytes.Buffer) *fetch.Client {
	opt := fetch.Options{Clock: p.clock, LimitDir: dir}
	if log != nil {
		opt.Logger = slog.New(slog.NewTextHandler(log, nil))
	}
	return fetch.New(opt)
}

func (p *paced) ask(t *testing.T, c *fetch.Client, service string) {
	t.Helper()
	p.askAt(t, c, service, 10)
}

func (p *paced) askAt(t *testing.T, c *fetch.Client, service string, perSecond float64) {
	t.Helper()
	request := get(p.address)
	request.Service, request.Rate.PerSecond = service, perSecond
	if _, err := c.Do(t.Context(), request); err != nil {
		t.Fatal(err)
	}
}

// mostInASecond is the highest number of requests in any window of a second.
func (p *paced) mostInASecond() int {
	most := 0
	for i := range p.times {
		n := 0
		for _, at := range p.times[i:] {
			if at-p.times[i] < time.Second {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

const step = 105 * time.Millisecond // a tenth of a second and the margin

func TestLimitIsKeptOverAllProcesses(t *testing.T) {
	p := newPaced(t)
	dir := filepath.Join(t.TempDir(), "made", "when needed")
	one, two := p.client(dir, nil), p.client(dir, nil) // two processes share nothing but the folder
	for range 10 {
		p.ask(t, one, "pubmed")
		p.ask(t, two, "pubmed")
		p.ask(t, two, "pubmed")
	}
	if len(p.times) != 30 || p.mostInASecond() > 10 {
		t.Errorf("%d requests, %d of them within a second: %v", len(p.times), p.mostInASecond(), p.times)
	}
	for i, at := range p.times {
		if at != time.Duration(i)*step {
			t.Fatalf("request %d left at %s, want even steps of %s", i, at, step)
		}
	}
}

func TestLimitIsKeptOverGoroutines(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		p := newPaced(t)
		client := p.client(dir, nil)
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() { p.ask(t, client, "pubmed") })
		}
		group.Wait()
		if end := p.clock.Now().Sub(fetchtest.Start()); end < 19*step {
			t.Errorf("folder %q: 20 requests left within %s", dir, end)
		}
	}
}

// TestRequestsOfSeveralRates: what a service answers slowly keeps those behind it waiting, and does not wait itself.
func TestRequestsOfSeveralRates(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		p := newPaced(t)
		client := p.client(dir, nil)
		for _, perSecond := range []float64{10, 1, 10, 1, 1, 10} {
			p.askAt(t, client, "openalex", perSecond)
		}
		want := []time.Duration{0, step, 11 * step, 12 * step, 22 * step, 32 * step}
		if diff := cmp.Diff(want, p.times, roughly); diff != "" {
			t.Errorf("folder %q: the requests left at other times (-want +got):\n%s", dir, diff)
		}
	}
}

// roughly leaves room for the rounding of a rate.
var roughly = cmp.Comparer(func(a, b time.Duration) bool { return (a - b).Abs() < time.Millisecond })

func TestServicesDoNotWaitForEachOther(t *testing.T) {
	p := newPaced(t)
	client := p.client(t.TempDir(), nil)
	for _, service := range []string{"pubmed", "europepmc", "Open/Alex", "../up"} {
		p.ask(t, client, service)
	}
	if slept := p.clock.Slept(); len(slept) > 0 {
		t.Errorf("slept %v", slept)
	}
}

// stamp is a state as the file has it.
func stamp(written, next time.Time) []byte {
	return fmt.Appendf(nil, "%d %d\n", written.UnixNano(), next.UnixNano())
}

func TestDamagedStateStopsNothing(t *testing.T) {
	now := fetchtest.Start()
	stamp := func(written, next time.Time) string { return string(stamp(written, next)) }
	for _, tc := range []struct {
		name, state string
		wait        time.Duration
	}{
		{"a good one", stamp(now.Add(-time.Second), now.Add(70*time.Millisecond)), 70 * time.Millisecond},
		{"a past one", stamp(now.Add(-time.Hour), now.Add(-time.Hour)), 0},
		{"empty, as after a full disk", "", step},
		{"cut", "17724", step},
		{"garbage", "\x00\xff<html>", step},
		{"numbers beyond all bounds", strings.Repeat("9", 400) + " 1\n", step},
		{"written in the future: the clock was set back", stamp(now.Add(3*time.Hour), now.Add(3*time.Hour)), step},
		{"far ahead of its clock", stamp(now.Add(-time.Second), now.Add(9*time.Hour)), step},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newPaced(t)
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "pubmed.slot"), []byte(tc.state), 0o666); err != nil {
				t.Fatal(err)
			}
			client := p.client(dir, nil)
			p.ask(t, client, "pubmed")
			p.ask(t, client, "pubmed")
			if p.times[0] != tc.wait || p.times[1] != tc.wait+step {
				t.Errorf("requests left at %v, want %s and %s", p.times, tc.wait, tc.wait+step)
			}
		})
	}
}

func TestClockSetBackWhileRunning(t *testing.T) {
	p := newPaced(t)
	client := p.client(t.TempDir(), nil)
	p.ask(t, client, "pubmed")
	p.clock.Set(fetchtest.Start().Add(-6 * time.Hour))
	p.ask(t, client, "pubmed")
	p.ask(t, client, "pubmed")
	for _, wait := range p.clock.Slept() {
		if wait > time.Second {
			t.Errorf("waited %s after the clock was set back", wait)
		}
	}
}

func TestFolderThatCannotBeUsed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	held := t.TempDir()
	lock := flock.New(filepath.Join(held, "pubmed.lock"))
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	stateIsFolder := t.TempDir()
	if err := os.Mkdir(filepath.Join(stateIsFolder, "pubmed.slot"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"a file": file, "below a file": filepath.Join(file, "x"),
		"its lock is never let go": held, "its state cannot be written": stateIsFolder} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			p := newPaced(t)
			client := p.client(dir, &log)
			for range 12 {
				p.ask(t, client, "pubmed")
			}
			if p.mostInASecond() > 10 {
				t.Errorf("%d requests within a second: %v", p.mostInASecond(), p.times)
			}
			if n := strings.Count(log.String(), "level=WARN"); n != 1 {
				t.Errorf("complained %d times, want once:\n%s", n, log.String())
			}
		})
	}
}

// lateClock oversleeps the first times, as a process does on a machine under load.
type lateClock struct {
	*fetchtest.Clock
	late []time.Duration
}

func (c *lateClock) Sleep(ctx context.Context, d time.Duration) error {
	if d > 10*time.Millisecond && len(c.late) > 0 { // no wait for the lock
		d += c.late[0]
		c.late = c.late[1:]
	}
	return c.Clock.Sleep(ctx, d)
}

// A request that left late would stand among those that come after it: it takes another slot.
func TestALateRequestTakesAnotherSlot(t *testing.T) {
	p := newPaced(t)
	dir := t.TempDir()
	busy := fetch.New(fetch.Options{LimitDir: dir, Clock: &lateClock{p.clock, []time.Duration{400 * time.Millisecond}}})
	calm := p.client(dir, nil)
	p.ask(t, calm, "pubmed")
	p.ask(t, busy, "pubmed") // its slot was after one step, and it woke after five
	for range 12 {
		p.ask(t, calm, "pubmed")
	}
	for i := 1; i < len(p.times); i++ {
		if gap := p.times[i] - p.times[i-1]; gap < step {
			t.Errorf("request %d left %s after the one before it", i, gap)
		}
	}
	if p.mostInASecond() > 10 {
		t.Errorf("%d requests within a second: %v", p.mostInASecond(), p.times)
	}
}

func TestDefaultLimitDir(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("HOME", home)
	if got := fetch.DefaultLimitDir(); !strings.HasPrefix(got, home) || filepath.Base(got) != "limits" {
		t.Errorf("got %q, want a folder below %q", got, home)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	if got := fetch.DefaultLimitDir(); got != "" {
		t.Errorf("got %q for a user without a home", got)
	}
}
