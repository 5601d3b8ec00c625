package grounding

import (
	"slices"

	"dossier/internal/lexicon"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// markTogether marks a number that a record has, but of something else than the clause states: no record with the
// number names the drugs, tumours and genes of the clause, or the record's sentence states another status of the
// marker, or other patients.
func (g *Checker) markTogether(text string, told []results.Quantity, sources []*Source) []Mark {
	var out []Mark
	for _, sentence := range plaintext.SentenceSpans(text) {
		for _, c := range results.Clauses(sentence.In(text)) {
			clause := plaintext.Span{Start: sentence.Start + c.Start, End: sentence.Start + c.End}

			here := slices.DeleteFunc(slices.Clone(told), func(q results.Quantity) bool {
				return q.Start < clause.Start || q.End > clause.End || !tells(q) || q.Pair != 0 ||
					forms("whole before").MatchString(text[:q.Start])
			})
			if len(sources) > 1 && !slices.ContainsFunc(sources, func(s *Source) bool { return s.hasAll(here) }) {
				continue // it compares records with each other
			}

			for _, q := range here {
				if why := g.elsewhere(q, clause.In(text), sources); why != "" {
					out = append(out, newMark(MarkNumber, text, q.Span, why))
				}
			}
		}
	}
	return out
}

// hasAll reports whether a record has all of the numbers.
func (s *Source) hasAll(told []results.Quantity) bool {
	all := s.allQuantities()
	return !slices.ContainsFunc(told, func(q results.Quantity) bool {
		return !slices.ContainsFunc(all, func(r results.Quantity) bool { return results.BornOut(q, r) })
	})
}

// elsewhere explains why a clause's number belongs to something else in every place where the records have it; empty if
// one of them fits, or none has it.
func (g *Checker) elsewhere(q results.Quantity, clause string, sources []*Source) (why string) {
	for _, s := range sources {
		for _, sentence := range s.sentences {
			if !slices.ContainsFunc(sentence.quantities, func(r results.Quantity) bool { return results.BornOut(q, r) }) {
				continue
			}

			if len(sources) > 1 && slices.ContainsFunc(g.words.Unsupported(clause, []*lexicon.Said{s.said(g.words)}),
				func(u lexicon.Unsupported) bool { return isName(u) && !g.tellsParts(clause[u.Start:u.End], s) }) {
				why = "the cited record that has this number is on something else"
				continue
			}

			if g.isOfThese(clause, sentence.text, s) {
				return ""
			}
			why = "the cited record has this number for another group of patients"
		}
	}
	return why
}

// isOfThese reports whether a record's sentence may be about the patients of a clause: whatever the record states about
// them, it states in that sentence, or about all its patients. What something is compared with is no evidence on them.
func (g *Checker) isOfThese(clause, sentence string, s *Source) bool {
	here := g.words.Said([]string{sentence})

	anywhere := g.words.Unsupported(clause, []*lexicon.Said{s.said(g.words)})
	for _, u := range g.words.Unsupported(clause, []*lexicon.Said{here, s.ofAll(g.words)}) {
		isOther := here.Tells(u.Of)
		if u.Kind == lexicon.KindSetting || u.Kind == lexicon.KindTumour {
			isOther = isOther || !slices.Contains(anywhere, u) // else it has a mark of its own
		}

		if isOther && !results.IsCompared(clause[:u.Start]) {
			return false
		}
	}
	return true
}

// markDoses marks a dose that the records give for another drug.
func (g *Checker) markDoses(text string, told []results.Quantity, sources []*Source) []Mark {
	var out []Mark
	for _, q := range told {
		if !isDose(q) {
			continue
		}

		drug := g.dosed(text, q)
		if drug == "" {
			continue
		}

		seen, fits := false, false
		for _, s := range sources {
			for _, sentence := range s.sentences {
				for _, r := range sentence.quantities {
					if !isDose(r) || !results.BornOut(q, r) {
						continue
					}
					given := g.dosed(sentence.text, r)
					seen, fits = true, fits || given == "" || given == drug
				}
			}
		}

		if seen && !fits {
			out = append(out, newMark(MarkNumber, text, q.Span, "the cited record gives this dose for another drug"))
		}
	}
	return out
}

// isDose reports whether a number has a unit of weight or of radiation.
func isDose(q results.Quantity) bool { return forms("dose unit").MatchString(string(q.Measure)) }

// dosed is the drug whose dose a number is: the last one before it in its sentence; empty if none is named.
func (g *Checker) dosed(text string, q results.Quantity) string {
	for _, s := range plaintext.SentenceSpans(text) {
		if q.Start < s.Start || q.End > s.End {
			continue
		}

		name := ""
		for _, d := range g.words.Read(text[s.Start:q.Start]).Drugs {
			if !d.Class {
				name = d.Name
			}
		}
		return name
	}
	return ""
}

// isName reports whether the unsupported thing is a drug, a tumour, a gene or its change.
func isName(u lexicon.Unsupported) bool { return u.Kind != lexicon.KindSetting }
