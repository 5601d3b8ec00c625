package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

// The most groups of each layer (docs/METHOD.md, "Planning").
const (
	maxNarrowGroups = 4
	maxWideGroups   = 3
	coreGroups      = 2
)

// The most terms that a group gets in each layer. More only slows the services, whose limits on operators are low.
const (
	narrowTerms = 8  // layer 1
	wideTerms   = 14 // layer 2
	coreTerms   = 3  // layer 3
	broadTerms  = 10 // layer 4

	togetherTerms = 6  // each part of what must match together
	mostChoices   = 20 // alternatives of one group that each have a name in it
)

// Layer plans layer n of a question's query by rules (docs/METHOD.md, "Planning"). It is false if the layer has nothing
// to ask: n is not 1 to 4, nothing of the question can be searched for, or for layer 3 the question has no two core
// concepts.
//
// Layer 2 has fewer groups than layer 1 if layer 1 has more than two. One of two groups, or of one, keeps them, and is
// broader by its MeSH headings, codes and notations. Its LayerOneGroups is then 0.
//
// The layers keep their limits by themselves. Two drugs, two genes, and the words of the fallback, are groups of one
// concept each: a query must not go through Limited, which would join them by OR.
func (l *Lexicon) Layer(q *Question, n int) (boolean.Query, bool) {
	needs := l.needs(q)

	out := boolean.Query{Layer: n}
	switch n {
	case 1:
		out.Groups = groupsOf(firstOf(needs, maxNarrowGroups), func(n *need, most int) []boolean.Term {
			return titleAbstract(n.narrow, max(most, narrowTerms), len(n.canonical))
		})
	case 2:
		kept := wideNeeds(needs)

		out.Groups = groupsOf(byGeneAndDrug(kept, needs), func(n *need, most int) []boolean.Term {
			return append(headingTerms(n.headings), titleAbstract(n.wide, max(most, wideTerms), len(n.canonical))...)
		})
		if first := min(len(needs), maxNarrowGroups); len(kept) < first {
			out.LayerOneGroups = first
		}
	case 3:
		out.Groups = groupsOf(l.coreNeeds(q, needs), func(n *need, most int) []boolean.Term {
			return titleAbstract(n.core, max(most, coreTerms), 1)
		})
	case 4:
		out.Groups = l.single(q, needs)
	}
	return out, len(out.Groups) > 0
}

func firstOf(needs []need, n int) []need { return needs[:min(len(needs), n)] }

// groupsOf makes a group of each need. It calls terms with the fewest terms that a need must get: a name of each of its
// alternatives, up to the most that a group may have.
func groupsOf(needs []need, terms func(n *need, most int) []boolean.Term) []boolean.Group {
	out := make([]boolean.Group, 0, len(needs))
	for i := range needs {
		n := &needs[i]

		g := boolean.Group{Concept: n.concept, Terms: terms(n, min(n.choices, mostChoices))}
		for _, both := range n.together[:min(len(n.together), mostChoices)] {
			g.Together = append(g.Together, groupsOf(both, func(n *need, most int) []boolean.Term {
				all := terms(n, most)
				return all[:min(len(all), max(most, togetherTerms))]
			}))
		}

		if len(g.Terms)+len(g.Together) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// wideNeeds chooses the needs of layer 2: one fewer than layer 1, without the last, which matters least. A question
// about one rare drug keeps the drug and the disease.
func wideNeeds(needs []need) []need {
	needs = firstOf(needs, maxNarrowGroups)

	limit := len(needs)
	if limit > coreGroups {
		limit = min(limit-1, maxWideGroups)
	}

	drugs := slices.DeleteFunc(slices.Clone(needs), func(n need) bool { return n.concept != boolean.Drug || n.prior })

	turnsOnDrug := len(drugs) > 0 && !drugs[0].common && (len(drugs) > 1 || drugs[0].rare) // by its code, or a partner
	if limit == coreGroups && turnsOnDrug {
		if kept := drugAndDisease(needs); len(kept) == coreGroups {
			return kept
		}
	}
	return needs[:limit]
}

// byGeneAndDrug accepts the gene for its variant beside the asked drug: trials of alpelisib are in PIK3CA-mutated
// cancer, and name no H1047R.
func byGeneAndDrug(kept, needs []need) []need {
	drug := slices.IndexFunc(needs, func(n need) bool { return n.concept == boolean.Drug && !n.prior && !n.common })
	if drug < 0 {
		return kept
	}
	names := need{concept: boolean.Drug, choices: needs[drug].choices + len(needs[drug].together)}

	lists := [][]string{needs[drug].wide}
	for _, both := range needs[drug].together {
		lists = append(lists, both[0].wide)
	}
	names.wide = spread(lists)

	out := slices.Clone(kept)
	for i := range out {
		n := &out[i]
		if n.concept != boolean.GeneVariant || n.absent || !slices.ContainsFunc(n.broad, func(gene string) bool {
			return !slices.Contains(n.wide, gene)
		}) {
			continue
		}
		gene := need{concept: boolean.GeneVariant, wide: n.broad, choices: n.choices}
		n.together = append(slices.Clone(n.together), []need{gene, names})
	}
	return out
}

// drugAndDisease keeps the disease and the drug that are the point of the question.
func drugAndDisease(needs []need) []need {
	var out []need
	for _, concept := range []boolean.Concept{boolean.Disease, boolean.Drug} {
		if at := slices.IndexFunc(needs, func(n need) bool { return n.concept == concept }); at >= 0 {
			out = append(out, needs[at])
		}
	}
	return out
}

// coreNeeds returns the needs of layer 3: the disease and the gene. A question that names a drug and no gene is about
// the drug's target.
func (l *Lexicon) coreNeeds(q *Question, needs []need) []need {
	var core []need
	for _, n := range needs {
		if n.concept == boolean.Disease && !n.minor || n.concept == boolean.GeneVariant && !n.absent {
			core = append(core, n)
		}
	}
	disease := slices.IndexFunc(core, func(n need) bool { return n.concept == boolean.Disease })

	gene := slices.IndexFunc(core, func(n need) bool { return n.concept == boolean.GeneVariant })
	if gene < 0 {
		if target, ok := l.targetNeed(q); ok {
			core, gene = append(core, target), len(core)
		}
	}

	switch {
	case disease >= 0 && gene >= 0:
		return []need{core[disease], core[gene]}
	case len(core) < coreGroups:
		for _, n := range needs {
			if n.concept == boolean.MechanismOutcome && !n.minor && len(core) < coreGroups {
				core = append(core, n)
			}
		}
	}

	if len(core) < coreGroups {
		return nil
	}
	return core[:coreGroups]
}

// targetNeed asks for the targets of the question's drugs and classes: any of several alternatives, but nothing if one
// of them has no known target.
func (l *Lexicon) targetNeed(q *Question) (n need, ok bool) {
	known := map[int]bool{}
	for i := range q.Drugs {
		d := &q.Drugs[i]

		targets := d.Targets
		if d.Entry != nil {
			targets = d.Entry.Targets
		}

		if !d.isGiven() {
			continue
		}

		isKnown := known[d.Regimen]
		if !isKnown && len(targets) > 0 {
			var a Alteration
			if a, isKnown = l.target(targets[0]); isKnown {
				own := l.alterationNeed(&a)
				own.complete()
				n.merge(own)
			}
		}
		known[d.Regimen] = isKnown
	}
	n.concept = boolean.GeneVariant
	n.complete()

	for regimen, is := range known {
		if regimen > 0 && !is {
			return n, false
		}
	}
	return n, n.choices > 0
}

// target reads a drug's target: a gene, or a gene and its variant.
func (l *Lexicon) target(text string) (Alteration, bool) {
	if e, ok := l.Lookup(KindGene, text); ok {
		return Alteration{Part: Part{Text: text}, Gene: e.Name, Entry: e, Kind: AnyAlteration, Status: Present}, true
	}

	q := l.implied(text)
	if len(q.Alterations) == 0 {
		return Alteration{}, false
	}
	return q.Alterations[0], true
}

// single plans layer 4: the one most telling thing of the question, and the tumour if one is named. It goes up the tree
// of tumours and from a variant to its gene, so that it never asks for less than layer 3.
func (l *Lexicon) single(q *Question, needs []need) []boolean.Group {
	broad := func(n *need, most int) []boolean.Term { return titleAbstract(n.broad, max(most, broadTerms), 1) }
	var tumour []boolean.Group

	rest := needs
	if len(q.Tumours) > 0 && len(needs) > 0 && needs[0].concept == boolean.Disease {
		tumour = groupsOf(needs[:1], broad)
		rest = needs[1:]
	}

	for _, concept := range []boolean.Concept{boolean.GeneVariant, boolean.Drug, boolean.Disease,
		boolean.MechanismOutcome} {
		at := slices.IndexFunc(rest, func(n need) bool { return n.concept == concept && !n.absent })
		if at < 0 || concept == boolean.MechanismOutcome && len(tumour) > 0 && !rest[at].class {
			continue
		}

		if len(tumour) > 0 {
			return append(tumour, groupsOf(rest[at:at+1], broad)...)
		}
		return groupsOf(rest[at:at+1], func(n *need, most int) []boolean.Term {
			return titleAbstract(n.narrow, max(most, 1), len(n.canonical))
		})
	}

	if len(tumour) > 0 {
		return tumour
	}
	return firstWord(q)
}

// firstWord is the last resort: the first word of three letters or more that the dictionary does not know.
func firstWord(q *Question) []boolean.Group {
	for _, w := range q.Words {
		if n, _, _ := letters(w.Text); n >= shortestWord && w.Language == "" {
			return []boolean.Group{{Concept: boolean.MechanismOutcome, Terms: titleAbstract(w.spellings(), 2, 1)}}
		}
	}
	return nil
}

func headingTerms(headings []string) []boolean.Term {
	var out []boolean.Term
	for _, h := range headings {
		t := boolean.Term{Text: h, Field: boolean.FieldMeSH, Quoted: true, Near: boolean.NoProximity}
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// titleAbstract makes [tiab] terms of the first texts, dropping those that a service would read as the same phrase.
func titleAbstract(texts []string, limit, names int) []boolean.Term {
	var kept []string
	for _, t := range texts {
		isSame := func(k string) bool { return phraseOf(k) == phraseOf(t) }
		if !strings.ContainsAny(t, `*"[]`) && !slices.ContainsFunc(kept, isSame) {
			kept = append(kept, t)
		}
	}

	if len(kept) > limit {
		kept = shortest(kept, names)
	}
	return text.Each(kept[:min(len(kept), limit)], func(t string) boolean.Term {
		return boolean.Term{Text: t, Field: boolean.FieldTitleAbs, Quoted: true, Near: boolean.NoProximity}
	})
}

// shortest drops each phrase, except the names in front, that contains another one, which takes its place and finds all
// that it does: "mutational burden" replaces "tumor mutational burden".
func shortest(phrases []string, names int) []string {
	names = min(max(names, 1), len(phrases))

	out := phrases[:names:names]
	for _, p := range phrases[names:] {
		holds := func(k string) bool { return strings.Contains(phraseOf(p), phraseOf(k)) }
		isHeld := func(k string) bool { return strings.Contains(phraseOf(k), phraseOf(p)) }

		at := slices.IndexFunc(out[names:], isHeld) + names
		switch {
		case slices.ContainsFunc(out, holds):
		case at >= names:
			out[at] = p
			out = append(out[:at+1], slices.DeleteFunc(out[at+1:], isHeld)...)
		default:
			out = append(out, p)
		}
	}
	return out
}

// phraseOf returns a text as services compare it, between spaces.
func phraseOf(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ' ' || r == '.' })
	return " " + strings.Join(words, " ") + " "
}
