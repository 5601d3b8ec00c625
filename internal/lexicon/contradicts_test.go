package lexicon

import "testing"

// contradiction is a question with titles of papers that are not on it, and of papers that are, or may be.
type contradiction struct {
	name, question string
	other, own     []string
}

// TestContradicts holds each title against the question: a paper on the opposite, or on others' patients, is none for
// it; one on both, or one that is silent, may be.
func TestContradicts(t *testing.T) {
	l := mustDefault(t)
	for _, cases := range [][]contradiction{onAge, onGenes, onMarkers, onReceptors, onLevels, onMetastases} {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				q := l.Understand(c.question)
				for _, title := range c.other {
					if l.Contradicts(&q, title) == "" {
						t.Errorf("%q passes for %s", title, q.String())
					}
				}
				for _, title := range c.own {
					if why := l.Contradicts(&q, title); why != "" {
						t.Errorf("%q is refused: %s", title, why)
					}
				}
			})
		}
	}
}

var onAge = []contradiction{
	{"adults, children", "adults acute lymphoblastic leukemia blinatumomab",
		[]string{"Blinatumomab in children with ALL", "Blinatumomab in childhood acute lymphoblastic leukaemia",
			"Blinatumomab in paediatric B-cell ALL: a phase 1/2 study", "Blinatumomab in children and adolescents with ALL",
			"Acute lymphoblastic leukaemia in a 4-year-old boy treated with blinatumomab",
			"Blinatumomab added to chemotherapy in infant lymphoblastic leukemia",
			"Blinatumomab in patients under 18 years of age with ALL"},
		[]string{"Blinatumomab versus chemotherapy for advanced acute lymphoblastic leukemia",
			"Blinatumomab in children and adults with ALL", "Blinatumomab in adult and pediatric patients with ALL",
			"Blinatumomab in adolescents and young adults with ALL", "Blinatumomab in older adults with ALL",
			"Blinatumomab in patients aged 1 to 30 years with ALL", "Paediatric-inspired chemotherapy and blinatumomab in ALL",
			"Blinatumomab in ALL: a report of the Children's Oncology Group", "10-year follow-up of blinatumomab in ALL",
			"Blinatumomab in long-term survivors of childhood ALL"}},
	{"children, adults", "children acute lymphoblastic leukemia inotuzumab ozogamicin",
		[]string{"Inotuzumab ozogamicin in adults with ALL", "Inotuzumab ozogamicin in elderly patients with ALL",
			"Inotuzumab ozogamicin with mini-hyper-CVD in patients 60 years or older with ALL",
			"Inotuzumab ozogamicin in patients aged 21 to 30 years with ALL"},
		[]string{"Inotuzumab ozogamicin in ALL", "Inotuzumab ozogamicin in older children with ALL",
			"Inotuzumab ozogamicin in children and young adults with ALL", "Inotuzumab ozogamicin in infants with ALL"}},
	{"elderly, children", "elderly Hodgkin lymphoma brentuximab vedotin",
		[]string{"Brentuximab vedotin in adolescents with Hodgkin lymphoma",
			"Brentuximab vedotin in children with Hodgkin lymphoma"},
		[]string{"Brentuximab vedotin in adults with Hodgkin lymphoma",
			"Brentuximab vedotin in Hodgkin lymphoma: patients aged 12 years and older",
			"Brentuximab vedotin in children, adults and older patients with Hodgkin lymphoma"}},
	{"a number, children", "72-year-old acute myeloid leukemia venetoclax", []string{"Venetoclax in children with AML"},
		[]string{"Venetoclax in older patients with AML"}},
	{"newborns, adults", "newborns neuroblastoma chemotherapy", []string{"Chemotherapy for neuroblastoma in adults"},
		[]string{"Chemotherapy for neuroblastoma in infants"}},
	{"an organ's score is no child", "adults hepatocellular carcinoma sorafenib", nil,
		[]string{"Sorafenib in Child-Pugh B hepatocellular carcinoma"}},
}

var onGenes = []contradiction{
	{"a codon, one of its changes", "KRAS codon 12 mutation colorectal cancer",
		[]string{"KRAS G13D in colorectal cancer", "KRAS Q61H in colorectal cancer", "KRAS codon 13 mutation in colorectal cancer"},
		[]string{"KRAS G12C in colorectal cancer", "KRAS G12X in colorectal cancer", "KRAS mutation in colorectal cancer"}},
	{"RAS wild-type", "RAS wild-type CRC cetuximab",
		[]string{"Cetuximab in KRAS-mutated colorectal cancer", "Cetuximab in RAS-mutant metastatic colorectal cancer",
			"Cetuximab in KRAS p.G13D-mutated colorectal cancer", "Cetuximab in patients with NRAS mutations and CRC"},
		[]string{"Cetuximab in RAS wild-type colorectal cancer", "Cetuximab in KRAS wild-type colorectal cancer",
			"Cetuximab in KRAS wild-type and mutant colorectal cancer", "Cetuximab in mutant and wild-type KRAS colorectal cancer",
			"Cetuximab in colorectal cancer by KRAS mutation status", "Cetuximab for colorectal cancer",
			"K-ras mutations and benefit from cetuximab in advanced colorectal cancer",
			"Cetuximab and encorafenib in BRAF V600E-mutated colorectal cancer",
			"KRAS-mutated and KRAS wild-type colorectal cancer: cetuximab with FOLFIRI"}},
	{"KRAS wild-type", "KRAS wild-type CRC panitumumab",
		[]string{"Panitumumab in patients with RAS-mutated colorectal cancer", "Panitumumab in KRAS G12C colorectal cancer"},
		[]string{"Panitumumab in RAS wild-type colorectal cancer", "Panitumumab in NRAS-mutated colorectal cancer",
			"Panitumumab regardless of KRAS mutation in colorectal cancer"}},
	{"a RAS mutation", "KRAS G12C CRC sotorasib",
		[]string{"Panitumumab in RAS wild-type colorectal cancer", "KRAS G12D inhibition in colorectal cancer"},
		[]string{"Sotorasib in RAS-mutated colorectal cancer", "Sotorasib and NRAS mutations in colorectal cancer"}},
	{"no mutation", "NSCLC without EGFR mutation pembrolizumab",
		[]string{"Pembrolizumab in EGFR L858R NSCLC", "Pembrolizumab in EGFR-mutated NSCLC",
			"Pembrolizumab in NSCLC with EGFR exon 19 deletion", "Pembrolizumab after osimertinib in EGFR T790M NSCLC",
			"Pembrolizumab in NSCLC with EGFR sensitizing mutations"},
		[]string{"Pembrolizumab in EGFR wild-type NSCLC", "Pembrolizumab in NSCLC without EGFR or ALK alterations",
			"Pembrolizumab in NSCLC with and without EGFR mutations", "EGFR expression and pembrolizumab in NSCLC",
			"Pembrolizumab versus docetaxel in NSCLC"}},
	{"not wild-type", "BRAF not wild-type melanoma dabrafenib",
		[]string{"Dabrafenib in BRAF wild-type melanoma", "Dabrafenib in melanoma without BRAF mutations"},
		[]string{"Dabrafenib in BRAF-mutated melanoma", "Dabrafenib in BRAF V600E melanoma"}},
	{"a fusion with one partner is absent", "NSCLC without EML4-ALK fusion crizotinib",
		[]string{"Crizotinib in EML4-ALK fusion-positive NSCLC"},
		[]string{"Crizotinib in NSCLC with KIF5B-ALK fusion", "Crizotinib in NSCLC"}},
	{"a fusion that no entry is named after is absent", "NSCLC without TRIM33-RET fusion pralsetinib",
		[]string{"Pralsetinib in NSCLC with TRIM33-RET fusion"}, []string{"Pralsetinib in NSCLC with KIF13A-RET fusion",
			"Pralsetinib in NSCLC with RET fusions", "Pralsetinib in NSCLC"}},
	{"a mutation", "EGFR L858R NSCLC osimertinib",
		[]string{"Pembrolizumab in NSCLC without EGFR mutation", "Docetaxel in EGFR wild-type NSCLC"},
		[]string{"Osimertinib in EGFR-mutated NSCLC", "Osimertinib in T790M-negative NSCLC with EGFR L858R",
			"Osimertinib in NSCLC with MET amplification"}},
	{"internal tandem duplication", "FLT3-ITD AML midostaurin",
		[]string{"Midostaurin in AML without FLT3 mutations", "Midostaurin in FLT3 wild-type AML",
			"Intensive chemotherapy in FLT3-ITD-negative AML"},
		[]string{"Midostaurin in FLT3-mutated AML", "Midostaurin in AML with and without FLT3-ITD",
			"Midostaurin in AML irrespective of FLT3-ITD"}},
	{"without FLT3 mutation", "AML without FLT3 mutation azacitidine", []string{"Azacitidine in FLT3-ITD AML"},
		[]string{"Azacitidine in FLT3 wild-type AML", "Azacitidine in NPM1-mutated AML"}},
	{"a deletion of a chromosome", "CLL del(17p) venetoclax",
		[]string{"Venetoclax in CLL without del(17p)", "Venetoclax in patients with CLL lacking 17p deletion"},
		[]string{"Venetoclax in relapsed CLL with 17p deletion", "Venetoclax in CLL with and without del(17p)",
			"Venetoclax in CLL with or without del(17p)", "Venetoclax in CLL regardless of del(17p)",
			"Venetoclax in CLL with del(11q)", "Venetoclax in TP53-mutated CLL", "Venetoclax in CLL"}},
	{"without a deletion", "CLL without del(17p) ibrutinib", []string{"Ibrutinib in CLL with del(17p)"},
		[]string{"Ibrutinib in CLL without 17p deletion", "Ibrutinib in CLL with del(13q)"}},
	{"codeleted", "1p/19q codeleted glioma temozolomide",
		[]string{"Temozolomide in anaplastic glioma without 1p/19q codeletion",
			"Temozolomide in 1p/19q non-co-deleted anaplastic glioma", "Temozolomide in 1p/19q-intact glioma"},
		[]string{"Temozolomide in 1p/19q-codeleted glioma", "Temozolomide in 1p/19q-codeleted and non-codeleted glioma",
			"Temozolomide in IDH-mutant glioma"}},
	{"not codeleted", "glioma without 1p/19q codeletion temozolomide", []string{"PCV in 1p/19q-codeleted glioma"},
		[]string{"Temozolomide in 1p/19q non-co-deleted anaplastic glioma"}},
	{"a family of genes", "IDH-mutant glioma ivosidenib", []string{"Radiotherapy in IDH-wildtype glioma"},
		[]string{"Ivosidenib in IDH1-mutant glioma", "Ivosidenib in IDH1 R132H glioma"}},
	{"BRCA", "BRCA wild-type ovarian cancer olaparib", []string{"Olaparib in germline BRCA1-mutated ovarian cancer"},
		[]string{"Olaparib in BRCA-mutated and BRCA wild-type ovarian cancer", "Olaparib in ovarian cancer beyond BRCA"}},
	{"a gene whose name begins another's", "CDK1 amplification sarcoma", nil, []string{"CDK12 wild-type sarcoma"}},
	{"methylated", "MGMT methylated glioblastoma temozolomide", []string{"Temozolomide in MGMT-unmethylated glioblastoma"},
		[]string{"Temozolomide in MGMT-methylated and unmethylated glioblastoma",
			"Temozolomide in glioblastoma according to MGMT methylation"}},
	{"a copy is no mutation", "EGFR wild-type glioblastoma", nil, []string{"EGFR amplification in glioblastoma"}},
	{"two changes that are asked for", "EGFR exon 19 deletion T790M NSCLC", nil, []string{"Osimertinib in EGFR T790M NSCLC"}},
}

var onMarkers = []contradiction{
	{"HRD", "HRD-positive ovarian niraparib",
		[]string{"Niraparib in HRD-negative ovarian cancer", "Niraparib in HR-proficient ovarian cancer",
			"Niraparib in HRP ovarian cancer", "Niraparib in homologous recombination-proficient ovarian cancer"},
		[]string{"Niraparib in homologous recombination-deficient ovarian cancer", "Niraparib in ovarian cancer",
			"Niraparib in ovarian cancer regardless of HRD status", "Niraparib in HRD-positive and HRD-negative ovarian cancer",
			"Niraparib in BRCA-mutated ovarian cancer"}},
	{"HRP", "HRD-negative ovarian bevacizumab",
		[]string{"Bevacizumab and olaparib in HRD-positive ovarian cancer",
			"Bevacizumab in homologous recombination-deficient ovarian cancer"},
		[]string{"Bevacizumab in HR-proficient ovarian cancer", "Bevacizumab in ovarian cancer by HRD status",
			"HRD testing before bevacizumab in ovarian cancer"}},
	{"dMMR", "dMMR CRC nivolumab",
		[]string{"Nivolumab in microsatellite-stable CRC", "Nivolumab in pMMR colorectal cancer",
			"Regorafenib plus nivolumab in MSS metastatic colorectal cancer",
			"Nivolumab in mismatch repair-proficient colorectal cancer"},
		[]string{"Nivolumab in MSI-H colorectal cancer", "Nivolumab in mismatch repair-deficient colorectal cancer",
			"Nivolumab in dMMR and pMMR colorectal cancer", "Nivolumab in MMR-proficient and -deficient colon cancer",
			"Nivolumab in colorectal cancer by microsatellite status", "Nivolumab in colorectal cancer"}},
	{"MSI-H", "MSI-H CRC pembrolizumab",
		[]string{"Pembrolizumab in mismatch repair-proficient colorectal cancer", "Pembrolizumab in MSS colorectal cancer",
			"Pembrolizumab in microsatellite instability-low colorectal cancer"},
		[]string{"Pembrolizumab in dMMR colorectal cancer", "Pembrolizumab in MSI-H versus MSS colorectal cancer"}},
	{"MSS", "MSS CRC regorafenib",
		[]string{"Regorafenib in dMMR colorectal cancer", "Regorafenib in microsatellite instability-high colorectal cancer"},
		[]string{"Regorafenib in pMMR colorectal cancer", "Regorafenib in non-MSI-H colorectal cancer",
			"Regorafenib in colorectal cancer without MSI-H"}},
	{"pMMR", "pMMR endometrial cancer lenvatinib pembrolizumab",
		[]string{"Pembrolizumab in MSI-H endometrial cancer", "Dostarlimab in mismatch repair-deficient endometrial cancer"},
		[]string{"Lenvatinib plus pembrolizumab in endometrial cancer that is not MSI-H"}},
	{"HPV", "HPV-negative oropharyngeal cancer cetuximab", []string{"Cetuximab in HPV-positive oropharyngeal cancer",
		"Cetuximab in HPV-related oropharyngeal cancer"}, []string{"HPV and cetuximab in oropharyngeal cancer"}},
}

var onReceptors = []contradiction{
	{"ER-positive", "ER+ HER2- breast pembrolizumab",
		[]string{"Pembrolizumab in triple-negative breast cancer", "Pembrolizumab in metaplastic TNBC",
			"Pembrolizumab in HER2-positive breast cancer", "Pembrolizumab in hormone receptor-negative breast cancer"},
		[]string{"Pembrolizumab in hormone receptor-positive, HER2-negative breast cancer", "Pembrolizumab in breast cancer",
			"Pembrolizumab in triple-negative and HR+ breast cancer", "Pembrolizumab in HER2-low breast cancer",
			"Pembrolizumab in TNBC and HR+/HER2- breast cancer"}},
	{"triple-negative", "TNBC pembrolizumab",
		[]string{"Pembrolizumab in hormone receptor-positive breast cancer", "Pembrolizumab in HR+/HER2- breast cancer",
			"Pembrolizumab in ER-positive breast cancer", "Pembrolizumab in HER2-positive breast cancer"},
		[]string{"Pembrolizumab in triple-negative breast cancer", "Pembrolizumab in early breast cancer",
			"Pembrolizumab in HER2-negative breast cancer", "Pembrolizumab in triple-negative and HR+ breast cancer",
			"Pembrolizumab in BRCA-mutated breast cancer", "Hormone receptor and HER2 status, and pembrolizumab in breast cancer"}},
	{"triple-negative, and a conjugate", "TNBC trastuzumab deruxtecan", nil,
		[]string{"Trastuzumab deruxtecan in HER2-low breast cancer"}},
	{"either population", "TNBC or HR+ breast cancer sacituzumab govitecan", nil,
		[]string{"Sacituzumab govitecan in HR+/HER2- breast cancer", "Sacituzumab govitecan in triple-negative breast cancer"}},
	{"HER2-positive", "HER2-positive breast cancer trastuzumab", []string{"Carboplatin in triple-negative breast cancer",
		"Trastuzumab in HER2-low breast cancer", "Trastuzumab in HER2-negative breast cancer"},
		[]string{"Trastuzumab in HER2-amplified breast cancer", "Trastuzumab in HER2-positive and -negative breast cancer"}},
	{"amplified", "HER2-amplified CRC tucatinib", []string{"Tucatinib in HER2-negative colorectal cancer"},
		[]string{"Tucatinib in HER2-positive colorectal cancer"}},
	{"mutated, and not overexpressed", "HER2-mutated breast cancer neratinib", nil,
		[]string{"Neratinib in HER2-mutated, HER2-negative breast cancer"}},
	{"progesterone alone", "HR+ breast cancer abemaciclib", nil,
		[]string{"Abemaciclib in PR-negative breast cancer", "Abemaciclib in ER-positive breast cancer"}},
}

var onLevels = []contradiction{
	{"below 1%", "NSCLC PD-L1 <1% nivolumab ipilimumab",
		[]string{"Nivolumab in NSCLC with PD-L1 ≥50%", "Nivolumab in NSCLC with PD-L1 TPS 1-49%",
			"Nivolumab in PD-L1-positive NSCLC"},
		[]string{"Nivolumab in NSCLC with PD-L1 <1%", "Nivolumab and ipilimumab in PD-L1-negative NSCLC",
			"Nivolumab in NSCLC by PD-L1 expression", "Nivolumab in PD-L1-positive and PD-L1-negative NSCLC",
			"PD-L1 expression and nivolumab in NSCLC", "Nivolumab in NSCLC"}},
	{"at least 50%", "NSCLC PD-L1 ≥50% pembrolizumab",
		[]string{"Pembrolizumab in NSCLC with PD-L1 <1%", "Pembrolizumab in NSCLC with PD-L1 TPS of 1-49%",
			"Pembrolizumab in PD-L1-negative NSCLC", "Pembrolizumab in PD-L1-low NSCLC"},
		[]string{"Pembrolizumab in NSCLC with PD-L1 ≥1%", "Pembrolizumab in NSCLC with PD-L1 ≥90%",
			"Pembrolizumab in PD-L1-positive NSCLC", "Pembrolizumab in PD-L1-high NSCLC",
			"Pembrolizumab in NSCLC with PD-L1 CPS ≥10"}},
	{"at most 1%", "NSCLC PD-L1 TPS ≤1% nivolumab", []string{"Nivolumab in NSCLC with PD-L1 TPS >1%"},
		[]string{"Nivolumab in NSCLC with PD-L1 TPS ≥1%", "Nivolumab in NSCLC with PD-L1 TPS 1-49%"}},
	{"at least 1%", "NSCLC PD-L1 TPS ≥1% nivolumab", []string{"Nivolumab in NSCLC with PD-L1 TPS <1%"},
		[]string{"Nivolumab in NSCLC with PD-L1 TPS ≤1%"}},
	{"negative", "PD-L1-negative NSCLC nivolumab", []string{"Nivolumab in NSCLC with PD-L1 ≥50%"},
		[]string{"Nivolumab in NSCLC with PD-L1 <1%"}},
	{"burden", "TMB ≥10 NSCLC nivolumab", []string{"Nivolumab in NSCLC with TMB <10 mut/Mb", "Nivolumab in TMB-low NSCLC"},
		[]string{"Nivolumab in TMB-high NSCLC", "Nivolumab in NSCLC with TMB ≥16", "Nivolumab in NSCLC"}},
}

var onMetastases = []contradiction{
	{"with", "CRPC with visceral metastases docetaxel", []string{"Docetaxel in CRPC without visceral metastases"},
		[]string{"Docetaxel in CRPC with liver metastases", "Docetaxel in CRPC with or without visceral metastases",
			"Docetaxel in CRPC"}},
	{"without", "CRPC without visceral metastases radium-223",
		[]string{"Docetaxel in CRPC with visceral metastases", "Cabazitaxel in CRPC with liver metastases"},
		[]string{"Radium-223 in CRPC with bone metastases", "Radium-223 in CRPC with and without visceral metastases"}},
	{"brain", "NSCLC with brain metastases osimertinib", []string{"Osimertinib in NSCLC without brain metastases"},
		[]string{"Osimertinib in NSCLC", "Osimertinib in NSCLC with liver metastases"}},
}
