package guard_test

import (
	"testing"

	"dossier/internal/guard"
	"dossier/internal/lexicon"
)

// TestRedact: what goes to a log says nothing of whom a question is on, however the message has it.
func TestRedact(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, question, message, want string }{
		{"a question understood whole", "BRAF V600E melanoma", `no answer on "BRAF V600E melanoma"`,
			`no answer on "BRAF V600E melanoma"`},
		{"a quotation of words that would be sent", "kowalska uveal melanoma", `"uveal" is an organ`, `"uveal" is an organ`},
		{"the question quoted", "kowalska uveal melanoma", `no answer on "kowalska uveal melanoma"`, `no answer on "…"`},
		{"a quotation cut within a name", "uveal melanoma kowalska",
			`no answer on "uveal melanoma kowa"`, `no answer on "…"`},
		{"a quotation folded", "Müller uveal melanoma", `not understood: "muller"`, `not understood: "…"`},
		{"a quotation of something else", "kowalska melanoma", `near "lung cancer"`, `near "lung cancer"`},
		{"a word without quotation marks", "Kowalska melanoma",
			"near: melanoma (kowalska asked)", "near: melanoma (… asked)"},
		{"a word within another", "Kowal melanoma", "near: Kowalewski, kowal", "near: Kowalewski, …"},
		{"a name with a hyphen", "Mueller-Lüdenscheid melanoma", "Ludenscheid + Mueller asked", "… + … asked"},
		{"a name that is a word of medicine's", "grace soto: NSCLC osimertinib",
			"soto asked, osimertinib", "… asked, osimertinib"},
		{"a number that was found", "MRN 4411872 melanoma", "4411872 asked", "… asked"},
		{"Chinese", "王秀英 黑色素瘤", "王秀英被问", "…被问"},
		{"JSON in a log", "kowalska melanoma", `{"msg":"asked \"kowalska melanoma\""}`, `{"msg":"asked \"… melanoma\""}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := guard.Redact(words, c.question, c.message); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
