package text

import "testing"

func TestPlural(t *testing.T) {
	for _, tc := range []struct {
		n          int
		noun, want string
	}{{1, "study", "1 study"}, {2, "study", "2 studies"}, {0, "record", "0 records"}, {3, "day", "3 days"}} {
		if got := Plural(tc.n, tc.noun); got != tc.want {
			t.Errorf("Plural(%d, %q) is %q, want %q", tc.n, tc.noun, got, tc.want)
		}
	}
}
