package database

import (
	"bytes"
	"fmt"

	"dossier/internal/evidence"
)

func (b *commit) putAnswers() error {
	for i := range b.batch.Answers {
		answer := &b.batch.Answers[i]
		if err := b.putAnswer(answer); err != nil {
			return fmt.Errorf("storing the answer to topic %q: %w", answer.Topic.ID, err)
		}
	}
	return nil
}

func (b *commit) putAnswer(answer *evidence.Answer) error {
	id := answer.Topic.ID
	if err := b.forgetQuestion(id); err != nil {
		return err
	}

	if err := b.put(bucketAnswers, []byte(id), answer); err != nil {
		return err
	}

	if err := b.put(bucketTopics, []byte(id), answer.Info()); err != nil {
		return err
	}

	question := digestKey(Digest(evidence.NormalQuestion(answer.Topic.Question)), id)
	if err := b.table(bucketQuestions).put(question, nil); err != nil {
		return err
	}
	return b.putSnapshot(answer)
}

// forgetQuestion removes the question of a topic's present answer from its index; the new one may differ.
func (b *commit) forgetQuestion(topicID string) error {
	old, ok, err := b.answer(topicID)
	if !ok {
		return err
	}
	return b.table(bucketQuestions).delete(digestKey(Digest(evidence.NormalQuestion(old.Topic.Question)), topicID))
}

// putSnapshot stores what the answer shows, if that differs from the last snapshot, and removes the oldest over the
// limit.
func (b *commit) putSnapshot(answer *evidence.Answer) error {
	snapshot, err := b.snapshotOf(answer)
	if err != nil {
		return err
	}

	keys, err := b.snapshotKeys(answer.Topic.ID)
	if err != nil {
		return err
	}

	history := b.table(bucketHistory)
	if len(keys) > 0 {
		var last evidence.Snapshot
		if _, err := history.decode(keys[len(keys)-1], &last); err != nil {
			return b.db.valueError("a snapshot of topic", answer.Topic.ID, err)
		}

		if sameContent(last, snapshot) {
			return nil
		}
	}

	for len(keys) >= maxSnapshots {
		if err := history.delete(keys[0]); err != nil {
			return err
		}
		keys = keys[1:]
	}
	return b.put(bucketHistory, joinKey(answer.Topic.ID, sortableTime(snapshot.Built)), snapshot)
}

func (b *commit) snapshotKeys(topicID string) (keys [][]byte, err error) {
	for e, err := range b.table(bucketHistory).withPrefix(joinKey(topicID, "")) {
		if err != nil {
			return nil, err
		}
		keys = append(keys, bytes.Clone(e.key))
	}
	return keys, nil
}

func (b *commit) dropTopics() error {
	for _, id := range b.batch.DropTopics {
		if err := b.dropTopic(id); err != nil {
			return fmt.Errorf("dropping topic %.200q: %w", id, err)
		}
	}
	return nil
}

func (b *commit) dropTopic(id string) error {
	if err := b.forgetQuestion(id); err != nil {
		return err
	}

	snapshots, err := b.snapshotKeys(id)
	if err != nil {
		return err
	}

	for _, key := range snapshots {
		if err := b.table(bucketHistory).delete(key); err != nil {
			return err
		}
	}

	for _, table := range []table{b.table(bucketAnswers), b.table(bucketTopics)} {
		if err := table.delete([]byte(id)); err != nil {
			return err
		}
	}
	return nil
}
