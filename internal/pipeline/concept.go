package pipeline

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
)

// concept is a group made ready for being looked for in many records.
type concept struct {
	kind    boolean.Concept
	name    string // for Assessment.Criteria: "disease: colorectal cancer"
	weight  float64
	phrases []phrase
}

// phrase is one synonym.
type phrase struct {
	joined    string   // its words without what is between them
	apart     []string // a gene with its variant, whose words may also stand apart; else nil
	truncated bool
}

func conceptOf(g boolean.Group) concept {
	c := concept{kind: g.Concept, name: string(g.Concept), weight: max(weights[g.Concept], 1)}
	if len(g.Terms) > 0 {
		c.name += ": " + g.Terms[0].Text
	}
	seen := map[string]bool{}
	for _, term := range telling(g) {
		words := wordsOf(term.Text)
		p := phrase{joined: strings.Join(words, ""), truncated: term.Truncated}
		if len(words) == 0 || seen[p.joined] {
			continue
		}
		seen[p.joined] = true
		if g.Concept == boolean.GeneVariant && isPair(words) {
			p.apart = words
		}
		c.phrases = append(c.phrases, p)
	}
	return c
}

// telling leaves out what widens a search and says too little of a record: beside a gene with its variant, the gene,
// the variant and the exon alone. A paper on KRAS G12D is no paper on KRAS G12C, and one on NRAS G12C is none either.
func telling(g boolean.Group) []boolean.Term {
	if g.Concept != boolean.GeneVariant || !slices.ContainsFunc(g.Terms, func(t boolean.Term) bool {
		return isPair(wordsOf(t.Text))
	}) {
		return g.Terms
	}
	return slices.DeleteFunc(slices.Clone(g.Terms), func(t boolean.Term) bool {
		words := wordsOf(t.Text)
		return len(words) == 1 && variantRE().MatchString(words[0]) || isExonAlone(words) || isGeneOfPair(words, g)
	})
}

// isPair says that words are a gene and a point mutation.
func isPair(words []string) bool {
	return len(words) > 1 && variantRE().MatchString(words[len(words)-1])
}

// isExonAlone says that words end in "exon 21", without what is changed there.
func isExonAlone(words []string) bool {
	n := len(words)
	return n >= 2 && words[n-2] == "exon" && strings.Trim(words[n-1], "0123456789") == ""
}

// isGeneOfPair says whether words are the beginning of a pair: the KRAS of "KRAS G12C".
func isGeneOfPair(words []string, g boolean.Group) bool {
	return slices.ContainsFunc(g.Terms, func(t boolean.Term) bool {
		pair := wordsOf(t.Text)
		return isPair(pair) && len(words) < len(pair) && slices.Equal(pair[:len(words)], words)
	})
}

// find says where any of the concept's synonyms stands first: title before abstract.
func (t recordWords) find(c concept) place {
	switch {
	case slices.ContainsFunc(c.phrases, func(p phrase) bool { return p.in(t.title) }):
		return inTitle
	case slices.ContainsFunc(c.phrases, func(p phrase) bool { return p.in(t.body) }):
		return inBody
	}
	return absent
}

// in looks for a phrase. A gene with its variant may also stand apart ("G12C-mutant KRAS"), as long as both do.
func (p phrase) in(words []string) bool {
	if containsPhrase(words, p.joined, p.truncated) {
		return true
	}
	return p.apart != nil && !slices.ContainsFunc(p.apart, func(w string) bool { return !containsPhrase(words, w, false) })
}
