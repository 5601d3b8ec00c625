package lexicon

import (
	"strings"
	"testing"
)

// A word of another language that has the same Greek or Latin origin as one of the dictionary is read as that, and
// shown as corrected; a word of plain English, a symbol or a short word is not.
func TestCognates(t *testing.T) {
	l := mustDefault(t)
	for word, want := range map[string]string{
		"esplenectomía": "splenectomy", "parathyreoidektomie": "parathyroidectomy", "adrenalectomia": "adrenalectomy",
		"amputación": "amputation", "glossektomie": "glossectomy",
		"walking": "", "sites": "", "photon": "",
	} {
		if got := l.cognate(word); got != want && (want != "" || got != word) {
			t.Errorf("%q is read as %q; want %q", word, got, want)
		}
	}
	q := l.Understand("melanoma, esplenectomía")
	if len(q.Drugs) != 1 || q.Drugs[0].Name != "splenectomy" || len(q.Corrected) != 1 {
		t.Errorf("read as %s, corrected %v", q.String(), q.Corrected)
	}
}

// A name of several words of another language that has them in its own order is read as the English name of the same
// words, and shown as corrected; one in English, and a tumour that is composed of its parts, stay as they are.
func TestNamesWithTheirNounFirst(t *testing.T) {
	l := mustDefault(t)
	for _, c := range []struct{ question, to string }{
		{"melanoma, hipertensión portal", "portal hypertension"},
		{"melanoma, ipertensione portale", "portal hypertension"},
		{"melanoma, insuficiencia pancreática exocrina", "exocrine pancreatic insufficiency"},
		{"melanoma, pancreatectomía distal", "distal pancreatectomy"},
		{"adenocarcinoma gástrico, nivolumab", ""},
		{"pts with melanoma", ""},
	} {
		q := l.Understand(c.question)

		got := ""
		for _, fixed := range q.Corrected {
			if strings.Contains(fixed.Text, " ") {
				got = fixed.To
			}
		}

		if got != c.to && !(got == "" && len(q.Words) == 0 && c.to != "") {
			t.Errorf("%q: corrected to %q; want %q", c.question, got, c.to)
		}
	}
}

// Romance languages write an inhibitor with its target behind it, or as "i" before it; an adjective that only names of
// several words have is read as its cognate.
func TestRomanceInhibitorsAndAdjectives(t *testing.T) {
	l := mustDefault(t)
	for question, want := range map[string]string{
		"LLC, iBTK":                   "BTK inhibitor",
		"LLC, inhibidor de BTK":       "BTK inhibitor",
		"melanoma, iBRAF + iMEK":      "MEK inhibitor",
		"CPNM, inibitori di PD-L1":    "PD-L1 inhibitor",
		"neoplasia prostatica":        "prostate cancer",
		"gene expression of iNOS":     "",
		"ca cavidad oral, nivolumab":  "oral cancer",
		"mtx epatiche da CCR, FOLFOX": "liver metastases",
	} {
		q := l.Understand(question)
		if got := q.String(); !strings.Contains(got, want) || want == "" && len(q.Drugs) > 0 {
			t.Errorf("%q is read as %s; want %q", question, got, want)
		}
	}
}
