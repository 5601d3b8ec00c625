package published

import (
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// line compares earlier treatment, and when the treatment is given.
func (s *scale) line() {
	label, asked := courseOf(&s.t), s.q.course
	for _, intent := range label.intents {
		if !slices.Contains(asked.intents, intent) {
			s.differ(evidence.SlotLine, intent, asked.String())
		}
	}

	for _, intent := range asked.intents {
		if !slices.Contains(label.intents, intent) {
			s.differ(evidence.SlotLine, label.String(), intent)
		}
	}

	switch {
	case label.maintenance != asked.maintenance,
		label.first && !asked.first,
		label.first && asked.later && !asked.maintenance,
		label.later && !asked.later,
		label.later && asked.first,
		label.later && label.priors > max(asked.priors, 1):
		s.differ(evidence.SlotLine, label.String(), asked.String())
	case label.maintenance && label.response && !asked.response:
		s.differ(evidence.SlotLine, "after a response", "")
	}
	s.treatedBefore()
	s.neverGiven()

	if slices.ContainsFunc(s.q.prior, func(d lexicon.Drug) bool { return s.isOwn(&d) }) &&
		!slices.ContainsFunc(priorOf(&s.t), func(d lexicon.Drug) bool { return s.isOwn(&d) }) {
		s.differ(evidence.SlotLine, "", "after "+s.drug.Name)
	}
}

// neverGiven compares treatments that must not have been given, or can't be.
func (s *scale) neverGiven() {
	for i := range s.t.Drugs {
		d := &s.t.Drugs[i]

		isNot := d.Role == lexicon.NotPrior || d.Role == lexicon.Excluded || d.Role == lexicon.Withheld
		if !isNot || d.Role != lexicon.NotPrior && !isSystemic(*d) && s.isSpread() {
			continue // one with metastases is no candidate for an operation
		}
		given := slices.ContainsFunc(s.q.prior, func(p lexicon.Drug) bool { return s.gives(&p, d) })

		told := d.Role == lexicon.NotPrior && s.q.course.first || slices.ContainsFunc(s.q.Drugs, func(o lexicon.Drug) bool {
			return (o.Role == d.Role || o.Role == lexicon.Excluded || o.Role == lexicon.Withheld) && s.gives(d, &o)
		})
		if given || !told {
			s.differ(evidence.SlotLine, "without "+d.Name, before(s.q.prior))
		}
	}
}

// isSpread reports whether the question's tumour has metastases.
func (s *scale) isSpread() bool {
	return slices.Contains(familiesOf(&s.q.Question, true).parts["extent"], "spread")
}

// treatedBefore compares the treatments that must have been given. One of several alternatives suffices.
func (s *scale) treatedBefore() {
	demanded := slices.DeleteFunc(priorOf(&s.t), func(d lexicon.Drug) bool {
		return s.isOwn(&d) || s.isOperation(&d) && slices.Contains(s.q.course.intents, "adjuvant")
	})
	if len(demanded) == 0 {
		return
	}
	first, last := demanded[0].Start, demanded[len(demanded)-1].End
	isEither := strings.Contains(s.t.Text[first:last], " or ")

	var missing []lexicon.Drug
	for _, d := range demanded {
		if !slices.ContainsFunc(s.q.prior, func(p lexicon.Drug) bool {
			return s.gives(&p, &d) || !isNamed(&d) && isSystemic(p)
		}) && (isNamed(&d) || !s.q.course.later) {
			missing = append(missing, d)
		}
	}

	if len(missing) > 0 && (!isEither || len(missing) == len(demanded)) {
		s.differ(evidence.SlotLine, "after "+namesOfDrugs(demanded, " and "), before(s.q.prior))
	}
}

// isOperation reports whether a treatment is an operation: anyone treated adjuvantly has had one.
func (s *scale) isOperation(d *lexicon.Drug) bool {
	surgery, ok := s.words.Lookup(lexicon.KindTreatment, "surgery")
	return ok && s.words.Gives(d, &lexicon.Drug{Name: surgery.Name, Entry: surgery})
}

func before(prior []lexicon.Drug) string {
	if len(prior) == 0 {
		return ""
	}
	return "after " + namesOfDrugs(prior, " and ")
}

// isNamed reports whether a treatment is more than "systemic therapy".
func isNamed(d *lexicon.Drug) bool { return d.Name != "systemic therapy" && d.Name != "therapy" }

// String is a course in words; empty if nothing is known of it.
func (c course) String() string {
	var parts []string
	for _, p := range []struct {
		is   bool
		text string
	}{{c.first, "first-line"}, {c.later && c.priors > 1, fmt.Sprintf("after %d treatments", c.priors)},
		{c.later && c.priors <= 1, "previously treated"}, {c.maintenance, "maintenance"}} {
		if p.is {
			parts = append(parts, p.text)
		}
	}
	return strings.Join(append(slices.Clone(c.intents), parts...), ", ")
}
