package store

import (
	"context"
	"fmt"
	"iter"
	"sync"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
)

// reading is what Reader and Writer share: the questions to the generation that is open. It is safe for concurrent use.
type reading struct {
	mu   sync.RWMutex // held for reading during each question, for writing while the view is replaced
	view *view
}

// use runs f on the open view. It must not be nested: a waiting replacement would stop the inner one.
func (r *reading) use(f func(v *view) error) error {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.view == nil {
		return ErrClosed
	}
	return f(r.view)
}

// read runs f in a read transaction on the open view.
func (r *reading) read(f func(v *view, tx *bolt.Tx) error) error {
	return r.use(func(v *view) error {
		return v.read(func(tx *bolt.Tx) error { return f(v, tx) })
	})
}

// Generation says which generation is read. For a Writer that has committed something it is the one being built, with
// neither time nor counts.
func (r *reading) Generation() (about Generation, err error) {
	err = r.use(func(v *view) error {
		about = v.about
		return nil
	})
	return about, err
}

// Counts counts what the generation holds now.
func (r *reading) Counts() (counts Counts, err error) {
	err = r.read(func(_ *view, tx *bolt.Tx) error {
		counts = count(tx)
		return nil
	})
	return counts, err
}

// Record gives the merged record with that id, and what curators say of it. An id that the record had before it was renamed or merged
// still finds it.
// The error is ErrNotFound where there is none.
func (r *reading) Record(id string) (record evidence.Record, err error) {
	err = r.read(func(v *view, tx *bolt.Tx) error {
		now, err := v.resolve(tx, id)
		if err != nil {
			return err
		}
		if record, err = v.recordByID(tx, now); err != nil {
			return err
		}
		record.Curated, err = v.curatedOn(tx, record.Identifiers)
		return err
	})
	return record, err
}

// Lookup gives the ids of the merged records that carry an identifier, in order. It is more than one where identity kept
// a conflict apart, and none where the store has no such record.
func (r *reading) Lookup(id evidence.Identifier) (recordIDs []string, err error) {
	err = r.read(func(v *view, tx *bolt.Tx) error {
		recordIDs, err = v.table(tx, bucketIdentifierRecords).suffixes(joinKey(identifierKey(id), ""))
		return err
	})
	return recordIDs, err
}

// LinkingTo gives the ids of the merged records with a link whose target is id, in order: of an article its retraction notices,
// errata and comments, of a trial its publications.
func (r *reading) LinkingTo(id evidence.Identifier) (recordIDs []string, err error) {
	err = r.read(func(v *view, tx *bolt.Tx) error {
		recordIDs, err = v.table(tx, bucketLinks).suffixes(joinKey(identifierKey(id), ""))
		return err
	})
	return recordIDs, err
}

// Records walks over all merged records in order of id, each with what curators say of it. The walk ends at the first error, that of ctx included. The
// caller may ask the store other questions on the way; a Writer must not publish on the way.
func (r *reading) Records(ctx context.Context) iter.Seq2[evidence.Record, error] {
	return walk(ctx, func(after []byte) (records []evidence.Record, last []byte, err error) {
		err = r.read(func(v *view, tx *bolt.Tx) error {
			if records, last, err = v.recordsAfter(tx, after); err != nil {
				return err
			}
			for i := range records {
				if records[i].Curated, err = v.curatedOn(tx, records[i].Identifiers); err != nil {
					return err
				}
			}
			return nil
		})
		return records, last, err
	})
}

// SourceRecord gives what one source said: the record of an origin's key.
func (r *reading) SourceRecord(originKey string) (record evidence.Record, found bool, err error) {
	err = r.read(func(v *view, tx *bolt.Tx) error {
		found, err = v.table(tx, bucketSources).decode([]byte(originKey), &record)
		return v.badValue("source record", originKey, err)
	})
	return record, found, err
}

// ByIdentifier gives the keys of the source records that carry an identifier, as far as they are in span.
func (r *reading) ByIdentifier(id evidence.Identifier, span evidence.Span) (originKeys []string, err error) {
	err = r.read(func(v *view, tx *bolt.Tx) error {
		originKeys, err = v.table(tx, bucketIdentifierSources).spanned(joinKey(identifierKey(id), ""), span)
		return err
	})
	return originKeys, err
}

// ByTitle gives the keys of the source records that were committed under a title key, as far as they are in span. The
// empty key finds none.
func (r *reading) ByTitle(titleKey string, span evidence.Span) (originKeys []string, err error) {
	if titleKey == "" {
		return nil, nil
	}
	err = r.read(func(v *view, tx *bolt.Tx) error {
		originKeys, err = v.table(tx, bucketTitles).spanned(digest(titleKey), span)
		return err
	})
	return originKeys, err
}

// RecordOf says in which merged record a source record is, and gives the origin keys of all that are in it.
func (r *reading) RecordOf(originKey string) (recordID string, members []string, found bool, err error) {
	err = r.read(func(v *view, tx *bolt.Tx) error {
		id, isIn, err := v.table(tx, bucketMembership).get([]byte(originKey))
		if !isIn {
			return err
		}
		recordID, found = string(id), true
		members, err = v.membersOf(tx, recordID)
		return err
	})
	return recordID, members, found, err
}

// Search looks through the full text. A Writer finds what it has committed.
func (r *reading) Search(ctx context.Context, req SearchRequest) (result SearchResult, err error) {
	err = r.use(func(v *view) error {
		result, err = v.text.Search(ctx, req)
		if err != nil {
			return fmt.Errorf("searching the full text of generation %d: %w", v.about.Number, err)
		}
		return nil
	})
	return result, err
}
