package fulltext

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/blevesearch/bleve/v2"

	"dossier/internal/evidence"
)

// Op is one change to an Index: the record to hold under ID, or with a nil Record the ID to forget. The record must not
// be changed before Apply has returned.
type Op struct {
	ID     string
	Record *evidence.Record
}

const (
	// batchSize is large because each batch is one segment and one sync to disk.
	batchSize = 1000
	// batchBytes bounds the text of a batch, which takes up to 200 times as much memory while it is indexed. So one batch
	// is under way at a time: bleve analyses its records on all processors, while the next ones are read and identified.
	batchBytes = 1 << 20
)

// Apply makes the changes, in order, and then moves the index's mark to mark. What Apply returned for is on disk. After
// a crash any part of the changes may be there, but the mark has moved only if all of them are: applying them again
// from the last mark on repairs the index.
func (ix *Index) Apply(ctx context.Context, ops []Op, mark uint64) error {
	if ix.readOnly {
		return fmt.Errorf("change full-text index %s: %w", ix.path, ErrReadOnly)
	}
	ix.writing.Lock()
	defer ix.writing.Unlock()

	batches := parted(lastOfEach(ops))
	last := len(batches) - 1 // the batch that carries the mark
	for i, part := range batches {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("change full-text index %s: %w", ix.path, err)
		}
		batch, err := ix.batch(part)
		if err != nil {
			return fmt.Errorf("change full-text index %s: %w", ix.path, err)
		}
		if i == last {
			batch.SetInternal(markKey, binary.BigEndian.AppendUint64(nil, mark))
		}
		if err := ix.bleve.Batch(batch); err != nil {
			return fmt.Errorf("change full-text index %s: %w", ix.path, err)
		}
	}
	return nil
}

// lastOfEach keeps the last change of each id: bleve takes no id twice in a batch.
func lastOfEach(ops []Op) []Op {
	last := make(map[string]int, len(ops))
	for i, op := range ops {
		last[op.ID] = i
	}
	if len(last) == len(ops) {
		return ops
	}
	kept := make([]Op, 0, len(last))
	for i, op := range ops {
		if last[op.ID] == i {
			kept = append(kept, op)
		}
	}
	return kept
}

// parted gives ops in batches, the last of which may be empty.
func parted(ops []Op) [][]Op {
	var batches [][]Op
	from, size := 0, 0
	for i, op := range ops {
		if i-from == batchSize || size > batchBytes {
			batches, from, size = append(batches, ops[from:i]), i, 0
		}
		if op.Record != nil {
			size += len(op.Record.Title) + len(op.Record.AbstractText())
			for _, other := range op.Record.OtherAbstracts {
				size += len(evidence.SectionsText(other.Sections))
			}
		}
	}
	return append(batches, ops[from:])
}

func (ix *Index) batch(ops []Op) (*bleve.Batch, error) {
	batch := ix.bleve.NewBatch()
	for _, op := range ops {
		if op.Record == nil {
			batch.Delete(op.ID)
			continue
		}
		if err := batch.IndexAdvanced(newDocument(op.ID, op.Record)); err != nil {
			return nil, fmt.Errorf("record %q: %w", op.ID, err)
		}
	}
	return batch, nil
}
