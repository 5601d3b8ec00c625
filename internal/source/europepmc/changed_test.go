package europepmc_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

func ppr(i int) evidence.Identifier {
	return evidence.Identifier{Kind: evidence.PPR, Value: fmt.Sprintf("PPR%d", 1000+i)}
}

func preprint(i int, more map[string]any) map[string]any {
	p := map[string]any{
		"id": ppr(i).Value, "source": "PPR", "doi": fmt.Sprintf("10.1101/2024.01.01.%d", i), "title": "A preprint",
		"firstPublicationDate": "2024-05-06",
		"pubTypeList":          map[string]any{"pubType": []string{"Preprint"}},
	}
	for name, value := range more {
		p[name] = value
	}
	return p
}

// answer is what Europe PMC says to a query with these results.
func answer(query url.Values, results ...any) map[string]any {
	return map[string]any{
		"hitCount": len(results), "request": map[string]any{"queryString": query.Get("query")},
		"resultList": map[string]any{"result": append([]any{}, results...)},
	}
}

func TestChangedAsksForManyPreprintsAtOnce(t *testing.T) {
	var queries []string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		queries = append(queries, r.Form.Get("query"))
		json.NewEncoder(w).Encode(answer(r.Form, preprint(len(queries)-1, nil), preprint(999, nil)))
	})
	var ids []evidence.Identifier
	for i := range 101 {
		ids = append(ids, ppr(i*100))
	}
	got, err := s.Changed(t.Context(), append(ids, evidence.Identifier{Kind: evidence.PMID, Value: "5"}), time.Time{})
	if err != nil || len(got.Records) != 1 || got.Records[0].Origins[0].ID != "PPR/PPR1000" {
		t.Errorf("%+v, %v; want the one of the answers that was asked for", got, err)
	}
	if len(queries) != 2 || strings.Count(queries[0], "EXT_ID:") != 100 {
		t.Fatalf("%d queries", len(queries))
	}
	if diff := cmp.Diff("SRC:PPR AND (EXT_ID:PPR11000)", queries[1]); diff != "" {
		t.Error(diff)
	}
	if _, err := s.Changed(t.Context(), nil, time.Time{}); err != nil || len(queries) != 2 {
		t.Errorf("nothing to ask: %v, %d queries", err, len(queries))
	}
}

func TestChangedPreprints(t *testing.T) {
	article := evidence.Identifier{Kind: evidence.PMID, Value: "40000001"}
	for _, tc := range []struct {
		name    string
		now     map[string]any
		status  evidence.Ternary
		article evidence.Identifier
	}{
		{"as it was", nil, evidence.Unknown, evidence.Identifier{}},
		{"withdrawn", map[string]any{"pubTypeList": map[string]any{"pubType": []string{"Preprint", "preprint-withdrawal"}}},
			evidence.Yes, evidence.Identifier{}},
		{"removed", map[string]any{"pubTypeList": map[string]any{"pubType": []string{"Preprint", "Preprint-removal"}}},
			evidence.Yes, evidence.Identifier{}},
		{"published", map[string]any{"commentCorrectionList": map[string]any{"commentCorrection": []any{
			map[string]any{"id": article.Value, "source": "MED", "type": "Preprint of", "reference": "J Cit. 2025"},
		}}}, evidence.Unknown, article},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				r.ParseForm()
				json.NewEncoder(w).Encode(answer(r.Form, preprint(1, tc.now)))
			})
			got, err := s.Changed(t.Context(), []evidence.Identifier{ppr(1)}, time.Time{})
			if err != nil || len(got.Records) != 1 {
				t.Fatal(got, err)
			}
			r := got.Records[0]
			var target evidence.Identifier
			for _, l := range r.Links {
				if l.Relation == evidence.PreprintOf {
					target = l.Target
				}
			}
			if r.Retraction.Status != tc.status || target != tc.article || !r.Preprint {
				t.Errorf("retraction %+v, preprint of %v", r.Retraction, target)
			}
		})
	}
}

func TestChangedFails(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"version":"6.9"}`) })
	_, err := s.Changed(t.Context(), []evidence.Identifier{ppr(1)}, time.Time{})
	var failed *source.Error
	if !errors.As(err, &failed) || failed.Kind != source.BadAnswer {
		t.Errorf("got %v", err)
	}
}
