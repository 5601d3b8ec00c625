package boolean

import (
	"slices"
	"strings"
	"unicode/utf8"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Reading is how a text that a person typed into a search was taken.
type Reading struct {
	Node  Node     // the boolean query; nil where the text is plain words
	Notes []string // sentences on what was taken otherwise than it may have been meant
	// Guessed reports whether small and, or were read as operators, and may as well be words. A small not excludes.
	Guessed bool
}

// Read takes a text that a person typed into a search as a boolean query or as plain words.
//
// It is a query where it has AND, OR or NOT in capitals, a phrase in quotes, a truncated word or another wildcard, a
// field tag, or another interface's syntax; or where small and, or and not stand between words that all tell something,
// as in melanoma not uveal. In a sentence, which has articles and prepositions too, they are words. Quotes in a
// question (What are "driver" mutations?) are no more than quotes. A DOI or a PMID with its label, or an address that
// holds one, is looked for as such. A text that is meant as a query may still be no valid one; the
// *SyntaxError says why, and what to write.
func Read(input string) (Reading, error) { return read(input, Parse) }

// ReadFullText is Read for a search of full texts. A term without a tag, and one of [tw], is looked for in the body
// too.
func ReadFullText(input string) (Reading, error) {
	reading, err := read(input, ParseFullText)
	if reading.Node != nil {
		reading.Node = inBody(reading.Node)
	}
	return reading, err
}

func inBody(n Node) Node {
	each := func(of []Node) []Node { return text.Each(of, inBody) }
	switch n := n.(type) {
	case Term:
		if n.Field == FieldAll || n.Field == FieldTextWord {
			body := n
			body.Field = FieldBody
			return Any(n, body)
		}
	case And:
		return And{Of: each(n.Of)}
	case Or:
		return Or{Of: each(n.Of)}
	case Not:
		return Not{Keep: inBody(n.Keep), Drop: inBody(n.Drop)}
	}
	return n
}

func read(input string, parse func(string) (Node, error)) (Reading, error) {
	if term, ok := identifierTerm(input); ok {
		return Reading{Node: term}, nil
	}

	asExpression := !isBoolean(input) && isExpression(input)
	if !asExpression && !isBoolean(input) {
		return Reading{Notes: plainNotes(input)}, nil
	}

	node, err := parse(input)
	if err != nil {
		return Reading{}, err
	}

	var notes notes
	if asExpression {
		notes.add("small and, or, not between words were read as operators: %s; leave them out for a search that "+
			"ranks by any of the words", forReader(Print(node)))
	}

	for _, term := range Terms(node) {
		if field := term.Field.Matching(); field == ByWords && signed.MatchAmong("+−-", term.Text) {
			notes.add("the signs + and - are not looked for: %s finds the words %s, whatever sign stands there",
				quoteForReader(term.Text), quoteForReader(strings.Join(text.Tokens(term.Text), " ")))
		}
	}
	guessed := asExpression && !slices.ContainsFunc(strings.Fields(input), func(w string) bool {
		return strings.EqualFold(w, "not")
	})
	return Reading{Node: node, Notes: notes, Guessed: guessed}, nil
}

// identifierTerm reads a text that is nothing but a DOI, or a PMID that says that it is one.
func identifierTerm(text string) (Term, bool) {
	id, err := evidence.ParseIdentifier(text)
	switch {
	case err != nil || !identifierAlone().MatchString(text) || holdsTag(text):
		return Term{}, false
	case id.Kind == evidence.DOI:
		return Phrase(id.Value, FieldDOI), true
	case id.Kind == evidence.PMID:
		return Phrase(id.Value, FieldPMID), true
	}
	return Term{}, false
}

// identifierAlone is one word that is no mere number, with or without a label before it.
var identifierAlone = text.LazyRegexp(`(?i)^\s*(?:(?:pmid|doi)\s*:?\s*)?\S*[^\d\s]\S*\s*$|^\s*pmid\s*:?\s*\d+\s*$`)

var (
	// An operator counts behind a term, and in front of one where the text begins with it.
	operatorRE = text.LazyRegexp(`(?:\S\s|[)\]"”])\s*(?:AND|OR|NOT)(?:[\s("“„]|$)|^\s*(?:AND|OR|NOT)[\s(]+\S`)
	// A quote opens before a word and closes later, or is forgotten; the inch of a 5" tube does neither.
	quotedRE = text.LazyRegexp(`(?:^|[\s(])(?:"[^"]*\pL[^"]*"|[“„][^“”„]*\pL[^“”„]*[“”]|["“„][\pL\pN])`)
	// An asterisk behind a word truncates it, and other signs stand for letters; that of HLA-A*02 is part of a name.
	wildcardRE = text.LazyRegexp(`[\pL\pN]\*(?:[\s()\[\]"”'’]|$)|\pL\*\pL|\pL[?#]\pL|(?:^|[\s(])\*\pL`)
	// What stands in brackets right behind a term, closed or forgotten to be.
	tagRE  = text.LazyRegexp(`(\S|\s)\[([^\[\]]*)(?:\](.?)|$)`)
	signed = text.LazyRegexp(`[\pL\pN][+−-](?:[\s/,;)]|$)`)
)

func isBoolean(text string) bool {
	if holdsOperator(text) || wildcardRE.MatchAmong("*?#", text) || holdsTagBehindTerm(text) {
		return true
	}

	if mark, _ := foreignTo(text); mark != nil {
		return true
	}
	return slices.ContainsFunc(strings.Fields(text), isOwnFilter) ||
		!strings.Contains(text, "?") && (quotedRE.MatchAmong("\"“„", text) || holdsSingleQuoted(text))
}

func holdsOperator(text string) bool {
	return (strings.Contains(text, "AND") || strings.Contains(text, "OR") || strings.Contains(text, "NOT")) &&
		operatorRE().MatchString(text)
}

// holdsTagBehindTerm finds a field tag, known or not, right behind a term; with a space before it, only a known one:
// "[18F]FDG" and "[Article in German]" are none, and neither are the brackets of benzo[a]pyrene.
func holdsTagBehindTerm(input string) bool {
	if !strings.Contains(input, "[") {
		return false
	}

	for _, m := range tagRE().FindAllStringSubmatch(input, -1) {
		behindTerm := strings.TrimSpace(m[1]) != "" && m[1] != "("
		next, _ := utf8.DecodeRuneInString(m[3])

		withinWord := m[3] == "-" || text.IsWordRune(next)
		if isTag(m[2]) && m[3] != "-" || behindTerm && m[2] != "" && !withinWord {
			return true
		}
	}
	return false
}

func holdsSingleQuoted(text string) bool {
	for i := range text {
		if (i == 0 || strings.ContainsRune(" \t\n(", rune(text[i-1]))) && inSingleQuotes(text[i:]) != nil {
			return true
		}
	}
	return false
}

// isExpression reports whether small operators stand between words and groups of words that all tell something.
func isExpression(text string) bool {
	words := strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(text))

	operators := 0
	for i, word := range words {
		switch {
		case isOperator(word):
			if i == 0 || i == len(words)-1 {
				return false
			}
			operators++
		case IsStopWord(strings.ToLower(word)) || strings.ContainsAny(word, "?!,;:&|") || strings.HasSuffix(word, "."):
			return false
		}
	}
	return operators > 0
}

var (
	plainNot  = text.LazyRegexp(`(?i)\S\s+(not)\s+\S`)
	plainSign = text.LazyRegexp(`(?:^|\s)(&&?|\|\|?|\+|[-−+]\pL[\pL\pN]*)(?:\s|$)`)
)

// plainNotes says what in plain words was no more than a word or nothing, where a person may have meant an operator.
func plainNotes(text string) []string {
	if strings.Contains(text, "?") {
		return nil
	}

	var notes notes
	if strings.Contains(strings.ToLower(text), "not") && plainNot().MatchString(text) {
		notes.add("‘not’ is a plain word here and excludes nothing; write NOT for an operator")
	}

	if !strings.ContainsAny(text, "&|+-−") {
		return notes
	}

	if m := plainSign().FindStringSubmatch(text); m != nil {
		notes.add("%s is no operator here, and any of the words counts; write AND, OR, NOT", quoteForReader(m[1]))
	}
	return notes
}

// stopWords are the words that tell nothing about what a text is about: articles, pronouns, prepositions, auxiliary
// verbs and the words that questions begin with.
var stopWords = text.Set(`
	a about after also although an and any are as at be because been before being between both but by can cannot
	could did do does doing done due during each either for from had has have having he how however i if in into
	is it its itself may me might more most must my neither no nor not of off on once one only onto or other our out over
	own per rather she should since so some such than that the their them then there therefore these they this those
	through thus to too under until up upon us very via was we were what when where whether which while who whom whose
	why will with within without would yet you your`)

// IsStopWord reports whether a word in small letters tells nothing about what a text is about.
func IsStopWord(word string) bool { return stopWords(word) }
