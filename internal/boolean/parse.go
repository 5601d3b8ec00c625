package boolean

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"dossier/internal/text"
)

// MaxDepth bounds the nesting of parentheses, and of a tree: a change between AND, OR and NOT is a level too.
const MaxDepth = 200

// Parse reads a query in PubMed's syntax; any error is a *SyntaxError. Where PubMed leaves room, these are the rules:
//
//   - AND, OR and NOT have no precedence: they are applied from left to right, parentheses first.
//   - Operators may be in any case, though PubMed itself wants capitals; in quotes they are words. "AND NOT" is NOT.
//   - A lower-case operator between unquoted words of which only the last carry a tag, as in head and neck
//     cancer[tiab], may be meant either way and is an error that asks for quotes or capitals.
//   - Terms side by side are joined by AND. Untagged words in a row belong together like PubMed's own chunks of words:
//     lung OR breast cancer is lung OR (breast AND cancer).
//   - Unquoted words before a tag are one phrase: lung cancer[tiab] is a single term.
//   - Typographic quotes are quotes, and so are single ones around a phrase. A trailing asterisk truncates the last
//     word, also inside quotes; four characters must stand before it, except in names. Other wildcards are errors.
//   - The syntax of Ovid, Embase, Cochrane, Web of Science, Scopus and EBSCO is an error that names the query in
//     PubMed's syntax, where there is one translation.
//   - The years 1000 and 3000 leave their end of a range of dates open.
//
// The input is bounded by MaxLength and MaxDepth.
func Parse(s string) (Node, error) {
	n, err := ParseFullText(s)
	if err != nil {
		return nil, err
	}

	for _, t := range Terms(n) {
		if t.Field.ofBody() {
			return nil, newSyntaxError(s, t.Pos, &complaint{
				fmt.Sprintf("[%s] is a field of full texts, and here titles and abstracts are searched", t.Field),
				"write [tiab], or search the full texts that are kept with `query search --full-text`"})
		}
	}
	return n, nil
}

// ParseFullText is Parse for a search of full texts, which have fields of their own: [body], [methods], [results] and
// [table].
func ParseFullText(s string) (Node, error) {
	n, err := parse(s)
	if err != nil {
		return nil, err
	}
	// Print writes out what the input may have left out, and must itself stay within what Parse takes.
	if len(Print(n)) > MaxLength {
		return nil, newSyntaxError(s, 0, tooLong())
	}
	return n, nil
}

func parse(s string) (Node, *SyntaxError) {
	if err := checkCharacters(s); err != nil {
		return nil, err
	}

	if mark, pos := foreignTo(s); mark != nil {
		why, translation := mark.complaint(s)
		fault := newSyntaxError(s, pos, why)
		fault.Translation = translation
		return nil, fault
	}
	return parseOwn(s)
}

// parseOwn is parse for a query that is known to have nothing of another interface's syntax.
func parseOwn(s string) (Node, *SyntaxError) {
	tokens, err := lex(s)
	if err != nil {
		return nil, err
	}

	p := &parser{input: s, tokens: tokens}
	if p.peek().kind == tokenEnd {
		return nil, p.fail(p.peek(), "the query is empty", "write at least one term, such as melanoma[tiab]")
	}

	got, err := p.expression(0)
	if err != nil {
		return nil, err
	}

	if extra := p.peek(); extra.kind == tokenClose {
		return nil, p.fail(extra, "a closing parenthesis with no opening one", "delete it, or open it where the group begins")
	}
	return got.node, nil
}

type parser struct {
	input  string
	tokens []token
	at     int
}

// operand is a part of a query that an operator may stand beside.
type operand struct {
	node  Node
	depth int
	bare  bool // untagged, unquoted words
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) peekAt(ahead int) token { return p.tokens[min(p.at+ahead, len(p.tokens)-1)] }

func (p *parser) next() token {
	t := p.peek()
	if t.kind != tokenEnd {
		p.at++
	}
	return t
}

func (p *parser) fail(at token, msg, remedy string) *SyntaxError {
	return newSyntaxError(p.input, at.pos, &complaint{msg, remedy})
}

// expression reads operands and operators up to a closing parenthesis or the end, from left to right.
func (p *parser) expression(nesting int) (operand, *SyntaxError) {
	last, err := p.operand(nesting)
	if err != nil {
		return operand{}, err
	}

	sum := newChain(last)
	for {
		at := p.peek()
		if at.kind == tokenEnd || at.kind == tokenClose {
			return sum.operand(), nil
		}

		operator, err := p.operator(last)
		if err != nil {
			return operand{}, err
		}

		if last, err = p.operand(nesting); err != nil {
			return operand{}, err
		}

		if sum.add(operator, last); sum.depth() > MaxDepth {
			return operand{}, p.fail(at, fmt.Sprintf("AND, OR and NOT change here for more than the %dth time", MaxDepth),
				"group the terms with parentheses, one group for each concept")
		}
	}
}

// operator reads the operator after an operand; two terms side by side have an AND between them.
func (p *parser) operator(before operand) (string, *SyntaxError) {
	op := p.peek()
	if op.kind != tokenOperator {
		return "AND", nil
	}
	p.next()

	word, after := op.text, p.peek()
	if after.kind == tokenOperator && op.text == "AND" && after.text == "NOT" {
		p.next()
		word, after = "NOT", p.peek()
	}

	switch {
	case after.kind == tokenOperator:
		return "", p.fail(after, fmt.Sprintf("%s follows %s with no term between them", after.text, op.text),
			"delete one of them, or put it in quotes if it is a word")
	case after.kind == tokenEnd || after.kind == tokenClose:
		return "", p.fail(op, "nothing stands after "+op.text, "write the missing term, or delete "+op.text)
	case op.lower && before.bare && after.kind == tokenWord && p.peekAt(p.wordsAhead()).kind == tokenTag:
		return "", p.fail(op, "this "+strings.ToLower(op.text)+" may be a word of the phrase or an operator",
			"put the phrase in quotes, such as \"head and neck cancer\"[tiab], or write the operator in capitals")
	}
	return word, nil
}

func (p *parser) wordsAhead() int {
	n := 0
	for p.peekAt(n).kind == tokenWord {
		n++
	}
	return n
}

func (p *parser) operand(nesting int) (operand, *SyntaxError) {
	switch t := p.peek(); t.kind {
	case tokenOpen:
		return p.group(nesting)
	case tokenPhrase:
		return p.phrase()
	case tokenWord:
		return p.words()
	case tokenOperator:
		remedy := "write the missing term, delete " + t.text + ", or put it in quotes if it is a word"
		if t.text == "NOT" {
			remedy = "write first what is to be kept, such as melanoma NOT uveal, or put NOT in quotes if it is a word"
		}
		return operand{}, p.fail(t, "nothing stands before "+t.text, remedy)
	case tokenTag:
		return operand{}, p.fail(t, "a field tag with no term before it",
			"write the term first and the tag behind it, such as melanoma[tiab]")
	default:
		return operand{}, p.fail(t, "a term is missing here", "write the missing term")
	}
}

func (p *parser) group(nesting int) (operand, *SyntaxError) {
	open := p.next()
	if nesting == MaxDepth {
		return operand{}, p.fail(open, fmt.Sprintf("parentheses are nested more than %d deep", MaxDepth),
			"leave out the parentheses that group nothing")
	}

	if p.peek().kind == tokenClose {
		return operand{}, p.fail(open, "the parentheses are empty", "write a term between them, or delete them")
	}

	inner, err := p.expression(nesting + 1)
	if err != nil {
		return operand{}, err
	}

	if p.peek().kind != tokenClose {
		return operand{}, p.fail(open, "the parenthesis that opens here is not closed", "close it where the group ends")
	}
	p.next()

	if tag := p.peek(); tag.kind == tokenTag {
		return operand{}, p.fail(tag, "a field tag behind a group",
			"PubMed wants the tag behind each term, such as (asthma[tiab] OR wheeze[tiab])")
	}
	inner.bare = false
	return inner, nil
}

// phrase reads a quoted term with the tag behind it, or a range of dates that begins with one.
func (p *parser) phrase() (operand, *SyntaxError) {
	quoted := p.next()
	if p.startsRange() && dateShape().MatchString(quoted.text) {
		return p.dateRange(quoted, FieldAll)
	}
	return p.term(quoted)
}

// startsRange reports whether the colon of a range of dates comes next.
func (p *parser) startsRange() bool {
	return p.peek().kind == tokenWord && strings.HasPrefix(p.peek().text, ":")
}

// words reads unquoted words: one phrase where a tag follows, else a term each.
func (p *parser) words() (operand, *SyntaxError) {
	run := p.tokens[p.at : p.at+p.wordsAhead()]

	p.at += len(run)
	if p.peek().kind == tokenTag {
		last := run[len(run)-1]
		whole := token{kind: tokenWord, text: text.Line(p.input[run[0].pos:last.end]), pos: run[0].pos, end: last.end}
		return p.term(whole)
	}

	var all []Node
	for _, word := range run {
		if bareRange().MatchString(word.text) {
			return operand{}, p.fail(word, "a range of dates with no field tag", "write the tag behind it, such as "+
				word.text+"[dp]")
		}

		n, err := p.newTerm(word, FieldAll, NoProximity)
		if err != nil {
			return operand{}, err
		}
		all = append(all, n)
	}
	joined := All(all...)
	return operand{node: joined, depth: depth(joined), bare: true}, nil
}

// term finishes a term whose words have been read: its tag, and the second date where it begins a range.
func (p *parser) term(words token) (operand, *SyntaxError) {
	field, near := FieldAll, NoProximity
	if tag := p.peek(); tag.kind == tokenTag {
		p.next()

		var problem *complaint
		if field, near, problem = parseTag(tag.text); problem != nil {
			return operand{}, newSyntaxError(p.input, tag.pos, problem)
		}

		if field.isDate() && p.startsRange() {
			return p.dateRange(words, field)
		}
	}
	n, err := p.newTerm(words, field, near)
	return operand{node: n, depth: 1}, err
}

// dateRange reads the colon, the second date and its tag, as in "2019"[dp] : "2024"[dp]. The first date's field may
// be missing.
func (p *parser) dateRange(from token, field Field) (operand, *SyntaxError) {
	to := p.next()

	to.text = strings.TrimPrefix(to.text, ":")
	if kind := p.peek().kind; to.text == "" && (kind == tokenWord || kind == tokenPhrase) {
		to = p.next()
	}

	tag := p.peek()
	if tag.kind != tokenTag {
		return operand{}, p.fail(to, "the range's second date has no field tag",
			"write both dates with their tag, such as \"2019\"[dp] : \"2024\"[dp], or 2019:2024[dp]")
	}
	p.next()

	second, _, problem := parseTag(tag.text)
	if problem != nil {
		return operand{}, newSyntaxError(p.input, tag.pos, problem)
	}

	if field != FieldAll && field != second || !second.isDate() {
		return operand{}, p.fail(tag, "a range of dates with two different fields", "give both dates the same tag")
	}

	n, problem := newDateRange(second, from.text, to.text)
	if problem != nil {
		return operand{}, newSyntaxError(p.input, from.pos, problem)
	}
	return operand{node: n, depth: 1}, nil
}

// ownFilter are words that PubMed does not look for in a record but takes as a question about it.
var ownFilter = text.LazyRegexp(`(?i)^has(?:(?:structured|nonenglish)?abstract|associated(?:data|publications)|` +
	`comment(?:on|in)|conflictofinterest|(?:partial)?retraction(?:of|in)|erratum(?:for|in)|` +
	`expressionofconcern(?:for|in)|update(?:of|in)|republished(?:from|in)|corrected\w*)$`)

func isOwnFilter(word string) bool {
	return len(word) > 3 && strings.EqualFold(word[:3], "has") && ownFilter().MatchString(word)
}

var onlyDigits = text.LazyRegexp(`^\d{1,9}$`)

// newTerm makes a term, or a range of dates where the field holds dates.
func (p *parser) newTerm(words token, field Field, near int) (Node, *SyntaxError) {
	named, truncated, problem := cutAsterisk(words, field)
	switch {
	case problem != nil:
	case len(text.Tokens(named)) == 0:
		problem = &complaint{"this term holds no letter and no digit", "delete it, or write the word that is meant"}
	case truncated && field.isDate():
		problem = &complaint{"a date with an asterisk", "write a range, such as 2019:2024[dp]"}
	case truncated && near != NoProximity:
		problem = &complaint{"truncation does not work with proximity",
			"write the words out, each variant as a phrase of its own, joined by OR"}
	case words.kind == tokenWord && isOwnFilter(named):
		problem = &complaint{
			quoteForReader(named) + " is a filter of PubMed's own, which the other sources and the store lack", "leave it out"}
	case field == FieldPMID && !onlyDigits().MatchString(named):
		problem = &complaint{quoteForReader(named) + " is no PMID",
			"write one number before the tag, and join several terms by OR"}
	case field.isDate():
		var dates DateRange
		if dates, problem = parseDateTerm(field, named); problem == nil {
			return dates, nil
		}
	}

	if problem != nil {
		return nil, newSyntaxError(p.input, words.pos, problem)
	}

	if len(text.Tokens(named)) == 1 {
		near = NoProximity // one word has no distance to keep
	}
	return Term{Text: named, Field: field, Quoted: words.kind == tokenPhrase, Truncated: truncated, Near: near,
		Pos: words.pos}, nil
}

var (
	// HLA-A*02:01 and CYP2C19*2 are the names of alleles, whose asterisk is punctuation.
	allele = text.LazyRegexp(`((?:^|[\s(-])\p{Lu}[\p{Lu}\d]*)\*(\d)`)
	// An operator is no gene's name: without its asterisk it would be one again where the query is written.
	operatorBeforeAsterisk = text.LazyRegexp(`(?:^|\s)(?:AND|OR|NOT)\*`)
	// The wildcards of other interfaces stand for letters inside or at the end of a word.
	wildcard     = text.LazyRegexp(`\pL[?#]\pL`)
	openWildcard = text.LazyRegexp(`\pL[?#](?:\pL|$)`)
)

// truncates reports whether the last word of text is long enough for an asterisk behind it. Names may be short: PubMed
// truncates them by itself.
func truncates(text string, field Field) bool {
	return field.Matching() == ByName || utf8.RuneCountInString(lastWord(text)) >= minStemRunes
}

// mayHoldAllele reports whether an asterisk inside a term may be an allele's. A DOI names none.
func mayHoldAllele(words token, field Field) bool {
	if field == FieldDOI || startsDOI(words.text) {
		return false
	}
	return words.kind == tokenPhrase || !operatorBeforeAsterisk().MatchString(words.text)
}

// cutAsterisk takes the truncating asterisk off the end of a term.
func cutAsterisk(words token, field Field) (stem string, truncated bool, problem *complaint) {
	text := words.text
	if strings.Contains(text, "*") && mayHoldAllele(words, field) {
		text = allele().ReplaceAllString(text, "$1 $2")
	}
	stem, truncated = strings.CutSuffix(text, "*")

	inside := wildcard
	if words.kind == tokenWord {
		inside = openWildcard // a question in quotes may end in its mark
	}

	switch {
	case strings.Contains(stem, "*"):
		return "", false, &complaint{"an asterisk inside a term",
			"PubMed truncates only at the end of a term's last word, such as immunother*[tiab]; " +
				"write the words out, joined by OR"}
	case field != FieldDOI && inside.MatchAmong("?#", text):
		return "", false, &complaint{"a wildcard inside a word", "PubMed and the store have only * at the end of a word; " +
			"write the spellings out, such as tumor OR tumour, or delete a question's mark"}
	case truncated && (stem == "" || strings.HasSuffix(stem, " ")):
		return "", false, &complaint{"an asterisk with no word before it",
			"write the stem directly before it, such as immunother*[tiab]"}
	case truncated && !truncates(stem, field):
		return "", false, &complaint{quoteForReader(text) + " has too few characters before its asterisk",
			fmt.Sprintf("PubMed truncates words of %d characters or more; write more of it, or its forms joined by OR",
				minStemRunes)}
	}
	return stem, truncated, nil
}
