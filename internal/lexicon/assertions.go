package lexicon

import (
	"slices"
	"strings"
)

// assertion is one statement of a question or a title about a gene, a marker or a metastasis: one of the three is set.
type assertion struct {
	alteration *Alteration
	biomarker  *Biomarker
	metastasis *Circumstance
	Part
	status Status
	either int // the number of its alternatives; 0 if it has none
	// undecided: the text covers patients with and without it: "regardless of", "KRAS wild-type and mutant"
	undecided bool
	positive  bool // its words state that it is present, and do not just name it
}

func (a *assertion) canonical() string {
	switch {
	case a.alteration != nil:
		return a.alteration.canonical()
	case a.biomarker != nil:
		return a.biomarker.canonical()
	}
	return a.metastasis.canonical()
}

// assertionsOf lists the assertions of a text, and those that its tumours' names imply: triple-negative breast cancer
// is HER2-negative.
func (l *Lexicon) assertionsOf(q *Question) []assertion {
	out := q.markers()
	for i := range q.Setting {
		if c := &q.Setting[i]; c.Aspect == aspectMetastasis {
			out = append(out, assertion{metastasis: c, Part: c.Part, status: c.Status})
		}
	}

	for i := range out {
		out[i].undecided = out[i].status == Open || isUndecided(q.Text, &out[i])
		out[i].positive = isSaidPositive(q.Text, out[i].Part)
	}

	for _, e := range l.grown().implying {
		if !l.isNamed(e, q) {
			continue
		}

		for _, text := range e.Implies {
			implied := l.implied(text)
			for _, m := range implied.markers() {
				m.Part, m.either = Part{}, 0
				out = append(out, m)
			}
		}
	}
	return out
}

// markers lists a question's alterations, then its biomarkers.
func (q *Question) markers() []assertion {
	out := make([]assertion, 0, len(q.Alterations)+len(q.Biomarkers))
	for i := range q.Alterations {
		a := &q.Alterations[i]
		out = append(out, assertion{alteration: a, Part: a.Part, status: a.Status, either: a.Either})
	}

	for i := range q.Biomarkers {
		b := &q.Biomarkers[i]
		out = append(out, assertion{biomarker: b, Part: b.Part, status: b.Status, either: b.Either})
	}
	return out
}

const aspectMetastasis = "metastasis"

// isNamed reports whether a text names a tumour, one that it holds, or its qualifier apart from it, as in
// "triple-negative and HR-positive breast cancer".
func (l *Lexicon) isNamed(e *Entry, q *Question) bool {
	return slices.ContainsFunc(q.Tumours, func(c Concept) bool {
		return c.Status == Present && (c.Entry == e || slices.Contains(l.Broader(&c), e.Name))
	}) || slices.ContainsFunc(q.Words, func(w Word) bool {
		return slices.ContainsFunc(e.Qualifiers, func(name string) bool {
			return w.Key == strings.ReplaceAll(fold(name), " ", "")
		})
	})
}

// isUndecided reports whether a text covers both sides of an assertion: by a word before it ("regardless of HRD"),
// behind it ("HRD status") or in it ("HER2-positive and -negative"). Mutations as a title's subject also do: "KRAS
// mutations and benefit from cetuximab".
func isUndecided(text string, c *assertion) bool {
	if a := c.alteration; a != nil && a.Kind == Mutation && a.Status == WildType {
		return true // both words stand beside the gene
	}

	before, own, behind := text[:c.Start], text[c.Start:c.End], text[c.End:]
	if m := forms("both before").FindAllStringIndex(before, -1); m != nil {
		if !forms("next phrase").MatchString(before[m[len(m)-1][1]:]) {
			return true
		}
	}

	if forms("both behind").MatchString(behind) || c.Start == 0 && forms("a subject").MatchString(own) {
		return true
	}
	own = forms("not").ReplaceAllString(strings.ToLower(own+forms("the other").FindString(behind)), "un")
	return slices.ContainsFunc(counterparts(), func(pair []string) bool {
		return strings.Contains(own, pair[1]) && strings.Contains(strings.ReplaceAll(own, pair[1], ""), pair[0])
	})
}

// isSaidPositive reports whether a marker's own words, or those joined to it, state that it is present:
// "PD-L1-expressing", "EGFR sensitising mutation".
func isSaidPositive(text string, p Part) bool {
	if forms("mutated behind").MatchString(text[p.End:]) {
		return true
	}

	end := p.End
	if n := strings.IndexByte(text[end:], ' '); n >= 0 {
		end += n
	} else {
		end = len(text)
	}
	return forms("said positive").MatchString(text[p.Start:end])
}
