package boolean

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"dossier/internal/text"
)

//go:embed foreign.txt
var foreignForms string

// foreign gives an expression of foreignForms by its name.
var foreign = text.Forms(foreignForms)

//go:embed foreign.tsv
var foreignTable string

// foreignMark is a row of foreignTable: a piece of writing that only another search interface has. Its form is held
// against the whole query, with phrases in double quotes blanked out.
type foreignMark struct {
	form, msg, remedy string
	numbered          bool // it stands for other queries
}

// foreignMarks reads the table when it is first asked for.
var foreignMarks = sync.OnceValue(func() (marks []foreignMark) {
	for cells := range text.Rows(foreignTable) {
		form, numbered := strings.CutPrefix(cells[0], "*")
		marks = append(marks, foreignMark{form: form, msg: cells[1], remedy: cells[2], numbered: numbered})
	}
	return marks
})

const notEmtree = "Emtree's headings are not MeSH's, so look up what MeSH calls it"

// foreignTo finds the syntax of another interface in a query, and where it begins; nil where there is none.
func foreignTo(input string) (mark *foreignMark, pos int) {
	if !strings.ContainsAny(input, "/$#:=.*~") && !foreign("may be foreign").MatchString(input) {
		return nil, 0 // nearly every term that is printed or read
	}

	text := foreign("quoted phrase").ReplaceAllStringFunc(plainSigns(input), func(phrase string) string {
		return `"` + strings.Repeat("x", len(phrase)-2) + `"`
	})
	for _, mark := range foreignMarks() {
		at := foreign(mark.form).FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}

		isHeading := strings.HasSuffix(mark.form, " heading")
		if !isHeading || !foreign("operator within").MatchString(text[at[0]:at[1]]) {
			return &mark, markStart(at)
		}
	}
	return nil, 0
}

// plainSigns has a query's white space, quotes and words as the patterns know them: what the parser takes for a space,
// a quote or nothing is one. Every sign keeps its length in bytes but those that are nothing.
func plainSigns(input string) string {
	if text.IsASCII(input) && !strings.Contains(input, "\v") { // which is no white space of an expression
		return input
	}

	var out strings.Builder
	for _, r := range input {
		size := utf8.RuneLen(r)
		switch {
		case text.Invisible(r):
		case unicode.IsSpace(r):
			out.WriteString(strings.Repeat(" ", size))
		case strings.ContainsRune(quoteMarks, r):
			out.WriteString(`"` + strings.Repeat(" ", size-1))
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// markStart is where the first group that matched begins, or else the match.
func markStart(at []int) int {
	for i := 2; i < len(at); i += 2 {
		if at[i] >= 0 {
			return at[i]
		}
	}
	return at[0]
}

// maxTranslated bounds the translation that a message shows, in bytes.
const maxTranslated = 2000

// complaint refuses a query with the mark, and names it in PubMed's syntax where there is one translation.
func (m *foreignMark) complaint(input string) (why *complaint, of *Translation) {
	if m.numbered {
		return &complaint{m.msg, m.remedy}, nil
	}

	node, cautions, hindrance := translate(foreign("ovid display").ReplaceAllString(input, ""))
	if hindrance != "" {
		return &complaint{m.msg, m.remedy + "; " + hindrance}, nil
	}
	text := Print(node)

	left, _ := foreignTo(text)
	if again, err := parseOwn(text); left != nil || err != nil || !Equal(again, node) || len(text) > maxTranslated {
		return &complaint{m.msg, m.remedy}, nil
	}
	told := strings.Join(append([]string{"in PubMed's syntax it is " + text}, cautions...), "; ")
	return &complaint{m.msg, told}, &Translation{text, cautions}
}
