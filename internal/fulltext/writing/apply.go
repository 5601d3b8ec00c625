package writing

import (
	"context"
	"encoding/binary"

	index "github.com/blevesearch/bleve_index_api"

	"dossier/internal/fulltext/segments"
	"dossier/internal/fulltext/zapfile"
)

const (
	// batchSize is large because each batch is one segment and one sync to disk.
	batchSize = 1000
	// batchBytes bounds the text of a batch, which takes many times as much memory while it is indexed. So one batch is
	// under way at a time: its records are taken apart on all processors, while the next ones are read and identified.
	batchBytes = 1 << 20
)

// Apply makes the changes, in order, and then moves the index's mark to mark, as segments.Writer has it.
func (ix *Index) Apply(ctx context.Context, ops []segments.Op, mark uint64) error {
	return ix.change(func() error {
		batches := splitBatches(lastOfEach(ops))

		last := len(batches) - 1 // the batch that carries the mark
		for i, part := range batches {
			if err := ctx.Err(); err != nil {
				return err
			}

			batch, err := newBatch(part)
			if err != nil {
				return err
			}

			if i == last {
				batch.SetInternal([]byte(segments.MarkKey), binary.BigEndian.AppendUint64(nil, mark))
			}

			if err := ix.put(batch); err != nil {
				return err
			}
		}
		return nil
	})
}

// lastOfEach keeps the last change of each id: bleve allows an id once per batch.
func lastOfEach(ops []segments.Op) []segments.Op {
	last := make(map[string]int, len(ops))
	for i, op := range ops {
		last[op.ID] = i
	}

	if len(last) == len(ops) {
		return ops
	}

	kept := make([]segments.Op, 0, len(last))
	for i, op := range ops {
		if last[op.ID] == i {
			kept = append(kept, op)
		}
	}
	return kept
}

// splitBatches splits ops into batches, the last of which may be empty.
func splitBatches(ops []segments.Op) [][]segments.Op {
	var batches [][]segments.Op

	from, size := 0, 0
	for i, op := range ops {
		if i-from == batchSize || size > batchBytes {
			batches, from, size = append(batches, ops[from:i]), i, 0
		}

		if op.Record != nil {
			size += op.Record.TextBytes()
		}
	}
	return append(batches, ops[from:])
}

// put passes a batch to scorch, since bleve's own index accepts only another form, and waits until it is on disk.
func (ix *Index) put(batch *index.Batch) error {
	return ix.loops.runUnlessFailed(func() error { return ix.scorch.Batch(batch) })
}

func newBatch(ops []segments.Op) (*index.Batch, error) {
	batch := index.NewBatch()
	for _, op := range ops {
		switch {
		case op.ID == "":
			return nil, segments.ErrNoID
		case op.Record == nil:
			batch.Delete(op.ID)
		default:
			batch.Update(&document{Document: zapfile.Document{ID: op.ID}, record: op.Record})
		}
	}
	return batch, nil
}
