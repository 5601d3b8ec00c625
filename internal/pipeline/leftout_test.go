package pipeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/source"
)

// glossary understands the texts that it holds.
type glossary map[string]lexicon.Question

func (g glossary) Understand(text string) lexicon.Question          { return g[text] }
func (glossary) Layer(*lexicon.Question, int) (boolean.Query, bool) { return boolean.Query{}, false }
func (glossary) Matcher(*lexicon.Question) *lexicon.Matcher         { return nil }
func (glossary) DrugsIn(string) []string                            { return nil }
func (glossary) Reports(string) bool                                { return true }

func (glossary) Concerns(*lexicon.Question, *evidence.CuratedStatement) bool { return false }

func TestLeftOut(t *testing.T) {
	tumour := func(name string) lexicon.Concept { return lexicon.Concept{Name: name, Status: lexicon.Present} }
	altered := func(gene string) lexicon.Alteration { return lexicon.Alteration{Gene: gene, Status: lexicon.Present} }
	terms := glossary{
		"colorectal cancer": {Tumours: []lexicon.Concept{tumour("colorectal cancer")}},
		"bowel cancer":      {Tumours: []lexicon.Concept{tumour("colorectal cancer")}},
		"cancer":            {Tumours: []lexicon.Concept{tumour("cancer")}},
		"KRAS":              {Alterations: []lexicon.Alteration{altered("KRAS")}},
		"sotorasib":         {Drugs: []lexicon.Drug{{Name: "sotorasib", Role: lexicon.Given}}},
		"foo":               {Words: []lexicon.Word{{Key: "foo"}}},
	}
	asked := lexicon.Question{
		Tumours: []lexicon.Concept{tumour("colorectal cancer")}, Alterations: []lexicon.Alteration{altered("KRAS")},
		Drugs:   []lexicon.Drug{{Name: "sotorasib", Role: lexicon.Prior}},
		Setting: []lexicon.Circumstance{{Aspect: "place", Value: "China"}},
		Words:   []lexicon.Word{{Key: "foo"}},
	}
	asked.Alterations[0].Either = 1
	tests := []struct {
		name, query string
		want        []string
	}{
		{"all of it but the place", `bowel cancer[tiab] AND KRAS[tiab] AND sotorasib[tiab] AND foo[tiab]`, []string{"China"}},
		{"one synonym of a group is enough",
			`(bowel[tiab] OR colorectal cancer[tiab]) AND KRAS[tiab] AND sotorasib[tiab] AND foo[tiab]`, []string{"China"}},
		{"a single term", `KRAS[tiab]`, []string{"colorectal cancer", "sotorasib", "China", "foo"}},
		{"a broader tumour", `"cancer"[tiab] AND KRAS[tiab] AND sotorasib[tiab]`,
			[]string{"colorectal cancer, asked as cancer", "China", "foo"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, leftOut(terms, &asked, parsed(t, tt.query))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	both := lexicon.Question{Tumours: []lexicon.Concept{tumour("colorectal cancer"), tumour("melanoma")}}
	if diff := cmp.Diff([]string{"melanoma"}, leftOut(terms, &both, parsed(t, "colorectal cancer[tiab]"))); diff != "" {
		t.Errorf("one of two tumours is no broader name of the other (-want +got):\n%s", diff)
	}
	plan := Plan{
		Accepted: evidence.AcceptedQuery{By: ByRules, Other: make([]evidence.LayerQuery, 1)},
		Query:    source.Query{Node: parsed(t, "KRAS[tiab]")}, Others: []boolean.Node{parsed(t, "sotorasib[tiab]")},
	}
	plan.noteLeftOut(terms, &asked)
	if len(plan.Accepted.LeftOut) != 4 || len(plan.Accepted.Other[0].LeftOut) != 4 {
		t.Errorf("each layer says what it leaves out: %+v", plan.Accepted)
	}
	hand := Plan{Accepted: evidence.AcceptedQuery{By: ByHand}, Query: plan.Query}
	if hand.noteLeftOut(terms, &asked); hand.Accepted.LeftOut != nil {
		t.Errorf("a query by hand is its writer's: %+v", hand.Accepted)
	}
}

func parsed(t *testing.T, query string) boolean.Node {
	t.Helper()
	node, err := boolean.Parse(query)
	if err != nil {
		t.Fatal(err)
	}
	return node
}
