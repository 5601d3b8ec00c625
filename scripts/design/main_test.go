package main

import (
	"bytes"
	"os"
	"testing"

	"dossier/internal/evidence"
)

const shared = "../../../shared"

func sharedExamples(t *testing.T) (labelled, stated []example) {
	t.Helper()
	if _, err := os.Stat(shared + "/bench/design"); err != nil {
		t.Skip("there are no labelled records beside the repository (../shared/bench/design)")
	}
	labelled, stated, err := readExamples(shared)
	if err != nil {
		t.Fatal(err)
	}
	return labelled, stated
}

// TestCrossValidation holds the model to floors on records that it was not trained on, and to be better than the rules.
func TestCrossValidation(t *testing.T) {
	labelled, stated := sharedExamples(t)
	rules, model := measure(labelled, byRules(labelled)), measure(labelled, crossValidate(labelled, stated, 0))
	t.Logf("rules alone\n%s\nmodel, in %d-fold cross-validation\n%s", rules, folds, model)
	if model.macroF1 < 0.81 || model.macroF1 < rules.macroF1 {
		t.Errorf("macro-F1 %.3f; of the rules %.3f", model.macroF1, rules.macroF1)
	}
	if model.right*rules.told < rules.right*model.told {
		t.Errorf("%d of %d told are right; by the rules %d of %d", model.right, model.told, rules.right, rules.told)
	}
	floors := map[evidence.Design]float64{ // of recall
		evidence.DesignGuideline: 0.85, evidence.DesignTrial: 0.75, evidence.DesignSystematic: 0.75,
		evidence.DesignNarrative: 0.70, evidence.DesignObservational: 0.86, evidence.DesignCaseReport: 0.86,
		evidence.DesignPreclinical: 0.92,
	}
	for c, class := range model.classes {
		if floor := floors[evidence.Design(class)]; model.recall[c] < floor {
			t.Errorf("%s: recall %.3f, less than %.2f", class, model.recall[c], floor)
		}
		if model.precision[c] < 0.6 { // of those that a board trusts most, few may be told falsely
			t.Errorf("%s: precision %.3f, less than 0.6", class, model.precision[c])
		}
	}
}

// TestShippedWeights trains again and holds the bytes to those that ship.
func TestShippedWeights(t *testing.T) {
	labelled, stated := sharedExamples(t)
	var out bytes.Buffer
	if err := train(append(stated, labelled...)).Write(&out); err != nil {
		t.Fatal(err)
	}
	shipped, err := os.ReadFile("../../internal/pipeline/design_model.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), shipped) {
		t.Error("training gives other weights than those that ship; run go run ./scripts/design, as its package says")
	}
}
