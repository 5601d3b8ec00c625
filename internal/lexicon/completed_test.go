package lexicon

import (
	"strings"
	"testing"
)

// TestWordsThatAreCutOff reads a word that a ward cut off as the one that it may be, and tells so; what may be two
// things, or stands apart from what tells which, stays as it is.
func TestWordsThatAreCutOff(t *testing.T) {
	l := mustDefault(t)
	for _, c := range []struct{ name, question, from, want string }{
		{"one entry has all names that begin so", "chordoma, mortali", "mortali", "mortality"},
		{"a word of a list", "AML inelig for HiDAC", "inelig", "excluded: "},
		{"a name of several words goes on from one", "Ewing sarcoma, osteosarc", "osteosarc", "osteosarcoma"},
		{"a name of several words begins otherwise", "melanoma, persis disease", "", "persis"},
		{"an organ before ca", "endometr ca, chemo", "endometr", "endometrial cancer"},
		{"an organ behind ca", "apixaban with enza, ca prost", "prost", "prostate cancer"},
		{"a tumour beside ca", "ca colangio IDH1", "colangio", "cholangiocarcinoma"},
		{"an organ beside a tumour's type", "adeno oesoph cT3", "oesoph", "esophageal adenocarcinoma"},
		{"an organ behind K", "K polm, osi", "polm", "lung cancer"},
		{"an organ, a comma away", "breast ca, lob resection", "", "lob"},
		{"the only tumour where none is named", "mamm RO+", "mamm", "breast cancer"},
		{"an organ is named", "ovario, mante bev", "", "mante"},
		{"a tumour is named", "melanoma, mamm", "", "mamm"},
		{"five letters are mostly words", "color Doppler in breast cancer", "", "color"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := l.Understand(c.question)
			from := ""
			for _, fixed := range q.Corrected {
				if from = fixed.Text; from == c.from {
					break
				}
			}
			if from != c.from || !strings.Contains(q.String(), c.want) {
				t.Errorf("%q is completed, want %q; %q is not in %s", from, c.from, c.want, q.String())
			}
		})
	}
}
