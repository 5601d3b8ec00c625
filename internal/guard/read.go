package guard

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"dossier/internal/text"
)

// reading is a text in the spelling of the tables: small letters without accents, figures, spaces, dashes and quotes of
// ASCII.
type reading struct {
	text        string
	folded      string
	from        []int // for each byte of folded, where in text its character begins
	to          []int // and where it ends
	tokens      []token
	known       func(string) bool
	allCapitals bool // the text has no small letters, so that capitals mean nothing
	hits        []hit
}

// token is a run of letters and figures in the folded text.
type token struct {
	start, end int
	key        string
	raw        string // as it is written
	capital    bool   // it begins with a capital
	allCaps    bool   // it has two letters or more, all capitals
	digits     int
	letters    int
}

func (t *token) isWord() bool { return t.digits == 0 }

// read folds a text and splits it into tokens.
func read(s string, known func(string) bool) *reading {
	r := &reading{text: s, known: known, allCapitals: s == strings.ToUpper(s)}
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

// appendFolded appends a decomposed character in the spelling of the tables: figures, spaces, dashes and quotes of all
// kinds in ASCII, the rest as text.Fold does.
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
		digit := 0 // the ten digits of a script are consecutive
		for digit < 9 && unicode.IsDigit(c-rune(digit)-1) {
			digit++
		}
		return append(out, byte('0'+digit))
	}
	return text.AppendFolded(out, c)
}

// cut sets the tokens.
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

// gap is the text between a token and the one before it, or before the first token.
func (r *reading) gap(i int) string {
	if i == 0 {
		return r.folded[:r.tokens[0].start]
	}
	return r.folded[r.tokens[i-1].end:r.tokens[i].start]
}

// maxPhraseWords is the most words in a phrase of the tables.
const maxPhraseWords = 5

// phrase finds the longest phrase that begins with token i, and the token behind it. Its words may be separated by a
// space, a full stop, a hyphen, a slash, an apostrophe or the degree sign: "pat.-nr.", "n° dossier", "sig.ra".
func phrase[V any](r *reading, table map[string]V, i int) (value V, next int, ok bool) {
	key := ""
	for n := i; n < len(r.tokens) && n-i < maxPhraseWords; n++ {
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
