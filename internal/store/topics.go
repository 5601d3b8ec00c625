package store

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// TopicInfo is a topic's row in a list: what was asked and how its newest answer came out.
type TopicInfo struct {
	ID       string          `json:"id"`
	Question string          `json:"question"`
	Tags     []string        `json:"tags,omitempty"`
	Built    time.Time       `json:"built"`
	Run      string          `json:"run"`
	Counts   evidence.Counts `json:"counts"`
	Trials   int             `json:"trials"`
	Errors   int             `json:"errors"` // sources that failed or were skipped
}

func infoOf(answer *evidence.Answer) TopicInfo {
	info := TopicInfo{
		ID: answer.Topic.ID, Question: answer.Topic.Question, Tags: answer.Topic.Tags, Built: answer.Built,
		Run: answer.Run, Counts: answer.Counts, Trials: len(answer.Trials),
	}
	for _, search := range answer.Searches {
		if search.Status != evidence.SearchOK {
			info.Errors++
		}
	}
	return info
}

// maxSnapshots is how many snapshots of a topic are kept: nightly changes of more than two years.
const maxSnapshots = 1000

// Topics lists the topics that have an answer, in order of id.
func (r *reading) Topics() (topics []TopicInfo, err error) {
	err = r.read(func(v *view, tx *bolt.Tx) error {
		for e, err := range v.table(tx, bucketTopics).all() {
			var info TopicInfo
			if err == nil {
				err = v.badValue("topic", string(e.key), v.codec.decode(e.value, &info))
			}
			if err != nil {
				return err
			}
			topics = append(topics, info)
		}
		return nil
	})
	return topics, err
}

// Answer gives a topic's newest answer; the error is ErrNotFound where there is none.
func (r *reading) Answer(topicID string) (answer evidence.Answer, err error) {
	err = r.read(func(v *view, tx *bolt.Tx) error {
		answer, err = v.answer(tx, topicID)
		return err
	})
	return answer, err
}

func (v *view) answer(tx *bolt.Tx, topicID string) (evidence.Answer, error) {
	var answer evidence.Answer
	ok, err := v.table(tx, bucketAnswers).decode([]byte(topicID), &answer)
	if err == nil && !ok {
		return answer, fmt.Errorf("topic %.200q: %w", topicID, ErrNotFound)
	}
	return answer, v.badValue("the answer to topic", topicID, err)
}

// AnswerByQuestion gives the answer to the same question, as NormalQuestion sees it: that of a topic of the files
// before that to a question asked live, of several the newest, of equally new ones that with the first id. The error
// is ErrNotFound where nobody asked.
func (r *reading) AnswerByQuestion(question string) (answer evidence.Answer, err error) {
	err = r.read(func(v *view, tx *bolt.Tx) error {
		ids, err := v.table(tx, bucketQuestions).suffixes(digest(evidence.NormalQuestion(question)))
		if err != nil {
			return err
		}
		for _, id := range ids {
			candidate, err := v.answer(tx, id)
			if err != nil {
				return err
			}
			live, best := evidence.IsLiveTopic(candidate.Topic.ID), evidence.IsLiveTopic(answer.Topic.ID)
			if answer.Topic.ID == "" || best && !live || best == live && candidate.Built.After(answer.Built) {
				answer = candidate
			}
		}
		if answer.Topic.ID == "" {
			return fmt.Errorf("an answer to this question: %w", ErrNotFound)
		}
		return nil
	})
	return answer, err
}

// History gives the snapshots of a topic, oldest first. One is kept for each answer that differs from the one before.
func (r *reading) History(topicID string) (history []evidence.Snapshot, err error) {
	err = r.read(func(v *view, tx *bolt.Tx) error {
		for e, err := range v.table(tx, bucketHistory).under(joinKey(topicID, "")) {
			var snapshot evidence.Snapshot
			if err == nil {
				err = v.badValue("a snapshot of topic", topicID, v.codec.decode(e.value, &snapshot))
			}
			if err != nil {
				return err
			}
			history = append(history, snapshot)
		}
		return nil
	})
	return history, err
}

// SnapshotAt gives what a topic showed at a time: its newest snapshot that is not younger. The error is ErrNotFound where
// the topic had no answer yet.
func (r *reading) SnapshotAt(topicID string, at time.Time) (evidence.Snapshot, error) {
	history, err := r.History(topicID)
	if err != nil {
		return evidence.Snapshot{}, err
	}
	for _, snapshot := range slices.Backward(history) {
		if !snapshot.Built.After(at) {
			return snapshot, nil
		}
	}
	return evidence.Snapshot{}, fmt.Errorf("an answer to topic %.200q at %s: %w", topicID, at.UTC().Format(time.RFC3339), ErrNotFound)
}

// Runs gives the newest runs first, at most limit of them; 0 gives all.
func (r *reading) Runs(limit int) (runs []evidence.Run, err error) {
	err = r.read(func(v *view, tx *bolt.Tx) error {
		for e, err := range v.table(tx, bucketRuns).backwards() {
			var run evidence.Run
			if err == nil {
				err = v.badValue("run", string(e.key), v.codec.decode(e.value, &run))
			}
			if err != nil {
				return err
			}
			if runs = append(runs, run); len(runs) == limit {
				break
			}
		}
		return nil
	})
	return runs, err
}

// Judgement gives what was judged under a key (see JudgementKey).
func (r *reading) Judgement(key string) (judgement Judgement, found bool, err error) {
	err = r.read(func(v *view, tx *bolt.Tx) error {
		found, err = v.table(tx, bucketJudgements).decode([]byte(key), &judgement)
		return v.badValue("judgement", key, err)
	})
	return judgement, found, err
}

// snapshotOf takes down what an answer shows now.
func (v *view) snapshotOf(tx *bolt.Tx, answer *evidence.Answer) (evidence.Snapshot, error) {
	snapshot := evidence.Snapshot{Topic: answer.Topic.ID, Run: answer.Run, Built: answer.Changed(), Removed: answer.Removed}
	assessed := make(map[string]*evidence.Assessment, len(answer.Assessments))
	for i := range answer.Assessments {
		assessed[answer.Assessments[i].Record] = &answer.Assessments[i]
	}
	var err error
	if snapshot.Sample, err = v.snapshotRows(tx, answer.Sample, assessed); err != nil {
		return evidence.Snapshot{}, err
	}
	snapshot.Trials, err = v.snapshotRows(tx, answer.Trials, assessed)
	return snapshot, err
}

func (v *view) snapshotRows(tx *bolt.Tx, ids []string, assessed map[string]*evidence.Assessment) ([]evidence.SnapshotRow, error) {
	rows := make([]evidence.SnapshotRow, 0, len(ids))
	for _, id := range ids {
		row := evidence.SnapshotRow{Record: id}
		if assessment := assessed[id]; assessment != nil {
			row.Score = assessment.Score
			row.Bucket, _ = assessment.Told()
		}
		now, err := v.resolve(tx, id)
		if err != nil {
			return nil, fmt.Errorf("an answer's record: %w", err)
		}
		record, err := v.recordByID(tx, now)
		if err != nil {
			return nil, err
		}
		row.Title, row.Retracted = text.Head(record.Title, 200), record.Retracted()
		if record.Trial != nil {
			row.Status = record.Trial.Status
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// sameContent says whether two snapshots show the same, whenever they were taken.
func sameContent(s, t evidence.Snapshot) bool {
	t.Run, t.Built = s.Run, s.Built
	mine, myErr := json.Marshal(s)
	theirs, theirErr := json.Marshal(t)
	return myErr == nil && theirErr == nil && string(mine) == string(theirs)
}

// Judgements walks over all that was judged, in order of key. The walk ends at the first error, that of ctx included. A
// Writer must neither commit nor publish on the way.
func (r *reading) Judgements(ctx context.Context) iter.Seq2[Judgement, error] {
	return walk(ctx, func(after []byte) (chunk []Judgement, last []byte, err error) {
		err = r.use(func(v *view) error {
			chunk, last, err = v.judgementsAfter(after)
			return err
		})
		return chunk, last, err
	})
}

// judgementChunks walks over all judgements, a chunk of them at a time; at damage it gives what came before.
func (v *view) judgementChunks(ctx context.Context) iter.Seq2[[]Judgement, error] {
	return func(yield func([]Judgement, error) bool) {
		var after []byte
		for ctx.Err() == nil {
			chunk, last, err := v.judgementsAfter(after)
			if len(chunk) > 0 && !yield(chunk, nil) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if len(chunk) < scanChunk {
				return
			}
			after = last
		}
	}
}

func (v *view) judgementsAfter(after []byte) (chunk []Judgement, last []byte, err error) {
	err = v.read(func(tx *bolt.Tx) error {
		judgements := v.table(tx, bucketJudgements)
		if judgements.bucket == nil {
			return &DamagedError{Path: v.evidencePath(), Reason: "it has no judgements", Remedy: remedyRollback}
		}
		for e, err := range judgements.after(after) {
			var judgement Judgement
			if err == nil {
				err = v.badValue("judgement", string(e.key), v.codec.decode(e.value, &judgement))
			}
			if err != nil {
				return err
			}
			chunk = append(chunk, judgement)
			if last = append(last[:0], e.key...); len(chunk) == scanChunk {
				break
			}
		}
		return nil
	})
	return chunk, last, err
}
