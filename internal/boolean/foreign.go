package boolean

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/lazy"
	"dossier/internal/text"
)

// foreignMark is a piece of writing that only another search interface has, as it turns up in strategies that are
// pasted in. The pattern is held against the whole query, with phrases in double quotes blanked out; its first group,
// where it has one that matched, is the mark itself.
type foreignMark struct {
	pattern     lazy.Pattern
	msg, remedy string // the remedy where there is no one translation
	numbered    bool   // it stands for other queries, which are not here to be translated
}

const (
	wordBegins    = `(?:^|[\s()\[\]"])` // where a word begins and ends
	wordEnds      = `(?:[\s()\[\]"]|$)`
	tagBehindEach = "write a tag behind each term, such as \"lung cancer\"[tiab]"
	nearAsTag     = "write the words as a phrase with proximity, such as \"breast cancer\"[tiab:~3]"
	linesWritten  = "write each line's query out, in parentheses"
	ovidFields    = `ti|ab|tw|mp|kw|kf|ot|sh|hw|pt|au|fa|jn|jw|la|lg|nm|rn|af|fs|yr|dp|ed|dt|in|px|fx`
	colonFields   = `title_abs|title|abstract|mesh|auth|author|journal|kw|keyword|lang`
	scopusFields  = `TITLE-ABS-KEY|TITLE-ABS|TITLE|ABS|KEY|AUTH|SRCTITLE|DOCTYPE|LIMIT-TO|INDEXTERMS`
	embaseFields  = `ti|ab|kw|tn|de|lnk|au|dn|jt|ta|la|it|py|rn|cl`
)

// foreignSyntax is what tells a query of another interface. What stands first is looked for first.
var foreignSyntax = []foreignMark{
	{lazy.Regexp(`(?m)^\s*#?\d{1,3}[.):]?\s+\S.*\n\s*#?\d{1,3}[.):]?\s+\S`),
		"a numbered search history cannot be asked here", linesWritten, true},
	{lazy.Regexp(`^[\s(]*(?:#\d+|[sSlL]?\d{1,3})(?:[\s)]+(?i:and|or|not)[\s(]+(?:#\d+|[sSlL]?\d{1,3}))+[\s)]*$`),
		"lines of a search history cannot be combined here", linesWritten, true},
	{lazy.Regexp(`(?i)^\s*#\d+\s*$|(?:^|[\s(])(#\d+)[\s)]+(?:and|or|not)\b|\b(?:and|or|not)[\s(]+(#\d+)(?:[\s)]|$)`),
		"a line of the search history cannot be asked here", linesWritten, true},
	{lazy.Regexp(`(?i)` + wordBegins + `((?:and|or)/\d+(?:[-,]\d+)*)` + wordEnds),
		"this is Ovid syntax for combining lines", linesWritten + ", joined by AND or OR", true},
	{lazy.Regexp(`(?i)^\s*(limit\s+#?\d+\s+to)\s`), "limits of a line are Ovid syntax",
		"write the limit as a term, such as english[la] or 2019:2024[dp], behind the line's query", true},
	{lazy.Regexp(`(?i)` + wordBegins + `(adj\d+)` + wordEnds), "adj is Ovid syntax", nearAsTag, false},
	{lazy.Regexp(`(?i)[\pL\pN*$?)"'] (adj) [\pL\pN("']`), "adj is Ovid syntax", nearAsTag, false},
	{lazy.Regexp(`(?i)` + wordBegins + `((?:near|next|pre|onear)/\d+)` + wordEnds),
		"this is Embase, Cochrane or Web of Science syntax for proximity", nearAsTag, false},
	{lazy.Regexp(`[\s)](W/\d+|NEAR)[\s(]`), "this is another database's syntax for proximity", nearAsTag, false},
	{lazy.Regexp(`(?i)[\pL\pN)"'*$?](\.(?:` + ovidFields + `)(?:,(?:` + ovidFields + `))*\.)` + wordEnds),
		"field names between full stops are Ovid syntax", tagBehindEach + "; Ovid's .mp. is [tw]", false},
	{lazy.Regexp(`(?i)[\pL\pN)"'*$?’](:(?:` + embaseFields + `)(?:,[a-z]{2,3})*)` + wordEnds),
		"field names behind a colon are Embase or Cochrane syntax", tagBehindEach, false},
	{lazy.Regexp(`(?i)(?:["'’](/(?:exp|de|mj)(?:/mj)?)|[\pL)](/exp(?:/mj)?|/mj))` + wordEnds),
		"this is Embase syntax for a subject heading",
		"write the MeSH heading, such as \"Lung Neoplasms\"[mh]; " + notEmtree, false},
	{lazy.Regexp(`(?i)\]/(?:lim|py)\b`), "limits behind a slash are Embase syntax",
		"write the limit as a term, such as english[la] or 2019:2024[dp]", false},
	{lazy.Regexp(`(?i)` + wordBegins + `(exp\s+\*?\pL[^/()"]*/)(?:[a-z]{2}\b|` + wordEnds + `)`),
		"a heading with exp is Ovid syntax", headingOfOvid, false},
	{lazy.Regexp(wordBegins + `(\*\pL[^/()"]*/)(?:[a-z]{2}\b|` + wordEnds + `)`),
		"a heading with an asterisk before it is Ovid syntax", headingOfOvid, false},
	{lazy.Regexp(wordBegins + `(\pL[\pL\pN, -]*\pL\pL/)(?:[\s)]*$|[\s)]+(?i:and|or|not)\s)`),
		"a heading that ends in a slash is Ovid syntax", headingOfOvid, false},
	{lazy.Regexp(`\pL(\$\d*)(?:[\s()".:\[\]]|$)`),
		"$ for truncation is Ovid syntax", "write an asterisk, such as immunother*[tiab]", false},
	{lazy.Regexp(`\[mh\s|(?i)mesh descriptor:`),
		"this is Cochrane syntax for a heading", "write \"Lung Neoplasms\"[mh]", false},
	{lazy.Regexp(wordBegins + `(M[HM] "[^"]*")`), "MH and MM before a heading are EBSCO syntax",
		"write \"Lung Neoplasms\"[mh], or [majr] for MM", false},
	{lazy.Regexp(wordBegins + `((?:TS|TI|AB|AK|ALL|AU|SO|PY|DT|LA|AD)\s?=)\s*[(\pL\pN"']`),
		"field names before an equals sign are Web of Science syntax", tagBehindEach, false},
	{lazy.Regexp(wordBegins + `((?:` + scopusFields + `)\(|PUBYEAR\s)`),
		"this is another database's syntax (Scopus)", tagBehindEach, false},
	{lazy.Regexp(`(?i)(?:^|[\s(])((?:` + colonFields + `):)[^\s~]`),
		"field names before a colon are the syntax of Europe PMC and others", tagBehindEach, false},
	{lazy.Regexp(`AREA\[`), "this is the syntax of ClinicalTrials.gov", tagBehindEach, false},
	{lazy.Regexp(`"(~\d+)` + wordEnds),
		"a number of words behind ~ is the syntax of Lucene and its kin", nearAsTag, false},
}

const (
	notEmtree     = "Emtree's headings are not MeSH's, so look up what MeSH calls it"
	headingOfOvid = "write \"Neoplasms\"[mh], or [mh:noexp] where Ovid's had no exp, or [majr] where it had an " +
		"asterisk, or \"Neoplasms/drug therapy\"[mh] with a subheading"
)

// foreignTo finds the syntax of another interface in a query, and where it begins; nil where there is none.
func foreignTo(input string) (mark *foreignMark, pos int) {
	if !strings.ContainsAny(input, "/$#:=.*~") && !mayBeForeign().MatchString(input) {
		return nil, 0 // nearly every term that is printed or read
	}
	text := quotedPhrase().ReplaceAllStringFunc(plainSigns(input), func(phrase string) string {
		return `"` + strings.Repeat("x", len(phrase)-2) + `"`
	})
	for i := range foreignSyntax {
		mark := &foreignSyntax[i]
		at := mark.pattern().FindStringSubmatchIndex(text)
		if at != nil && (mark.remedy != headingOfOvid || !innerOperator().MatchString(text[at[0]:at[1]])) {
			return mark, markStart(at)
		}
	}
	return nil, 0
}

// plainSigns has a query's white space, quotes and words as the patterns know them: what the parser takes for a space,
// a quote or nothing is one. Every sign keeps its length in bytes but those that are nothing.
func plainSigns(input string) string {
	if text.IsASCII(input) {
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

// readElsewhere are the words that make a query another interface's where they stand alone between others: Print
// writes them with a tag.
var readElsewhere = lazy.Regexp(`(?i)^(?:#\d+|[sl]?\d{1,3}|adj\d*|near|exp|limit)$`)

var (
	mayBeForeign = lazy.Regexp(`(?i)\badj|\bnear\b|\bnext\b|TITLE|ABS\(|AUTH\(|KEY\(|LIMIT` +
		`|PUBYEAR|DOCTYPE|M[HM] "|^[\s(]*[sl]?\d|\[mh |mesh desc`)
	// ovidDisplay is what Ovid writes behind .mp. when it shows a search.
	ovidDisplay  = lazy.Regexp(`\[mp=[^\[\]]*\]`)
	quotedPhrase = lazy.Regexp(`"[^"]*"`)
)

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
func (m *foreignMark) complaint(input string) *complaint {
	if m.numbered {
		return &complaint{m.msg, m.remedy}
	}
	node, cautions, why := translate(ovidDisplay().ReplaceAllString(input, ""))
	if why != "" {
		return &complaint{m.msg, m.remedy + "; " + why}
	}
	text := Print(node)
	left, _ := foreignTo(text)
	if again, err := parseOwn(text); left != nil || err != nil || !Equal(again, node) || len(text) > maxTranslated {
		return &complaint{m.msg, m.remedy}
	}
	return &complaint{m.msg, strings.Join(append([]string{"in PubMed's syntax it is " + text}, cautions...), "; ")}
}
