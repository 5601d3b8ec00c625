package main

import (
	"errors"
	"testing"

	"dossier/internal/guard"
	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
)

// TestALiveQuestionIsRunWithSlotsAlone: one with a patient in it, which may be in any file of the inbox.
func TestALiveQuestionIsRunWithSlotsAlone(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	const question = "NSCLC osimertinib, Lunge, MRN 12345"
	if _, err := liveGate(guard.Gate{Lexicon: words})(question); !errors.Is(err, pipeline.ErrPrivate) {
		t.Errorf("refused: %v", err)
	}
	for policy, want := range map[guard.Policy]string{
		guard.Remove: "NSCLC osimertinib, […], […]", guard.Allow: question,
	} {
		got, err := liveGate(guard.Gate{Policy: policy, Lexicon: words})(question)
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", policy, got, err, want)
		}
	}
}
