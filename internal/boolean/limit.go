package boolean

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The layers of step 1 (SPEC section 2). A layer outside them is taken as the nearest one.
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

// layerLimits is one row of SPEC section 2's table.
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
			groups = max(1, min(groups, layerOneGroups-1))
		}
		return layerLimits{mesh: true, groups: groups, terms: maxGroupTerms, prefer: Concepts}
	case 3:
		// Disease and gene are the core; a drug or a mechanism comes in only where there are no two others.
		return layerLimits{groups: 2, terms: 3, prefer: Concepts}
	default:
		return layerLimits{groups: 1, terms: 1, prefer: []Concept{GeneVariant, Drug, Disease, MechanismOutcome}}
	}
}

// Limited is the query within the limits of a layer, whatever was asked for (the table of SPEC section 2, step 1): its
// fields, its number of groups in the layer's order of preference, its number of synonyms. Groups of one concept become
// one group; terms that are no plain words, or are there already, are left out. The notes name everything that was
// left out or changed, in words for the run's log. The result may have no groups where nothing usable was asked.
func (q Query) Limited(layer int) (Query, []string) {
	layer = min(max(layer, firstLayer), lastLayer)
	limits := limitsOf(layer, q.LayerOneGroups)
	var notes notes
	byConcept := map[Concept][]Term{}
	for _, g := range q.Groups {
		concept := g.Concept
		if !slices.Contains(Concepts, concept) {
			notes.add("concept %s is unknown and was taken as %s", quoteForReader(string(concept)), MechanismOutcome)
			concept = MechanismOutcome
		}
		byConcept[concept] = append(byConcept[concept], limits.cleanTerms(g.Terms, &notes)...)
	}
	out := Query{Layer: layer, LayerOneGroups: q.LayerOneGroups}
	for _, concept := range limits.prefer {
		terms := distinct(byConcept[concept])
		switch {
		case len(terms) == 0:
			continue
		case len(out.Groups) == limits.groups:
			notes.add("layer %d has no room for the group %s", layer, concept)
			continue
		case len(terms) > limits.terms:
			notes.add("layer %d takes %d terms of the group %s: %s left out", layer, limits.terms, concept, texts(terms[limits.terms:]))
			terms = terms[:limits.terms]
		}
		out.Groups = append(out.Groups, Group{Concept: concept, Terms: terms})
	}
	if layer == 1 {
		out.LayerOneGroups = len(out.Groups)
	}
	if layer == 3 {
		notes.checkLayerThree(out.Groups)
	}
	return out, notes
}

// notes are sentences for the run's log.
type notes []string

func (n *notes) add(format string, args ...any) {
	*n = append(*n, fmt.Sprintf(format, args...))
}

// checkLayerThree says what layer 3 should have and the program cannot make up.
func (n *notes) checkLayerThree(groups []Group) {
	if len(groups) < 2 {
		n.add("layer 3 should have two groups and has %d", len(groups))
	}
	for _, g := range groups {
		if len(g.Terms) < 2 {
			n.add("layer 3 should have two or three terms in the group %s and has %d", g.Concept, len(g.Terms))
		}
	}
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
		if clean.Field != FieldTitleAbs && !(l.mesh && clean.Field.isMeSH()) {
			if clean.Field.isMeSH() {
				clean.Text = headingAsPhrase(clean.Text)
			}
			clean.Field = FieldTitleAbs
			if t.Field != FieldAll {
				notes.add("term %s was asked in [%s] and is looked for in [%s]", quoteForReader(t.Text), forReader(string(t.Field)), FieldTitleAbs)
			}
		}
		out = append(out, clean)
	}
	return out
}

// capitalOperator finds AND, OR and NOT as PubMed takes them; in small letters they are words of a phrase.
var capitalOperator = regexp.MustCompile(`(?:^|\s)(?:AND|OR|NOT)(?:\s|$)`)

// termSigns may stand in a term beside letters, digits, marks and spaces.
const termSigns = "-–‐'’.,/+:%&<>=≥≤_#®™"

// cleanTerm checks that a term is plain words, since it may come from a model that has read a stranger's text: nothing
// in it can end its quotes, name a field or join another term. The second value says why it is not.
func cleanTerm(t Term) (Term, string) {
	text := strings.Join(strings.Fields(t.Text), " ")
	stem, star := strings.CutSuffix(text, "*")
	out := Term{Text: stem, Field: t.Field, Quoted: true, Truncated: t.Truncated || star, Near: NoProximity}
	switch bad := strings.IndexFunc(t.Text, isDirty); {
	case bad >= 0 && !(star && bad == strings.LastIndexByte(t.Text, '*')):
		r, _ := utf8.DecodeRuneInString(t.Text[bad:])
		return Term{}, fmt.Sprintf("it holds %s (U+%04X)", quoteForReader(string(r)), r)
	case capitalOperator.MatchString(text):
		return Term{}, "it holds an operator"
	case len(Tokens(stem)) == 0:
		return Term{}, "it holds no word"
	case utf8.RuneCountInString(text) > maxTermRunes || len(strings.Fields(text)) > maxTermWords:
		return Term{}, fmt.Sprintf("it is longer than %d characters or %d words", maxTermRunes, maxTermWords)
	case out.Truncated && utf8.RuneCountInString(lastWord(stem)) < minStemRunes:
		return Term{}, fmt.Sprintf("a truncated word needs at least %d characters", minStemRunes)
	}
	return out, ""
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

func isDirty(r rune) bool {
	plain := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == ' ' || strings.ContainsRune(termSigns, r)
	return !plain || r == utf8.RuneError
}

// distinct keeps the first of the terms that ask for the same words in the same field.
func distinct(terms []Term) []Term {
	seen := map[string]bool{}
	var out []Term
	for _, t := range terms {
		key := fmt.Sprintf("%s|%v|%s", t.Field, t.Truncated, strings.Join(Tokens(t.Text), " "))
		if !seen[key] {
			seen[key] = true
			out = append(out, t)
		}
	}
	return out
}

func texts(terms []Term) string {
	var out []string
	for _, t := range terms {
		out = append(out, quoteForReader(t.Text))
	}
	return strings.Join(out, ", ")
}
