package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
)

// connectors may stand between a gene and its variant, or between two genes of one list, without parting them.
var connectors = map[string]bool{"and": true, "or": true, "the": true, "a": true, "gene": true, "p": true, "of": true, "with": true,
	"harboring": true, "harbouring": true, "mutation": true, "mutations": true, "mutant": true, "mutated": true, "both": true, "kinase": true, //nolint:misspell // both spellings are read
	"plus": true, "versus": true, "vs": true, "somatic": true, "germline": true, "activating": true, "pathogenic": true, "hotspot": true, "gen": true}

// pair joins genes with their variants, and genes with the words that make classes of drugs of them.
func (r *recogniser) pair() {
	for i := range r.spans {
		if s := &r.spans[i]; s.entry == nil && len(s.variants) > 0 {
			r.attach(i)
		}
	}
	for i := range r.spans {
		switch s := &r.spans[i]; {
		case s.action:
			r.target(i)
		case s.entry != nil && s.entry.Kind == KindClass && len(s.entry.Targets) == 1:
			r.targetList(i)
		}
	}
}

// attach gives the variants at span i to the gene before them, else to the gene right after them.
func (r *recogniser) attach(i int) {
	s := &r.spans[i]
	loose := isLooseWord(s.variants[0])
	g := r.geneBefore(i)
	if g < 0 {
		g = r.geneAfter(i)
	}
	if g < 0 || loose && !r.isAdjacent(min(g, i), max(g, i)) {
		if s.variants[0].needsGene {
			s.variants = nil
		}
		return
	}
	gene := &r.spans[g]
	switch {
	case len(gene.variants) > 0 && loose:
		s.gone = true // "KRAS G12C mutation": the sharper one stays
	case r.isAdjacent(min(g, i), max(g, i)) && len(gene.variants) == 0:
		if s.variants[0].Change != anyMutation {
			gene.variants = forGene(s.variants, gene.entry)
		}
		gene.start, gene.end = min(gene.start, s.start), max(gene.end, s.end)
		s.gone = true
	default:
		s.variants, s.entry = forGene(s.variants, gene.entry), gene.entry
	}
}

// levels are the alterations that only ever follow their gene.
var levels = []string{"positive", "negative", "low", "ultralow", "high", "null"}

// isLooseWord is a variant that is a common word, and belongs only to a gene right beside it.
func isLooseWord(v Variant) bool { return v.Change == alteration || v.Change == anyMutation }

// forGene reads a variant as what it means in its gene: ALK-positive is an ALK fusion, and METex14 the loss of that exon.
func forGene(variants []Variant, gene *Entry) []Variant {
	out := slices.Clone(variants)
	for i := range out {
		switch {
		case out[i].Name == "positive" && slices.Contains(fusionGenes, gene.Name):
			out[i].Name = "fusion"
		case out[i].Name == "exon 14" && gene.Name == "MET":
			out[i].Name = "exon 14 skipping"
		}
	}
	return out
}

// geneBefore finds the gene that a variant at span i follows, over other variants and connecting words.
func (r *recogniser) geneBefore(i int) int {
	for j := i - 1; j >= 0; j-- {
		switch s := &r.spans[j]; {
		case !r.isCloseGap(j):
			return -1
		case s.isGene():
			return j
		case s.entry == nil && len(s.variants) > 0, s.gone, r.isConnector(s):
		default:
			return -1
		}
	}
	return -1
}

// geneAfter finds the gene right after span i: "exon 20 insertion EGFR", "V600E-mutant BRAF", "wild-type KRAS".
func (r *recogniser) geneAfter(i int) int {
	if v := r.spans[i].variants[0]; slices.Contains(levels, v.Name) {
		return -1 // "positive EGFR" is no phrase; the word belongs to something else
	}
	for j := i + 1; j < len(r.spans) && j <= i+3; j++ {
		switch s := &r.spans[j]; {
		case !r.isCloseGap(j - 1):
			return -1
		case s.isGene():
			if r.hasOwnVariant(j) {
				return -1
			}
			return j
		case r.isConnector(s), r.tokens[s.first].key == "in", len(s.variants) > 0 && s.variants[0].Change == anyMutation:
		default:
			return -1
		}
	}
	return -1
}

// hasOwnVariant says that a variant in notation follows the gene at span j, which then is that one's.
func (r *recogniser) hasOwnVariant(j int) bool {
	return j+1 < len(r.spans) && len(r.spans[j+1].variants) > 0 && !isLooseWord(r.spans[j+1].variants[0]) && r.isCloseGap(j)
}

func (r *recogniser) isConnector(s *span) bool {
	return s.past == s.first+1 && connectors[r.tokens[s.first].key] && s.entry == nil
}

// isCloseGap says that nothing but spaces and joining signs stands between span j and the next one.
func (r *recogniser) isCloseGap(j int) bool {
	gap := r.gapAfter(j)
	return len(gap) <= 6 && strings.Trim(gap, " -–—/,:()[]^+&p.'’") == "" && !strings.Contains(gap, ". ")
}

func (r *recogniser) gapAfter(j int) string {
	if r.spans[j].end > r.spans[j+1].start {
		return ""
	}
	return r.question[r.spans[j].end:r.spans[j+1].start]
}

// isAdjacent says that spans g and i stand side by side, so that the pair is one piece of text.
func (r *recogniser) isAdjacent(g, i int) bool {
	for j := g + 1; j < i; j++ {
		if s := &r.spans[j]; !s.gone && !r.isConnector(s) && r.tokens[s.first].key != "in" {
			return false
		}
	}
	return true
}

// target marks the genes that an action word at span i speaks of: those before it, or for "anti" the one after it.
func (r *recogniser) target(i int) {
	if r.tokens[r.spans[i].first].key == "anti" {
		if i+1 < len(r.spans) && r.isBareGene(i+1) && r.isCloseGap(i) {
			r.spans[i+1].targeted, r.spans[i].gone = true, true
			r.spans[i+1].start = r.spans[i].start
		}
		return
	}
	last := i - 1
	if last < 0 || !r.isBareGene(last) || !r.isCloseGap(last) {
		return
	}
	r.spans[last].targeted, r.spans[i].gone = true, true
	r.targetList(last)
	r.spans[last].end = r.spans[i].end
}

// targetList marks the genes that stand in one list with the target at span i: "SHP2/SOS1 inhibitor". Without a sign
// between them ("SHP2 SOS1 inhibitor") they are a list where the question has its gene and variant elsewhere.
func (r *recogniser) targetList(i int) {
	paired := slices.ContainsFunc(r.spans, func(s span) bool { return s.isGene() && len(s.variants) > 0 })
	for j := i - 1; j >= 0 && (r.inListWithNext(j) || paired && r.isBareGene(j) && r.isCloseGap(j)); j-- {
		if r.isBareGene(j) {
			r.spans[j].targeted = true
		}
	}
}

// inListWithNext says that span j and the next are members of one list: "SHP2/SOS1", "EGFR and MET".
func (r *recogniser) inListWithNext(j int) bool {
	if !r.isCloseGap(j) {
		return false
	}
	here, next := r.isBareGene(j), r.isBareGene(j+1) || r.isClass(j+1)
	switch {
	case here && next:
		return strings.ContainsAny(r.gapAfter(j), "/,+&")
	case here:
		return r.isConnector(&r.spans[j+1])
	}
	return next && r.isConnector(&r.spans[j])
}

func (r *recogniser) isClass(i int) bool {
	e := r.spans[i].entry
	return e != nil && e.Kind == KindClass
}

func (r *recogniser) isBareGene(i int) bool {
	s := &r.spans[i]
	return s.isGene() && len(s.variants) == 0 && !s.gone
}

// concepts sorts the spans into what a question is about and what it is not.
func (r *recogniser) concepts() Concepts {
	c := Concepts{Question: r.question}
	for i := range r.spans {
		s := &r.spans[i]
		part := oldDropped{Text: r.question[s.start:s.end], Start: s.start, End: s.end}
		switch {
		case s.gone:
		case s.entry != nil, s.drug, s.symbol, len(s.variants) > 0:
			c.Mentions = append(c.Mentions, r.mentions(s)...)
		case s.word != 0:
			part.Why = wordLists[s.word-1]
			if part.Why == wordsFillers {
				c.Fillers = append(c.Fillers, part)
			} else {
				c.Modifiers = append(c.Modifiers, part)
			}
		case s.action || isWordOf(alterations, r.tokens[s.first].key) || len(part.Text) < 2 || isNumber(part.Text):
			part.Why = wordsFillers
			c.Fillers = append(c.Fillers, part)
		default:
			c.Rest = append(c.Rest, part)
		}
	}
	return c
}

func isWordOf(words map[string]string, key string) bool { _, ok := words[key]; return ok }

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

// mentions makes a mention of s, or one for each of its variants.
func (r *recogniser) mentions(s *span) []Mention {
	m := Mention{Text: r.question[s.start:s.end], Start: s.start, End: s.end, Entry: s.entry, Targeted: s.targeted}
	switch {
	case s.drug && isDrugName(r.tokens[s.first].key):
		m.Concept, m.Name = boolean.Drug, strings.ToLower(m.Text)
	case s.drug:
		m.Concept, m.Name = boolean.Drug, compact(m.Text)
	case s.symbol:
		m.Concept, m.Name = boolean.GeneVariant, m.Text
	case s.targeted:
		m.Concept, m.Name = boolean.MechanismOutcome, r.className(m)
	case s.entry != nil:
		m.Concept, m.Name = s.entry.Kind.Concept(), s.entry.Name
	}
	if len(s.variants) == 0 {
		return []Mention{m}
	}
	out := make([]Mention, 0, len(s.variants))
	for _, v := range s.variants {
		one := m
		one.Concept, one.Variant, one.Name = boolean.GeneVariant, &v, v.Name
		switch {
		case s.entry != nil && v.Change == anyMutation:
			one.Name, one.Variant = s.entry.Name, nil
		case s.entry != nil:
			one.Name = s.entry.Name + " " + v.Name
		}
		out = append(out, one)
	}
	return out
}

// className names the drugs against m's gene, by the dictionary's name for them where it has one.
func (r *recogniser) className(m Mention) string {
	for _, symbol := range []string{symbolOf(m), m.Entry.Name} {
		if class, ok := r.lexicon.Lookup(KindClass, symbol+" inhibitor"); ok {
			return class.Name
		}
	}
	return m.Entry.Name + " inhibitor"
}
