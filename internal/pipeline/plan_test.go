package pipeline

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/source"
)

// script is a source that answers each query by its text: hits, dropped phrases, or an error for a text that it does
// not know.
type script struct {
	name    evidence.SourceName // empty: PubMed
	hits    map[string]int
	dropped map[string][]string
	asked   []string
}

func (s *script) Name() evidence.SourceName { return cmp.Or(s.name, evidence.SourcePubMed) }

func (s *script) Search(_ context.Context, q source.Query) (source.Result, error) {
	text := boolean.Print(q.Node)
	s.asked = append(s.asked, text)
	hits, ok := s.hits[text]
	if !ok {
		return source.Result{}, errors.New("no answer to " + text)
	}
	return source.Result{Query: text, Total: hits, Dropped: s.dropped[text]}, nil
}

func (s *script) Fetch(context.Context, []string) (source.Batch, error) { return source.Batch{}, nil }

// planRequest is for a topic of which nothing is known yet.
func planRequest(topic evidence.Topic) PlanRequest {
	asked := dictionary().Understand(topic.Question)
	return PlanRequest{Topic: topic, Question: &asked, Settings: DefaultSettings(), Now: tonight}
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
		{"a missing layer is passed over", map[string]int{layer1: 0, layer2: 0, layer4: 9}, nil, 1, 4, []int{1, 2},
			"found 0"},
		{"min_hits asks for breadth", map[string]int{layer1: 2, layer2: 5}, nil, 5, 2, []int{1}, "found 2, fewer than 5"},
		{"no layer finds enough: all are asked", map[string]int{layer1: 1, layer2: 4, layer4: 4}, nil, 9, 4,
			[]int{1, 2}, "found 1, fewer than 9"},
		{"nothing anywhere: the broadest", map[string]int{layer1: 0, layer2: 0, layer4: 0}, nil, 1, 4, []int{1, 2},
			"found 0"},
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
			req := planRequest(topicOn(question))
			req.Settings.MinHits = tt.minHits
			s := &script{hits: tt.hits, dropped: tt.dropped}
			plan, err := MakePlan(t.Context(), req, RulesPlanner{dictionary()}, []Source{s})
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
			if diff := gocmp.Diff(tt.failed, failed); diff != "" {
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
	plan, err := MakePlan(t.Context(), planRequest(topicOn(question)), RulesPlanner{dictionary()}, []Source{s})
	if err != nil {
		t.Fatal(err)
	}
	failure := (*source.Error)(nil)
	if answer := plan.Answers[evidence.SourcePubMed]; !errors.As(answer.Err, &failure) ||
		failure.Kind != source.BadQuery || hitsIn(answer) > 0 {
		t.Errorf("%+v; the source's answer is to another query", answer)
	}
}

func TestModelSeesTheFailedQueries(t *testing.T) {
	var seen [][]evidence.FailedQuery
	planner := planFunc(func(n int, failed []evidence.FailedQuery) (boolean.Query, bool, error) {
		seen = append(seen, failed)
		return boolean.Query{Layer: n, Groups: dictionary()[question][n]}, n < 3, nil
	})
	s := &script{hits: map[string]int{layer1: 0, layer2: 1}}
	if _, err := MakePlan(t.Context(), planRequest(topicOn(question)), planner, []Source{s}); err != nil {
		t.Fatal(err)
	}
	want := [][]evidence.FailedQuery{nil, {{Layer: 1, Text: layer1, Reason: "found 0, fewer than 1"}}}
	if diff := gocmp.Diff(want, seen); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestModelSeesWhySourcesGoOn(t *testing.T) {
	var seen []evidence.FailedQuery
	planner := planFunc(func(n int, failed []evidence.FailedQuery) (boolean.Query, bool, error) {
		seen = failed
		return boolean.Query{Layer: n, Groups: dictionary()[question][n]}, n < 3, nil
	})
	s := scripts(map[string]map[string]int{pubmed: {layer1: 1}, europe: {}})
	if _, err := MakePlan(t.Context(), planRequest(s.topic()), planner, s.sources()); err != nil {
		t.Fatal(err)
	}
	want := []evidence.FailedQuery{
		{Layer: 1, Text: layer1, Reason: "accepted, and some sources have nothing for it"},
		{Layer: 2, Text: layer2, Reason: "nothing was found by europepmc"},
	}
	if diff := gocmp.Diff(want, seen); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestALayerThatCannotBePlannedEndsOneSourcesWay(t *testing.T) {
	planner := planFunc(func(n int, _ []evidence.FailedQuery) (boolean.Query, bool, error) {
		if n > 1 {
			return boolean.Query{}, false, errors.New("the model is down")
		}
		return boolean.Query{Layer: n, Groups: dictionary()[question][n]}, true, nil
	})
	s := scripts(map[string]map[string]int{pubmed: {layer1: 1}, europe: {}})
	plan, err := MakePlan(t.Context(), planRequest(s.topic()), planner, s.sources())
	if err != nil || layerOf(plan, pubmed) != 1 {
		t.Fatalf("%+v, %v", plan, err)
	}
	if a := plan.Answers[europe]; a.Err != nil || len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0],
		"layer 2 could not be planned") {
		t.Errorf("Europe PMC's answer %+v does not say why it ends there", a)
	}
}

type planFunc func(n int, failed []evidence.FailedQuery) (boolean.Query, bool, error)

func (planFunc) Name() string                               { return "model" }
func (planFunc) Readable(*lexicon.Question) error           { return nil }
func (planFunc) Concepts(*lexicon.Question) []boolean.Group { return nil }
func (f planFunc) Layer(_ context.Context, _ *lexicon.Question, n int, failed []evidence.FailedQuery) (boolean.Query,
	bool, error) {
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
			req := planRequest(topic)
			req.Previous = evidence.AcceptedQuery{Text: "old[tiab]", By: ByRules, Accepted: tonight}
			plan, err := MakePlan(t.Context(), req, RulesPlanner{dictionary()}, []Source{s})
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
			if diff := gocmp.Diff(want, plan.Accepted); diff != "" || plan.Query.Groups != nil {
				t.Errorf("groups %v, accepted (-want +got):\n%s", plan.Query.Groups, diff)
			}
		})
	}
}

func TestSyntaxErrorsOfAQueryByHandCanBeTold(t *testing.T) {
	topic := topicOn(question)
	topic.Query = "a AND ("
	_, err := MakePlan(t.Context(), planRequest(topic), RulesPlanner{dictionary()}, []Source{&script{}})
	if syntax := (*boolean.SyntaxError)(nil); !errors.As(err, &syntax) {
		t.Errorf("%v holds no *boolean.SyntaxError", err)
	}
}

func TestMakePlanReusesTheAcceptedQuery(t *testing.T) {
	accepted := func(age time.Duration) evidence.AcceptedQuery {
		return evidence.AcceptedQuery{
			Text: layer2, Layer: 2, By: ByRules, Accepted: tonight.Add(-age), Concepts: []string{"gene_variant", "drug"},
			Enough: 20, Reason: "found 1",
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
		{"not when it finds nothing any more", accepted(time.Hour), map[string]int{layer1: 1, layer2: 0},
			[]string{layer2, layer1}, 1},
		{"not when it can't be read", evidence.AcceptedQuery{Text: "((", By: ByRules, Accepted: tonight},
			map[string]int{layer1: 1}, []string{layer1}, 1},
		{"not one written by hand that the topic no longer has", evidence.AcceptedQuery{Text: "x[tiab]", By: ByHand,
			Accepted: tonight}, map[string]int{layer1: 1}, []string{layer1}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &script{hits: tt.hits}
			req := planRequest(topicOn(question))
			req.Previous = tt.previous
			plan, err := MakePlan(t.Context(), req, RulesPlanner{dictionary()}, []Source{s})
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(tt.asked, s.asked); diff != "" || plan.Accepted.Layer != tt.layer {
				t.Errorf("layer %d, want %d; asked (-want +got):\n%s", plan.Accepted.Layer, tt.layer, diff)
			}
			if tt.layer == 2 {
				if diff := gocmp.Diff(tt.previous, plan.Accepted); diff != "" {
					t.Errorf("it must stay as it was accepted (-want +got):\n%s", diff)
				}
				want := dictionary()[question][2]
				if diff := gocmp.Diff(want, plan.Query.Groups, cmpopts.IgnoreFields(boolean.Term{}, "Pos", "Quoted")); diff != "" {
					t.Errorf("its concepts are known again (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// A plan of a bad night, or by another program or setting, is made again.
func TestWhatIsNotKept(t *testing.T) {
	for _, tt := range []struct {
		name        string
		enough      int
		provisional string
		asked       []string
	}{
		{"kept", 20, "", []string{layer2}},
		{"a source of papers had failed", 20, "pubmed failed when it was accepted", []string{layer1}},
		{"another number was to pass", 30, "", []string{layer1}},
		{"a program that knew of no rings", 0, "", []string{layer1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &script{hits: map[string]int{layer1: 3, layer2: 9}}
			req := planRequest(topicOn(question))
			req.Previous = evidence.AcceptedQuery{Text: layer2, Layer: 2, By: ByRules, Accepted: tonight.Add(-time.Hour),
				Concepts: []string{"gene_variant", "drug"}, Enough: tt.enough, Provisional: tt.provisional}
			req.Searches = []evidence.Search{{Source: evidence.SourcePubMed, Status: evidence.SearchOK, Layer: 2, Hits: 9}}
			if _, err := MakePlan(t.Context(), req, RulesPlanner{dictionary()}, []Source{s}); err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(tt.asked, s.asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAQuestionIsReadWholeOrNotAtAll(t *testing.T) {
	s := &script{hits: map[string]int{layer1: 1}}
	for _, tt := range []struct{ question, part string }{
		{"KRAS G12C 结直肠癌，unheardofinib 耐药", `"结直肠癌" (Chinese), "耐药" (Chinese)`},
		{"结直肠癌", `"结直肠癌" (Chinese)`},
	} {
		t.Run(tt.question, func(t *testing.T) {
			_, err := MakePlan(t.Context(), planRequest(topicOn(tt.question)), RulesPlanner{dictionary()}, []Source{s})
			if !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), tt.part) || s.asked != nil {
				t.Errorf("asked %q, error %v; want ErrUnreadable that names %s", s.asked, err, tt.part)
			}
		})
	}
	planner := planFunc(func(n int, _ []evidence.FailedQuery) (boolean.Query, bool, error) {
		return boolean.Query{Layer: n, Groups: dictionary()[question][n]}, true, nil
	})
	if _, err := MakePlan(t.Context(), planRequest(topicOn("结直肠癌")), planner, []Source{s}); err != nil {
		t.Errorf("a model reads it: %v", err)
	}
}

// A planner may be wrong about its layers; what a later one cannot find is not asked.
func TestNoLayerIsBroaderThanTheNext(t *testing.T) {
	disease, gene := group(boolean.Disease, "colorectal cancer", "CRC"), group(boolean.GeneVariant, "KRAS G12C")
	tests := []struct {
		name   string
		second []boolean.Group
		asked  int
	}{
		{"broader", []boolean.Group{group(boolean.Disease, "colorectal cancer", "CRC", "colon cancer"), gene}, 2},
		{"fewer groups", []boolean.Group{gene}, 2},
		{"the same", []boolean.Group{gene, disease}, 1},
		{"fewer synonyms", []boolean.Group{group(boolean.Disease, "CRC"), gene}, 1},
		{"more groups", []boolean.Group{disease, gene, group(boolean.Drug, "sotorasib")}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			planner := planFunc(func(n int, _ []evidence.FailedQuery) (boolean.Query, bool, error) {
				groups := map[int][]boolean.Group{1: {disease, gene}, 2: tt.second}[n]
				return boolean.Query{Layer: n, Groups: groups}, n < 3, nil
			})
			s := &fakeSource{name: pubmed}
			plan, err := MakePlan(t.Context(), planRequest(topicOn(question)), planner, []Source{s})
			if err != nil || len(s.searches) != tt.asked {
				t.Errorf("asked %q, %v", s.searches, err)
			}
			if failed := plan.Accepted.Failed; tt.asked == 1 && (len(failed) != 1 || !strings.Contains(failed[0].Reason,
				"no broader than layer 1")) {
				t.Errorf("failed %+v does not say why the layer was not asked", failed)
			}
		})
	}
}
