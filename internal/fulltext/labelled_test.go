package fulltext

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search/query"

	"dossier/internal/evidence"
)

// labelled is a set of questions with graded judgements.
type labelled struct {
	questions [][2]string                   // id and text
	grades    map[string]map[string]float64 // of a question's relevant records
}

func cysticFibrosisQuestions(t testing.TB) labelled {
	t.Helper()
	set := labelled{grades: map[string]map[string]float64{}}
	lines := bufio.NewScanner(sharedFile(t, "bench/retrieval/cystic_fibrosis/qrels.txt"))
	for lines.Scan() {
		var question, record string
		var zero, grade float64
		if _, err := fmt.Sscan(lines.Text(), &question, &zero, &record, &grade); err != nil {
			t.Fatal(err)
		}
		if set.grades[question] == nil {
			set.grades[question] = map[string]float64{}
		}
		if grade > 0 {
			set.grades[question][record] = grade
		}
	}
	lines = bufio.NewScanner(sharedFile(t, "bench/retrieval/cystic_fibrosis/queries.tsv"))
	for lines.Scan() {
		id, text, _ := strings.Cut(lines.Text(), "\t")
		if len(set.grades[id]) > 0 {
			set.questions = append(set.questions, [2]string{id, text})
		}
	}
	return set
}

// measure gives nDCG@10 and MAP@100 over all questions, in the definitions of the set's own scorer: the grade itself is
// the gain, and average precision is over all relevant records.
func (set labelled) measure(rank func(text string) []string) (ndcg, meanAP float64) {
	for _, q := range set.questions {
		ranked := rank(q[1])
		n, ap := scoreRanking(ranked[:min(len(ranked), 100)], set.grades[q[0]])
		ndcg += n / float64(len(set.questions))
		meanAP += ap / float64(len(set.questions))
	}
	return ndcg, meanAP
}

func scoreRanking(ranked []string, grades map[string]float64) (ndcg, ap float64) {
	var gain, ideal, found float64
	for i, id := range ranked {
		if i < 10 {
			gain += grades[id] / math.Log2(float64(i)+2)
		}
		if grades[id] > 0 {
			found++
			ap += found / float64(i+1)
		}
	}
	var best []float64
	for _, g := range grades {
		best = append(best, g)
	}
	slices.SortFunc(best, func(a, b float64) int { return cmp.Compare(b, a) })
	for i, g := range best[:min(len(best), 10)] {
		ideal += g / math.Log2(float64(i)+2)
	}
	return gain / ideal, ap / float64(len(grades))
}

// The floor is plain BM25 with Porter stemming, as the set's reference gives it.
const (
	floorNDCG = 0.443
	floorMAP  = 0.259
)

func TestRankingOnLabelledSet(t *testing.T) {
	t.Parallel()
	records, set := cysticFibrosis(t), cysticFibrosisQuestions(t)
	ndcg, meanAP := set.measure(rankedBy(t, newIndex(t, records, len(records)).Index, theRules()))
	if ndcg <= floorNDCG || meanAP <= floorMAP {
		t.Errorf("nDCG@10 %.4f and MAP@100 %.4f are not above plain BM25's %.3f and %.3f", ndcg, meanAP, floorNDCG, floorMAP)
	}
	t.Logf("nDCG@10 %.4f, MAP@100 %.4f", ndcg, meanAP)
}

// BenchmarkRankingOnLabelledSet prints what other rules would give, as a table of docs/BENCHMARKS.md.
func BenchmarkRankingOnLabelledSet(b *testing.B) {
	records, set := cysticFibrosis(b), cysticFibrosisQuestions(b)
	ix := newIndex(b, records, len(records))
	var table strings.Builder
	add := func(name string, rank func(string) []string) {
		ndcg, meanAP := set.measure(rank)
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
		len(set.questions), table.String())
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
	out := []rankingVariant{{"**BM25F with feedback (in use)**", theRules()}}
	add := func(name string, change func(*rules)) {
		r := theRules()
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
