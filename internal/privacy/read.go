package privacy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"dossier/internal/text"
)

// reading is a text in the one spelling that the tables have: small letters without accents, figures, spaces,
// dashes and quotes of ASCII.
type reading struct {
	text   string
	folded string
	from   []int // of each byte of folded, where in text the character begins that it comes of
	to     []int // and where that ends
	tokens []token
	known  func(string) bool
	shouts bool // the text has no small letters, so that capitals tell nothing
	hits   []hit
}

// token is a run of letters and figures of the folded text.
type token struct {
	start, end int
	key        string
	raw        string // as it is written
	capital    bool   // it begins with a capital
	allCaps    bool   // it is written in capitals and has two letters at least
	digits     int
	letters    int
}

func (t *token) isWord() bool { return t.digits == 0 }

// read folds a text and cuts it into tokens.
func read(s string, known func(string) bool) *reading {
	r := &reading{text: s, known: known, shouts: s == strings.ToUpper(s)}
	out := make([]byte, 0, len(s))
	var it norm.Iter
	it.InitString(norm.NFKD, s)

	for !it.Done() {
		start := it.Pos()
		segment := it.Next()

		end := it.Pos()
		for len(segment) > 0 {
			c, size := utf8.DecodeRune(segment)
			segment = segment[size:]
			before := len(out)

			out = appendFolded(out, c)
			for range len(out) - before {
				r.from, r.to = append(r.from, start), append(r.to, end)
			}
		}
	}
	r.folded = string(out)
	r.cut()
	return r
}

// appendFolded writes a decomposed character as the tables have it: figures, spaces, dashes and quotes of all kinds as
// ASCII has them, the rest as text.Fold has it.
func appendFolded(out []byte, c rune) []byte {
	switch {
	case c < utf8.RuneSelf:
	case unicode.IsSpace(c):
		return append(out, ' ')
	case unicode.Is(unicode.Pd, c), c == '−':
		return append(out, '-')
	case unicode.In(c, unicode.Pi, unicode.Pf):
		return append(out, '\'')
	case unicode.IsDigit(c):
		digit := 0 // a script has its ten in a row
		for digit < 9 && unicode.IsDigit(c-rune(digit)-1) {
			digit++
		}
		return append(out, byte('0'+digit))
	}
	return text.AppendFolded(out, c)
}

// cut finds the tokens.
func (r *reading) cut() {
	start := -1

	flush := func(end int) {
		if start >= 0 {
			r.tokens = append(r.tokens, r.token(start, end))
			start = -1
		}
	}
	for i, c := range r.folded {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			flush(i)
		} else if start < 0 {
			start = i
		}
	}
	flush(len(r.folded))
}

func (r *reading) token(start, end int) token {
	t := token{start: start, end: end, key: r.folded[start:end], raw: r.text[r.from[start]:r.to[end-1]]}
	for _, c := range t.key {
		if unicode.IsDigit(c) {
			t.digits++
		} else {
			t.letters++
		}
	}
	first, _ := utf8.DecodeRuneInString(t.raw)
	t.capital = unicode.IsUpper(first)
	t.allCaps = t.capital && t.letters > 1 && t.raw == strings.ToUpper(t.raw)
	return t
}

func isWordByte(b byte) bool {
	return b >= utf8.RuneSelf || 'a' <= b && b <= 'z' || '0' <= b && b <= '9'
}

// gap is what stands between a token and the one before it; for the first, what stands before it.
func (r *reading) gap(i int) string {
	if i == 0 {
		return r.folded[:r.tokens[0].start]
	}
	return r.folded[r.tokens[i-1].end:r.tokens[i].start]
}

// longestPhrase is the most words that a phrase of the tables has.
const longestPhrase = 5

// phrase finds the longest phrase that begins with token i, and the token behind it. Between its words may stand a
// space, a full stop, a hyphen, a slash, an apostrophe or the sign of a degree: "pat.-nr.", "n° dossier",
// "sig.ra".
func phrase[V any](r *reading, table map[string]V, i int) (value V, next int, ok bool) {
	key := ""
	for n := i; n < len(r.tokens) && n-i < longestPhrase; n++ {
		if n > i {
			if strings.Trim(r.gap(n), " .-/'°") != "" || len(r.gap(n)) > 3 {
				break
			}
			key += " "
		}

		key += r.tokens[n].key
		if v, found := table[key]; found {
			value, next, ok = v, n+1, true
		}
	}
	return value, next, ok
}
