package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"dossier/internal/source"
)

// fault spoils one answer, given the healthy service.
type fault struct {
	name   string
	kind   source.Kind // when it stays
	answer func(healthy http.Handler, w http.ResponseWriter, r *http.Request)
}

func faults() []fault {
	say := func(status int, body string) func(http.Handler, http.ResponseWriter, *http.Request) {
		return func(_ http.Handler, w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	return []fault{
		{"429", source.RateLimited, say(429, `{"error":"API rate limit exceeded","count":"4","limit":"3"}`)},
		{"500", source.Unreachable, say(500, "Internal Server Error")},
		{"503 in HTML", source.Unreachable, say(503, "<html>Service Unavailable</html>")},
		{"the connection is reset", source.Unreachable, resetConnection},
		{"the body is cut below its length", source.BadAnswer, cutBody},
		{"the body is cut, and its length says nothing", source.BadAnswer, cutBodyQuietly},
		{"HTML with a 200", source.BadAnswer, say(200, "<html><body>We are down for maintenance</body></html>")},
		{"an empty 200", source.BadAnswer, say(200, "")},
		{"a 200 of white space", source.BadAnswer, say(200, "\r\n \n")},
		{"text with a 200", source.BadAnswer, say(200, "Service busy.")},
	}
}

func resetConnection(_ http.Handler, w http.ResponseWriter, _ *http.Request) {
	if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
		conn.Close()
	}
}

func recorded(healthy http.Handler, r *http.Request) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	healthy.ServeHTTP(answer, r)
	return answer
}

func cutBody(healthy http.Handler, w http.ResponseWriter, r *http.Request) {
	answer := recorded(healthy, r)
	w.Header().Set("Content-Length", strconv.Itoa(answer.Body.Len()))
	w.Write(answer.Body.Bytes()[:answer.Body.Len()/2])
	http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// cutBodyQuietly ends a third before the end, as a proxy that gave up does, in good HTTP.
func cutBodyQuietly(healthy http.Handler, w http.ResponseWriter, r *http.Request) {
	answer := recorded(healthy, r)
	w.Write(answer.Body.Bytes()[:answer.Body.Len()*2/3])
}

// testPassingFaults spoils the first answer of each kind of request: the source must come through as if nothing had
// been.
func (c Case) testPassingFaults(t *testing.T) {
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			healthy := c.Service(3)
			spoilt := map[string]bool{}
			b := c.newBench(t, 3, func(_ int, w http.ResponseWriter, r *http.Request) bool {
				if spoilt[r.URL.Path] {
					return false
				}
				spoilt[r.URL.Path] = true
				f.answer(healthy, w, r)
				return true
			})

			found, batch, err := c.records(t.Context(), b, 50)
			if err != nil || len(found.IDs) != 3 || len(batch.Records) != 3 || len(batch.Problems) > 0 {
				t.Errorf("%d ids, %d records, problems %v, %v; want three of each and no error", len(found.IDs), len(batch.Records),
					batch.Problems, err)
			}
			b.checkSecret(t, err)
		})
	}
}

func (c Case) testLastingFaults(t *testing.T) {
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			healthy := c.Service(3)
			b := c.newBench(t, 3, func(_ int, w http.ResponseWriter, r *http.Request) bool {
				f.answer(healthy, w, r)
				return true
			})
			_, _, err := c.records(t.Context(), b, 50)
			b.checkFailure(t, err, c.op, f.kind)

			if n := b.requests(); n < 2 || n > 10 {
				t.Errorf("asked %d times; a few tries are right", n)
			}
		})
	}
}

// testFetchFaults lets the search go well and every later request fail.
func (c Case) testFetchFaults(t *testing.T) {
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			healthy := c.Service(3)
			b := c.newBench(t, 3, func(n int, w http.ResponseWriter, r *http.Request) bool {
				if n == 1 {
					return false
				}
				f.answer(healthy, w, r)
				return true
			})

			found, _, err := c.records(t.Context(), b, 50)
			if found.Records != nil {
				t.Skip("the search gives whole records in one answer")
			}
			b.checkFailure(t, err, "fetch", f.kind)
		})
	}
}

// checkFailure sees that err is a *source.Error of a kind, and that it keeps the key.
func (b *bench) checkFailure(t *testing.T, err error, op string, kind source.Kind) {
	t.Helper()

	var failed *source.Error
	if !errors.As(err, &failed) {
		t.Fatalf("got %v, want a *source.Error: a failure is never \"no results\"", err)
	}

	if failed.Source != b.source.Name() || failed.Op != op || failed.Kind != kind {
		t.Errorf("got source %q, op %q, kind %q; want %q, %q, %q: %v", failed.Source, failed.Op, failed.Kind, b.source.Name(),
			op, kind, err)
	}

	if failed.Hint == "" {
		t.Errorf("the failure has no hint: %v", err)
	}
	b.checkSecret(t, err)
}

func (c Case) testUnfitAnswers(t *testing.T) {
	unfit := map[string]string{
		"an empty object": "{}", "an empty list": "[]", "null": "null", "another object": `{"status":"ok","data":[1,2,3]}`,
		"another kind of thing": `"fine"`, "broken JSON": `{"a":{"b":}}`, "an object in a list": `[{"id":1}]`,
	}
	for name, body := range c.Unfit {
		unfit[name] = body
	}

	for name, body := range unfit {
		t.Run(name, func(t *testing.T) {
			b := c.newBench(t, 3, func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				io.WriteString(w, body)
				return true
			})
			_, _, err := c.records(t.Context(), b, 50)
			b.checkFailure(t, err, c.op, source.BadAnswer)
		})
	}
	t.Run("more than can be taken", func(t *testing.T) {
		b := c.newBench(t, 3, func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			io.WriteString(w, `{"a":"`)

			for range maxBytes/1024 + 1 {
				io.WriteString(w, strings.Repeat("x", 1024))
			}
			io.WriteString(w, `"}`)
			return true
		})
		_, _, err := c.records(t.Context(), b, 50)
		b.checkFailure(t, err, c.op, source.BadAnswer)

		if b.requests() != 1 {
			t.Errorf("asked %d times for what is too large each time", b.requests())
		}
	})
}

func (c Case) testRefusals(t *testing.T) {
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden} {
		t.Run(fmt.Sprint(status, ", with all that was sent in its words"), func(t *testing.T) {
			b := c.newBench(t, 3, func(_ int, w http.ResponseWriter, r *http.Request) bool {
				r.ParseForm()
				w.WriteHeader(status)
				fmt.Fprintf(w, "refused: %s %s %v %v", r.URL, r.Form.Encode(), r.Form, r.Header)
				return true
			})
			_, _, err := c.records(t.Context(), b, 50)
			b.checkFailure(t, err, c.op, source.Refused)

			if b.requests() != 1 {
				t.Errorf("asked %d times; a refusal stays one", b.requests())
			}

			if c.Key != "" && strings.Contains(err.Error(), url.QueryEscape(c.Key)) {
				t.Errorf("the error shows the key, escaped: %v", err)
			}
		})
	}

	if c.RefusedQuery == "" {
		return
	}
	t.Run("of the query", func(t *testing.T) {
		b := c.newBench(t, 3, func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(c.RefusedQueryStatus)
			io.WriteString(w, c.RefusedQuery)
			return true
		})
		_, _, err := c.records(t.Context(), b, 50)
		b.checkFailure(t, err, c.op, source.BadQuery)
	})
}

func (c Case) testOverBudget(t *testing.T) {
	b := c.newBench(t, 3, func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Retry-After", "40000")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	})
	_, _, err := c.records(t.Context(), b, 50)
	b.checkFailure(t, err, c.op, source.OverBudget)

	if failed, ok := errors.AsType[*source.Error](err); ok && failed.RetryAfter != 40000*time.Second {
		t.Errorf("the error says to wait %s", failed.RetryAfter)
	}

	if slept := b.clock.Slept(); len(slept) > 0 || b.requests() != 1 {
		t.Errorf("slept %v and asked %d times; a spent budget is not slept off", slept, b.requests())
	}
}

func (c Case) testCancelled(t *testing.T) {
	t.Run("before", func(t *testing.T) {
		b := c.newBench(t, 3, nil)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err := c.records(ctx, b, 50)
		c.checkCancelled(t, b, err, 0)
	})
	t.Run("while the service thinks", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		b := c.newBench(t, 3, func(_ int, _ http.ResponseWriter, r *http.Request) bool {
			cancel()
			io.Copy(io.Discard, r.Body) // only then does the server see that the client has gone
			<-r.Context().Done()
			return true
		})
		_, _, err := c.records(ctx, b, 50)
		c.checkCancelled(t, b, err, 1)
	})
}

func (c Case) checkCancelled(t *testing.T, b *bench, err error, requests int) {
	t.Helper()

	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled to be seen in it", err)
	}

	if b.requests() != requests {
		t.Errorf("asked %d times, want %d", b.requests(), requests)
	}
	b.checkSecret(t, err)
}
