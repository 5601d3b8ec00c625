package lexicon

import "testing"

// boardQuestion is a question as a board asks it, with other wordings of the very same question, and with near ones that
// must never be taken for it.
type boardQuestion struct {
	question string
	same     []string
	near     []string
}

// TestBoardQuestions holds 60 questions in six languages: each is understood whole, is the same as its other wordings, and
// differs from its near misses.
func TestBoardQuestions(t *testing.T) {
	if len(boardQuestions) < 60 {
		t.Errorf("%d questions; want at least 60", len(boardQuestions))
	}
	l := mustDefault(t)
	for _, b := range boardQuestions {
		t.Run(b.question, func(t *testing.T) {
			asked := l.Understand(b.question)
			if len(asked.Words) > 0 {
				t.Errorf("not understood: %v of %s", asked.Words, asked.String())
			}
			for _, s := range b.same {
				if other := l.Understand(s); !asksTheSame(&asked, &other) {
					t.Errorf("%q asks the same, and is read as\n%s\nnot as\n%s", s, other.String(), asked.String())
				}
			}
			for _, n := range b.near {
				if other := l.Understand(n); asksTheSame(&asked, &other) {
					t.Errorf("%q asks something else, and is read as the same:\n%s", n, other.String())
				}
			}
		})
	}
}

//nolint:misspell // as people write
var boardQuestions = []boardQuestion{
	{"KRAS G12C metastatic colorectal cancer sotorasib plus panitumumab after FOLFOX",
		[]string{"sotorasib + panitumumab in KRAS p.G12C-mutated mCRC after FOLFOX", "Is panitumumab with sotorasib effective in metastatic CRC with KRAS p.Gly12Cys following FOLFOX?"},
		[]string{"KRAS G12D metastatic colorectal cancer sotorasib plus panitumumab after FOLFOX", "KRAS G12C metastatic colon cancer sotorasib plus panitumumab after FOLFOX",
			"KRAS G12C metastatic colorectal cancer adagrasib plus panitumumab after FOLFOX", "KRAS G12C metastatic colorectal cancer sotorasib plus panitumumab after FOLFIRI",
			"KRAS G12C metastatic colorectal cancer FOLFOX after sotorasib plus panitumumab", "KRAS G12C metastatic colorectal cancer sotorasib versus panitumumab after FOLFOX"}},
	{"EGFR exon 19 deletion NSCLC osimertinib first-line",
		[]string{"first-line osimertinib for NSCLC with EGFR del19", "osimertinib as first line treatment in EGFR ex19del non-small cell lung cancer"},
		[]string{"EGFR exon 20 insertion NSCLC osimertinib first-line", "EGFR exon 19 deletion NSCLC osimertinib second-line", "EGFR exon 19 insertion NSCLC osimertinib first-line",
			"EGFR exon 19 deletion SCLC osimertinib first-line", "EGFR exon 19 deletion lung adenocarcinoma osimertinib first-line", "EGFR exon 19 deletion NSCLC osimertinib"}},
	{"HER2-low breast cancer trastuzumab deruxtecan",
		[]string{"T-DXd in HER2 low breast carcinoma", "trastuzumab deruxtecan for patients with HER2-low breast cancer"},
		[]string{"HER2-positive breast cancer trastuzumab deruxtecan", "HER2-ultralow breast cancer trastuzumab deruxtecan", "HER2-low breast cancer trastuzumab", "HER2-low breast cancer trastuzumab emtansine",
			"HER2-low gastric cancer trastuzumab deruxtecan", "HER2-negative breast cancer trastuzumab deruxtecan"}},
	{"HER2- breast cancer", []string{"HER2-negative breast cancer", "HER2 negative breast carcinoma"},
		[]string{"HER2+ breast cancer", "HER2-low breast cancer", "breast cancer", "HER2 breast cancer"}},
	{"ER+/PR-/HER2- breast cancer ribociclib",
		[]string{"ribociclib in ER-positive, PR-negative, HER2-negative breast cancer", "ER+ PR- HER2- breast cancer ribociclib"},
		[]string{"ER+/PR+/HER2- breast cancer ribociclib", "ER-/PR-/HER2- breast cancer ribociclib", "ER+/PR-/HER2+ breast cancer ribociclib", "ER+/PR-/HER2- breast cancer palbociclib"}},
	{"TNBC atezolizumab nab-paclitaxel", []string{"atezolizumab plus nab-paclitaxel in triple-negative breast cancer", "ER-/PR-/HER2- breast cancer atezolizumab nab-paclitaxel"},
		[]string{"breast cancer atezolizumab nab-paclitaxel", "ER+/PR-/HER2- breast cancer atezolizumab nab-paclitaxel", "TNBC atezolizumab paclitaxel"}},
	{"NSCLC PD-L1 ≥50% pembrolizumab without EGFR or ALK alterations",
		[]string{"pembrolizumab in non-small cell lung cancer with PD-L1 >= 50% and without EGFR or ALK alterations"},
		[]string{"NSCLC PD-L1 ≥1% pembrolizumab without EGFR or ALK alterations", "NSCLC PD-L1 ≥50% pembrolizumab with EGFR or ALK alterations", "NSCLC PD-L1 ≥50% pembrolizumab without EGFR alterations",
			"NSCLC PD-L1 <50% pembrolizumab without EGFR or ALK alterations", "NSCLC PD-L1 TPS 1-49% pembrolizumab without EGFR or ALK alterations"}},
	{"BRAF V600E melanoma brain metastases dabrafenib trametinib",
		[]string{"dabrafenib and trametinib for melanoma with brain metastases and BRAF p.Val600Glu"},
		[]string{"BRAF V600K melanoma brain metastases dabrafenib trametinib", "BRAF V600E melanoma dabrafenib trametinib", "BRAF V600E melanoma liver metastases dabrafenib trametinib", "BRAF V600E uveal melanoma brain metastases dabrafenib trametinib"}},
	{"gBRCA1/2 pancreatic cancer olaparib maintenance", []string{"maintenance olaparib in germline BRCA1/2 pancreatic cancer"},
		[]string{"sBRCA1/2 pancreatic cancer olaparib maintenance", "BRCA1/2 pancreatic cancer olaparib maintenance", "gBRCA1/2 pancreatic cancer rucaparib maintenance", "gBRCA1/2 prostate cancer olaparib maintenance"}},
	{"FGFR2 fusion cholangiocarcinoma pemigatinib", []string{"pemigatinib in cholangiocarcinoma with FGFR2 rearrangement", "FGFR2-rearranged cholangiocarcinoma pemigatinib"},
		[]string{"FGFR2-BICC1 cholangiocarcinoma pemigatinib", "FGFR2 mutation cholangiocarcinoma pemigatinib", "FGFR2 fusion-negative cholangiocarcinoma pemigatinib", "FGFR3 fusion cholangiocarcinoma pemigatinib",
			"FGFR2 fusion intrahepatic cholangiocarcinoma pemigatinib"}},
	{"high-grade glioma in children dabrafenib", []string{"paediatric high-grade glioma dabrafenib", "dabrafenib for pediatric HGG"},
		[]string{"low-grade glioma in children dabrafenib", "high-grade glioma in adults dabrafenib", "high-grade glioma dabrafenib", "glioma in children dabrafenib"}},
	{"dMMR rectal cancer dostarlimab neoadjuvant", []string{"neoadjuvant dostarlimab in mismatch repair-deficient rectal cancer"},
		[]string{"pMMR rectal cancer dostarlimab neoadjuvant", "dMMR colon cancer dostarlimab neoadjuvant", "dMMR rectal cancer dostarlimab adjuvant", "MSI-H rectal cancer dostarlimab neoadjuvant"}},
	{"MSI-H endometrial cancer pembrolizumab", []string{"pembrolizumab in endometrial carcinoma with microsatellite instability-high", "MSI-high endometrial cancer: pembrolizumab"},
		[]string{"MSS endometrial cancer pembrolizumab", "dMMR endometrial cancer pembrolizumab", "MSI-H ovarian cancer pembrolizumab", "endometrial cancer without MSI-H pembrolizumab", "MSI-L endometrial cancer pembrolizumab"}},
	{"TMB-high cervical cancer immunotherapy", []string{"immunotherapy for cervical cancer with high TMB"},
		[]string{"TMB-low cervical cancer immunotherapy", "TMB ≥10 cervical cancer immunotherapy", "TMB-high cervical cancer chemotherapy"}},
	{"PD-L1 CPS ≥10 gastric cancer nivolumab", []string{"nivolumab gastric cancer PD-L1 CPS >= 10"},
		[]string{"PD-L1 CPS ≥5 gastric cancer nivolumab", "PD-L1 TPS ≥10% gastric cancer nivolumab", "PD-L1 CPS <10 gastric cancer nivolumab"}},
	{"METex14 NSCLC capmatinib", []string{"capmatinib MET exon 14 skipping non-small cell lung cancer", "NSCLC with MET exon 14 skipping mutation: capmatinib"},
		[]string{"MET amplification NSCLC capmatinib", "MET overexpression NSCLC capmatinib", "METex14 NSCLC tepotinib"}},
	{"EGFR C797S NSCLC after osimertinib", []string{"NSCLC with EGFR C797S following osimertinib"},
		[]string{"EGFR C797S NSCLC osimertinib", "EGFR T790M NSCLC after osimertinib", "EGFR C797S NSCLC after gefitinib"}},
	{"osimertinib versus gefitinib EGFR-mutated NSCLC", []string{"gefitinib vs osimertinib in EGFR-mutant NSCLC", "EGFRm NSCLC: osimertinib compared with gefitinib"},
		[]string{"osimertinib plus gefitinib EGFR-mutated NSCLC", "osimertinib after gefitinib EGFR-mutated NSCLC", "osimertinib versus erlotinib EGFR-mutated NSCLC"}},
	{"ALK-positive anaplastic large cell lymphoma crizotinib", []string{"crizotinib in ALCL with ALK rearrangement", "ALK+ anaplastic large cell lymphoma: crizotinib"},
		[]string{"ALK-negative anaplastic large cell lymphoma crizotinib", "ALK-positive NSCLC crizotinib"}},
	{"FLT3-ITD AML quizartinib", []string{"quizartinib acute myeloid leukaemia FLT3 internal tandem duplication"},
		[]string{"FLT3-TKD AML quizartinib", "FLT3 D835Y AML quizartinib", "FLT3-ITD AML midostaurin", "FLT3-ITD negative AML quizartinib", "FLT3-ITD ALL quizartinib"}},
	{"del(17p) CLL zanubrutinib", []string{"zanubrutinib in chronic lymphocytic leukemia with 17p deletion", "CLL 17p del zanubrutinib"},
		[]string{"del(11q) CLL zanubrutinib", "TP53 mutation CLL zanubrutinib", "del(17p) CLL ibrutinib", "CLL without del(17p) zanubrutinib"}},
	{"multiple myeloma t(11;14) venetoclax", []string{"venetoclax for t(11;14) myeloma", "venetoclax t(11;14)(q13;q32) multiple myeloma"},
		[]string{"multiple myeloma t(4;14) venetoclax", "multiple myeloma without t(11;14) venetoclax", "MGUS t(11;14) venetoclax"}},
	{"HLA-A*02:01 uveal melanoma tebentafusp", []string{"tebentafusp in HLA-A*02:01 uveal melanoma"},
		[]string{"HLA-A*24:02 uveal melanoma tebentafusp", "uveal melanoma tebentafusp", "HLA-A*02:01 melanoma tebentafusp"}},
	{"NSCLC with EGFR or ALK alterations immunotherapy", []string{"immunotherapy in NSCLC with EGFR or ALK alterations"},
		[]string{"NSCLC with EGFR and ALK alterations immunotherapy", "NSCLC with EGFR alterations immunotherapy", "NSCLC without EGFR or ALK alterations immunotherapy"}},
	{"germline BRCA2 mutation prostate cancer olaparib", []string{"olaparib prostate cancer gBRCA2 mutation"},
		[]string{"somatic BRCA2 mutation prostate cancer olaparib", "BRCA2 mutation prostate cancer olaparib", "germline BRCA1 mutation prostate cancer olaparib"}},
	{"RAS wild-type left-sided colorectal cancer panitumumab", []string{"panitumumab in left-sided colorectal cancer, RAS wildtype", "RAS WT left-sided colorectal cancer panitumumab"},
		[]string{"RAS mutation left-sided colorectal cancer panitumumab", "RAS wild-type right-sided colorectal cancer panitumumab", "RAS wild-type colorectal cancer panitumumab", "KRAS wild-type left-sided colorectal cancer panitumumab"}},
	{"adenoid cystic carcinoma of the lung", []string{"lung adenoid cystic carcinoma", "pulmonary adenoid cystic carcinoma"},
		[]string{"adenoid cystic carcinoma", "adenoid cystic carcinoma of the breast", "lung cancer", "lung adenocarcinoma"}},
	{"small cell carcinoma of the ovary chemotherapy", []string{"ovarian small cell carcinoma chemotherapy"},
		[]string{"small cell lung cancer chemotherapy", "ovarian cancer chemotherapy", "small cell carcinoma of the bladder chemotherapy"}},
	{"breast and ovarian cancer PARP inhibitor", []string{"PARP inhibitors for ovarian and breast cancer"},
		[]string{"breast cancer PARP inhibitor", "ovarian cancer PARP inhibitor", "breast and prostate cancer PARP inhibitor"}},
	{"Lynch syndrome colorectal cancer aspirin prevention", []string{"aspirin for prevention of colorectal cancer in Lynch syndrome"},
		[]string{"colorectal cancer aspirin prevention", "Lynch syndrome endometrial cancer aspirin prevention", "FAP colorectal cancer aspirin prevention"}},
	{"pregnancy breast cancer chemotherapy", []string{"chemotherapy for breast cancer during pregnancy"},
		[]string{"breast cancer chemotherapy", "pregnancy breast cancer trastuzumab"}},
	{"immune checkpoint inhibitor myocarditis", []string{"myocarditis with immune checkpoint inhibitors"},
		[]string{"immune checkpoint inhibitor colitis", "immune checkpoint inhibitor pneumonitis"}},
	{"NRG1 fusion pancreatic cancer zenocutuzumab", []string{"zenocutuzumab NRG1-rearranged pancreatic cancer"}, []string{"NRG1 fusion NSCLC zenocutuzumab", "NRG1 mutation pancreatic cancer zenocutuzumab"}},
	{"CLDN18.2-positive gastric cancer zolbetuximab", []string{"zolbetuximab claudin 18.2 positive gastric cancer"}, []string{"CLDN18.2-negative gastric cancer zolbetuximab", "HER2-positive gastric cancer zolbetuximab"}},
	{"MGMT methylated glioblastoma temozolomide", []string{"temozolomide glioblastoma with MGMT promoter methylation"}, []string{"MGMT unmethylated glioblastoma temozolomide", "glioblastoma temozolomide", "MGMT methylated astrocytoma temozolomide"}},
	{"CDKN2A loss mesothelioma abemaciclib", []string{"abemaciclib in mesothelioma with CDKN2A deletion"}, []string{"CDKN2A mutation mesothelioma abemaciclib", "CDKN2A intact mesothelioma abemaciclib"}},
	{"AMG 193 MTAP-deleted pancreatic cancer", []string{"AMG193 in pancreatic cancer with MTAP deletion", "AMG-193 MTAP deletion pancreatic cancer"}, []string{"AMG 510 MTAP-deleted pancreatic cancer", "MTAP-deleted pancreatic cancer"}},
	{"KRAS G12D PDAC zoldonrasib second-line", []string{"second line zoldonrasib KRAS G12D pancreatic ductal adenocarcinoma"}, []string{"KRAS G12D PDAC zoldonrasib first-line", "KRAS G12D pancreatic cancer zoldonrasib second-line", "KRAS G12V PDAC zoldonrasib second-line"}},
	{"metformin in Alzheimer's disease", []string{"Alzheimer disease metformin"}, []string{"metformin in Parkinson's disease", "metformin in type 2 diabetes"}},
	{"sildenafil in erectile dysfunction", []string{"erectile dysfunction: sildenafil"}, []string{"tadalafil in erectile dysfunction", "sildenafil in pulmonary hypertension"}},
	{"exercise in long COVID", []string{"long COVID exercise"}, []string{"exercise in COVID-19", "diet in long COVID"}},
	{"myocardial infarction aspirin", []string{"aspirin in myocardial infarction", "aspirin after myocardial infarction"}[:1], []string{"heart failure aspirin", "myocardial infarction clopidogrel"}},
	{"Nicht-kleinzelliges Lungenkarzinom mit EGFR-Mutation: Osimertinib", []string{"EGFR-mutated non-small cell lung cancer osimertinib"}, []string{"Kleinzelliges Lungenkarzinom mit EGFR-Mutation: Osimertinib", "Nicht-kleinzelliges Lungenkarzinom ohne EGFR-Mutation: Osimertinib"}},
	{"Kolonkarzinom KRAS-Mutation Cetuximab", []string{"colon cancer KRAS mutation cetuximab"}, []string{"Kolonkarzinom KRAS-Wildtyp Cetuximab", "Rektumkarzinom KRAS-Mutation Cetuximab", "kolorektales Karzinom KRAS-Mutation Cetuximab"}},
	{"HER2-positives Mammakarzinom Trastuzumab adjuvant", []string{"adjuvant trastuzumab HER2-positive breast cancer"}, []string{"HER2-negatives Mammakarzinom Trastuzumab adjuvant", "HER2-positives Mammakarzinom Trastuzumab neoadjuvant"}},
	{"Welche Therapie bei metastasiertem Melanom mit Hirnmetastasen?", []string{"metastatic melanoma with brain metastases"}, []string{"Welche Therapie bei metastasiertem Melanom mit Lebermetastasen?"}},
	{"cancer du sein HER2 positif trastuzumab", []string{"HER2-positive breast cancer trastuzumab"}, []string{"cancer du sein HER2 négatif trastuzumab", "cancer de l'ovaire HER2 positif trastuzumab"}},
	{"cancer du poumon non à petites cellules avec mutation EGFR osimertinib", []string{"EGFR mutation non-small cell lung cancer osimertinib"}, []string{"cancer du poumon à petites cellules avec mutation EGFR osimertinib", "cancer du poumon non à petites cellules sans mutation EGFR osimertinib"}},
	{"cancer du pancréas métastatique FOLFIRINOX", []string{"metastatic pancreatic cancer FOLFIRINOX"}, []string{"cancer du pancréas FOLFIRINOX", "cancer de la prostate métastatique FOLFIRINOX"}},
	{"cáncer de mama triple negativo pembrolizumab", []string{"triple-negative breast cancer pembrolizumab"}, []string{"cáncer de mama pembrolizumab", "cáncer de mama triple negativo atezolizumab"}},
	{"cáncer de pulmón de células no pequeñas con fusión ALK alectinib", []string{"ALK fusion non-small cell lung cancer alectinib"}, []string{"cáncer de pulmón de células no pequeñas sin fusión ALK alectinib", "cáncer de pulmón de células pequeñas con fusión ALK alectinib"}},
	{"cáncer gástrico HER2 positivo trastuzumab", []string{"HER2-positive gastric cancer trastuzumab"}, []string{"cáncer gástrico HER2 negativo trastuzumab"}},
	{"carcinoma polmonare non a piccole cellule con mutazione EGFR osimertinib", []string{"EGFR mutation non-small cell lung cancer osimertinib"}, []string{"carcinoma polmonare non a piccole cellule senza mutazione EGFR osimertinib"}},
	{"tumore della mammella HER2 positivo trastuzumab", []string{"HER2-positive breast cancer trastuzumab"}, []string{"tumore dell'ovaio HER2 positivo trastuzumab"}},
	{"câncer de mama HER2 positivo trastuzumabe", []string{"HER2-positive breast cancer trastuzumab"}, []string{"câncer de mama HER2 negativo trastuzumabe"}},
	{"câncer colorretal metastático com mutação BRAF V600E encorafenibe", []string{"metastatic colorectal cancer BRAF V600E encorafenib"}, []string{"câncer colorretal metastático com mutação BRAF V600K encorafenibe"}},
	{"肺癌 EGFR突变 奥希替尼", []string{"lung cancer EGFR mutation osimertinib"}, []string{"肺癌 EGFR野生型 奥希替尼", "肺腺癌 EGFR突变 奥希替尼", "乳腺癌 EGFR突变 奥希替尼"}},
	{"胃癌 HER2阳性 曲妥珠单抗", []string{"gastric cancer HER2-positive trastuzumab"}, []string{"结直肠癌 HER2阳性 曲妥珠单抗", "胃癌 HER2阴性 曲妥珠单抗"}},
	{"结直肠癌 KRAS G12C 突变", []string{"KRAS G12C colorectal cancer"}, []string{"胃癌 KRAS G12C 突变", "结直肠癌 KRAS G12D 突变", "结直肠癌"}},
	{"成人胶质瘤 替莫唑胺", []string{"adult glioma temozolomide"}, []string{"儿童胶质瘤 替莫唑胺", "胶质瘤 替莫唑胺"}},
	{"ATM germline mutation colorectal cancer TMB-H MSS", []string{"colorectal cancer with germline ATM mutation, TMB-high, microsatellite stable"}, []string{"ATM germline mutation colorectal cancer TMB-H MSI-H", "ATM mutation colorectal cancer TMB-H MSS"}},
	{"BCR::ABL1 T315I CML asciminib", []string{"asciminib in chronic myeloid leukaemia with BCR-ABL1 T315I"}, []string{"BCR::ABL1 CML asciminib", "BCR::ABL1 T315I CML ponatinib", "BCR::ABL1 T315I ALL asciminib"}},
	{"SHP2 inhibitor KRAS G12C NSCLC resistance", []string{"resistance in KRAS G12C NSCLC: SHP2 inhibitors"}, []string{"SOS1 inhibitor KRAS G12C NSCLC resistance", "SHP2 inhibitor KRAS G12C NSCLC"}},
}

// asksTheSame says whether two questions ask the same, as those who look an answer up by its key see it.
func asksTheSame(a, b *Question) bool { return a.Key() != "" && a.Key() == b.Key() }
