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
	"dossier/internal/fulltext/corpustest"
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
	records := corpustest.Records(400)
	want := rankings(t, newIndex(t, records, 400))
	if len(want["colon cancer"]) < 2*FeedbackMinimum {
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
			others := corpustest.NewMaker(99)
			drafts := make([]evidence.Record, 600)
			for i := range drafts {
				drafts[i] = others.Record(i)
			}
			ix := newIndex(t, drafts, 150)
			ix.record = corpustest.LookupIn(records)
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

// The golden file shows in review what a change does to the ranking of a small corpus.
func TestRankingGolden(t *testing.T) {
	ix := newIndex(t, corpustest.Records(200), 200)
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
