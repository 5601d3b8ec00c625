package lexicon

import (
	"slices"
	"strings"
	"testing"
)

// A note tells what was given, for how long and with what result, and then asks: "role name" of all treatments.
var timelines = []struct{ name, question, want string }{
	{"a length and an answer behind it", "NSCLC, osi x14 mo, PD w/ MET amp: savolitinib or platinum?",
		"prior osimertinib; compared savolitinib; compared platinum-based chemotherapy"},
	{"what is to be added goes on from what is under way", "NSCLC, osi x14 mo, PD w/ MET amp: add savolitinib?",
		"background osimertinib; given savolitinib"},
	{"a length before it", "pancreatic cancer, 16 wks FOLFIRINOX w/ SD -> olaparib maint?",
		"prior FOLFIRINOX; given olaparib"},
	{"a chain of arrows", "NSCLC: crizotinib 2 yrs -> alectinib 11 mo -> PD, lorlatinib?",
		"prior crizotinib; prior alectinib; given lorlatinib"},
	{"a chain without lengths", "MM, VRd -> ASCT -> len, relapse, DKd or cilta-cel",
		"prior VRd; prior autologous stem cell transplantation; prior lenalidomide; " +
			"compared DKd; compared ciltacabtagene autoleucel"},
	{"cycles", "PDAC, gem/nab-paclitaxel C1-6, benefit of RT?",
		"prior gemcitabine; prior nab-paclitaxel; given radiotherapy"},
	{"from a year to another", "GIST: imatinib (2019-2022), sunitinib (2022-2024), PD. Regorafenib or ripretinib?",
		"prior imatinib; prior sunitinib; compared regorafenib; compared ripretinib"},
	{"since a month, and nothing ended it", "CRC, FOLFOX since 1/24, SD, liver resection now?",
		"background FOLFOX; given liver resection"},
	{"since a month, and the disease went on", "breast cancer, palbociclib since 3/24, PD, now elacestrant?",
		"prior palbociclib; given elacestrant"},
	{"beyond oligoprogression", "NSCLC, osimertinib 18 mo, PR, now oligoPD - SBRT and continue?",
		"background osimertinib; given stereotactic body radiotherapy"},
	{"nothing asked about behind what came of all", "MM, VRd x4, len maintenance, now relapse. Treat now or wait?",
		"prior VRd; prior lenalidomide"},
	{"nothing named that could come next", "NSCLC osimertinib 14 mo, PD. What next?", "prior osimertinib"},
	{"in German", "NSCLC, Osimertinib 14 Monate, dann PD mit MET-Amplifikation: Savolitinib oder Chemotherapie?",
		"prior osimertinib; compared savolitinib; compared chemotherapy"},
	{"in French", "CBNPC, osimertinib 14 mois, progression avec mutation MET, savolitinib ou chimiothérapie ?",
		"prior osimertinib; compared savolitinib; compared chemotherapy"},
	{"in Spanish", "cáncer de mama, trastuzumab 18 meses, progresión, ¿tucatinib?",
		"prior trastuzumab; given tucatinib"},
	{"in Italian", "carcinoma renale, nivolumab + ipilimumab 8 mesi, PD, cabozantinib o axitinib?",
		"prior nivolumab; prior ipilimumab; compared cabozantinib; compared axitinib"},
	{"in Portuguese", "câncer de próstata, abiraterona 12 meses, progressão, docetaxel?",
		"prior abiraterone; given docetaxel"},
	{"in Chinese", "胰腺癌,FOLFIRINOX 8周期,SD,奥拉帕利维持?", "prior FOLFIRINOX; given olaparib"},

	{"what was given already", "mCRPC, already had abi (14 mo) and doce x6, no PARPi yet, BRCA2m - ola or radium-223?",
		"prior abiraterone; prior docetaxel; not prior PARP inhibitor; compared olaparib; compared radium-223"},
	{"what was not given so far", "NSCLC, crizotinib 3 y, PD, no entrectinib so far. Repotrectinib?",
		"prior crizotinib; not prior entrectinib; given repotrectinib"},
	{"what was never given", "mesothelioma, never had IO, PD after cisplatin. Nivolumab?",
		"not prior immunotherapy; prior cisplatin; given nivolumab"},
	{"what was not given so far, in German", "Prostatakarzinom, bisher keine Chemo: Docetaxel?",
		"not prior chemotherapy; given docetaxel"},
	{"what was never given, in French", "glioblastome, jamais eu de lomustine, bévacizumab ?",
		"not prior lomustine; given bevacizumab"},
	{"what was given already, in Portuguese", "sarcoma de Ewing, já fez ifosfamida, topotecano?",
		"prior ifosfamide; given topotecan"},
	{"what was given and never, in Italian", "mieloma, già daratumumab, mai CAR-T: teclistamab o belantamab mafodotin?",
		"prior daratumumab; not prior CAR-T; compared teclistamab; compared belantamab mafodotin"},
	{"what was resisted and not given, in Chinese", "肺癌,奥希替尼耐药后未做过化疗,埃万妥单抗?",
		"resistant osimertinib; not prior chemotherapy; given amivantamab"},
	{"what is not wanted, in Spanish", "cáncer colorrectal, no quiere quimio, ¿nivolumab?",
		"excluded chemotherapy; given nivolumab"},
	{"a year behind each", "follicular lymphoma, BR 2018, R2 2022, now tazemetostat?",
		"prior BR regimen; prior R2 regimen; given tazemetostat"},
	{"what is done", "SCLC, CRT done, durvalumab x5 then ILD - tarlatamab or IO?",
		"prior chemoradiotherapy; prior durvalumab; compared tarlatamab; compared immunotherapy"},
	{"stopped for a reason, over a length", "breast cancer, alpelisib 5 mo stopped for rash. Capecitabine?",
		"prior alpelisib; given capecitabine"},
	{"one after the other before what is asked", "NSCLC, PD on alectinib then lorlatinib, carboplatin next?",
		"prior alectinib; prior lorlatinib; given carboplatin"},
	{"what is given again is no choice by itself", "CLL, relapse. Pirtobrutinib vs retreat venetoclax?",
		"compared pirtobrutinib; compared venetoclax"},
	{"drugs cut off, told by a partner", "pancreatic cancer, gem/nab?", "given gemcitabine; given nab-paclitaxel"},
	{"a drug cut off, told by its gene", "EGFRm NSCLC, ami vs dato", "compared amivantamab; compared datopotamab deruxtecan"},

	{"a plan", "NSCLC: carboplatin x4 then pembrolizumab?", "given carboplatin; then pembrolizumab"},
	{"a plan in arrows", "breast cancer: TCHP x6 -> surgery -> T-DM1?",
		"given TCHP; then surgery; then trastuzumab emtansine"},
	{"two lengths that are compared", "colon cancer: CAPOX 3 months vs FOLFOX 6 months",
		"compared CAPOX; compared FOLFOX"},
	{"the disease came back before anything was given", "Hodgkin lymphoma, relapse, brentuximab then pembrolizumab?",
		"given brentuximab; then pembrolizumab"},
	{"what is measured is no answer", "pembrolizumab response rate, and chemotherapy in NSCLC?",
		"given pembrolizumab; given chemotherapy"},
	{"one course, and whether to go on", "melanoma, nivolumab 12 months with CR, stop?", "given nivolumab"},
}

func TestTimeline(t *testing.T) {
	l := mustDefault(t)
	for _, test := range timelines {
		t.Run(test.name, func(t *testing.T) {
			q := l.Understand(test.question)
			var got []string
			for _, d := range q.Drugs {
				got = append(got, string(d.Role)+" "+d.Name)
			}
			want := strings.Split(test.want, "; ")
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%q\n got %q\nwant %q", test.question, got, want)
			}
		})
	}
}

// What a word of progress says stays where it governs no treatment, and RECIST's letters are no receptors behind one.
func TestAnswersBehindACourse(t *testing.T) {
	l := mustDefault(t)
	for question, want := range map[string]string{
		"osi x14 mo, PD w/ MET amp":                 "progressive",
		"ibrutinib 5 years, progression with C481S": "progressive",
		"FOLFIRINOX x8, PR":                         "partial response",
		"gem/cis 6 cycles, SD":                      "stable disease",
		"imatinib 3 years":                          "3 years",
	} {
		q := l.Understand(question)
		if !slices.ContainsFunc(q.Setting, func(c Circumstance) bool { return c.Value == want && c.Aspect != "age" }) ||
			len(q.Biomarkers) > 0 {
			t.Errorf("%q is read as %s; want the setting %q", question, q.String(), want)
		}
	}
	if q := l.Understand("breast cancer ER+ PR+, tamoxifen"); !strings.Contains(q.String(), "progesterone receptor") {
		t.Errorf("PR+ is read as %s", q.String())
	}
}
