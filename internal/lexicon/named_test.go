package lexicon

import (
	"testing"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
)

// TestNamedFindsNothingNear holds a question against titles: one that answers it, and those that are only near.
func TestNamedFindsNothingNear(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct {
		question string
		answers  []string
		near     []string
	}{
		{"KRAS G12C colorectal cancer", []string{"KRAS G12C in colorectal cancer", "KRAS p.Gly12Cys in bowel cancer", "KRAS variants (G12C, G12D) in colorectal carcinoma"},
			[]string{"KRAS G12D in colorectal cancer", "KRAS exon 2 mutations in colorectal cancer", "KRAS G12C in lung cancer", "NRAS G12D in colorectal cancer"}},
		{"EGFR exon 19 deletion lung cancer", []string{"EGFR exon 19 deletions in lung cancer", "Lung cancer with an exon 19 deletion of EGFR"},
			[]string{"EGFR exon 20 insertions in lung cancer", "EGFR exon 19 insertions in lung cancer", "EGFR mutations in lung cancer"}},
		{"EGFR L858R T790M lung cancer", []string{"EGFR L858R and T790M in lung cancer"}, []string{"EGFR L858R in lung cancer", "EGFR T790M in lung cancer", "EGFR exon 20 and 21 in lung cancer"}},
		{"ALK fusion lung cancer", []string{"ALK-rearranged lung cancer", "ALK fusions in lung cancer"}, []string{"ALK mutations in lung cancer", "ROS1 fusions and ALK in lung cancer"}},
		{"ALK mutation neuroblastoma", []string{"ALK mutations in neuroblastoma", "ALK-mutated neuroblastoma"}, []string{"ALK amplification in neuroblastoma"}},
		{"BRAF V600E melanoma vemurafenib", []string{"Vemurafenib (PLX4032) for BRAF V600E melanoma"}, []string{"Dabrafenib for BRAF V600E melanoma", "Vemurafenib for BRAF V600K melanoma"}},
		{"MSS colorectal cancer pembrolizumab", []string{"Pembrolizumab in MSS colorectal cancer"}, []string{"Pembrolizumab in MSI-H colorectal cancer", "Pembrolizumab in colorectal cancer"}},
		{"MSI-H colorectal cancer pembrolizumab", []string{"Pembrolizumab in MSI-H colorectal cancer"}, []string{"Pembrolizumab in MSS colorectal cancer"}},
		{"KRAS G12C colorectal cancer acupuncture", []string{"Acupuncture in KRAS G12C colorectal cancer"}, []string{"KRAS G12C colorectal cancer"}},
		{"KRAS G12C colorectal cancer resistance SHP2 SOS1 inhibitor China", []string{"Resistance to KRAS G12C inhibitors in colorectal cancer", "SHP2 and KRAS G12C in colorectal cancer"},
			[]string{"KRAS G12C colorectal cancer"}},
	} {
		t.Run(tc.question, func(t *testing.T) {
			node := l.named(tc.question)
			matches := func(title string) bool {
				return boolean.Match(node, boolean.DocumentOf(&evidence.Record{Title: title}))
			}
			for _, title := range tc.answers {
				if !matches(title) {
					t.Errorf("%q is not found by %s", title, boolean.Print(node))
				}
			}
			for _, title := range tc.near {
				if matches(title) {
					t.Errorf("%q is found by %s", title, boolean.Print(node))
				}
			}
		})
	}
}

func TestNamedOfAQuestionThatNamesNothing(t *testing.T) {
	l := mustDefault(t)
	for _, question := range []string{"", "???", "what does the of and", "Can we use it in the elderly?", "结直肠癌"} {
		if node := l.named(question); node != nil {
			t.Errorf("Named(%q) = %s, want nothing", question, boolean.Print(node))
		}
	}
}
