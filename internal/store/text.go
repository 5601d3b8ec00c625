package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/fulltext"
)

// A search and what it found are package fulltext's, named here so that a command needs only the store.
type (
	SearchRequest = fulltext.Request
	SearchResult  = fulltext.Result
	SearchFilter  = fulltext.Filter
)

// textIndex is the full text of a generation.
type textIndex interface {
	Apply(ctx context.Context, ops []fulltext.Op, mark uint64) error
	Mark() (uint64, error)
	Count() (uint64, error)
	Merge(ctx context.Context, most int) error
	Search(ctx context.Context, req fulltext.Request) (fulltext.Result, error)
	Expect(sums fulltext.BlockSums)
	Close() error
}

// textEngine makes, opens and copies full texts.
type textEngine struct {
	create func(path string) (textIndex, error)
	open   func(path string, readOnly bool, wait time.Duration) (textIndex, error)
	clone  func(from, to string) error
}

// bleveEngine is the engine of every store outside tests.
func bleveEngine() textEngine {
	return textEngine{
		create: func(path string) (textIndex, error) {
			index, err := fulltext.Create(path)
			if err != nil { // a nil *Index must not become an interface that isn't nil
				return nil, err
			}
			return guardedText{index, path}, nil
		},
		open: func(path string, readOnly bool, wait time.Duration) (textIndex, error) {
			var index *fulltext.Index
			open := func() (err error) {
				index, err = fulltext.Open(path, readOnly, wait)
				return err
			}
			err := guard(path, remedyRebuildText, open)
			if err != nil { // bleve says that a file is missing or damaged where the system refused it once
				err = guard(path, remedyRebuildText, open)
			}
			if err != nil {
				return nil, err
			}
			return guardedText{index, path}, nil
		},
		clone: fulltext.Clone,
	}
}

// guardedText turns what bleve does about damaged segments, which are mapped into memory, into errors.
type guardedText struct {
	index *fulltext.Index
	path  string
}

func (g guardedText) Apply(ctx context.Context, ops []fulltext.Op, mark uint64) error {
	return guard(g.path, remedyRebuildText, func() error { return g.index.Apply(ctx, ops, mark) })
}

func (g guardedText) Mark() (mark uint64, err error) {
	err = guard(g.path, remedyRebuildText, func() (err error) {
		mark, err = g.index.Mark()
		return err
	})
	return mark, err
}

func (g guardedText) Count() (count uint64, err error) {
	err = guard(g.path, remedyRebuildText, func() (err error) {
		count, err = g.index.Count()
		return err
	})
	return count, err
}

func (g guardedText) Merge(ctx context.Context, most int) error {
	return guard(g.path, remedyRebuildText, func() error { return g.index.Merge(ctx, most) })
}

func (g guardedText) Search(ctx context.Context, req fulltext.Request) (result fulltext.Result, err error) {
	err = guard(g.path, remedyRebuildText, func() (err error) {
		result, err = g.index.Search(ctx, req)
		return err
	})
	if errors.Is(err, fulltext.ErrUnreadable) {
		err = damageUnlessFault(err, DamagedError{Path: g.path, Reason: "it can't be searched", Remedy: remedyRebuildText})
	}
	return result, err
}

func (g guardedText) Expect(sums fulltext.BlockSums) { g.index.Expect(sums) }

func (g guardedText) Close() error {
	return guard(g.path, remedyRebuildText, g.index.Close)
}

// textBatch is how many changes go to the full text at once, which parts them into batches of its own. Every record in it
// is in memory.
const textBatch = 2000

// defaultTextLag is how many changes wait for the full text before it follows: each time it does costs syncs and a
// segment that is merged later.
const defaultTextLag = textBatch

// errTextLost says that the full text has lost changes that the database no longer lists: it must be built again.
var errTextLost = errors.New("the full text lacks changes that were settled")

// catchUp gives the full text every change that the database has and it has not. The text's own mark says which: a crash
// between the two leaves the text behind, never ahead.
func (v *view) catchUp(ctx context.Context) error {
	mark, err := v.text.Mark()
	if err != nil {
		return fmt.Errorf("reading how far the full text %s has come: %w", v.textPath(), err)
	}
	settled, err := v.metaNumber(metaSettled)
	if err != nil {
		return err
	}
	if mark < settled {
		return fmt.Errorf("%w (it has come to %d of %d)", errTextLost, mark, settled)
	}
	for {
		last, err := v.followFrom(ctx, mark)
		if err != nil || last == mark {
			return err
		}
		mark = last
	}
}

// followFrom gives the full text the next textBatch of changes after mark, and says how far it has come with them.
func (v *view) followFrom(ctx context.Context, mark uint64) (uint64, error) {
	ops, last, err := v.pendingAfter(mark)
	if err != nil || last == mark {
		return mark, err
	}
	if err := v.text.Apply(ctx, ops, last); err != nil {
		return mark, fmt.Errorf("indexing %d records in %s: %w", len(ops), v.textPath(), err)
	}
	return last, nil
}

// pendingAfter gives the next changes after mark, each record once and as it is now, and the last sequence among them.
func (v *view) pendingAfter(mark uint64) (ops []fulltext.Op, last uint64, err error) {
	last = mark
	err = v.read(func(tx *bolt.Tx) error {
		seen := map[string]bool{}
		for e, err := range v.table(tx, bucketPending).from(sequenceKey(mark + 1)) {
			if err != nil {
				return err
			}
			id := string(e.value)
			last = parseSequence(e.key)
			if seen[id] {
				continue
			}
			seen[id] = true
			op, err := v.textOp(tx, id)
			if err != nil {
				return err
			}
			if ops = append(ops, op); len(ops) == textBatch {
				break
			}
		}
		return nil
	})
	return ops, last, err
}

// textOp is what the full text has to do for a record: hold it, or forget one that is no more.
func (v *view) textOp(tx *bolt.Tx, id string) (fulltext.Op, error) {
	record, err := v.recordByID(tx, id)
	if errors.Is(err, ErrNotFound) {
		return fulltext.Op{ID: id}, nil
	}
	return fulltext.Op{ID: id, Record: &record}, err
}

// metaNumber reads a number of the bucket meta; 0 where it was never written.
func (v *view) metaNumber(key []byte) (number uint64, err error) {
	err = v.read(func(tx *bolt.Tx) error {
		number, err = v.table(tx, bucketMeta).number(key)
		return err
	})
	return number, err
}

// rebuildText builds the full text again from the records, beside what is there, and puts it in place when it is whole.
// On return the view has its text open for writing.
func (v *view) rebuildText(ctx context.Context, wait time.Duration) error {
	if v.text != nil {
		_ = v.text.Close() // it is about to be thrown away
		v.text = nil
	}
	temporary := v.textPath() + temporarySuffix
	if err := os.RemoveAll(temporary); err != nil {
		return fmt.Errorf("removing an unfinished full text: %w", err)
	}
	if err := v.fillText(ctx, temporary); err != nil {
		return fmt.Errorf("building the full text %s again: %w", v.textPath(), err)
	}
	if err := os.RemoveAll(v.textPath()); err != nil {
		return fmt.Errorf("removing the old full text: %w", err)
	}
	if err := renameDurably(temporary, v.textPath()); err != nil {
		return fmt.Errorf("putting the new full text in place: %w", err)
	}
	text, err := v.engine.open(v.textPath(), false, wait)
	if err != nil {
		return fmt.Errorf("opening the new full text %s: %w", v.textPath(), err)
	}
	v.text = text
	return nil
}

// fillText makes a full text of all records in path. Its mark is set last.
func (v *view) fillText(ctx context.Context, path string) (err error) {
	sequence, err := v.metaNumber(metaSequence)
	if err != nil {
		return err
	}
	text, err := v.engine.create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, text.Close()) }()
	var ops []fulltext.Op
	for record, err := range v.records(ctx) {
		if err != nil {
			return err
		}
		ops = append(ops, fulltext.Op{ID: record.ID, Record: &record})
		if len(ops) == textBatch {
			if err := text.Apply(ctx, ops, 0); err != nil {
				return err
			}
			ops = nil
		}
	}
	return text.Apply(ctx, ops, sequence)
}
