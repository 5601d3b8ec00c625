package pipeline

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/source"
)

// script answers each query by its text: hits, dropped phrases, or an error for a text that it does not know.
type script struct {
	hits    map[string]int
	dropped map[string][]string
	asked   []string
}

func (s *script) ask(_ context.Context, q source.Query) (evidence.SourceName, source.Result, error) {
	text := boolean.Print(q.Node)
	s.asked = append(s.asked, text)
	hits, ok := s.hits[text]
	if !ok {
		return "", source.Result{}, errors.New("no answer to " + text)
	}
	return evidence.SourcePubMed, source.Result{Query: text, Total: hits, Dropped: s.dropped[text]}, nil
}

const question = "KRAS G12C unheardofinib"

// texts of the layers of question.
var (
	layer1 = boolean.Query{Groups: dictionary()[question][1]}.String()
	layer2 = boolean.Query{Groups: dictionary()[question][2]}.String()
	layer4 = boolean.Query{Groups: dictionary()[question][4]}.String()
)

func TestMakePlanLayers(t *testing.T) {
	tests := []struct {
		name    string
		hits    map[string]int
		dropped map[string][]string
		minHits int
		layer   int
		failed  []int // layers
		why     string
	}{
		{"the first layer that finds anything", map[string]int{layer1: 2}, nil, 1, 1, nil, ""},
		{"broader when nothing is found", map[string]int{layer1: 0, layer2: 3}, nil, 1, 2, []int{1}, "found 0, fewer than 1"},
		{"a missing layer is passed over", map[string]int{layer1: 0, layer2: 0, layer4: 9}, nil, 1, 4, []int{1, 2}, "found 0"},
		{"min_hits asks for breadth", map[string]int{layer1: 2, layer2: 5}, nil, 5, 2, []int{1}, "found 2, fewer than 5"},
		{"no layer finds enough: the one that found most", map[string]int{layer1: 1, layer2: 4, layer4: 4}, nil, 9, 2, []int{1, 4}, "fewer than 9"},
		{"no layer finds enough: a broader one that finds nothing is no better", map[string]int{layer1: 2, layer2: 0, layer4: 0}, nil, 9, 1, []int{2, 4}, "found 0"},
		{"nothing anywhere: the broadest", map[string]int{layer1: 0, layer2: 0, layer4: 0}, nil, 1, 4, []int{1, 2}, "found 0"},
		{
			"a dropped phrase fails the query", map[string]int{layer1: 5000, layer2: 5000, layer4: 7},
			map[string][]string{layer1: {"unheardofinib"}, layer2: {"unheardofinib", "XX1"}}, 1, 4, []int{1, 2}, "unheardofinib",
		},
		{
			"unless it is one synonym among others that were found", map[string]int{layer1: 0, layer2: 3},
			map[string][]string{layer2: {"XX1"}}, 1, 2, []int{1}, "found 0",
		},
		{
			"a dropped phrase that is none of ours fails it too", map[string]int{layer1: 4, layer2: 3},
			map[string][]string{layer1: {"something else"}}, 1, 2, []int{1}, "something else",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			settings := DefaultSettings()
			settings.MinHits = tt.minHits
			s := &script{hits: tt.hits, dropped: tt.dropped}
			plan, err := MakePlan(t.Context(), PlanRequest{Topic: topicOn(question), Settings: settings, Now: tonight}, RulesPlanner{dictionary()}, s.ask)
			if err != nil {
				t.Fatal(err)
			}
			if plan.Accepted.Layer != tt.layer || plan.Accepted.By != "rules" || !plan.Accepted.Accepted.Equal(tonight) {
				t.Errorf("accepted %+v, want layer %d by rules", plan.Accepted, tt.layer)
			}
			var failed []int
			for _, f := range plan.Accepted.Failed {
				failed = append(failed, f.Layer)
			}
			if diff := cmp.Diff(tt.failed, failed); diff != "" {
				t.Errorf("failed layers (-want +got):\n%s", diff)
			}
			if tt.why != "" && !strings.Contains(plan.Accepted.Failed[0].Reason, tt.why) {
				t.Errorf("reason %q, want %q in it", plan.Accepted.Failed[0].Reason, tt.why)
			}
			if plan.Query.From != "2016-03-01" || plan.Query.To != "2026-03-01" || plan.Query.Limit != 200 {
				t.Errorf("window %s to %s, limit %d", plan.Query.From, plan.Query.To, plan.Query.Limit)
			}
		})
	}
}

func TestPlanOfDroppedPhrasesOnlyIsUnusable(t *testing.T) {
	s := &script{hits: map[string]int{layer1: 9, layer2: 9, layer4: 9}, dropped: map[string][]string{
		layer1: {"unheardofinib"}, layer2: {"KRAS G12C"}, layer4: {"KRAS G12C"},
	}}
	plan, err := MakePlan(t.Context(), PlanRequest{Topic: topicOn(question), Settings: DefaultSettings(), Now: tonight}, RulesPlanner{dictionary()}, s.ask)
	if err != nil || plan.Unusable == "" {
		t.Errorf("unusable %q, error %v; the source's answer is to another query", plan.Unusable, err)
	}
}

func TestModelSeesTheFailedQueries(t *testing.T) {
	var seen [][]evidence.FailedQuery
	planner := planFunc(func(n int, failed []evidence.FailedQuery) (boolean.Query, bool, error) {
		seen = append(seen, failed)
		return boolean.Query{Layer: n, Groups: dictionary()[question][n]}, n < 3, nil
	})
	s := &script{hits: map[string]int{layer1: 0, layer2: 1}}
	if _, err := MakePlan(t.Context(), PlanRequest{Topic: topicOn(question), Settings: DefaultSettings(), Now: tonight}, planner, s.ask); err != nil {
		t.Fatal(err)
	}
	want := [][]evidence.FailedQuery{nil, {{Layer: 1, Text: layer1, Reason: "found 0, fewer than 1"}}}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

type planFunc func(n int, failed []evidence.FailedQuery) (boolean.Query, bool, error)

func (planFunc) Name() string                    { return "model" }
func (planFunc) Readable(q string) string        { return q }
func (planFunc) Concepts(string) []boolean.Group { return nil }
func (f planFunc) Layer(_ context.Context, _ string, n int, failed []evidence.FailedQuery) (boolean.Query, bool, error) {
	return f(n, failed)
}

func TestMakePlanByHand(t *testing.T) {
	const text = `"KRAS G12C"[tiab] AND (sotorasib[tiab] OR AMG510[tiab])`
	node, err := boolean.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	printed := boolean.Print(node)
	tests := []struct {
		name, query string
		dropped     []string
		wantErr     string
	}{
		{"replaces the step", text, nil, ""},
		{"a dropped synonym does no harm", text, []string{"AMG510"}, ""},
		{"a dropped phrase that all hangs on is an error", text, []string{"KRAS G12C"}, "KRAS G12C"},
		{"a mistake names its position", `"KRAS G12C"[tiab] AND (`, nil, "reading the query of topic"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			topic := topicOn(question)
			topic.Query = tt.query
			s := &script{hits: map[string]int{printed: 3}, dropped: map[string][]string{printed: tt.dropped}}
			previous := evidence.AcceptedQuery{Text: "old[tiab]", By: ByRules, Accepted: tonight}
			plan, err := MakePlan(t.Context(), PlanRequest{Topic: topic, Previous: previous, Settings: DefaultSettings(), Now: tonight}, RulesPlanner{dictionary()}, s.ask)
			if tt.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
					t.Errorf("error %v, want %q in it", err, tt.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := evidence.AcceptedQuery{Text: printed, By: ByHand, Accepted: tonight}
			if diff := cmp.Diff(want, plan.Accepted); diff != "" || plan.Query.Groups != nil {
				t.Errorf("groups %v, accepted (-want +got):\n%s", plan.Query.Groups, diff)
			}
		})
	}
}

func TestSyntaxErrorsOfAQueryByHandCanBeTold(t *testing.T) {
	topic := topicOn(question)
	topic.Query = "a AND ("
	_, err := MakePlan(t.Context(), PlanRequest{Topic: topic, Now: tonight}, RulesPlanner{dictionary()}, (&script{}).ask)
	if syntax := (*boolean.SyntaxError)(nil); !errors.As(err, &syntax) {
		t.Errorf("%v holds no *boolean.SyntaxError", err)
	}
}

func TestMakePlanReusesTheAcceptedQuery(t *testing.T) {
	accepted := func(age time.Duration) evidence.AcceptedQuery {
		return evidence.AcceptedQuery{
			Text: layer2, Layer: 2, By: ByRules, Accepted: tonight.Add(-age), Concepts: []string{"gene_variant", "drug"},
			Failed: []evidence.FailedQuery{{Layer: 1, Text: layer1, Reason: "found 0, fewer than 1"}},
		}
	}
	tests := []struct {
		name     string
		previous evidence.AcceptedQuery
		hits     map[string]int
		asked    []string
		layer    int
	}{
		{"while it is fresh", accepted(29 * 24 * time.Hour), map[string]int{layer2: 1}, []string{layer2}, 2},
		{"not after replan_after", accepted(30 * 24 * time.Hour), map[string]int{layer1: 1}, []string{layer1}, 1},
		{"not when it finds nothing any more", accepted(time.Hour), map[string]int{layer1: 1, layer2: 0}, []string{layer2, layer1}, 1},
		{"not when it can't be read", evidence.AcceptedQuery{Text: "((", By: ByRules, Accepted: tonight}, map[string]int{layer1: 1}, []string{layer1}, 1},
		{"not one written by hand that the topic no longer has", evidence.AcceptedQuery{Text: "x[tiab]", By: ByHand, Accepted: tonight}, map[string]int{layer1: 1}, []string{layer1}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &script{hits: tt.hits}
			plan, err := MakePlan(t.Context(), PlanRequest{Topic: topicOn(question), Previous: tt.previous, Settings: DefaultSettings(), Now: tonight}, RulesPlanner{dictionary()}, s.ask)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.asked, s.asked); diff != "" || plan.Accepted.Layer != tt.layer {
				t.Errorf("layer %d, want %d; asked (-want +got):\n%s", plan.Accepted.Layer, tt.layer, diff)
			}
			if tt.layer == 2 {
				if diff := cmp.Diff(tt.previous, plan.Accepted); diff != "" {
					t.Errorf("it must stay as it was accepted (-want +got):\n%s", diff)
				}
				want := dictionary()[question][2]
				if diff := cmp.Diff(want, plan.Query.Groups, cmpopts.IgnoreFields(boolean.Term{}, "Pos", "Quoted")); diff != "" {
					t.Errorf("its concepts are known again (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestChineseIsDroppedWhereNoModelReadsIt(t *testing.T) {
	s := &script{hits: map[string]int{layer1: 1}}
	topic := topicOn(question)
	topic.Question = "KRAS G12C 结直肠癌，unheardofinib 耐药"
	plan, err := MakePlan(t.Context(), PlanRequest{Topic: topic, Settings: DefaultSettings(), Now: tonight}, RulesPlanner{dictionary()}, s.ask)
	if err != nil || plan.Accepted.Text != layer1 {
		t.Errorf("planned %q, %v; want %q", plan.Accepted.Text, err, layer1)
	}
	topic.Question = "结直肠癌"
	if _, err := MakePlan(t.Context(), PlanRequest{Topic: topic, Now: tonight}, RulesPlanner{dictionary()}, s.ask); !errors.Is(err, ErrUnreadable) {
		t.Errorf("error %v, want ErrUnreadable", err)
	}
}

func TestDeciderAsksPubMedFirstAndGoesOn(t *testing.T) {
	node, _ := boolean.Parse("KRAS[tiab]")
	pubmed := &fakeSource{name: evidence.SourcePubMed, searchErr: unreachable(evidence.SourcePubMed)}
	europe := &fakeSource{name: evidence.SourceEuropePMC}
	registry := &fakeSource{name: evidence.SourceClinicalTrials}
	topic := topicOn("x", evidence.SourceClinicalTrials, evidence.SourceEuropePMC, evidence.SourcePubMed)
	d := newDecider([]Source{registry, europe, pubmed}, topic, DefaultSettings(), false)
	for range 2 {
		name, _, err := d.ask(t.Context(), source.Query{Node: node})
		if err != nil || name != evidence.SourceEuropePMC {
			t.Fatalf("%s decided (%v), want europepmc", name, err)
		}
	}
	if len(pubmed.searches) != 1 || len(registry.searches) != 0 {
		t.Errorf("pubmed was asked %d times, the registry %d; a source that failed is not asked again", len(pubmed.searches), len(registry.searches))
	}
}

func TestDeciderWithoutAnyAnswer(t *testing.T) {
	pubmed := &fakeSource{name: evidence.SourcePubMed, searchErr: unreachable(evidence.SourcePubMed)}
	for name, offline := range map[string]bool{"all fail": false, "offline": true} {
		t.Run(name, func(t *testing.T) {
			d := newDecider([]Source{pubmed}, topicOn("x"), DefaultSettings(), offline)
			if _, _, err := d.ask(t.Context(), source.Query{Node: boolean.Phrase("x", "tiab")}); !errors.Is(err, ErrNoSource) {
				t.Errorf("error %v, want ErrNoSource", err)
			}
		})
	}
}
