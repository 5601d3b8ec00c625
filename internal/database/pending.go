package database

import (
	"encoding/json"

	"dossier/internal/evidence"
)

// Progress says how far the changes of records have come: each has a sequence number.
type Progress struct {
	Sequence uint64 // the last one given out
	Settled  uint64 // the last one that was let go of, since the full text had taken it
}

// Progress reads the numbers; both are 0 where nothing was written yet.
func (db *DB) Progress() (Progress, error) {
	return ask(db.Questions, func(t tx) (progress Progress, err error) {
		if progress.Sequence, err = t.table(bucketMeta).number(metaSequence); err == nil {
			progress.Settled, err = t.table(bucketMeta).number(metaSettled)
		}
		return progress, err
	})
}

// Change is a record as it is now; one that is no more has only its ID.
type Change struct {
	ID     string
	Record *evidence.Record
}

// Changes are changes in the order of their sequence numbers, and the last of these. Those of a commit have one each,
// without a gap.
type Changes struct {
	List []Change
	Last uint64
}

// Pending gives the next changes after mark, at most limit and as many as have evidence.TextsAtOnce of text, each
// record once and as it is now. Of none, Last is mark.
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

// Settle lets go of the changes that the full text has taken, up to mark, and names the generation that the database
// now belongs to.
func (db *DB) Settle(numbers Numbers, mark uint64) error {
	return db.update(func(t tx) error { return t.settle(numbers, mark) })
}

// settle is Settle in a transaction, and brings the database to the schema of what is written.
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
