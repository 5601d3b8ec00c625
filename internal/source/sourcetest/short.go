package sourcetest

import (
	"errors"
	"io"
	"net/http"
	"regexp"
	"testing"

	"dossier/internal/source"
)

// testShortAnswers checks services that return fewer records than they count: the records are kept, and the result is
// marked incomplete.
func (c Case) testShortAnswers(t *testing.T) {
	const few = 3
	whole, nearlyNone := c.Service(c.Several), c.Service(1)
	counted := regexp.MustCompile(`("(?:hitCount|totalCount|total-results|count)":\s*"?)3\b`)

	later := func(answer func(w http.ResponseWriter, r *http.Request)) func(int, http.ResponseWriter, *http.Request) bool {
		return func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n > 1 {
				answer(w, r)
			}
			return n > 1
		}
	}
	for _, tc := range []struct {
		name  string
		hits  int
		fault func(int, http.ResponseWriter, *http.Request) bool
		kind  source.Kind
	}{
		{"it counts more than it holds", few, func(_ int, w http.ResponseWriter, r *http.Request) bool {
			w.Write(counted.ReplaceAll(recorded(c.Service(few), r).Body.Bytes(), []byte("${1}9")))
			return true
		}, source.BadAnswer},
		{"later pages are empty", c.Several, later(nearlyNone.ServeHTTP), source.BadAnswer},
		{"the first page comes again", c.Several, c.replayed(whole), source.BadAnswer},
		{"later pages fail", c.Several, later(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			io.WriteString(w, "Internal Server Error")
		}), source.Unreachable},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := c.newBench(t, tc.hits, tc.fault)
			query := c.Query
			query.Limit = c.Several + 100

			found, err := b.source.Search(t.Context(), query)
			if err != nil || len(found.IDs) == 0 || found.Total <= len(found.IDs) || tc.hits == few && len(found.IDs) != few {
				t.Fatalf("%d ids of %d, %v; want what came, and no error", len(found.IDs), found.Total, err)
			}

			var why *source.Error
			if !errors.As(found.Incomplete, &why) || why.Source != b.source.Name() || why.Kind != tc.kind || why.Hint == "" {
				t.Errorf("incomplete by %v, want a *source.Error of kind %q with a hint", found.Incomplete, tc.kind)
			}

			if n := b.requests(); n > 10 {
				t.Errorf("asked %d times", n)
			}
			b.checkSecret(t, found.Incomplete)
		})
	}
}

// replayed gives the first page whatever is asked for.
func (c Case) replayed(healthy http.Handler) func(int, http.ResponseWriter, *http.Request) bool {
	var first []byte
	return func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n == 1 {
			first = recorded(healthy, r).Body.Bytes()
		}
		w.Write(first)
		return true
	}
}
