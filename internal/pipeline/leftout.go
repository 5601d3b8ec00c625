package pipeline

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// noteLeftOut sets how the question was read, and for every layer which parts of the question it does not ask for; the
// answer as a whole lacks what the narrowest ring lacks that found any paper. A query written by hand is not checked.
func (p *Plan) noteLeftOut(d Dictionary, asked *lexicon.Question) {
	if p.Accepted.By == ByHand {
		return
	}
	p.Accepted.Readings = asked.Readings
	p.Accepted.LeftOut = leftOutBy(d, asked, p.Query.Node, p.Accepted.By)
	first := p.narrowestFound()

	outermost := p.Accepted.LeftOut
	for i, node := range p.Others {
		other := &p.Accepted.Other[i]

		other.LeftOut = leftOutBy(d, asked, node, other.By)
		if other.Layer == first && first < p.Accepted.Layer {
			p.Accepted.LeftOut, p.Accepted.Broadened = other.LeftOut, outermost
		}
	}
}

// narrowestFound is the narrowest layer for which any source of papers had something; 0 where none had.
func (p *Plan) narrowestFound() int {
	first := 0
	for name, a := range p.Answers {
		for _, ring := range a.Rings {
			if !evidence.IsRegistry(name) && ring.hits() > 0 {
				first = narrower(first, ring.Layer)
			}
		}
	}
	return first
}

// leftOutBy lists what a layer leaves out; for a layer of model and rules together, also what the model's part alone
// leaves out: the layer also finds what that part finds.
func leftOutBy(d Dictionary, asked *lexicon.Question, query boolean.Node, by string) []string {
	out := leftOut(d, asked, query)
	if !strings.HasSuffix(by, " and "+ByRules) {
		return out
	}

	own := boolean.Query{Groups: boolean.Alternatives(query)[0]}
	for _, name := range leftOut(d, asked, own.Node()) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// leftOut lists the values of a question's slots that no term of a query asks for, in the order of the slots; a value
// that is asked for more broadly names the broader words: "KRAS G12C, asked as KRAS".
func leftOut(d Dictionary, asked *lexicon.Question, query boolean.Node) []string {
	values := valuesOf(asked)

	met, wider := make([]bool, len(values)), make([]string, len(values))
	for _, term := range boolean.Terms(query) {
		parsed := d.Understand(term.Text)

		meets := false
		for i, v := range values {
			lacks := func(d lexicon.Difference) bool { return len(d.Asked) > 0 }
			if !slices.ContainsFunc(lexicon.Differences(&v.alone, &parsed), lacks) {
				met[i], meets = true, true
			}
		}

		for i, v := range values {
			if !meets && wider[i] == "" && v.isWidenedBy(&parsed) {
				wider[i] = term.Text
			}
		}
	}

	var out []string
	for i, v := range values {
		name := v.name
		if wider[i] != "" {
			name += ", asked as " + wider[i]
		}

		if !met[i] && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// slotValue is one value of one of a question's slots.
type slotValue struct {
	name  string           // in canonical words
	alone lexicon.Question // a question for it alone
}

// valuesOf splits a question into values. The role of a drug (as given, as compared with, as given before) and which
// values are alternatives do not affect the search.
func valuesOf(q *lexicon.Question) []slotValue {
	var parts []lexicon.Question
	for _, c := range q.Tumours {
		parts = append(parts, lexicon.Question{Tumours: []lexicon.Concept{c}})
	}

	for _, c := range q.Conditions {
		parts = append(parts, lexicon.Question{Conditions: []lexicon.Concept{c}})
	}

	for _, a := range q.Alterations {
		a.Either = 0
		parts = append(parts, lexicon.Question{Alterations: []lexicon.Alteration{a}})
	}

	for _, b := range q.Biomarkers {
		b.Either = 0
		parts = append(parts, lexicon.Question{Biomarkers: []lexicon.Biomarker{b}})
	}

	for _, drug := range q.Drugs {
		switch drug.Role {
		case lexicon.NotPrior, lexicon.Excluded: // no query asks for these
		case lexicon.Withheld:
			if q.AsksWithheld() {
				drug.Role = lexicon.Given
			}
		default:
			drug.Role = lexicon.Given
		}
		parts = append(parts, lexicon.Question{Drugs: []lexicon.Drug{drug}})
	}

	for _, c := range q.Setting {
		parts = append(parts, lexicon.Question{Setting: []lexicon.Circumstance{c}})
	}

	for _, w := range q.Words {
		parts = append(parts, lexicon.Question{Words: []lexicon.Word{w}})
	}

	var out []slotValue
	for _, alone := range parts {
		for _, d := range lexicon.Differences(&alone, &lexicon.Question{}) {
			for _, name := range d.Asked {
				out = append(out, slotValue{name, alone})
			}
		}
	}
	return out
}

// isWidenedBy reports whether a term that asks for no value of the question replaces this one: another tumour for a
// tumour, the gene for its alteration.
func (v slotValue) isWidenedBy(term *lexicon.Question) bool {
	switch {
	case len(v.alone.Tumours) > 0:
		return len(term.Tumours) > 0
	case len(v.alone.Alterations) > 0:
		gene := v.alone.Alterations[0].Gene
		return slices.ContainsFunc(term.Alterations, func(a lexicon.Alteration) bool { return a.Gene == gene })
	}
	return false
}
