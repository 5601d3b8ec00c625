package boolean

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"

	"dossier/internal/text"
)

// Print writes n in PubMed's syntax: operators in capitals, a pair of parentheses around each And, Or and Not inside
// another node, short tags, ranges of dates as 2019:2024[dp]. Parse(Print(n)) equals n for each n that Parse gives.
//
// A term made elsewhere is written so that it is read as that one term: in quotes where it needs them, without the
// characters that would end it. Print of nil is empty.
func Print(n Node) string {
	var out strings.Builder
	printNode(&out, n, false)
	return out.String()
}

func printNode(out *strings.Builder, n Node, inside bool) {
	switch x := n.(type) {
	case Term:
		out.WriteString(printTerm(x))
	case DateRange:
		out.WriteString(printDates(x))
	case And:
		printJoined(out, x.Of, " AND ", inside)
	case Or:
		printJoined(out, x.Of, " OR ", inside)
	case Not:
		printJoined(out, []Node{x.Keep, x.Drop}, " NOT ", inside)
	}
}

func printJoined(out *strings.Builder, of []Node, operator string, inside bool) {
	if inside {
		out.WriteByte('(')
	}

	for i, n := range of {
		if i > 0 {
			out.WriteString(operator)
		}
		printNode(out, n, true)
	}

	if inside {
		out.WriteByte(')')
	}
}

func printDates(d DateRange) string {
	tag := printTag(d.Field, NoProximity)
	if d.From == d.To && d.From != "" {
		return d.From + tag
	}
	return cmp.Or(d.From, farPast) + ":" + cmp.Or(d.To, farFuture) + tag
}

func printTag(field Field, near int) string {
	if field == FieldAll {
		return ""
	}

	tag := string(field)
	if near != NoProximity {
		tag += ":~" + strconv.Itoa(near)
	}
	return "[" + tag + "]"
}

func printTerm(t Term) string {
	near, star := t.Near, ""
	if t.Truncated && truncates(quotable(t.Text), t.Field) { // Parse gives no other
		star = "*"
	}

	if t.Truncated || !t.Field.allowsProximity() || len(text.Tokens(t.Text)) < 2 {
		near = NoProximity
	}

	tag := printTag(t.Field, near)
	if !t.Quoted {
		for _, bare := range bareForms(t.Text+star, t.Field, tag) {
			// Whether a term may stand without quotes is for the parser to say: then the two can't disagree.
			mark, _ := foreignTo("x AND " + bare + " AND x") // among others, as it will stand
			if n, err := parseOwn(bare); mark == nil && err == nil && Equal(n, t) {
				return bare
			}
		}
	}
	return `"` + quotable(t.Text) + star + `"` + tag
}

// bareForms are the ways to write a term without quotes, best first: several words need a tag to be one term.
func bareForms(text string, field Field, tag string) []string {
	switch {
	case field == FieldAll && foreign("read elsewhere").MatchString(text):
		return []string{text + "[all]"}
	case field == FieldAll:
		return []string{text, text + "[all]"}
	}
	return []string{text + tag}
}

// quotable takes out of a phrase what would end it or what the parser refuses. Parse gives no such phrases.
func quotable(phrase string) string {
	phrase = strings.Map(func(r rune) rune {
		if strings.ContainsRune(quoteMarks+"*", r) || unicode.Is(unicode.Cc, r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, phrase)
	if wildcard.MatchAmong("?#", phrase) {
		phrase = strings.NewReplacer("?", " ", "#", " ").Replace(phrase)
	}

	if holdsTag(phrase) {
		phrase = strings.NewReplacer("[", " ", "]", " ").Replace(phrase)
	}
	return text.Line(phrase)
}
