package lexicon

import (
	"strings"
	"testing"
)

// TestHowWardsWrite reads what a ward writes short, by the rule that each case names; and what is like it and something
// else as that.
func TestHowWardsWrite(t *testing.T) {
	l := mustDefault(t)
	for _, c := range []struct{ name, question, want, not string }{
		{"two drugs in one word", "CCA dopo cisgem durva", "prior: cisplatin; prior: durvalumab; prior: gemcitabine", ""},
		{"two drugs that nobody gives together", "melanoma, ipiosi", `words "ipiosi"`, ""},
		{"drugs that hyphens join", "MM, carfil-poma", "carfilzomib; pomalidomide", ""},
		{"a drug alone in its clause", "uveal melanoma, HLA-A2+, tebe?", "tebentafusp", ""},
		{"a drug on which the disease went on", "Merkel, avel prog, ipi", "prior: avelumab", ""},
		{"the beginning of a drug, a slip from a word", "LGSOC: avuto+defact", "avutometinib; defactinib", "defect"},
		{"PD before a treatment", "TNBC, pd pembro+chemo, sacit vs olap", "prior: chemotherapy; prior: pembrolizumab", ""},
		{"at PD another treatment", "TNBC, at PD pembro", "pembrolizumab", "prior"},
		{"what joins the last two is asked about", "FL r/r after R-benda, axi-cel or mosun",
			"compared: axicabtagene ciloleucel; compared: mosunetuzumab; resistant: BR regimen", ""},
		{"resistant to three", "MM refractory to len, bort and dara", "resistant: bortezomib", "given"},
		{"what a comma parts from what is not given", "CLL, kein Ibrutinib, Venetoclax?", "venetoclax; withheld: ibrutinib", ""},
		{"a list of what is not given", "CLL, no ibrutinib, venetoclax or idelalisib", "withheld: venetoclax", ""},
		{"a list of what a treatment goes without", "FOLFOX without bevacizumab, cetuximab", "withheld: cetuximab", ""},
		{"survival in a Romance language", "cáncer de páncreas, FOLFIRINOX SG y SLP",
			"overall survival; progression-free survival", "sacituzumab"},
		{"a drug where it is given", "cancer du sein TNBC SG 2L", "sacituzumab govitecan", "overall survival"},
		{"neither", "CRC BRAFm, enco-cetux SG", `words "sg"`, "sacituzumab"},
		{"an adjective behind its drug", "ovario, bev previo, ola?", "prior: bevacizumab", ""},
		{"small letters without a vowel", "endometrial cancer, rt vs tdxd", "compared: radiotherapy", "words"},
		{"a sign in the name", "mesothelioma, pd", `words "pd"`, "decortication"},
		{"a gene and its level in one word", "her2low breast cancer", "ERBB2 low expression", "words"},
		{"tx behind an organ", "melanoma, kidney tx", "kidney transplantation", ""},
		{"tx at the end of a word", "melanoma, no immunotx", "withheld: immunotherapy", ""},
		{"a stage with its letter", "NPC IVa GP", "stage IVA", ""},
		{"a stage behind a tumour", "melanoma III", "stage III", ""},
		{"a number elsewhere", "melanoma, NYHA III", `iii`, "stage III"},
		{"a woman's age", "58f TNBC", "58 years", ""},
		{"fractions", "NSCLC RT 60 Gy 30f", `30f`, "30 years"},
		{"all words of a name cut off", "BRCA1, contralat proph mastect", "contralateral prophylactic mastectomy", "words"},
		{"signs within a form", "cancer du sein, m+ os", "bone metastases", "words"},
		{"a short form of questions only", "breast ca, EC then IA", "EC chemotherapy; then: aromatase inhibitor", ""},
		{"PD-1 beside a treatment", "chemo + PD-1 in HCC", "PD-1 inhibitor", "PDCD1"},
		{"PD-1 beside nothing", "PD-1 in HCC", "PDCD1", "inhibitor"},
		{"a language by its accents", "GIST gástrico, mts hep", "liver metastases", "words"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := l.Understand(c.question)
			read := got.String()
			if !strings.Contains(read, c.want) || c.not != "" && strings.Contains(read, c.not) {
				t.Errorf("%q is not in, or %q is in %s", c.want, c.not, read)
			}
		})
	}
}

// TestSensesOfQuestionsOnly: what papers never mean by a short form is not read in them.
func TestSensesOfQuestionsOnly(t *testing.T) {
	l := mustDefault(t)
	for _, title := range []string{"EC in breast cancer", "TAM in breast cancer", "IA in breast cancer"} {
		var q Question
		if l.read(&q, title, false); len(q.Drugs) > 0 {
			t.Errorf("%q is read as %s", title, q.String())
		}
	}
}
