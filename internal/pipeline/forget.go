package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// forgetAsked removes live questions from the store when their time is up, and when a topic of the files asks the same
// and has its answer: then a person has adopted it. They belong to their askers, and no one else keeps them. Earlier
// generations' copies go with these.
func (r *run) forgetAsked(ctx context.Context, topics []evidence.Topic) error {
	ids, err := r.store.TopicIDs()
	if err != nil {
		return storeError{fmt.Errorf("listing the topics: %w", err)}
	}

	ids = slices.DeleteFunc(ids, func(id string) bool { return !evidence.IsLiveTopic(id) })
	if len(ids) == 0 {
		return nil
	}

	adopted := map[string]bool{}
	for i := range topics {
		_, ok, err := r.store.Answer(topics[i].ID)
		if err != nil {
			return storeError{fmt.Errorf("reading the answer to %s: %w", topics[i].ID, err)}
		}
		key := r.keyOf(topics[i].Question)
		adopted[key] = adopted[key] || ok
	}

	var drop []string
	for _, id := range ids {
		answer, ok, err := r.store.Answer(id)
		if err != nil {
			return storeError{fmt.Errorf("reading the answer to %s: %w", id, err)}
		}

		isOver := r.opts.KeepAsked > 0 && r.Now().Sub(answer.Built) > r.opts.KeepAsked
		if ok && (isOver || adopted[r.keyOf(answer.Topic.Question)]) {
			drop = append(drop, id)
		}
	}

	if len(drop) == 0 {
		return nil
	}
	r.unsaved = true
	r.note(fmt.Sprintf("forgotten of what was asked live: %s, since the time is up or a topic asks the same",
		text.Plural(len(drop), "question")))
	return r.store.Turn(ctx, func(ctx context.Context) error {
		return commit(ctx, r.store, evidence.Batch{DropTopics: drop, Run: r.snapshot()})
	})
}

// keyOf is equal for all questions that ask the same, whatever words of them stayed with the asker; a question that is
// not understood has its own key.
func (r *run) keyOf(question string) string {
	understood := r.Lexicon.Understand(question)
	return cmp.Or(understood.Key(), evidence.LiveTopicID(understood.Text))
}
