package database

import (
	"bytes"
	"context"
	"hash/maphash"
	"iter"
	"slices"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
	"dossier/internal/files"
)

// Queries are the read operations of a database. Each runs in a transaction of its own on the database that is open at
// the time, so they stay valid when that is replaced. They are safe for concurrent use.
type Queries struct {
	with func(f func(*DB) error) error
}

// NewQueries creates Queries on the database that use passes to f. The calls are never nested.
func NewQueries(use func(f func(*DB) error) error) Queries { return Queries{use} }

// tx is a transaction: on a bbolt file or, if remote is set, on remote tables.
type tx struct {
	*bolt.Tx
	base   *bolt.Tx // on the base, if there are changes
	db     *DB
	remote Entries
}

// read runs f in a read transaction.
func (db *DB) read(f func(t tx) error) error {
	if db.tables != nil {
		return db.readRemote(f)
	}
	return files.Guard(db.path, files.RemedyRollback, func() error {
		if db.base != nil {
			return db.base.View(func(base *bolt.Tx) error {
				return db.bolt.View(func(t *bolt.Tx) error { return f(tx{Tx: t, base: base, db: db}) })
			})
		}
		return db.bolt.View(func(t *bolt.Tx) error { return f(tx{Tx: t, db: db}) })
	})
}

// readRemote is read on remote tables. It is separate so that queries to a file do not allocate its closure.
func (db *DB) readRemote(f func(t tx) error) error {
	e, end := db.tables.Read()
	defer end()
	return f(tx{db: db, remote: e})
}

// update runs f in a write transaction: all of it or nothing.
func (db *DB) update(f func(t tx) error) error { return db.change(context.Background(), f) }

// change is update with a context, since remote entries may take long.
func (db *DB) change(ctx context.Context, f func(t tx) error) error {
	if db.tables != nil {
		return db.tables.Update(ctx, func(e Entries) error { return f(tx{db: db, remote: e}) })
	}
	return files.Guard(db.path, files.RemedyRollback, func() error {
		if db.base != nil {
			return db.base.View(func(base *bolt.Tx) error {
				return db.bolt.Update(func(t *bolt.Tx) error { return f(tx{Tx: t, base: base, db: db}) })
			})
		}
		return db.bolt.Update(func(t *bolt.Tx) error { return f(tx{Tx: t, db: db}) })
	})
}

// query answers a query in one read transaction.
func query[T any](q Queries, question func(t tx) (T, error)) (answer T, err error) {
	err = q.with(func(db *DB) error {
		return db.read(func(t tx) error {
			answer, err = question(t)
			return err
		})
	})
	return answer, err
}

// find is query for an entry that may be missing.
func find[T any](q Queries, question func(t tx) (T, bool, error)) (answer T, ok bool, err error) {
	answer, err = query(q, func(t tx) (found T, err error) {
		found, ok, err = question(t)
		return found, err
	})
	return answer, ok, err
}

// Counts is how much a database holds.
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

// tables are the counted tables, with their fields.
func (c *Counts) tables() []counted {
	return []counted{
		{bucketRecords, &c.Records}, {bucketSources, &c.SourceRecords}, {bucketTopics, &c.Topics},
		{bucketJudgements, &c.Judgements}, {bucketRuns, &c.Runs},
	}
}

// Counts counts what the generation holds now.
func (q Queries) Counts() (Counts, error) {
	return query(q, tx.counts)
}

// counts uses the database's page statistics and does not read the keys one by one.
func (t tx) counts() (counts Counts, err error) {
	for _, c := range counts.tables() {
		if *c.count, err = t.table(c.table).count(); err != nil {
			return Counts{}, err
		}
	}
	return counts, nil
}

// Record returns the merged record with that id, with the curators' statements on it. An id that the record had before
// it was renamed or merged still finds it.
func (q Queries) Record(id string) (record evidence.Record, ok bool, err error) {
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

// Lookup returns the ids of the merged records that carry an identifier, in order. There are several if identity kept
// conflicting records apart.
func (q Queries) Lookup(id evidence.Identifier) (recordIDs []string, err error) {
	return q.suffixesIn(bucketIdentifierRecords, joinKey(identifierKey(id), ""), evidence.Span{})
}

// LookupAll is Lookup for many identifiers, in their order, in one transaction. It looks them up in the table's order,
// so that each leaf is checked once.
func (q Queries) LookupAll(ids []evidence.Identifier) (recordIDs [][]string, err error) {
	keys := make([][]byte, len(ids))

	order := make([]int, len(ids))
	for i, id := range ids {
		keys[i], order[i] = joinKey(identifierKey(id), ""), i
	}
	slices.SortFunc(order, func(a, b int) int { return bytes.Compare(keys[a], keys[b]) })
	return query(q, func(t tx) (all [][]string, err error) {
		all = make([][]string, len(ids))

		records := t.table(bucketIdentifierRecords)
		for _, i := range order {
			if all[i], err = records.suffixesWithin(keys[i], evidence.Span{}); err != nil {
				return nil, err
			}
		}
		return all, nil
	})
}

// LinkingTo returns the ids of the merged records with a link whose target is id, in order: for an article its
// retraction notices, errata and comments, for a trial its publications.
func (q Queries) LinkingTo(id evidence.Identifier) (recordIDs []string, err error) {
	return q.suffixesIn(bucketLinks, joinKey(identifierKey(id), ""), evidence.Span{})
}

// ByIdentifier returns the keys of the source records that carry an identifier, within span.
func (q Queries) ByIdentifier(id evidence.Identifier, span evidence.Span) (originKeys []string, err error) {
	return q.suffixesIn(bucketIdentifierSources, joinKey(identifierKey(id), ""), span)
}

// ByTitle returns the keys of the source records that were committed under a title key, within span. The empty key
// finds none.
func (q Queries) ByTitle(titleKey string, span evidence.Span) (originKeys []string, err error) {
	if titleKey == "" {
		return nil, nil
	}
	return q.suffixesIn(bucketTitles, Digest(titleKey), span)
}

func (q Queries) suffixesIn(bucket, prefix []byte, span evidence.Span) ([]string, error) {
	return query(q, func(t tx) ([]string, error) { return t.table(bucket).suffixesWithin(prefix, span) })
}

// Records iterates over all merged records in order of id, each with the curators' statements on it. It ends at the
// first error, including ctx's. The caller may run other queries meanwhile; a writer must not publish meanwhile.
func (q Queries) Records(ctx context.Context) iter.Seq2[evidence.Record, error] {
	return walk(ctx, q, bucketRecords, func(t tx, e entry) (evidence.Record, bool, error) {
		record, err := t.curatedRecord(e)
		return record, true, err
	})
}

func (t tx) curatedRecord(e entry) (record evidence.Record, err error) {
	if record, err = t.decodeRecord(e.value); err != nil {
		return record, t.db.valueError("record", string(e.key), err)
	}
	record.Curated, err = t.curatedOn(record.Identifiers)
	return record, err
}

// RecordsBut is Records without the known ones. It calls known for each, just before reading it, with its id and a
// hash of all that is stored of it: under one seed, an equal hash means an equal record.
func (q Queries) RecordsBut(ctx context.Context, seed maphash.Seed, known func(id string, stored uint64) bool,
) iter.Seq2[evidence.Record, error] {
	return walk(ctx, q, bucketRecords, func(t tx, e entry) (record evidence.Record, unknown bool, err error) {
		if number, ok := t.hashStored(seed, e.value); ok && known(string(e.key), number) {
			return record, false, nil
		}
		record, err = t.curatedRecord(e)
		return record, true, err
	})
}

// SourceRecord returns one source's record by its origin's key.
func (q Queries) SourceRecord(originKey string) (evidence.Record, bool, error) {
	return find(q, func(t tx) (evidence.Record, bool, error) { return t.source(originKey) })
}

// RecordOf returns the merged record that contains a source record, and the origin keys of all its members.
func (q Queries) RecordOf(originKey string) (recordID string, members []string, ok bool, err error) {
	recordID, ok, err = find(q, func(t tx) (string, bool, error) {
		id, ok, err := t.table(bucketMembership).get([]byte(originKey))
		if ok {
			members, err = t.membersOf(string(id))
		}
		return string(id), ok, err
	})
	return recordID, members, ok, err
}
