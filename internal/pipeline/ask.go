package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"dossier/internal/evidence"
)

// LiveTopicPrefix begins the ids of questions that were asked live, which no topic file holds.
const LiveTopicPrefix = "asked-"

// LiveTopicID names a question that was asked live: the same question gets the same id.
func LiveTopicID(question string) string {
	sum := sha256.Sum256([]byte(evidence.NormalQuestion(question)))
	return LiveTopicPrefix + hex.EncodeToString(sum[:8])
}

// Ask is the live answer to a question that the store does not hold: the same steps for one topic, beside a store that is
// only read. What it fetched and judged comes along, for the inbox. The second result lists what failed on the
// way; the error is as of a topic that failed in a run.
func (p *Pipeline) Ask(ctx context.Context, view View, topic evidence.Topic, run string) (evidence.InboxAnswer, []string, error) {
	store := NewOverlay(view)
	known := func(key string) (bool, error) {
		_, ok, err := view.SourceRecord(key)
		return ok, err
	}
	g, err := p.gather(ctx, view, known, topic)
	if err != nil {
		return evidence.InboxAnswer{}, nil, err
	}
	answer, problems, err := p.answer(ctx, store, g, run)
	if err != nil {
		return evidence.InboxAnswer{}, nil, err
	}
	p.Progress.Topic(Event{Topic: topic.ID, Stage: StageDone, Done: answer.Counts.Sampled, Of: answer.Counts.Unique, Message: summary(answer.Counts)})
	in := store.changes()
	in.Answer = answer
	return in, problems, nil
}

// TakeIn puts an inbox answer into the store, in one transaction: its records through the same identity rules as any
// others, its judgements, and the Answer itself, unless the topic has a newer one. The answer's record ids follow where
// the records have gone in the meantime.
func TakeIn(ctx context.Context, store Store, in evidence.InboxAnswer) error {
	identified, err := Identify(store, in.SourceRecords)
	if err != nil {
		return fmt.Errorf("taking in the answer on %q: %w", in.Answer.Topic.Question, err)
	}
	batch := identified.Batch
	batch.Judgements = in.Judgements
	newest, had, err := store.Answer(in.Answer.Topic.ID)
	if err != nil {
		return fmt.Errorf("reading the last answer on topic %s: %w", in.Answer.Topic.ID, err)
	}
	if !had || newest.Built.Before(in.Answer.Built) {
		preview := NewOverlay(store)
		if err := preview.Commit(ctx, batch); err != nil {
			return err
		}
		moved, err := movedIDs(preview, in.Records)
		if err != nil {
			return err
		}
		batch.Answers = []evidence.Answer{renameIn(in.Answer, moved)}
	}
	if batch.Empty() {
		return nil
	}
	return commit(ctx, store, batch)
}

// movedIDs finds where the inbox's records are now, by their origins.
func movedIDs(view View, records []evidence.Merged) (map[string]string, error) {
	moved := map[string]string{}
	for _, m := range records {
		for _, origin := range m.Record.Origins {
			id, _, ok, err := view.RecordOf(origin.Key())
			if err != nil {
				return nil, fmt.Errorf("looking up the record of %s: %w", origin.Key(), err)
			}
			if ok && id != m.Record.ID {
				moved[m.Record.ID] = id
			}
			if ok {
				break
			}
		}
	}
	return moved, nil
}

func renameIn(a evidence.Answer, moved map[string]string) evidence.Answer {
	a.Sample, a.Trials, a.Removed = renamed(a.Sample, moved), renamed(a.Trials, moved), renamed(a.Removed, moved)
	assessments := make([]evidence.Assessment, 0, len(a.Assessments))
	seen := map[string]bool{}
	for _, as := range a.Assessments {
		if to, ok := moved[as.Record]; ok {
			as.Record = to
		}
		if !seen[as.Record] {
			seen[as.Record] = true
			assessments = append(assessments, as)
		}
	}
	a.Assessments = assessments
	return a
}

// renamed keeps the order, and of two ids that became one the first.
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
