package boolean

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"dossier/internal/text"
)

// translation reads a query in the syntax of Ovid, Embase, Cochrane, Web of Science, Scopus, EBSCO or Europe PMC, which
// have much in common, as a tree. It gives up where two readings are possible, or PubMed has no equal: why says so.
type translation struct {
	input    string
	pos      int
	nesting  int
	why      string
	cautions []string
	bare     int  // how often several words without quotes were read as a phrase
	apart    bool // words side by side are joined by AND (Web of Science) and are no phrase (Ovid)
	embase   bool // NEAR/3 is two words between, as Ovid's adj3 is; elsewhere it is three, or not known
}

// translate gives a query's tree, and what a person should look at in it; why is not empty where there is none.
func translate(input string) (n Node, cautions []string, why string) {
	t := &translation{input: input}
	t.apart = foreign("words apart").MatchString(input)
	t.embase = foreign("from embase").MatchString(input)

	n = t.expression()
	if t.space(); t.why == "" && t.pos < len(t.input) {
		t.fail("its parentheses don't match")
	}
	n = MapTerms(n, func(term Term) Node {
		if term.Near != NoProximity && !term.Field.allowsProximity() {
			term.Field = FieldTitleAbs
		}
		return term
	})
	return n, t.cautions, t.why
}

func (t *translation) fail(why string) Node {
	t.why = cmp.Or(t.why, why)
	return nil
}

func (t *translation) rest() string { return t.input[t.pos:] }

func (t *translation) space() { t.pos = skipSpace(t.input, t.pos) }

// ahead reports whether the text goes on with s, and if so passes it.
func (t *translation) ahead(s string) bool {
	found := strings.HasPrefix(t.rest(), s)
	if found {
		t.pos += len(s)
	}
	return found
}

// expression reads operands up to a closing parenthesis or the end. AND and OR without parentheses have an order of
// their own in each interface, so the two are not read side by side.
func (t *translation) expression() Node {
	of := []Node{t.operand()}
	kind := "" // AND (with NOT) or OR, once the first of them was met

	join := func() Node {
		if kind == "OR" {
			return Any(of...)
		}
		return All(of...)
	}
	for t.why == "" {
		t.space()

		if t.pos == len(t.input) || t.input[t.pos] == ')' {
			return join()
		}

		word := foreign("word").FindString(t.rest())
		if m := foreign("proximity").FindStringSubmatch(word); m != nil {
			t.pos += len(word)
			of[len(of)-1] = t.near(of[len(of)-1], strings.ToLower(m[1]+m[3]+m[5]+m[7]), m[2]+m[4]+m[6], t.operand())
			continue
		}

		operator := "AND"
		switch {
		case isOperator(word):
			operator = strings.ToUpper(word)
			t.pos += len(word)
		case !t.apart:
			return t.fail("terms stand side by side there with no operator between them")
		}

		joins := operator
		if operator == "NOT" {
			joins = "AND"
		}

		if kind != "" && kind != joins {
			return t.fail("AND and OR stand side by side there: say with parentheses what belongs together")
		}
		kind = joins

		next := t.operand()
		if operator == "NOT" {
			of = []Node{Not{Keep: join(), Drop: next}}
			continue
		}
		of = append(of, next)
	}
	return nil
}

// operand reads a term or a group with the field before or behind it.
func (t *translation) operand() Node {
	t.space()

	field, named, bare, colon := FieldAll, false, t.bare, false
	if m := foreign("prefix").FindStringSubmatch(t.rest()); m != nil {
		if m[3] != "" { // what follows the name is a group
			t.pos += len(m[3])
		} else {
			t.pos += len(m[0])
		}
		field, named, colon = names().prefixes[strings.ToUpper(m[1]+m[2]+m[3]+m[4])], true, m[4] != ""
	}

	n := t.primary()
	if t.why != "" {
		return nil
	}

	if n = t.nearSuffix(n); t.why != "" {
		return nil
	}

	suffix, behind, suffixColon := t.fieldSuffix()
	if t.why != "" {
		return nil
	}

	if colon = colon || suffixColon; colon && t.bare > bare {
		return t.fail("words without quotes stand beside a colon there: put the phrase in quotes, or AND between them")
	}

	if behind {
		field = suffix
	}

	if named || behind {
		n = inField(n, field)
	}
	return n
}

// nearSuffix reads how near the words of a term must stand to each other, where that is said behind it.
func (t *translation) nearSuffix(n Node) Node {
	m := foreign("near suffix").FindStringSubmatch(t.rest())
	if m == nil {
		return n
	}
	phrase, ok := n.(Term)

	near, err := strconv.Atoi(m[1])
	if !ok || err != nil || near > maxNear {
		return t.fail("how near the words must stand is not said there")
	}
	t.pos += len(m[0])
	phrase.Near = near
	return phrase
}

// fieldSuffix reads the field behind a term, and whether a colon leads to it.
func (t *translation) fieldSuffix() (field Field, named, colon bool) {
	if m := foreign("emtree suffix").FindStringSubmatch(t.rest()); m != nil {
		t.pos += len(strings.TrimRight(m[0], " )\n\t\r"))
		if !slices.Contains(t.cautions, notEmtree) {
			t.cautions = append(t.cautions, notEmtree)
		}

		headings := map[string]Field{"exp": FieldMeSH, "de": FieldMeSHNoExp, "exp/mj": FieldMeSHMajor}
		if field, named = headings[strings.ToLower(m[1]+m[2])], true; field == FieldAll {
			field = FieldMeSHMajorNoExp
		}
	}

	for _, suffix := range []string{"ovid suffix", "embase suffix"} {
		m := foreign(suffix).FindStringSubmatch(t.rest())
		if m == nil {
			continue
		}
		t.pos += len(strings.TrimRight(m[0], " )\n\t\r"))
		colon = colon || m[0][0] == ':'
		codes := strings.Split(strings.ToLower(m[1]+m[2]), ",")
		slices.Sort(codes)

		var known bool
		if field, known = names().codes[strings.Join(codes, ",")]; !known {
			t.fail("PubMed has no field for " + strings.Join(codes, ","))
			return field, false, false
		}
		named = true
	}
	return field, named, colon
}

// inField puts the terms that have no field into one.
func inField(n Node, field Field) Node {
	return MapTerms(n, func(term Term) Node {
		switch {
		case term.Field != FieldAll || field == FieldAll:
			return term
		case field.isDate():
			if dates, problem := parseDateTerm(field, strings.ReplaceAll(term.Text, "-", ":")); problem == nil {
				return dates
			}
		}
		term.Field = field
		return term
	})
}

// primary reads a group, a heading, a phrase or words.
func (t *translation) primary() Node {
	t.space()

	if t.ahead("(") {
		if t.nesting++; t.nesting > MaxDepth {
			return t.fail("its parentheses are nested too deep")
		}
		n := t.expression()

		t.nesting--
		if t.why == "" && !t.ahead(")") {
			return t.fail("its parentheses don't match")
		}
		return n
	}

	if n := t.heading(); n != nil {
		return n
	}

	for _, quotes := range []string{`""`, "''", "‘’", "“”"} {
		opening, size := utf8.DecodeRuneInString(quotes)
		if strings.HasPrefix(t.rest(), string(opening)) {
			text, _, closed := strings.Cut(t.rest()[size:], quotes[size:])
			if !closed {
				return t.fail("a quote is not closed")
			}
			t.pos += size + len(text) + len(quotes[size:])
			return t.term(text, true)
		}
	}
	return t.words()
}

// heading reads a subject heading; nil where none comes next.
func (t *translation) heading() Node {
	if m := foreign("ovid heading").FindStringSubmatch(t.rest()); m != nil && !foreign("operator within").MatchString(m[3]) {
		t.pos += strings.Index(t.rest(), "/") + 1
		field := map[string]Field{"": FieldMeSHNoExp, "exp": FieldMeSH, "*": FieldMeSHMajorNoExp, "exp*": FieldMeSHMajor}
		return Phrase(m[3], field[strings.ToLower(m[1])+m[2]])
	}

	if m := foreign("cochrane heading").FindStringSubmatch(t.rest()); m != nil {
		t.pos += len(m[0])

		field := FieldMeSH
		if m[1] != "" || strings.HasSuffix(m[0], "only") {
			field = FieldMeSHNoExp
		}
		return Phrase(text.Line(m[2]+m[3]), field)
	}

	if m := foreign("ebsco heading").FindStringSubmatch(t.rest()); m != nil {
		t.pos += len(m[0])
		field := map[string]Field{"H": FieldMeSHNoExp, "H+": FieldMeSH, "M": FieldMeSHMajorNoExp, "M+": FieldMeSHMajor}
		return Phrase(text.Line(m[2]), field[m[1]+m[3]])
	}
	return nil
}

// words reads unquoted words up to an operator, a field or a parenthesis: a phrase, or a term each.
func (t *translation) words() Node {
	var words []string
	for t.space(); t.pos < len(t.input); t.space() {
		word := foreign("word").FindString(t.rest())
		if word == "" || isOperator(word) || len(words) > 0 && foreign("proximity").MatchString(word) {
			break
		}

		end := len(word)
		for at := range word {
			rest := t.rest()[at:]

			suffixed := foreign("ovid suffix").MatchString(rest) || foreign("embase suffix").MatchString(rest) ||
				foreign("emtree suffix").MatchString(rest)
			if at > 0 && suffixed {
				end = at
				break
			}
		}
		words = append(words, word[:end])

		t.pos += end
		if end < len(word) {
			break
		}
	}

	switch {
	case len(words) == 0:
		return t.fail("a term is missing in it")
	case len(words) > 1 && strings.EqualFold(words[0], "exp"):
		return t.fail("its subheadings are PubMed's by their full names")
	}

	if !t.apart {
		if len(words) > 1 {
			t.bare++
		}
		return t.term(strings.Join(words, " "), len(words) > 1)
	}
	all := text.Each(words, func(word string) Node { return t.term(word, false) })
	return All(all...)
}

// term makes a term of words without a field. Truncation is brought into PubMed's form.
func (t *translation) term(written string, quoted bool) Node {
	written = text.Line(written)

	stem := strings.TrimRight(written, "$*")
	if strings.ContainsAny(stem, "$*?#\"[]=") || foreign("operator within").MatchString(stem) {
		return t.fail("PubMed has no wildcard inside a word and none that stands for a number of letters: " +
			"write the words out")
	}

	out := Term{Text: strings.TrimSpace(stem), Quoted: quoted, Truncated: stem != written, Near: NoProximity}
	if len(text.Tokens(stem)) == 0 {
		return t.fail("a term is missing in it")
	}
	return out
}

// maxPairs bounds the terms that two groups near one another become.
const maxPairs = 50

// near writes two operands that stand near one another as PubMed's phrases with proximity, one for each pair.
func (t *translation) near(left Node, operator, number string, right Node) Node {
	if t.why != "" {
		return nil
	}
	n, err := strconv.Atoi(number)

	between := n
	if operator == "adj" || t.embase {
		between = max(0, n-1)
	}

	adjacent := operator == "adj" && (number == "" || n == 1) || operator == "next" && (number == "" || n == 1)
	switch {
	case !adjacent && (operator == "next" || operator == "pre" || operator == "onear"):
		return t.fail("PubMed's proximity knows no order of words")
	case !adjacent && (err != nil || n > maxNear):
		return t.fail("how near the words must stand is not said there")
	}

	lefts, rights := alternatives(left), alternatives(right)
	if len(lefts) == 0 || len(rights) == 0 || len(lefts)*len(rights) > maxPairs {
		return t.fail("PubMed's proximity stands between words only: write each pair of words as a phrase with " +
			"proximity, joined by OR")
	}

	var pairs []Node
	for _, l := range lefts {
		for _, r := range rights {
			if !adjacent && len(text.Tokens(l.Text))+len(text.Tokens(r.Text)) > 2 {
				return t.fail("a phrase stands near a word there, which PubMed's proximity can't say")
			}

			if l.Truncated || r.Truncated && !adjacent {
				return t.fail("PubMed's proximity takes no truncated word: write its forms out")
			}

			pair := Phrase(l.Text+" "+r.Text, FieldAll)
			if pair.Truncated = r.Truncated; !adjacent {
				pair.Near = between
			}
			pairs = append(pairs, pair)
		}
	}
	return Any(pairs...)
}

// alternatives are the terms without a field of which a node wants any; none where it is something else.
func alternatives(n Node) []Term {
	parts := []Node{n}
	if or, ok := n.(Or); ok {
		parts = or.Of
	}

	var out []Term
	for _, part := range parts {
		term, ok := part.(Term)
		if !ok || term.Field != FieldAll || term.Near != NoProximity {
			return nil
		}
		out = append(out, term)
	}
	return out
}
