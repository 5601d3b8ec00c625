package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
)

// The most groups of each layer (SPEC section 2, step 1).
const (
	maxNarrowGroups = 4
	maxWideGroups   = 3
	coreGroups      = 2
	maxDrugGroups   = 2
)

// Layer plans layer n of a question's query by rules (SPEC section 2, step 1). It is false where the layer has nothing to
// ask: n is not 1 to 4, nothing of the question is left, or for layer 3 the question has no two core concepts.
//
// Layer 2 has fewer groups than layer 1 wherever layer 1 has more than two. One of two groups, or of one, keeps them, and
// is broader by its MeSH headings, codes and notations: dropping the second group would leave a disease alone, which is layer 4's work.
// Its LayerOneGroups is then 0.
//
// The layers keep their limits by themselves. Two drugs, and the words of the fallback, are groups of one concept each: a
// query must not go through Limited, which joins groups of one concept by OR.
//
// Where the dictionary recognises nothing, the question's content words are the groups.
func (l *Lexicon) layer(question string, n int) (boolean.Query, bool) {
	c := l.Recognise(question)
	var groups []boolean.Group
	switch n {
	case 1:
		groups = l.narrow(c)
	case 2:
		if groups = l.wide(c); len(groups) < len(c.groups()) {
			return boolean.Query{Layer: n, Groups: groups, LayerOneGroups: min(len(c.groups()), maxNarrowGroups)}, len(groups) > 0
		}
	case 3:
		groups = l.core(c)
	case 4:
		return l.single(question)
	}
	return boolean.Query{Layer: n, Groups: groups}, len(groups) > 0
}

// group is a concept's group before its terms are written.
type group struct {
	concept  boolean.Concept
	mentions []Mention
	words    []string // of the fallback
}

// groups orders the question's concepts as layer 1 wants them: disease, gene and variant, drugs, mechanism. All genes
// make one group; beside a gene with its variant, the bare ones go to the mechanisms, which are what the question adds to
// that pair (SHP2 and SOS1 beside KRAS G12C).
func (c Concepts) groups() []group {
	var out []group
	add := func(concept boolean.Concept, mentions []Mention) {
		if len(mentions) > 0 {
			out = append(out, group{concept: concept, mentions: mentions})
		}
	}
	genes, mechanisms := c.Of(boolean.GeneVariant), c.Of(boolean.MechanismOutcome)
	if paired := slices.ContainsFunc(genes, isPair); paired {
		var bare []Mention
		for _, m := range genes {
			if !isPair(m) {
				bare = append(bare, m)
			}
		}
		genes = slices.DeleteFunc(genes, func(m Mention) bool { return !isPair(m) })
		mechanisms = append(bare, mechanisms...)
	}
	add(boolean.Disease, c.Of(boolean.Disease))
	add(boolean.GeneVariant, genes)
	for _, drugs := range c.drugGroups() {
		add(boolean.Drug, drugs)
	}
	slices.SortStableFunc(mechanisms, func(a, b Mention) int { return rank(a) - rank(b) })
	add(boolean.MechanismOutcome, mechanisms)
	return c.fill(out)
}

func isPair(m Mention) bool { return m.Variant != nil }

// rank puts the genes and classes of a mechanism group before its outcomes, which are in half of all abstracts.
func rank(m Mention) int {
	if m.Concept == boolean.GeneVariant || m.isClass() {
		return 0
	}
	return 1
}

// drugGroups gives the drug the question is about a group, and its partner one; drugs that are compared, and three or
// more, share a group.
func (c Concepts) drugGroups() [][]Mention {
	drugs := c.Of(boolean.Drug)
	if len(drugs) < 2 {
		return [][]Mention{drugs}
	}
	if len(drugs) > maxDrugGroups || c.compares(drugs[0], drugs[1]) {
		return [][]Mention{drugs}
	}
	first := slices.IndexFunc(drugs, func(m Mention) bool { return !m.isCommon() })
	if first == 1 {
		return [][]Mention{drugs[1:], drugs[:1]}
	}
	return [][]Mention{drugs[:1], drugs[1:]}
}

// compares says that the question sets a against b.
func (c Concepts) compares(a, b Mention) bool {
	if a.End > b.Start {
		return false
	}
	for _, t := range tokenize(c.Question[a.End:b.Start]) {
		if t.key == "versus" || t.key == "vs" || t.key == "or" || t.key == "compared" || t.key == "against" {
			return true
		}
	}
	return false
}

// fill adds a group for each word that the dictionary does not know, as long as fewer than two concepts are known: such
// words are then the point of the question.
func (c Concepts) fill(groups []group) []group {
	known := len(groups)
	for _, w := range c.Rest {
		if known >= coreGroups || len(groups) == maxNarrowGroups {
			break
		}
		if len([]rune(w.Text)) < shortestWord {
			continue
		}
		groups = append(groups, group{concept: boolean.MechanismOutcome, words: []string{strings.ToLower(w.Text)}})
	}
	return groups
}

// shortestWord is the shortest content word that is worth a search.
const shortestWord = 3

func (l *Lexicon) narrow(c Concepts) []boolean.Group {
	groups := c.groups()
	groups = groups[:min(len(groups), maxNarrowGroups)]
	out := make([]boolean.Group, 0, len(groups))
	for _, g := range groups {
		out = append(out, boolean.Group{Concept: g.concept, Terms: titleAbstract(l.spread(g, false), narrowTerms)})
	}
	return out
}

// wide plans layer 2. What goes first is what narrows most and matters least: a rare drug's partner, then mechanisms,
// then what stands last.
func (l *Lexicon) wide(c Concepts) []boolean.Group {
	groups := c.groups()
	groups = groups[:min(len(groups), maxNarrowGroups)]
	limit := len(groups)
	if limit > coreGroups {
		limit = min(limit-1, maxWideGroups)
	}
	groups = withoutPartner(groups)
	if limit == coreGroups && c.turnsOnDrug() {
		groups = keepDrugAndDisease(groups)
	}
	groups = groups[:min(len(groups), limit)]
	out := make([]boolean.Group, 0, len(groups))
	for _, g := range groups {
		terms := titleAbstract(l.spread(g, true), wideTerms)
		out = append(out, boolean.Group{Concept: g.concept, Terms: append(headings(g), terms...)})
	}
	return out
}

// withoutPartner drops the second drug's group.
func withoutPartner(groups []group) []group {
	if len(groups) <= coreGroups {
		return groups
	}
	drugs := 0
	return slices.DeleteFunc(slices.Clone(groups), func(g group) bool {
		if g.concept == boolean.Drug {
			drugs++
		}
		return g.concept == boolean.Drug && drugs > 1
	})
}

// turnsOnDrug says that the question is about one rare drug: it names the drug's development code, or a partner beside it.
func (c Concepts) turnsOnDrug() bool {
	if groups := c.drugGroups(); len(groups) > 1 {
		return !groups[0][0].isCommon()
	}
	return slices.ContainsFunc(c.Of(boolean.Drug), func(m Mention) bool {
		return !m.isCommon() && (m.Entry == nil || slices.ContainsFunc(m.Entry.Codes, func(code string) bool { return fold(code) == fold(m.Text) }))
	})
}

func (m Mention) isCommon() bool { return m.Entry != nil && m.Entry.Common }

func keepDrugAndDisease(groups []group) []group {
	kept := slices.DeleteFunc(slices.Clone(groups), func(g group) bool { return g.concept != boolean.Disease && g.concept != boolean.Drug })
	if len(kept) < coreGroups {
		return groups
	}
	return kept
}

// headings are the MeSH headings of a group's entries.
func headings(g group) []boolean.Term {
	var out []boolean.Term
	for _, m := range g.mentions {
		if m.Entry == nil || m.Entry.MeSH == "" || m.Variant != nil {
			continue
		}
		t := boolean.Term{Text: m.Entry.MeSH, Field: boolean.FieldMeSH, Quoted: true, Near: boolean.NoProximity}
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// core plans layer 3: the disease and the gene. A question that names a drug and no gene is about the drug's target.
func (l *Lexicon) core(c Concepts) []boolean.Group {
	diseases, genes := c.Of(boolean.Disease), c.Of(boolean.GeneVariant)
	if slices.ContainsFunc(genes, isPair) {
		genes = slices.DeleteFunc(genes, func(m Mention) bool { return !isPair(m) })
	}
	if len(genes) == 0 {
		genes = l.targets(c)
	}
	var groups []group
	switch {
	case len(diseases) > 0 && len(genes) > 0:
		groups = []group{{concept: boolean.Disease, mentions: diseases[:1]}, {concept: boolean.GeneVariant, mentions: genes[:1]}}
	default:
		groups = slices.DeleteFunc(c.groups(), func(g group) bool {
			return len(g.words) == 0 && g.concept != boolean.Disease && g.concept != boolean.GeneVariant
		})
	}
	if len(groups) < coreGroups {
		return nil
	}
	out := make([]boolean.Group, 0, coreGroups)
	for _, g := range groups[:coreGroups] {
		out = append(out, boolean.Group{Concept: g.concept, Terms: titleAbstract(l.spread(g, false), coreTerms)})
	}
	return out
}

// targets are the genes that the question's drugs and classes act on.
func (l *Lexicon) targets(c Concepts) []Mention {
	for _, concept := range []boolean.Concept{boolean.Drug, boolean.MechanismOutcome} {
		for _, m := range c.Of(concept) {
			if m.Targeted {
				m.Concept, m.Targeted = boolean.GeneVariant, false
				return []Mention{m}
			}
			if m.Entry == nil || len(m.Entry.Targets) == 0 {
				continue
			}
			if found := l.gene(m.Entry.Targets[0]); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// gene reads a target as the dictionary writes it: a gene, or a gene and its variant.
func (l *Lexicon) gene(target string) []Mention {
	if e, ok := l.Lookup(KindGene, target); ok {
		return []Mention{{Concept: boolean.GeneVariant, Name: e.Name, Entry: e, Text: target}}
	}
	return l.Recognise(target).Of(boolean.GeneVariant)
}

// spread lists a group's terms: the first of each mention, then the second of each, so that a limit cuts all alike.
func (l *Lexicon) spread(g group, wide bool) []string {
	lists := make([][]string, 0, len(g.mentions)+1)
	for _, m := range g.mentions {
		lists = append(lists, l.termsOf(m, wide))
	}
	lists = append(lists, g.words)
	var out []string
	for i, more := 0, true; more; i++ {
		more = false
		for _, terms := range lists {
			if i < len(terms) {
				out = append(out, terms[i])
				more = true
			}
		}
	}
	return unique(out)
}

// titleAbstract makes [tiab] terms of the first texts, dropping those that a service would read as the same phrase.
func titleAbstract(texts []string, limit int) []boolean.Term {
	out := make([]boolean.Term, 0, min(len(texts), limit))
	seen := map[string]bool{}
	for _, t := range texts {
		key := strings.ToLower(strings.Join(strings.FieldsFunc(t, func(r rune) bool { return r == ' ' || r == '.' }), " "))
		if len(out) == limit {
			break
		}
		if !seen[key] && !strings.ContainsAny(t, `*"[]`) {
			seen[key] = true
			out = append(out, boolean.Term{Text: t, Field: boolean.FieldTitleAbs, Quoted: true, Near: boolean.NoProximity})
		}
	}
	return out
}
