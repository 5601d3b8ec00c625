package pipeline

import (
	"fmt"

	"dossier/internal/evidence"
)

// ReadingOf gives what readers have decided of a record together; nil where they have said nothing that counts.
type ReadingOf func(r *evidence.Record) *evidence.Reading

// Readers tell what they have decided of a topic's records. Current gives the id that a record has now. The warnings
// are on what of their marks can't be read.
type Readers func(topic string, current func(id string) (string, error)) (of ReadingOf, warnings []string, err error)

// readings asks the readers, if there are any, of a topic; the result is nil where nobody has said anything.
func (p *Pipeline) readings(view View, topic string) (ReadingOf, []string, error) {
	return p.Readers.On(topic, view.Record)
}

// On asks the readers of a topic, whose records record finds. They may be nil.
func (readers Readers) On(
	topic string, record func(id string) (evidence.Record, bool, error),
) (ReadingOf, []string, error) {
	if readers == nil {
		return nil, nil, nil
	}

	of, warnings, err := readers(topic, func(id string) (string, error) {
		r, ok, err := record(id)
		if err != nil || !ok {
			return id, err
		}
		return r.ID, nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("reading what readers have marked: %w", err)
	}
	return of, warnings, nil
}

// ApplyReadings joins records with what readers have decided of them, and with what is learnt from that. It changes no
// judgement: neither whether a record passed, nor how directly it answers, nor its bucket.
func ApplyReadings(assessed []Assessed, of ReadingOf) {
	for i := range assessed {
		a := &assessed[i]

		a.Assessment.Reading, a.Assessment.Learned = nil, nil
		if of != nil {
			a.Assessment.Reading = of(&a.Record)
		}
	}
	learnOrder(assessed)
}

// excludedByReaders lists the records that readers have excluded, in the order in which they come.
func excludedByReaders(assessed []Assessed) (excluded []string) {
	for i := range assessed {
		if assessed[i].Assessment.Reading.IsExcluded() {
			excluded = append(excluded, assessed[i].Record.ID)
		}
	}
	return excluded
}

// learntFrom counts the marks that the records' order was learnt from.
func learntFrom(assessed []Assessed) int {
	for i := range assessed {
		if l := assessed[i].Assessment.Learned; l != nil {
			return l.Kept + l.Excluded
		}
	}
	return 0
}

// Redraw joins an answer, whose records are assessed in the order of its assessments, with what readers have decided
// by now, and draws its sample anew where that is not what it was drawn by. What was judged stays. Where nobody has
// marked anything here (of is nil), the answer is as it came, with what readers said elsewhere.
func Redraw(a *evidence.Answer, assessed []Assessed, of ReadingOf, drugsIn func(text string) []string) {
	if of == nil {
		for i := range assessed {
			as := &assessed[i].Assessment
			as.Reading = a.Readings[as.Record]
		}
		a.Assessments = assessmentsOf(assessed)
		return
	}
	ApplyReadings(assessed, of)

	if a.LearntFrom == 0 && learntFrom(assessed) == 0 && sameMembers(a.Excluded, excludedByReaders(assessed)) {
		a.Assessments = assessmentsOf(assessed)
		return
	}
	a.Counts.Merged += len(a.Assessments) - len(assessed)
	draw(a, assessed, drugsIn)
}
