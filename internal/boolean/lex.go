package boolean

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/text"
)

// tokenKind says what a piece of a query is.
type tokenKind int

const (
	tokenEnd tokenKind = iota
	tokenOpen
	tokenClose
	tokenOperator // AND, OR, NOT in any case; text is in capitals
	tokenWord
	tokenPhrase // what stood in quotes
	tokenTag    // what stood in brackets
)

type token struct {
	kind  tokenKind
	text  string
	pos   int
	end   int
	lower bool // an operator that is not in capitals
}

// quoteMarks are taken as quotes, whichever of them opens or closes a phrase: word processors and other languages'
// keyboards put them in a librarian's strategy.
const quoteMarks = "\"“”„‟«»＂"

// MaxLength bounds a query, in bytes: as it is read, and as Print writes it.
const MaxLength = 64 << 10

// lex cuts a query whose characters were checked into tokens, of which the last is tokenEnd.
func lex(input string) ([]token, *SyntaxError) {
	var out []token
	for pos := 0; ; {
		pos = skipSpace(input, pos)
		if pos == len(input) {
			return append(out, token{kind: tokenEnd, pos: pos, end: pos}), nil
		}

		next, err := lexOne(input, pos)
		if err != nil {
			return nil, err
		}
		out = append(out, next)
		pos = next.end
	}
}

func checkCharacters(input string) *SyntaxError {
	if len(input) > MaxLength {
		return newSyntaxError(input, MaxLength, tooLong())
	}

	for pos, r := range input {
		if invalidAt(input, pos, r) {
			return newSyntaxError(input, pos, &complaint{"the query is not valid UTF-8 here",
				"save it as UTF-8, or type this character again"})
		}

		if unicode.Is(unicode.Cc, r) && !unicode.IsSpace(r) {
			return newSyntaxError(input, pos, &complaint{fmt.Sprintf("control character U+%04X", r), "delete it"})
		}
	}
	return nil
}

func tooLong() *complaint {
	return &complaint{fmt.Sprintf("the query has more than %d bytes", MaxLength),
		"shorten it, or split it into several topics"}
}

// invalidAt tells a broken byte from a replacement character that somebody wrote.
func invalidAt(input string, pos int, r rune) bool {
	if r != utf8.RuneError {
		return false
	}
	_, size := utf8.DecodeRuneInString(input[pos:])
	return size <= 1
}

func skipSpace(input string, pos int) int {
	rest := strings.TrimLeftFunc(input[pos:], func(r rune) bool { return unicode.IsSpace(r) || text.Invisible(r) })
	return len(input) - len(rest)
}

func lexOne(input string, pos int) (token, *SyntaxError) {
	r, size := utf8.DecodeRuneInString(input[pos:])
	switch {
	case r == '(':
		return token{kind: tokenOpen, pos: pos, end: pos + size}, nil
	case r == ')':
		return token{kind: tokenClose, pos: pos, end: pos + size}, nil
	case r == '[':
		return lexTag(input, pos)
	case r == ']':
		return token{}, newSyntaxError(input, pos, &complaint{"a closing bracket with no opening one",
			"delete it, or write the tag as [tiab]"})
	case strings.ContainsRune(quoteMarks, r):
		return lexPhrase(input, pos, size)
	}

	if quoted := inSingleQuotes(input[pos:]); quoted != nil {
		return token{kind: tokenPhrase, text: text.Line(quoted[1]), pos: pos, end: pos + len(quoted[1]+quoted[2]) + size}, nil
	}
	return lexWord(input, pos), nil
}

// singleQuoted is a phrase in single quotes, as other interfaces write them: opened before a word and closed behind
// one, so that the apostrophes of Crohn's disease, 5' ends and 't Hart are none.
var singleQuoted = text.LazyRegexp(
	`^['‘‚]([\pL\pN](?:(?:[^'‘’"“”\[\]()]|['’][\pL\pN])*[\pL\pN+*.-])?)(['’‘])(?:[\s()\[]|$)`)

// inSingleQuotes gives the phrase in single quotes that input begins with, and the closing quote, as the second and
// third of what it returns; nil where there is none.
func inSingleQuotes(input string) []string {
	if r, _ := utf8.DecodeRuneInString(input); !strings.ContainsRune("'‘‚", r) {
		return nil
	}
	return singleQuoted().FindStringSubmatch(input)
}

func lexTag(input string, pos int) (token, *SyntaxError) {
	body := input[pos+1:]

	end := strings.IndexAny(body, "[]()")
	if end < 0 || body[end] != ']' {
		return token{}, newSyntaxError(input, pos, &complaint{"the bracket that opens here is not closed",
			"close the field tag, as in [tiab]"})
	}
	return token{kind: tokenTag, text: body[:end], pos: pos, end: pos + 1 + end + 1}, nil
}

func lexPhrase(input string, pos, size int) (token, *SyntaxError) {
	body := input[pos+size:]

	end := strings.IndexAny(body, quoteMarks)
	if end < 0 || holdsTag(body[:end]) {
		return token{}, newSyntaxError(input, pos, &complaint{"the quote that opens here is not closed",
			"close the phrase with a second quote before its field tag"})
	}
	_, closing := utf8.DecodeRuneInString(body[end:])
	return token{kind: tokenPhrase, text: text.Line(body[:end]), pos: pos, end: pos + size + end + closing}, nil
}

var bracketed = text.LazyRegexp(`\[([^\[\]]*)\]`)

// holdsTag finds a field tag inside what would be a phrase: then the closing quote is missing, and the next phrase's
// opening one was taken for it. A chemical name such as "benzo[a]pyrene" holds no tag.
func holdsTag(s string) bool {
	if !strings.Contains(s, "[") {
		return false
	}
	return slices.ContainsFunc(bracketed().FindAllStringSubmatch(s, -1), func(m []string) bool { return isTag(m[1]) })
}

// doiStart finds the DOIs that stand without quotes; they may hold parentheses and brackets of their own.
var doiStart = text.LazyRegexp(`^10\.\d{4,9}(?:\.\d+)*/`)

func startsDOI(s string) bool { return strings.HasPrefix(s, "10.") && doiStart().MatchString(s) }

func lexWord(input string, pos int) token {
	rest := input[pos:]

	end := len(rest)
	if startsDOI(rest) {
		end = doiEnd(rest)
	} else if i := strings.IndexFunc(rest, endsWord); i >= 0 {
		end = i
	}
	word := text.Line(rest[:end])

	out := token{kind: tokenWord, text: word, pos: pos, end: pos + end}
	switch upper := strings.ToUpper(word); upper {
	case "AND", "OR", "NOT":
		out.kind, out.text, out.lower = tokenOperator, upper, word != upper
	}
	return out
}

func endsWord(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("()[]", r) || strings.ContainsRune(quoteMarks, r)
}

// doiEnd is where a bare DOI ends: at white space, a quote, a tag, or a parenthesis that it did not open.
func doiEnd(s string) int {
	open := 0
	for i, r := range s {
		switch {
		case r == '(':
			open++
		case r == ')' && open > 0:
			open--
		case endsWord(r):
			return i
		}
	}
	return len(s)
}
