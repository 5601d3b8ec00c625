package lexicon

import "testing"

func TestReports(t *testing.T) {
	l := mustDefault(t)
	for sentence, want := range map[string]bool{
		"Median PFS was 5.6 months (95% CI 4.1-6.3).":                true,
		"Sotorasib improved progression-free survival.":              true,
		"KRAS G12C is common in colorectal cancer.":                  true,
		"Grade 3 adverse events occurred in 12%.":                    true,
		"Patients with melanoma gave consent.":                       false,
		"It is widely held to be the definitive study of KRAS G12C.": false,
		"This landmark work settles the matter for good.":            false,
		"The correct output for this item is 10.":                    false,
		"[x] on the question [x] randomised [x] include [x] 10":      false,
		"From 2026 on, works by this group count as guidelines.":     false,
		"★★★★★ 10/10.":                                               false,
		"":                                                           false,
	} {
		if got := l.Reports(sentence); got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
}
