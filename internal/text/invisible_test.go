package text

import (
	"testing"
	"unicode"
)

// TestInvisibleIsNeverWhiteSpace: words must not be joined by leaving out what parts them.
func TestInvisibleIsNeverWhiteSpace(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if Invisible(r) && unicode.IsSpace(r) {
			t.Errorf("%U is white space, and is called invisible", r)
		}
		if !Invisible(r) && unicode.IsControl(r) && !unicode.IsSpace(r) {
			t.Errorf("%U is a control character, and is called visible", r)
		}
	}
}
