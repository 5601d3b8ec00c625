package fulltexttest

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/corpustest"
	"dossier/internal/fulltext/segments"
)

func (e Engine) testPlainWords(t *testing.T) {
	t.Run("what is found first", e.testFoundFirst)
	t.Run("the same however it was built", e.testHowItWasBuilt)
	t.Run("pages are one ranking", e.testPages)
	t.Run("labelled set", e.testLabelledSet)
}

func (e Engine) testFoundFirst(t *testing.T) {
	const filler = " We report what was seen in the clinic over some years in a large number of people."
	records := []evidence.Record{
		paper("both", "A cohort", "Sotorasib met adagrasib here."+filler),
		paper("one", "A cohort", "Sotorasib met nothing here."+filler),
		paper("title", "Osimertinib", "A drug was given here."+filler),
		paper("abstract", "A drug", "Osimertinib was given here."+filler),
		paper("common 1", "A cohort", "The tumour was seen here."+filler),
		paper("common 2", "A cohort", "The tumour was seen here."+filler),
		paper("common 3", "A cohort", "The tumour was seen here."+filler),
		paper("rare", "A cohort", "The chordoma was seen here."+filler),
		paper("plural", "Metastases of the brain", ""),
		paper("keyword", "Untitled", ""),
		paper("heading", "Untitled", ""),
		paper("her2", "HER-2 status", ""),
		paper("beta", "β-Catenin in Müller cells", ""),
	}
	records[9].Keywords = []string{"radiomics"}
	records[10].MeSH = []evidence.Heading{{Name: "Thymoma"}}

	ix := e.of(t, records, 100)
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"any word counts, more words count more", "sotorasib adagrasib", []string{"both", "one"}},
		{"title above abstract", "osimertinib", []string{"title", "abstract"}},
		{"rarer words count more, equal scores by id", "tumour chordoma", []string{"rare", "common 1", "common 2",
			"common 3"}},
		{"English endings are cut", "brains", []string{"plural"}},
		{"so are Greek ones", "metastasis", []string{"plural"}},
		{"keywords are looked in", "radiomics", []string{"keyword"}},
		{"headings are looked in", "thymomas", []string{"heading"}},
		{"case, hyphens and accents make no difference", "her 2", []string{"her2"}},
		{"Greek letters are their names", "BETA catenin", []string{"beta"}},
		{"question words say nothing", "What is the role of radiomics in this?", []string{"keyword"}},
		{"only question words find nothing", "what is it", []string{}},
		{"unknown words find nothing", "xyzzy", []string{}},
		{"punctuation alone finds nothing", "?!", []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ids(search(t, ix, fulltext.Request{Text: c.text, Limit: 10}).Hits)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

// questions are asked of made-up records.
var questions = []string{"colon cancer", "KRAS G12C resistance sotorasib",
	"immunotherapies in lung carcinoma with PD-L1", "randomised trial survival", "β-catenin", "cancer"}

// rankings are all hits of every question.
func (e Engine) rankings(t *testing.T, ix Index, records []evidence.Record) map[string][]fulltext.Hit {
	t.Helper()

	out := map[string][]fulltext.Hit{}
	for _, q := range questions {
		out[q] = search(t, ix, fulltext.Request{Text: q, Limit: 1000, Record: corpustest.LookupIn(records)}).Hits

		if e.ExactScores {
			continue
		}

		for i := range out[q] {
			out[q][i].Score = math.Round(out[q][i].Score*1e4) / 1e4
		}
	}
	return out
}

func (e Engine) testHowItWasBuilt(t *testing.T) {
	records := corpustest.Records(400)

	want := e.rankings(t, e.of(t, records, 400), records)
	if len(want["colon cancer"]) < 100 {
		t.Fatal("too few hits to bring feedback in; the test says little")
	}

	for name, build := range map[string]func(*testing.T) Index{
		"in many batches": func(t *testing.T) Index { return e.of(t, records, 30) },
		"backwards": func(t *testing.T) Index {
			backwards := slices.Clone(records)
			slices.Reverse(backwards)
			return e.of(t, backwards, 90)
		},
		"with records changed and deleted on the way": func(t *testing.T) Index { return e.afterDrafts(t, records) },
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(want, e.rankings(t, build(t), records)); diff != "" {
				t.Errorf("rankings differ (-built at once, +built otherwise):\n%s", diff)
			}
		})
	}
}

// afterDrafts holds other records first, of which none is left.
func (e Engine) afterDrafts(t *testing.T, records []evidence.Record) Index {
	t.Helper()
	others := corpustest.NewMaker(99)

	drafts := make([]evidence.Record, len(records)+200)
	for i := range drafts {
		drafts[i] = others.Record(i)
	}
	ix := e.of(t, drafts, 150)

	ops := opsOf(records)
	for _, d := range drafts[len(records):] {
		ops = append(ops, segments.Op{ID: d.ID})
	}

	for part := range slices.Chunk(ops, 77) {
		apply(t, ix, part, 1)
	}
	merge(t, ix)
	return ix
}

func (e Engine) testPages(t *testing.T) {
	records := madeUp()

	ix := e.of(t, records, 100)
	for _, sort := range []fulltext.Sort{fulltext.ByRelevance, fulltext.ByNewest, fulltext.ByID, fulltext.ByCitations} {
		t.Run(string(sort), func(t *testing.T) {
			req := fulltext.Request{Text: "colon cancer survival", Sort: sort, Limit: 1000, Record: corpustest.LookupIn(records)}
			whole := search(t, ix, req).Hits

			var pages []fulltext.Hit
			for req.Offset, req.Limit = 0, 37; req.Offset < len(whole); req.Offset += 37 {
				pages = append(pages, search(t, ix, req).Hits...)
			}

			if diff := cmp.Diff(whole, pages); diff != "" || len(whole) < 100 {
				t.Errorf("the pages are not the whole of %d (-whole +pages):\n%s", len(whole), diff)
			}
		})
	}
}

func (e Engine) testLabelledSet(t *testing.T) {
	records, set := corpustest.CysticFibrosis(t), corpustest.CysticFibrosisQuestions(t)
	ix := e.of(t, records, len(records))
	ndcg, meanAP := set.Measure(func(text string) []string {
		return ids(search(t, ix, fulltext.Request{Text: text, Limit: 100, Record: corpustest.LookupIn(records)}).Hits)
	})
	t.Logf("nDCG@10 %.4f, MAP@100 %.4f", ndcg, meanAP)

	if ndcg < e.NDCG {
		t.Errorf("nDCG@10 is %.4f, and must be %.4f at least", ndcg, e.NDCG)
	}
}
