package lexicon

import (
	"slices"
	"strings"
	"testing"
)

// TestWardsCutNamesOff reads a drug's name that a ward cut off, and tells so; never a word that is one, or that two
// drugs' names begin with.
func TestWardsCutNamesOff(t *testing.T) {
	l := mustDefault(t)
	for _, c := range []struct{ name, question, drug, from string }{
		{"five letters anywhere", "pertu in HER2-positive breast cancer", "pertuzumab", "pertu"},
		{"a capital", "Lurbi in relapsed SCLC", "lurbinectedin", "Lurbi"},
		{"four letters beside a stroke", "HCL: clad/ritux", "cladribine", "clad"},
		{"four letters behind a comparison", "mycosis fungoides: brentuximab vedotin vs moga", "mogamulizumab", "moga"},
		{"a drug of two words", "HCL: vemurafenib vs moxe", "moxetumomab pasudotox", "moxe"},
		{"a drug and its conjugates", "trastu in gastric cancer", "trastuzumab", "trastu"},
		{"four letters alone are a word", "clad in the lab coat of melanoma", "", ""},
		{"a part of a name", "second line chemotherapy in gastric cancer", "", ""},
		{"the beginning of a drug of two words", "amino acid transport in colon cancer", "", ""},
		{"two drugs", "hydro in melanoma", "", ""},
		{"an English word", "interval debulking in ovarian cancer", "", ""},
		{"two characters that one drug begins with", "肝癌,仑伐二线", "lenvatinib", "仑伐"},
		{"a name in Chinese that goes on", "胃癌,维迪西妥一线", "disitamab vedotin", "维迪西妥"},
		{"two characters of several drugs", "骨髓瘤,伊沙二线", "", ""},
		{"two drugs with capitals in one word", "bladder cancer, GemCis", "gemcitabine + cisplatin", "GemCis"},
		{"capitals are a short form", "DURVA in melanoma", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := l.Understand(c.question)
			found, to := "", ""
			for _, fixed := range q.Corrected {
				found, to = fixed.Text, fixed.To
				if c.from == fixed.Text {
					break
				}
			}
			if found != c.from || to != c.drug {
				t.Errorf("read %q as %q, want %q as %q", found, to, c.from, c.drug)
			}
			isRead := func(d Drug) bool { return d.Name == c.drug }
			if c.drug != "" && !strings.Contains(c.drug, " + ") && !slices.ContainsFunc(q.Drugs, isRead) {
				t.Errorf("%s is not among the drugs of %s", c.drug, q.String())
			}
		})
	}
}
