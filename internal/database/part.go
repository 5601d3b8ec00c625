package database

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
)

// UnknownTopicError reports that a database has no answer to a topic.
type UnknownTopicError struct{ Topic string }

func (e *UnknownTopicError) Error() string {
	return fmt.Sprintf("there is no answer to the topic %.100q", e.Topic)
}

// part selects the entries of a database that belong to some of its topics.
type part struct {
	tx
	topics    []string // sorted
	questions []string // their questions
	records   map[string]bool
	origins   map[string]bool // of the source records that the records are made of
	pmids     map[string]bool
}

// WritePart makes a database in path, whose folder exists, of what these topics need: their answers and histories; the
// records that these name; whatever is linked with one of them or carries an identifier of one, near or far, so that a
// retraction is known however long the way to its notice; these records' source records, and what curators say of
// them; the judgements of the topics' questions; and of the runs the topics' rows, with the sweeps. Records, answers
// and judgements are copied as they are. The error is an *UnknownTopicError where there is no such topic.
func (db *DB) WritePart(ctx context.Context, path string, topics []string) (err error) {
	return db.read(func(t tx) error {
		p := part{tx: t, topics: slices.Sorted(slices.Values(topics)), records: map[string]bool{},
			origins: map[string]bool{}, pmids: map[string]bool{}}
		if err := p.selectRecords(ctx); err != nil {
			return err
		}

		target, err := createFile(path, time.Second)
		if err != nil {
			return fmt.Errorf("making %s: %w", path, err)
		}

		err = target.Update(initialise)
		if err == nil {
			err = p.copyTo(ctx, target)
		}
		return errors.Join(err, target.Close())
	})
}

// selectRecords finds the records of the topics, and all records connected with them.
func (p *part) selectRecords(ctx context.Context) error {
	var next []string

	add := func(ids ...string) error {
		for _, id := range ids {
			now, ok, err := p.resolve(id)
			if err != nil {
				return err
			}

			if ok && !p.records[now] { // the source may have deleted it
				p.records[now], next = true, append(next, now)
			}
		}
		return nil
	}
	for _, topic := range p.topics {
		ids, err := p.recordsOf(topic)
		if err == nil {
			err = add(ids...)
		}

		if err != nil {
			return err
		}
	}

	for len(next) > 0 {
		id := next[len(next)-1]
		next = next[:len(next)-1]

		near, err := p.linkedRecords(id)
		if err == nil {
			err = add(near...)
		}

		if err == nil {
			err = ctx.Err()
		}

		if err != nil {
			return err
		}
	}
	return nil
}

// recordsOf lists the records that a topic's answer or history names.
func (p *part) recordsOf(topic string) ([]string, error) {
	answer, ok, err := p.answer(topic)
	if err == nil && !ok {
		err = &UnknownTopicError{topic}
	}

	if err != nil {
		return nil, err
	}
	p.questions = append(p.questions, evidence.NormalQuestion(answer.Topic.Question))
	ids := recordsIn(&answer)
	entries := p.table(bucketHistory).withPrefix(joinKey(topic, ""))

	history, err := decodeAll[evidence.Snapshot](p.tx, entries, 0, "a snapshot of topic", topic)
	for _, then := range history {
		for _, row := range slices.Concat(then.Sample, then.Trials) {
			ids = append(ids, row.Record)
		}
		ids = append(ids, then.Removed...)
	}
	return ids, err
}

// linkedRecords notes a record's source records, and lists the records that it links to, that link to it, or that share
// one of its identifiers.
func (p *part) linkedRecords(id string) (ids []string, err error) {
	record, _, err := p.record(id)
	if err != nil {
		return nil, err
	}

	members, err := p.membersOf(id)
	if err != nil {
		return nil, err
	}

	for _, member := range members {
		p.origins[member] = true
	}

	look := func(bucket []byte, identifier evidence.Identifier) {
		if err == nil {
			var found []string
			found, err = p.table(bucket).suffixes(joinKey(identifierKey(identifier), ""))
			ids = append(ids, found...)
		}
	}
	for _, identifier := range record.Identifiers {
		look(bucketIdentifierRecords, identifier)
		look(bucketLinks, identifier)

		if identifier.Kind == evidence.PMID {
			p.pmids[identifier.Value] = true
		}
	}

	for _, target := range record.Targets() {
		look(bucketIdentifierRecords, target)
	}
	return ids, err
}

// copyTo writes the part's entries.
func (p *part) copyTo(ctx context.Context, target *bolt.DB) error {
	behind := func(key []byte) string { // the part behind the NUL
		_, last, _ := bytes.Cut(key, []byte{0})
		return string(last)
	}
	ofTopic := func(key, _ []byte) (bool, error) { return slices.Contains(p.topics, string(key)), nil }
	ofRecord := func(key, _ []byte) (bool, error) { return p.records[string(key)], nil }
	ofOrigin := func(key, _ []byte) (bool, error) { return p.origins[string(key)], nil }

	linked := func(key, _ []byte) (bool, error) { return p.records[behind(key)], nil }
	for _, wanted := range []struct {
		bucket []byte
		is     func(key, value []byte) (bool, error)
	}{
		{bucketMeta, func(key, _ []byte) (bool, error) { return !bytes.Equal(key, metaSchema), nil }},
		{bucketSources, ofOrigin},
		{bucketRecords, ofRecord},
		{bucketMembers, ofRecord},
		{bucketMembership, ofOrigin},
		{bucketIdentifierRecords, linked},
		{bucketIdentifierSources, func(key, _ []byte) (bool, error) { return p.origins[behind(key)], nil }},
		{bucketLinks, linked},
		{bucketTitles, func(key, _ []byte) (bool, error) {
			return len(key) > digestSize && p.origins[string(key[digestSize:])], nil
		}},
		{bucketTitleOf, ofOrigin},
		{bucketRedirects, func(key, _ []byte) (bool, error) {
			now, ok, err := p.resolve(string(key))
			return ok && p.records[now], err
		}},
		{bucketTopics, ofTopic},
		{bucketAnswers, ofTopic},
		{bucketQuestions, func(key, _ []byte) (bool, error) {
			return len(key) > digestSize && slices.Contains(p.topics, string(key[digestSize:])), nil
		}},
		{bucketHistory, func(key, _ []byte) (bool, error) {
			topic, _, _ := strings.Cut(string(key), "\x00")
			return slices.Contains(p.topics, topic), nil
		}},
		{bucketJudgements, p.isJudged},
		{bucketCurated, func(key, _ []byte) (bool, error) { return p.pmids[string(key)], nil }},
		// of whatever drug and gene, as nothing tells which a question will be on
		{bucketApprovals, func([]byte, []byte) (bool, error) { return true, nil }},
		{bucketInterpretations, func([]byte, []byte) (bool, error) { return true, nil }},
	} {
		err := p.copyEntries(ctx, target, wanted.bucket, wanted.is)
		if err != nil {
			return fmt.Errorf("copying of the bucket %q: %w", wanted.bucket, err)
		}
	}
	return p.copyRuns(target)
}

// copyEntries copies the wanted entries of a bucket, in transactions of about rewriteChunk bytes.
func (p *part) copyEntries(ctx context.Context, target *bolt.DB, name []byte,
	wanted func(key, value []byte) (bool, error)) error {
	var found []entry
	size := 0

	write := func() error {
		return target.Update(func(to *bolt.Tx) error {
			into := table{bucket: to.Bucket(name), name: name}

			into.bucket.FillPercent = 0.95 // the keys come in order
			for _, e := range found {
				if err := into.put(e.key, e.value); err != nil {
					return err
				}
			}
			found, size = nil, 0
			return ctx.Err()
		})
	}
	for e, err := range p.table(name).all() {
		ok := false
		if err == nil {
			ok, err = wanted(e.key, e.value)
		}

		if err == nil && ok {
			found, size = append(found, e), size+len(e.key)+len(e.value)
			if size > rewriteChunk {
				err = write()
			}
		}

		if err != nil {
			return err
		}
	}
	return write()
}

// isJudged reports whether a judgement is on one of the part's questions, from which its key is derived.
func (p *part) isJudged(key, value []byte) (bool, error) {
	var j evidence.Judgement
	if err := p.db.codec.decode(value, &j); err != nil {
		return false, p.db.valueError("judgement", string(key), err)
	}
	a := &j.Assessment
	return slices.ContainsFunc(p.questions, func(question string) bool {
		return evidence.JudgementKey(question, a.Content, a.Model, a.Prompt) == string(key)
	}), nil
}

// copyRuns writes the runs that had a row of the topics, or a sweep, without other topics' rows.
func (p *part) copyRuns(target *bolt.DB) error {
	var runs []entry
	for e, err := range p.table(bucketRuns).all() {
		var run evidence.Run
		if err == nil {
			err = p.db.valueError("run", string(e.key), p.db.codec.decode(e.value, &run))
		}

		if err != nil {
			return err
		}
		run.Import, run.Notes = "", nil

		run.Topics = slices.DeleteFunc(run.Topics, func(row evidence.TopicRun) bool {
			return !slices.Contains(p.topics, row.Topic)
		})
		if len(run.Topics) == 0 && len(run.Sweeps) == 0 {
			continue
		}

		text, err := p.db.codec.Encode(run)
		if err != nil {
			return err
		}
		runs = append(runs, entry{e.key, text})
	}
	return target.Update(func(to *bolt.Tx) error {
		into := table{bucket: to.Bucket(bucketRuns), name: bucketRuns}
		for _, e := range runs {
			if err := into.put(e.key, e.value); err != nil {
				return err
			}
		}
		return nil
	})
}
