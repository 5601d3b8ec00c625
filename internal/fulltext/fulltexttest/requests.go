package fulltexttest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/corpustest"
	"dossier/internal/fulltext/fields"
)

func (e Engine) testRequests(t *testing.T) {
	t.Run("filter", e.testFilter)
	t.Run("order", e.testSort)
	t.Run("facets", e.testFacets)
	t.Run("design not stated", e.testDesignNotStated)
	t.Run("refused", e.testSearchRefuses)
	t.Run("context", e.testSearchObeysItsContext)
	t.Run("offset", e.testOffsetPastTheEnd)
	t.Run("boolean queries are ranked", e.testBooleanResultsAreRanked)
}

func (e Engine) testFilter(t *testing.T) {
	ix := e.of(t, corpustest.Catalogue(), 2)

	yes, no := true, false
	for _, c := range []struct {
		name   string
		filter fulltext.Filter
		want   string
	}{
		{"none", fulltext.Filter{}, "a b c d e"},
		{"all kinds", fulltext.Filter{Kind: fulltext.AllKinds}, "a b c d e"},
		{"papers", fulltext.Filter{Kind: fulltext.Papers}, "a b c"},
		{"trials", fulltext.Filter{Kind: fulltext.Trials}, "d e"},
		{"bucket", fulltext.Filter{Buckets: []string{"rct"}}, "a"},
		{"buckets", fulltext.Filter{Buckets: []string{"rct", "case_report"}}, "a b"},
		{"nothing tells the design", fulltext.Filter{Buckets: []string{fields.NotStated}}, "c"},
		{"design", fulltext.Filter{Designs: []string{"randomised trial"}}, "a"},
		{"design not stated", fulltext.Filter{Designs: []string{"design not stated"}}, "c"},
		{"source", fulltext.Filter{Sources: []string{"openalex"}}, "a"},
		{"imported", fulltext.Filter{Sources: []string{"import"}}, "c"},
		{"type, in any case", fulltext.Filter{Types: []string{"randomized controlled trial"}}, "a"},
		{"language", fulltext.Filter{Languages: []string{"ger"}}, "b"},
		{"journal by its short name", fulltext.Filter{Journals: []string{"lancet"}}, "a"},
		{"journal by its full name", fulltext.Filter{Journals: []string{"Lancet (London, England)"}}, "a"},
		{"recruiting is not not yet recruiting", fulltext.Filter{Statuses: []string{"RECRUITING"}}, "e"},
		{"country", fulltext.Filter{Countries: []string{"germany", "Italy"}}, "d"},
		{"country by its code", fulltext.Filter{Countries: []string{"DE"}}, "d"},
		{"phase", fulltext.Filter{Phases: []string{"PHASE2"}}, "d"},
		{"from a year", fulltext.Filter{YearFrom: 2020}, "a b e"},
		{"up to a year", fulltext.Filter{YearTo: 2020}, "a b c"},
		{"one year", fulltext.Filter{YearFrom: 2020, YearTo: 2020}, "a b"},
		{"from a year, or without one", fulltext.Filter{YearFrom: 2020, Undated: true}, "a b d e"},
		{"years the wrong way round", fulltext.Filter{YearFrom: 2021, YearTo: 2019}, ""},
		{"retracted", fulltext.Filter{Retracted: &yes}, "b"},
		{"not retracted, or not known to be", fulltext.Filter{Retracted: &no}, "a c d e"},
		{"preprints", fulltext.Filter{Preprint: &yes}, "b"},
		{"with an abstract", fulltext.Filter{HasAbstract: &yes}, "a"},
		{"without one", fulltext.Filter{HasAbstract: &no}, "b c d e"},
		{"all conditions must hold", fulltext.Filter{Kind: fulltext.Papers, YearFrom: 2020, Retracted: &no}, "a"},
		{"a value that is nowhere", fulltext.Filter{Sources: []string{"embase"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for how, req := range map[string]fulltext.Request{
				"alone":            {},
				"with plain words": {Text: "melanoma"},
				"with a query":     {Node: boolean.Phrase("melanoma", boolean.FieldTitle)},
			} {
				req.Filter, req.Sort, req.Limit = c.filter, fulltext.ByID, 10

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

func (e Engine) testSort(t *testing.T) {
	ix := e.of(t, corpustest.Catalogue(), 2)
	for _, c := range []struct {
		sort fulltext.Sort
		req  fulltext.Request
		want string
	}{
		{fulltext.ByID, fulltext.Request{}, "a b c d e"},
		{fulltext.ByNewest, fulltext.Request{}, "e a b c d"}, // the day before the month alone; no date last
		{fulltext.ByCitations, fulltext.Request{}, "b a c d e"},
		{fulltext.ByRelevance, fulltext.Request{}, "a b c d e"}, // nothing to rank by: by id
		{"", fulltext.Request{Node: boolean.Phrase("again", boolean.FieldAbstract)}, "a"},
		{fulltext.ByNewest, fulltext.Request{Text: "melanoma"}, "e a b c d"},
	} {
		t.Run(string(c.sort)+" "+c.req.Text, func(t *testing.T) {
			c.req.Sort, c.req.Limit = c.sort, 10
			if got := strings.Join(ids(search(t, ix, c.req).Hits), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func (e Engine) testFacets(t *testing.T) {
	ix := e.of(t, corpustest.Catalogue(), 2)
	result := search(t, ix, fulltext.Request{Text: "melanoma", Facets: fulltext.FacetNames()})

	want := map[string][]fulltext.FacetCount{
		"kind":      {{Value: "papers", Count: 3}, {Value: "trials", Count: 2}},
		"bucket":    {{Value: "case_report", Count: 1}, {Value: "not_stated", Count: 1}, {Value: "rct", Count: 1}},
		"design":    {{Value: "design not stated", Count: 1}, {Value: "randomised trial", Count: 1}},
		"source":    {{Value: "clinicaltrials", Count: 2}, {Value: "europepmc", Count: 1}, {Value: "import", Count: 1}, {Value: "openalex", Count: 1}, {Value: "pubmed", Count: 1}},
		"type":      {{Value: "Journal Article", Count: 1}, {Value: "Randomized Controlled Trial", Count: 1}},
		"language":  {{Value: "eng", Count: 1}, {Value: "ger", Count: 1}},
		"journal":   {{Value: "Lancet", Count: 1}},
		"year":      {{Value: "2020", Count: 2}, {Value: "2018", Count: 1}, {Value: "2024", Count: 1}},
		"status":    {{Value: "NOT_YET_RECRUITING", Count: 1}, {Value: "RECRUITING", Count: 1}},
		"phase":     {{Value: "PHASE1", Count: 1}, {Value: "PHASE2", Count: 1}},
		"country":   {{Value: "France", Count: 1}, {Value: "Germany", Count: 1}, {Value: "Spain", Count: 1}},
		"retracted": {{Value: "unknown", Count: 3}, {Value: "no", Count: 1}, {Value: "yes", Count: 1}},
		"preprint":  {{Value: "no", Count: 4}, {Value: "yes", Count: 1}},
		"mesh":      {},
	}
	if diff := cmp.Diff(want, result.Facets); diff != "" {
		t.Errorf("facets (-want +got):\n%s", diff)
	}

	if result.Total != 5 || len(result.Hits) != 0 {
		t.Errorf("total %d and %d hits, want 5 and none, for no hits were asked for", result.Total, len(result.Hits))
	}

	filtered := search(t, ix, fulltext.Request{Text: "melanoma", Filter: fulltext.Filter{Kind: fulltext.Trials}, Facets: []string{"kind"}})
	if diff := cmp.Diff(map[string][]fulltext.FacetCount{"kind": {{Value: "trials", Count: 2}}}, filtered.Facets); diff != "" {
		t.Errorf("facets of a filtered search (-want +got):\n%s", diff)
	}
}

// testDesignNotStated holds that a paper of which nothing tells the design is counted and found as such: neither as an
// observational study, nor with the comments and errata, whose design is known and is no evidence.
func (e Engine) testDesignNotStated(t *testing.T) {
	ix := e.of(t, []evidence.Record{
		{ID: "cohort", Title: "Melanoma", Bucket: evidence.Observational, Design: evidence.DesignCohort},
		{ID: "comment", Title: "Melanoma", Design: evidence.DesignComment},
		{ID: "silent", Title: "Melanoma"},
		{ID: "single arm", Title: "Melanoma", Bucket: evidence.RCT, Design: evidence.DesignSingleArm},
		{ID: "trial", Title: "Melanoma", Design: evidence.DesignRegisteredTrial, Trial: &evidence.Trial{}},
	}, 2)
	for _, c := range []struct {
		name   string
		filter fulltext.Filter
		want   string
	}{
		{"bucket not stated", fulltext.Filter{Buckets: []string{fields.NotStated}}, "silent"},
		{"design not stated", fulltext.Filter{Designs: []string{string(evidence.DesignNotStated)}}, "silent"},
		{"observational is not what is not stated", fulltext.Filter{Buckets: []string{string(evidence.Observational)}}, "cohort"},
		{"no evidence by its design", fulltext.Filter{Buckets: []string{fields.NoEvidence}}, "comment"},
		{"one design of a bucket", fulltext.Filter{Designs: []string{string(evidence.DesignSingleArm)}}, "single arm"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ids(search(t, ix, fulltext.Request{Filter: c.filter, Limit: 10}).Hits)
			if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
	want := map[string][]fulltext.FacetCount{
		"bucket": {{Value: fields.NoEvidence, Count: 1}, {Value: fields.NotStated, Count: 1}, {Value: "observational", Count: 1}, {Value: "rct", Count: 1}},
		"design": {{Value: "cohort study", Count: 1}, {Value: "comment", Count: 1}, {Value: "design not stated", Count: 1}, {Value: "registered trial", Count: 1},
			{Value: "single-arm trial", Count: 1}},
	}

	got := search(t, ix, fulltext.Request{Facets: []string{"bucket", "design"}})
	if diff := cmp.Diff(want, got.Facets); diff != "" {
		t.Errorf("facets (-want +got):\n%s", diff)
	}
}

func (e Engine) testSearchRefuses(t *testing.T) {
	ix := e.of(t, corpustest.Catalogue(), 10)
	for _, c := range []struct {
		name, says string
		req        fulltext.Request
	}{
		{"words and a query", "give one", fulltext.Request{Text: "x", Node: boolean.Phrase("x", boolean.FieldAll)}},
		{"an unknown facet", "the facets are bucket, country", fulltext.Request{Facets: []string{"colour"}}},
		{"an unknown order", "the orders are", fulltext.Request{Sort: "best"}},
		{"an unknown kind", "the kinds are", fulltext.Request{Filter: fulltext.Filter{Kind: "books"}}},
		{"a negative limit", "must not be negative", fulltext.Request{Limit: -1}},
		{"a negative offset", "must not be negative", fulltext.Request{Offset: -1}},
		{"a text of no end", "at most", fulltext.Request{Text: strings.Repeat("x ", 64<<10)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ix.Search(t.Context(), c.req)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want an error that says %q", err, c.says)
			}
		})
	}
}

func (e Engine) testSearchObeysItsContext(t *testing.T) {
	ix := e.of(t, corpustest.Catalogue(), 10)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	for name, req := range map[string]fulltext.Request{
		"plain":   {Text: "melanoma", Limit: 1},
		"boolean": {Node: boolean.Phrase("melanoma", boolean.FieldAll), Limit: 1},
		"filter":  {Filter: fulltext.Filter{Kind: fulltext.Papers}, Limit: 1},
		"all":     {Limit: 1},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ix.Search(ctx, req); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want context.Canceled", err)
			}
		})
	}
}

func (e Engine) testOffsetPastTheEnd(t *testing.T) {
	ix := e.of(t, corpustest.Catalogue(), 10)

	result := search(t, ix, fulltext.Request{Text: "melanoma", Limit: 3, Offset: 5})
	if result.Total != 5 || len(result.Hits) != 0 {
		t.Errorf("total %d, hits %v; want 5 and none", result.Total, result.Hits)
	}
}

func (e Engine) testBooleanResultsAreRanked(t *testing.T) {
	ix := e.of(t, []evidence.Record{
		paper("a", "Lung", "melanoma"), paper("b", "Melanoma lung", ""), paper("c", "Colon", "melanoma"),
		paper("d", "Lung", "colon"),
	}, 10)
	query := boolean.Not{Keep: boolean.Or{Of: []boolean.Node{boolean.Phrase("melanoma", boolean.FieldTitleAbs),
		boolean.Phrase("lung", boolean.FieldTitleAbs)}},
		Drop: boolean.Phrase("colon", boolean.FieldTitle)}

	hits := search(t, ix, fulltext.Request{Node: query, Limit: 10}).Hits
	if got := strings.Join(ids(hits), " "); got != "b a d" {
		t.Errorf("got %q, want b (both in the title), a, d", got)
	}

	if !slices.IsSortedFunc(hits, func(a, b fulltext.Hit) int { return int(b.Score*1e6) - int(a.Score*1e6) }) ||
		hits[2].Score <= 0 {
		t.Errorf("scores %v, want positive ones that fall", hits)
	}
}
