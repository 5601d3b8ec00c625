package lexicon

import (
	"slices"
	"testing"
)

// An alteration keeps its slot, and puts its tumour under the class that the WHO defines by it.
func TestAnAlterationPutsATumourIntoItsClass(t *testing.T) {
	const (
		aml = "acute myeloid leukemia with recurrent genetic abnormalities"
		mln = "myeloid/lymphoid neoplasm with eosinophilia"
	)
	l := mustDefault(t)
	cases := []struct {
		question, tumour, group string
		in                      bool
	}{
		{"NPM1-mutated AML", "acute myeloid leukemia", aml, true},
		{"AML with BCR-ABL1", "acute myeloid leukemia", aml, true},
		{"AML with RUNX1-RUNX1T1", "acute myeloid leukemia", aml, true},
		{"AML t(8;21)", "acute myeloid leukemia", aml, true},
		{"acute megakaryoblastic leukemia RBM15-MKL1", "acute megakaryoblastic leukemia", aml, true},
		{"myeloid/lymphoid neoplasm PCM1-JAK2", "myeloid/lymphoid neoplasm", mln, true},
		{"NPM1 wild-type AML", "acute myeloid leukemia", aml, false},
		{"AML without NPM1 mutation", "acute myeloid leukemia", aml, false},
		{"NPM1 AML", "acute myeloid leukemia", aml, false}, // named, and nothing of what has become of it
		{"AML FLT3-ITD", "acute myeloid leukemia", aml, false},
		{"NPM1-mutated MDS", "myelodysplastic syndrome", aml, false},
		{"myeloid/lymphoid neoplasm JAK2 V617F", "myeloid/lymphoid neoplasm", mln, false},
	}
	for _, c := range cases {
		t.Run(c.question, func(t *testing.T) {
			q := l.Understand(c.question)
			if len(q.Tumours) != 1 || q.Tumours[0].Name != c.tumour || len(q.Alterations) == 0 {
				t.Fatalf("read as %s", q.String())
			}
			broader := l.Broader(&q.Tumours[0])
			if slices.Contains(broader, c.group) != c.in {
				t.Errorf("under %q: %v, want %v", broader, !c.in, c.in)
			}
			if !slices.Contains(broader, "hematologic malignancy") {
				t.Errorf("what is broader without the alteration is lost: %q", broader)
			}
		})
	}
}

func TestAClassThatAnAlterationDefinesIsNoAnswerToIt(t *testing.T) {
	l := mustDefault(t)
	one, class := l.Understand("NPM1-mutated AML"), l.Understand("AML with recurrent genetic abnormalities")
	if asksTheSame(t, &one, &class) {
		t.Error("the class is taken for the leukemia")
	}
}

// A tumour without an organ is under the organ that is usually meant; one with another organ isn't.
func TestATumourWithoutAnOrganIsUnderTheUsualOne(t *testing.T) {
	l := mustDefault(t)
	cases := []struct {
		tumour, broader string
		under           bool
	}{
		{"adenoid cystic carcinoma", "salivary gland cancer", true},
		{"high-grade mucoepidermoid carcinoma", "salivary gland cancer", true},
		{"acinic cell carcinoma", "salivary gland cancer", true},
		{"villoglandular carcinoma", "cervical adenocarcinoma", true},
		{"adenoid cystic carcinoma of the lung", "salivary gland cancer", false},
		{"acinic cell carcinoma of the breast", "salivary gland cancer", false},
		{"villoglandular carcinoma of the colon", "cervical adenocarcinoma", false},
	}
	for _, c := range cases {
		t.Run(c.tumour, func(t *testing.T) {
			q := l.Understand(c.tumour)
			if len(q.Tumours) != 1 || len(q.Words) > 0 {
				t.Fatalf("read as %s", q.String())
			}
			if broader := l.Broader(&q.Tumours[0]); slices.Contains(broader, c.broader) != c.under {
				t.Errorf("under %q: %v, want %v", broader, !c.under, c.under)
			}
		})
	}
	plain, salivary := l.Understand("adenoid cystic carcinoma"),
		l.Understand("adenoid cystic carcinoma of the salivary gland")
	if asksTheSame(t, &plain, &salivary) {
		t.Error("a tumour without an organ is taken for one of the usual organ")
	}
}
