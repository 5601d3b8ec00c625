package pipeline

import (
	"errors"
	"fmt"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

var _ Dictionary = (*lexicon.Lexicon)(nil)

func TestRulesPlannerReads(t *testing.T) {
	chinese := func(text string) lexicon.Word {
		return lexicon.Word{Part: lexicon.Part{Text: text}, Key: text, Language: "Chinese"}
	}
	tests := []struct {
		name  string
		words []lexicon.Word
		want  string // the error; empty for none
	}{
		{"all of it is known", nil, ""},
		{"an unknown word", []lexicon.Word{{Part: lexicon.Part{Text: "foo"}, Key: "foo"}}, ""},
		{"a language that nothing reads", []lexicon.Word{{Part: lexicon.Part{Text: "foo"}}, chinese("耐药"),
			{Part: lexicon.Part{Text: "рак"}, Language: "Cyrillic script"}},
			`nothing here reads "耐药" (Chinese), "рак" (Cyrillic script); write the question in English, or configure a model that reads its language`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := RulesPlanner{}.Readable(&lexicon.Question{Words: tt.words})
			if got := fmt.Sprint(err); tt.want == "" && err != nil || tt.want != "" && (got != tt.want ||
				!errors.Is(err, ErrUnreadable)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// Wide synonyms ("exon 2") widen searches, and answer no question of their own.
func TestVariantsAreKeptApart(t *testing.T) {
	q := questionOf("KRAS G12C colorectal cancer")
	tests := []struct {
		title string
		want  evidence.Directness
	}{
		{"KRAS G12C-mutated metastatic colorectal cancer", evidence.Direct},
		{"Metastatic colorectal carcinomas with KRAS p.Gly12Cys", evidence.Direct},
		{"KRAS G12D-mutated metastatic colorectal cancer", evidence.Indirect},
		{"KRAS mutations in colorectal cancer", evidence.Partly},
		{"KRAS G12C-mutated lung cancer", evidence.Indirect},
	}
	for _, tt := range tests {
		t.Run(tt.title, func(t *testing.T) {
			if fit := q.Fit(&evidence.Record{Title: tt.title}); fit.Directness != tt.want {
				t.Errorf("%s, want %s", fit.String(), tt.want)
			}
		})
	}
}
