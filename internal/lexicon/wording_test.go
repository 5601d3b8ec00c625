package lexicon

import "testing"

func TestWording(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct{ name, question, want string }{
		{"every slot",
			"What is the best second-line drug after osimertinib in EGFR T790M NSCLC with PD-L1 50%, frobnication?",
			"tumours: non-small cell lung cancer; alterations: EGFR T790M; biomarkers: PD-L1 TPS 50%; drugs: prior: osimertinib; setting: second-line; further words: frobnication"},
		{"what is withheld and absent", "NSCLC without EGFR mutation: pembrolizumab without chemotherapy",
			"tumours: non-small cell lung cancer; alterations: no EGFR mutation; drugs: pembrolizumab, withheld: chemotherapy"},
		{"alternatives", "EGFR mutation or ALK fusion NSCLC",
			"tumours: non-small cell lung cancer; alterations: EGFR mutation, ALK fusion; alternatives: ALK fusion or EGFR mutation"},
		{"a list of alternatives has one or", "EGFR, ALK or ROS1 fusion NSCLC",
			"tumours: non-small cell lung cancer; alterations: EGFR fusion, ALK fusion, ROS1 fusion; alternatives: ALK fusion or EGFR fusion or ROS1 fusion"},
		{"an origin before a list", "germline ATM, CHEK2 or PALB2 variants breast cancer",
			"tumours: breast cancer; alterations: germline ATM mutation, germline CHEK2 mutation, germline PALB2 mutation; alternatives: germline ATM mutation or germline CHEK2 mutation or germline PALB2 mutation"},
		{"an origin behind a list", "BRCA1, BRCA2, or PALB2 germline mutation pancreatic cancer",
			"tumours: pancreatic cancer; alterations: germline BRCA1 mutation, germline BRCA2 mutation, germline PALB2 mutation; alternatives: germline BRCA1 mutation or germline BRCA2 mutation or germline PALB2 mutation"},
		{"given before, joined by plus", "NSCLC after progression on carboplatin plus pemetrexed: docetaxel",
			"tumours: non-small cell lung cancer; drugs: prior: carboplatin, prior: pemetrexed, docetaxel"},
		{"given before, joined by hyphens", "cholangiocarcinoma tras cisplatino-gemcitabina: pemigatinib",
			"tumours: cholangiocarcinoma; drugs: prior: cisplatin, prior: gemcitabine, pemigatinib"},
		{"progressive disease on a drug", "NSCLC, PD on alectinib - lorlatinib?",
			"tumours: non-small cell lung cancer; drugs: prior: alectinib, lorlatinib; setting: progressive"},
		{"an answer to a drug that was given", "liver resection in melanoma that responded to nivolumab",
			"tumours: melanoma; drugs: liver resection, prior: nivolumab"},
		{"given before with an intent", "breast cancer s/p neoadjuvant chemotherapy, capecitabine",
			"tumours: breast cancer; drugs: prior: chemotherapy, capecitabine; setting: neoadjuvant"},
		{"a dash with spaces", "hx of heart transplant, melanoma - nivolumab",
			"tumours: melanoma; drugs: heart transplantation, nivolumab"},
		{"an age with the sex behind it", "67M melanoma nivolumab", "tumours: melanoma; drugs: nivolumab; setting: 67 years"},
		{"a number of months or cells", "melanoma nivolumab 5M 12m",
			"tumours: melanoma; drugs: nivolumab; further words: 5M, 12m"},
		{"a German plural", "Mammakarzinom ohne Anthrazykline",
			"tumours: breast cancer; drugs: withheld: anthracycline"},
		{"a change before the next marker", "high PD-L1 low TMB lung cancer",
			"tumours: lung cancer; biomarkers: PD-L1 high, TMB low"},
		{"a tumour in those who have another", "lymphoma in breast cancer patients", "tumours: lymphoma, breast cancer"},
		{"a change of the last gene alone", "NPM1 and FLT3-ITD AML",
			"tumours: acute myeloid leukemia; alterations: NPM1, FLT3 ITD"},
		{"an origin before the second alone", "BRCA1 or somatic BRCA2 ovarian cancer",
			"tumours: ovarian cancer; alterations: BRCA1, somatic BRCA2 mutation; alternatives: BRCA1 or somatic BRCA2 mutation"},
		{"a marker with its own sign begins no list", "ER+, HER2- or HER2-low breast cancer",
			"tumours: breast cancer; alterations: no ERBB2 positive expression, ERBB2 low expression; biomarkers: estrogen receptor; alternatives: ERBB2 low expression or no ERBB2 positive expression"},
		{"and/or", "BRCA1 in breast and/or ovarian cancer",
			"tumours: breast cancer, ovarian cancer; alterations: BRCA1"},
		{"a drug that nothing knows", "telvarasib KRAS G12C NSCLC",
			"tumours: non-small cell lung cancer; alterations: KRAS G12C; drugs: telvarasib"},
		{"another language", "Zweitlinie Melanom nach Nivolumab",
			"tumours: melanoma; drugs: prior: nivolumab; setting: second-line"},
		{"what nothing here reads is left as it is", "лечение рака", "further words: лечение, рака"},
		{"nothing but fillers", "what is it?", "what is it?"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			q := l.Understand(tc.question)
			if got := q.Wording(); got != tc.want {
				t.Errorf("%s\nwant %s", got, tc.want)
			}
		})
	}
}
