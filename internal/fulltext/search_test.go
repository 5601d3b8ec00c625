package fulltext

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext/fields"
	"dossier/internal/fulltext/segments"
)

func catalogue() []evidence.Record {
	return []evidence.Record{
		{ID: "a", Title: "Melanoma", Bucket: evidence.RCT, Design: evidence.DesignRandomised, Date: "2020-05-01", CitedBy: 7,
			Origins:          []evidence.Origin{{Source: "pubmed", ID: "1"}, {Source: "openalex", ID: "W1"}},
			PublicationTypes: []evidence.PublicationType{{Name: "Journal Article"}, {Name: "Randomized Controlled Trial"}},
			Journal:          evidence.Journal{Title: "Lancet (London, England)", Abbreviation: "Lancet"},
			Languages:        []string{"eng"},
			Abstract:         []evidence.Section{{Text: "Melanoma again."}},
			Retraction:       evidence.Retraction{Status: evidence.No}},
		{ID: "b", Title: "Melanoma", Bucket: evidence.CaseReport, Date: "2020-05", CitedBy: 30, Preprint: true,
			Origins: []evidence.Origin{{Source: "europepmc", ID: "2"}}, Languages: []string{"ger"},
			Retraction: evidence.Retraction{Status: evidence.Yes}},
		{ID: "c", Title: "Melanoma", Date: "2018", CitedBy: 7, Origins: []evidence.Origin{{Source: "import:x.ris", ID: "3"}}},
		{ID: "d", Title: "Melanoma", Origins: []evidence.Origin{{Source: "clinicaltrials", ID: "NCT1"}},
			Trial: &evidence.Trial{Status: "NOT_YET_RECRUITING", Phases: []string{"PHASE1", "PHASE2"},
				Sites: []evidence.Site{{Country: "Germany"}, {Country: "France"}, {Country: "Germany"}}}},
		{ID: "e", Title: "Melanoma", Date: "2024-01-01", Origins: []evidence.Origin{{Source: "clinicaltrials", ID: "NCT2"}},
			Trial: &evidence.Trial{Status: "RECRUITING", Sites: []evidence.Site{{Country: "Spain"}}}},
	}
}

func TestFilter(t *testing.T) {
	ix := newIndex(t, catalogue(), 2)
	yes, no := true, false
	for _, c := range []struct {
		name   string
		filter Filter
		want   string
	}{
		{"none", Filter{}, "a b c d e"},
		{"all kinds", Filter{Kind: AllKinds}, "a b c d e"},
		{"papers", Filter{Kind: Papers}, "a b c"},
		{"trials", Filter{Kind: Trials}, "d e"},
		{"bucket", Filter{Buckets: []string{"rct"}}, "a"},
		{"buckets", Filter{Buckets: []string{"rct", "case_report"}}, "a b"},
		{"nothing tells the design", Filter{Buckets: []string{fields.NotStated}}, "c"},
		{"design", Filter{Designs: []string{"randomised trial"}}, "a"},
		{"design not stated", Filter{Designs: []string{"design not stated"}}, "c"},
		{"source", Filter{Sources: []string{"openalex"}}, "a"},
		{"imported", Filter{Sources: []string{"import"}}, "c"},
		{"type, in any case", Filter{Types: []string{"randomized controlled trial"}}, "a"},
		{"language", Filter{Languages: []string{"ger"}}, "b"},
		{"journal by its short name", Filter{Journals: []string{"lancet"}}, "a"},
		{"journal by its full name", Filter{Journals: []string{"Lancet (London, England)"}}, "a"},
		{"recruiting is not not yet recruiting", Filter{Statuses: []string{"RECRUITING"}}, "e"},
		{"country", Filter{Countries: []string{"germany", "Italy"}}, "d"},
		{"country by its code", Filter{Countries: []string{"DE"}}, "d"},
		{"phase", Filter{Phases: []string{"PHASE2"}}, "d"},
		{"from a year", Filter{YearFrom: 2020}, "a b e"},
		{"up to a year", Filter{YearTo: 2020}, "a b c"},
		{"one year", Filter{YearFrom: 2020, YearTo: 2020}, "a b"},
		{"years the wrong way round", Filter{YearFrom: 2021, YearTo: 2019}, ""},
		{"retracted", Filter{Retracted: &yes}, "b"},
		{"not retracted, or not known to be", Filter{Retracted: &no}, "a c d e"},
		{"preprints", Filter{Preprint: &yes}, "b"},
		{"with an abstract", Filter{HasAbstract: &yes}, "a"},
		{"without one", Filter{HasAbstract: &no}, "b c d e"},
		{"all conditions must hold", Filter{Kind: Papers, YearFrom: 2020, Retracted: &no}, "a"},
		{"a value that is nowhere", Filter{Sources: []string{"embase"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for how, req := range map[string]Request{
				"alone":            {},
				"with plain words": {Text: "melanoma"},
				"with a query":     {Node: boolean.Phrase("melanoma", boolean.FieldTitle)},
			} {
				req.Filter, req.Sort, req.Limit = c.filter, ByID, 10
				result := search(t, ix, req)
				if got := strings.Join(ids(result.Hits), " "); got != c.want {
					t.Errorf("%s: got %q, want %q", how, got, c.want)
				}
				if int(result.Total) != len(result.Hits) {
					t.Errorf("%s: total %d, but %d hits", how, result.Total, len(result.Hits))
				}
			}
		})
	}
}

func TestSort(t *testing.T) {
	ix := newIndex(t, catalogue(), 2)
	for _, c := range []struct {
		sort Sort
		req  Request
		want string
	}{
		{ByID, Request{}, "a b c d e"},
		{ByNewest, Request{}, "e a b c d"}, // the day before the month alone; no date last
		{ByCitations, Request{}, "b a c d e"},
		{ByRelevance, Request{}, "a b c d e"}, // nothing to rank by: by id
		{ByRelevance, Request{Text: "melanoma"}, "a b c d e"},
		{"", Request{Node: boolean.Phrase("again", boolean.FieldAbstract)}, "a"},
		{ByNewest, Request{Text: "melanoma"}, "e a b c d"},
	} {
		t.Run(string(c.sort)+" "+c.req.Text, func(t *testing.T) {
			c.req.Sort, c.req.Limit = c.sort, 10
			if got := strings.Join(ids(search(t, ix, c.req).Hits), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestFacets(t *testing.T) {
	ix := newIndex(t, catalogue(), 2)
	result := search(t, ix, Request{Text: "melanoma", Facets: FacetNames()})
	want := map[string][]FacetCount{
		"kind":      {{"papers", 3}, {"trials", 2}},
		"bucket":    {{"case_report", 1}, {"not_stated", 1}, {"rct", 1}},
		"design":    {{"design not stated", 1}, {"randomised trial", 1}},
		"source":    {{"clinicaltrials", 2}, {"europepmc", 1}, {"import", 1}, {"openalex", 1}, {"pubmed", 1}},
		"type":      {{"Journal Article", 1}, {"Randomized Controlled Trial", 1}},
		"language":  {{"eng", 1}, {"ger", 1}},
		"journal":   {{"Lancet", 1}},
		"year":      {{"2020", 2}, {"2018", 1}, {"2024", 1}},
		"status":    {{"NOT_YET_RECRUITING", 1}, {"RECRUITING", 1}},
		"phase":     {{"PHASE1", 1}, {"PHASE2", 1}},
		"country":   {{"France", 1}, {"Germany", 1}, {"Spain", 1}},
		"retracted": {{"unknown", 3}, {"no", 1}, {"yes", 1}},
		"preprint":  {{"no", 4}, {"yes", 1}},
		"mesh":      {},
	}
	if diff := cmp.Diff(want, result.Facets); diff != "" {
		t.Errorf("facets (-want +got):\n%s", diff)
	}
	if result.Total != 5 || len(result.Hits) != 0 {
		t.Errorf("total %d and %d hits, want 5 and none, for no hits were asked for", result.Total, len(result.Hits))
	}
	filtered := search(t, ix, Request{Text: "melanoma", Filter: Filter{Kind: Trials}, Facets: []string{"kind"}})
	if diff := cmp.Diff(map[string][]FacetCount{"kind": {{"trials", 2}}}, filtered.Facets); diff != "" {
		t.Errorf("facets of a filtered search (-want +got):\n%s", diff)
	}
}

// TestDesignNotStated holds that a paper of which nothing tells the design is counted and found as such: neither as an
// observational study, nor with the comments and errata, whose design is known and is no evidence.
func TestDesignNotStated(t *testing.T) {
	ix := newIndex(t, []evidence.Record{
		{ID: "cohort", Title: "Melanoma", Bucket: evidence.Observational, Design: evidence.DesignCohort},
		{ID: "comment", Title: "Melanoma", Design: evidence.DesignComment},
		{ID: "silent", Title: "Melanoma"},
		{ID: "single arm", Title: "Melanoma", Bucket: evidence.RCT, Design: evidence.DesignSingleArm},
		{ID: "trial", Title: "Melanoma", Design: evidence.DesignRegisteredTrial, Trial: &evidence.Trial{}},
	}, 2)
	for _, c := range []struct {
		name   string
		filter Filter
		want   string
	}{
		{"bucket not stated", Filter{Buckets: []string{fields.NotStated}}, "silent"},
		{"design not stated", Filter{Designs: []string{string(evidence.DesignNotStated)}}, "silent"},
		{"observational is not what is not stated", Filter{Buckets: []string{string(evidence.Observational)}}, "cohort"},
		{"no evidence by its design", Filter{Buckets: []string{fields.NoEvidence}}, "comment"},
		{"one design of a bucket", Filter{Designs: []string{string(evidence.DesignSingleArm)}}, "single arm"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ids(search(t, ix, Request{Filter: c.filter, Limit: 10}).Hits)
			if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
	want := map[string][]FacetCount{
		"bucket": {{fields.NoEvidence, 1}, {fields.NotStated, 1}, {"observational", 1}, {"rct", 1}},
		"design": {{"cohort study", 1}, {"comment", 1}, {"design not stated", 1}, {"registered trial", 1},
			{"single-arm trial", 1}},
	}
	got := search(t, ix, Request{Facets: []string{"bucket", "design"}})
	if diff := cmp.Diff(want, got.Facets); diff != "" {
		t.Errorf("facets (-want +got):\n%s", diff)
	}
}

func TestFacetsAreCountedTheSameBothWays(t *testing.T) {
	ix := newIndex(t, madeUpRecords(120), 50)
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

func TestSearchRefuses(t *testing.T) {
	ix := newIndex(t, catalogue(), 10)
	for _, c := range []struct {
		name, says string
		req        Request
	}{
		{"words and a query", "give one", Request{Text: "x", Node: boolean.Phrase("x", boolean.FieldAll)}},
		{"an unknown facet", "the facets are bucket, country", Request{Facets: []string{"colour"}}},
		{"an unknown order", "the orders are", Request{Sort: "best"}},
		{"an unknown kind", "the kinds are", Request{Filter: Filter{Kind: "books"}}},
		{"a negative limit", "must not be negative", Request{Limit: -1}},
		{"a negative offset", "must not be negative", Request{Offset: -1}},
		{"a text of no end", "at most", Request{Text: strings.Repeat("x ", maxText)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ix.Search(t.Context(), c.req)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want an error that says %q", err, c.says)
			}
		})
	}
}

func TestSearchObeysItsContext(t *testing.T) {
	ix := newIndex(t, catalogue(), 10)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, req := range map[string]Request{
		"plain":   {Text: "melanoma", Limit: 1},
		"boolean": {Node: boolean.Phrase("melanoma", boolean.FieldAll), Limit: 1},
		"filter":  {Filter: Filter{Kind: Papers}, Limit: 1},
		"all":     {Limit: 1},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ix.Search(ctx, req); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want context.Canceled", err)
			}
		})
	}
}

func TestOffsetPastTheEnd(t *testing.T) {
	ix := newIndex(t, catalogue(), 10)
	result := search(t, ix, Request{Text: "melanoma", Limit: 3, Offset: 5})
	if result.Total != 5 || len(result.Hits) != 0 {
		t.Errorf("total %d, hits %v; want 5 and none", result.Total, result.Hits)
	}
}

func TestBooleanResultsAreRanked(t *testing.T) {
	ix := newIndex(t, []evidence.Record{
		paper("a", "Lung", "melanoma"), paper("b", "Melanoma lung", ""), paper("c", "Colon", "melanoma"),
		paper("d", "Lung", "colon"),
	}, 10)
	query := boolean.Not{Keep: boolean.Or{Of: []boolean.Node{boolean.Phrase("melanoma", boolean.FieldTitleAbs),
		boolean.Phrase("lung", boolean.FieldTitleAbs)}},
		Drop: boolean.Phrase("colon", boolean.FieldTitle)}
	hits := search(t, ix, Request{Node: query, Limit: 10}).Hits
	if got := strings.Join(ids(hits), " "); got != "b a d" {
		t.Errorf("got %q, want b (both in the title), a, d", got)
	}
	if !slices.IsSortedFunc(hits, func(a, b Hit) int { return int(b.Score*1e6) - int(a.Score*1e6) }) ||
		hits[2].Score <= 0 {
		t.Errorf("scores %v, want positive ones that fall", hits)
	}
}

func FuzzSearch(f *testing.F) {
	for _, seed := range append(rankingQuestions, `"lung cancer"[tiab:~3] AND (x OR y*) NOT z[mh]`, "2019:2020[dp]",
		"\x00\xff", "ﬁ½ß€", "a* AND *", "心 肺") {
		f.Add(seed)
	}
	ix := newIndex(f, madeUpRecords(8), 4) // few, since feedback reads what is found, and in two segments
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
