package boolean

import "testing"

func TestIsBoolean(t *testing.T) {
	for _, tc := range []struct {
		text string
		want bool
	}{
		{"", false},
		{"KRAS G12C colorectal cancer resistance", false},
		{"what does osimertinib do and not do in brain metastases", false},
		{"What is the role of SHP2 and SOS1?", false},
		{"sotorasib (Lumakras)", false},
		{"ANDROGEN receptor", false},
		{"NOT yet known", false},
		{"AND", false},
		{`a 5" tube`, false},
		{`5" to 6" long`, false},
		{`What are "driver" mutations?`, false},
		{"[18F]FDG uptake", false},
		{"uptake of [18F]FDG", false},
		{"Lungenkrebs [Article in German]", false},

		{"sotorasib AND colorectal", true},
		{"KRAS OR NRAS", true},
		{"melanoma NOT uveal", true},
		{"(SHP2 OR SOS1)AND(KRAS)", true},
		{`"KRAS G12C"`, true},
		{`"lung cancer" outcome`, true},
		{"“KRAS G12C”", true},
		{`"driver mutation"[ti] OR what?`, true},
		{"melanoma[ti]", true},
		{"melanoma [mh]", true},
		{"humans[sb]", true},
		{"lung cancer[tiab:~3]", true},

		// Meant as queries, though Parse will have to say what is missing.
		{"KRAS AND", true},
		{`"not closed`, true},
		{"melanoma[ti", true},
	} {
		t.Run(tc.text, func(t *testing.T) {
			if got := IsBoolean(tc.text); got != tc.want {
				t.Errorf("IsBoolean(%q) = %v, want %v", tc.text, got, tc.want)
			}
		})
	}
}
