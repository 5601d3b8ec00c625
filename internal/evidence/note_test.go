package evidence

import "testing"

// What an abstract says of the paper itself is no finding, however little else it says.
func TestNotesOnAPaperAreNoFindings(t *testing.T) {
	for sentence, told := range map[string]bool{
		"© 2025 The Authors, published by an invented house of oncology.":                 false,
		"This article is protected by copyright, and all rights are reserved.":            false,
		"This record is invented for demonstration, as all of the sample's are.":          false,
		"This study was funded by the Invented Foundation for Cancer Trials alone.":       false,
		"ClinicalTrials.gov number, NCT99000001, first registered on 1 May 2020.":         false,
		"Registration: PROSPERO CRD990000001, with the protocol published before.":        false,
		"The authors declare no conflicts of interest with regard to this work.":          false,
		"Supported patients lived longer than those who had no nurse to support them.":    true,
		"This study was the first in which the inhibitor shrank tumours of the colon.":    true,
		"Registered nurses noticed most of the infusion reactions before the physicians.": true,
		"Published reports of resistance name secondary alleles in a third of patients.":  true,
		"Blocking SHP2 and MEK gave short disease control in this on-target resistance.":  true,
	} {
		if got := !IsNote(sentence); got != told {
			t.Errorf("%q is taken for a finding: %v, want %v", sentence, got, told)
		}
	}
}
