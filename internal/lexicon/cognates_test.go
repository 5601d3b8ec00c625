package lexicon

import "testing"

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
