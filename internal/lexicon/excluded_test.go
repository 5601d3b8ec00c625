package lexicon

import (
	"strings"
	"testing"
)

func TestDrugsThatMustNotBeGiven(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct{ question, want string }{
		{"bladder cancer cisplatin contraindicated, carboplatin", "carboplatin; excluded: cisplatin"},
		{"bevacizumab is strictly contraindicated, ovarian cancer niraparib", "excluded: bevacizumab; niraparib"},
		{"contraindications to bevacizumab, ovarian cancer, niraparib", "excluded: bevacizumab; niraparib"},
		{"allergic to oxaliplatin, colorectal cancer, FOLFIRI", "FOLFIRI; excluded: oxaliplatin"},
		{"oxaliplatin allergy, colorectal cancer, FOLFIRI", "FOLFIRI; excluded: oxaliplatin"},
		{"refuses surgery, bladder cancer, radiotherapy", "excluded: surgery; radiotherapy"},
		{"patient declined anthracyclines, breast cancer, paclitaxel", "excluded: anthracycline; paclitaxel"},
		{"ineligible for bevacizumab, glioblastoma, lomustine", "excluded: bevacizumab; lomustine"},
		{"unfit for docetaxel, prostate cancer, enzalutamide", "enzalutamide; excluded: docetaxel"},
		{"not a candidate for ipilimumab, melanoma nivolumab", "excluded: ipilimumab; nivolumab"},
		{"avoid lenvatinib, HCC, durvalumab", "durvalumab; excluded: lenvatinib"},
		{"Oxaliplatin kontraindiziert, Kolonkarzinom, FOLFIRI", "FOLFIRI; excluded: oxaliplatin"},
		{"Kontraindikation gegen Bevacizumab, Kolonkarzinom, FOLFIRI", "FOLFIRI; excluded: bevacizumab"},
		{"Patientin lehnt Chemotherapie ab, Mammakarzinom, Letrozol", "excluded: chemotherapy; letrozole"},
		{"bévacizumab contre-indiqué, cancer du côlon, FOLFIRI", "FOLFIRI; excluded: bevacizumab"},
		{"ineleggibile al docetaxel, carcinoma prostatico, enzalutamide", "enzalutamide; excluded: docetaxel"},
		{"bevacizumab controindicato, carcinoma del colon", "excluded: bevacizumab"},
		{"no elegible para bevacizumab, cáncer de colon", "excluded: bevacizumab"},
		{"bevacizumab contraindicado, cáncer de colon", "excluded: bevacizumab"},
		{"贝伐珠单抗禁忌 结肠癌", "excluded: bevacizumab"},
		{"对奥沙利铂过敏 结肠癌", "excluded: oxaliplatin"},
		// what belongs to it, and what does not
		{"oxaliplatin or irinotecan contraindicated, colon cancer", "excluded: irinotecan; excluded: oxaliplatin"},
		{"oxaliplatin-based chemotherapy is contraindicated, colon cancer",
			"excluded: chemotherapy; excluded: oxaliplatin"},
		{"ineligible for cisplatin or carboplatin, urothelial cancer", "excluded: carboplatin"},
		{"ineligible for bevacizumab, cetuximab or panitumumab, colon cancer",
			"compared: cetuximab; compared: panitumumab; excluded: bevacizumab"},
		{"no contraindication to oxaliplatin, colon cancer", "oxaliplatin"},
		{"PSA decline after enzalutamide", "prior: enzalutamide"},
	} {
		q := l.Understand(tc.question)
		if got := slotWith(&q, "drugs"); got != tc.want {
			t.Errorf("%q is read as %q, and not as %q", tc.question, got, tc.want)
		}
	}
}

// What must not be given is another question than what is given, or was given before.
func TestExcludedIsARoleOfItsOwn(t *testing.T) {
	l := mustDefault(t)
	excluded := l.Understand("colon cancer oxaliplatin contraindicated")
	for _, other := range []string{"colon cancer oxaliplatin", "colon cancer without oxaliplatin",
		"colon cancer after oxaliplatin", "colon cancer no prior oxaliplatin", "colon cancer intolerant to oxaliplatin"} {
		if q := l.Understand(other); asksTheSame(t, &excluded, &q) {
			t.Errorf("%q is taken for a contraindication", other)
		}
	}
	for _, same := range []string{"contraindication to oxaliplatin in colon cancer", "Kolonkarzinom, Oxaliplatin kontraindiziert"} {
		if q := l.Understand(same); !asksTheSame(t, &excluded, &q) {
			t.Errorf("%q is not read as %q: %s", same, excluded.Text, q.String())
		}
	}
}

// slotOf is one slot's values in a line.
func slotWith(q *Question, name string) string {
	for _, s := range q.slots() {
		if s.name == name {
			return strings.Join(s.values, "; ")
		}
	}
	return ""
}
