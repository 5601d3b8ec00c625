package reader

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/store"
)

// Before returns what a topic's earlier answers showed, oldest first, with the records' present ids: a paper that has
// got its PMID is not gone. The history is in the generation itself, so that the same generation gives the same. Only a
// topic's answer has one.
func (a *Asker) Before(shown *answer.Answer) ([]evidence.Snapshot, error) {
	if shown.Origin != answer.FromTopic {
		return nil, nil
	}

	history, err := a.history(a.Store, shown.Answer.Topic.ID)
	if n := len(history); n > 0 && !history[n-1].Built.Before(shown.Answer.Changed()) {
		history = history[:n-1] // the answer itself
	}
	return history, err
}

// history returns what a topic showed in a generation and before, with the records' present ids.
func (a *Asker) history(in *store.Reader, topic string) ([]evidence.Snapshot, error) {
	history, err := in.History(topic)
	if err == nil {
		history, err = evidence.ResolvedHistory(history, a.Store.Record)
	}

	if err != nil {
		return nil, fmt.Errorf("what the topic %s showed before: %w", topic, err)
	}
	return history, nil
}

// Since selects the earlier answer of a topic to compare with; the zero value is the last that showed something else.
type Since struct {
	Time       time.Time // what was shown then
	Generation int       // that generation's content
	LastReport bool      // the basis of the topic's last report
}

// ErrNoTopic is returned for a topic without an answer in the store.
var ErrNoTopic = errors.New("the store has no topic of that name")

// Changes returns the changes of the topics since then. Without topics it covers all, in order of id.
func (a *Asker) Changes(
	ctx context.Context, since Since, topics ...string,
) (changed []evidence.TopicChanges, err error) {
	stored, err := a.storedTopics()
	if err != nil {
		return nil, err
	}

	for _, t := range topics {
		if !slices.ContainsFunc(stored, func(s evidence.TopicInfo) bool { return s.ID == t }) {
			return nil, fmt.Errorf("%.200q: %w; `query topics` lists them", t, ErrNoTopic)
		}
	}

	before := a.Store
	if since.Generation > 0 {
		if before, err = a.Place.OpenGeneration(ctx, since.Generation); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, before.Close()) }()
	}

	for _, t := range stored {
		if err := ctx.Err(); err != nil {
			return nil, err
		}

		if len(topics) > 0 && !slices.Contains(topics, t.ID) || len(topics) == 0 && !t.ListedFor(a.User) {
			continue
		}

		one, err := a.topicChanges(ctx, since, before, t)
		if err != nil {
			return nil, err
		}
		changed = append(changed, one)
	}
	return changed, nil
}

func (a *Asker) topicChanges(
	ctx context.Context, since Since, in *store.Reader, t evidence.TopicInfo,
) (evidence.TopicChanges, error) {
	changed := evidence.TopicChanges{ID: t.ID, Question: t.Question, Tags: answer.NotNull(t.Tags),
		Items: []evidence.Change{}}

	shown, err := a.withID(ctx, t.ID, nil)
	if err == nil && shown == nil {
		err = fmt.Errorf("the answer to topic %.200q is not in the store", t.ID)
	}

	if err != nil {
		return changed, err
	}
	changed.Until = shown.Answer.Changed().UTC()

	now := evidence.SnapshotOf(shown.Sample, shown.Trials, shown.Removed, shown.Excluded)
	if since == (Since{}) {
		history, err := a.Before(shown)
		if err != nil {
			return changed, err
		}

		if len(history) == 0 {
			changed.Note = "This is the first answer: there is nothing to compare it with."
			return changed, nil
		}
		changed.Since, changed.Items = evidence.LastChanges(history, &now)
		return changed, nil
	}
	before, note, err := a.shownThen(since, in, t.ID)

	changed.Note = note
	if err != nil || before == nil {
		return changed, err
	}

	if !before.Built.IsZero() {
		changed.Since = before.Built.UTC()
	}
	changed.Items = answer.NotNull(evidence.ChangesBetween(before, &now))
	return changed, nil
}

// shownThen returns what a topic showed then: nothing, with a note, where it had no answer yet, and nil where the time
// is unknown.
func (a *Asker) shownThen(since Since, in *store.Reader, topic string) (*evidence.Snapshot, string, error) {
	history, err := a.history(in, topic)
	if err != nil {
		return nil, "", err
	}

	then := since.Time
	if since.LastReport {
		reported, ok, err := store.LastReported(a.Dir, topic)
		if err != nil || !ok {
			return nil, "No report on the topic was noted: `query report` notes each.", err
		}
		then = reported.Answer
	}

	for _, s := range slices.Backward(history) {
		if since.Generation > 0 || !s.Built.After(then) {
			return &s, "", nil
		}
	}
	return &evidence.Snapshot{}, "The topic had no answer then: all of it is new.", nil
}
