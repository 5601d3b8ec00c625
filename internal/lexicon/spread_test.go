package lexicon

import (
	"slices"
	"strings"
	"testing"
)

// TestShortNotes reads what a note says of the disease and of the patient in few words.
func TestShortNotes(t *testing.T) {
	l := mustDefault(t)
	for _, test := range []struct{ name, question, want, not string }{
		{"a site that is all", "nasopharyngeal carcinoma, bone only, RT?", "bone-only metastases", ""},
		{"a site that is all, behind its metastases", "CRC, Lebermetastasen only, Resektion?", "liver-only metastases", ""},
		{"a site that is all, before what happened", "ROS1 NSCLC, CNS-only PD", "CNS-only metastases", ""},
		{"a site behind what happened", "melanoma, PD liver", "liver metastases", ""},
		{"sites behind what happened", "Melanom, Rezidiv Leber + Lunge", "liver metastases; lung metastases", ""},
		{"a site before what happened", "lung cancer, hepatic progression", "liver metastases", ""},
		{"sites before a word for metastases", "Melanom, hep. u. ossäre Filiae: Nivolumab?",
			"liver metastases; bone metastases", ""},
		{"sites in brackets behind it", "NZK met. (pulm., oss.), Cabozantinib?", "lung metastases; bone metastases", ""},
		{"a list of sites before it", "breast cancer, liver, lung and bone mets: capecitabine?",
			"liver metastases; lung metastases; bone metastases", ""},
		{"a site of a tumour that is not named", "PD liver on osimertinib", "liver metastases", "liver cancer"},
		{"the organ of a cancer that is back", "cancer ovaire rechute, niraparib?", "recurrent", "ovarian metastases"},
		{"the tumour's own site", "cervical cancer, recurrence cervix", "recurrence", "cervix metastases"},
		{"a tumour behind what happened", "recurrent lung adenocarcinoma after breast cancer", "recurrent", "lung metastases"},
		{"a stage behind the histology", "adeno IV lung, osimertinib?", "stage IV", "intravenous"},
		{"a drug that is given so", "adenocarcinoma of the lung, IV pembrolizumab", "intravenous", "stage IV"},
		{"a laboratory value", "bladder cancer, CrCl 45, carboplatin?", "45", ""},
		{"a value that changed", "pancreatic cancer, CA19-9 da 900 a 80", "900; 80", ""},
		{"a receptor of which there is none", "breast cancer, ER 90% PR 0", "no progesterone receptor", ""},
		{"a grade in one word", "melanoma, colitis gr2", "grade 2", ""},
		{"a word cut off", "breast cancer, premenop, exemestane?", "premenopausal", ""},
		{"an absence behind its word", "lymphoma, POD24 no. Third line?", "no progression within 24 months", "no third-line"},
		{"what ended a treatment", "GIST, PD on imatinib, sunitinib?", "progressive", ""},
		{"how long", "NET, SSA seit 2 J, PRRT?", "since 2 years", ""},
		{"how often, before the drug", "glioma, 12x TMZ, vorasidenib?", "12 cycles", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := l.Understand(test.question)
			said := q.said()
			for _, want := range strings.Split(test.want, "; ") {
				if !slices.Contains(said, want) {
					t.Errorf("%q is read as %q; want %q", test.question, said, want)
				}
			}
			if test.not != "" && slices.Contains(said, test.not) {
				t.Errorf("%q is read as %q, and says no %q", test.question, said, test.not)
			}
		})
	}
}
