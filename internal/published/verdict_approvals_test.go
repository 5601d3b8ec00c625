package published

import (
	"slices"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// approvals is a store of entries.
type approvals []evidence.Approval

func (s approvals) ApprovalsFiles() ([]evidence.GivenFile, error) {
	if len(s) == 0 {
		return nil, nil
	}
	return []evidence.GivenFile{{Source: "openfda", Name: "labels.json", Date: "2026-11-18"}}, nil
}

func (s approvals) ApprovalsOf(names []string) (out []evidence.Approval, err error) {
	for _, e := range s {
		if slices.ContainsFunc(e.Drugs, func(d string) bool { return slices.Contains(names, d) }) {
			out = append(out, e)
		}
	}
	return out, nil
}

func entry(drugs, words string) evidence.Approval {
	return evidence.Approval{Source: "openfda", Agency: "FDA", ID: "1", Names: []string{drugs}, Drugs: strings.Split(drugs, "+"),
		Words: words, Status: evidence.StatusApproved}
}

// TestVerdicts: what an indication demands and a question does not say makes it another one, or is named as open; what
// nothing reads makes it neither.
func TestVerdicts(t *testing.T) {
	const this, another = evidence.ApprovedForThis, evidence.ApprovedForAnother
	sotorasib := entry("sotorasib", "Sotorasib is indicated for adult patients with KRAS G12C-mutated metastatic NSCLC who have "+
		"received at least one prior systemic therapy.")
	for _, tc := range []struct {
		name, question string
		entry          evidence.Approval
		want           evidence.ApprovalKind
		told           string // of what differs, is open or unread
	}{
		{"all of it", "sotorasib KRAS G12C metastatic NSCLC second line", sotorasib, this, ""},
		{"metastases are left open", "sotorasib KRAS G12C NSCLC second line", sotorasib, this, "open metastatic"},
		{"the line is not told", "sotorasib KRAS G12C metastatic NSCLC", sotorasib, another, "line previously treated"},
		{"given again", "sotorasib KRAS G12C metastatic NSCLC after sotorasib", sotorasib, another, "line after sotorasib"},
		{"a child", "sotorasib KRAS G12C metastatic NSCLC second line in a 12-year-old child", sotorasib, another, "age adults"},
		{"children alone, from an age on", "selpercatinib RET fusion thyroid cancer in a 54-year-old", entry("selpercatinib",
			"Selpercatinib is indicated for pediatric patients 2 years of age and older with thyroid cancer with a RET gene fusion."),
			another, "age children"},
		{"adolescents alone", "selpercatinib RET fusion thyroid cancer", entry("selpercatinib",
			"Selpercatinib is indicated for adolescent patients with thyroid cancer with a RET gene fusion."), another,
			"age children"},
		{"adults and children from an age on", "selpercatinib RET fusion thyroid cancer in a 54-year-old", entry("selpercatinib",
			"Selpercatinib is indicated for adult and pediatric patients 2 years of age and older with thyroid cancer with a RET "+
				"gene fusion."), this, ""},
		{"a gene named in short", "olaparib maintenance germline BRCA ovarian cancer", entry("olaparib", "Olaparib is indicated "+
			"for the maintenance treatment of patients with germline BRCA-mutated ovarian cancer."), this, ""},
		{"a driver may be left open", "pembrolizumab first-line metastatic NSCLC", entry("pembrolizumab", "Pembrolizumab is "+
			"indicated for the first-line treatment of patients with metastatic NSCLC with no EGFR or ALK alterations."), this,
			"open no EGFR"},
		{"a driver that is there", "pembrolizumab first-line metastatic ALK-rearranged NSCLC", entry("pembrolizumab", "Pembrolizumab "+
			"is indicated for the first-line treatment of patients with metastatic NSCLC with no EGFR or ALK alterations."), another,
			"biomarker no ALK"},
		{"what stands behind a test", "cetuximab KRAS wild-type metastatic colorectal cancer", entry("cetuximab", "Cetuximab is "+
			"indicated for the treatment of KRAS wild-type metastatic colorectal cancer as determined by FDA-approved tests for this "+
			"use: • in combination with FOLFIRI for first-line treatment"), another, "combination with FOLFIRI"},
		{"what stands behind what is included", "tucatinib first-line HER2-positive metastatic breast cancer", entry("tucatinib",
			"Tucatinib is indicated for patients with metastatic HER2-positive breast cancer, including patients with brain "+
				"metastases, who have received one or more prior anti-HER2-based regimens."), another, "line previously treated"},
		{"what the treatment before included", "lapatinib capecitabine HER2-positive metastatic breast cancer after docetaxel and " +
			"trastuzumab", entry("lapatinib", "Lapatinib is indicated in combination with capecitabine for patients with metastatic "+
			"HER2-positive breast cancer who have received prior therapy, including an anthracycline, a taxane, and trastuzumab."),
			another, "line after anthracycline"},
		{"two tumours, each at its own stage", "apalutamide metastatic castration-resistant prostate cancer", entry("apalutamide",
			"Apalutamide is indicated for patients with metastatic castration-sensitive prostate cancer and non-metastatic "+
				"castration-resistant prostate cancer."), evidence.ApprovedUnread, "unread which tumour is"},
		{"what is said to be included", "avapritinib PDGFRA D842V metastatic GIST", entry("avapritinib", "Avapritinib is indicated "+
			"for adults with metastatic gastrointestinal stromal tumor (GIST) harboring a PDGFRA exon 18 mutation, including PDGFRA "+
			"D842V mutations."), this, ""},
		{"a limit on the tumour", "dabrafenib trametinib BRAF V600E metastatic colorectal cancer", entry("dabrafenib", "Dabrafenib, "+
			"in combination with trametinib, is indicated for patients with metastatic solid tumors with BRAF V600E mutation. "+
			"Limitations of Use: Dabrafenib is not indicated for patients with colorectal cancer."), another, "limit Dabrafenib is not"},
		{"solid, and of the blood", "larotrectinib NTRK fusion acute myeloid leukemia", entry("larotrectinib", "Larotrectinib is "+
			"indicated for patients with solid tumors with an NTRK gene fusion."), another, "tumour solid tumor"},
		{"a product of two", "niraparib metastatic prostate cancer BRCA2 mutation", entry("niraparib+abiraterone", "Niraparib and "+
			"abiraterone acetate is indicated for adult patients with BRCA-mutated metastatic prostate cancer."), another,
			"combination with abiraterone"},
		{"too few lines", "regorafenib metastatic colorectal cancer second line", entry("regorafenib", "Regorafenib is indicated for "+
			"patients with metastatic colorectal cancer who have received two or more prior lines of therapy."), another,
			"line after 2 treatments"},
		{"another stage by number", "nivolumab adjuvant stage IIA resected melanoma", entry("nivolumab", "Nivolumab is indicated for "+
			"the adjuvant treatment of patients with completely resected Stage IIB or Stage III melanoma."), another,
			"stage stage IIB or stage III"},
		{"words that nothing reads", "cabozantinib advanced renal cell carcinoma", entry("cabozantinib", "Cabozantinib is indicated "+
			"for patients with advanced renal cell carcinoma with a zorblatic phenotype."), evidence.ApprovedUnread,
			"unread zorblatic"},
		{"withdrawn", "sotorasib KRAS G12C metastatic NSCLC second line", func() evidence.Approval {
			e := sotorasib
			e.Status = "withdrawn"
			return e
		}(), evidence.NotApproved, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found, err := newReader(t).Approvals(approvals{tc.entry}, tc.question)
			if err != nil || found == nil || len(found.Drugs) == 0 || len(found.Drugs[0].Verdicts) != 1 {
				t.Fatalf("%+v, %v", found, err)
			}
			v := found.Drugs[0].Verdicts[0]
			var told []string
			for _, d := range v.Differs {
				told = append(told, string(d.Slot)+" "+d.Label+d.Asked)
			}
			for _, o := range v.Open {
				told = append(told, "open "+o)
			}
			for _, u := range v.Unread {
				told = append(told, "unread "+u)
			}
			isTold := func(s string) bool { return strings.HasPrefix(s, tc.told) }
			if v.Verdict != tc.want || tc.told != "" && !slices.ContainsFunc(told, isTold) || tc.told == "" && len(told) > 0 {
				t.Errorf("%s %q, want %s %q", v.Verdict, told, tc.want, tc.told)
			}
		})
	}
}

// TestADrugWithoutAnEntryHasNone, one that was given before is not looked up, and without files nothing is said.
func TestADrugWithoutAnEntryHasNone(t *testing.T) {
	all := approvals{entry("sotorasib", "Sotorasib is indicated for patients with NSCLC.")}
	found, err := newReader(t).Approvals(all, "adagrasib after sotorasib KRAS G12C NSCLC")
	if err != nil || len(found.Drugs) != 1 || found.Drugs[0].Drug != "adagrasib" || len(found.Drugs[0].Verdicts) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err := newReader(t).Approvals(approvals{}, "sotorasib NSCLC"); found != nil || err != nil {
		t.Errorf("without files: %+v, %v", found, err)
	}
	if found, err := newReader(t).Approvals(all, "KRAS G12C NSCLC"); found != nil || err != nil {
		t.Errorf("without a drug: %+v, %v", found, err)
	}
}

// TestConcerns: an entry is of a tumour whatever its words call it, and is not kept where they call none.
func TestConcerns(t *testing.T) {
	r := newReader(t)
	for _, tc := range []struct {
		words string
		want  bool
	}{
		{"Durvalumab is indicated for unresectable, Stage III NSCLC.", true},
		{"For adult patients with relapsed CLL or SLL.", true},
		{"Imatinib is indicated for GIST.", true},
		{"For the treatment of patients with non-small cell lung cancer.", true},
		{"INDICATIONS AND USAGE For patients with COPD and HIV infection.", false},
		{"For type 2 diabetes mellitus in adults.", false},
	} {
		t.Run(tc.words, func(t *testing.T) {
			if got := r.Concerns(tc.words); got != tc.want {
				t.Errorf("%v", got)
			}
		})
	}
}
