package llm

import (
	"fmt"
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// termFit is a term of a model's query with its reading and its fit to the question.
type termFit struct {
	boolean.Term
	parsed lexicon.Question
	slots  []evidence.SlotFit
}

// has reports whether the term meets a slot of one of the kinds, at least in part.
func (t termFit) has(kinds ...evidence.Slot) bool {
	return slices.ContainsFunc(t.slots, func(s evidence.SlotFit) bool {
		isMet := s.Met == evidence.MetWhole || s.Met == evidence.MetInPart
		return isMet && (len(kinds) == 0 || slices.Contains(kinds, s.Slot))
	})
}

// isOtherDisease reports whether the term names a disease, but none of the question's. The wider layers may name a
// tumour above it in the tree.
func (t termFit) isOtherDisease(n int) bool {
	return (len(t.parsed.Conditions) > 0 || n == 1 && len(t.parsed.Tumours) > 0) && !t.has()
}

// contract checks a model's groups for layer n against the question, slot by slot (docs/METHOD.md, "What a model may
// plan"), as far as the dictionary reads both. It repairs what it can by dropping terms; on an error the rules' layer
// replaces the model's.
func (p *Planner) contract(
	q *lexicon.Question, n int, groups []boolean.Group,
) (kept []boolean.Group, notes []string, err error) {
	if len(p.rules.Fit(q, "").Slots) == 0 {
		return groups, nil, nil // the dictionary read nothing of the question
	}

	tumour := !slices.ContainsFunc(q.Tumours, func(c lexicon.Concept) bool { return c.Status == lexicon.Present })
	for _, g := range groups {
		terms := text.Each(g.Terms, func(t boolean.Term) termFit {
			return termFit{t, p.rules.Understand(t.Text), p.rules.Fit(q, t.Text).Slots}
		})
		if err := opposed(q, terms); err != nil {
			return nil, nil, err
		}

		if n == 1 && !p.holdsSlot(q, terms) {
			return nil, nil, fmt.Errorf("its group %s is on nothing that the question asks: %s", g.Concept, named(terms))
		}

		terms, left := narrowed(n, terms)
		for _, t := range left {
			notes = append(notes, fmt.Sprintf("term ‘%s’ was left out of the group %s: it is broader than the question, or "+
				"on something else", text.AtWord(t.Text, maxNoted), g.Concept))
		}

		if err := mixed(terms); err != nil {
			return nil, nil, err
		}
		tumour = tumour || slices.ContainsFunc(terms, func(t termFit) bool { return t.has(evidence.SlotTumour) })
		g.Terms = text.Each(terms, func(t termFit) boolean.Term { return t.Term })
		kept = append(kept, g)
	}

	if !tumour {
		return nil, nil, fmt.Errorf("it does not ask for %s", q.Tumours[0].Name)
	}
	return kept, notes, nil
}

// opposed finds a term that asks for the opposite of the question: another tumour or alteration instead of its own, or
// one present that the question states as absent.
func opposed(q *lexicon.Question, terms []termFit) error {
	for _, t := range terms {
		// The exon of an alteration is another way to write it: L858R, exon 21.
		isExon := slices.ContainsFunc(t.parsed.Alterations, func(a lexicon.Alteration) bool {
			return a.Kind == lexicon.ExonChange && a.Status == lexicon.Present
		})
		for _, s := range t.slots {
			if s.Met == evidence.MetOpposite && !(isExon && s.Slot == evidence.SlotAlteration) {
				return fmt.Errorf("its term ‘%s’ is not on %s", text.AtWord(t.Text, maxNoted), s.Asked)
			}
		}

		for _, a := range q.Alterations {
			lacks := a.Status == lexicon.Absent || a.Status == lexicon.WildType

			has := func(b lexicon.Alteration) bool {
				return b.Gene == a.Gene && b.Gene != "" && b.Status == lexicon.Present && b.Kind != lexicon.AnyAlteration
			}
			if lacks && slices.ContainsFunc(t.parsed.Alterations, has) {
				return fmt.Errorf("its term ‘%s’ asks as present what the question says to be absent",
					text.AtWord(t.Text, maxNoted))
			}
		}
	}
	return nil
}

// holdsSlot reports whether a group stands for something that the question asks: a term meets a slot, has the
// question's own words, or may stand for words of it that the dictionary does not know.
func (p *Planner) holdsSlot(q *lexicon.Question, terms []termFit) bool {
	unread := len(q.Words) > 0 || p.rules.Readable(q) != nil
	asked := wordsIn(q.Text)
	return slices.ContainsFunc(terms, func(t termFit) bool {
		known := len(t.parsed.Tumours)+len(t.parsed.Conditions)+len(t.parsed.Alterations)+len(t.parsed.Drugs) > 0
		words := wordsIn(t.Text)
		own := len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(asked, w) })
		return t.has() || own || unread && !known
	})
}

func wordsIn(s string) []string {
	return strings.FieldsFunc(text.Fold(s), func(r rune) bool { return strings.ContainsRune(" ,;:/()-", r) })
}

func named(terms []termFit) string {
	names := text.Each(terms[:min(len(terms), 3)], func(t termFit) string { return text.AtWord(t.Text, maxNoted) })
	return strings.Join(names, ", ")
}

// narrowed drops a group's terms on another disease, and in layer 1 those broader than a term beside them, since an OR
// would admit all of the broader one. A group with nothing else keeps its broad terms.
func narrowed(n int, terms []termFit) (kept, left []termFit) {
	exact := map[string]bool{}
	for _, t := range terms {
		for _, s := range t.slots {
			exact[s.Asked] = exact[s.Asked] || s.Met == evidence.MetWhole
		}
	}

	for _, t := range terms {
		met := slices.ContainsFunc(t.slots, func(s evidence.SlotFit) bool { return s.Met == evidence.MetWhole })

		broader := slices.ContainsFunc(t.slots, func(s evidence.SlotFit) bool {
			return s.Met == evidence.MetInPart && exact[s.Asked]
		})
		if t.isOtherDisease(n) || n == 1 && broader && !met {
			left = append(left, t)
		} else {
			kept = append(kept, t)
		}
	}

	if len(kept) == 0 {
		return terms, nil
	}
	return kept, left
}

// mixed finds a group that joins by OR what the question asks together: its tumour with something else, a marker with a
// treatment.
func mixed(terms []termFit) error {
	kinds := [][]evidence.Slot{
		{evidence.SlotTumour}, {evidence.SlotAlteration, evidence.SlotBiomarker}, {evidence.SlotTreatment},
	}
	for i, kind := range kinds {
		for _, other := range kinds[i+1:] {
			for _, a := range terms {
				for _, b := range terms {
					if a.has(kind...) && !a.has(other...) && b.has(other...) && !b.has(kind...) {
						return fmt.Errorf("its terms ‘%s’ and ‘%s’ are alternatives, and the question wants both",
							text.AtWord(a.Text, maxNoted), text.AtWord(b.Text, maxNoted))
					}
				}
			}
		}
	}
	return nil
}
