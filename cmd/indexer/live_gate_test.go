package main

import (
	"errors"
	"testing"

	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
	"dossier/internal/privacy"
)

// TestALiveQuestionIsRunWithSlotsAlone: one with a patient in it, which may be in any file of the inbox.
func TestALiveQuestionIsRunWithSlotsAlone(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	const question = "NSCLC osimertinib, Lunge, MRN 12345"
	if _, err := liveGate(privacy.Gate{Lexicon: words})(question); !errors.Is(err, pipeline.ErrPrivate) {
		t.Errorf("refused: %v", err)
	}
	for policy, want := range map[privacy.Policy]string{
		privacy.Remove: "NSCLC osimertinib, […], […]", privacy.Allow: question,
	} {
		got, err := liveGate(privacy.Gate{Policy: policy, Lexicon: words})(question)
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", policy, got, err, want)
		}
	}
}
