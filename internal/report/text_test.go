package report

import "testing"

func TestCutAtSentence(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"One. Two. Three.", 100, "One. Two. Three."},
		{"One. Two. Three.", 10, "One. Two."},
		{"One. Two. Three.", 8, "One."},
		{"Onelongsentence without a stop in it", 20, "Onelongsentence…"},
		{"Größe. Übel. Ärger.", 12, "Größe. Übel."},
		{"", 10, ""},
	} {
		if got := cutAtSentence(c.text, c.n); got != c.want {
			t.Errorf("%q cut to %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}
