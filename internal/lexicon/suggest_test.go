package lexicon

import "testing"

// What may have been meant is offered only where it makes a question, and never for what one letter makes another
// thing.
func TestSuggest(t *testing.T) {
	l := mustDefault(t)
	for asked, want := range map[string]string{
		"lung cancr":       "lung cancer",
		"lung canser":      "", // corrected without asking
		"gastrc cancr":     "gastric cancer",
		"qwxyz":            "",
		"lung CANCR":       "", // a symbol, it may be
		"weather tomorrow": "",
	} {
		q := l.Understand(asked)
		if !q.Empty() {
			continue
		}
		if got := l.Suggest(&q); got != want {
			t.Errorf("%q may have meant %q, want %q", asked, got, want)
		}
	}
}
