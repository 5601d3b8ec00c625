package boolean

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// EuropePMC writes n in Europe PMC's syntax, with parentheses around every group, since its AND binds tighter than its
// OR. Where it has no field of the same meaning the query gets wider, never narrower: a MeSH heading is looked for in
// title and abstract too, since many of its records have no headings; proximity becomes AND. After NOT it is the other
// way round, so that nothing is excluded which the query does not exclude.
//
// The error names what cannot be asked there: dates of entry, creation and change, and first and last authors after
// NOT.
func EuropePMC(n Node) (string, error) {
	if n == nil {
		return "", fmt.Errorf("render query for Europe PMC: the query is empty; give it at least one term")
	}
	return europePMC(n, false, false)
}

func europePMC(n Node, inside, excluded bool) (string, error) {
	switch x := n.(type) {
	case Term:
		return europeTerm(x, excluded)
	case DateRange:
		return europeDates(x)
	case And:
		return europeJoined(x.Of, " AND ", inside, excluded)
	case Or:
		return europeJoined(x.Of, " OR ", inside, excluded)
	case Not:
		keep, err := europePMC(x.Keep, true, excluded)
		if err != nil {
			return "", err
		}
		drop, err := europePMC(x.Drop, true, !excluded)
		return inParentheses(keep+" NOT "+drop, inside), err
	}
	return "", fmt.Errorf("render query for Europe PMC: unknown node %T", n)
}

func europeJoined(of []Node, operator string, inside, excluded bool) (string, error) {
	parts := make([]string, len(of))
	for i, n := range of {
		part, err := europePMC(n, true, excluded)
		if err != nil {
			return "", err
		}
		parts[i] = part
	}
	return inParentheses(strings.Join(parts, operator), inside && len(parts) > 1), nil
}

func inParentheses(s string, really bool) string {
	if really {
		return "(" + s + ")"
	}
	return s
}

func europeTerm(t Term, excluded bool) (string, error) {
	switch {
	case t.Field == FieldPMID && onlyDigits().MatchString(t.Text):
		return "(EXT_ID:" + t.Text + " AND SRC:MED)", nil
	case t.Field == FieldLanguage:
		t.Text = append(languageNames([]string{t.Text}), t.Text)[0] // NLM's code, or the text where it is not known
	case t.Field.HoldsHeadings():
		return europeHeading(t, excluded), nil
	}

	fields := names().wide[t.Field]
	if excluded {
		fields = names().exact[t.Field]
	}

	if len(fields) == 0 {
		return "",
			fmt.Errorf("render query for Europe PMC: it cannot be asked for %s; leave the term out or use another field",
				Print(t))
	}
	parts := text.Each(fields, func(field string) string { return europeValue(field, t, excluded) })
	return inParentheses(strings.Join(parts, " OR "), len(parts) > 1), nil
}

// europeHeading asks for a heading among the keywords, where Europe PMC keeps MeSH, and in the text.
func europeHeading(t Term, excluded bool) string {
	heading := t

	heading.Text, _, _ = strings.Cut(t.Text, "/")
	if excluded {
		return europeValue("KW:", t, excluded) // without its subheading the heading would exclude too much
	}
	phrase := heading
	phrase.Text = headingAsPhrase(t.Text)
	return "(" + europeValue("TITLE_ABS:", phrase, excluded) + " OR " + europeValue("KW:", heading, excluded) + ")"
}

func europeValue(field string, t Term, excluded bool) string {
	words := t.plainWords()

	last := len(words) - 1
	switch {
	case t.Near != NoProximity && len(words) > 1 && !excluded:
		parts := text.Each(words, func(w string) string { return field + `"` + w + `"` })
		return "(" + strings.Join(parts, " AND ") + ")"
	case t.Truncated && last == 0:
		return field + words[0] + "*"
	case t.Truncated && !excluded:
		return "(" + field + `"` + strings.Join(words[:last], " ") + `" AND ` + field + words[last] + "*)"
	}
	return field + `"` + quotable(withoutBackslash.Replace(t.Text)) + `"`
}

var withoutBackslash = strings.NewReplacer(`\`, " ")

// plainWords are the term's words as they are written, without their punctuation.
func (t Term) plainWords() []string {
	var out []string

	end := 0
	for _, w := range text.Words(t.Text) {
		if w.Start >= end { // one that folds to several words comes once
			out = append(out, t.Text[w.Start:w.End])
			end = w.End
		}
	}
	return out
}

// headingAsPhrase turns a MeSH heading into the words that authors write: its subheading goes, and an inverted heading
// is put straight ("Carcinoma, Non-Small-Cell Lung" to "Non-Small-Cell Lung Carcinoma").
func headingAsPhrase(heading string) string {
	heading, _, _ = strings.Cut(heading, "/")
	parts := strings.Split(heading, ", ")
	slices.Reverse(parts)
	return strings.TrimSpace(strings.Join(parts, " "))
}

func europeDates(d DateRange) (string, error) {
	if d.Field != FieldDatePub {
		return "", fmt.Errorf("render query for Europe PMC: it cannot be asked for %s; use the date of publication, [dp]",
			Print(d))
	}

	from, to := cmp.Or(d.From, farPast), cmp.Or(d.To, farFuture)
	if len(from) == len(farPast) && len(to) == len(farFuture) {
		return "PUB_YEAR:[" + from + " TO " + to + "]", nil
	}
	return "FIRST_PDATE:[" + evidence.Date(strings.ReplaceAll(from, "/", "-")).First().Format(time.DateOnly) +
		" TO " + lastDay(to) + "]", nil
}
