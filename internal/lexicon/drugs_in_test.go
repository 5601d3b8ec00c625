package lexicon

import (
	"slices"
	"testing"
)

func TestDrugsIn(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"the dictionary's", "Sotorasib with panitumumab.", []string{"sotorasib", "panitumumab"}},
		{"the ending of a generic name", "Patients took invorasib.", []string{"invorasib"}},
		{"a development code that is given", "Patients received QXW-4121 at 200 mg daily.", []string{"qxw-4121"}},
		{"a code that inhibits", "QXW-4121 monotherapy was well tolerated.", []string{"qxw-4121"}},
		{"a clone", "PD-1 was stained with NAT 105 (Cell Marque).", nil},
		{"a clone by its word", "The antibody EPR4392 was used.", nil},
		{"a group's trial", "They were treated on CALGB 9730.", nil},
		{"a cell line", "HCC 827 cells grew.", nil},
		{"a trial", "In the phase 3 study GOG 0218 patients did well.", nil},
		{"a class and a treatment", "PARP inhibitors and surgery.", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := l.DrugsIn(tc.text); !slices.Equal(got, tc.want) {
				t.Errorf("DrugsIn(%q) = %q, want %q", tc.text, got, tc.want)
			}
		})
	}
}
