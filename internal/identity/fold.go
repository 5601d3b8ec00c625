package identity

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold brings text into the form in which it is compared: no accents, lower case, Greek letters and ligatures spelled out,
// a space for whatever is neither letter nor digit.
func fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r < 0x80 && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9'):
			b.WriteByte(byte(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			writeLetter(&b, unicode.ToLower(r))
		case r == '&':
			b.WriteString(" and ")
		case r == '+':
			b.WriteString(" plus ")
		case r == '\'' || r == '’' || r == '‘' || r == '`' || r == '´':
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func writeLetter(b *strings.Builder, r rune) {
	if spelled, ok := spellings[r]; ok {
		b.WriteString(spelled)
		return
	}
	b.WriteRune(r)
}

// spellings are the letters that databases without Unicode spell out or replace.
var spellings = map[rune]string{
	'α': "alpha", 'β': "beta", 'γ': "gamma", 'δ': "delta", 'ε': "epsilon", 'ζ': "zeta", 'η': "eta", 'θ': "theta", 'ι': "iota",
	'κ': "kappa", 'λ': "lambda", 'μ': "mu", 'ν': "nu", 'ξ': "xi", 'ο': "omicron", 'π': "pi", 'ρ': "rho", 'σ': "sigma", 'ς': "sigma",
	'τ': "tau", 'υ': "upsilon", 'φ': "phi", 'χ': "chi", 'ψ': "psi", 'ω': "omega",
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'ł': "l", 'ħ': "h", 'ı': "i", 'þ': "th",
}

// words cuts folded text at spaces and between letters and digits: "hpv16" is "hpv", "16".
func words(folded string) []string {
	var out []string
	start, last := -1, 0
	for i, r := range folded {
		kind := 1
		switch {
		case r == ' ':
			kind = 0
		case unicode.IsDigit(r):
			kind = 2
		}
		if start >= 0 && kind != last {
			out = append(out, folded[start:i])
			start = -1
		}
		if start < 0 && kind != 0 {
			start = i
		}
		last = kind
	}
	if start >= 0 {
		out = append(out, folded[start:])
	}
	return out
}

// distance is the Levenshtein distance of two words, or limit+1 where it is above limit.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y)-len(x) > limit || len(y) > 64 {
		return limit + 1
	}
	row := make([]int, len(x)+1)
	for i := range row {
		row[i] = i
	}
	for j, r := range y {
		diagonal := row[0]
		row[0] = j + 1
		for i := range x {
			cost := diagonal
			if x[i] != r {
				cost = 1 + min(diagonal, row[i], row[i+1])
			}
			diagonal, row[i+1] = row[i+1], cost
		}
	}
	return min(row[len(x)], limit+1)
}
