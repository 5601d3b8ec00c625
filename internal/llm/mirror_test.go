package llm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fetch/fetchtest"
	"dossier/internal/lexicon"
	"dossier/internal/llm"
	"dossier/internal/pipeline"
	"dossier/internal/source/sourcetest"
)

// The pipeline's interfaces are met without knowing them.
var (
	_ pipeline.Judge   = (*llm.Judge)(nil)
	_ pipeline.Planner = (*llm.Planner)(nil)
	_ pipeline.Meter   = (*llm.Meter)(nil)
	_ llm.Rules        = pipeline.RulesPlanner{}
)

const question = "KRAS G12C colorectal cancer resistance"

// studies are n records of several kinds, every fifth without an abstract.
func studies(from, n int) []evidence.Record {
	kinds := []string{"A randomised trial of sotorasib", "Case report of adagrasib", "A review of resistance",
		"Cell line models", "A cohort"}
	out := make([]evidence.Record, n)
	for i := range out {
		id := fmt.Sprint(1000 + from + i)
		out[i] = evidence.Record{
			ID: "PMID:" + id, Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: id}},
			Title: fmt.Sprintf("%s in KRAS G12C colorectal cancer, number %s", kinds[i%len(kinds)], id),
		}
		if i%5 != 4 {
			out[i].Abstract = []evidence.Section{{Text: "Resistance was seen in patients. The response was partial."}}
		}
	}
	return out
}

// wire is a transport that sees which records each call is about.
type wire struct {
	mu     sync.Mutex
	calls  int
	judged map[string]bool
	again  []string // records that were asked about though they had been judged
}

func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	var sent struct {
		Messages []struct{ Content string }
	}
	var doc struct{ Articles []struct{ ID string } }
	if err = json.Unmarshal(body, &sent); err == nil {
		err = json.Unmarshal([]byte(sent.Messages[len(sent.Messages)-1].Content), &doc)
	}
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.calls++
	for _, a := range doc.Articles {
		if w.judged[a.ID] {
			w.again = append(w.again, a.ID)
		}
	}
	w.mu.Unlock()
	return http.DefaultTransport.RoundTrip(req)
}

// screener screens against a mirror and keeps the judgements.
type screener struct {
	*wire
	judge *llm.Judge
	meter *llm.Meter
	store *pipeline.Overlay
}

func newScreener(mirror string, timeout time.Duration) *screener {
	s := &screener{wire: &wire{judged: map[string]bool{}}, meter: llm.NewMeter(0, llm.Prices{}, nil),
		store: pipeline.NewOverlay(nil)}
	client := llm.New(llm.Options{
		BaseURL: mirror + "/v1", Model: "overlap", Timeout: timeout, Clock: fetchtest.NewClock(), Transport: s.wire,
		Meter: s.meter,
	})
	s.judge = llm.NewJudge(client, 20)
	return s
}

func (s *screener) screen(t *testing.T, records []evidence.Record) pipeline.Screening {
	t.Helper()
	dictionary, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	asked := dictionary.Understand(question)
	got, err := pipeline.Screen(t.Context(), pipeline.ScreenRequest{
		Question: pipeline.Question{Text: question, Fit: dictionary.Matcher(&asked).Fit},
		Records:  records, PassScore: 5, Judge: s.judge, Known: s.store.Judgement, Now: time.Now,
		Keep: func(made []evidence.Judgement) error {
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, j := range made {
				s.judged[j.Assessment.Record] = true
			}
			return s.store.Commit(context.Background(), evidence.Batch{Judgements: made})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestMirrorWithEveryFault is the worst night: half of the replies are spoilt, in every way that the mirror knows.
func TestMirrorWithEveryFault(t *testing.T) {
	mirror := sourcetest.StartMirror(t, nil, "-llm-fault-rate", "0.5", "-llm-slow", "3s",
		"-llm-faults", "fence,prose,truncate,missing,unknown-id,out-of-range,bad-type,429,500,empty,slow")
	s := newScreener(mirror, 2*time.Second)
	records := studies(0, 200)
	got := s.screen(t, records)
	if len(got.Assessments) != len(records) || len(got.Errors) > 0 {
		t.Fatalf("%d assessments of %d records, errors %v", len(got.Assessments), len(records), got.Errors)
	}
	byModel := 0
	for _, a := range got.Assessments {
		switch {
		case a.ScoreSource == evidence.ScoreLLM:
			byModel++
		case a.ScoreSource != evidence.ScoreRules:
			t.Errorf("%s has a score by %q", a.Record, a.ScoreSource)
		}
		if a.Score < 0 || a.Score > 10 || a.BucketSource == "" || a.Bucket == "" {
			t.Errorf("%+v", a)
		}
	}
	if byModel < len(records)/2 {
		t.Errorf("the model judged %d of %d", byModel, len(records))
	}
	if len(s.again) > 0 {
		t.Errorf("paid for twice: %v", s.again)
	}
	t.Logf("%d of %d by the model, the others by rules, in %d calls: %+v", byModel, len(records), s.calls, s.meter.Total())
}

func TestMirror(t *testing.T) {
	mirror := sourcetest.StartMirror(t, nil)
	t.Run("second night", func(t *testing.T) { testSecondNight(t, mirror) })
	t.Run("plans", func(t *testing.T) { testPlans(t, mirror) })
}

func testSecondNight(t *testing.T, mirror string) {
	s := newScreener(mirror, 30*time.Second)
	records := studies(0, 200)
	first := s.screen(t, records)
	if s.calls != 12 || slices.ContainsFunc(first.Assessments, func(a evidence.Assessment) bool {
		return a.ScoreSource != evidence.ScoreLLM
	}) {
		t.Fatalf("the first night took %d calls", s.calls)
	}
	s.screen(t, records)
	if s.calls != 12 {
		t.Errorf("the second night over the same data took %d calls", s.calls-12)
	}
	s.screen(t, append(records, studies(200, 5)...))
	if s.calls != 13 || len(s.again) > 0 {
		t.Errorf("five new papers took %d calls; asked again about %v", s.calls-12, s.again)
	}
}

func testPlans(t *testing.T, mirror string) {
	client := llm.New(llm.Options{BaseURL: mirror + "/v1", Model: "overlap"})
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	planner := llm.NewPlanner(client, pipeline.RulesPlanner{Dictionary: words}, (*lexicon.Question).Wording)
	asked := words.Understand("EGFR L858R lung cancer resistance to osimertinib")
	var failed []evidence.FailedQuery
	for n := 1; n <= 3; n++ {
		q, ok, err := planner.Layer(t.Context(), &asked, n, failed)
		if err != nil || !ok || q.By == pipeline.ByRules {
			t.Fatalf("layer %d by %q: %v, %v", n, q.By, ok, err)
		}
		failed = append(failed, evidence.FailedQuery{Layer: n, Text: q.String(), Reason: "found 0, fewer than 1"})
	}
	for _, check := range client.Doctor(t.Context(), true) {
		if check.Verdict != llm.Good {
			t.Errorf("%+v", check)
		}
	}
}
