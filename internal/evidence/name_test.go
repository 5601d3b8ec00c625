package evidence

import "testing"

func TestAreInitials(t *testing.T) {
	for _, tc := range []struct {
		in   string
		most int
		want bool
	}{
		{"J", 3, true}, {"JA", 3, true}, {"J.-L.", 3, true}, {"J. A.", 3, true}, {"M-C", 3, true}, {"E\u0301", 3, true},
		{"Ö", 3, true},
		{"JABC", 3, false}, {"JABC", 5, true}, {"Li", 3, false}, {"", 3, false}, {".-", 3, false}, {"J2", 3, false},
		{"王", 3, false},
	} {
		if got := AreInitials(tc.in, tc.most); got != tc.want {
			t.Errorf("AreInitials(%q, %d) is %v", tc.in, tc.most, got)
		}
	}
}

func TestIsParticle(t *testing.T) {
	for word, want := range map[string]bool{"van": true, "de": true, "st": true, "Van": false, "doe": false, "": false} {
		if IsParticle(word) != want {
			t.Errorf("IsParticle(%q) is %v", word, !want)
		}
	}
}
