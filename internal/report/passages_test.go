package report

import (
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// A model that writes the text is given what is nearest to the question in the full texts that are kept, within what
// the abstracts leave of the budget, and the report says so.
func TestAModelIsGivenPassages(t *testing.T) {
	const row = "Confirmed response | 24 (40) | 5 (8)"
	in, model := exampleInput(t), exampleModel()
	first := in.Sample[0].Record.ID
	for _, tc := range []struct {
		name     string
		kept     bool
		maxText  int
		passages []evidence.Passage
		want     []Passage
	}{
		{"a row of a table", true, 0, []evidence.Passage{{In: evidence.InTable, Section: "Table 2", Text: row}},
			[]Passage{{Where: "Table 2", Text: row}}},
		{"a long paragraph is cut at a sentence", true, 0, []evidence.Passage{{Section: "Results",
			Text: strings.Repeat("A", 500) + ". " + strings.Repeat("B", 500) + "."}},
			[]Passage{{Where: "Results", Text: strings.Repeat("A", 500) + "."}}},
		{"abstracts come first", true, 10, []evidence.Passage{{Section: "Results", Text: row}}, nil},
		{"nothing is near", true, 0, nil, nil},
		{"no full texts are kept", false, 0, []evidence.Passage{{Section: "Results", Text: row}}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			opt := rulesOnly()
			opt.Model, opt.MaxText = model, tc.maxText
			if tc.kept {
				opt.Nearest = func(r *evidence.Record) []evidence.Passage {
					if r.ID != first {
						return nil
					}
					return tc.passages
				}
			}
			made, err := Build(t.Context(), in, opt)
			if err != nil {
				t.Fatal(err)
			}
			var got []Passage
			for _, e := range model.wrote.Evidence {
				if e.ID != first && len(e.Passages) > 0 {
					t.Errorf("%s has passages of another record: %v", e.ID, e.Passages)
				}
				if e.ID == first {
					got = e.Passages
				}
			}
			if len(got) != len(tc.want) || len(got) > 0 && got[0] != tc.want[0] {
				t.Errorf("the model is given %v, want %v", got, tc.want)
			}
			const told = "Beside the abstracts the model was given passages of 1 full text."
			if isTold := strings.Contains(made.Limitations[0].Text, told); isTold != (len(tc.want) > 0) {
				t.Errorf("the report tells of passages: %v", isTold)
			}
		})
	}
}
