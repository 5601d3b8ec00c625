package database

import (
	"encoding/json"

	"dossier/internal/evidence"
)

// Progress is how far the numbering of records' changes has come.
type Progress struct {
	Sequence uint64 // the last number assigned
	Settled  uint64 // the last one removed, after the full text had taken it
}

// Progress reads the numbers; both are 0 in an empty database.
func (db *DB) Progress() (Progress, error) {
	return query(db.Queries, func(t tx) (progress Progress, err error) {
		if progress.Sequence, err = t.table(bucketMeta).number(metaSequence); err == nil {
			progress.Settled, err = t.table(bucketMeta).number(metaSettled)
		}
		return progress, err
	})
}

// Change is a record's present state; a deleted record has only its ID.
type Change struct {
	ID     string
	Record *evidence.Record
}

// Changes are changes in the order of their sequence numbers, and the last number. Those of a commit are numbered
// without a gap.
type Changes struct {
	List []Change
	Last uint64
}

// Pending returns the next changes after mark, at most limit and at most evidence.TextsAtOnce of text, each record
// once and in its present state. If there are none, Last is mark.
func (db *DB) Pending(mark uint64, limit int) (next Changes, err error) {
	next.Last = mark
	err = db.read(func(t tx) error {
		seen, bytes := map[string]bool{}, 0
		for e, err := range t.table(bucketPending).from(sequenceKey(mark + 1)) {
			if err != nil {
				return err
			}
			id := string(e.value)
			next.Last = parseSequence(e.key)

			if seen[id] {
				continue
			}
			seen[id] = true
			change := Change{ID: id}

			record, ok, err := t.record(id)
			if err != nil {
				return err
			}

			if ok {
				change.Record = &record
				bytes += record.TextBytes()
			}

			if next.List = append(next.List, change); len(next.List) == limit || bytes >= evidence.TextsAtOnce {
				break
			}
		}
		return nil
	})
	return next, err
}

// Settle removes the pending changes up to mark, which the full text has taken, and sets the generation that the
// database belongs to.
func (db *DB) Settle(numbers Numbers, mark uint64) error {
	return db.update(func(t tx) error { return t.settle(numbers, mark) })
}

// settle is Settle in a transaction; it also upgrades the database's schema to the current one.
func (t tx) settle(numbers Numbers, mark uint64) error {
	meta := t.table(bucketMeta)

	settled, err := meta.number(metaSettled)
	if err != nil {
		return err
	}

	removed := false
	if mark > settled {
		if removed, err = t.table(bucketPending).deleteTo(sequenceKey(mark)); err != nil {
			return err
		}
	}

	if removed {
		if err := meta.put(metaSettled, sequenceKey(mark)); err != nil {
			return err
		}
	}

	if err := t.initialise(); err != nil {
		return err
	}

	text, err := json.Marshal(numbers)
	if err != nil {
		return err
	}
	return meta.put(metaGeneration, text)
}
