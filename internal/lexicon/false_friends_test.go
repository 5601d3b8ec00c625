package lexicon

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// falseFriends hold words that are also short names, and must not be taken for them.
//
//nolint:misspell // as papers spell it
var falseFriends = []struct {
	question string
	want     []string // as found lists it
}{
	{"patients who met the criteria", nil},
	{"Met criteria for enrolment", nil},
	{"a test kit for the lab", nil},
	{"Kit for testing", nil},
	{"dyspnoea at rest", []string{"disease dyspnea"}},
	{"the cat and the fat rat set the max", nil},
	{"CAT scan", nil},
	{"IMPACT of age", nil},
	{"all patients", nil},
	{"All patients improved", nil},
	{"ALL PATIENTS WHO MET THE CRITERIA", nil},
	{"THE PATIENT WAS AT REST AND USED A KIT", nil},
	{"ALL PATIENTS WITH MET AMPLIFICATION AND A KIT D816V MUTATION", []string{"gene MET amplification", "gene KIT D816V"}},
	{"every 3 weeks or Q3W, Q12H", nil},
	{"T1a N1 M1c", nil},
	{"pole position", nil},
	{"tall patients", nil},
	{"an atm withdrawal", nil},
	{"apc and ret in lower case", nil},
	{"at m. Then s d", nil},
	{"a negative test with a low positive rate", nil},
	{"mm of margin", nil},
	{"a mutation was found", nil},
	{"high expression, amplification", nil},
	{"p. 53 of the report", nil},
	{"H1N1 infection", []string{"disease influenza"}},
	{"MET and KIT in lung cancer", []string{"disease lung cancer", "gene MET", "gene KIT"}},
	{"MET amplification", []string{"gene MET amplification"}},
	{"c-Met", []string{"gene MET"}},
	{"c-kit", []string{"gene KIT"}},
	{"ALL in adults", []string{"disease acute lymphoblastic leukemia"}},
	{"SHP2/SOS1", []string{"gene PTPN11", "gene SOS1"}},
	{"mutant and wild-type cells", nil},
}

func TestFalseFriends(t *testing.T) {
	l := mustDefault(t)
	for _, f := range falseFriends {
		t.Run(f.question, func(t *testing.T) {
			if diff := cmp.Diff(f.want, found(l, f.question)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOneVariantInAllItsNotations(t *testing.T) {
	l := mustDefault(t)
	for want, writings := range map[string][]string{
		"KRAS G12C": {"KRAS G12C", "KRAS p.G12C", "KRAS-G12C", "KRASG12C", "KRAS (G12C)", "KRAS p.(G12C)", "KRAS p.Gly12Cys",
			"K-RAS G12C", "KRAS Gly12Cys",
			"kras g12c", "KRAS mutation G12C", "G12C KRAS", "G12C-mutant KRAS", "KRAS^G12C", "KRAS:G12C", "KRAS G12C mutation"},
		"BRAF V600E": {"BRAF V600E", "BRAFV600E", "BRAF p.Val600Glu", "BRAF Val600Glu", "B-RAF V600E",
			"V600E BRAF", "BRAF-V600E", "braf v600e"},
		"EGFR exon 19 deletion": {"EGFR exon 19 deletion", "EGFR exon 19 deletions", "EGFR del19", "EGFR ex19del",
			"EGFR 19del", "EGFR exon 19 del", "EGFR Ex19Del", "EGFR E19del", "EGFR deletion in exon 19",
			"exon 19 deletion in EGFR", "EGFR exon-19 deletion", "exon 19 deletion EGFR"},
		"EGFR exon 20 insertion": {"EGFR exon 20 insertion", "EGFR ex20ins", "EGFR exon20ins", "EGFR exon 20 insertions",
			"EGFR insertion in exon 20"},
		"MET exon 14 skipping": {"MET exon 14 skipping", "METex14 skipping", "MET exon 14 skipping mutation",
			"MET ex14 skipping", "METex14", "MET exon 14 mutation", "METex14-altered"},
		"ALK fusion": {"ALK fusion", "ALK rearrangement", "ALK-rearranged", "ALK translocation", "ALK-positive",
			"ALK+", "ALK gene fusion"},
		"FLT3 ITD": {"FLT3-ITD", "FLT3 ITD", "FLT3 internal tandem duplication"},
		"ERBB2 amplification": {"HER2 amplification", "ERBB2-amplified", "HER2 gene amplification", "HER2 amplified",
			"HER-2 amplification"},
		"PTEN loss":      {"PTEN loss", "PTEN copy number loss", "PTEN-deficient", "PTEN deletion"},
		"BCR-ABL1 T315I": {"BCR::ABL1 T315I", "BCR-ABL1 T315I", "BCR-ABL T315I", "BCR/ABL T315I"},
		"RAS wild-type":  {"RAS wild-type", "RAS wild type", "RAS WT", "RAS-wildtype", "wild-type RAS"},
		"TP53 R213*":     {"TP53 R213*", "p53 p.R213*", "TP53 p.Arg213*", "TP53 Arg213Ter"},
	} {
		for _, w := range writings {
			q := l.Understand(w + " in patients")
			if len(q.Alterations) != 1 || q.Alterations[0].canonical() != want {
				t.Errorf("%q was read as %s; want %q alone", w, q.String(), want)
			}
		}
	}
}

// TestOrJoinsNoName holds that an ending which is taken off makes no name together with the "or" behind the word.
func TestOrJoinsNoName(t *testing.T) {
	l := mustDefault(t)
	for _, tt := range []struct {
		question string
		want     []string // settings
	}{
		{"microRNA that promotes or suppresses growth", nil},
		{"promotores or suppressors", []string{"promoter"}},
		{"TERT promotor mutation", []string{"promoter"}},
	} {
		t.Run(tt.question, func(t *testing.T) {
			var got []string
			for _, c := range l.Understand(tt.question).Setting {
				got = append(got, c.Value)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
