package store

import (
	"context"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
)

// audit reads every value of a database and follows every reference in it.
type audit struct {
	ctx      context.Context
	view     *view
	verifier *verifier
	counts   Counts
}

// run is called in a read transaction. It adds to the verifier's findings; an error ends it.
func (a *audit) run(tx *bolt.Tx) error {
	a.counts = count(tx)
	for _, step := range []func(*bolt.Tx) error{a.sources, a.records, a.redirects, a.answers, a.curated, a.rest} {
		if err := step(tx); err != nil {
			return err
		}
	}
	return a.ctx.Err()
}

func (a *audit) found(format string, args ...any) {
	a.verifier.add(a.view.evidencePath(), fmt.Sprintf(format, args...), remedyRollback)
}

// each walks over a bucket, and ends with ctx. An entry that is not what was stored is found and passed over.
func (a *audit) each(tx *bolt.Tx, bucket []byte, f func(key, value []byte) error) error {
	table := a.view.table(tx, bucket)
	if table.bucket == nil { // of an older schema
		return nil
	}
	return table.bucket.ForEach(func(key, stored []byte) error {
		if err := a.ctx.Err(); err != nil {
			return err
		}
		value, err := table.open(key, stored)
		if err != nil {
			a.verifier.addError(err)
			return nil
		}
		return f(key, value)
	})
}

// has says whether a table holds a key; an entry that is not what was stored is found when its own table is read.
func (a *audit) has(t table, key []byte) bool {
	ok, err := t.has(key)
	return ok || err != nil
}

func (a *audit) sources(tx *bolt.Tx) error {
	identifiers, inIndex := 0, a.view.table(tx, bucketIdentifierSources)
	err := a.each(tx, bucketSources, func(key, value []byte) error {
		var record evidence.Record
		if err := a.view.codec.decode(value, &record); err != nil {
			a.found("source record %.200q can't be read: %v", key, err)
			return nil
		}
		if len(record.Origins) != 1 || record.Origins[0].Key() != string(key) {
			a.found("source record %.200q is stored under another's key", key)
		}
		identifiers += a.indexed(inIndex, record.Identifiers, "its identifier", string(key))
		return nil
	})
	a.compare("identifiers of source records", identifiers, inIndex)
	return err
}

// indexed looks identifiers of the record under key up in an index; it gives their number. By says what they are to the record.
func (a *audit) indexed(index table, identifiers []evidence.Identifier, by, key string) int {
	seen := map[evidence.Identifier]bool{}
	for _, identifier := range identifiers {
		if !seen[identifier] && !a.has(index, joinKey(identifierKey(identifier), key)) {
			a.found("%.200q is not found by %s %s", key, by, identifier)
		}
		seen[identifier] = true
	}
	return len(seen)
}

func (a *audit) compare(what string, want int, index table) {
	if got := index.bucket.Stats().KeyN; got != want {
		a.found("the index holds %d %s, and there are %d", got, what, want)
	}
}

func (a *audit) records(tx *bolt.Tx) error {
	identifiers, inIndex := 0, a.view.table(tx, bucketIdentifierRecords)
	links, linked := 0, a.view.table(tx, bucketLinks)
	members, membership := 0, a.view.table(tx, bucketMembership)
	sources := a.view.table(tx, bucketSources)
	err := a.each(tx, bucketRecords, func(key, value []byte) error {
		record, err := a.view.decodeRecord(tx, value)
		if err != nil {
			a.found("record %.200q can't be read: %v", key, err)
			return nil
		}
		if record.ID != string(key) {
			a.found("record %.200q is stored under the id %.200q", record.ID, key)
		}
		identifiers += a.indexed(inIndex, record.Identifiers, "its identifier", string(key))
		links += a.indexed(linked, linkTargets(&record), "its link to", string(key))
		origins, err := a.view.membersOf(tx, string(key))
		if err != nil {
			return err
		}
		members += len(origins)
		for _, origin := range origins {
			owner, _, err := membership.get([]byte(origin))
			if err == nil && string(owner) != string(key) || !a.has(sources, []byte(origin)) {
				a.found("record %.200q and its source record %.200q do not agree", key, origin)
			}
		}
		return nil
	})
	a.compare("identifiers of records", identifiers, inIndex)
	a.compare("links of records", links, linked)
	a.compare("source records with a record", members, membership)
	return err
}

func (a *audit) redirects(tx *bolt.Tx) error {
	return a.each(tx, bucketRedirects, func(old, _ []byte) error {
		if _, err := a.view.resolve(tx, string(old)); err != nil {
			a.warn("the old record id %.200q leads nowhere: %v", old, err)
		}
		return nil
	})
}

// warn is found for what a deletion at the source leaves behind.
func (a *audit) warn(format string, args ...any) {
	a.verifier.findings = append(a.verifier.findings, Finding{Generation: a.verifier.number, Path: a.view.evidencePath(),
		Problem: fmt.Sprintf(format, args...), Remedy: "the next `indexer run` of the topic sets it right", Warning: true})
}

func (a *audit) answers(tx *bolt.Tx) error {
	return a.each(tx, bucketAnswers, func(id, value []byte) error {
		var answer evidence.Answer
		if err := a.view.codec.decode(value, &answer); err != nil {
			a.found("the answer to topic %.200q can't be read: %v", id, err)
			return nil
		}
		if !a.has(a.view.table(tx, bucketQuestions), digestKey(digest(evidence.NormalQuestion(answer.Topic.Question)), string(id))) {
			a.found("topic %.200q is not found by its question", id)
		}
		for _, record := range recordsIn(&answer) {
			if _, err := a.view.resolve(tx, record); err != nil {
				a.warn("the answer to topic %.200q names record %.200q, which is no more", id, record)
			}
		}
		return nil
	})
}

// recordsIn lists the ids of all records that an answer names, once each.
func recordsIn(answer *evidence.Answer) []string {
	var out []string
	seen := map[string]bool{}
	add := func(ids ...string) {
		for _, id := range ids {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	add(answer.Sample...)
	add(answer.Trials...)
	add(answer.Removed...)
	for _, assessment := range answer.Assessments {
		add(assessment.Record)
	}
	return out
}

// curated reads curators' statements, and whether each stands under its paper.
func (a *audit) curated(tx *bolt.Tx) error {
	if _, _, err := a.view.curatedFile(tx); err != nil {
		a.found("the file that curators' statements come from can't be read: %v", err)
	}
	return a.each(tx, bucketCurated, func(pmid, value []byte) error {
		var statements []evidence.CuratedStatement
		if err := a.view.codec.decode(value, &statements); err != nil {
			a.found("the curators' statements on PMID %.200q can't be read: %v", pmid, err)
		}
		for _, s := range statements {
			if s.PMID != string(pmid) {
				a.found("the curators' statement %.200q on PMID %.200q is stored under %.200q", s.ID, s.PMID, pmid)
			}
		}
		return nil
	})
}

// rest reads the values that refer to nothing.
func (a *audit) rest(tx *bolt.Tx) error {
	for _, check := range []struct {
		bucket []byte
		what   string
		into   func() any
	}{
		{bucketTopics, "topic", func() any { return new(TopicInfo) }},
		{bucketHistory, "snapshot", func() any { return new(evidence.Snapshot) }},
		{bucketJudgements, "judgement", func() any { return new(Judgement) }},
		{bucketRuns, "run", func() any { return new(evidence.Run) }},
		{bucketTitleOf, "list of title keys", nil},
		{bucketTitles, "title key", nil},
		{bucketPending, "pending change", nil},
	} {
		err := a.each(tx, check.bucket, func(key, value []byte) error {
			if check.into == nil {
				return nil
			}
			if err := a.view.codec.decode(value, check.into()); err != nil {
				a.found("%s %.200q can't be read: %v", check.what, key, err)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
