package openalex_test

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

// byFilter is an OpenAlex that knows the works of paper by PMID and DOI, and adds one that nobody asked for.
func byFilter(t *testing.T, filters *[]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		filter := r.FormValue("filter")
		*filters = append(*filters, filter)
		if length := len("http://") + len(r.Host) + len(r.URL.String()); length > 4000 {
			t.Errorf("an address of %d bytes", length)
		}
		name, values, _ := strings.Cut(filter, ":")
		results := []any{paper(7777)}
		for value := range strings.SplitSeq(values, "|") {
			n, err := strconv.Atoi(value[strings.LastIndexAny(value, ".")+1:])
			if name == "pmid" {
				n -= 90000000
			}
			if err != nil {
				t.Errorf("%q is asked for", value)
			}
			if n%2 == 0 {
				results = append(results, paper(n))
			}
		}
		json.NewEncoder(w).Encode(map[string]any{"meta": map[string]any{"count": len(results)}, "results": results})
	}
}

func TestChanged(t *testing.T) {
	pmid := func(i int) evidence.Identifier {
		return evidence.Identifier{Kind: evidence.PMID, Value: strconv.Itoa(90000000 + i)}
	}
	doi := func(i int) evidence.Identifier {
		return evidence.Identifier{Kind: evidence.DOI, Value: fmt.Sprintf("10.5555/x.%d", i)}
	}
	list := func(id func(int) evidence.Identifier, count int) (out []evidence.Identifier) {
		for i := range count {
			out = append(out, id(i))
		}
		return out
	}
	long := func(i int) evidence.Identifier {
		return evidence.Identifier{Kind: evidence.DOI, Value: fmt.Sprintf("10.5555/%s.%d", strings.Repeat("%2f/", 20), i)}
	}
	for _, tc := range []struct {
		name     string
		ids      []evidence.Identifier
		requests []int // values in each
		records  int
	}{
		{"nothing to ask", nil, nil, 0},
		{"by PMID, a hundred at once; half are not there", list(pmid, 150), []int{100, 50}, 75},
		{"by DOI", list(doi, 4), []int{4}, 2},
		{"both", append(list(doi, 2), list(pmid, 3)...), []int{3, 2}, 3},
		{"DOIs that make a long address", list(long, 40), []int{20, 20}, 0},
		{"what a filter cannot hold", []evidence.Identifier{{Kind: evidence.DOI, Value: "10.5555/a,b"},
			{Kind: evidence.DOI, Value: "10.5555/a|b"}}, nil, 0},
		{"other identifiers", []evidence.Identifier{{Kind: evidence.NCT, Value: "NCT00000001"}}, nil, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var filters []string
			s, _ := serve(t, "", byFilter(t, &filters))
			got, err := s.Changed(t.Context(), tc.ids, time.Time{})
			if err != nil || len(got.Problems) > 0 || len(got.Records) != tc.records {
				t.Errorf("%d records, problems %v, %v; want %d", len(got.Records), got.Problems, err, tc.records)
			}
			var requests []int
			for _, f := range filters {
				requests = append(requests, strings.Count(f, "|")+1)
			}
			if diff := cmp.Diff(tc.requests, requests); diff != "" {
				t.Errorf("values a request (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChangedTellsRetractionAndCitations(t *testing.T) {
	s, _ := serve(t, "", func(w http.ResponseWriter, _ *http.Request) {
		work := paper(1)
		work["is_retracted"], work["cited_by_count"] = true, 42
		json.NewEncoder(w).Encode(map[string]any{"meta": map[string]any{"count": 1}, "results": []any{work}})
	})
	got, err := s.Changed(t.Context(), []evidence.Identifier{{Kind: evidence.PMID, Value: "90000001"}}, time.Time{})
	if err != nil || len(got.Records) != 1 {
		t.Fatal(got, err)
	}
	if r := got.Records[0]; !r.Retracted() || r.Retraction.Source != evidence.SourceOpenAlex || r.CitedBy != 42 {
		t.Errorf("retraction %+v, cited by %d", r.Retraction, r.CitedBy)
	}
}

func TestChangedThatFailsKeepsWhatItHad(t *testing.T) {
	var requests int
	s, _ := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		if requests++; strings.HasPrefix(r.FormValue("filter"), "doi:") {
			http.Error(w, "down", http.StatusBadGateway)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{"meta": map[string]any{"count": 1}, "results": []any{paper(2)}})
	})
	got, err := s.Changed(t.Context(), []evidence.Identifier{{Kind: evidence.PMID, Value: "90000002"},
		{Kind: evidence.DOI, Value: "10.5555/x.4"}}, time.Time{})
	var failed *source.Error
	if !errors.As(err, &failed) || failed.Kind != source.Unreachable || len(got.Records) != 1 {
		t.Errorf("%d records, %v", len(got.Records), err)
	}
}
