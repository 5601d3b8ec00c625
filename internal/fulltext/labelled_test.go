package fulltext

import (
	"fmt"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search/query"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/corpustest"
)

// The floor is plain BM25 with Porter stemming, as the set's reference gives it.
const (
	floorNDCG = 0.443
	floorMAP  = 0.259
)

func TestRankingOnLabelledSet(t *testing.T) {
	t.Parallel()
	records, set := corpustest.CysticFibrosis(t), corpustest.CysticFibrosisQuestions(t)
	ndcg, meanAP := set.Measure(rankedBy(t, newIndex(t, records, len(records)).Index, defaultRules()))
	if ndcg <= floorNDCG || meanAP <= floorMAP {
		t.Errorf("nDCG@10 %.4f and MAP@100 %.4f are not above plain BM25's %.3f and %.3f", ndcg, meanAP, floorNDCG, floorMAP)
	}
	t.Logf("nDCG@10 %.4f, MAP@100 %.4f", ndcg, meanAP)
}

// BenchmarkRankingOnLabelledSet prints what other rules would give, as a table of docs/BENCHMARKS.md.
func BenchmarkRankingOnLabelledSet(b *testing.B) {
	records, set := corpustest.CysticFibrosis(b), corpustest.CysticFibrosisQuestions(b)
	ix := newIndex(b, records, len(records))
	var table strings.Builder
	add := func(name string, rank func(string) []string) {
		ndcg, meanAP := set.Measure(rank)
		fmt.Fprintf(&table, "| %s | %.4f | %.4f |\n", name, ndcg, meanAP)
	}
	for b.Loop() {
		table.Reset()
		for _, model := range []string{"tf-idf", "bm25"} {
			add("bleve "+model+", title twice", bleveRanking(b, records, model))
		}
		for _, v := range rankingVariants() {
			add(v.name, rankedBy(b, ix.Index, v.rules))
		}
	}
	b.Logf("%d records, %d questions\n| ranking | nDCG@10 | MAP@100 |\n|---|---|---|\n%s", len(records),
		len(set.Questions), table.String())
}

// rankedBy ranks by some rules.
func rankedBy(t testing.TB, ix *Index, by rules) func(text string) []string {
	return func(text string) []string {
		ix.rules = by
		return ids(search(t, ix, Request{Text: text, Limit: 100}).Hits)
	}
}

type rankingVariant struct {
	name  string
	rules rules
}

func rankingVariants() []rankingVariant {
	out := []rankingVariant{{"**BM25F with feedback (in use)**", defaultRules()}}
	add := func(name string, change func(*rules)) {
		r := defaultRules()
		change(&r)
		out = append(out, rankingVariant{name, r})
	}
	add("without feedback", func(r *rules) { r.feedback = 0 })
	add("without feedback, title once", func(r *rules) { r.feedback, r.weights[0] = 0, 1 })
	add("without feedback, title three times", func(r *rules) { r.feedback, r.weights[0] = 0, 3 })
	add("without feedback, k1 0.9, b 0.4", func(r *rules) { r.feedback, r.k1, r.b = 0, 0.9, 0.4 })
	for _, share := range []float64{0.3, 0.5, 1} {
		add(fmt.Sprintf("feedback at %.1f", share), func(r *rules) { r.feedback = share })
	}
	add("title once", func(r *rules) { r.weights[0] = 1 })
	add("title three times", func(r *rules) { r.weights[0] = 3 })
	add("k1 0.9, b 0.4", func(r *rules) { r.k1, r.b = 0.9, 0.4 })
	return out
}

// bleveRanking ranks by bleve's own queries, with its English analyser and the title boosted by two.
func bleveRanking(t testing.TB, records []evidence.Record, model string) func(string) []string {
	t.Helper()
	m := bleve.NewIndexMapping()
	m.DefaultAnalyzer, m.ScoringModel = en.AnalyzerName, model
	ix, err := bleve.NewUsing("", m, scorch.Name, scorch.Name, nil) // in memory
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	batch := ix.NewBatch()
	for i := range records {
		r := &records[i]
		if err := batch.Index(r.ID, map[string]string{"title": r.Title, "abstract": r.AbstractText()}); err != nil {
			t.Fatal(err)
		}
	}
	if err := ix.Batch(batch); err != nil {
		t.Fatal(err)
	}
	return func(text string) []string {
		title, abstract := query.NewMatchQuery(text), query.NewMatchQuery(text)
		title.SetField("title")
		title.SetBoost(2)
		abstract.SetField("abstract")
		request := bleve.NewSearchRequestOptions(query.NewDisjunctionQuery([]query.Query{title, abstract}), 100, 0, false)
		request.SortBy([]string{"-_score", "_id"})
		result, err := ix.Search(request)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, hit := range result.Hits {
			ids = append(ids, hit.ID)
		}
		return ids
	}
}
