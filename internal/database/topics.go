package database

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// maxSnapshots is how many snapshots of a topic are kept: nightly changes of more than two years.
const maxSnapshots = 1000

// maxSnapshotTitle bounds a title in a snapshot, in bytes.
const maxSnapshotTitle = 200

// Topics lists the topics that have an answer, in order of id.
func (q Queries) Topics() ([]evidence.TopicInfo, error) {
	return query(q, func(t tx) ([]evidence.TopicInfo, error) {
		return decodeAll[evidence.TopicInfo](t, t.table(bucketTopics).all(), 0, "topic", "")
	})
}

// TopicIDs lists the topics that have an answer, in order.
func (q Queries) TopicIDs() ([]string, error) {
	return q.suffixesIn(bucketTopics, nil, evidence.Span{})
}

// Answer returns a topic's newest answer.
func (q Queries) Answer(topicID string) (evidence.Answer, bool, error) {
	return find(q, func(t tx) (evidence.Answer, bool, error) { return t.answer(topicID) })
}

func (t tx) answer(topicID string) (evidence.Answer, bool, error) {
	return stored[evidence.Answer](t, bucketAnswers, topicID, "the answer to topic")
}

// AnswerByQuestion returns the answer to an equal question, as defined by NormalQuestion. It prefers a topic from the
// files to a question asked live, then the newest, then the first id.
func (q Queries) AnswerByQuestion(question string) (evidence.Answer, bool, error) {
	return find(q, func(t tx) (answer evidence.Answer, ok bool, err error) {
		ids, err := t.table(bucketQuestions).suffixes(Digest(evidence.NormalQuestion(question)))
		if err != nil {
			return answer, false, err
		}

		for _, id := range ids {
			candidate, is, err := t.answer(id)
			if err != nil {
				return answer, false, err
			}

			live, best := evidence.IsLiveTopic(candidate.Topic.ID), evidence.IsLiveTopic(answer.Topic.ID)
			if is && (!ok || best && !live || best == live && candidate.Built.After(answer.Built)) {
				answer, ok = candidate, true
			}
		}
		return answer, ok, nil
	})
}

// History returns the snapshots of a topic, oldest first. Each answer that differs from the one before adds one.
func (q Queries) History(topicID string) ([]evidence.Snapshot, error) {
	return query(q, func(t tx) ([]evidence.Snapshot, error) {
		entries := t.table(bucketHistory).withPrefix(joinKey(topicID, ""))
		return decodeAll[evidence.Snapshot](t, entries, 0, "a snapshot of topic", topicID)
	})
}

// Runs returns the newest runs first, at most limit of them; 0 means all.
func (q Queries) Runs(limit int) ([]evidence.Run, error) {
	return query(q, func(t tx) ([]evidence.Run, error) {
		return decodeAll[evidence.Run](t, t.table(bucketRuns).backwards(), limit, "run", "")
	})
}

// Judgement returns the judgement with a key (see evidence.JudgementKey).
func (q Queries) Judgement(key string) (evidence.Judgement, bool, error) {
	return find(q, func(t tx) (evidence.Judgement, bool, error) {
		return stored[evidence.Judgement](t, bucketJudgements, key, "judgement")
	})
}

// Judgements iterates over all judgements, in order of key. It ends at the first error, including ctx's. A writer must
// neither commit nor publish meanwhile.
func (q Queries) Judgements(ctx context.Context) iter.Seq2[evidence.Judgement, error] {
	return walk(ctx, q, bucketJudgements, func(t tx, e entry) (judgement evidence.Judgement, wanted bool, err error) {
		err = t.db.valueError("judgement", string(e.key), t.db.codec.decode(e.value, &judgement))
		return judgement, true, err
	})
}

// snapshotOf records what an answer shows now.
func (t tx) snapshotOf(answer *evidence.Answer) (evidence.Snapshot, error) {
	snapshot := evidence.Snapshot{Form: evidence.SnapshotForm, Topic: answer.Topic.ID, Run: answer.Run,
		Built: answer.Changed(), Removed: answer.Removed}

	assessed := make(map[string]*evidence.Assessment, len(answer.Assessments))
	for i := range answer.Assessments {
		assessed[answer.Assessments[i].Record] = &answer.Assessments[i]
	}

	var err error
	if snapshot.Sample, err = t.snapshotRows(answer.Sample, assessed); err != nil {
		return evidence.Snapshot{}, err
	}

	if snapshot.Trials, err = t.snapshotRows(answer.Trials, assessed); err != nil {
		return evidence.Snapshot{}, err
	}

	if len(answer.Excluded) > 0 { // an empty list would make a new snapshot of an unchanged answer
		snapshot.Excluded, err = t.snapshotRows(answer.Excluded, assessed)
	}
	return snapshot, err
}

func (t tx) snapshotRows(ids []string, assessed map[string]*evidence.Assessment) ([]evidence.SnapshotRow, error) {
	rows := make([]evidence.SnapshotRow, 0, len(ids))
	for _, id := range ids {
		now, err := t.mustResolve(id)
		if err != nil {
			return nil, fmt.Errorf("an answer's record: %w", err)
		}

		record, _, err := t.record(now)
		if err != nil {
			return nil, err
		}
		row := evidence.RowOf(evidence.Item{Record: &record, Assessment: assessed[id]})
		row.Record, row.Title = id, text.Cut(row.Title, maxSnapshotTitle) // the id as the answer names it
		rows = append(rows, row)
	}
	return rows, nil
}

// sameContent reports whether two snapshots show the same, regardless of their times.
func sameContent(s, t evidence.Snapshot) bool {
	t.Run, t.Built = s.Run, s.Built
	mine, myErr := json.Marshal(s)
	theirs, theirErr := json.Marshal(t)
	return myErr == nil && theirErr == nil && string(mine) == string(theirs)
}
