package llm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"dossier/internal/lexicon"
	"dossier/internal/llm"
	"dossier/internal/pipeline"
)

// TestAPlanIsHeldToTheQuestion: what is no plan of the question is the rules', and what is broader in one that is goes.
func TestAPlanIsHeldToTheQuestion(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	const egfr = "osimertinib for EGFR T790M non-small cell lung cancer"
	cases := []struct {
		name, question string
		layer          int
		plan           string // concept: term, term; …
		has, lacks     string // of the query
		byRules        bool
	}{
		{"as asked", egfr, 1, "disease: NSCLC; gene_variant: EGFR T790M; drug: osimertinib, Tagrisso", "Tagrisso", "", false},
		{"another disease alone", egfr, 1, "disease: hepatitis B", "osimertinib", "hepatitis", true},
		{"another disease beside it", egfr, 1, "disease: NSCLC; mechanism_outcome: hepatitis B", "osimertinib", "hepatitis",
			true},
		{"another disease within a group", egfr, 1, "disease: NSCLC, hepatitis B; gene_variant: EGFR T790M", "NSCLC",
			"hepatitis", false},
		{"another tumour", egfr, 1, "disease: breast cancer; gene_variant: EGFR T790M", "osimertinib", "breast", true},
		{"another tumour in layer 3", egfr, 3, "disease: breast cancer; gene_variant: EGFR", "", "breast", true},
		{"another change of the gene", egfr, 1, "disease: NSCLC; gene_variant: EGFR L858R", "osimertinib", "L858R", true},
		{"the exon of the change", "EGFR L858R lung cancer", 2, "disease: lung cancer; gene_variant: EGFR L858R, EGFR exon 21",
			"exon 21", "", false},
		{"without the tumour", egfr, 1, "gene_variant: EGFR T790M; drug: osimertinib", "NSCLC", "", true},
		{"without the tumour in layer 3", egfr, 3, "gene_variant: EGFR T790M; drug: osimertinib", "lung", "", true},
		{"a broader tumour beside it", egfr, 1, "disease: NSCLC, lung cancer; gene_variant: EGFR T790M", "NSCLC",
			`"lung cancer"`, false},
		{"the gene beside its change", egfr, 1, "disease: NSCLC; gene_variant: EGFR T790M, EGFR mutation", "EGFR T790M",
			"EGFR mutation", false},
		{"tumour or gene", egfr, 1, "disease: NSCLC, EGFR T790M; drug: osimertinib", "osimertinib", "", true},
		{"gene or drug", egfr, 1, "disease: NSCLC; gene_variant: EGFR T790M, osimertinib", "osimertinib", "", true},
		{"an absent alteration as present", "chemotherapy for EGFR wild-type lung cancer", 1,
			"disease: lung cancer; gene_variant: EGFR mutation", "lung cancer", "EGFR mutation", true},
		{"an absent alteration as present, beside it", "chemotherapy for EGFR wild-type lung cancer", 1,
			"disease: lung cancer; gene_variant: EGFR wild-type, EGFR-mutated", "lung cancer", "EGFR-mutated", true},
		{"its absence", "chemotherapy for EGFR wild-type lung cancer", 1,
			"disease: lung cancer; gene_variant: EGFR wild-type", "EGFR wild-type", "", false},
		{"a marker's opposite", "nivolumab for HER2-negative gastric cancer", 1,
			"disease: gastric cancer; gene_variant: HER2-positive; drug: nivolumab", "nivolumab", "HER2-positive", true},
		{"related notions in one group", "KRAS G12C colorectal cancer resistance SHP2 SOS1 inhibitor", 1,
			"disease: colorectal cancer, CRC; gene_variant: KRAS G12C; mechanism_outcome: SHP2, SOS1, inhibitor", "SOS1", "",
			false},
		{"a word that the dictionary does not know", "zanubrutomab for colorectal cancer", 1,
			"disease: colorectal cancer; drug: zanubrutomab, ZBM-101", "ZBM-101", "", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{
					"finish_reason": "stop", "message": map[string]string{"content": planOf(c.plan)}}}})
			}))
			defer server.Close()
			asked := words.Understand(c.question)
			planner := llm.NewPlanner(llm.New(llm.Options{BaseURL: server.URL + "/v1", Model: "m"}),
				pipeline.RulesPlanner{Dictionary: words}, (*lexicon.Question).Wording)
			q, ok, err := planner.Layer(t.Context(), &asked, c.layer, nil)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			own := q
			own.Or = nil // the model's side
			text := fmt.Sprint(own)
			if (q.By == pipeline.ByRules) != c.byRules || !strings.Contains(text, c.has) ||
				c.lacks != "" && strings.Contains(text, c.lacks) {
				t.Errorf("by %q: %s", q.By, text)
			}
		})
	}
}

// planOf writes a reply to the task query_layer.
func planOf(text string) string {
	var groups []any
	for _, g := range strings.Split(text, ";") {
		concept, list, _ := strings.Cut(g, ":")
		var terms []any
		for _, term := range strings.Split(list, ",") {
			terms = append(terms, map[string]string{"text": strings.TrimSpace(term), "field": "tiab"})
		}
		groups = append(groups, map[string]any{"concept": strings.TrimSpace(concept), "terms": terms})
	}
	out, err := json.Marshal(map[string]any{"groups": groups})
	if err != nil {
		panic(err)
	}
	return string(out)
}
