package lexicon

import (
	_ "embed"
	"slices"
	"strings"
	"testing"
)

//go:embed testdata/differ.tsv
var differing string

func TestQuestionsThatDifferAreNotTheSame(t *testing.T) {
	l := mustDefault(t)
	pairs := 0
	for line := range strings.Lines(differing) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		left, right, found := strings.Cut(line, "\t")
		if !found {
			t.Fatalf("%q is no pair", line)
		}
		pairs++
		a, b := l.Understand(left), l.Understand(right)
		if a.Key() == "" || b.Key() == "" {
			t.Errorf("%q and %q: one of them asks for nothing known: %q, %q", left, right, a.Key(), b.Key())
		}
		if a.Key() == b.Key() || len(Differences(&a, &b)) == 0 {
			t.Errorf("%q and %q are one question: %s", left, right, a.Key())
		}
		for _, q := range []*Question{&a, &b} {
			if rest := unplaced(q); len(rest) > 0 {
				t.Errorf("%q: %q ends nowhere", q.Text, rest)
			}
		}
	}
	if pairs < 80 {
		t.Errorf("only %d pairs", pairs)
	}
}

// A name of the dictionary that a question loses makes it another question's twin. What is broader than a tumour that
// the question names is the exception, and so this one names a rare one.
func TestNoNameVanishes(t *testing.T) {
	l := mustDefault(t)
	const question = "retinoblastoma carmustine"
	asked := l.Understand(question)
	for _, e := range written(t).entries {
		if e.Kind == KindTumour || e.Kind == KindSite || e.Name == "carmustine" {
			continue
		}
		for _, name := range slices.Concat([]string{e.Name}, e.Synonyms, e.Abbreviations, e.Guarded, e.Brands, e.Codes) {
			with := l.Understand(question + " " + name)
			if !slices.Contains(article, strings.ToLower(name)) && with.Key() == asked.Key() {
				t.Errorf("%s %q is lost: %q is %s", e.Kind, name, with.Text, with.Key())
			}
		}
	}
}

// article are short forms that are an article of another language where nothing else tells.
var article = []string{"del"}

func TestWhatIsSaidInOtherWordsIsTheSame(t *testing.T) {
	l := mustDefault(t)
	for _, pair := range [][2]string{
		{"LN+ prostate cancer", "node-positive prostate cancer"},
		{"RAS/BRAF wt colorectal cancer", "RAS/BRAF wild-type colorectal cancer"},
		{"EGFR/ALK neg NSCLC", "EGFR/ALK-negative NSCLC"},
		{"EGFR/ALK- NSCLC", "EGFR-negative ALK-negative NSCLC"},
		{"LVI+ breast cancer", "breast cancer with lymphovascular invasion"},
		{"LVI- breast cancer", "breast cancer without lymphovascular invasion"},
		{"Ca breast stage II", "breast cancer stage II"},
		{"CA of the tongue", "tongue cancer"},
		{"carcinoma cervix IIB", "cervical cancer stage IIB"},
		{"rectal CA 4 cm", "rectal cancer 4 cm"},
		{"BCLC-B HCC", "HCC BCLC stage B"},
		{"PDAC after FFX, gem/cis", "gemcitabine and cisplatin in PDAC after FOLFIRINOX"},
		{"RCC after nivo/ipi, cabozantinib", "cabozantinib after nivolumab and ipilimumab in RCC"},
		{"HCC after atezo/bev, lenvatinib or sorafenib", "lenvatinib or sorafenib after atezolizumab and bevacizumab in HCC"},
		{"mCRC after FOLFOX, FOLFIRI and bevacizumab", "mCRC after FOLFOX and FOLFIRI and bevacizumab"},
		{"BTC after gem + cis + durva", "BTC after gemcitabine, cisplatin and durvalumab"},
		{"gem/cis BTC", "gemcitabine and cisplatin BTC"},
		{"NSCLC after 1L osimertinib: amivantamab", "amivantamab in NSCLC after first-line osimertinib"},
		{"neoadjuvant chemo vs upfront surgery ovarian cancer", "upfront surgery vs neoadjuvant chemo in ovarian cancer"},
		{"adjuvant chemo vs adjuvant RT sarcoma", "adjuvant RT vs adjuvant chemo sarcoma"},
		{"CRT vs NACT cervical cancer", "CRT vs neoadjuvant chemotherapy cervical cancer"},
		{"AML in 72 y.o. aza/ven", "AML 72 years azacitidine venetoclax"},
		{"glioblastoma age 75", "glioblastoma 75 years"},
		{"cx ca stage IIB", "cervical cancer stage IIB"},
		{"larynx CRT, cis ineligible", "laryngeal cancer chemoradiotherapy cisplatin-ineligible"},
		{"PARP inh ovarian cancer", "PARP inhibitor ovarian cancer"},
		{"CRC stage III 82y", "CRC stage III 82 years"},
		{"EF drop 55→42%, continue trastuzumab", "EF drop 55 → 42%, trastuzumab continue"},
		{"extended AI after 5y tamoxifen", "extended aromatase inhibitor after 5 years of tamoxifen"},
		{"surgery after 6 cycles FOLFIRINOX PDAC", "PDAC surgery after 6 cycles of FOLFIRINOX"},
		{"mCRPC post-doce cabazitaxel", "cabazitaxel in mCRPC after docetaxel"},
		{"eBC palbo", "early-stage breast cancer palbociclib"},
		{"CP A HCC sorafenib", "Child-Pugh A hepatocellular carcinoma sorafenib"},
		{"HR prostate cancer RT", "high-risk prostate cancer radiotherapy"},
		{"PRE- AND POSTOPERATIVE CHEMOTHERAPY IN GASTRIC CANCER", "pre- and postoperative chemotherapy in gastric cancer"},
		{"AML -7 haplo", "AML monosomy 7 haplo"},
		{"AML +8", "AML trisomy 8"},
		{"MM dara-refr", "MM dara-refractory"},
		{"MM ineligible for ASCT", "transplant-ineligible MM"},
		{"MM not transplant-eligible", "transplant-ineligible MM"},
		{"glioblastoma TMZ alone, no RT", "glioblastoma no RT, TMZ alone"},
		{"MF not transplant candidate", "transplant-ineligible myelofibrosis"},
		{"pediatric CP proton", "craniopharyngioma children proton therapy"},
		{"HR MDS azacitidine", "higher-risk MDS azacitidine"},
		{"HR neuroblastoma", "high-risk neuroblastoma"},
		{"CLL 17p-", "CLL del(17p)"},
		{"MM 1q21+", "MM gain(1q)"},
		{"MM +1q", "MM 1q gain"},
		{"glioma 1p/19q intact", "glioma 1p/19q non-codeleted"},
		{"Gliom 1p/19q-kodeletiert", "glioma with 1p/19q codeletion"},
		{"KMT2A-r AML", "KMT2A-rearranged AML"},
		{"CD19neg ALL", "CD19-negative ALL"},
		{"MRDneg ALL", "MRD- ALL"},
		{"MRD-neg myeloma", "MRD- myeloma"},
		{"NPM1+ AML", "NPM1-mutated AML"},
		{"RET+ MTC", "RET-mutated MTC"},
		{"RET+ NSCLC", "RET fusion-positive NSCLC"},
		{"GBM >70y", "glioblastoma older than 70 years"},
		{"ependymoma RT <12 mo", "ependymoma radiotherapy <12 months"},
		{"gr 2 meningioma", "grade 2 meningioma"},
		{"pNET Ki-67 <10", "pNET Ki-67 <10%"},
		{"ALL BCR::ABL1-like", "Ph-like ALL"},
		{"IT MTX ALL", "intrathecal methotrexate ALL"},
		{"AML Rezidiv nach allogener SZT", "AML relapse after allo-SCT"},
		{"AML relapse post-allo", "AML relapse after allogeneic stem cell transplantation"},
		{"LLC del17p ibrutinib", "CLL del17p ibrutinib"},
		{"LAM FLT3-ITD midostaurin", "AML FLT3-ITD midostaurin"},
		{"RAI-R DTC lenvatinib", "RAI-refractory DTC lenvatinib"},
		{"MM len-refractory", "multiple myeloma refractory to lenalidomide"},
		{"MB SHH vismodegib", "SHH-activated medulloblastoma vismodegib"},
		{"ca papilar de tiroides", "papillary thyroid cancer"},
		{"CML MMR stop TKI", "CML major molecular response stop TKI"},
		{"MM BRAF V600E dabrafenib", "melanoma BRAF V600E dabrafenib"},
		{"CML BP ponatinib", "CML blast crisis ponatinib"},
		{"pituitary NET temozolomide", "PitNET temozolomide"},
		{"LGG dab/tram", "low-grade glioma dabrafenib trametinib"},
		{"LN- prostate cancer", "node-negative prostate cancer"},
		{"MRD- ALL", "MRD-negative ALL"},
		{"HIV- associated lymphoma", "HIV-associated lymphoma"},
		{"HER2- positive breast cancer", "HER2-positive breast cancer"},
		{"EGFR- mutant lung cancer", "EGFR-mutant lung cancer"},
		{"HIV- lymphoma", "lymphoma without HIV infection"},
		{"nivolumab then ipilimumab melanoma", "nivolumab followed by ipilimumab melanoma"},
		{"nivolumab before ipilimumab melanoma", "nivolumab followed by ipilimumab melanoma"},
		{"glioblastoma aged ≥65 years", "glioblastoma aged 65 years or older"},
		{"glioblastoma over 65 years", "glioblastoma older than 65 years"},
		{"breast cancer smaller than 2 cm", "breast cancer <2 cm"},
		{"more than 3 brain metastases melanoma", "melanoma with over three brain metastases"},
		{"high-level MET amplification lung cancer", "lung cancer with high-level amplification of MET"},
		{"if KRAS is mutated then which drug in colon cancer", "which drug in KRAS-mutated colon cancer"},
		{"what is the up to date treatment of melanoma", "treatment of melanoma"},
		{"glioblastoma over the age of 65", "glioblastoma older than 65 years"},
		{"Glioblastom über 65 Jahre", "glioblastoma older than 65 years"},
		{"myeloma in patients aged 75 years or older", "myeloma ≥75 years"},
		{"comparison of nivolumab and docetaxel in lung cancer", "nivolumab versus docetaxel in lung cancer"},
		{"comparing nivolumab with docetaxel in lung cancer", "nivolumab versus docetaxel in lung cancer"},
		{"CRLM resection", "resection of liver metastases of colorectal cancer"},
		{"mUC pembrolizumab", "metastatic urothelial carcinoma pembrolizumab"},
		{"MBC capecitabine", "metastatic breast cancer capecitabine"},
		{"LARC chemoradiotherapy", "locally advanced rectal cancer chemoradiotherapy"},
		{"gBRCAm breast cancer", "breast cancer with germline BRCA mutation"},
		{"lung cancer TKI", "lung cancer tyrosine kinase inhibitor"},
		{"breast cancer metastatic to the bone", "bone metastases of breast cancer"},
		{"axillary clearance breast cancer", "ALND breast cancer"},
		{"LDCT lung cancer screening", "low dose CT lung cancer screening"},
		{"increasing the dose of sunitinib", "dose escalation of sunitinib"},
		{"PPI erlotinib", "erlotinib with proton pump inhibitors"},
		{"nivolumab w/o ipilimumab melanoma", "nivolumab without ipilimumab melanoma"},
		{"nivolumab ± ipilimumab melanoma", "nivolumab with or without ipilimumab melanoma"},
		{"T-DM1 → T-DXd breast cancer", "T-DM1 followed by T-DXd breast cancer"},
		{"switch to dasatinib from imatinib in CML", "switch from imatinib to dasatinib in CML"},
		{"preop RT sarcoma", "preoperative radiotherapy sarcoma"},
		{"NACT breast cancer", "neoadjuvant chemotherapy breast cancer"},
		{"pts with melanoma", "patients with melanoma"},
		{"RT-qPCR lung cancer", "quantitative PCR lung cancer"},
		{"2L+ gastric cancer", "gastric cancer in the second line or later"},
		{"≥2L gastric cancer", "second-line or later gastric cancer"},
		{"3+ lines myeloma", "at least three lines myeloma"},
		{"T790M- lung cancer", "T790M-negative lung cancer"},
		{"T790M- lung cancer", "lung cancer without T790M"},
		{"EGFR T790M- lung cancer", "lung cancer without EGFR T790M"},
		{"T790M-mutated lung cancer", "T790M-positive lung cancer"},
		{"T790M-positive lung cancer", "T790M lung cancer"},
		{"KRAS G12C-mutant colon cancer", "KRAS G12C colon cancer"},
		{"T790M-negative EGFR-mutant lung cancer", "EGFR-mutant T790M-negative lung cancer"},
		{"EGFRm- lung cancer", "lung cancer without EGFR mutation"},
		{"KRASwt CRC cetuximab", "KRAS wild-type CRC cetuximab"}, {"METamp NSCLC", "MET-amplified NSCLC"},
		{"POLEmut endometrial stage IIIC", "POLE-mutated endometrial cancer stage IIIC"},
		{"cT3N2M0 NSCLC", "cT3 N2 M0 NSCLC"}, {"pT2pN1 gastric cancer", "pT2 pN1 gastric cancer"},
		{"prostate 36.25 Gy in 5 fractions", "prostate cancer 36.25 Gy in 5 fractions"},
		{"Lynch endometrial", "Lynch syndrome endometrial cancer"},
		{"brain mets NSCLC no driver", "brain metastases NSCLC without driver mutations"},
		{"rectal T3N+ FOLFOX", "T3 node-positive rectal cancer FOLFOX"}, {"DCIS RT omission", "DCIS without radiotherapy"},
		{"Wilms bilateral", "bilateral Wilms tumor"},
		{"ältere Patientin mit Glioblastom", "older patients with glioblastoma"},
		{"la/mUC pembrolizumab", "locally advanced or metastatic urothelial carcinoma pembrolizumab"},
		{"Child B HCC sorafenib", "Child-Pugh B HCC sorafenib"}, {"Child A5 HCC", "Child-Pugh A5 HCC"},
		{"chemo-free Ph+ ALL blinatumomab", "Ph+ ALL blinatumomab without chemotherapy"},
		{"CRS and HIPEC, peritoneal metastases", "cytoreductive surgery and HIPEC, peritoneal metastases"},
		{"FLT3-ITD- AML", "AML without FLT3-ITD"},
		{"del(17p)- CLL", "CLL without del(17p)"},
		{"MSI-H- colon cancer", "colon cancer without MSI-H"},
		{"gBRCA- breast cancer", "gBRCA1/2- breast cancer"},
		{"gBRCAm breast cancer", "breast cancer with germline BRCA mutation"},
		{"EGFR mutation not detected lung cancer", "lung cancer without EGFR mutation"},
		{"lung cancer, EGFR mutation has been excluded", "lung cancer without EGFR mutation"},
		{"EGFR not mutated lung cancer", "lung cancer without EGFR mutation"},
		{"T790M absent lung cancer", "T790M-negative lung cancer"},
		{"EGFR nicht mutiert Lungenkrebs", "lung cancer without EGFR mutation"},
		{"EGFR non muté cancer du poumon", "lung cancer without EGFR mutation"},
		{"肺癌 未检出EGFR突变", "lung cancer without EGFR mutation"},
		{"HER2 not amplified breast cancer", "breast cancer without HER2 amplification"},
		{"melanoma brain metastases excluded", "melanoma without brain metastases"},
		{"lung cancer no prior osimertinib", "lung cancer not previously treated with osimertinib"},
		{"lung cancer no prior osimertinib", "osimertinib-naive lung cancer"},
		{"lung cancer no prior osimertinib", "lung cancer never received osimertinib"},
		{"lung cancer with or without EGFR mutation", "lung cancer regardless of EGFR mutation"},
		{"lung cancer with or without EGFR mutation", "Lungenkrebs mit oder ohne EGFR-Mutation"},
		{"breast cancer ER+/-", "breast cancer ER-positive or negative"},
		{"breast cancer HER2+/-", "breast cancer with or without HER2-positive"},
		{"lung cancer EGFR mutated or wild-type", "lung cancer with or without EGFR mutation"},
		{"lung cancer osimertinib ± chemotherapy", "lung cancer osimertinib with or without chemotherapy"},
		{"lung cancer osimertinib +/- chemotherapy", "lung cancer osimertinib with/without chemotherapy"},
		{"lung cancer osimertinib con o sin quimioterapia", "lung cancer osimertinib versus osimertinib plus chemotherapy"},
		{"CML resistant to imatinib nilotinib", "CML refractory to imatinib nilotinib"},
		{"CML resistant to imatinib nilotinib", "imatinib-resistant CML nilotinib"},
		{"CML resistant to imatinib nilotinib", "imatinib-refractory CML nilotinib"},
		{"CML resistant to imatinib nilotinib", "CML no response to imatinib nilotinib"},
		{"CML resistant to imatinib nilotinib", "CML resistent gegen Imatinib Nilotinib"},
		{"CML intolerant to imatinib nilotinib", "imatinib-intolerant CML nilotinib"},
		{"CML intolerant of imatinib nilotinib", "CML that did not tolerate imatinib nilotinib"},
		{"CML resistant to or intolerant of imatinib nilotinib", "imatinib-resistant or -intolerant CML nilotinib"},
		{"CML after failure of imatinib nilotinib", "CML imatinib failure nilotinib"},
		{"CML nilotinib after resistance to imatinib", "CML after resistance to imatinib nilotinib"},
		{"CML resistance to imatinib nilotinib", "CML imatinib resistance nilotinib"},
		{"肺癌 奥希替尼进展后 阿法替尼", "lung cancer afatinib after progression on osimertinib"},
		{"dabrafenib plus trametinib vs vemurafenib melanoma", "vemurafenib versus trametinib and dabrafenib in melanoma"},
		{"melanoma nivolumab vs nivolumab plus ipilimumab", "melanoma nivolumab plus ipilimumab vs nivolumab"},
		{"melanoma nivolumab vs nivolumab plus ipilimumab", "melanoma nivolumab with or without ipilimumab"},
		{"first-line osimertinib second-line afatinib", "osimertinib first-line, afatinib second-line"},
		{"nivolumab 1 mg/kg ipilimumab 3 mg/kg melanoma", "melanoma: ipilimumab (3 mg/kg) plus nivolumab (1 mg/kg)"},
		{"neoadjuvant chemotherapy, adjuvant nivolumab NSCLC", "NSCLC adjuvant nivolumab and neoadjuvant chemotherapy"},
		{"MRD-negative PET-positive myeloma", "PET-positive, MRD-negative multiple myeloma"},
		{"advanced or recurrent endometrial cancer lenvatinib pembrolizumab",
			"pembrolizumab in advanced or recurrent endometrial cancer with lenvatinib"},
		{"HR+/HER2- high-risk breast cancer abemaciclib", "HR-positive HER2-negative high-risk breast cancer abemaciclib"},
		{"HER2- low breast cancer", "HER2-low breast cancer"},
		{"salvage RT prostate cancer", "salvage radiotherapy prostate cancer"},
		{"SBRT oligomets prostate cancer", "SBRT oligometastatic prostate cancer"},
		{"B-ALL r/r blinatumomab", "relapsed or refractory B-ALL blinatumomab"},
		{"cisplatin bladder cancer eGFR <30", "cisplatin bladder cancer glomerular filtration rate <30"},
		{"eGFR T790M lung cancer", "EGFR T790M lung cancer"},
		{"breast ca letrozole", "letrozole breast cancer"},
		{"Ca cervix cisplatin", "cervical cancer cisplatin"},
		{"head and neck ca cetuximab", "cetuximab head and neck cancer"},
		{"pts w/ CRC cetuximab", "patients with CRC cetuximab"},
		{"mBC capecitabine", "metastatic breast cancer capecitabine"},
		{"trastuzumab s.c. breast cancer", "subcutaneous trastuzumab breast cancer"},
		{"hep B reactivation rituximab", "hepatitis B reactivation rituximab"},
		{"ECOG PS 2 lung cancer", "lung cancer with ECOG performance status 2"},
		{"ECOG performance status ≥2 lung cancer", "lung cancer ECOG ≥2"},
		{"medulloblastoma SHH vismodegib", "vismodegib SHH-activated medulloblastoma"},
		{"can we omit radiotherapy in breast cancer", "omission of radiotherapy in breast cancer"},
		{"cervical cancer stage IB1", "IB1 cervical cancer"},
		{"stage 3C ovarian cancer", "IIIC ovarian cancer"},
		{"glioblastoma unmethylated MGMT promoter", "glioblastoma MGMT unmethylated"},
		{"肺癌 EGFR 19外显子缺失", "lung cancer EGFR exon 19 deletion"},
		{"肺癌 EGFR第20外显子插入突变", "lung cancer EGFR exon 20 insertion"},
		{"cáncer de pulmón deleción del exón 19 de EGFR", "lung cancer EGFR exon 19 deletion"},
		{"cancer du poumon délétion de l'exon 19 EGFR", "lung cancer EGFR exon 19 deletion"},
		{"tamoxifen-associated endometrial cancer", "endometrial cancer due to tamoxifen"},
		{"hepatitis due to pembrolizumab", "pembrolizumab-related hepatitis"},
		{"KRAS exon 2- and exon 3-mutated colon cancer", "colon cancer with KRAS exon 2 and exon 3 mutations"},
	} {
		a, b := l.Understand(pair[0]), l.Understand(pair[1])
		if a.Key() != b.Key() {
			t.Errorf("%q and %q differ:\n%s\n%s", pair[0], pair[1], a.Key(), b.Key())
		}
	}
}
