package pipeline

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/source"
)

// sourceScripts are scripts by the sources' names, for the layers that each finds nothing but what it is told for.
type sourceScripts map[evidence.SourceName]*script

func scripts(found map[evidence.SourceName]map[string]int) sourceScripts {
	out := sourceScripts{}
	for name, hits := range found {
		all := map[string]int{layer1: 0, layer2: 0, layer4: 0}
		maps.Copy(all, hits)
		out[name] = &script{name: name, hits: all}
	}
	return out
}

// sources gives them out of the order in which a topic names them.
func (s sourceScripts) sources() []Source {
	var out []Source
	for _, name := range slices.Sorted(maps.Keys(s)) {
		out = append(out, s[name])
	}
	return out
}

func (s sourceScripts) topic() evidence.Topic {
	names := slices.DeleteFunc(slices.Clone(evidence.SourceNames), func(n string) bool { return s[n] == nil })
	return topicOn(question, names...)
}

const (
	pubmed   = evidence.SourcePubMed
	europe   = evidence.SourceEuropePMC
	registry = evidence.SourceClinicalTrials
)

func TestSourcesGoOnByThemselves(t *testing.T) {
	type layers = map[evidence.SourceName]int
	tests := []struct {
		name     string
		found    map[evidence.SourceName]map[string]int
		minHits  int
		accepted int
		rests    layers                           // the layer of each source's answer
		asked    map[evidence.SourceName][]string // in order
		other    []int                            // the further layers that were planned, and are kept
	}{
		{
			"a preprint that only Europe PMC has", map[string]map[string]int{pubmed: {layer4: 50},
				europe: {layer1: 1, layer4: 90}}, 1, 1,
			layers{pubmed: 4, europe: 1}, map[string][]string{pubmed: {layer1, layer2, layer4}, europe: {layer1}}, []int{2, 4},
		},
		{
			"all find something in the first layer", map[string]map[string]int{pubmed: {layer1: 2}, europe: {layer1: 1},
				registry: {layer1: 1}}, 1, 1,
			layers{pubmed: 1, europe: 1, registry: 1}, map[string][]string{pubmed: {layer1}, europe: {layer1},
				registry: {layer1}}, nil,
		},
		{
			"a registry does not decide, and takes the first layer in which it has anything",
			map[string]map[string]int{pubmed: {layer2: 2}, registry: {layer1: 5, layer4: 9}}, 1, 2,
			layers{pubmed: 2, registry: 1}, map[string][]string{pubmed: {layer1, layer2}, registry: {layer1}}, []int{1},
		},
		{
			"a registry goes on by itself", map[string]map[string]int{pubmed: {layer1: 2}, registry: {layer4: 9}}, 1, 1,
			layers{pubmed: 1, registry: 4}, map[string][]string{pubmed: {layer1}, registry: {layer1, layer2, layer4}},
			[]int{2, 4},
		},
		{
			"no source of papers finds anything: the registry begins with the first layer", map[string]map[string]int{pubmed: {},
				registry: {layer1: 1}}, 1, 4,
			layers{pubmed: 4, registry: 1}, map[string][]string{pubmed: {layer1, layer2, layer4}, registry: {layer1}},
			[]int{1, 2},
		},
		{
			"a source that never finds anything rests on the broadest", map[string]map[string]int{pubmed: {layer1: 2},
				europe: {}}, 1, 1,
			layers{pubmed: 1, europe: 4}, map[string][]string{pubmed: {layer1}, europe: {layer1, layer2, layer4}}, []int{2, 4},
		},
		{
			"min_hits asks for breadth, of any one source", map[string]map[string]int{pubmed: {layer1: 2, layer2: 3},
				europe: {layer1: 4, layer2: 6}}, 5, 2,
			layers{pubmed: 2, europe: 2}, map[string][]string{pubmed: {layer1, layer2}, europe: {layer1, layer2}}, []int{1},
		},
		{
			"one that finds less, but something, stays with the accepted layer", map[string]map[string]int{pubmed: {layer1: 9},
				europe: {layer1: 1, layer2: 8}}, 5, 1,
			layers{pubmed: 1, europe: 1}, map[string][]string{pubmed: {layer1}, europe: {layer1}}, nil,
		},
		{
			"one that finds nothing in the accepted layer keeps what it found before",
			map[string]map[string]int{pubmed: {layer1: 1, layer2: 9}, europe: {layer1: 1}}, 5, 2,
			layers{pubmed: 2, europe: 1}, map[string][]string{pubmed: {layer1, layer2}, europe: {layer1, layer2}}, []int{1},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := scripts(tt.found)
			req := planRequest(s.topic())
			req.Settings.MinHits = tt.minHits
			plan, err := MakePlan(t.Context(), req, RulesPlanner{dictionary()}, s.sources())
			if err != nil || plan.Accepted.Layer != tt.accepted {
				t.Fatalf("accepted %+v, %v; want layer %d", plan.Accepted, err, tt.accepted)
			}
			rests, asked := layers{}, map[string][]string{}
			for name := range s {
				answer := plan.Answers[name]
				rests[name], asked[name] = answer.layer(), s[name].asked
			}
			if diff := gocmp.Diff(tt.rests, rests); diff != "" {
				t.Errorf("the answers rest on (-want +got):\n%s", diff)
			}
			if diff := gocmp.Diff(tt.asked, asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			var other []int
			for _, o := range plan.Accepted.Other {
				other = append(other, o.Layer)
			}
			if diff := gocmp.Diff(tt.other, other); diff != "" {
				t.Errorf("other layers kept (-want +got):\n%s", diff)
			}

			kept := false
			for name, answer := range plan.Answers {
				hits := hitsIn(answer)
				kept = kept || name != registry && answer.layer() <= tt.accepted && hits > 0
				req.Searches = append(req.Searches, evidence.Search{Source: name, Layer: answer.layer(), Hits: hits})
				s[name].asked = nil
			}
			if !kept {
				return // and all layers are planned again
			}
			req.Previous = plan.Accepted // the next night asks what the answers rest on
			again, err := MakePlan(t.Context(), req, planFunc(nil), s.sources())
			if err != nil {
				t.Fatal(err)
			}
			fruitless := cmpopts.IgnoreSliceElements(func(r RingAnswer) bool { return r.hits() == 0 })
			if diff := gocmp.Diff(plan, again, fruitless, cmpopts.IgnoreFields(boolean.Term{}, "Pos", "Quoted")); diff != "" {
				t.Errorf("the next night's plan (-first +next):\n%s", diff)
			}
			for name := range s {
				want := 1 // what its answer rests on
				if name != registry && rests[name] <= tt.accepted {
					want = len(asked[name]) // its rings
				}
				if len(s[name].asked) != want {
					t.Errorf("the next night asks %s %q", name, s[name].asked)
				}
			}
		})
	}
}

func layerOf(plan Plan, name evidence.SourceName) int {
	answer := plan.Answers[name]
	return answer.layer()
}

// hitsIn is how many records an answer promises, in the ring that has most.
func hitsIn(a Answered) int {
	most := 0
	for i := range a.Rings {
		most = max(most, a.Rings[i].hits())
	}
	return most
}

func TestLaterNightsOfASource(t *testing.T) {
	accepted := evidence.AcceptedQuery{
		Text: layer1, Layer: 1, By: ByRules, Accepted: tonight, Concepts: []string{"gene_variant", "drug"}, Enough: 20,
		Reason: "found 2",
		Other: []evidence.LayerQuery{
			{Text: layer2, Layer: 2, By: ByRules, Concepts: []string{"gene_variant", "drug"}},
			{Text: layer4, Layer: 4, By: ByRules, Concepts: []string{"gene_variant"}},
		},
	}
	tests := []struct {
		name   string
		source evidence.SourceName
		last   evidence.Search
		hits   map[string]int // tonight
		asked  []string
		rests  int
	}{
		{"nothing in the broadest layer, as before", europe, evidence.Search{Layer: 4}, map[string]int{}, []string{layer4},
			4},
		{"something at last: is it in a narrower layer?", europe, evidence.Search{Layer: 4}, map[string]int{layer2: 1,
			layer4: 5}, []string{layer4, layer1, layer2}, 2},
		{"what it found in its own layer is gone: it goes on", europe, evidence.Search{Layer: 2, Hits: 3},
			map[string]int{layer4: 5}, []string{layer2, layer4}, 4},
		{"a source that is new, or failed, begins with the accepted layer", europe, evidence.Search{},
			map[string]int{layer4: 5}, []string{layer1, layer2, layer4}, 4},
		{"the store itself always does", evidence.SourceLocal, evidence.Search{Layer: 4, Hits: 9}, map[string]int{layer1: 1,
			layer4: 9}, []string{layer1}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := scripts(map[string]map[string]int{pubmed: {layer1: 2}, tt.source: tt.hits})
			req := planRequest(s.topic())
			tt.last.Source = tt.source
			req.Previous, req.Searches = accepted, []evidence.Search{{Source: pubmed, Layer: 1, Hits: 2}, tt.last}
			plan, err := MakePlan(t.Context(), req, planFunc(nil), s.sources()) // a planner that must not be asked
			if err != nil || plan.Accepted.Layer != 1 {
				t.Fatalf("accepted %+v, %v", plan.Accepted, err)
			}
			answer := plan.Answers[tt.source]
			if diff := gocmp.Diff(tt.asked, s[tt.source].asked); diff != "" || answer.layer() != tt.rests {
				t.Errorf("rests on layer %d, want %d; asked (-want +got):\n%s", answer.layer(), tt.rests, diff)
			}
			if diff := gocmp.Diff(accepted, plan.Accepted); diff != "" {
				t.Errorf("what is kept changed (-before +after):\n%s", diff)
			}
		})
	}
}

func TestAFailureCostsOneSourceItsRecords(t *testing.T) {
	text := func(n int) string { return []string{"", layer1, layer2, "", layer4}[n] }
	tests := []struct {
		name     string
		pubmed   map[string]int // what is missing fails
		europe   map[string]int
		minHits  int
		accepted int
		answer   Answered // PubMed's, but for its error
		failed   bool
	}{
		{"at once", map[string]int{}, map[string]int{layer1: 2}, 1, 1, Answered{}, true},
		{"in a later layer, with nothing before", map[string]int{layer1: 0}, map[string]int{layer1: 0, layer2: 2}, 1, 2,
			Answered{}, true},
		{"in a later layer, with something before", map[string]int{layer1: 2}, map[string]int{layer1: 0, layer2: 9}, 5, 2,
			Answered{Rings: []RingAnswer{{Layer: 1, Result: source.Result{Query: text(1), Total: 2}}}}, true},
		{"on its own way", map[string]int{layer1: 0, layer2: 0}, map[string]int{layer1: 2}, 1, 1, Answered{}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, e := &script{name: pubmed, hits: tt.pubmed}, &script{name: europe, hits: tt.europe}
			req := planRequest(topicOn(question, pubmed, europe))
			req.Settings.MinHits = tt.minHits
			plan, err := MakePlan(t.Context(), req, RulesPlanner{dictionary()}, []Source{p, e})
			if err != nil || plan.Accepted.Layer != tt.accepted || hitsIn(plan.Answers[europe]) == 0 {
				t.Fatalf("accepted %+v, answers %+v, %v", plan.Accepted, plan.Answers, err)
			}
			got := plan.Answers[pubmed]
			if (got.Err != nil) != tt.failed {
				t.Errorf("error %v", got.Err)
			}
			got.Err = nil
			got.Rings = slices.DeleteFunc(got.Rings, func(r RingAnswer) bool { return r.Err != nil || r.hits() == 0 })
			if len(got.Rings) == 0 {
				got.Rings = nil
			}
			if diff := gocmp.Diff(tt.answer, got); diff != "" {
				t.Errorf("PubMed's answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRegistriesDecideWhereNothingElseDoes(t *testing.T) {
	down := &fakeSource{name: pubmed, searchErr: unreachable(pubmed)}
	trials := &script{name: registry, hits: map[string]int{layer1: 0, layer2: 3}}
	for name, topic := range map[string]evidence.Topic{
		"the source of papers is down": topicOn(question, pubmed, registry), "there is none": topicOn(question, registry),
	} {
		t.Run(name, func(t *testing.T) {
			down.searches = nil
			plan, err := MakePlan(t.Context(), planRequest(topic), RulesPlanner{dictionary()}, []Source{trials, down})
			if err != nil || plan.Accepted.Layer != 2 || layerOf(plan, registry) != 2 {
				t.Errorf("accepted %+v, %v", plan.Accepted, err)
			}
			if len(down.searches) > 1 {
				t.Errorf("a source that failed was asked %d times", len(down.searches))
			}
		})
	}
}

func TestNoSourceAnswers(t *testing.T) {
	down := &fakeSource{name: pubmed, searchErr: unreachable(pubmed)}
	for name, offline := range map[string]bool{"all fail": false, "offline": true} {
		t.Run(name, func(t *testing.T) {
			req := planRequest(topicOn(question))
			req.Offline = offline
			if _, err := MakePlan(t.Context(), req, RulesPlanner{dictionary()}, []Source{down}); !errors.Is(err, ErrNoSource) {
				t.Errorf("error %v, want ErrNoSource", err)
			}
		})
	}
}

func TestASlowSourceIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &fakeSource{name: pubmed, onSearch: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}
		quick := &script{name: europe, hits: map[string]int{layer1: 1}}
		start := time.Now()
		plan, err := MakePlan(t.Context(), planRequest(topicOn(question, pubmed, europe)), RulesPlanner{dictionary()},
			[]Source{slow, quick})
		if err != nil || plan.Answers[pubmed].Err == nil || hitsIn(plan.Answers[europe]) != 1 {
			t.Errorf("%+v, %v", plan.Answers, err)
		}
		if took := time.Since(start); took != 30*time.Second {
			t.Errorf("a search is given up after %v, want 30s", took)
		}
	})
}

func TestPlanningStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	slow := &fakeSource{name: pubmed, onSearch: func(ctx context.Context) error {
		cancel()
		<-ctx.Done()
		return ctx.Err()
	}}
	if _, err := MakePlan(ctx, planRequest(topicOn(question)), RulesPlanner{dictionary()}, []Source{slow}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
