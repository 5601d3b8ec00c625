package fulltext

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/fields"
	"dossier/internal/fulltext/segments"
)

var update = flag.Bool("update", false, "write the golden files anew")

func paper(id, title, abstract string) evidence.Record {
	r := evidence.Record{ID: id, Title: title}
	if abstract != "" {
		r.Abstract = []evidence.Section{{Text: abstract}}
	}
	return r
}

func TestPlainWords(t *testing.T) {
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
	ix := newIndex(t, records, 100)
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
		{"only question words find nothing", "what is it", nil},
		{"unknown words find nothing", "xyzzy", nil},
		{"punctuation alone finds nothing", "?!", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ids(search(t, ix, Request{Text: c.text, Limit: 10}).Hits)
			if diff := cmp.Diff(c.want, slices.Clip(append([]string(nil), got...))); diff != "" {
				t.Errorf("%q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

// rankingQuestions are asked of made-up records.
var rankingQuestions = []string{"colon cancer", "KRAS G12C resistance sotorasib",
	"immunotherapies in lung carcinoma with PD-L1",
	"randomised trial survival", "β-catenin", "cancer"}

// rankings are all hits of every question, with their scores to the last digit.
func rankings(t *testing.T, ix searchable) map[string][]Hit {
	t.Helper()
	out := map[string][]Hit{}
	for _, q := range rankingQuestions {
		out[q] = search(t, ix, Request{Text: q, Limit: 1000}).Hits
	}
	return out
}

func TestScoresDoNotDependOnHowTheIndexWasBuilt(t *testing.T) {
	t.Parallel()
	records := madeUpRecords(400)
	want := rankings(t, newIndex(t, records, 400))
	if len(want["colon cancer"]) < 2*feedbackMinimum {
		t.Fatal("too few hits to bring feedback in; the test says little")
	}
	for name, build := range map[string]func(*testing.T) written{
		"in many batches": func(t *testing.T) written { return newIndex(t, records, 30) },
		"backwards": func(t *testing.T) written {
			backwards := slices.Clone(records)
			slices.Reverse(backwards)
			return newIndex(t, backwards, 90)
		},
		"merged": func(t *testing.T) written {
			ix := newIndex(t, records, 50)
			if err := ix.Merge(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			if n := sizesOf(t, ix); len(n) != 1 {
				t.Errorf("%d segments after Merge, want 1", n)
			}
			return ix
		},
		"with records changed and deleted on the way": func(t *testing.T) written {
			others := newMaker(99)
			drafts := make([]evidence.Record, 600)
			for i := range drafts {
				drafts[i] = others.record(i)
			}
			ix := newIndex(t, drafts, 150)
			ix.record = lookupIn(records)
			ops := opsOf(records)
			for _, d := range drafts[len(records):] {
				ops = append(ops, segments.Op{ID: d.ID})
			}
			for part := range slices.Chunk(ops, 77) {
				if err := ix.Apply(t.Context(), part, 1); err != nil {
					t.Fatal(err)
				}
			}
			return ix
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, rankings(t, build(t))); diff != "" {
				t.Errorf("rankings differ (-built at once, +built otherwise):\n%s", diff)
			}
		})
	}
}

func TestPagesAreOneRanking(t *testing.T) {
	t.Parallel()
	ix := newIndex(t, madeUpRecords(300), 100)
	for _, sort := range []Sort{ByRelevance, ByNewest, ByID, ByCitations} {
		t.Run(string(sort), func(t *testing.T) {
			req := Request{Text: "colon cancer survival", Sort: sort, Limit: 1000}
			whole := search(t, ix, req).Hits
			var pages []Hit
			for req.Offset, req.Limit = 0, 7; req.Offset < len(whole); req.Offset += 7 {
				pages = append(pages, search(t, ix, req).Hits...)
			}
			if diff := cmp.Diff(whole, pages); diff != "" {
				t.Errorf("the pages are not the whole (-whole +pages):\n%s", diff)
			}
		})
	}
}

// The golden file shows in review what a change does to the ranking of a small corpus.
func TestRankingGolden(t *testing.T) {
	ix := newIndex(t, madeUpRecords(200), 200)
	var got strings.Builder
	for _, q := range rankingQuestions {
		result := search(t, ix, Request{Text: q, Limit: 8})
		fmt.Fprintf(&got, "%s: %d found\n", q, result.Total)
		for _, h := range result.Hits {
			fmt.Fprintf(&got, "  %-10s %.6f\n", h.ID, h.Score)
		}
	}
	path := filepath.Join("testdata", "ranking.golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("the ranking changed; if that is meant, run the test with -update and review (-golden +got):\n%s", diff)
	}
}

func TestAverageLengthIsExact(t *testing.T) {
	ix := newIndex(t, []evidence.Record{
		paper("a", "colon cancer survival", ""), // 3 words
		paper("b", "the cancer", ""),            // 1, for "the" is a stop word
		paper("c", "of the", ""),                // none: not counted
		paper("d", "lung lung", "x"),            // 2
	}, 2)
	if err := ix.Apply(t.Context(), []segments.Op{{ID: "d"}}, 1); err != nil {
		t.Fatal(err)
	}
	err := ix.read(func(s *snapshot) error {
		got, err := s.averageLength(fields.TitleWords)
		if got != 2 {
			t.Errorf("average title length %v, want 2", got)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
