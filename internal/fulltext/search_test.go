package fulltext

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/boolean"
	"dossier/internal/fulltext/corpustest"
	"dossier/internal/fulltext/fields"
	"dossier/internal/fulltext/segments"
)

func TestFacetsAreCountedTheSameBothWays(t *testing.T) {
	ix := newIndex(t, corpustest.Records(120), 50)
	if err := ix.Apply(t.Context(), []segments.Op{{ID: "PMID:1003"}, {ID: "PMID:1004"}}, 1); err != nil {
		t.Fatal(err)
	}
	byValue := cmpopts.SortSlices(func(a, b FacetCount) bool { return a.Value < b.Value })
	err := ix.read(func(s *snapshot) error {
		found := s.all()
		found.RemoveRange(60, 90)
		for name, field := range fields.Facets {
			byRecords, err1 := s.countByRecord(t.Context(), field, found)
			byValues, err2 := s.countByValue(t.Context(), field, found)
			if err := errors.Join(err1, err2); err != nil {
				return err
			}
			if diff := cmp.Diff(byRecords, byValues, byValue); diff != "" {
				t.Errorf("facet %s (-by record +by value):\n%s", name, diff)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func FuzzSearch(f *testing.F) {
	for _, seed := range append(rankingQuestions, `"lung cancer"[tiab:~3] AND (x OR y*) NOT z[mh]`, "2019:2020[dp]",
		"\x00\xff", "ﬁ½ß€", "a* AND *", "心 肺") {
		f.Add(seed)
	}
	ix := newIndex(f, corpustest.Records(8), 4) // few, since feedback reads what is found, and in two segments
	f.Fuzz(func(t *testing.T, text string) {
		req := Request{Text: text, Limit: 5, Facets: []string{"year"}}
		if len(text) > maxText {
			return
		}
		check := func(req Request) {
			result, err := ix.Search(t.Context(), req)
			if err != nil && !errors.Is(err, ErrTooBroad) {
				t.Fatalf("%q: %v", text, err)
			}
			if len(result.Hits) > int(result.Total) {
				t.Fatalf("%q: %d hits of %d", text, len(result.Hits), result.Total)
			}
		}
		check(req)
		if n, err := boolean.Parse(text); err == nil {
			check(Request{Node: n, Limit: 5})
		}
	})
}
