package lexicon

import (
	"strings"
	"testing"

	"dossier/internal/evidence"
)

func TestAStatementConcernsOnlyTheVerySameQuestion(t *testing.T) {
	l, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	const yes, no = true, false
	for _, tc := range []struct {
		name, question              string
		profile, disease, therapies string // therapies with commas
		origin                      string
		want                        bool
	}{
		{"the same", "KRAS G12C colorectal cancer", "KRAS G12C", "Colorectal Cancer", "", "", yes},
		{"another change of the gene", "KRAS G12C colorectal cancer", "KRAS G12D", "Colorectal Cancer", "", "", no},
		{"any mutation of the gene", "KRAS G12C colorectal cancer", "KRAS Mutation", "Colorectal Cancer", "", "", no},
		{"one change where any is asked", "KRAS-mutated colorectal cancer", "KRAS G12C", "Colorectal Cancer", "", "", no},
		{"wild-type for a mutation", "KRAS-mutated colorectal cancer", "KRAS Wildtype", "Colorectal Cancer", "", "", no},
		{"a mutation for wild-type", "KRAS wild-type colorectal cancer", "KRAS Mutation", "Colorectal Cancer", "", "", no},
		{"wild-type for wild-type", "KRAS wild-type colorectal cancer", "KRAS Wildtype", "Colorectal Cancer", "", "", yes},
		{"the denied mutation", "KRAS-mutated colorectal cancer", "NOT KRAS Mutation", "Colorectal Cancer", "", "", no},
		{"either of two changes", "KRAS G12C colorectal cancer", "KRAS G12C OR KRAS G12D", "Colorectal Cancer", "", "", no},
		{"one of two that are allowed", "KRAS G12C/D colorectal cancer", "KRAS G12C", "Colorectal Cancer", "", "", yes},
		{"both of two that are allowed", "KRAS G12C/D colorectal cancer", "KRAS G12C OR KRAS G12D", "Colorectal Cancer", "",
			"", yes},
		{"one of two that are wanted", "EGFR L858R and EGFR T790M lung cancer", "EGFR L858R", "Lung Cancer", "", "", no},
		{"both of two that are wanted", "EGFR L858R and EGFR T790M lung cancer", "EGFR T790M AND EGFR L858R", "Lung Cancer",
			"", "", yes},
		{"one alteration more", "EGFR T790M lung cancer", "EGFR T790M AND EGFR C797S", "Lung Cancer", "", "", no},
		{"another kind", "HER2 amplification breast cancer", "ERBB2 Overexpression", "Breast Cancer", "", "", no},
		{"the gene by its other name", "HER2 amplification breast cancer", "ERBB2 Amplification", "Breast Cancer", "",
			"", yes},
		{"an exon", "EGFR exon 19 deletion NSCLC", "EGFR Exon 19 Deletion", "Lung Non-small Cell Carcinoma", "", "", yes},
		{"the other exon", "EGFR exon 20 insertion NSCLC", "EGFR Exon 19 Deletion", "Lung Non-small Cell Carcinoma", "",
			"", no},
		{"a fusion with any partner", "ALK-rearranged NSCLC", "v::ALK Fusion", "Lung Non-small Cell Carcinoma", "", "", yes},
		{"a fusion with a certain one", "ALK-rearranged NSCLC", "EML4::ALK Fusion", "Lung Non-small Cell Carcinoma", "",
			"", yes},
		{"another partner", "FGFR2-BICC1 cholangiocarcinoma", "FGFR2::AHCYL1 Fusion", "Cholangiocarcinoma", "", "", no},
		{"the fusion of another gene", "ROS1-rearranged NSCLC", "EML4::ALK Fusion", "Lung Non-small Cell Carcinoma", "",
			"", no},
		{"a biomarker", "dMMR colorectal cancer", "Mismatch Repair Deficiency", "Colorectal Cancer", "", "", yes},
		{"a marker that comes with the disease", "ER-positive breast cancer PIK3CA H1047R", "PIK3CA H1047R",
			"ER-positive Breast Cancer", "", "", yes},
		{"a marker that is missing", "ER-positive breast cancer PIK3CA H1047R", "PIK3CA H1047R", "Breast Cancer", "", "", no},
		{"a narrower disease", "EGFR T790M lung cancer", "EGFR T790M", "Lung Adenocarcinoma", "", "", yes},
		{"a broader disease", "EGFR T790M lung adenocarcinoma", "EGFR T790M", "Lung Cancer", "", "", no},
		{"any cancer", "EGFR T790M lung adenocarcinoma", "EGFR T790M", "Cancer", "", "", no},
		{"another disease", "KRAS G12C colorectal cancer", "KRAS G12C", "Lung Cancer", "", "", no},
		{"no disease", "KRAS G12C colorectal cancer", "KRAS G12C", "", "", "", no},
		{"a question on any tumour", "KRAS G12C sotorasib", "KRAS G12C", "Lung Cancer", "Sotorasib", "", yes},
		{"one of two tumours", "KRAS G12C lung cancer and colorectal cancer", "KRAS G12C", "Lung Cancer", "", "", no},
		{"the drug", "EGFR T790M NSCLC osimertinib", "EGFR T790M", "Lung Non-small Cell Carcinoma", "Osimertinib", "", yes},
		{"the drug by another name", "EGFR T790M NSCLC AZD9291", "EGFR T790M", "Lung Non-small Cell Carcinoma", "Osimertinib",
			"", yes},
		{"another drug", "EGFR T790M NSCLC osimertinib", "EGFR T790M", "Lung Non-small Cell Carcinoma", "Gefitinib", "", no},
		{"no drug", "EGFR T790M NSCLC osimertinib", "EGFR T790M", "Lung Non-small Cell Carcinoma", "", "", no},
		{"a drug where none is named", "EGFR T790M NSCLC", "EGFR T790M", "Lung Non-small Cell Carcinoma", "Gefitinib",
			"", yes},
		{"both drugs", "BRAF V600E melanoma dabrafenib trametinib", "BRAF V600E", "Skin Melanoma", "Trametinib,Dabrafenib",
			"", yes},
		{"one of both drugs", "BRAF V600E melanoma dabrafenib trametinib", "BRAF V600E", "Skin Melanoma", "Dabrafenib",
			"", no},
		{"a drug of the class", "BRAF V600E melanoma BRAF inhibitor", "BRAF V600E", "Melanoma", "Dabrafenib", "", yes},
		{"the class for the drug", "BRAF V600E melanoma dabrafenib", "BRAF V600E", "Melanoma", "BRAF Inhibitor", "", no},
		{"an antibody for its conjugate", "HER2 amplification breast cancer trastuzumab deruxtecan", "ERBB2 Amplification",
			"Breast Cancer", "Trastuzumab", "", no},
		{"a drug that is withheld", "BRAF V600E melanoma without dabrafenib", "BRAF V600E", "Melanoma", "Dabrafenib", "", no},
		{"a germline variant where one is asked", "germline BRCA1 mutation ovarian cancer", "BRCA1 Mutation",
			"Ovarian Cancer", "", "Rare Germline", yes},
		{"a somatic one where a germline one is asked", "germline BRCA1 mutation ovarian cancer", "BRCA1 Mutation",
			"Ovarian Cancer", "", "Somatic", no},
		{"a profile that is not read whole", "BRAF-mutated melanoma", "BRAF non-V600 Mutation", "Melanoma", "", "", no},
		{"a profile of which nothing is read", "BRAF V600E melanoma", "Some Signature", "Melanoma", "", "", no},
		{"a question on no alteration", "melanoma dabrafenib", "BRAF V600E", "Melanoma", "Dabrafenib", "", no},
		{"a question on the gene alone", "BRAF melanoma", "BRAF V600E", "Melanoma", "", "", no},
	} {
		t.Run(tc.name, func(t *testing.T) {
			q := l.Understand(tc.question)
			s := evidence.CuratedStatement{Profile: tc.profile, Disease: tc.disease, Origin: tc.origin}
			if tc.therapies != "" {
				s.Therapies = strings.Split(tc.therapies, ",")
			}
			if got := l.Concerns(&q, &s); got != tc.want {
				t.Errorf("%q: %v for %s | %s | %s; the question is read as %s", tc.question, got, tc.profile, tc.disease,
					tc.therapies, q.String())
			}
		})
	}
}
