package lexicon

import (
	"strings"
	"testing"
)

// TestShorthandByLanguage reads what a ward writes short as its language means it, and leaves it where another does.
func TestShorthandByLanguage(t *testing.T) {
	l := mustDefault(t)
	for _, test := range []struct{ name, question, want, not string }{
		{"in its language", "LLC, idoso, FA em uso de apixabana: venetoclax?", "atrial fibrillation", ""},
		{"in another", "FA, venetoclax in CLL", "", "atrial fibrillation"},
		{"of a language that is meant", "Melanoma IIB, pz con AR in MTX: pembro?", "rheumatoid arthritis", "androgen"},
		{"of a marker that another language means", "prostate cancer, AR positive", "androgen receptor", "arthritis"},
		{"a word of Greek beside an organ", "NSCLC, mtx SNC: sotorasib?", "CNS metastases", "methotrexate"},
		{"the drug of the same letters", "osteosarcoma, mtx after surgery?", "methotrexate", "metasta"},
		{"a treatment", "RCT bei Rektum-Ca: Capecitabin?", "chemoradiotherapy", "randomized"},
		{"a kind of study", "RCT in rectal cancer, aspirin", "randomized", "chemoradiotherapy"},
		{"an or with its stop", "HCC: TACE, TARE od. Atezo/Bev?", "compared: transarterial chemoembolization", "prior"},
		{"a dose a day", "osimertinib 80 mg od. Next line in NSCLC?", "", "compared"},
		{"one letter with its stop", "KRK, n. FOLFIRI: Resektion oder RFA?", "prior: FOLFIRI", ""},
		{"a nerve", "Meningeom am N. opticus, Protonen oder Operation?", "", "prior"},
		{"letters behind a hyphen", "cancer du poumon, en PD-L1 50% après chimio", "PD-L1", "first-line"},
		{"a glued carcinoma", "ColangioCa, IDH1 mut: ivosidenib?", "cholangiocarcinoma", ""},
		{"a cancer by its first letter", "K ovaio, BRCA mut: olaparib?", "ovarian cancer", ""},
		{"in Portuguese a preposition", "câncer de mama, metástases no fígado", "", "no liver"},
		{"in Spanish an absence", "GBM MGMT no metilado: beva o CCNU?", "no MGMT methylation", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := l.Understand(test.question)
			if said := q.String(); !strings.Contains(said, test.want) || test.not != "" && strings.Contains(said, test.not) {
				t.Errorf("%q is read as %s; want %q in it, and not %q", test.question, said, test.want, test.not)
			}
		})
	}
}
