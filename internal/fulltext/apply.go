package fulltext

import (
	"context"
	"encoding/binary"
	"errors"
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
	// batchSize is large because each batch is one segment and one sync to disk. As many real records hold less text than
	// batchBytes, which take some 70 times as much memory while they are analysed.
	batchSize  = 1000
	batchBytes = 5 << 19
	// batchesAtOnce lets one batch be written while the next one's text is analysed; more only cost memory.
	batchesAtOnce = 2
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

	ops = lastOfEach(ops)
	batches := parted(ops)
	last := len(batches) - 1 // the batch that carries the mark waits for all before it
	if err := ix.applyBatches(ctx, batches[:last]); err != nil {
		return fmt.Errorf("change full-text index %s: %w", ix.path, err)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("change full-text index %s: %w", ix.path, err)
	}
	batch, err := ix.batch(batches[last])
	if err != nil {
		return fmt.Errorf("change full-text index %s: %w", ix.path, err)
	}
	batch.SetInternal(markKey, binary.BigEndian.AppendUint64(nil, mark))
	if err := ix.bleve.Batch(batch); err != nil {
		return fmt.Errorf("change full-text index %s: %w", ix.path, err)
	}
	return nil
}

// lastOfEach keeps the last change of each id, so that batches may be written in any order.
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

// applyBatches writes batches, a few at a time, and returns when none is under way.
func (ix *Index) applyBatches(ctx context.Context, batches [][]Op) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	free := make(chan struct{}, batchesAtOnce)
	results := make(chan error, len(batches))
	started := 0
	for _, chunk := range batches {
		if ctx.Err() != nil {
			break
		}
		free <- struct{}{}
		started++
		go func() {
			err := ix.applyBatch(ctx, chunk)
			if err != nil {
				cancel()
			}
			<-free
			results <- err
		}()
	}
	var errs []error
	for range started {
		errs = append(errs, <-results)
	}
	return errors.Join(errs...)
}

func (ix *Index) applyBatch(ctx context.Context, ops []Op) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	batch, err := ix.batch(ops)
	if err != nil {
		return err
	}
	return ix.bleve.Batch(batch)
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
