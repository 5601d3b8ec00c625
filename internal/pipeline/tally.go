package pipeline

import (
	"fmt"
	"slices"

	"dossier/internal/evidence"
)

// tally counts the papers that pass by the rules while rings are asked, and nothing of them is in the store yet: what
// was fetched is joined in memory with what the store holds, so that copies count once.
type tally struct {
	*Pipeline
	under  *pending
	store  *Overlay
	topic  evidence.Topic
	asks   Question
	joined map[string]bool // origin keys
	passes map[string]bool // by record id
}

func newTally(p *Pipeline, view View, under *pending, g *gathering) *tally {
	return &tally{Pipeline: p, under: under, store: NewOverlay(view), topic: g.topic, asks: g.judging,
		joined: map[string]bool{}, passes: map[string]bool{}}
}

// of counts among what was found so far.
func (t *tally) of(found Gathered) (int, error) {
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
			passes = ok && whyExcluded(&r, KindOf(&r)) == "" && t.passesBy(assessByRules(t.asks, &r, 0))
			t.passes[id] = passes
		}
		passing += one(passes)
	}
	return passing, nil
}

// passesBy leaves the text's own ranking out, which only parts records of one kind.
func (t *tally) passesBy(a evidence.Assessment) bool {
	return t.topic.SkipScreening || a.Relevant && a.Score >= t.Settings.PassScore
}

// join joins what came since the last ring, and what topics under way have fetched of what was found.
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
		delete(t.passes, m.Record.ID) // a copy may have brought what the record lacked
	}
	return nil
}
