package opensearch

import (
	"context"
	"fmt"
	"sync/atomic"

	"dossier/internal/fulltext/segments"
)

// Text is the full text of one generation, open for reading or writing. It is safe for concurrent use, except for
// Apply.
type Text struct {
	client       *Client
	name         string
	needsRefresh atomic.Bool // there are writes that searches do not find yet
}

// metadata is what an index stores about itself.
type metadata struct {
	Schema int    `json:"schema"`
	Mark   uint64 `json:"mark"`
}

// CreateText creates an empty full text under the full name of an index, which must be free.
func CreateText(ctx context.Context, client *Client, name string) (*Text, error) {
	if err := client.Create(ctx, name, definition()); err != nil {
		return nil, fmt.Errorf("create full text: %w", err)
	}
	return &Text{client: client, name: name}, nil
}

// OpenText opens a full text by the name of its index, or by an alias of it alone. It refuses an index that a newer
// program made.
func OpenText(ctx context.Context, client *Client, name string) (*Text, error) {
	ix := &Text{client: client, name: name}
	if _, err := ix.metadata(ctx); err != nil {
		return nil, fmt.Errorf("open full text: %w", err)
	}
	return ix, nil
}

func (ix *Text) metadata(ctx context.Context) (metadata, error) {
	var n metadata

	err := ix.client.Meta(ctx, ix.name, &n)
	if err == nil {
		err = CheckSchema(ix.name, n.Schema, textSchema)
	}
	return n, err
}

// Close does nothing: the connections are the client's.
func (ix *Text) Close() error { return nil }

// batch is how many changes are turned into documents at once.
const batch = 1000

// Apply makes the changes, in order, and then sets the mark. When it returns they are in the transaction logs of every
// present copy. After a crash any of the changes may be stored, but the mark has moved only if all are: applying them
// again from the last mark on repairs the index.
func (ix *Text) Apply(ctx context.Context, ops []segments.Op, mark uint64) error {
	for from := 0; from < len(ops); from += batch {
		part := ops[from:min(from+batch, len(ops))]

		writes := make([]Write, len(part))
		for i, op := range part {
			writes[i].ID = shorten(op.ID, maxName)
			if op.Record == nil {
				continue
			}

			document, err := newDocument(op.ID, op.Record)
			if err != nil {
				return fmt.Errorf("change full text %s: %w", ix.name, err)
			}
			writes[i].Document = document
		}
		ix.needsRefresh.Store(true)

		if err := ix.client.Bulk(ctx, ix.name, writes); err != nil {
			return fmt.Errorf("change full text: %w", err)
		}
	}

	if err := ix.client.SetMeta(ctx, ix.name, metadata{Schema: textSchema, Mark: mark}); err != nil {
		return fmt.Errorf("mark full text: %w", err)
	}
	return nil
}

// Mark is the highest mark that an Apply has completed; 0 in a new index.
func (ix *Text) Mark() (uint64, error) {
	n, err := ix.metadata(context.Background()) // bounded by the client's patience
	if err != nil {
		return 0, fmt.Errorf("read full text: %w", err)
	}
	return n.Mark, nil
}

// Count is the number of records in the index.
func (ix *Text) Count() (uint64, error) {
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

// Resume makes searches also find what another writer has written to the index.
func (ix *Text) Resume() { ix.needsRefresh.Store(true) }

// refresh makes searches find what this Index has written.
func (ix *Text) refresh(ctx context.Context) error {
	if !ix.needsRefresh.Swap(false) {
		return nil
	}

	if err := ix.client.Refresh(ctx, ix.name); err != nil {
		ix.needsRefresh.Store(true)
		return fmt.Errorf("read full text: %w", err)
	}
	return nil
}

// Merge rewrites the index without deleted and replaced documents, which affect the scores until then. It is no error
// if the cluster must keep some longer, for a copy that has missed the deletion. The cluster decides on the number of
// segments: most does not apply.
func (ix *Text) Merge(ctx context.Context, _ int) error {
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
