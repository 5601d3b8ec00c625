package grounding

import (
	"slices"
	"strings"

	plaintext "dossier/internal/text"
)

// facet is a detail that a text gives of a thing: whether a marker is positive, whether a bound means above or below
// it, how often a dose is given, which grade a share has.
type facet struct {
	plaintext.Span
	of, value string
}

// facetForms are the names of expressions whose first group is the thing and whose second is the detail. Where the
// first group is empty, the third and fourth groups hold the two in the other order.
var facetForms = []string{"polarity", "bound", "dosing", "graded"}

// facetsIn finds the facets of a text; each kind has its own prefix.
func facetsIn(text string) []facet {
	var out []facet
	for _, form := range facetForms {
		for _, m := range forms(form).FindAllStringSubmatchIndex(text, -1) {
			of, value := group(text, m, 1), group(text, m, 2)
			if of == "" {
				of, value = group(text, m, 4), group(text, m, 3)
				if strings.Count(text, "rade ") > 1 && form == "graded" {
					continue // unclear which of several grades a share behind them has
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

// facetValue maps the wordings of a value to one: "≥" and "or older". The lowest grade counts: "3–4" is "3 or worse".
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

// markFacets marks details that the cited records give only otherwise: MRD-positive patients where all are
// MRD-negative, those aged 65 or more where the records mean those below 65.
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

// markEachArm marks a number of patients stated for each arm, where the records give it for all arms together.
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
