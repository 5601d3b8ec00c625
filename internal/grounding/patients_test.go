package grounding

import (
	"testing"

	"dossier/internal/evidence"
)

// A number is told of the patients of whom the record tells it: of all of its own, or of those of the very sentence.
func TestNumbersAreOfTheirPatients(t *testing.T) {
	record := evidence.Record{
		ID: "PMID:99200001", Title: "Fatigue during carboplatin and paclitaxel in advanced non-small cell lung cancer",
		PublicationTypes: []evidence.PublicationType{{Name: "Review"}},
		Abstract: []evidence.Section{
			{Label: "METHODS", Text: "We analysed data from randomised trials of 529 patients."},
			{Label: "RESULTS", Text: "Older patients had more fatigue (HR 1.41; 95% CI 1.00-1.97). Performance status 2 was " +
				"associated with earlier fatigue (HR 1.56; 95% CI 1.07-2.27). Younger patients had fewer infections."},
		},
	}
	for _, tc := range []struct {
		name, text string
		isMarked   bool
	}{
		{"of the sentence's own", "Older patients had more fatigue (HR 1.41).", false},
		{"beside those whom they are compared with", "Older patients had more fatigue than younger ones (HR 1.41).", false},
		{"of all", "In advanced non-small cell lung cancer, performance status 2 went with earlier fatigue (HR 1.56).", false},
		{"of those of another result", "Older patients had earlier fatigue (HR 1.56).", true},
		{"trials that a review tells of", "Data of randomised trials were analysed.", false},
		{"a review as a trial", "In this randomised trial, older patients had more fatigue (HR 1.41).", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := New([]evidence.Item{{Record: &record}}, nil, nil, shippedLexicon()).Check(tc.text, []string{record.ID})
			if got := v.Removed != "" || len(v.Marks) > 0; got != tc.isMarked {
				t.Errorf("%s %+v", v.Removed, v.Marks)
			}
		})
	}
}
