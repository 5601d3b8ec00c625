package database

import (
	"context"
	"errors"
	"fmt"

	"dossier/internal/evidence"
	"dossier/internal/files"
)

// audit reads every value of a database and follows every reference in it.
type audit struct {
	tx
	ctx            context.Context
	found, warning func(error)
}

// Audit counts the database's entries, reads every value, and follows every reference. It passes damage to found, and
// references broken by a deletion at the source to warn; each is a *files.DamageError. It returns an error if it could
// not finish.
func (db *DB) Audit(ctx context.Context, found, warn func(error)) (counts Counts, err error) {
	err = db.read(func(t tx) error {
		a := audit{tx: t, ctx: ctx, found: found, warning: warn}
		if counts, err = t.counts(); err != nil {
			return err
		}

		for _, step := range []func() error{a.checkSources, a.checkRecords, a.checkRedirects, a.checkAnswers,
			a.checkCurated, a.checkImported, a.checkRest} {
			if err := step(); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	return counts, err
}

func (a *audit) report(format string, args ...any) { a.found(damaged(a.db.path, nil, format, args...)) }

func (a *audit) warn(format string, args ...any) {
	a.warning(&files.DamageError{
		Path: a.db.path, Reason: fmt.Sprintf(format, args...), Remedy: "the next `indexer run` of the topic sets it right"})
}

// walk walks over a bucket until ctx ends. It reports and skips damaged entries.
func (a *audit) walk(bucket []byte, f func(key, value []byte) error) error {
	table := a.table(bucket)
	for e, err := range table.raw() {
		if err == nil {
			err = a.ctx.Err()
		}

		if err != nil {
			return err
		}

		value, err := table.checkedValue(e.Key, e.Stored)
		if err != nil {
			a.found(err)
			continue
		}

		if err := f(e.Key, value); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether a table holds a key; a damaged entry is reported when its own table is read.
func (a *audit) has(t table, key []byte) bool {
	ok, err := t.has(key)
	return ok || err != nil
}

func (a *audit) checkSources() error {
	identifiers, inIndex := 0, a.table(bucketIdentifierSources)
	err := a.walk(bucketSources, func(key, value []byte) error {
		var record evidence.Record
		if err := a.db.codec.decode(value, &record); err != nil {
			a.report("source record %.200q can't be read: %v", key, err)
			return nil
		}

		if len(record.Origins) != 1 || record.Origins[0].Key() != string(key) {
			a.report("source record %.200q is stored under another's key", key)
		}
		identifiers += a.checkIndexed(inIndex, record.Identifiers, "its identifier", string(key))
		return nil
	})
	return errors.Join(err, a.compareCount("identifiers of source records", identifiers, inIndex))
}

// checkIndexed checks that an index has the identifiers of the record under key, and returns their number. by
// describes their relation to the record.
func (a *audit) checkIndexed(index table, identifiers []evidence.Identifier, by, key string) int {
	seen := map[evidence.Identifier]bool{}
	for _, identifier := range identifiers {
		if !seen[identifier] && !a.has(index, joinKey(identifierKey(identifier), key)) {
			a.report("%.200q is not found by %s %s", key, by, identifier)
		}
		seen[identifier] = true
	}
	return len(seen)
}

func (a *audit) compareCount(what string, want int, index table) error {
	got, err := index.count()
	if err == nil && got != want {
		a.report("the index holds %d %s, and there are %d", got, what, want)
	}
	return err
}

func (a *audit) checkRecords() error {
	identifiers, inIndex := 0, a.table(bucketIdentifierRecords)
	links, linked := 0, a.table(bucketLinks)
	members, membership := 0, a.table(bucketMembership)
	sources := a.table(bucketSources)
	err := a.walk(bucketRecords, func(key, value []byte) error {
		record, err := a.decodeRecord(value)
		if err != nil {
			a.report("record %.200q can't be read: %v", key, err)
			return nil
		}

		if record.ID != string(key) {
			a.report("record %.200q is stored under the id %.200q", record.ID, key)
		}
		identifiers += a.checkIndexed(inIndex, record.Identifiers, "its identifier", string(key))
		links += a.checkIndexed(linked, record.Targets(), "its link to", string(key))

		origins, err := a.membersOf(string(key))
		if err != nil {
			return err
		}

		members += len(origins)
		for _, origin := range origins {
			owner, _, err := membership.get([]byte(origin))
			if err == nil && string(owner) != string(key) || !a.has(sources, []byte(origin)) {
				a.report("record %.200q and its source record %.200q do not agree", key, origin)
			}
		}
		return nil
	})
	return errors.Join(err,
		a.compareCount("identifiers of records", identifiers, inIndex),
		a.compareCount("links of records", links, linked),
		a.compareCount("source records with a record", members, membership))
}

func (a *audit) checkRedirects() error {
	return a.walk(bucketRedirects, func(old, _ []byte) error {
		if _, err := a.mustResolve(string(old)); err != nil {
			a.warn("the old record id %.200q leads nowhere: %v", old, err)
		}
		return nil
	})
}

func (a *audit) checkAnswers() error {
	return a.walk(bucketAnswers, func(id, value []byte) error {
		var answer evidence.Answer
		if err := a.db.codec.decode(value, &answer); err != nil {
			a.report("the answer to topic %.200q can't be read: %v", id, err)
			return nil
		}

		if !a.has(a.table(bucketQuestions), digestKey(Digest(evidence.NormalQuestion(answer.Topic.Question)), string(id))) {
			a.report("topic %.200q is not found by its question", id)
		}

		for _, record := range recordsIn(&answer) {
			if _, err := a.mustResolve(record); err != nil {
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

// checkCurated reads curators' statements, and checks that each is stored under its paper.
func (a *audit) checkCurated() error {
	if _, _, err := a.curatedFile(); err != nil {
		a.report("the file that curators' statements come from can't be read: %v", err)
	}
	return a.walk(bucketCurated, func(pmid, value []byte) error {
		var statements []evidence.CuratedStatement
		if err := a.db.codec.decode(value, &statements); err != nil {
			a.report("the curators' statements on PMID %.200q can't be read: %v", pmid, err)
		}

		for _, s := range statements {
			if s.PMID != string(pmid) {
				a.report("the curators' statement %.200q on PMID %.200q is stored under %.200q", s.ID, s.PMID, pmid)
			}
		}
		return nil
	})
}

// checkImported reads the entries of users' files.
func (a *audit) checkImported() error {
	return errors.Join(approvalsTable().audit(a), interpretationsTable().audit(a))
}

// checkRest reads the values without references.
func (a *audit) checkRest() error {
	for _, check := range []struct {
		bucket []byte
		what   string
		into   func() any
	}{
		{bucketTopics, "topic", func() any { return new(evidence.TopicInfo) }},
		{bucketHistory, "snapshot", func() any { return new(evidence.Snapshot) }},
		{bucketJudgements, "judgement", func() any { return new(evidence.Judgement) }},
		{bucketRuns, "run", func() any { return new(evidence.Run) }},
		{bucketTitleOf, "list of title keys", nil},
		{bucketTitles, "title key", nil},
		{bucketPending, "pending change", nil},
	} {
		err := a.walk(check.bucket, func(key, value []byte) error {
			if check.into == nil {
				return nil
			}

			if err := a.db.codec.decode(value, check.into()); err != nil {
				a.report("%s %.200q can't be read: %v", check.what, key, err)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
