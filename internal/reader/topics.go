package reader

import (
	"context"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/health"
	"dossier/internal/render"
)

// RetiredTopics lists the topics that no topic file has any more, in order of id.
func (r *Reader) RetiredTopics() ([]render.Topic, error) {
	if err := r.damaged(); err != nil {
		return nil, err
	}

	if r.Store == nil {
		return nil, r.Missing
	}
	fared, err := health.Read(r.Store, nil, r.App.User)
	return r.aged(fared.Retired), err
}

// Topics lists the topics of the store, in order of id, and then the waiting live answers; of live questions only the
// reader's own. Without either, and without a store, it returns an error.
func (r *Reader) Topics(ctx context.Context) (topics []render.Topic, warnings []string, err error) {
	if err := r.damaged(); err != nil {
		return nil, nil, err
	}

	if topics, err = r.storedTopics(); err != nil {
		return nil, nil, err
	}

	waiting, warnings := r.waitingTopics(ctx)
	if topics = append(topics, waiting...); len(topics) == 0 {
		return nil, warnings, r.Missing
	}
	return topics, warnings, nil
}

func (r *Reader) storedTopics() ([]render.Topic, error) {
	if r.Store == nil {
		return nil, nil
	}
	fared, err := health.Read(r.Store, nil, r.App.User)
	return r.aged(fared.Topics), err
}

// aged are topics with the age of their answers.
func (r *Reader) aged(answered []health.Topic) []render.Topic {
	now, staleAfter := r.App.Now(), r.App.Config.Store.StaleAfter.Std()

	var topics []render.Topic
	for _, topic := range answered {
		if topic.Built.IsZero() {
			continue // no run has answered it: `indexer status` reports it
		}
		age := now.Sub(topic.Built)
		topics = append(topics, render.Topic{Topic: topic, Age: age, Stale: evidence.TooOld(age, staleAfter)})
	}
	return topics
}

// waitingTopics lists the waiting live answers. Of an unvouched one it shows only the question.
func (r *Reader) waitingTopics(ctx context.Context) (topics []render.Topic, warnings []string) {
	entries, warnings := Waiting(ctx, r.App.Config.Data)
	for i := range entries {
		if entries[i].Owner != r.App.User {
			continue // it is its asker's
		}
		answer := &entries[i].Answer
		age := r.App.Now().Sub(answer.Built)

		topic := render.Topic{
			Topic: health.Topic{ID: answer.Topic.ID, Question: answer.Topic.Question, Built: answer.Built.UTC()},
			Age:   age, Stale: evidence.TooOld(age, r.App.Config.Store.StaleAfter.Std()), Live: LiveOf(&entries[i]),
		}
		if entries[i].Trusted {
			topic.Counts, topic.Trouble = answer.Counts, answer.Trouble()
		}
		topics = append(topics, topic)
	}
	slices.SortFunc(topics, func(a, b render.Topic) int { return strings.Compare(a.ID, b.ID) })
	return topics, warnings
}
