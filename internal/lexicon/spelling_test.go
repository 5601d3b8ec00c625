package lexicon

import (
	"strings"
	"testing"
)

// Each question is asked in British and in American spelling: it is one question, and both spellings are searched for.
//
//nolint:misspell // that is what is tried
func TestBothSpellingsAreOneQuestion(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct{ british, american, word, other string }{
		{"colour Doppler in breast cancer", "color Doppler in breast cancer", "colour", "color"},
		{"early unfavourable Hodgkin", "early unfavorable Hodgkin", "unfavourable", "unfavorable"},
		{"fibre intake in colon cancer", "fiber intake in colon cancer", "fibre", "fiber"},
		{"cancer centres for sarcoma", "cancer centers for sarcoma", "centres", "centers"},
		{"sleep behaviour in breast cancer", "sleep behavior in breast cancer", "behaviour", "behavior"},
	} {
		a, b := l.Understand(tc.british), l.Understand(tc.american)
		if a.Key() == "" || a.Key() != b.Key() {
			t.Errorf("%q is %q, and %q is %q", tc.british, a.Key(), tc.american, b.Key())
		}
		for _, q := range []*Question{&a, &b} {
			if len(q.Corrected) > 0 {
				t.Errorf("%q: %v", q.Text, q.Corrected)
			}
			query, ok := l.Layer(q, 1)
			if asked := query.String(); !ok || !strings.Contains(asked, `"`+tc.word+`"`) || !strings.Contains(asked, `"`+tc.other+`"`) {
				t.Errorf("%q is asked as %s", q.Text, asked)
			}
		}
	}
}
