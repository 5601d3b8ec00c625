package fetch_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
)

const good = `{"ok":true}`

// script answers the first request with its first step, and so on; the last one is repeated.
func script(t *testing.T, steps ...http.HandlerFunc) (address string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		steps[min(int(asked.Add(1)), len(steps))-1](w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

func status(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

func cutShort(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "100")
	io.WriteString(w, `{"ok":`)
}

func reset(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		conn.Close()
	}
}

func zipped(body string, keep int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		var b strings.Builder
		z := gzip.NewWriter(&b)
		io.WriteString(z, body)
		z.Close()
		w.Header().Set("Content-Encoding", "gzip")
		io.WriteString(w, b.String()[:b.Len()-keep])
	}
}

func newClient(clock fetch.Clock) *fetch.Client {
	return fetch.New(fetch.Options{UserAgent: "dossier/test", Clock: clock, Retry: fetch.Retry{Steady: true}})
}

func get(address string) fetch.Request {
	return fetch.Request{Service: "test", URL: address, Accept: fetch.AcceptJSON}
}

func TestDoTriesAgain(t *testing.T) {
	ok := status(200, good)
	const s = time.Second
	for _, tc := range []struct {
		name  string
		first http.HandlerFunc
		waits []time.Duration
	}{
		{"429", status(429, "slow down"), []time.Duration{s / 2}},
		{"429 that says when, in seconds", status(429, "", "Retry-After", "7"), []time.Duration{7 * s}},
		{"429 that says when, as a date", status(429, "", "Retry-After", fetchtest.Start().Add(9*s).Format(http.TimeFormat)),
			[]time.Duration{9 * s}},
		{"429 that names a past date", status(429, "", "Retry-After",
			fetchtest.Start().Add(-time.Hour).Format(http.TimeFormat)), []time.Duration{s / 2}},
		{"429 that names nonsense", status(429, "", "Retry-After", "soon"), []time.Duration{s / 2}},
		{"500", status(500, "oops"), []time.Duration{s / 2}},
		{"503 that says when", status(503, "", "Retry-After", "2"), []time.Duration{2 * s}},
		{"the connection is reset", reset, []time.Duration{s / 2}},
		{"the body is cut", cutShort, []time.Duration{s / 2}},
		{"the body is cut within gzip", zipped(good, 5), []time.Duration{s / 2}},
		{"JSON ends half way", status(200, `{"ok":{}`+"\n, "), []time.Duration{s / 2}},
		{"HTML", status(200, "<html><body>down for maintenance</body></html>"), []time.Duration{s / 2}},
		{"text", status(200, "busy"), []time.Duration{s / 2}},
		{"nothing", status(200, " \n"), []time.Duration{s / 2}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			clock := fetchtest.NewClock()
			address, asked := script(t, tc.first, ok)
			body, err := newClient(clock).Do(t.Context(), get(address))
			if err != nil || string(body) != good {
				t.Fatalf("got %q, %v", body, err)
			}
			if asked.Load() != 2 {
				t.Errorf("asked %d times, want 2", asked.Load())
			}
			if diff := cmp.Diff(tc.waits, clock.Slept()); diff != "" {
				t.Errorf("waits (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDoFails(t *testing.T) {
	hour := fetchtest.Start().Add(5 * time.Hour).Format(http.TimeFormat)
	for _, tc := range []struct {
		name       string
		answer     http.HandlerFunc
		accept     fetch.Accept
		kind       fetch.Kind
		status     int
		tries      int
		retryAfter time.Duration
	}{
		{"500 for ever", status(500, "oops"), fetch.AcceptJSON, fetch.Unreachable, 500, 4, 0},
		{"429 for ever", status(429, "slow"), fetch.AcceptJSON, fetch.RateLimited, 429, 4, 0},
		{"429 for hours", status(429, "", "Retry-After", "86000"), fetch.AcceptJSON, fetch.OverBudget, 429, 1,
			86000 * time.Second},
		{"429 until a date hours off", status(429, "", "Retry-After", hour), fetch.AcceptJSON, fetch.OverBudget, 429, 1,
			5 * time.Hour},
		{"503 for hours", status(503, "", "Retry-After", "3600"), fetch.AcceptJSON, fetch.OverBudget, 503, 1, time.Hour},
		{"a Retry-After beyond all numbers", status(429, "", "Retry-After", "1e300"), fetch.AcceptJSON, fetch.OverBudget, 429,
			1, 366 * 24 * time.Hour},
		{"400", status(400, "bad query"), fetch.AcceptJSON, fetch.BadRequest, 400, 1, 0},
		{"401", status(401, ""), fetch.AcceptJSON, fetch.Refused, 401, 1, 0},
		{"403", status(403, ""), fetch.AcceptJSON, fetch.Refused, 403, 1, 0},
		{"404", status(404, ""), fetch.AcceptJSON, fetch.BadRequest, 404, 1, 0},
		{"206", status(206, good), fetch.AcceptJSON, fetch.BadAnswer, 206, 1, 0},
		{"a redirect to nowhere", status(302, ""), fetch.AcceptJSON, fetch.BadAnswer, 302, 1, 0},
		{"reset for ever", reset, fetch.AcceptJSON, fetch.Unreachable, 0, 4, 0},
		{"cut for ever", cutShort, fetch.AcceptJSON, fetch.BadAnswer, 200, 4, 0},
		{"HTML for JSON", status(200, "<!DOCTYPE HTML><p>hi"), fetch.AcceptJSON, fetch.BadAnswer, 200, 4, 0},
		{"HTML for XML", status(200, "<html lang='en'></html>"), fetch.AcceptXML, fetch.BadAnswer, 200, 4, 0},
		{"XHTML for XML", status(200, `<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML"><html></html>`),
			fetch.AcceptXML, fetch.BadAnswer, 200, 4, 0},
		{"JSON for XML", status(200, good), fetch.AcceptXML, fetch.BadAnswer, 200, 4, 0},
		{"XML for JSON", status(200, "<a></a>"), fetch.AcceptJSON, fetch.BadAnswer, 200, 4, 0},
		{"XML that ends half way", status(200, "<a><b>c"), fetch.AcceptXML, fetch.BadAnswer, 200, 4, 0},
		{"nothing for anything", status(200, ""), fetch.AcceptAny, fetch.BadAnswer, 200, 4, 0},
		{"too much", status(200, strings.Repeat(" ", 2000)+good), fetch.AcceptJSON, fetch.TooLarge, 200, 1, 0},
		{"too much once unpacked", zipped(strings.Repeat(" ", 100_000)+good, 0), fetch.AcceptJSON, fetch.TooLarge, 200, 1, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			clock := fetchtest.NewClock()
			address, asked := script(t, tc.answer)
			request := get(address)
			request.Accept, request.MaxBytes = tc.accept, 1000
			_, err := newClient(clock).Do(t.Context(), request)
			var failed *fetch.Error
			if !errors.As(err, &failed) {
				t.Fatalf("got %v, want a *fetch.Error", err)
			}
			got := []any{failed.Kind, failed.Status, failed.Tries, failed.RetryAfter, int(asked.Load())}
			want := []any{tc.kind, tc.status, tc.tries, tc.retryAfter, tc.tries}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("kind, status, tries, retry after, requests (-want +got):\n%s\n%v", diff, err)
			}
			if tc.kind == fetch.OverBudget && len(clock.Slept()) > 0 {
				t.Errorf("slept %v where it should not at all", clock.Slept())
			}
		})
	}
}

func TestDoGivesUpInTime(t *testing.T) {
	t.Run("the client's patience", func(t *testing.T) {
		clock := fetchtest.NewClock()
		address, asked := script(t, status(503, "", "Retry-After", "20"))
		client := fetch.New(fetch.Options{Clock: clock, Retry: fetch.Retry{Steady: true, Tries: 100,
			MaxElapsed: time.Minute}})
		if _, err := client.Do(t.Context(), get(address)); err == nil {
			t.Fatal("no error")
		}
		if asked.Load() != 4 { // at 0, 20, 40 and 60 seconds
			t.Errorf("asked %d times, want 4", asked.Load())
		}
	})
	t.Run("the caller's deadline", func(t *testing.T) {
		clock := fetchtest.NewClock()
		clock.Set(time.Now())
		address, asked := script(t, status(503, "", "Retry-After", "20"))
		ctx, done := context.WithTimeout(t.Context(), 10*time.Second)
		defer done()
		if _, err := newClient(clock).Do(ctx, get(address)); err == nil {
			t.Fatal("no error")
		}
		if asked.Load() != 1 || len(clock.Slept()) > 0 {
			t.Errorf("asked %d times and slept %v; the deadline comes before the next try", asked.Load(), clock.Slept())
		}
	})
	t.Run("the time for one try", func(t *testing.T) {
		address, asked := script(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		request := get(address)
		request.Timeout = time.Millisecond
		_, err := newClient(fetchtest.NewClock()).Do(t.Context(), request)
		var failed *fetch.Error
		if !errors.As(err, &failed) || failed.Kind != fetch.Unreachable || failed.Tries != 4 {
			t.Errorf("got %v after %d requests", err, asked.Load())
		}
	})
}

// cancelling ends a context in the middle of a wait.
type cancelling struct {
	*fetchtest.Clock
	cancel context.CancelFunc
}

func (c cancelling) Sleep(ctx context.Context, d time.Duration) error {
	if d > 0 {
		c.cancel()
	}
	return c.Clock.Sleep(ctx, d)
}

func TestDoObeysItsContext(t *testing.T) {
	address, asked := script(t, status(500, ""))
	check := func(t *testing.T, err error, requests int32) {
		t.Helper()
		var failed *fetch.Error
		if !errors.Is(err, context.Canceled) || !errors.As(err, &failed) || failed.Kind != fetch.Cancelled {
			t.Errorf("got %v, want it cancelled", err)
		}
		if got := asked.Swap(0); got != requests {
			t.Errorf("asked %d times, want %d", got, requests)
		}
	}
	t.Run("ended before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := newClient(fetchtest.NewClock()).Do(ctx, get(address))
		check(t, err, 0)
	})
	t.Run("ended between two tries", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := newClient(cancelling{fetchtest.NewClock(), cancel}).Do(ctx, get(address))
		check(t, err, 1)
	})
	t.Run("ended while waiting for the rate limit", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		client := newClient(cancelling{fetchtest.NewClock(), cancel})
		request := get(address)
		request.Rate.PerSecond = 1
		_, err := client.Do(ctx, request) // its first slot is free, and the wait for the second try is cancelled
		check(t, err, 1)
		ctx, cancel = context.WithCancel(t.Context())
		cancel()
		_, err = client.Do(ctx, request)
		check(t, err, 0)
	})
	t.Run("ended during the answer", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		slow, _ := script(t, func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "{")
			w.(http.Flusher).Flush()
			cancel()
			<-r.Context().Done()
		})
		_, err := newClient(fetchtest.NewClock()).Do(ctx, get(slow))
		check(t, err, 0)
	})
}

func TestDoSendsWhatItIsGiven(t *testing.T) {
	var method, query, form, agent, accept, kind string
	address, _ := script(t, func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		method, query, form = r.Method, r.URL.RawQuery, r.PostForm.Encode()
		agent, accept, kind = r.UserAgent(), r.Header.Get("Accept"), r.Header.Get("Content-Type")
		io.WriteString(w, "\ufeff <a/>\n")
	})
	request := fetch.Request{
		URL: address + "/x?a=1", Query: url.Values{"b": {"2 3"}}, Form: url.Values{"c": {"ü&"}}, Accept: fetch.AcceptXML,
	}
	body, err := newClient(fetchtest.NewClock()).Do(t.Context(), request)
	if err != nil || string(body) != "\ufeff <a/>\n" {
		t.Fatalf("got %q, %v", body, err)
	}
	want := []string{"POST", "a=1&b=2+3", "c=%C3%BC%26", "dossier/test", "application/xml, text/xml",
		"application/x-www-form-urlencoded"}
	if diff := cmp.Diff(want, []string{method, query, form, agent, accept, kind}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDoRefusesAddressesThatAreNone(t *testing.T) {
	for _, address := range []string{"", "ftp://example.org/", "http://", "::", "http://exa mple/?api_key=hush",
		"eutils.ncbi.nlm.nih.gov/x"} {
		_, err := newClient(fetchtest.NewClock()).Do(t.Context(), get(address))
		var failed *fetch.Error
		if !errors.As(err, &failed) || failed.Kind != fetch.BadRequest || !strings.Contains(err.Error(), "base_url") ||
			strings.Contains(err.Error(), "hush") {
			t.Errorf("%q: got %v", address, err)
		}
	}
}

func TestDoAsksTheCallersCheck(t *testing.T) {
	address, asked := script(t, status(200, `{"version":"6.9"}`), status(200, good))
	request := get(address)
	bad := errors.New("no hitCount")
	request.Check = func(body []byte) error {
		if string(body) != good {
			return bad
		}
		return nil
	}
	if body, err := newClient(fetchtest.NewClock()).Do(t.Context(), request); err != nil || string(body) != good ||
		asked.Load() != 2 {
		t.Errorf("got %q, %v after %d requests", body, err, asked.Load())
	}
	request.Check = func([]byte) error { return bad }
	_, err := newClient(fetchtest.NewClock()).Do(t.Context(), request)
	var failed *fetch.Error
	if !errors.As(err, &failed) || failed.Kind != fetch.BadAnswer || !errors.Is(err, bad) {
		t.Errorf("got %v, want the check's error", err)
	}
}

func TestDoDoesNotRepeatWhatTLSRefuses(t *testing.T) {
	server := httptest.NewUnstartedServer(status(200, good))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	clock := fetchtest.NewClock()
	_, err := newClient(clock).Do(t.Context(), get(server.URL))
	var failed *fetch.Error
	if !errors.As(err, &failed) || failed.Tries != 1 || !strings.Contains(err.Error(), "SSL_CERT_FILE") {
		t.Errorf("got %v", err)
	}
}

// TestDoUsesTheProxyOfTheEnvironment runs itself again, since the standard library reads the environment once.
func TestDoUsesTheProxyOfTheEnvironment(t *testing.T) {
	if os.Getenv("FETCH_TEST_CHILD") == "1" {
		body, err := newClient(fetchtest.NewClock()).Do(t.Context(), get("http://literature.invalid/search"))
		fmt.Printf("child: %s %v\n", body, err)
		return
	}
	var asked string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.RequestURI
		io.WriteString(w, good)
	}))
	defer proxy.Close()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), "FETCH_TEST_CHILD=1", "HTTP_PROXY="+proxy.URL, "http_proxy="+proxy.URL, "NO_PROXY=",
		"no_proxy=")
	out, err := child.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "child: "+good+" <nil>") {
		t.Fatalf("%v\n%s", err, out)
	}
	if asked != "http://literature.invalid/search" {
		t.Errorf("the proxy was asked for %q", asked)
	}
}
