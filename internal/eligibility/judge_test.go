package eligibility

import (
	"strings"
	"testing"
	"unicode/utf8"

	"dossier/internal/evidence"
)

// onLung is an invented trial on lung cancer with these criteria.
func onLung(criteria string) *evidence.Record {
	return &evidence.Record{Title: "An invented trial", Trial: &evidence.Trial{Eligibility: criteria,
		Conditions: []string{"Non-small Cell Lung Cancer"}}}
}

// Each line is held against a patient of the question; "in" and "ex" are the lines of a list of inclusion or exclusion.
func TestEnters(t *testing.T) {
	l := dictionary(t)
	const may, cannot, untold = evidence.MayEnter, evidence.CannotEnter, evidence.NotTold
	in := func(lines ...string) string { return "Inclusion Criteria:\n\n* " + strings.Join(lines, "\n* ") }
	ex := func(lines ...string) string {
		return "Inclusion Criteria:\n\n* Histologically confirmed NSCLC\n\nExclusion Criteria:\n\n* " +
			strings.Join(lines, "\n* ")
	}
	for _, c := range []struct {
		name, question, criteria string
		want                     evidence.Entry
		slot                     evidence.Slot
	}{
		{"the alteration is required", "EGFR L858R NSCLC", in("EGFR L858R or exon 19 deletion"), may, evidence.SlotAlteration},
		{"a narrower one than required", "EGFR L858R NSCLC", in("EGFR-mutant NSCLC"), may, evidence.SlotAlteration},
		{"a narrower one is required", "EGFR-mutant NSCLC", in("EGFR exon 20 insertion"), untold, evidence.SlotAlteration},
		{"another change of the gene", "KRAS G12D NSCLC", in("KRAS G12C mutation"), cannot, evidence.SlotAlteration},
		{"wild-type is required", "EGFR-mutant NSCLC", in("EGFR wild-type tumour"), cannot, evidence.SlotAlteration},
		{"wild-type, and is", "EGFR wild-type NSCLC", in("No EGFR mutation"), may, evidence.SlotAlteration},
		{"no mutation, and has one", "EGFR L858R NSCLC", in("NSCLC with no EGFR mutation"), cannot, evidence.SlotAlteration},
		{"excluded", "ALK-positive NSCLC", ex("Known EGFR mutation or ALK rearrangement"), cannot, evidence.SlotAlteration},
		{"an acquired change beside it", "EGFR exon 19 deletion NSCLC", in("EGFR T790M"), untold, evidence.SlotAlteration},
		{"doubly denied", "EGFR L858R NSCLC", ex("No EGFR mutation"), may, evidence.SlotAlteration},
		{"doubly denied, and lacks it", "EGFR wild-type NSCLC", ex("No EGFR mutation"), cannot, evidence.SlotAlteration},
		{"one that nobody told is required", "NSCLC, ECOG 1", in("ECOG 0-1", "ROS1 fusion"), untold, evidence.SlotAlteration},
		{"no driver", "EGFR L858R NSCLC stage IV", in("Stage IV NSCLC", "No driver mutations"), untold, evidence.SlotAlteration},
		{"the level is reached", "NSCLC with PD-L1 80%", in("PD-L1 TPS ≥ 50%"), may, evidence.SlotBiomarker},
		{"the level is not", "NSCLC with PD-L1 10%", in("PD-L1 TPS ≥ 50%"), cannot, evidence.SlotBiomarker},
		{"the level may be", "PD-L1-positive NSCLC", in("PD-L1 TPS ≥ 50%"), untold, evidence.SlotBiomarker},

		{"given before", "NSCLC after osimertinib", ex("Prior treatment with osimertinib"), cannot, evidence.SlotPrior},
		{"its class", "NSCLC after osimertinib", ex("Prior EGFR TKI"), cannot, evidence.SlotPrior},
		{"another class", "NSCLC after osimertinib", ex("Prior PD-1 inhibitor"), untold, ""},
		{"within weeks is no matter of who", "NSCLC after osimertinib, ECOG 1",
			in("ECOG 0-1") + "\n\nExclusion Criteria:\n\n* Osimertinib within 2 weeks", may, evidence.SlotPerformance},
		{"required", "NSCLC after osimertinib", in("Progression on osimertinib"), may, evidence.SlotPrior},
		{"must not", "NSCLC after docetaxel", in("Must not have received prior docetaxel"), cannot, evidence.SlotPrior},
		{"no systemic therapy", "NSCLC after docetaxel", in("No prior systemic therapy"), cannot, evidence.SlotPrior},
		{"what a therapy was for", "advanced NSCLC", in("No prior systemic therapy for locally advanced or metastatic NSCLC"),
			untold, ""},
		{"what an antitumour therapy was for", "advanced NSCLC",
			in("He had received no previous systemic antitumor therapy for locally advanced or metastatic NSCLC"), untold,
			evidence.SlotPrior},
		{"what a therapy that excludes was for", "metastatic NSCLC", ex("Prior systemic treatment for metastatic disease"),
			untold, ""},
		{"what a therapy was for that was given", "metastatic NSCLC after docetaxel",
			in("No prior systemic therapy for locally advanced or metastatic NSCLC"), cannot, evidence.SlotPrior},
		{"no therapy's purpose", "metastatic NSCLC", ex("Metastatic disease, or prior systemic therapy"), cannot,
			evidence.SlotSetting},
		{"no earlier therapy's purpose", "metastatic NSCLC", ex("Metastatic NSCLC"), cannot,
			evidence.SlotSetting},
		{"untreated", "previously untreated NSCLC", in("No prior systemic therapy"), may, evidence.SlotPrior},
		{"at most so many", "NSCLC, third line", in("No more than 1 prior line of therapy"), cannot, evidence.SlotPrior},
		{"at least so many", "NSCLC, third line", in("At least two prior lines of therapy"), may, evidence.SlotPrior},
		{"may be so many", "NSCLC after docetaxel", in("At least two prior lines of therapy"), untold, evidence.SlotPrior},
		{"allowed", "NSCLC after nivolumab", in("Prior PD-1 inhibitors are allowed"), may, evidence.SlotPrior},
		{"no limit", "NSCLC, third line", in("There is no limit to the number of prior regimens"), untold, ""},

		{"ECOG within", "NSCLC, ECOG 2", in("ECOG performance status 0, 1 or 2"), may, evidence.SlotPerformance},
		{"ECOG beyond", "NSCLC, ECOG 2", in("ECOG 0-1"), cannot, evidence.SlotPerformance},
		{"ECOG excluded", "NSCLC, ECOG 3", ex("ECOG performance status ≥ 3"), cannot, evidence.SlotPerformance},
		{"by Karnofsky", "NSCLC, ECOG 3", in("Karnofsky performance status ≥ 70%"), cannot, evidence.SlotPerformance},
		{"by both", "NSCLC, ECOG 2", in("ECOG ≤2 (Karnofsky ≥60%)"), may, evidence.SlotPerformance},
		{"too young", "62-year-old with NSCLC", in("Age ≥70 years"), cannot, evidence.SlotAge},
		{"old enough", "78-year-old with NSCLC", in("Age ≥70 years"), may, evidence.SlotAge},

		{"stage", "stage II NSCLC", in("Stage IIIB/C or IV NSCLC"), cannot, evidence.SlotSetting},
		{"stage within", "stage IV NSCLC", in("Stage IIIB/C or IV NSCLC"), may, evidence.SlotSetting},
		{"metastatic", "metastatic NSCLC", in("Locally advanced or metastatic NSCLC"), may, evidence.SlotSetting},
		{"not metastatic", "metastatic NSCLC", in("Non-metastatic NSCLC"), cannot, evidence.SlotSetting},
		{"metastases of a site are not all", "metastatic NSCLC", in("No metastatic disease of the CNS"), untold, ""},
		{"brain metastases", "NSCLC with brain metastases", ex("Brain metastases"), cannot, evidence.SlotSetting},
		{"denied among what excludes", "NSCLC with brain metastases", ex("No brain metastases"), cannot, evidence.SlotSetting},
		{"other tumours, metastatic ones too, are excluded", "NSCLC with brain metastases", in("Brain metastases at diagnosis") +
			"\n\nExclusion Criteria:\n\n* Multiple primary or metastatic tumors (except early skin cancer)", may,
			evidence.SlotSetting},
		{"metastatic ones are excluded", "metastatic NSCLC", ex("Metastatic disease"), cannot, evidence.SlotSetting},
		{"metastases of before, too", "NSCLC with brain metastases", ex("Current or previous brain metastases"), cannot,
			evidence.SlotSetting},
		{"metastases, and other tumours apart", "NSCLC with brain metastases", ex("Brain metastases", "Multiple primary tumors"),
			cannot, evidence.SlotSetting},
		{"metastases by which a laboratory value is held", "NSCLC with liver metastases", in("Adequate organ function: Serum " +
			"bilirubin ≤ 2 x ULN, serum transaminases ≤ 3 x ULN without presence of liver metastases or ≤ 5 x ULN with presence " +
			"of liver metastases"), untold, evidence.SlotSetting},
		{"performance beside such a value", "NSCLC, ECOG 2", in("ECOG 0-1 and bilirubin ≤ 1.5 x ULN"), cannot,
			evidence.SlotPerformance},
		{"an alteration, beside such a value", "KRAS G12D NSCLC", in("KRAS G12C mutation", "Creatinine ≤ 1.5 x ULN"), cannot,
			evidence.SlotAlteration},
		{"metastases of that site, beside such a value", "NSCLC with liver metastases", in("No liver metastases",
			"Bilirubin ≤ 2 x ULN"), cannot, evidence.SlotSetting},
		{"only active ones", "NSCLC with brain metastases", ex("Active brain metastases"), untold, evidence.SlotSetting},
		{"symptomatic, and are not", "metastatic NSCLC with asymptomatic brain metastases",
			in("Metastatic NSCLC") + "\n\nExclusion Criteria:\n\n* Symptomatic brain metastases", may, evidence.SlotSetting},
		{"untreated, and are treated", "metastatic NSCLC with treated brain metastases",
			in("Metastatic NSCLC") + "\n\nExclusion Criteria:\n\n* Untreated brain metastases", may, evidence.SlotSetting},
		{"with an exception", "NSCLC with brain metastases", ex("Brain metastases, unless treated and stable"), untold,
			evidence.SlotSetting},
		{"allowed in brackets", "stage IV NSCLC with brain metastases",
			in("Stage IV NSCLC") + "\n\nExclusion Criteria:\n\n* Active brain metastases (treated and stable ones are permitted)",
			untold, evidence.SlotSetting},
		{"a central nervous system in full", "NSCLC with brain metastases",
			ex("Central nervous system (CNS) metastases"), cannot, evidence.SlotSetting},
		{"eligible", "NSCLC with brain metastases", in("Patients with brain metastases are eligible"), may, evidence.SlotSetting},
		{"not eligible", "NSCLC with brain metastases", in("Patients with brain metastases are not eligible"), cannot,
			evidence.SlotSetting},

		{"pregnant", "pregnant patient with NSCLC", ex("Pregnant or lactating women"), cannot, evidence.SlotSetting},
		{"must not be", "pregnant patient with NSCLC", in("Not pregnant or nursing"), cannot, evidence.SlotSetting},
		{"a disease", "NSCLC with rheumatoid arthritis", ex("Autoimmune disease"), cannot, evidence.SlotCondition},
		{"active or past", "NSCLC with rheumatoid arthritis", ex("Active or prior autoimmune disease"), cannot,
			evidence.SlotCondition},
		{"a disease in a state", "NSCLC with rheumatoid arthritis", ex("Uncontrolled autoimmune disease"), untold,
			evidence.SlotCondition},
		{"not required to be", "NSCLC with HIV infection", in("HIV infection is not an exclusion"), may, evidence.SlotCondition},

		{"another tumour", "colorectal cancer, ECOG 1", in("Histologically confirmed NSCLC", "ECOG 0-1"), cannot,
			evidence.SlotTumour},
		{"a kind of it", "lung adenocarcinoma", in("Squamous cell lung cancer confirmed by histology"), cannot,
			evidence.SlotTumour},
		{"one of the tumours", "NSCLC, ECOG 1", in("One of the following:", "ECOG 0-1"), may, evidence.SlotPerformance},

		{"nothing on the patient", "NSCLC", in("ECOG 0-1", "EGFR mutation"), untold, evidence.SlotAlteration},
		{"no criteria", "NSCLC, ECOG 1", "", untold, ""},
		{"contradictory", "NSCLC with HIV infection",
			ex("HIV infection", "Patients with HIV infection are eligible"), untold, evidence.SlotCondition},
		{"in one paragraph", "NSCLC, ECOG 2", "Inclusion criteria: NSCLC. ECOG 0-1. Exclusion criteria: pregnancy.", cannot,
			evidence.SlotPerformance},
		{"with entities", "NSCLC, ECOG 2", in("ECOG &lt; 2"), cannot, evidence.SlotPerformance},
		{"escaped", "NSCLC, ECOG 2", in(`ECOG \< 2`), cannot, evidence.SlotPerformance},
		{"without a heading", "NSCLC, ECOG 2", "ECOG 0-1", cannot, evidence.SlotPerformance},
		{"another one beside it", "KRAS G12C NSCLC",
			in("KRAS G12C") + "\n\nExclusion Criteria:\n\n* Secondary RAS mutation in plasma", may, evidence.SlotAlteration},
		{"required and excluded", "KRAS G12C NSCLC", in("KRAS G12C") + "\n\nExclusion Criteria:\n\n* RAS mutation", untold,
			evidence.SlotAlteration},
		{"others are allowed", "NSCLC with interstitial lung disease, ECOG 1",
			in("ECOG 0-1") + "\n\nExclusion Criteria:\n\n* Interstitial lung disease, but patients with asthma can be included",
			cannot, evidence.SlotCondition},
		{"brackets within brackets", "metastatic NSCLC",
			in("NSCLC") + "\n\nExclusion Criteria:\n\n* Metastatic NSCLC (spread to nodes is permitted (cN1))", cannot,
			evidence.SlotSetting},
		{"all adults", "62-year-old with NSCLC", in("Age ≥ 18 years"), untold, ""},
		{"a word nobody reads", "NSCLC with brain metastases, ECOG 1",
			in("ECOG 0-1") + "\n\nExclusion Criteria:\n\n* Known central nervous system disease", untold, evidence.SlotSetting},
		{"a heading with more behind it", "NSCLC, ECOG 2",
			"1.1 Inclusion criteria\n\n* NSCLC\n\n1.2 Exclusion criteria Medical conditions\n\n1. ECOG 2 or worse", cannot,
			evidence.SlotPerformance},
		{"a heading of the whole study", "NSCLC, ECOG 2", "Key Inclusion Criteria: Study-Wide Eligibility (All Parts):\n\n* NSCLC\n" +
			"\nKey Exclusion Criteria: Study-Wide Eligibility (All Parts)\n\n1. ECOG 2 or worse", cannot,
			evidence.SlotPerformance},
		{"lactating", "lactating woman with NSCLC", ex("Nursing mothers"), cannot, evidence.SlotSetting},
		{"of a cohort", "KRAS G12D NSCLC", in("Cohort A: KRAS G12C mutation"), untold, evidence.SlotAlteration},
		{"of a cohort with something else", "EGFR L858R NSCLC", in("Cohort A: KRAS G12C mutation"), untold, evidence.SlotAlteration},
		{"a stage named backwards", "stage IV NSCLC",
			in("Pathologically confirmed IB stage NSCLC"), cannot, evidence.SlotSetting},
		{"a stage in brackets", "stage III NSCLC, ECOG 1", in("Advanced (stage IV) NSCLC", "ECOG 0-1"), cannot,
			evidence.SlotSetting},
		{"of either kind", "squamous NSCLC, ECOG 1", in("NSCLC (squamous or non-squamous)", "ECOG 0-1"), may,
			evidence.SlotPerformance},
		{"all but one kind", "lung adenocarcinoma, ECOG 1", in("Non-squamous NSCLC", "ECOG 0-1"), may,
			evidence.SlotPerformance},
		{"the one kind", "squamous NSCLC, ECOG 1", in("Confirmed non-squamous-cell NSCLC", "ECOG 0-1"), cannot,
			evidence.SlotTumour},
		{"what exempts some", "ALK-positive NSCLC after alectinib", in("ALK-positive NSCLC") +
			"\n\nExclusion Criteria:\n\n* Treated with ALK TKI, but who had only had it as neoadjuvant treatment could be enrolled",
			untold, evidence.SlotPrior},
		{"an open alteration beside what lets in", "EGFR-mutant NSCLC, ECOG 1", in("ECOG 0-1", "EGFR T790M mutation"), untold,
			evidence.SlotAlteration},
		{"one of the genes that are all to be negative", "EGFR L858R NSCLC, ECOG 1",
			in("ECOG 0-1", "EGFR, ALK and ROS1 gene tests all negative"), cannot, evidence.SlotAlteration},
		{"another of the genes that are all to be negative", "ALK-positive NSCLC, ECOG 1",
			in("ECOG 0-1", "Negative for EGFR, ALK and ROS1"), cannot, evidence.SlotAlteration},
		{"no gene of those that are all to be negative", "EGFR wild-type NSCLC, ECOG 1",
			in("ECOG 0-1", "EGFR and ALK are both negative"), may, evidence.SlotAlteration},
		{"genes that are negative, without a verb", "EGFR L858R NSCLC, ECOG 1",
			in("ECOG 0-1", "EGFR and ALK negative"), cannot, evidence.SlotAlteration},
		{"excluded are those without the alteration", "EGFR L858R NSCLC, ECOG 1",
			in("ECOG 0-1") + "\n\nExclusion Criteria:\n\n* EGFR and ALK negative", may, evidence.SlotAlteration},
		{"a marker beside a gene", "NSCLC, PD-L1 80%, ECOG 1",
			in("ECOG 0-1", "PD-L1 and EGFR are negative"), cannot, evidence.SlotBiomarker},
		{"a gene that is negative as a protein, beside markers", "HER2 exon 20 mutated NSCLC, ECOG 1",
			in("ECOG 0-1", "ER, PR and HER2 are all negative"), untold, evidence.SlotAlteration},
		{"a gene that may be negative or not", "EGFR L858R NSCLC, ECOG 1",
			in("ECOG 0-1", "EGFR is negative or not tested"), untold, evidence.SlotAlteration},
		{"what a treatment was given for", "stage IV NSCLC, untreated, ECOG 1",
			in("ECOG 0-1") + "\n\nExclusion Criteria:\n\n* Prior docetaxel for metastatic disease", may,
			evidence.SlotPerformance},
		{"another tumour's treatment", "NSCLC after docetaxel, ECOG 1", in("ECOG 0-1") +
			"\n\nExclusion Criteria:\n\n* An additional malignancy that has required active treatment", may,
			evidence.SlotPerformance},
		{"before or during the trial", "NSCLC after osimertinib, ECOG 1",
			in("ECOG 0-1") + "\n\nExclusion Criteria:\n\n* Prior or concurrent osimertinib", untold, evidence.SlotPrior},
		{"before surgery", "NSCLC after cisplatin", in("Received neoadjuvant cisplatin"), untold, evidence.SlotPrior},
		{"advanced, and was resected", "resected stage III NSCLC", in("Locally advanced or metastatic NSCLC"), untold,
			evidence.SlotSetting},
		{"metastases are spread", "NSCLC with untreated brain metastases",
			in("Stage I-III NSCLC"), cannot, evidence.SlotSetting},
		{"metastases of the meninges", "NSCLC with brain metastases, ECOG 1",
			in("ECOG 0-1") + "\n\nExclusion Criteria:\n\n* Leptomeningeal carcinomatosis", may, evidence.SlotPerformance},
		{"tested negative", "NSCLC with hepatitis B", in("Negative hepatitis B surface antigen test"), cannot,
			evidence.SlotCondition},
		{"past disease", "NSCLC with hepatitis B", in("Patients with past or resolved hepatitis B are eligible"), untold,
			evidence.SlotCondition},
		{"what opens the list of all", "NSCLC, ECOG 2",
			"Inclusion Criteria:\n\nPatients are eligible only if they meet all of the following criteria:\n\n* ECOG 0-1", cannot,
			evidence.SlotPerformance},
		{"exclusion of is no heading", "NSCLC, ECOG 1", in("Exclusion of other causes", "ECOG 0-1"), may,
			evidence.SlotPerformance},
		{"first-line treatment that failed", "untreated NSCLC", in("First-line treatment fails"), untold, ""},
		{"examples of a tumour", "NSCLC, ECOG 1", in("Any solid tumor, including primary brain tumors", "ECOG 0-1"), may,
			evidence.SlotPerformance},
		{"a score alone", "NSCLC, CPS 0, ECOG 1", in("ECOG 0-1", "PD-L1 Combined Positive Score (CPS) ≥ 1"), cannot,
			evidence.SlotBiomarker},
		{"a name nobody reads", "NSCLC, XYZ 3, ECOG 1", in("ECOG 0-1", "XYZ at least 4"), untold, evidence.SlotWord},
		{"a list that is not limited", "NSCLC after olaparib",
			ex("Prior PARP inhibitors (including but not limited to niraparib and olaparib)"), cannot, evidence.SlotPrior},
		{"with or without", "metastatic NSCLC after cisplatin, ECOG 1",
			in("ECOG 0-1", "Progression on cisplatin with or without anti-PD-1 in the metastatic setting"), may,
			evidence.SlotPrior},
		{"must not have received a class", "recurrent NSCLC, ECOG 1",
			in("ECOG 0-1", "Patient must not have received anti-PD-1 therapy for recurrent disease"), may,
			evidence.SlotPerformance},
		{"wild-type or mutated", "EGFR L858R NSCLC", in("NSCLC with EGFR mutation, or NSCLC with wild-type EGFR"), may,
			evidence.SlotAlteration},
		{"with life expectancy", "NSCLC, ECOG 2", in("ECOG 0-1 and a life expectancy of 12 weeks"), cannot,
			evidence.SlotPerformance},
		{"with tissue", "PD-L1-negative NSCLC, ECOG 1", in("ECOG 0-1", "Biopsy available, and PD-L1 is positive"), untold,
			evidence.SlotBiomarker},
		{"an early stage in words on an advanced one", "stage II NSCLC, ECOG 1",
			in("ECOG 0-1", "Locally advanced or metastatic NSCLC"), untold, evidence.SlotSetting},
		{"more lines than it names", "NSCLC after docetaxel, ECOG 1",
			in("ECOG 0-1") + "\n\nExclusion Criteria:\n\n* More than 3 prior lines of therapy", may, evidence.SlotPerformance},
		{"a stage that nobody told", "NSCLC, ECOG 1", in("ECOG 0-1", "Stage IV NSCLC"), untold, evidence.SlotSetting},
		{"a kind that nobody told", "NSCLC, ECOG 1", in("ECOG 0-1", "Confirmed squamous NSCLC"), untold, evidence.SlotTumour},
		{"a marker that nobody told", "NSCLC, ECOG 1", in("ECOG 0-1", "PD-L1 TPS ≥ 50%"), untold, evidence.SlotBiomarker},
		{"a therapy that nobody told", "NSCLC, ECOG 1", in("ECOG 0-1", "Progression on docetaxel"), untold,
			evidence.SlotPrior},
		{"a disease that nobody told", "NSCLC, ECOG 1", in("ECOG 0-1", "Diagnosis of asthma"), untold,
			evidence.SlotCondition},
		{"a treatment to come", "NSCLC, ECOG 1", in("ECOG 0-1", "Scheduled to receive radiotherapy"), untold,
			evidence.SlotPrior},
		{"what a board never tells", "NSCLC, ECOG 1", in("ECOG 0-1", "Platelets ≥ 100", "Adequate organ function",
			"Written informed consent", "At least 4 weeks since the last chemotherapy", "Measurable disease"), may,
			evidence.SlotPerformance},
		{"words on therapy that nobody reads", "NSCLC after osimertinib, ECOG 1",
			in("ECOG 0-1") + "\n\nExclusion Criteria:\n\n* Earlier received an antibody of this kind", untold, evidence.SlotPrior},
		{"words on extent that nobody reads", "NSCLC, ECOG 1", in("ECOG 0-1", "T4 or N2 disease"), untold,
			evidence.SlotSetting},
		{"an operation that may be the one excluded", "resected stage II NSCLC", in("Resected stage II NSCLC") +
			"\n\nExclusion Criteria:\n\n* Prior surgery of the chest", untold, evidence.SlotPrior},
		{"a history that is asked", "NSCLC, ECOG 1", in("ECOG 0-1", "Have completed another study"), untold, evidence.SlotPrior},
		{"a kind that nobody told, excluded", "NSCLC, ECOG 1", in("ECOG 0-1") +
			"\n\nExclusion Criteria:\n\n* Squamous NSCLC", untold, evidence.SlotTumour},
		{"a tumour of the brain, of one with metastases there", "stage IV NSCLC with brain metastases", in("Stage IV NSCLC") +
			"\n\nExclusion Criteria:\n\n* Brain tumor of more than 5 cm", untold, evidence.SlotSetting},
		{"allowed, and excluded in a state", "NSCLC after docetaxel", in("Prior systemic therapy is allowed") +
			"\n\nExclusion Criteria:\n\n* Any prior systemic therapy that caused harm to the heart, or severe prior therapy",
			untold, evidence.SlotPrior},
		{"a heading on patients, too", "NSCLC, ECOG 2", "Exclusion Criteria for patients and caregivers:\n\n* ECOG 2", cannot,
			evidence.SlotPerformance},
		{"a stage without a space", "stage II NSCLC", in("StageIIIB or StageIV NSCLC"), cannot, evidence.SlotSetting},
		{"stages in signs of their own", "stage II NSCLC", in("Stage ⅢB～Ⅳ NSCLC"), cannot, evidence.SlotSetting},
		{"the stage of another disease", "stage IV NSCLC", in("Stage IV NSCLC", "Diagnosis of stage II periodontitis"), untold,
			evidence.SlotSetting},
		{"no line on the pregnancy", "pregnant woman with NSCLC, ECOG 1", in("ECOG 0-1"), untold, evidence.SlotSetting},
		{"no line on the second tumour", "NSCLC, ECOG 1, melanoma resected 3 years ago", in("ECOG 0-1"), untold,
			evidence.SlotTumour},
		{"a word on the setting that no table has", "NSCLC with acquired resistance, ECOG 1", in("ECOG 0-1") +
			"\n\nExclusion Criteria:\n\n* Resistance of this kind", untold, evidence.SlotWord},
		{"advanced, as who was treated for it", "NSCLC after docetaxel, ECOG 1", in("Advanced NSCLC"), may,
			evidence.SlotSetting},
		{"this or that", "stage IV NSCLC", in("Stage III NSCLC; or stage IV NSCLC"), untold, evidence.SlotSetting},
		{"a category told in letters", "NSCLC cT4 N1, ECOG 1", in("ECOG 0-1") + "\n\nExclusion Criteria:\n\n* Any T4 tumour",
			untold, evidence.SlotSetting},
		{"the drug that is asked about", "prednisone in NSCLC, ECOG 1", in("ECOG 0-1") +
			"\n\nExclusion Criteria:\n\n* Systemic prednisone within 2 weeks", untold, evidence.SlotTreatment},
		{"no line on the alteration", "EGFR L858R NSCLC, ECOG 1", in("ECOG 0-1"), untold, evidence.SlotAlteration},
		{"no line on the disease beside it", "NSCLC with asthma, ECOG 1", in("ECOG 0-1"), untold, evidence.SlotCondition},
		{"one of two states", "metastatic NSCLC with asymptomatic brain metastases", in("Metastatic NSCLC") +
			"\n\nExclusion Criteria:\n\n* Uncontrolled or symptomatic brain metastases", untold, evidence.SlotSetting},
		{"those without the tumour", "NSCLC, ECOG 1", in("ECOG 0-1", "No history of lung cancer"), cannot,
			evidence.SlotTumour},
		{"progression beside a time", "untreated stage IV NSCLC",
			in("Stage IV NSCLC", "Progression after second-line therapy, and more than 2 weeks since the last dose"), cannot,
			evidence.SlotPrior},
		{"a condition that nobody reads", "NSCLC, ECOG 2", in("NSCLC", "Patients of the second kind must have ECOG 0-1"), untold,
			evidence.SlotPerformance},
		{"of donors", "NSCLC, ECOG 2", "Donor Inclusion Criteria:\n\n* ECOG 0-1", untold, ""},
		{"on others", "NSCLC, ECOG 2", in("Patients with liver cirrhosis must have ECOG 0-1"), untold, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := l.Understand(c.question)
			got := (&Judge{l}).Patient(&q).Enters(onLung(c.criteria))
			if got.Verdict != c.want || got.Slot != c.slot {
				t.Errorf("%q by %q: %s (%s), want %s (%s)", c.question, c.criteria, got, got.Slot, c.want, c.slot)
			}
		})
	}
}

func TestNestedLines(t *testing.T) {
	l := dictionary(t)
	for _, c := range []struct {
		name, question, criteria string
		want                     evidence.Entry
	}{
		{"one of several is enough", "KRAS G12C NSCLC",
			"Inclusion Criteria:\n\n* One of the following:\n\n  * EGFR L858R\n  * KRAS G12C", evidence.MayEnter},
		{"none of them", "KRAS G12C NSCLC",
			"Inclusion Criteria:\n\n* One of the following:\n\n  * KRAS G12D\n  * KRAS G12V", evidence.CannotEnter},
		{"all of them", "NSCLC, ECOG 2", "Inclusion Criteria:\n\n* All of the following:\n\n  * ECOG 0-1\n  * NSCLC",
			evidence.CannotEnter},
		{"excluded by the line above", "NSCLC with HIV infection",
			"Inclusion Criteria:\n\nPatients with any of the following are not eligible:\n\n* HIV infection", evidence.CannotEnter},
		{"an exception by the line above", "metastatic NSCLC after radiotherapy, hepatitis B",
			"Inclusion Criteria:\n\n* Metastatic NSCLC\n\nExclusion Criteria:\n\n* Any infection except:\n\n  * Hepatitis B",
			evidence.MayEnter},
		{"either side of an or", "45-year-old with untreated NSCLC",
			"Inclusion Criteria:\n\n* Previously untreated NSCLC\n* Age ≥ 60 years\n\nOR\n\n* At least one prior line of therapy\n" +
				"* Age ≥ 18 years", evidence.CannotEnter},
		{"numbered in one line", "stage II NSCLC",
			"Inclusion Criteria:\n\n* NSCLC of one of: (1) stage II, or (2) stage III", evidence.MayEnter},
		{"stages of two items", "stage IV NSCLC", "Inclusion Criteria:\n\n* Disease of the lung\n  * Stage III NSCLC\n" +
			"  * Stage IV NSCLC", evidence.NotTold},
		{"alternatives of several kinds", "NSCLC, ECOG 1",
			"Inclusion Criteria:\n\n* One of the following:\n\n  * ECOG 0-1\n  * EGFR mutation", evidence.NotTold},
		{"a study within the trial", "NSCLC, ECOG 1", "Inclusion Criteria:\n\n* ECOG 0-1\n\n" +
			"Inclusion criteria for participation in the imaging study:\n\n* ECOG 0", evidence.MayEnter},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := l.Understand(c.question)
			if got := (&Judge{l}).Patient(&q).Enters(onLung(c.criteria)); got.Verdict != c.want {
				t.Errorf("%q by %q: %s (%s), want %s", c.question, c.criteria, got, got.Slot, c.want)
			}
		})
	}
}

// TestBarredDrugs: a patient who must not be given a drug can't enter a trial that gives it to all.
func TestBarredDrugs(t *testing.T) {
	l := dictionary(t)
	q := l.Understand("NSCLC, cisplatin contraindicated, ECOG 1")
	r := onLung("Inclusion Criteria:\n\n* ECOG 0-1")
	r.Trial.Interventions = []evidence.Intervention{{Name: "Cisplatin"}}
	r.Trial.Arms = []evidence.Arm{{Label: "A", Interventions: []string{"Drug: Cisplatin"}},
		{Label: "B", Interventions: []string{"Drug: Docetaxel"}}}
	p := (&Judge{l}).Patient(&q)
	if len(p.patient.barred) == 0 {
		t.Skip("the question's reader knows no drug that must not be given here")
	}
	if got := p.Enters(r); got.Verdict != evidence.NotTold || got.Slot != evidence.SlotTreatment {
		t.Errorf("one arm does without: %s", got)
	}
	r.Trial.Arms = r.Trial.Arms[:1]
	if got := p.Enters(r); got.Verdict != evidence.CannotEnter {
		t.Errorf("every arm is given it: %s", got)
	}
}

// TestKindsOfOneOrgan: who has a tumour that is told by its hormones may have the histology that a trial asks for, and
// an organ that the lexicon does not read in a line is the patient's all the same.
func TestKindsOfOneOrgan(t *testing.T) {
	l := dictionary(t)
	for question, line := range map[string]string{
		"hormone-sensitive prostate cancer, ECOG 1": "Confirmed prostate adenocarcinoma",
		"endometrial cancer, ECOG 1":                "Malignant neoplasm of the cervix or endometrium",
	} {
		q := l.Understand(question)
		r := onLung("Inclusion Criteria:\n\n* " + line + "\n* ECOG 0-1")
		r.Trial.Conditions = []string{q.Tumours[0].Name}
		if got := (&Judge{l}).Patient(&q).Enters(r); got.Verdict != evidence.NotTold || got.Slot != evidence.SlotTumour {
			t.Errorf("%q by %q: %s (%s)", question, line, got, got.Slot)
		}
	}
}

func TestRegisteredFields(t *testing.T) {
	l := dictionary(t)
	r := onLung("")
	r.Trial.MinimumAge, r.Trial.MaximumAge, r.Trial.Sex = "18 Years", "75 Years", "FEMALE"
	for question, want := range map[string]evidence.Entry{
		"78-year-old with NSCLC": evidence.CannotEnter, "child with NSCLC": evidence.CannotEnter,
		"60-year-old with NSCLC": evidence.NotTold, "men with NSCLC": evidence.CannotEnter, "NSCLC": evidence.NotTold,
		"60-year-old woman with NSCLC": evidence.NotTold,
	} {
		q := l.Understand(question)
		if got := (&Judge{l}).Patient(&q).Enters(r); got.Verdict != want {
			t.Errorf("%q: %s, want %s", question, got, want)
		}
	}
	nothing := l.Understand("")
	if got := (&Judge{l}).Patient(&nothing).Enters(&evidence.Record{}); got != nil {
		t.Errorf("of a paper: %s", got)
	}
}

// TestLongCriteria: a text of any length is read within bounds, and what is kept of it is bounded.
func TestLongCriteria(t *testing.T) {
	l := dictionary(t)
	q := l.Understand("NSCLC, ECOG 2")
	long := "Inclusion Criteria:\n\n* ECOG performance status 0-1 " + strings.Repeat("and so on ", 2000)
	got := (&Judge{l}).Patient(&q).Enters(onLung(long))
	if got.Verdict != evidence.CannotEnter || len(got.Line) > maxShown+len("…") {
		t.Errorf("%s, by a line of %d bytes", got.Verdict, len(got.Line))
	}
	many := reading("* ECOG 0-2\n" + strings.Repeat("* a line\n", 5000))
	if n := len(many.lines); n != maxLines {
		t.Errorf("%d lines are read, want %d", n, maxLines)
	}
	if got := (&Judge{l}).Patient(&q).Enters(onLung("* ECOG 0-2\n" + strings.Repeat("* a line\n", 5000))); got.Verdict !=
		evidence.NotTold {
		t.Errorf("%s, by criteria of which the end was not read", got)
	}
}

// FuzzEnters: whatever a registry has, a verdict is given, with a bounded line of the text.
func FuzzEnters(f *testing.F) {
	l := dictionary(f)
	q := l.Understand("EGFR L858R NSCLC with brain metastases after osimertinib, ECOG 2, 62-year-old, platelets 80")
	p := (&Judge{l}).Patient(&q)
	for _, seed := range []string{"", "Inclusion Criteria:\n\n* ECOG \\> 1", "EXCLUSION CRITERIA: 1) EGFR; 2) (a", "OR\nOR\nOR",
		"* a:\n  * b except:\n    * c", "no no not without prior", "Child-Pugh A(", "stage I/II/ABC-IV", "\x00&#0;&lt"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, criteria string) {
		got := p.Enters(onLung(criteria))
		if got == nil || got.Verdict == "" || len(got.Line) > maxShown+len("…") || !utf8.ValidString(got.Line) {
			t.Errorf("%q: %+v", criteria, got)
		}
	})
}
