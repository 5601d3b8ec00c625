package lexicon

import "testing"

func TestWording(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct{ name, question, want string }{
		{"every slot",
			"What is the best second-line drug after osimertinib in EGFR T790M NSCLC with PD-L1 50%, frobnication?",
			"tumours: non-small cell lung cancer; alterations: EGFR T790M; biomarkers: PD-L1 TPS 50%; drugs: prior: osimertinib; setting: second-line; further words: frobnication"},
		{"what is withheld and absent", "NSCLC without EGFR mutation: pembrolizumab without chemotherapy",
			"tumours: non-small cell lung cancer; alterations: no EGFR mutation; drugs: pembrolizumab, withheld: chemotherapy"},
		{"alternatives", "EGFR mutation or ALK fusion NSCLC",
			"tumours: non-small cell lung cancer; alterations: EGFR mutation, ALK fusion; alternatives: ALK fusion or EGFR mutation"},
		{"a drug that nothing knows", "telvarasib KRAS G12C NSCLC",
			"tumours: non-small cell lung cancer; alterations: KRAS G12C; drugs: telvarasib"},
		{"another language", "Zweitlinie Melanom nach Nivolumab",
			"tumours: melanoma; drugs: prior: nivolumab; setting: second-line"},
		{"what nothing here reads is left as it is", "лечение рака", "further words: лечение, рака"},
		{"nothing but fillers", "what is it?", "what is it?"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			q := l.Understand(tc.question)
			if got := q.Wording(); got != tc.want {
				t.Errorf("%s\nwant %s", got, tc.want)
			}
		})
	}
}
