package boolean_test

import (
	"errors"
	"strings"
	"testing"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
)

// TestFieldsOfFullTexts: the fields of full texts are asked of these alone.
func TestFieldsOfFullTexts(t *testing.T) {
	for _, tc := range []struct{ query, inFullText string }{
		{`"MET amplification"[results]`, `"MET amplification"[results]`},
		{"Y96D[table] AND Cox[methods]", "Y96D[table] AND Cox[methods]"},
		{"kras[body] NOT lung[ti]", "kras[body] NOT lung[ti]"},
	} {
		t.Run(tc.query, func(t *testing.T) {
			_, err := boolean.Read(tc.query)
			var syntax *boolean.SyntaxError
			if !errors.As(err, &syntax) || !strings.Contains(err.Error(), "--full-text") {
				t.Errorf("asked of titles and abstracts: %v", err)
			}
			reading, err := boolean.ReadFullText(tc.query)
			if err != nil || boolean.Print(reading.Node) != tc.inFullText {
				t.Errorf("asked of full texts: %v, %v", reading.Node, err)
			}
		})
	}
	reading, err := boolean.ReadFullText("kras AND (lung[tw] OR colon[ti])")
	if want := `(kras OR kras[body]) AND ((lung[tw] OR lung[body]) OR colon[ti])`; err != nil ||
		strings.ReplaceAll(strings.ReplaceAll(boolean.Print(reading.Node), "(", ""), ")", "") !=
			strings.ReplaceAll(strings.ReplaceAll(want, "(", ""), ")", "") {
		t.Errorf("a term without a tag: %s, %v", boolean.Print(reading.Node), err)
	}
	if reading, err := boolean.ReadFullText("kras and the lung"); err != nil || reading.Node != nil {
		t.Errorf("plain words: %v, %v", reading.Node, err)
	}
}

func TestBodyIsMatched(t *testing.T) {
	record := evidence.Record{Title: "Invented", Body: &evidence.Body{
		Sections: []evidence.BodySection{
			{Kind: evidence.Methods, Title: "Methods", Paragraphs: []string{"A Cox model was used."}},
			{Kind: evidence.Results, Title: "Results", Paragraphs: []string{"Survival was longer."}}},
		Tables:  []evidence.BodyTable{{Label: "Table 1", Rows: [][]string{{"KRAS", "Y96D"}}}},
		Figures: []evidence.BodyFigure{{Label: "Figure 1", Caption: "A swimmer plot"}},
	}}
	doc := boolean.DocumentOf(&record)
	for query, want := range map[string]bool{
		"Cox[methods]": true, "Cox[results]": false, `"KRAS Y96D"[table]`: true, "swimmer[body]": true,
		"swimmer[results]": false, "Cox[tiab]": false, "Cox[all]": true, "Cox[tw]": true,
	} {
		reading, err := boolean.ReadFullText(query)
		if err != nil {
			t.Fatal(err)
		}
		if got := boolean.Match(reading.Node, doc); got != want {
			t.Errorf("%s: %v", query, got)
		}
	}
}
