package fulltext

import "testing"

func TestLooksBoolean(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"kras g12c colorectal", false},
		{"What is the role of SHP2 and SOS1?", false},
		{"kras AND egfr", true},
		{"KRAS OR NRAS", true},
		{"melanoma NOT uveal", true},
		{"AND", false},
		{"NOT yet known", false},
		{"ORR AND", false},
		{"ANDROGEN receptor", false},
		{`"lung cancer" outcome`, true},
		{"“lung cancer”", true},
		{`a 5" tube`, false},
		{`5" to 6" long`, false},
		{`What are "driver" mutations?`, false},
		{`"driver mutation"[ti] OR what?`, true},
		{"melanoma[tiab]", true},
		{"melanoma [mh]", true},
		{"humans[sb]", true},
		{"lung cancer[tiab:~3]", true},
		{"[18F]FDG uptake", false},
		{"uptake of [18F]FDG", false},
		{"Lungenkrebs [Article in German]", false},
		{"", false},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got := LooksBoolean(c.text); got != c.want {
				t.Errorf("LooksBoolean(%q) = %v, want %v", c.text, got, c.want)
			}
		})
	}
}
