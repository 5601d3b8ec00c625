package lexicon_test

import (
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

func TestFitOfWhatIsAskedAndFound(t *testing.T) {
	l, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, question, title, abstract string
		want                            evidence.Directness
	}{
		{"what was given before, by its being given again", "prostate cancer after radiotherapy: reirradiation",
			"Reirradiation for local failure of prostate cancer", "", evidence.Direct},
		{"an operation before, by adjuvant treatment", "endometrial cancer after hysterectomy: brachytherapy",
			"Adjuvant brachytherapy in endometrial cancer", "", evidence.Direct},
		{"not that it was operated on, of what follows the operation", "complications after cystectomy for bladder cancer",
			"Adjuvant chemotherapy of bladder cancer", "", evidence.Indirect},
		{"resistance where it is what is asked", "bladder cancer: what makes it resistant to cisplatin",
			"Loss of a gene makes bladder cancer resistant to cisplatin", "", evidence.Direct},
		{"no resistance", "bladder cancer: what makes it resistant to cisplatin", "Cisplatin and muscle mass in bladder cancer",
			"", evidence.Partly},
		{"one of the alternatives on a side of a comparison",
			"ALK-positive lung cancer: alectinib or brigatinib instead of crizotinib",
			"Brigatinib versus crizotinib in ALK-positive lung cancer", "", evidence.Direct},
		{"one side of a comparison", "ALK-positive lung cancer: alectinib or brigatinib instead of crizotinib",
			"Alectinib in ALK-positive lung cancer", "", evidence.Partly},
		{"a marker that tells for whom a drug is", "PD-L1 as predictive marker for nivolumab in melanoma",
			"Association of PD-L1 status with the efficacy of nivolumab in melanoma", "", evidence.Direct},
		{"a marker of those who had the drug", "PD-L1 as predictive marker for nivolumab in melanoma",
			"Nivolumab in melanoma with PD-L1", "", evidence.Partly},
		{"locoregionally advanced", "locally advanced nasopharyngeal carcinoma chemoradiotherapy",
			"Chemoradiotherapy in locoregional advanced nasopharyngeal carcinoma", "", evidence.Direct},
		{"the age in the tumour's name is nothing more in common", "late effects in survivors of childhood cancer",
			"Incidence of cancer in adolescents", "We counted cases. They rose. Boys had more. Girls had fewer. They rose.",
			evidence.Indirect},
		{"an outcome that is asked must be told of", "metastatic prostate cancer prognosis",
			"Transcription in metastatic prostate cancer", "", evidence.Partly},
		{"an outcome met", "metastatic prostate cancer prognosis",
			"Prognostic factors in metastatic prostate cancer", "", evidence.Direct},
		{"an outcome of the asked one by its name", "melanoma nivolumab survival",
			"Overall survival with nivolumab in melanoma", "", evidence.Direct},
		{"any of the outcomes that are asked", "melanoma nivolumab response or survival",
			"Response to nivolumab in melanoma", "", evidence.Direct},
		{"what was resected, by adjuvant treatment", "adjuvant therapy for resected melanoma",
			"Adjuvant therapy of melanoma", "", evidence.Direct},
		{"the conclusion rules over the title's treatments", "breast cancer CDK4/6 inhibitor",
			"First-line endocrine therapy for breast cancer",
			"We searched the literature. Conclusion Adding a CDK4/6 inhibitor to letrozole prolonged survival. Toxicity rose. " +
				"Costs are not known.", evidence.Direct},
		{"a treatment in the middle of an abstract does not", "bladder cancer cystectomy",
			"Chemoradiotherapy of bladder cancer",
			"Cystectomy is the standard. Cystectomy was refused. Patients without cystectomy were included. Forty did well. " +
				"Few had late effects. Follow-up goes on.", evidence.Partly},
		{"one harm is of all harms", "late toxicity after radiotherapy for breast cancer",
			"Lymphedema after radiotherapy for breast cancer", "", evidence.Direct},
		{"a disease that follows the treatment is a harm", "toxicity after radiotherapy for breast cancer",
			"Heart failure following radiotherapy for breast cancer", "", evidence.Direct},
		{"a disease before the treatment is none", "toxicity after radiotherapy for breast cancer",
			"Radiotherapy for breast cancer in patients with diabetes", "", evidence.Partly},
		{"what nothing else is asked beside is the point", "early palliative care in advanced cancer",
			"Nivolumab in advanced cancer", "", evidence.Partly},
		{"that point met", "early palliative care in advanced cancer",
			"Early palliative care in advanced cancer", "", evidence.Direct},
		{"a harm is asked of something", "cancer: is it safe to switch to a biosimilar",
			"Safety of a biosimilar in cancer", "", evidence.Partly},
		{"what is asked for another thing is asked too", "deep learning for cancer diagnosis",
			"Biopsy for diagnosis of lung cancer", "", evidence.Partly},
		{"the point in passing", "pregnancy in women with lung cancer", "Treatment of women with lung cancer",
			"We saw forty women with lung cancer. Pregnancy was excluded. They were old. Most did well. It was safe. " +
				"Follow-up goes on.", evidence.Partly},
		{"one of two intents", "chemotherapy for gastric cancer, neoadjuvant or adjuvant",
			"Adjuvant chemotherapy of gastric cancer", "", evidence.Direct},
		{"after the first line", "lung cancer after first line: docetaxel",
			"Docetaxel in previously treated lung cancer", "", evidence.Direct},
		{"an organ is no tumour", "artificial intelligence in cancer",
			"Artificial intelligence in surgery of the spine", "", evidence.Partly},
		{"a setting whose words name tumours", "obesity and cancer risk",
			"Obesity and the risk of asthma", "", evidence.Partly},
		{"either of two outcomes of one kind", "melanoma nivolumab colitis or pneumonitis",
			"Nivolumab and pneumonitis in melanoma", "", evidence.Direct},
		{"outcomes are survival", "gastrectomy for gastric cancer survival",
			"Outcomes of gastrectomy for gastric cancer", "", evidence.Direct},
		{"outcomes are no risk", "gastrectomy for gastric cancer cost",
			"Outcomes of gastrectomy for gastric cancer", "", evidence.Partly},
		{"a verb names no thing", "gastric cancer after gastrectomy: what determines survival",
			"Survival after gastrectomy for gastric cancer", "", evidence.Direct},
		{"nor does what follows the topic", "colorectal cancer screening: attendance",
			"Colorectal cancer screening in the community", "", evidence.Direct},
		{"it does where the topic is no question of its own", "colorectal cancer: exosomes and prognosis",
			"Prognosis in colorectal cancer", "", evidence.Partly},
		{"a noun in the topic does", "wearable sensors after gastrectomy for gastric cancer",
			"Survival after gastrectomy for gastric cancer", "", evidence.Partly},
		{"or joins a known thing and an unknown one", "pregabalin for neuropathic pain or pruritus in cancer",
			"Pregabalin for pruritus in cancer", "", evidence.Direct},
		{"what was given before is no mention in passing", "nivolumab for melanoma after ipilimumab",
			"Nivolumab in melanoma", "We saw forty patients. Some had ipilimumab before. Most did well. The dose was low. " +
				"It was safe. Follow-up goes on.", evidence.Partly},
		{"a treatment of the class that is asked about is not yet one before it",
			"immunotherapy in melanoma after progression on anti-PD-1", "Outcomes of anti-PD-1 therapy in melanoma", "",
			evidence.Partly},
		{"where a record says that it came before it is", "immunotherapy in melanoma after progression on anti-PD-1",
			"Ipilimumab in melanoma resistant to anti-PD-1 therapy", "", evidence.Direct},
		{"maintenance is what is asked", "lenalidomide maintenance in multiple myeloma",
			"Lenalidomide in multiple myeloma", "", evidence.Partly},
		{"maintenance told", "lenalidomide maintenance in multiple myeloma",
			"Maintenance with lenalidomide in multiple myeloma", "", evidence.Direct},
		{"a stage's part", "durvalumab in stage III lung cancer", "Durvalumab in stage IIIB lung cancer", "", evidence.Direct},
		{"a part of a classification", "neck dissection in N2 oral cancer", "Neck dissection in N2b oral cancer", "",
			evidence.Direct},
		{"a part that looks like a variant", "neck dissection in N2 oral cancer", "Neck dissection in N2c oral cancer", "",
			evidence.Direct},
		{"another one of it", "neck dissection in N2 oral cancer", "Neck dissection in N1 oral cancer", "", evidence.Partly},
		{"a part is not the stage", "durvalumab in stage IIIB lung cancer", "Durvalumab in stage III lung cancer", "",
			evidence.Partly},
		{"one of two stages", "melanoma stage III or IV nivolumab", "Nivolumab in stage IIIC melanoma", "", evidence.Direct},
		{"what stands in brackets need not be given", "glioblastoma (chemo)radiotherapy",
			"Radiotherapy of glioblastoma", "", evidence.Direct},
		{"a title on the drug is on its target", "trastuzumab in HER2-positive gastric cancer",
			"Trastuzumab for gastric cancer", "", evidence.Direct},
		{"a tumour that may be the asked one", "lung squamous cell carcinoma cetuximab",
			"Cetuximab in bronchial cancer", "", evidence.Partly},
		{"what nearly all tumours of an organ are", "head and neck squamous cell carcinoma cetuximab",
			"Cetuximab in laryngeal cancer", "", evidence.Direct},
		{"of a region with several organs nothing is known", "head and neck squamous cell carcinoma cetuximab",
			"Cetuximab in head and neck cancer", "", evidence.Partly},
		{"and of its stages", "urothelial carcinoma mitomycin",
			"Mitomycin in non-muscle-invasive bladder cancer", "", evidence.Direct},
		{"not what few of them are", "neuroendocrine carcinoma cisplatin", "Cisplatin in bladder cancer", "",
			evidence.Indirect},
		{"a broad tumour is not any", "lymphoma exercise", "Exercise in breast cancer", "", evidence.Indirect},
		{"but its kinds", "lymphoma exercise", "Exercise in mantle cell lymphoma", "", evidence.Direct},
		{"and itself", "lymphoma exercise", "Exercise in lymphoma", "", evidence.Direct},
		{"an adenocarcinoma may be of an organ", "adenocarcinoma cisplatin", "Cisplatin in lung cancer", "", evidence.Partly},
		{"any tumour is a cancer", "exercise in cancer", "Exercise in breast cancer", "", evidence.Direct},
		{"survivors of cancer have it", "exercise in cancer", "Exercise in cancer survivors", "", evidence.Direct},
		{"a cancer at the end of an abstract is not what it is on", "exercise in cancer", "Exercise and health",
			"Many move too little. Some run. Some swim. We asked them why. Colon cancer is rarer in those who run.",
			evidence.Partly},
		{"childhood cancer is children's", "fatigue in childhood cancer", "Fatigue in rectal cancer", "", evidence.Partly},
		{"of any tumour", "fatigue in childhood cancer", "Fatigue in children with leukemia", "", evidence.Direct},
		{"a word's kin", "nasal irrigation in nasopharyngeal carcinoma after radiotherapy: nasopharyngeal crusts",
			"Nasal irrigation and crusting of the nasopharynx after radiotherapy for nasopharyngeal carcinoma", "",
			evidence.Direct},
		{"any of what is listed behind the topic", "COVID-19 in breast cancer: infection, adherence, fatigue",
			"Fatigue in breast cancer and COVID-19", "", evidence.Direct},
		{"a drug that is given or not", "nivolumab with or without ipilimumab in melanoma", "Nivolumab in melanoma", "",
			evidence.Direct},
		{"beside a kind of treatment it is the point", "chemotherapy with or without bevacizumab in ovarian cancer",
			"Chemotherapy of ovarian cancer", "", evidence.Partly},
		{"a disease in passing", "fatigue and COVID-19 in breast cancer", "Fatigue in breast cancer",
			"We asked forty women. It was before COVID-19. Most were tired. Few slept well. Some ran. Follow-up goes on.",
			evidence.Partly},
		{"what is done during a treatment is not the treatment", "exercise during chemotherapy for breast cancer",
			"Doxorubicin in breast cancer", "", evidence.Partly},
		{"it and the treatment", "exercise during chemotherapy for breast cancer",
			"Exercise in women on chemotherapy for breast cancer", "", evidence.Direct},
		{"an age that is asked", "chemotherapy for elderly patients with metastatic pancreatic cancer",
			"Chemotherapy for metastatic pancreatic cancer", "", evidence.Partly},
		{"that age met, half of the rest", "chemotherapy for elderly patients with metastatic pancreatic cancer",
			"Chemotherapy for elderly patients with pancreatic cancer", "", evidence.Direct},
		{"adults are who has a tumour of adults", "nivolumab for adults with metastatic melanoma",
			"Nivolumab for metastatic melanoma", "", evidence.Direct},
		{"a line where no treatment is named", "second-line treatment of advanced gastric cancer",
			"Treatment of advanced gastric cancer", "", evidence.Partly},
		{"that line met", "second-line treatment of advanced gastric cancer",
			"Second-line treatment of advanced gastric cancer", "", evidence.Direct},
		{"how a tumour is treated", "IDH-mutant glioma treatment", "Imaging of IDH-mutant glioma", "", evidence.Partly},
		{"by any treatment", "IDH-mutant glioma treatment", "Temozolomide in IDH-mutant glioma", "", evidence.Direct},
		{"by the word", "IDH-mutant glioma treatment", "Management of IDH-mutant glioma", "", evidence.Direct},
		{"what is asked of treatment does not ask which", "response to treatment in melanoma",
			"Response of melanoma", "", evidence.Direct},
		{"a harm that is to be treated, in passing", "management of colitis on nivolumab in melanoma",
			"Nivolumab in melanoma", "We saw forty patients. Some had colitis. Most did well. The dose was low. It was safe. " +
				"Follow-up goes on.", evidence.Partly},
		{"a word of which a known thing is told", "pauses of abiraterone in prostate cancer",
			"Abiraterone in prostate cancer", "", evidence.Partly},
		{"a word behind the known thing", "abiraterone pauses in prostate cancer", "Abiraterone in prostate cancer", "",
			evidence.Partly},
		{"a word for any way of doing it is none", "exercise programme in breast cancer", "Exercise in breast cancer", "",
			evidence.Direct},
		{"short for both of a pair", "PD-1/L1 inhibitors in lung cancer", "Nivolumab in lung cancer", "", evidence.Direct},
		{"one of several nouns is missing", "wearable textile sensors after gastrectomy for gastric cancer",
			"Textile sensors after gastrectomy for gastric cancer", "", evidence.Partly},
		{"a title that compares with another", "laparoscopic versus open gastrectomy for gastric cancer",
			"Robotic versus laparoscopic gastrectomy for gastric cancer",
			"Open gastrectomy is old. We saw forty patients. Few bled. Most did well. It was safe. Follow-up goes on.",
			evidence.Partly},
		{"one side is not the other, its kind", "partial nephrectomy versus radical nephrectomy for kidney cancer",
			"Partial nephrectomy for kidney cancer", "", evidence.Partly},
		{"both sides", "partial nephrectomy versus radical nephrectomy for kidney cancer",
			"Partial nephrectomy versus radical nephrectomy for kidney cancer", "", evidence.Direct},
		{"a hazard ratio is no hormone receptor", "hormone receptor-positive breast cancer",
			"Breast cancer in the clinic", "The risk of death was lower (HR 0.66). It was seen in all.", evidence.Indirect},
		{"a number is no regimen", "rhabdomyosarcoma chemotherapy",
			"Rhabdomyosarcoma in the clinic", "We saw 73 patients and 37 controls. Most did well. All 73 are known.",
			evidence.Indirect},
		{"an everyday word is no plural of a short form", "renal cell carcinoma axitinib",
			"The HIF axis in renal cell carcinoma", "The axis is studied. The axis matters.", evidence.Indirect},
		{"one of two phrases", "salted fish or preserved food and risk of nasopharyngeal carcinoma",
			"Salted fish and the risk of nasopharyngeal carcinoma", "", evidence.Direct},
		{"half of each of two phrases", "salted fish or preserved food and risk of nasopharyngeal carcinoma",
			"Salted food and the risk of nasopharyngeal carcinoma", "", evidence.Partly},
		{"none of the words behind the topic", "lung cancer screening: who is eligible, who attends",
			"Screening of drugs in lung cancer", "We screened forty drugs. They were safe.", evidence.Partly},
		{"one of the words behind the topic", "lung cancer screening: who is eligible, who attends",
			"Who attends lung cancer screening", "", evidence.Direct},
		{"a marker in passing, where no treatment is asked", "PD-L1 as prognostic marker in melanoma",
			"Prognosis of melanoma",
			"PD-L1 was measured. We saw forty patients. Most did well. It was safe. It goes on.", evidence.Partly},
		{"the tumour in the name of what is hereditary", "breast cancer tamoxifen",
			"Tamoxifen in hereditary breast cancer", "", evidence.Direct},
		{"the verb of an outcome", "does nivolumab foo survival in melanoma", "Survival with nivolumab in melanoma", "",
			evidence.Direct},
		{"the verb of what is asked", "melanoma and nivolumab: which genes frobnicate survival",
			"Survival with nivolumab in melanoma", "", evidence.Direct},
		{"the number of a table is no drug", "gastric cancer S-1",
			"Gastric cancer in the clinic", "Figures are given (Table S1). See also S1.", evidence.Indirect},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := evidence.Record{Title: tc.title}
			if tc.abstract != "" {
				r.Abstract = []evidence.Section{{Text: tc.abstract}}
			}
			q := l.Understand(tc.question)
			if fit := l.Matcher(&q).Fit(&r); fit.Directness != tc.want {
				t.Errorf("read %s (%s); want %s", fit.Directness, fit.String(), tc.want)
			}
		})
	}
}

// What tells two diseases the other way round answers another question.
func TestFitKeepsTheOrderOfDiseases(t *testing.T) {
	l, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	for asked, want := range map[string]map[string]evidence.Directness{
		"breast cancer after depression": {"Breast cancer after depression: a cohort": evidence.Direct,
			"Depression after breast cancer: a registry study": evidence.Partly},
		"breast cancer after lymphoma": {"Breast cancer after Hodgkin lymphoma": evidence.Direct,
			"Lymphoma after breast cancer": evidence.Indirect},
	} {
		q := l.Understand(asked)
		matcher := l.Matcher(&q)
		for title, directness := range want {
			if fit := matcher.Fit(&evidence.Record{Title: title}); fit.Directness != directness {
				t.Errorf("%q is %s of %q, want %s", title, fit.String(), asked, directness)
			}
		}
	}
}

// What PubMed says of a heading, and that it is a main topic, tells what the words of a title and an abstract do not.
func TestFitReadsQualifiersAndMainTopics(t *testing.T) {
	l, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	heading := func(name, qualifier string, isMajor bool) evidence.Heading {
		return evidence.Heading{Name: name, Qualifiers: []evidence.Qualifier{{Name: qualifier, Major: isMajor}}}
	}
	abstract := []evidence.Section{{Text: "We saw forty patients with melanoma. Most did well. They were old. " +
		"It was safe. Follow-up goes on."}}
	for _, tc := range []struct {
		name, question string
		record         evidence.Record
		want           evidence.Directness
	}{
		{"adverse effects", "toxicity after radiotherapy for breast cancer", evidence.Record{
			Title: "Long-term results of radiotherapy for breast cancer",
			MeSH:  []evidence.Heading{heading("Radiotherapy", "adverse effects", false)}}, evidence.Direct},
		{"no adverse effects", "toxicity after radiotherapy for breast cancer", evidence.Record{
			Title: "Long-term results of radiotherapy for breast cancer",
			MeSH:  []evidence.Heading{heading("Radiotherapy", "methods", false)}}, evidence.Partly},
		{"a disease that was caused", "toxicity after radiotherapy for breast cancer", evidence.Record{
			Title: "Long-term results of radiotherapy for breast cancer",
			MeSH:  []evidence.Heading{heading("Heart Failure", "etiology", false)}}, evidence.Direct},
		{"a main topic", "nivolumab for melanoma", evidence.Record{Title: "Nivolumab in the clinic", Abstract: abstract,
			MeSH: []evidence.Heading{heading("Melanoma", "drug therapy", true)}}, evidence.Direct},
		{"another heading", "nivolumab for melanoma", evidence.Record{Title: "Nivolumab in the clinic", Abstract: abstract,
			MeSH: []evidence.Heading{heading("Melanoma", "drug therapy", false)}}, evidence.Partly},
	} {
		t.Run(tc.name, func(t *testing.T) {
			q := l.Understand(tc.question)
			if fit := l.Matcher(&q).Fit(&tc.record); fit.Directness != tc.want {
				t.Errorf("read %s (%s); want %s", fit.Directness, fit.String(), tc.want)
			}
		})
	}
}

// A registration tells that efficacy will be measured, where a paper tells of it by its measure.
func TestFitReadsWhatATrialMeasures(t *testing.T) {
	l, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	q := l.Understand("melanoma nivolumab response rate")
	matcher := l.Matcher(&q)
	for want, r := range map[evidence.Directness]evidence.Record{
		evidence.Direct: {Title: "Efficacy of nivolumab in melanoma", Trial: &evidence.Trial{}},
		evidence.Partly: {Title: "Efficacy of nivolumab in melanoma"},
	} {
		if fit := matcher.Fit(&r); fit.Directness != want {
			t.Errorf("read %s (%s); want %s", fit.Directness, fit.String(), want)
		}
	}
}
