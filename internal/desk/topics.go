package desk

import (
	"context"
	"slices"
	"strings"

	"dossier/internal/ask"
	"dossier/internal/evidence"
	"dossier/internal/health"
	"dossier/internal/render"
)

// RetiredTopics lists the topics that no topic file has any more, in order of id.
func (d *Desk) RetiredTopics() ([]render.Topic, error) {
	if err := d.damaged(); err != nil {
		return nil, err
	}

	if d.Reader == nil {
		return nil, d.Missing
	}
	fared, err := health.Read(d.Reader, nil, d.App.User)
	return d.aged(fared.Retired), err
}

// Topics lists the topics of the store, in order of id, and behind them the live answers that wait in the inbox; of
// what was asked live, what the reader asked. Where there is neither, and no store, the error says that.
func (d *Desk) Topics(ctx context.Context) (topics []render.Topic, warnings []string, err error) {
	if err := d.damaged(); err != nil {
		return nil, nil, err
	}

	if topics, err = d.storedTopics(); err != nil {
		return nil, nil, err
	}

	waiting, warnings := d.waitingTopics(ctx)
	if topics = append(topics, waiting...); len(topics) == 0 {
		return nil, warnings, d.Missing
	}
	return topics, warnings, nil
}

func (d *Desk) storedTopics() ([]render.Topic, error) {
	if d.Reader == nil {
		return nil, nil
	}
	fared, err := health.Read(d.Reader, nil, d.App.User)
	return d.aged(fared.Topics), err
}

// aged are topics with the age of their answers.
func (d *Desk) aged(answered []health.Topic) []render.Topic {
	now, staleAfter := d.App.Now(), d.App.Config.Store.StaleAfter.Std()

	var topics []render.Topic
	for _, topic := range answered {
		if topic.Built.IsZero() {
			continue // no run has answered it: `indexer status` tells
		}
		age := now.Sub(topic.Built)
		topics = append(topics, render.Topic{Topic: topic, Age: age, Stale: evidence.TooOld(age, staleAfter)})
	}
	return topics
}

// waitingTopics lists the live answers that wait in the inbox. Of one that nobody vouches for only the question is
// told.
func (d *Desk) waitingTopics(ctx context.Context) (topics []render.Topic, warnings []string) {
	entries, warnings := ask.Waiting(ctx, d.App.Config.Data)
	for i := range entries {
		if entries[i].Owner != d.App.User {
			continue // it is its asker's
		}
		answer := &entries[i].Answer
		age := d.App.Now().Sub(answer.Built)

		topic := render.Topic{
			Topic: health.Topic{ID: answer.Topic.ID, Question: answer.Topic.Question, Built: answer.Built.UTC()},
			Age:   age, Stale: evidence.TooOld(age, d.App.Config.Store.StaleAfter.Std()), Live: ask.LiveOf(&entries[i]),
		}
		if entries[i].Vouched {
			topic.Counts, topic.Trouble = answer.Counts, answer.Trouble()
		}
		topics = append(topics, topic)
	}
	slices.SortFunc(topics, func(a, b render.Topic) int { return strings.Compare(a.ID, b.ID) })
	return topics, warnings
}
