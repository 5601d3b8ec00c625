package clinicaltrials_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

func TestChanged(t *testing.T) {
	var asked []url.Values
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Query())
		stopped := study(len(asked) - 1)
		stopped["protocolSection"].(map[string]any)["statusModule"].(map[string]any)["overallStatus"] = "TERMINATED"
		json.NewEncoder(w).Encode(map[string]any{"totalCount": 2, "studies": []any{stopped, study(7777)}})
	})
	var ids []evidence.Identifier
	for i := range 101 {
		ids = append(ids, evidence.Identifier{Kind: evidence.NCT, Value: number(i * 100)})
	}
	since := time.Date(2026, 2, 25, 2, 30, 0, 0, time.UTC)
	got, err := s.Changed(t.Context(), append(ids, evidence.Identifier{Kind: evidence.PMID, Value: "5"}), since)
	if err != nil || len(got.Records) != 1 || got.Records[0].Trial.Status != "TERMINATED" {
		t.Fatalf("%+v, %v; want the one of the answers that was asked for", got, err)
	}
	if len(asked) != 2 || strings.Count(asked[0].Get("filter.ids"), "|") != 99 {
		t.Fatalf("asked %v", asked)
	}
	if diff := cmp.Diff([]string{number(10000), "AREA[LastUpdatePostDate]RANGE[2026-02-25,MAX]", "1"},
		[]string{asked[1].Get("filter.ids"), asked[1].Get("filter.advanced"), asked[1].Get("pageSize")}); diff != "" {
		t.Error(diff)
	}
}

func TestChangedFails(t *testing.T) {
	for _, tc := range []struct {
		name   string
		status int
		body   string
		kind   source.Kind
	}{
		{"the registry is down", http.StatusBadGateway, "down", source.Unreachable},
		{"an empty answer", http.StatusOK, "{}", source.BadAnswer},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(tc.status)
				w.Write([]byte(tc.body))
			})
			got, err := s.Changed(t.Context(), []evidence.Identifier{{Kind: evidence.NCT, Value: number(1)}}, time.Time{})
			var failed *source.Error
			if !errors.As(err, &failed) || failed.Kind != tc.kind || len(got.Records) > 0 {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}
