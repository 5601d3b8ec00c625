package pubmed_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

var lastNight = time.Date(2026, 2, 25, 2, 30, 0, 0, time.UTC)

func pmidsTo(last int) []evidence.Identifier {
	var ids []evidence.Identifier
	for n := 1; n <= last; n++ {
		ids = append(ids, evidence.Identifier{Kind: evidence.PMID, Value: strconv.Itoa(n)})
	}
	return ids
}

func TestChanged(t *testing.T) {
	address, requests := record(t, eutils{350}) // whatever it is asked, 1 to 350 have changed
	s := newSource(address, "")
	got, err := s.Changed(t.Context(), append(pmidsTo(2400), evidence.Identifier{Kind: evidence.DOI, Value: "10.1/x"}),
		lastNight)
	if err != nil || len(got.Problems) > 0 {
		t.Fatal(got.Problems, err)
	}
	var ids []string
	for _, r := range got.Records {
		ids = append(ids, r.Origins[0].ID)
	}
	var want []string
	for _, id := range pmidsTo(350) {
		want = append(want, id.Value)
	}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	var paths []string
	for _, r := range *requests {
		paths = append(paths, r.Method+" "+r.Path)
	}
	// The first 2,000 in two pages, since this service gives 300 at once, and 350 to fetch; of the other 400 none has
	// changed.
	wantPaths := []string{"POST /esearch.fcgi", "POST /esearch.fcgi", "POST /efetch.fcgi", "GET /efetch.fcgi",
		"POST /esearch.fcgi", "POST /esearch.fcgi"}
	if diff := cmp.Diff(wantPaths, paths); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	term := (*requests)[0].InBody.Get("term")
	if !strings.HasPrefix(term, "(1[uid] OR 2[uid] OR ") || !strings.HasSuffix(term,
		" OR 2000[uid]) AND 2026/02/25:3000[mdat]") {
		t.Errorf("asked %.40s … %s", term, term[max(0, len(term)-40):])
	}
}

func TestChangedWithoutAnything(t *testing.T) {
	address, requests := record(t, eutils{0})
	s := newSource(address, "")
	if got, err := s.Changed(t.Context(), nil, lastNight); err != nil || len(got.Records) > 0 || len(*requests) > 0 {
		t.Errorf("nothing to ask: %+v, %v, %d requests", got, err, len(*requests))
	}
	if got, err := s.Changed(t.Context(), pmidsTo(3), lastNight); err != nil || len(got.Records) > 0 ||
		len(*requests) != 1 {
		t.Errorf("nothing changed: %+v, %v, %d requests", got, err, len(*requests))
	}
}

func TestChangedRefusesWhatMayLoseAChange(t *testing.T) {
	answer := func(count int, ids ...string) string {
		text, _ := json.Marshal(map[string]any{"esearchresult": map[string]any{"count": strconv.Itoa(count),
			"idlist": append([]string{}, ids...)}})
		return string(text)
	}
	for _, tc := range []struct {
		name    string
		search  func(start string) string
		fetched int // status
		kind    source.Kind
	}{
		{"the question was cut", func(string) string { return answer(40000000, "1") }, 200, source.BadAnswer},
		{"a page is missing", func(start string) string {
			if start == "" {
				return answer(3, "1")
			}
			return answer(3)
		}, 200, source.BadAnswer},
		{"what changed cannot be fetched", func(string) string { return answer(1, "1") }, 502, source.Unreachable},
	} {
		t.Run(tc.name, func(t *testing.T) {
			address, _ := record(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/esearch.fcgi" {
					fmt.Fprint(w, tc.search(r.Form.Get("retstart")))
					return
				}
				w.WriteHeader(tc.fetched)
			}))
			got, err := newSource(address, "").Changed(t.Context(), pmidsTo(3), lastNight)
			var failed *source.Error
			if !errors.As(err, &failed) || failed.Kind != tc.kind || len(got.Records) > 0 {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestRetracted(t *testing.T) {
	address, requests := record(t, eutils{3})
	got, err := newSource(address, "").Retracted(t.Context(), append(pmidsTo(5),
		evidence.Identifier{Kind: evidence.DOI, Value: "10.1/x"}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pmidsTo(3), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := `(1[uid] OR 2[uid] OR 3[uid] OR 4[uid] OR 5[uid]) AND "Retracted Publication"[pt]`
	for _, r := range *requests {
		if term := r.InAddress.Get("term") + r.InBody.Get("term"); term != want {
			t.Errorf("asked %s", term)
		}
	}
}
