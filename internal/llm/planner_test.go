package llm

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
)

// fakeRules reads Latin letters alone, and plans for the question's first word.
type fakeRules struct{}

func (fakeRules) Name() string { return "rules" }

func (fakeRules) Readable(question string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r > 127 {
			return -1
		}
		return r
	}, question))
}

func (fakeRules) Layer(_ context.Context, question string, n int, _ []evidence.FailedQuery) (boolean.Query, bool, error) {
	return boolean.Query{Layer: n, Groups: fakeRules{}.Concepts(question)}, n != 3, nil
}

func (fakeRules) Concepts(question string) []boolean.Group {
	word, _, _ := strings.Cut(question, " ")
	return []boolean.Group{{Concept: boolean.GeneVariant, Terms: []boolean.Term{{Text: word, Field: boolean.FieldTitleAbs, Quoted: true}}}}
}

// groups writes a reply: "concept: term, term[mesh]; concept: …".
func groups(text string) string {
	var reply queryReply
	for _, g := range strings.Split(text, ";") {
		concept, terms, _ := strings.Cut(g, ":")
		group := replyGroup{Concept: strings.TrimSpace(concept)}
		for _, term := range strings.Split(terms, ",") {
			text, field, tagged := strings.Cut(strings.TrimSpace(term), "|")
			if !tagged {
				field = "tiab"
			}
			group.Terms = append(group.Terms, replyTerm{text, field})
		}
		reply.Groups = append(reply.Groups, group)
	}
	out, _ := json.Marshal(reply)
	return string(out)
}

func TestPlannerHoldsTheModelToTheLimits(t *testing.T) {
	failedOne := evidence.FailedQuery{Layer: 1, Text: `"a"[tiab] AND "b"[tiab]`, Reason: "found 0, fewer than 1"}
	const byRules = `"KRAS"[tiab]`
	for _, tc := range []struct {
		name   string
		layer  int
		failed []evidence.FailedQuery
		reply  string
		want   string // the query; empty for none
		by     string
	}{
		{"as asked", 1, nil, groups("disease: colorectal cancer, CRC; gene_variant: KRAS G12C"), `("colorectal cancer"[tiab] OR "CRC"[tiab]) AND "KRAS G12C"[tiab]`, ""},
		{"MeSH is no field of layer 1", 1, nil, groups("disease: Colorectal Neoplasms|mesh"), `"Colorectal Neoplasms"[tiab]`, ""},
		{"MeSH is one of layer 2", 2, nil, groups("disease: Colorectal Neoplasms|mesh, colorectal cancer"), `"Colorectal Neoplasms"[mh] OR "colorectal cancer"[tiab]`, ""},
		{"five groups in layer 1", 1, nil, groups("disease: a1; gene_variant: b1; drug: c1; mechanism_outcome: d1; place: e1"), `"a1"[tiab] AND "b1"[tiab] AND "c1"[tiab] AND ("d1"[tiab] OR "e1"[tiab])`, ""},
		{"fewer groups than layer 1", 2, []evidence.FailedQuery{failedOne}, groups("disease: a1; gene_variant: b1"), `"a1"[tiab]`, ""},
		{"three groups in layer 3", 3, nil, groups("disease: a1, a2; gene_variant: b1, b2; drug: c1"), `("a1"[tiab] OR "a2"[tiab]) AND ("b1"[tiab] OR "b2"[tiab])`, ""},
		{"a smuggled operator", 1, nil, groups("disease: cancer OR everything, colon cancer"), `"colon cancer"[tiab]`, ""},
		{"a smuggled tag", 1, nil, groups("disease: cancer[all], colon cancer"), `"colon cancer"[tiab]`, ""},
		{"a smuggled quote", 1, nil, groups(`disease: cancer" OR "x, colon cancer`), `"colon cancer"[tiab]`, ""},
		{"quotes around a phrase", 1, nil, groups(`disease: "colon cancer"`), `"colon cancer"[tiab]`, ""},
		{"a field in brackets", 2, nil, groups("disease: Colonic Neoplasms|[MeSH]"), `"Colonic Neoplasms"[mh]`, ""},
		{"an empty group", 1, nil, groups("disease: colon cancer; drug: "), `"colon cancer"[tiab]`, ""},
		{"nothing usable", 1, nil, groups(`disease: (a), OR`), byRules, "rules"},
		{"no groups", 1, nil, `{"groups":[]}`, byRules, "rules"},
		{"words", 1, nil, "I am sorry.", byRules, "rules"},
		{"what failed before", 2, []evidence.FailedQuery{{Layer: 1, Text: `"a1"[tiab]`}}, groups("disease: a1"), byRules, "rules"},
		{"one group in layer 3, where the rules have none", 3, nil, groups("disease: a1, a2"), "", ""},
		{"layer 4 is the rules'", 4, nil, groups("disease: a1"), byRules, "rules"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEndpoint(t, func(int, sent) answer { return says(tc.reply) })
			q, ok, err := NewPlanner(e.client(), fakeRules{}).Layer(t.Context(), "KRAS G12C in colorectal cancer", tc.layer, tc.failed)
			if err != nil || ok != (tc.want != "") {
				t.Fatalf("ok %v, %v", ok, err)
			}
			if ok && (q.String() != tc.want || q.By != tc.by || q.Layer != tc.layer) {
				t.Errorf("layer %d by %q: %s\nwant %s", q.Layer, q.By, q, tc.want)
			}
			if byRules := q.By == "rules" && tc.layer < 4; byRules != strings.Contains(e.log.String(), "the rules do") && ok {
				t.Errorf("the log tells otherwise who planned:\n%s", e.log)
			}
		})
	}
}

func TestPlannerTellsTheModelWhatFailed(t *testing.T) {
	e := newEndpoint(t, func(int, sent) answer { return says(groups("disease: x1")) })
	failed := []evidence.FailedQuery{{Layer: 1, Text: `"a"[tiab]`, Reason: "found 0, fewer than 1"}}
	if _, _, err := NewPlanner(e.client(), fakeRules{}).Layer(t.Context(), "KRAS", 2, failed); err != nil {
		t.Fatal(err)
	}
	var got queryRequest
	if err := json.Unmarshal([]byte(e.calls[0].Messages[1].Content), &got); err != nil {
		t.Fatal(err)
	}
	want := queryRequest{"KRAS", 2, []failedQuery{{1, `"a"[tiab]`, "found 0, fewer than 1"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPlannerReadsEveryLanguage(t *testing.T) {
	const chinese = "结直肠癌的耐药"
	good := newEndpoint(t, func(int, sent) answer { return says(groups("disease: colorectal cancer")) })
	p := NewPlanner(good.client(), fakeRules{})
	if p.Readable(chinese) != chinese || p.Concepts(chinese) != nil || p.Name() != "test-model" {
		t.Errorf("reads %q, concepts %v", p.Readable(chinese), p.Concepts(chinese))
	}
	if q, ok, err := p.Layer(t.Context(), chinese, 1, nil); !ok || err != nil || q.String() != `"colorectal cancer"[tiab]` {
		t.Errorf("%s, %v, %v", q, ok, err)
	}
	if _, ok, err := p.Layer(t.Context(), chinese, 4, nil); ok || err != nil {
		t.Errorf("layer 4 of what the rules cannot read: %v, %v", ok, err)
	}
	bad := newEndpoint(t, func(int, sent) answer { return says("no") })
	if _, ok, err := NewPlanner(bad.client(), fakeRules{}).Layer(t.Context(), chinese, 1, nil); ok || kindOf(err) != NoJSON {
		t.Errorf("no model and no rules: %v, %v", ok, err)
	}
	mixed := NewPlanner(bad.client(), fakeRules{})
	if q, ok, err := mixed.Layer(t.Context(), "KRAS 耐药", 1, nil); !ok || err != nil || q.String() != `"KRAS"[tiab]` {
		t.Errorf("the rules read what they can: %s, %v, %v", q, ok, err)
	}
}

func TestPlannerStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := newEndpoint(t, func(int, sent) answer { return says(groups("disease: x1")) })
	if _, ok, err := NewPlanner(e.client(), fakeRules{}).Layer(ctx, "KRAS", 1, nil); ok || err == nil || e.count() != 0 {
		t.Errorf("ok %v, %v", ok, err)
	}
}
