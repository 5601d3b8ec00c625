package evidence

import (
	"unicode"

	"dossier/internal/text"
)

// AreInitials reports whether s is written as initials are: one to most capitals, with nothing but full stops, hyphens,
// spaces and accents between them: "J", "JA", "J.-L."; not "Li".
func AreInitials(s string, most int) bool {
	letters := 0
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			letters++
		case r != '.' && r != '-' && r != ' ' && !unicode.Is(unicode.Mn, r):
			return false
		}
	}
	return letters > 0 && letters <= most
}

// MaxInitials is how many capitals, as a rule, are initials and no short name in capitals.
const MaxInitials = 3

// IsParticle reports whether a word in lower case, which stands before a family name, is a part of it: "van", "de",
// "la".
func IsParticle(word string) bool { return particles(word) }

var particles = text.Set(`van von der den de del della di da dos das du la le el al ter ten te zu zur bin ibn y st`)
