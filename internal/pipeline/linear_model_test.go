package pipeline

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

const modelTable = "term\tidf\tcat\tdog\n" +
	"any\t100\t10\t-10\n" +
	"body barks\t200\t-50\t150\n" +
	"body it barks\t300\t0\t100\n" +
	"body mews\t200\t150\t-50\n" +
	"title #\t100\t5\t0\n"

func modelText(title, body string) ModelText {
	return ModelText{
		Fields: []ModelField{{"title", strings.Fields(title)}, {"body", strings.Fields(body)}},
		Facts:  []ModelFact{{"any", 1}, {"unknown", 1}},
	}
}

func TestProbabilities(t *testing.T) {
	model, err := ReadLinearModel(modelTable)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name        string
		title, body string
		want        float64 // of the first class
	}{
		{"a word", "", "| it mews |", logistic(0.2 + 2)},
		{"a word as often as may be is one term of length 1", "", "| mews mews mews |", logistic(0.2 + 2)},
		{"words share the length 1", "", "| mews | barks |", logistic(0.2)},
		{"a pair counts beside its words", "", "| it barks |", logistic(0.2 - (2*2+3*1)/math.Sqrt(13))},
		{"a word of another field is another term", "mews", "", logistic(0.2)},
		{"numbers are one word", "12.5", "", logistic(0.2 + 0.05)},
		{"an unknown text has the facts alone", "", "| it meows |", logistic(0.2)},
		{"an empty one too", "", "", logistic(0.2)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := model.Probabilities(modelText(tt.title, tt.body))
			if math.Abs(got[0]-tt.want) > 1e-9 || math.Abs(got[0]+got[1]-1) > 1e-9 {
				t.Errorf("got %v, want %.4f for the first", got, tt.want)
			}
		})
	}
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func TestWriteAndRead(t *testing.T) {
	model, err := ReadLinearModel(modelTable)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := model.Write(&out); err != nil || out.String() != modelTable {
		t.Errorf("written as %q, %v; read from %q", out.String(), err, modelTable)
	}
}

func TestReadRefuses(t *testing.T) {
	for name, damaged := range map[string]string{
		"nothing":                "",
		"one class":              "term\tidf\tcat\n",
		"a weight that is none":  "term\tidf\tcat\tdog\nany\t1\tx\t1\n",
		"a row without a weight": "term\tidf\tcat\tdog\nany\t1\t1\n",
		"a term twice":           "term\tidf\tcat\tdog\nany\t1\t1\t1\nany\t1\t1\t1\n",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ReadLinearModel(damaged); err == nil {
				t.Errorf("%q is read as a model", damaged)
			}
		})
	}
}

func FuzzProbabilities(f *testing.F) {
	model, err := ReadLinearModel(modelTable)
	if err != nil {
		f.Fatal(err)
	}
	f.Add("a 1 mews", "| it barks | it mews |")
	f.Fuzz(func(t *testing.T, title, body string) {
		got := model.Probabilities(modelText(title, body))
		if math.IsNaN(got[0]) || math.Abs(got[0]+got[1]-1) > 1e-9 {
			t.Errorf("probabilities %v", got)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(modelTable)
	f.Fuzz(func(t *testing.T, damaged string) {
		if model, err := ReadLinearModel(damaged); err == nil && len(model.Classes) < 2 {
			t.Errorf("a model of %d classes", len(model.Classes))
		}
	})
}
