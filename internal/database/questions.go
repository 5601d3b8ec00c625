package database

import (
	"bytes"
	"context"
	"hash/maphash"
	"iter"
	"slices"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/damage"
	"dossier/internal/evidence"
)

// Questions are what a database is asked. They are put to the one that is open at the time, each in a transaction of
// its own: whoever replaces one database by another hands its Questions on as they are. They are safe for concurrent
// use.
type Questions struct {
	use func(f func(*DB) error) error
}

// Asked makes Questions that are put to whatever database use runs f on. The calls are never nested.
func Asked(use func(f func(*DB) error) error) Questions { return Questions{use} }

// tx is a transaction: on a file of bbolt's, or where far is set, on tables that are elsewhere.
type tx struct {
	*bolt.Tx
	base *bolt.Tx // on the file that the changes are made to, where there are some
	db   *DB
	far  Entries
}

// read runs f in a read transaction.
func (db *DB) read(f func(t tx) error) error {
	if db.tables != nil {
		return db.readFar(f)
	}
	return damage.Guard(db.path, damage.Rollback, func() error {
		if db.base != nil {
			return db.base.View(func(base *bolt.Tx) error {
				return db.bolt.View(func(t *bolt.Tx) error { return f(tx{Tx: t, base: base, db: db}) })
			})
		}
		return db.bolt.View(func(t *bolt.Tx) error { return f(tx{Tx: t, db: db}) })
	})
}

// readFar is read on tables that are elsewhere. It makes no closure of f, which would be allocated for each question to
// a file, too.
func (db *DB) readFar(f func(t tx) error) error {
	e, end := db.tables.Read()
	defer end()
	return f(tx{db: db, far: e})
}

// update runs f in a write transaction: all of it or nothing.
func (db *DB) update(f func(t tx) error) error { return db.change(context.Background(), f) }

// change is update for a caller who may lose patience while entries are on their way.
func (db *DB) change(ctx context.Context, f func(t tx) error) error {
	if db.tables != nil {
		return db.tables.Update(ctx, func(e Entries) error { return f(tx{db: db, far: e}) })
	}
	return damage.Guard(db.path, damage.Rollback, func() error {
		if db.base != nil {
			return db.base.View(func(base *bolt.Tx) error {
				return db.bolt.Update(func(t *bolt.Tx) error { return f(tx{Tx: t, base: base, db: db}) })
			})
		}
		return db.bolt.Update(func(t *bolt.Tx) error { return f(tx{Tx: t, db: db}) })
	})
}

// ask answers a question in one read transaction.
func ask[T any](q Questions, question func(t tx) (T, error)) (answer T, err error) {
	err = q.use(func(db *DB) error {
		return db.read(func(t tx) error {
			answer, err = question(t)
			return err
		})
	})
	return answer, err
}

// find is ask for what may not be there.
func find[T any](q Questions, question func(t tx) (T, bool, error)) (answer T, ok bool, err error) {
	answer, err = ask(q, func(t tx) (found T, err error) {
		found, ok, err = question(t)
		return found, err
	})
	return answer, ok, err
}

// Counts says how much a database holds.
type Counts struct {
	Records       int `json:"records"`
	SourceRecords int `json:"source_records"`
	Topics        int `json:"topics"`
	Judgements    int `json:"judgements"`
	Runs          int `json:"runs"`
}

type counted struct {
	table []byte
	count *int
}

// tables are those that are counted, and where the count of each stands.
func (c *Counts) tables() []counted {
	return []counted{
		{bucketRecords, &c.Records}, {bucketSources, &c.SourceRecords}, {bucketTopics, &c.Topics},
		{bucketJudgements, &c.Judgements}, {bucketRuns, &c.Runs},
	}
}

// Counts counts what the generation holds now.
func (q Questions) Counts() (Counts, error) {
	return ask(q, tx.counts)
}

// counts walks over the database's pages; the keys are not read one by one.
func (t tx) counts() (counts Counts, err error) {
	for _, c := range counts.tables() {
		if *c.count, err = t.table(c.table).count(); err != nil {
			return Counts{}, err
		}
	}
	return counts, nil
}

// Record gives the merged record with that id, and what curators say of it. An id that the record had before it was
// renamed or merged still finds it.
func (q Questions) Record(id string) (record evidence.Record, ok bool, err error) {
	return find(q, func(t tx) (record evidence.Record, ok bool, err error) {
		now, ok, err := t.resolve(id)
		if !ok || err != nil {
			return record, false, err
		}

		if record, ok, err = t.record(now); ok {
			record.Curated, err = t.curatedOn(record.Identifiers)
		}
		return record, ok, err
	})
}

// Lookup gives the ids of the merged records that carry an identifier, in order. It is more than one where identity
// kept a conflict apart, and none where the store has no such record.
func (q Questions) Lookup(id evidence.Identifier) (recordIDs []string, err error) {
	return q.listed(bucketIdentifierRecords, joinKey(identifierKey(id), ""), evidence.Span{})
}

// LookupAll is Lookup of many identifiers, in their order, in one transaction. They are looked for in the table's
// order, so that a leaf is compared once.
func (q Questions) LookupAll(ids []evidence.Identifier) (recordIDs [][]string, err error) {
	keys := make([][]byte, len(ids))

	order := make([]int, len(ids))
	for i, id := range ids {
		keys[i], order[i] = joinKey(identifierKey(id), ""), i
	}
	slices.SortFunc(order, func(a, b int) int { return bytes.Compare(keys[a], keys[b]) })
	return ask(q, func(t tx) (all [][]string, err error) {
		all = make([][]string, len(ids))

		records := t.table(bucketIdentifierRecords)
		for _, i := range order {
			if all[i], err = records.spanned(keys[i], evidence.Span{}); err != nil {
				return nil, err
			}
		}
		return all, nil
	})
}

// LinkingTo gives the ids of the merged records with a link whose target is id, in order: of an article its retraction
// notices, errata and comments, of a trial its publications.
func (q Questions) LinkingTo(id evidence.Identifier) (recordIDs []string, err error) {
	return q.listed(bucketLinks, joinKey(identifierKey(id), ""), evidence.Span{})
}

// ByIdentifier gives the keys of the source records that carry an identifier, as far as they are in span.
func (q Questions) ByIdentifier(id evidence.Identifier, span evidence.Span) (originKeys []string, err error) {
	return q.listed(bucketIdentifierSources, joinKey(identifierKey(id), ""), span)
}

// ByTitle gives the keys of the source records that were committed under a title key, as far as they are in span. The
// empty key finds none.
func (q Questions) ByTitle(titleKey string, span evidence.Span) (originKeys []string, err error) {
	if titleKey == "" {
		return nil, nil
	}
	return q.listed(bucketTitles, Digest(titleKey), span)
}

func (q Questions) listed(bucket, prefix []byte, span evidence.Span) ([]string, error) {
	return ask(q, func(t tx) ([]string, error) { return t.table(bucket).spanned(prefix, span) })
}

// Records walks over all merged records in order of id, each with what curators say of it. The walk ends at the first
// error, that of ctx included. The caller may ask other questions on the way; a writer must not publish on the way.
func (q Questions) Records(ctx context.Context) iter.Seq2[evidence.Record, error] {
	return walk(ctx, q, bucketRecords, func(t tx, e entry) (evidence.Record, bool, error) {
		record, err := t.curatedRecord(e)
		return record, true, err
	})
}

func (t tx) curatedRecord(e entry) (record evidence.Record, err error) {
	if record, err = t.decodeRecord(e.value); err != nil {
		return record, t.db.badValue("record", string(e.key), err)
	}
	record.Curated, err = t.curatedOn(record.Identifiers)
	return record, err
}

// RecordsBut is Records without those of which known says that they are. It is asked of each, just before it is read,
// by its id and a number for all that is stored of it: under one seed, the same number is the same record.
func (q Questions) RecordsBut(ctx context.Context, seed maphash.Seed, known func(id string, stored uint64) bool,
) iter.Seq2[evidence.Record, error] {
	return walk(ctx, q, bucketRecords, func(t tx, e entry) (record evidence.Record, unknown bool, err error) {
		if number, ok := t.numberStored(seed, e.value); ok && known(string(e.key), number) {
			return record, false, nil
		}
		record, err = t.curatedRecord(e)
		return record, true, err
	})
}

// SourceRecord gives what one source said: the record of an origin's key.
func (q Questions) SourceRecord(originKey string) (evidence.Record, bool, error) {
	return find(q, func(t tx) (evidence.Record, bool, error) { return t.source(originKey) })
}

// RecordOf says in which merged record a source record is, and gives the origin keys of all that are in it.
func (q Questions) RecordOf(originKey string) (recordID string, members []string, ok bool, err error) {
	recordID, ok, err = find(q, func(t tx) (string, bool, error) {
		id, ok, err := t.table(bucketMembership).get([]byte(originKey))
		if ok {
			members, err = t.membersOf(string(id))
		}
		return string(id), ok, err
	})
	return recordID, members, ok, err
}
