package llm

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
)

// judges are ways of judging: what score a paper gets, by its place in the request. on says whether it is on the
// examination's question.
var judges = []struct {
	name  string
	score func(articles []article, on func(article) bool) []int
	fails string // what it fails the examination for; empty: it passes
}{
	{"honest", func(articles []article, on func(article) bool) []int {
		return scoresOf(articles, func(_ int, a article) int { return map[bool]int{true: 8, false: 1}[on(a)] })
	}, ""},
	{"honest, by kinds of study", func(articles []article, on func(article) bool) []int {
		return scoresOf(articles, func(_ int, a article) int {
			return map[bool]int{true: 7 + len(a.Types[0])%4, false: 2}[on(a)]
		})
	}, ""},
	{"severe", func(articles []article, on func(article) bool) []int {
		return scoresOf(articles, func(_ int, a article) int { return map[bool]int{true: 5, false: 0}[on(a)] })
	}, ""},
	{"constant 7", func(articles []article, _ func(article) bool) []int {
		return scoresOf(articles, func(int, article) int { return 7 })
	}, "it gives every paper 7"},
	{"constant 10", func(articles []article, _ func(article) bool) []int {
		return scoresOf(articles, func(int, article) int { return 10 })
	}, "it gives every paper 10"},
	{"constant 0", func(articles []article, _ func(article) bool) []int {
		return scoresOf(articles, func(int, article) int { return 0 })
	}, "it gives every paper 0"},
	{"rotated ids", func(articles []article, on func(article) bool) []int {
		return scoresOf(articles, func(i int, _ article) int {
			return map[bool]int{true: 8, false: 1}[on(articles[(i+1)%len(articles)])]
		})
	}, "it mixes papers up"},
	{"reversed ids", func(articles []article, on func(article) bool) []int {
		return scoresOf(articles, func(i int, _ article) int {
			return map[bool]int{true: 8, false: 1}[on(articles[len(articles)-1-i])]
		})
	}, "it mixes papers up"},
	{"the first best", func(articles []article, _ func(article) bool) []int {
		return scoresOf(articles, func(i int, _ article) int { return max(0, 10-2*i) })
	}, "it contradicts itself"},
	{"random", func(articles []article, _ func(article) bool) []int {
		source := rand.New(rand.NewPCG(1, uint64(articles[0].ID[len(articles[0].ID)-1])))
		return scoresOf(articles, func(int, article) int { return source.IntN(11) })
	}, "it contradicts itself"},
	{"generous", func(articles []article, on func(article) bool) []int {
		return scoresOf(articles, func(_ int, a article) int { return map[bool]int{true: 8, false: 7}[on(a)] })
	}, "it hardly tells"},
}

func scoresOf(articles []article, score func(int, article) int) []int {
	out := make([]int, len(articles))
	for i, a := range articles {
		out[i] = score(i, a)
	}
	return out
}

// replies answers a request with the scores that a judge gives.
func replies(articles []article, scores []int) string {
	var items []string
	for i, a := range articles {
		item := verdictOn(a.ID, scores[i])
		if scores[i] < 5 {
			item = strings.Replace(item, `"is_relevant":true`, `"is_relevant":false`, 1)
		}
		items = append(items, item)
	}
	return assessments(items...)
}

// TestJudgesAreExamined: what fails is asked about no paper, says why, and is examined once a run.
func TestJudgesAreExamined(t *testing.T) {
	for _, tc := range judges {
		t.Run(tc.name, func(t *testing.T) {
			e := newEndpoint(t, func(_ int, s sent) answer {
				articles := s.articles(t)
				if len(articles) == 0 {
					return says(goodQuery) // the doctor has a query planned
				}
				on := func(a article) bool { return strings.Contains(a.Title, "KRAS G12C") }
				return says(replies(articles, tc.score(articles, on)))
			})
			j := NewJudge(e.client(), 20)
			for range 2 {
				judged := 0
				err := j.Judge(t.Context(), "KRAS G12C colorectal cancer", papers(4), func(batch []evidence.Assessment) error {
					judged += len(batch)
					return nil
				})
				if tc.fails == "" {
					if err != nil || judged != 4 {
						t.Errorf("%d judged: %v", judged, err)
					}
					continue
				}
				if kindOf(err) != Unfit || !strings.Contains(err.Error(), tc.fails) || judged != 0 {
					t.Errorf("%d judged: %v", judged, err)
				}
			}
			if want := map[bool]int{true: 4, false: 2}[tc.fails == ""]; e.count() != want {
				t.Errorf("%d calls, want %d", e.count(), want)
			}
			checks := e.client().Doctor(t.Context(), true)
			if last := checks[len(checks)-1]; last.Name == "judge" && (last.Verdict == Good) != (tc.fails == "") {
				t.Errorf("the doctor says %+v", last)
			}
		})
	}
}

// TestAnExaminationThatCannotBeHeld is no failed one: the endpoint is asked again.
func TestAnExaminationThatCannotBeHeld(t *testing.T) {
	e := newEndpoint(t, func(n int, s sent) answer {
		if n <= 4 {
			return status(503, "loading")
		}
		articles := s.articles(t)
		return says(replies(articles, scoresOf(articles, func(_ int, a article) int {
			return map[bool]int{true: 8, false: 1}[strings.Contains(a.Title, "KRAS")]
		})))
	})
	j := NewJudge(e.client(), 20)
	for i, want := range []Kind{Unreachable, ""} {
		if err := j.Judge(t.Context(), "q", papers(1), func([]evidence.Assessment) error { return nil }); kindOf(err) != want {
			t.Errorf("%d: %v, want %q", i, err, want)
		}
	}
}

// TestAnExaminationHoldsForTheDay: the programs of a machine share that a judge has passed, and not that it failed.
func TestAnExaminationHoldsForTheDay(t *testing.T) {
	score := 1
	e := newEndpoint(t, func(_ int, s sent) answer {
		articles := s.articles(t)
		return says(replies(articles, scoresOf(articles, func(_ int, a article) int {
			return map[bool]int{true: 8, false: score}[strings.Contains(a.Title, "KRAS")]
		})))
	})
	clock := fetchtest.NewClock()
	file := fetch.Shared{Dir: t.TempDir(), Name: "examined-judges", Clock: clock}
	for _, step := range []struct {
		name   string
		passes time.Duration
		off    int // what papers on something else get
		model  string
		calls  int
		kind   Kind
	}{
		{"the night", 0, 1, "a", 3, ""},
		{"a question by day", 9 * time.Hour, 8, "a", 1, ""},
		{"of another model", 0, 1, "b", 3, ""},
		{"the next night", 15 * time.Hour, 8, "a", 2, Unfit},
		{"the day after it", time.Hour, 8, "a", 2, Unfit},
	} {
		if err := clock.Sleep(t.Context(), step.passes); err != nil {
			t.Fatal(err)
		}
		score = step.off
		j := NewJudge(e.client(func(o *Options) { o.Model = step.model }), 20)
		j.RememberIn(file)
		before := e.count()
		err := j.Judge(t.Context(), "q", papers(2), func([]evidence.Assessment) error { return nil })
		if kindOf(err) != step.kind || e.count()-before != step.calls {
			t.Errorf("%s: %d calls, want %d: %v", step.name, e.count()-before, step.calls, err)
		}
	}
}

// The examination's papers are invented, and those on the question differ from the others.
func TestTheExaminationsPapers(t *testing.T) {
	e, err := readExamination()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range e.records {
		ids = append(ids, r.ID)
		if !strings.HasPrefix(r.ID, "PMID:9999") || r.Title == "" || !strings.Contains(r.AbstractText(), "invented") ||
			e.fits[r.ID] != strings.Contains(r.Title, "KRAS G12C") {
			t.Errorf("%s: %q", r.ID, r.Title)
		}
	}
	for _, order := range e.Orders {
		places := slices.Sorted(slices.Values(order))
		if fmt.Sprint(places) != "[0 1 2 3 4 5]" || len(ids) != 6 || slices.Equal(order, places) {
			t.Errorf("the order %v of %v", order, ids)
		}
	}
	if text, _ := json.Marshal(e); len(text) > 4000 {
		t.Errorf("an examination of %d bytes", len(text))
	}
}
