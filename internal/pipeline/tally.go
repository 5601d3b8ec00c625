package pipeline

import (
	"fmt"
	"slices"

	"dossier/internal/evidence"
)

// tally counts the papers that pass by the rules while rings are asked, before anything is stored: fetched records are
// joined in memory with the store's, so that copies count once.
type tally struct {
	*Pipeline
	under  *pending
	store  *Overlay
	topic  evidence.Topic
	asks   Question
	joined map[string]bool // origin keys
	passes map[string]bool // by record id
}

// countPassing counts the passing papers found so far.
func (t *tally) countPassing(found Gathered) (int, error) {
	if err := t.join(found); err != nil {
		return 0, fmt.Errorf("counting what passes of topic %s: %w", t.topic.ID, err)
	}

	ids, _, _, err := recordIDs(t.store, &found)
	if err != nil {
		return 0, err
	}

	passing := 0
	for _, id := range ids {
		passes, known := t.passes[id]
		if !known {
			r, ok, err := t.store.Record(id)
			if err != nil {
				return 0, fmt.Errorf("reading record %s: %w", id, err)
			}
			passes = ok && exclusionReason(&r, KindOf(&r)) == "" && t.passesBy(assessByRules(t.asks, &r, 0))
			t.passes[id] = passes
		}
		passing += boolToInt(passes)
	}
	return passing, nil
}

// passesBy ignores the text's own ranking, which only separates records of one kind.
func (t *tally) passesBy(a evidence.Assessment) bool {
	return t.topic.SkipScreening || a.Relevant && a.Score >= t.Settings.PassScore
}

// join adds the records since the last ring, and those found that other current topics have fetched.
func (t *tally) join(found Gathered) error {
	fresh := slices.DeleteFunc(t.under.with(found), func(r evidence.Record) bool {
		return len(r.Origins) != 1 || t.joined[r.Origins[0].Key()]
	})

	identified, err := Identify(t.store, fresh)
	if err != nil {
		return err
	}
	t.store.apply(identified.Batch)

	for _, r := range fresh {
		t.joined[r.Origins[0].Key()] = true
	}

	for _, m := range identified.Batch.Put {
		delete(t.passes, m.Record.ID) // a copy may have added what the record lacked
	}
	return nil
}
