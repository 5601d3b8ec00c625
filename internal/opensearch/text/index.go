package text

import (
	"context"
	"fmt"
	"sync/atomic"

	"dossier/internal/fulltext/segments"
	"dossier/internal/opensearch"
)

// Index is the full text of one generation, open to be read or written. It is safe for concurrent use, but for Apply.
type Index struct {
	client *opensearch.Client
	name   string
	unseen atomic.Bool // something was written that no search finds yet
}

// noted is what an index says of itself.
type noted struct {
	Schema int    `json:"schema"`
	Mark   uint64 `json:"mark"`
}

// Create makes a new, empty full text under the full name of an index, which must be free.
func Create(ctx context.Context, client *opensearch.Client, name string) (*Index, error) {
	if err := client.Create(ctx, name, definition()); err != nil {
		return nil, fmt.Errorf("create full text: %w", err)
	}
	return &Index{client: client, name: name}, nil
}

// Open opens a full text by the name of its index, or by an alias that is its alone. An index that a newer program made
// is refused.
func Open(ctx context.Context, client *opensearch.Client, name string) (*Index, error) {
	ix := &Index{client: client, name: name}
	if _, err := ix.noted(ctx); err != nil {
		return nil, fmt.Errorf("open full text: %w", err)
	}
	return ix, nil
}

func (ix *Index) noted(ctx context.Context) (noted, error) {
	var n noted

	err := ix.client.Meta(ctx, ix.name, &n)
	if err == nil {
		err = opensearch.CheckSchema(ix.name, n.Schema, schema)
	}
	return n, err
}

// Close lets go of nothing: the connections are the client's.
func (ix *Index) Close() error { return nil }

// batch is how many changes are made into documents at once.
const batch = 1000

// Apply makes the changes, in order, and then moves the mark to mark. What it returned for stands in the transaction
// logs of every copy that is there. After a crash any part of the changes may be there, but the mark has moved only if
// all of them are: applying them again from the last mark on repairs the index.
func (ix *Index) Apply(ctx context.Context, ops []segments.Op, mark uint64) error {
	for from := 0; from < len(ops); from += batch {
		part := ops[from:min(from+batch, len(ops))]

		writes := make([]opensearch.Write, len(part))
		for i, op := range part {
			writes[i].ID = squeeze(op.ID, maxName)
			if op.Record == nil {
				continue
			}

			document, err := newDocument(op.ID, op.Record)
			if err != nil {
				return fmt.Errorf("change full text %s: %w", ix.name, err)
			}
			writes[i].Document = document
		}
		ix.unseen.Store(true)

		if err := ix.client.Bulk(ctx, ix.name, writes); err != nil {
			return fmt.Errorf("change full text: %w", err)
		}
	}

	if err := ix.client.SetMeta(ctx, ix.name, noted{Schema: schema, Mark: mark}); err != nil {
		return fmt.Errorf("mark full text: %w", err)
	}
	return nil
}

// Mark is the highest mark that Apply was given and has made good; 0 in a new index.
func (ix *Index) Mark() (uint64, error) {
	n, err := ix.noted(context.Background()) // bounded by the client's patience
	if err != nil {
		return 0, fmt.Errorf("read full text: %w", err)
	}
	return n.Mark, nil
}

// Count is the number of records in the index.
func (ix *Index) Count() (uint64, error) {
	ctx := context.Background() // bounded by the client's patience
	if err := ix.refresh(ctx); err != nil {
		return 0, err
	}

	n, err := ix.client.Count(ctx, ix.name, nil)
	if err != nil {
		return 0, fmt.Errorf("read full text: %w", err)
	}
	return n, nil
}

// Resume has searches find also what another has written to the index.
func (ix *Index) Resume() { ix.unseen.Store(true) }

// refresh has searches find what this Index has written.
func (ix *Index) refresh(ctx context.Context) error {
	if !ix.unseen.Swap(false) {
		return nil
	}

	if err := ix.client.Refresh(ctx, ix.name); err != nil {
		ix.unseen.Store(true)
		return fmt.Errorf("read full text: %w", err)
	}
	return nil
}

// Merge writes the index without what was deleted from it or replaced, which has a part in the scores as long as it is
// there. Where the cluster must keep that a while longer, for a copy that has missed it, that is no error. How many
// segments there are is the cluster's own affair: most does not apply.
func (ix *Index) Merge(ctx context.Context, _ int) error {
	if err := ix.refresh(ctx); err != nil {
		return err
	}

	_, err := ix.client.Expunge(ctx, ix.name)
	if err == nil {
		err = ix.client.Refresh(ctx, ix.name)
	}

	if err != nil {
		return fmt.Errorf("merge full text: %w", err)
	}
	return nil
}
