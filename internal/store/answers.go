package store

import (
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
)

func (b *batchTx) putAnswers() error {
	for i := range b.batch.Answers {
		answer := &b.batch.Answers[i]
		if err := b.putAnswer(answer); err != nil {
			return fmt.Errorf("storing the answer to topic %q: %w", answer.Topic.ID, err)
		}
	}
	return nil
}

func (b *batchTx) putAnswer(answer *evidence.Answer) error {
	id := answer.Topic.ID
	if err := b.forgetQuestion(id); err != nil {
		return err
	}
	if err := b.put(bucketAnswers, []byte(id), answer); err != nil {
		return err
	}
	if err := b.put(bucketTopics, []byte(id), infoOf(answer)); err != nil {
		return err
	}
	question := digestKey(digest(evidence.NormalQuestion(answer.Topic.Question)), id)
	if err := b.bucket(bucketQuestions).Put(question, nil); err != nil {
		return err
	}
	return b.putSnapshot(answer)
}

// forgetQuestion takes the question of a topic's present answer out of its index; the new one may have another.
func (b *batchTx) forgetQuestion(topicID string) error {
	old, err := b.view.answer(b.tx, topicID)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return b.bucket(bucketQuestions).Delete(digestKey(digest(evidence.NormalQuestion(old.Topic.Question)), topicID))
}

// putSnapshot keeps what the answer shows, where that differs from the snapshot before, and lets go of the oldest.
func (b *batchTx) putSnapshot(answer *evidence.Answer) error {
	snapshot, err := b.view.snapshotOf(b.tx, answer)
	if err != nil {
		return err
	}
	keys := b.snapshotKeys(answer.Topic.ID)
	history := b.bucket(bucketHistory)
	if len(keys) > 0 {
		var last evidence.Snapshot
		if err := b.view.codec.decode(history.Get(keys[len(keys)-1]), &last); err != nil {
			return b.view.badValue("a snapshot of topic", answer.Topic.ID, err)
		}
		if sameContent(last, snapshot) {
			return nil
		}
	}
	for len(keys) >= maxSnapshots {
		if err := history.Delete(keys[0]); err != nil {
			return err
		}
		keys = keys[1:]
	}
	return b.put(bucketHistory, joinKey(answer.Topic.ID, sortableTime(snapshot.Built)), snapshot)
}

func (b *batchTx) snapshotKeys(topicID string) [][]byte {
	prefix := joinKey(topicID, "")
	var keys [][]byte
	for _, suffix := range suffixes(b.bucket(bucketHistory), prefix) {
		keys = append(keys, append(append([]byte(nil), prefix...), suffix...))
	}
	return keys
}

func (b *batchTx) dropTopics() error {
	for _, id := range b.batch.DropTopics {
		if err := b.dropTopic(id); err != nil {
			return fmt.Errorf("dropping topic %.200q: %w", id, err)
		}
	}
	return nil
}

func (b *batchTx) dropTopic(id string) error {
	if err := b.forgetQuestion(id); err != nil {
		return err
	}
	for _, key := range b.snapshotKeys(id) {
		if err := b.bucket(bucketHistory).Delete(key); err != nil {
			return err
		}
	}
	for _, bucket := range []*bolt.Bucket{b.bucket(bucketAnswers), b.bucket(bucketTopics)} {
		if err := bucket.Delete([]byte(id)); err != nil {
			return err
		}
	}
	return nil
}
