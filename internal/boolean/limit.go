package boolean

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/text"
)

// The layers of a topic's query (docs/METHOD.md, "Planning"). A layer outside them is taken as the nearest one.
const (
	firstLayer = 1
	lastLayer  = 4
)

// Bounds of a concept's terms, which keep a model's answer from becoming a query that no source takes.
const (
	maxTermRunes  = 100
	maxTermWords  = 12
	maxGroupTerms = 20
	minStemRunes  = 4 // PubMed truncates no shorter stem
)

// coreGroups is how many groups hold what a question is about: layer 3 has as many, and layer 2 is never cut below
// them.
const coreGroups = 2

// layerLimits is what one layer allows.
type layerLimits struct {
	mesh   bool      // MeSH headings beside [tiab]
	groups int       // at most
	terms  int       // at most, in each group
	prefer []Concept // which groups stay, best first
}

func limitsOf(layer, layerOneGroups int) layerLimits {
	switch layer {
	case 1:
		return layerLimits{groups: 4, terms: maxGroupTerms, prefer: Concepts}
	case 2:
		groups := 3
		if layerOneGroups > 0 {
			groups = min(groups, max(layerOneGroups-1, min(layerOneGroups, coreGroups)))
		}
		return layerLimits{mesh: true, groups: groups, terms: maxGroupTerms, prefer: Concepts}
	case 3:
		// Disease and gene are the core; a drug or a mechanism comes in only where there are no two others.
		return layerLimits{groups: coreGroups, terms: 3, prefer: Concepts}
	default:
		return layerLimits{groups: 1, terms: 1, prefer: []Concept{GeneVariant, Drug, Disease, MechanismOutcome}}
	}
}

// Limited is the query within the limits of a layer, whatever was asked for (docs/METHOD.md, "Planning"): its fields,
// its number of groups in the layer's order of preference, its number of synonyms. Groups of one concept become one
// group, unless they stand Apart; terms that are no plain words, or are there already, are left out; a group of
// headings alone gets their words, and what namesOf a heading gives, where it is not nil. The notes name everything
// that was left out or changed, in words for the run's log. The result may have no groups where nothing usable was
// asked.
//
// Layer 2 has fewer groups than layer 1 where that had more than two. Of two, both stay, so that what layers 1 and 3
// share is never lost between them; it is broader by its headings and synonyms.
func (q Query) Limited(layer int, namesOf func(heading string) []string) (Query, []string) {
	layer = min(max(layer, firstLayer), lastLayer)
	limits := limitsOf(layer, q.LayerOneGroups)
	var notes notes

	out := Query{Layer: layer, LayerOneGroups: q.LayerOneGroups}
	for _, g := range limits.arrange(q.Groups, namesOf, &notes) {
		switch {
		case len(out.Groups) == limits.groups:
			notes.add("layer %d has no room for the group %s", layer, g.Concept)
			continue
		case len(g.Terms) > limits.terms:
			notes.add("layer %d takes %d terms of the group %s: %s left out", layer, limits.terms, g.Concept,
				strings.Join(text.Each(g.Terms[limits.terms:], func(t Term) string { return quoteForReader(t.Text) }), ", "))
			g.Terms = g.Terms[:limits.terms]
		}
		out.Groups = append(out.Groups, g)
	}

	if layer == 1 {
		out.LayerOneGroups = len(out.Groups)
	}

	if layer == 3 {
		if len(out.Groups) < 2 {
			notes.add("layer 3 should have two groups and has %d", len(out.Groups))
		}

		for _, g := range out.Groups {
			if len(g.AllTerms()) < 2 {
				notes.add("layer 3 should have two or three terms in the group %s and has %d", g.Concept, len(g.Terms))
			}
		}
	}
	return out, notes
}

// arrange cleans the groups, joins those that belong together, and puts them into the layer's order of preference.
func (l layerLimits) arrange(groups []Group, namesOf func(string) []string, notes *notes) []Group {
	byConcept := map[Concept][]Group{}
	for _, g := range groups {
		if !slices.Contains(Concepts, g.Concept) {
			notes.add("concept %s is unknown and was taken as %s", quoteForReader(string(g.Concept)), MechanismOutcome)
			g.Concept = MechanismOutcome
		}
		g.Terms = l.cleanTerms(g.Terms, notes)
		same := byConcept[g.Concept]

		joined := slices.IndexFunc(same, func(o Group) bool { return !o.Apart })
		switch {
		case len(g.Terms)+len(g.Together) == 0:
		case g.Apart || joined < 0:
			byConcept[g.Concept] = append(same, g)
		default:
			same[joined].Terms = append(same[joined].Terms, g.Terms...)
			same[joined].Together = append(same[joined].Together, g.Together...)
		}
	}

	var out []Group
	for _, concept := range l.prefer {
		for _, g := range byConcept[concept] {
			g.Terms = distinct(withWords(g.Terms, namesOf))
			out = append(out, g)
		}
	}
	return out
}

// withWords gives a group of headings alone the words of its headings: a paper that is too new to have headings would
// be lost.
func withWords(terms []Term, namesOf func(string) []string) []Term {
	if len(terms) == 0 || slices.ContainsFunc(terms, func(t Term) bool { return !t.Field.HoldsHeadings() }) {
		return terms
	}

	for _, heading := range terms {
		terms = append(terms, Phrase(headingAsPhrase(heading.Text), FieldTitleAbs))

		if namesOf == nil {
			continue
		}

		for _, name := range namesOf(heading.Text) {
			if clean, reason := cleanTerm(Phrase(name, FieldTitleAbs)); reason == "" {
				terms = append(terms, clean)
			}
		}
	}
	return terms
}

// notes are sentences for the run's log.
type notes []string

func (n *notes) add(format string, args ...any) {
	*n = append(*n, fmt.Sprintf(format, args...))
}

// cleanTerms gives the terms that are fit to be asked, in the layer's fields.
func (l layerLimits) cleanTerms(terms []Term, notes *notes) []Term {
	var out []Term
	for _, t := range terms {
		clean, reason := cleanTerm(t)
		if reason != "" {
			notes.add("term %s was left out: %s", quoteForReader(t.Text), reason)
			continue
		}

		if clean.Field != FieldTitleAbs && !(l.mesh && clean.Field.HoldsHeadings()) {
			if clean.Field.HoldsHeadings() {
				clean.Text = headingAsPhrase(clean.Text)
			}

			clean.Field = FieldTitleAbs
			if t.Field != FieldAll {
				notes.add("term %s was asked in [%s] and is looked for in [%s]", quoteForReader(t.Text), forReader(string(t.Field)),
					FieldTitleAbs)
			}
		}
		out = append(out, clean)
	}
	return out
}

// capitalOperator finds AND, OR and NOT as PubMed takes them; in small letters they are words of a phrase.
var capitalOperator = text.LazyRegexp(`(?:^|\s)(?:AND|OR|NOT)(?:\s|$)`)

// termSigns may stand in a term beside letters, digits, marks and spaces.
const termSigns = "-–‐'’.,/+:%&<>=≥≤_#®™"

// cleanTerm checks that a term is plain words, since it may come from a model that has read a stranger's text: nothing
// in it can end its quotes, name a field or join another term. The second value says why it is not.
func cleanTerm(t Term) (Term, string) {
	phrase := strings.Join(strings.Fields(t.Text), " ")
	stem, star := strings.CutSuffix(phrase, "*")

	out := Term{Text: stem, Field: t.Field, Quoted: true, Truncated: t.Truncated || star, Near: NoProximity}
	switch bad := strings.IndexFunc(t.Text, isDirty); {
	case bad >= 0 && !(star && bad == strings.LastIndexByte(t.Text, '*')):
		r, _ := utf8.DecodeRuneInString(t.Text[bad:])
		return Term{}, fmt.Sprintf("it holds %s (U+%04X)", quoteForReader(string(r)), r)
	case capitalOperator().MatchString(phrase):
		return Term{}, "it holds an operator"
	case len(text.Tokens(stem)) == 0:
		return Term{}, "it holds no word"
	case utf8.RuneCountInString(phrase) > maxTermRunes || len(strings.Fields(phrase)) > maxTermWords:
		return Term{}, fmt.Sprintf("it is longer than %d characters or %d words", maxTermRunes, maxTermWords)
	case out.Truncated && utf8.RuneCountInString(lastWord(stem)) < minStemRunes:
		return Term{}, fmt.Sprintf("a truncated word needs at least %d characters", minStemRunes)
	}
	return out, ""
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

func isDirty(r rune) bool {
	plain := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == ' ' ||
		strings.ContainsRune(termSigns, r)
	return !plain || r == utf8.RuneError
}

// distinct keeps the first of the terms that ask for the same words in the same field.
func distinct(terms []Term) []Term {
	seen := map[string]bool{}

	var out []Term
	for _, t := range terms {
		if key := t.key(); !seen[key] {
			seen[key] = true
			out = append(out, t)
		}
	}
	return out
}

// key is the same for terms that ask for the same words in the same field.
func (t Term) key() string {
	return fmt.Sprintf("%s|%v|%s", t.Field, t.Truncated, strings.Join(text.Tokens(t.Text), " "))
}
