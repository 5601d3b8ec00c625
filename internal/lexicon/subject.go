package lexicon

import (
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// Subject reads records for one question: whom they studied, and whether the question asks about these patients.
type Subject struct {
	*Lexicon
	asked Question
}

// Subject understands a question, and reads records for it.
func (l *Lexicon) Subject(question string) *Subject {
	return &Subject{Lexicon: l, asked: l.Understand(question)}
}

// maxShown is how many tumours or circumstances of a study are named.
const maxShown = 3

// maxHeadings is how many headings and key words of a record are read.
const maxHeadings = 60

// Study returns which tumour a record is on: by its title, then its headings and key words, then its abstract. A part
// that names no tumour, or only one broader than the question's, leaves the decision to the next; if none decides, the
// answer is unknown (docs/METHOD.md, "Reports").
func (s *Subject) Study(r *evidence.Record) evidence.Study {
	asked := s.particular(s.asked.Tumours)

	study := evidence.Study{Asked: evidence.Unknown,
		Why: "neither its title nor its headings nor its abstract names the tumour"}
	if len(asked) == 0 {
		study.Asked, study.Why = evidence.Yes, ""
	}

	own := s.ownFormsOf(r)
	for _, part := range []struct {
		name string
		read func() []Concept
	}{
		{"title", func() []Concept { return s.tumoursIn(own.in(r.Title)) }},
		{"headings", func() []Concept { return s.headed(r) }},
		{"abstract", func() []Concept { return s.tumoursIn(own.in(r.AbstractText())) }},
	} {
		all := part.read()

		named := specific(all)
		if len(study.Tumours) == 0 {
			study.Tumours = shownNames(all)
		}

		if study.Asked == evidence.Yes && len(study.Tumours) > 0 {
			break
		}

		if len(named) == 0 || len(asked) == 0 {
			continue
		}

		onQuestion := slices.DeleteFunc(slices.Clone(named), func(n Concept) bool {
			return !slices.ContainsFunc(asked, func(a Concept) bool { return s.Holds(&a, &n) })
		})
		if len(onQuestion) > 0 {
			return evidence.Study{Tumours: shownNames(onQuestion), Asked: evidence.Yes}
		}

		if slices.ContainsFunc(named, func(n Concept) bool {
			return slices.ContainsFunc(asked, func(a Concept) bool { return s.Holds(&n, &a) })
		}) {
			study.Why = fmt.Sprintf("it is on %s, which is broader than %s", namesOf(named[:min(len(named), maxShown)]),
				namesOf(asked))
			continue
		}

		if len(s.othersThan(asked, named)) == 0 {
			continue
		}
		study.Asked, study.Tumours = evidence.No, shownNames(named)
		study.Why = fmt.Sprintf("its %s is on %s, not on %s", part.name, strings.Join(study.Tumours, ", "), namesOf(asked))
		return study
	}
	return study
}

// tumoursIn lists the tumours that a text names.
func (s *Subject) tumoursIn(text string) []Concept { return s.Read(text).Tumours }

// headed reads headings and key words one by one: side by side they would be composed into tumours that none of them
// names.
func (s *Subject) headed(r *evidence.Record) []Concept {
	var out []Concept

	words := slices.Clone(r.Keywords)
	for _, h := range r.MeSH {
		words = append(words, h.Name)
	}

	for _, w := range words[:min(len(words), maxHeadings)] {
		out = append(out, s.tumoursIn(w)...)
	}
	return out
}

// shownNames returns the tumours' names, once each; words such as "cancer" only if there is no more specific one.
func shownNames(all []Concept) []string {
	show := specific(all)
	if len(show) == 0 {
		show = all
	}

	var names []string
	for _, c := range show {
		if !slices.Contains(names, c.Name) && len(names) < maxShown && c.Status == Present {
			names = append(names, c.Name)
		}
	}
	return names
}

// Setting names the line, intent, stage, metastases and age that a text states: "second-line", "metastatic"; a number
// of years is no setting.
func (s *Subject) Setting(text string) []string {
	var out []string
	for _, c := range s.Read(text).Setting {
		switch c.Aspect {
		case "line", "intent", "stage", "metastasis", "age":
			if c.Status == Present && c.Entry != nil && !slices.Contains(out, c.Value) && len(out) < maxShown {
				out = append(out, c.Value)
			}
		}
	}
	return out
}

// OtherTumour returns that a sentence is on another tumour than the question's: it names one, but neither the
// question's nor one that holds it or is held by it. It is empty if the sentence is not.
func (s *Subject) OtherTumour(sentence string) string {
	t := s.Read(sentence)
	return s.otherTumour(&s.asked, &t)
}
