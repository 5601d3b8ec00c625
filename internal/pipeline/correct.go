package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"dossier/internal/evidence"
)

// CorrectAnswers resamples, from the stored assessments, every stored answer whose sample holds what is no longer
// evidence, lacks a record whose retraction was withdrawn, lists a trial that no longer passes the topic's filter, or
// ranks by outdated curators' statements. So an answer is right the same night, whichever topics run. It returns the
// topics; the error is the store's.
func (p *Pipeline) CorrectAnswers(ctx context.Context, store Library) (topics []string, err error) {
	now := p.Now()

	ids, err := store.TopicIDs()
	if err != nil {
		return nil, fmt.Errorf("listing the topics: %w", err)
	}

	for _, id := range ids {
		changed := false

		err := store.Turn(ctx, func(ctx context.Context) (err error) {
			changed, err = p.correctTopic(ctx, store, id, now)
			return err
		})
		if err != nil {
			return topics, err
		}

		if changed {
			topics = append(topics, id)
		}
	}
	return topics, ctx.Err()
}

// correctTopic corrects one topic's answer, if needed.
func (p *Pipeline) correctTopic(ctx context.Context, store Library, id string, now time.Time) (changed bool, err error) {
	a, ok, err := store.Answer(id)
	if err != nil {
		return false, fmt.Errorf("reading the answer on topic %s: %w", id, err)
	}

	if !ok {
		return false, nil
	}

	if changed, err = p.correct(store, &a); err != nil {
		return false, fmt.Errorf("correcting the answer on topic %s: %w", id, err)
	}

	if !changed {
		return false, nil
	}
	a.Corrected = now.UTC()
	return true, commit(ctx, store, evidence.Batch{Answers: []evidence.Answer{a}})
}

// correct resamples an answer if needed. New citations are no reason: a board's sample changes only with a new search,
// or because it was wrong.
func (p *Pipeline) correct(view View, a *evidence.Answer) (bool, error) {
	assessed, moved, err := reassess(view, a)
	if err != nil {
		return false, err
	}
	asked := p.Lexicon.Understand(a.Topic.Question)
	otherwise := p.putForward(&asked, a.Topic.SkipScreening, assessed)
	p.enter(&asked, assessed)

	readings, warnings, err := p.readings(view, a.Topic.ID)
	if err != nil {
		return false, err
	}

	for _, w := range warnings {
		p.Log.Warn("reading marks", "topic", a.Topic.ID, "trouble", w)
	}

	here := readings != nil
	if !here { // whose readers excluded what came with the answer
		readings = func(r *evidence.Record) *evidence.Reading {
			for id, reading := range a.Readings {
				if cmp.Or(moved[id], id) == r.ID {
					return reading
				}
			}
			return nil
		}
	}
	ApplyReadings(assessed, readings)
	sound, _ := candidates(assessed) // another report of the study replacing it is no reason either

	isSound := map[string]bool{}
	for _, s := range sound {
		isSound[s.Record.ID] = true
	}
	now := *a
	now.Counts.Merged += len(a.Assessments) - len(assessed)
	setSample(&now, assessed, p.Lexicon.DrugsIn)
	wrong := func(id string) bool { return !isSound[id] }

	sample := renamed(a.Sample, moved)
	switch {
	case otherwise, slices.ContainsFunc(sample, wrong),
		!sameMembers(renamed(a.Removed, moved), now.Removed), !sameMembers(renamed(a.Trials, moved), now.Trials),
		!sameMembers(renamed(a.Excluded, moved), now.Excluded),
		here && (a.LearntFrom > 0 || now.LearntFrom > 0) && !slices.Equal(sample, now.Sample):
		*a = now
		return true, nil
	}
	return false, nil
}

// reassess returns an answer's assessments with their current records, in order of record id, and whether records are
// gone. Scores stay; what follows from the records alone (bucket, exclusion) is computed again.
func reassess(view View, a *evidence.Answer) (assessed []Assessed, moved map[string]string, err error) {
	moved = map[string]string{}

	seen := map[string]int{} // places in assessed
	for _, as := range a.Assessments {
		r, ok, err := view.Record(as.Record)
		if err != nil {
			return nil, nil, fmt.Errorf("reading record %s: %w", as.Record, err)
		}

		if !ok {
			continue
		}

		if r.ID != as.Record {
			moved[as.Record] = r.ID
		}

		if at, is := seen[r.ID]; is {
			kept := &assessed[at].Assessment
			kept.Layer = narrower(kept.Layer, as.Layer)
			continue
		}
		seen[r.ID] = len(assessed)
		k := KindInTopic(&r, as.StudyType)
		as.Record, as.Bucket, as.BucketSource, as.Design = r.ID, k.Bucket, k.Source, k.Design
		as.Excluded = exclusionReason(&r, k)
		assessed = append(assessed, Assessed{Record: r, Assessment: as})
	}
	slices.SortFunc(assessed, func(a, b Assessed) int { return cmp.Compare(a.Record.ID, b.Record.ID) })
	return assessed, moved, nil
}

func sameMembers(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// renamed keeps the order; of two ids that became one, the first.
func renamed(ids []string, moved map[string]string) []string {
	var out []string

	seen := map[string]bool{}
	for _, id := range ids {
		if to, ok := moved[id]; ok {
			id = to
		}

		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}
