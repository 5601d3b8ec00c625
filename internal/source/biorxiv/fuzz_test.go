package biorxiv

import (
	"encoding/json"
	"os"
	"testing"

	"dossier/internal/evidence"
)

// FuzzAnswer: whatever comes is the preprint that was asked about, or none.
func FuzzAnswer(f *testing.F) {
	if body, err := os.ReadFile("testdata/published.json"); err == nil {
		f.Add(string(body))
	}
	f.Add(`{"messages":[{"status":"no posts found"}],"collection":[]}`)
	f.Add(`{"messages":{"status":"ok"},"collection":[{"doi":"10.1101/2023.00.00.00000001","version":-3,"published":[]},7]}`)
	const doi = "10.1101/2023.00.00.00000001"
	f.Fuzz(func(t *testing.T, text string) {
		known, err := check([]byte(text))
		if err != nil || !known {
			return
		}
		r, id, err := reader(evidence.SourceMedRxiv, doi)(json.RawMessage(text))
		if id != doi {
			t.Errorf("it is told as %q", id)
		}
		if err != nil {
			return
		}
		if r.Origins[0].ID != doi || len(r.Identifiers) != 1 || !r.Preprint || len(r.Links) > 1 {
			t.Errorf("%+v", r)
		}
	})
}
