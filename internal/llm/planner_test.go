package llm

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// fakeRules read Latin letters alone. They plan what they are told by layer, and else, but for layer 3, for the
// question's first word. They understand the terms that they are told.
type fakeRules struct {
	layers map[int]string // as groups writes them
	terms  map[string]lexicon.Question
}

func (fakeRules) Name() string { return "rules" }

func (fakeRules) Readable(q *lexicon.Question) error {
	if strings.ContainsFunc(q.Text, func(r rune) bool { return r > 127 }) {
		return errors.New("nothing here reads it")
	}
	return nil
}

func (f fakeRules) Layer(_ context.Context, q *lexicon.Question, n int, _ []evidence.FailedQuery) (boolean.Query, bool,
	error) {
	if text, ok := f.layers[n]; ok {
		var reply queryReply
		err := json.Unmarshal([]byte(groups(text)), &reply)
		return boolean.Query{Layer: n, Groups: reply.groups()}, true, err
	}
	return boolean.Query{Layer: n, Groups: f.Concepts(q)}, n != 3, nil
}

func (fakeRules) Concepts(q *lexicon.Question) []boolean.Group {
	word, _, _ := strings.Cut(q.Text, " ")
	return []boolean.Group{{Concept: boolean.GeneVariant, Terms: []boolean.Term{{Text: word, Field: boolean.FieldTitleAbs,
		Quoted: true}}}}
}

func (f fakeRules) Understand(text string) lexicon.Question { return f.terms[text] }

func (fakeRules) Fit(*lexicon.Question, string) evidence.Fit { return evidence.Fit{} }

func asking(text string) *lexicon.Question { return &lexicon.Question{Text: text} }

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
	failedThree := evidence.FailedQuery{Layer: 1, Text: `"a"[tiab] AND "b"[tiab] AND "c"[tiab]`,
		Reason: "found 0, fewer than 1"}
	const byRules = `"KRAS"[tiab]`
	for _, tc := range []struct {
		name   string
		layer  int
		failed []evidence.FailedQuery
		reply  string
		want   string // the query; empty for none
		by     string
	}{
		{"as asked", 1, nil, groups("disease: colorectal cancer, CRC; gene_variant: KRAS G12C"),
			`("colorectal cancer"[tiab] OR "CRC"[tiab]) AND "KRAS G12C"[tiab]`, ""},
		{"MeSH is no field of layer 1", 1, nil, groups("disease: Colorectal Neoplasms|mesh"), `"Colorectal Neoplasms"[tiab]`,
			""},
		{"a heading alone gets its words", 2, nil, groups("disease: Colorectal Neoplasms|mesh"),
			`"Colorectal Neoplasms"[mh] OR "Colorectal Neoplasms"[tiab]`, ""},
		{"MeSH is one of layer 2", 2, nil, groups("disease: Colorectal Neoplasms|mesh, colorectal cancer"),
			`"Colorectal Neoplasms"[mh] OR "colorectal cancer"[tiab]`, ""},
		{"five groups in layer 1", 1, nil,
			groups("disease: a1; gene_variant: b1; drug: c1; mechanism_outcome: d1; place: e1"),
			`"a1"[tiab] AND "b1"[tiab] AND "c1"[tiab] AND ("d1"[tiab] OR "e1"[tiab])`, ""},
		{"fewer groups than layer 1", 2, []evidence.FailedQuery{failedThree},
			groups("disease: a1; gene_variant: b1; drug: c1"), `"a1"[tiab] AND "b1"[tiab]`, ""},
		{"never the disease alone where layer 1 had two groups", 2, []evidence.FailedQuery{failedOne},
			groups("disease: a1; gene_variant: b1"), `"a1"[tiab] AND "b1"[tiab]`, ""},
		{"more groups than the layer before", 3, []evidence.FailedQuery{{Layer: 2, Text: `"a"[tiab]`}},
			groups("disease: a1, a2; gene_variant: b1, b2"), "", ""},
		{"fewer synonyms than the layer before", 2,
			[]evidence.FailedQuery{{Layer: 1, Text: `("a1"[tiab] OR "a2"[tiab]) AND "b1"[tiab]`}},
			groups("disease: a1; gene_variant: b1"), byRules, "rules"},
		{"three groups in layer 3", 3, nil, groups("disease: a1, a2; gene_variant: b1, b2; drug: c1"),
			`("a1"[tiab] OR "a2"[tiab]) AND ("b1"[tiab] OR "b2"[tiab])`, ""},
		{"a smuggled operator", 1, nil, groups("disease: cancer OR everything, colon cancer"), `"colon cancer"[tiab]`, ""},
		{"a smuggled tag", 1, nil, groups("disease: cancer[all], colon cancer"), `"colon cancer"[tiab]`, ""},
		{"a smuggled quote", 1, nil, groups(`disease: cancer" OR "x, colon cancer`), `"colon cancer"[tiab]`, ""},
		{"quotes around a phrase", 1, nil, groups(`disease: "colon cancer"`), `"colon cancer"[tiab]`, ""},
		{"a field in brackets", 2, nil, groups("disease: Colonic Neoplasms|[MeSH], colon cancer"),
			`"Colonic Neoplasms"[mh] OR "colon cancer"[tiab]`, ""},
		{"an empty group", 1, nil, groups("disease: colon cancer; drug: "), `"colon cancer"[tiab]`, ""},
		{"nothing usable", 1, nil, groups(`disease: (a), OR`), byRules, "rules"},
		{"no groups", 1, nil, `{"groups":[]}`, byRules, "rules"},
		{"words", 1, nil, "I am sorry.", byRules, "rules"},
		{"what failed before", 2, []evidence.FailedQuery{{Layer: 1, Text: `"a1"[tiab]`}}, groups("disease: a1"), byRules,
			"rules"},
		{"one group in layer 3, where the rules have none", 3, nil, groups("disease: a1, a2"), "", ""},
		{"layer 4 is the rules'", 4, nil, groups("disease: a1"), byRules, "rules"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEndpoint(t, func(int, sent) answer { return says(tc.reply) })
			q, ok, err := NewPlanner(e.client(), fakeRules{}, asTyped).Layer(t.Context(),
				asking("KRAS G12C in colorectal cancer"), tc.layer, tc.failed)
			if err != nil || ok != (tc.want != "") {
				t.Fatalf("ok %v, %v", ok, err)
			}
			if own, by := modelsOwn(q); ok && (own != tc.want || by != tc.by || q.Layer != tc.layer) {
				t.Errorf("layer %d by %q: %s\nwant %s", q.Layer, q.By, q, tc.want)
			}
			if byRules := q.By == "rules" && tc.layer < 4; byRules != strings.Contains(e.log.String(), "the rules do") && ok {
				t.Errorf("the log tells otherwise who planned:\n%s", e.log)
			}
		})
	}
}

// modelsOwn is what a model planned, without the rules' side of it.
func modelsOwn(q boolean.Query) (query, by string) {
	return boolean.Query{Groups: q.Groups}.String(), strings.TrimSuffix(q.By, "test-model and rules")
}

func TestPlannerUnitesTheModelsPlanWithTheRules(t *testing.T) {
	const rules = "disease: lung cancer, NSCLC; gene_variant: KRAS"
	for _, tc := range []struct {
		name, reply, want, by string
	}{
		{"neither holds the other", "disease: lung cancer; drug: sotorasib",
			`("lung cancer"[tiab] AND "sotorasib"[tiab]) OR ((lung cancer[tiab] OR NSCLC[tiab]) AND KRAS[tiab])`,
			"test-model and rules"},
		{"the rules' holds the model's", "disease: lung cancer; gene_variant: KRAS",
			`(lung cancer[tiab] OR NSCLC[tiab]) AND KRAS[tiab]`, "test-model and rules"},
		{"the model's holds the rules'", "disease: lung cancer, NSCLC, lung tumour; gene_variant: KRAS",
			`("lung cancer"[tiab] OR "NSCLC"[tiab] OR "lung tumour"[tiab]) AND "KRAS"[tiab]`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEndpoint(t, func(int, sent) answer { return says(groups(tc.reply)) })
			q, ok, err := NewPlanner(e.client(), fakeRules{layers: map[int]string{1: rules, 2: rules}}, asTyped).Layer(
				t.Context(), asking("KRAS"), 1, nil)
			if err != nil || !ok || q.String() != tc.want || q.By != tc.by {
				t.Errorf("by %q: %s, %v, %v\nwant %s", q.By, q, ok, err, tc.want)
			}
		})
	}
}

// What was united with the rules counts for the next layer as the model planned it.
func TestPlannerKnowsItsOwnPartOfWhatFailed(t *testing.T) {
	failed := []evidence.FailedQuery{{Layer: 1, Reason: "2 pass, fewer than 20",
		Text: `("a"[tiab] AND "b"[tiab] AND "c"[tiab]) OR ("x"[tiab] AND "y"[tiab])`}}
	e := newEndpoint(t, func(int, sent) answer { return says(groups("disease: a1; gene_variant: b1; drug: c1")) })
	q, _, err := NewPlanner(e.client(), fakeRules{}, asTyped).Layer(t.Context(), asking("KRAS"), 2, failed)
	if own, _ := modelsOwn(q); err != nil || own != `"a1"[tiab] AND "b1"[tiab]` {
		t.Errorf("%s, %v; want one group less than in layer 1", own, err)
	}
}

func TestPlannerTellsTheModelWhatFailed(t *testing.T) {
	e := newEndpoint(t, func(int, sent) answer { return says(groups("disease: x1")) })
	failed := []evidence.FailedQuery{{Layer: 1, Text: `"a"[tiab]`, Reason: "found 0, fewer than 1"}}
	if _, _, err := NewPlanner(e.client(), fakeRules{}, asTyped).Layer(t.Context(), asking("KRAS"), 2,
		failed); err != nil {
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
	chinese := asking("结直肠癌的耐药")
	good := newEndpoint(t, func(int, sent) answer { return says(groups("disease: colorectal cancer")) })
	p := NewPlanner(good.client(), fakeRules{}, asTyped)
	if err := p.Readable(chinese); err != nil || p.Name() != "test-model" {
		t.Errorf("reads with %v", err)
	}
	q, ok, err := p.Layer(t.Context(), chinese, 1, nil)
	if !ok || err != nil || q.String() != `"colorectal cancer"[tiab]` {
		t.Errorf("%s, %v, %v", q, ok, err)
	}
	if _, ok, err := p.Layer(t.Context(), chinese, 4, nil); ok || err != nil {
		t.Errorf("layer 4 of what the rules cannot read: %v, %v", ok, err)
	}
	bad := newEndpoint(t, func(int, sent) answer { return says("no") })
	for _, q := range []*lexicon.Question{chinese, asking("KRAS 耐药")} {
		if _, ok, err := NewPlanner(bad.client(), fakeRules{}, asTyped).Layer(t.Context(), q, 1,
			nil); ok || kindOf(err) != NoJSON {
			t.Errorf("%s: no model, and rules that cannot read all of it, never go on with a part: %v, %v", q.Text, ok, err)
		}
	}
}

// A model's query is held to what the question asks, as the dictionary understands it.
func TestPlannerHoldsTheModelToTheQuestion(t *testing.T) {
	setting := func(aspect string) lexicon.Question {
		return lexicon.Question{Setting: []lexicon.Circumstance{{Aspect: aspect}}}
	}
	biomarker := lexicon.Question{Biomarkers: []lexicon.Biomarker{{Name: "MSI"}}}
	rules := fakeRules{terms: map[string]lexicon.Question{
		"China": setting("place"), "stage IV": setting("stage"), "resistance": setting("resistance"), "MSS": biomarker,
		"MSI-H": biomarker, "MSI-high": biomarker, "cisplatin": {Drugs: []lexicon.Drug{{Name: "cisplatin"}}},
		"Chinese colorectal cancer": {Tumours: []lexicon.Concept{{Name: "colorectal cancer"}},
			Setting: []lexicon.Circumstance{{Aspect: "place"}}},
	}}
	together := rules
	together.layers = map[int]string{
		1: "disease: lung cancer; gene_variant: KRAS G12C, KRAS p.G12C; gene_variant: STK11, LKB1",
		2: "disease: lung cancer; gene_variant: KRAS",
	}
	two := rules
	two.layers = map[int]string{2: "disease: colorectal cancer; gene_variant: NTRK fusion"}
	altered := &lexicon.Question{Text: "KRAS", Alterations: []lexicon.Alteration{{Gene: "KRAS"}}}
	headed := &lexicon.Question{Text: "CRC", Tumours: []lexicon.Concept{{Entry: &lexicon.Entry{Name: "colorectal cancer",
		MeSH: "Colorectal Neoplasms", Synonyms: []string{"bowel cancer"}}}}}
	for _, tc := range []struct {
		name     string
		rules    fakeRules
		question *lexicon.Question
		layer    int
		reply    string
		want     string
		by       string
	}{
		{"a place let in by an OR goes", rules, altered, 1,
			"disease: colorectal cancer, China; gene_variant: KRAS G12C, China",
			`"colorectal cancer"[tiab] AND "KRAS G12C"[tiab]`, ""},
		{"a place's own group goes", rules, altered, 1, "disease: colorectal cancer; mechanism_outcome: China, stage IV",
			`"colorectal cancer"[tiab]`, ""},
		{"a tumour in a place is a tumour", rules, altered, 1, "disease: colorectal cancer, Chinese colorectal cancer",
			`"colorectal cancer"[tiab] OR "Chinese colorectal cancer"[tiab]`, ""},
		{"an outcome is no modifier", rules, altered, 1, "gene_variant: KRAS G12C; mechanism_outcome: resistance",
			`"KRAS G12C"[tiab] AND "resistance"[tiab]`, ""},
		{"unless it stands among alterations", rules, altered, 1, "gene_variant: KRAS G12C, resistance", `"KRAS G12C"[tiab]`,
			""},
		{"a subtype beside an alteration goes", rules, altered, 1,
			"disease: colorectal cancer, MSS; gene_variant: KRAS G12C, MSI-H", `"colorectal cancer"[tiab] AND "KRAS G12C"[tiab]`,
			""},
		{"a drug that must not be given goes", rules, &lexicon.Question{Text: "x",
			Drugs: []lexicon.Drug{{Name: "cisplatin", Role: lexicon.Excluded}}}, 1,
			"disease: colorectal cancer; drug: cisplatin", `"colorectal cancer"[tiab]`, ""},
		{"a biomarker that the question is about stays", rules, asking("MSI-H"), 1,
			"disease: colorectal cancer; gene_variant: MSI-high", `"colorectal cancer"[tiab] AND "MSI-high"[tiab]`, ""},
		{"two genes that must both be there, put into one group", together, altered, 1,
			"disease: lung cancer; gene_variant: KRAS, STK11",
			`"lung cancer"[tiab] AND ("KRAS G12C"[tiab] OR "KRAS p.G12C"[tiab]) AND ("STK11"[tiab] OR "LKB1"[tiab])`, ""},
		{"two genes in two groups stay apart", together, altered, 1,
			"gene_variant: KRAS G12C; gene_variant: STK11 loss; disease: lung cancer",
			`"lung cancer"[tiab] AND "KRAS G12C"[tiab] AND "STK11 loss"[tiab]`, ""},
		{"genes that may stand for each other share a group", rules, altered, 1, "gene_variant: EGFR; gene_variant: ALK",
			`"EGFR"[tiab] OR "ALK"[tiab]`, ""},
		{"a first layer of the disease alone, broader than the second must be", two, asking("NTRK fusion in CRC"), 1,
			"disease: colorectal cancer", `"NTRK"[tiab]`, "rules"},
		{"a heading gets the dictionary's names", rules, headed, 2, "disease: Colorectal Neoplasms|mesh",
			`"Colorectal Neoplasms"[mh] OR "Colorectal Neoplasms"[tiab] OR "colorectal cancer"[tiab] OR "bowel cancer"[tiab]`,
			""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEndpoint(t, func(int, sent) answer { return says(groups(tc.reply)) })
			q, ok, err := NewPlanner(e.client(), tc.rules, asTyped).Layer(t.Context(), tc.question, tc.layer, nil)
			if own, by := modelsOwn(q); err != nil || !ok || own != tc.want || by != tc.by {
				t.Errorf("by %q: %s, %v, %v\nwant %s", q.By, q, ok, err, tc.want)
			}
		})
	}
}

func TestPlannerStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := newEndpoint(t, func(int, sent) answer { return says(groups("disease: x1")) })
	if _, ok, err := NewPlanner(e.client(), fakeRules{}, asTyped).Layer(ctx, asking("KRAS"), 1,
		nil); ok || err == nil || e.count() != 0 {
		t.Errorf("ok %v, %v", ok, err)
	}
}

func asTyped(q *lexicon.Question) string { return q.Text }
