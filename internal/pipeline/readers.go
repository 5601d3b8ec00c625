package pipeline

import (
	"fmt"

	"dossier/internal/evidence"
)

// ReadingOf returns readers' joint decision on a record; nil where there is none that counts.
type ReadingOf func(r *evidence.Record) *evidence.Reading

// Readers returns readers' decisions on a topic's records. Current maps an id to the record's present one. The warnings
// are on unreadable marks.
type Readers func(topic string, current func(id string) (string, error)) (of ReadingOf, warnings []string, err error)

// readings loads readers' decisions on a topic; the result is nil where there are none.
func (p *Pipeline) readings(view View, topic string) (ReadingOf, []string, error) {
	return p.Readers.On(topic, view.Record)
}

// On loads readers' decisions on a topic, whose records record finds. Readers may be nil.
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

// ApplyReadings adds readers' decisions, and what is learnt from them, to records. It changes no judgement: neither
// whether a record passed, nor how directly it answers, nor its bucket.
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

// excludedByReaders lists the records that readers have excluded, in their order.
func excludedByReaders(assessed []Assessed) (excluded []string) {
	for i := range assessed {
		if assessed[i].Assessment.Reading.IsExcluded() {
			excluded = append(excluded, assessed[i].Record.ID)
		}
	}
	return excluded
}

// learntFrom counts the marks from which the records' order was learnt.
func learntFrom(assessed []Assessed) int {
	for i := range assessed {
		if l := assessed[i].Assessment.Learned; l != nil {
			return l.Kept + l.Excluded
		}
	}
	return 0
}

// Redraw adds readers' current decisions to an answer, whose records are assessed in the order of its assessments, and
// draws its sample again if they changed. Judgements stay. Without marks here (of is nil), the answer stays as it came,
// with readers' decisions made elsewhere.
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
	setSample(a, assessed, drugsIn)
}
