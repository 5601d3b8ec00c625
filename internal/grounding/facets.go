package grounding

import (
	"slices"
	"strings"

	plaintext "dossier/internal/text"
)

// facet is one thing that a text tells of another: of a marker whether it is positive, of a bound whether what is above
// or below it is meant, of a dose how often it is given, of a share the grade of what was seen.
type facet struct {
	plaintext.Span
	of, value string
}

// facetForms are the expressions whose groups are what something is told of and what is told, by the name of the kind.
// Where the first group is empty, the third and fourth tell the same in the other order.
var facetForms = []string{"polarity", "bound", "dosing", "graded"}

// facetsIn finds the facets that a text tells, each kind under a prefix of its own.
func facetsIn(text string) []facet {
	var out []facet
	for _, form := range facetForms {
		for _, m := range forms(form).FindAllStringSubmatchIndex(text, -1) {
			of, value := group(text, m, 1), group(text, m, 2)
			if of == "" {
				of, value = group(text, m, 4), group(text, m, 3)
				if strings.Count(text, "rade ") > 1 && form == "graded" {
					continue // which of several grades a share behind them has can't be told
				}
			}

			groups := slices.DeleteFunc(slices.Clone(m[2:]), func(at int) bool { return at < 0 })
			out = append(out, facet{Span: plaintext.Span{Start: groups[0], End: groups[len(groups)-1]},
				of: form + " " + foldFacet(of), value: facetValue(value)})
		}
	}
	return out
}

func group(text string, m []int, i int) string {
	if 2*i+1 >= len(m) || m[2*i] < 0 {
		return ""
	}
	return text[m[2*i]:m[2*i+1]]
}

func foldFacet(s string) string { return strings.ToLower(strings.ReplaceAll(s, " ", "")) }

// facetValue brings the wordings of one value to one: "≥" and "or older"; of grades the lowest counts, "3–4" is "3 or
// worse".
func facetValue(s string) string {
	s = foldFacet(s)
	switch {
	case s == "+":
		return "positive"
	case forms("above a bound").MatchString(s):
		return "above"
	case forms("below a bound").MatchString(s):
		return "below"
	}
	return strings.TrimSuffix(forms("higher grades").ReplaceAllString(s, ""), "s")
}

// markFacets marks what the cited records tell of the same thing only otherwise: MRD-positive patients where they are
// all MRD-negative, those aged 65 or more where those below 65 are meant.
func markFacets(text string, sources []*Source) []Mark {
	var out []Mark

	var told []facet
	for _, s := range sources {
		for _, sentence := range s.sentences {
			told = append(told, facetsIn(sentence.text)...)
		}
	}

	for _, f := range facetsIn(text) {
		isKnown := slices.ContainsFunc(told, func(t facet) bool { return t.of == f.of })
		if isKnown && !slices.ContainsFunc(told, func(t facet) bool { return t.of == f.of && t.value == f.value }) {
			out = append(out, newMark(MarkClaim, text, f.Span, "the cited record tells this otherwise"))
		}
	}
	return out
}

// markEachArm marks a number of patients that is told of each arm, where the records give it for all of them.
func markEachArm(text string, sources []*Source) []Mark {
	var out []Mark
	for _, m := range forms("in each arm").FindAllStringSubmatchIndex(text, -1) {
		n := group(text, m, 1)
		isOfEach := func(one sourceSentence) bool {
			return strings.Contains(one.text, n) && (forms("of each").MatchString(one.text) || strings.Count(one.text, n) > 1)
		}

		if !slices.ContainsFunc(sources, func(s *Source) bool { return slices.ContainsFunc(s.sentences, isOfEach) }) {
			out = append(out, newMark(MarkNumber, text, plaintext.Span{Start: m[2], End: m[3]},
				"no cited record gives this number for each arm"))
		}
	}
	return out
}
