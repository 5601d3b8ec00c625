package fulltext

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"

	"dossier/internal/evidence"
	"dossier/internal/regular"
)

// ErrOlder is given by opening for writing an index that an older program made, with other fields: it is to be built
// again. It can be read.
var ErrOlder = errors.New("the full-text index is of an older make; it is to be built again")

// ErrReadOnly is given by what would write to an Index that was opened for reading.
var ErrReadOnly = errors.New("the full-text index is open for reading only")

// Index is an open full-text index. It is safe for concurrent use; Apply and Merge wait for one another.
type Index struct {
	bleve    bleve.Index
	scorch   *scorch.Scorch
	path     string
	readOnly bool
	rules    rules
	record   Lookup     // of an index in memory: the records that it was made of
	blocks   *blocks    // what the segments should hold; nil where nobody said
	writing  sync.Mutex // held by Apply and Merge
	closing  sync.Once
	closeErr error // of the one Close that was done
}

// markKey is where a batch keeps the mark that Apply was given.
var markKey = []byte("dossier-mark")

// makeKey is where an index says how it is made. One that says nothing is read, and not written to: its words' places
// are locations, and its frequencies are frequencies.
var makeKey = []byte("dossier-make")

const packedMake = "places in frequencies"

// Create makes a new, empty index in the folder path, which must not exist yet, and opens it for writing.
func Create(path string) (*Index, error) {
	b, err := newBleve(path)
	if err == nil {
		err = b.Close() // what NewUsing is configured with would be kept in the index
	}
	if err != nil {
		return nil, fmt.Errorf("create full-text index %s: %w", path, err)
	}
	return Open(path, false, minWait)
}

func newBleve(path string) (bleve.Index, error) {
	b, err := bleve.NewUsing(path, emptyMapping(), scorch.Name, scorch.Name, nil)
	if err != nil {
		return nil, err
	}
	if err := b.SetInternal(makeKey, []byte(packedMake)); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// InMemory makes an index of a few records that no store holds yet, in memory alone. Close lets go of it.
func InMemory(ctx context.Context, records []*evidence.Record) (*Index, error) {
	const name = "in memory"
	b, err := newBleve("")
	if err != nil {
		return nil, fmt.Errorf("create full-text index %s: %w", name, err)
	}
	ix, err := wrap(b, name, false)
	if err != nil {
		return nil, err
	}
	ops := make([]Op, len(records))
	byID := make(map[string]*evidence.Record, len(records))
	for i, r := range records {
		ops[i] = Op{ID: r.ID, Record: r}
		byID[r.ID] = r
	}
	ix.record = func(id string) (evidence.Record, bool, error) { return *byID[id], true, nil }
	if err := ix.Apply(ctx, ops, 0); err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	return ix, nil
}

// Open opens the index in the folder path. It waits up to wait for another process: a writer excludes readers and
// readers a writer. An index that is open for reading is never changed, and may lie where nothing can be written.
//
// Where the newest state on disk cannot be read, bleve opens the one before and only logs it. Mark and Count are that
// state's own, so a caller that knows what they should be sees it, and can go on from Mark.
func Open(path string, readOnly bool, wait time.Duration) (*Index, error) {
	if err := checkFiles(path); err != nil {
		return nil, fmt.Errorf("open full-text index %s: %w", path, err)
	}
	config := map[string]any{"read_only": readOnly, "bolt_timeout": max(wait, minWait).String(),
		// Merged late, and many segments at once. Each merge writes its records again, and with bleve's own ten to a merge
		// every tenfold of records is written once more. A batch looks for its records in each segment that there is,
		// which costs little.
		"scorchMergePlanOptions": map[string]any{"MaxSegmentsPerTier": 200, "SegmentsPerMergeTask": 200, "TierGrowth": 200,
			"FloorSegmentSize": 1}}
	b, err := bleve.OpenUsing(path, config)
	if err != nil { // b is then a non-nil interface around nothing
		return nil, fmt.Errorf("open full-text index %s: %w", path, err)
	}
	ix, err := wrap(b, path, readOnly)
	if err != nil || readOnly {
		return ix, err
	}
	err = ix.read(func(s *snapshot) error {
		if !s.packed {
			return ErrOlder
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	return ix, nil
}

// maxMetaSize bounds index_meta.json, of which bleve reads all there is; what bleve writes there has some 40 bytes.
const maxMetaSize = 1 << 20

// checkFiles looks at what bleve is about to open: it opens whatever stands there, follows links, and waits at pipes.
func checkFiles(path string) error {
	if err := regular.Tree(path); err != nil {
		return err
	}
	meta := filepath.Join(path, "index_meta.json")
	info, err := regular.Stat(meta)
	if err == nil && info.Size() > maxMetaSize {
		err = fmt.Errorf("%s has %d bytes; at most %d are read", meta, info.Size(), maxMetaSize)
	}
	return err
}

// minWait is twice the interval at which bbolt looks for a free lock: any less would fail without having looked.
const minWait = 100 * time.Millisecond

// emptyMapping maps nothing. Documents are built field by field in document.go and handed over ready, so that what is
// indexed, and how, stands in one place and nothing is derived from Go types by chance.
func emptyMapping() mapping.IndexMapping {
	m := bleve.NewIndexMapping()
	m.DefaultMapping = bleve.NewDocumentDisabledMapping()
	m.StoreDynamic, m.IndexDynamic, m.DocValuesDynamic = false, false, false
	return m
}

func wrap(b bleve.Index, path string, readOnly bool) (*Index, error) {
	inner, err := b.Advanced()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open full-text index %s: %w", path, err), b.Close())
	}
	s, ok := inner.(*scorch.Scorch)
	if !ok {
		return nil, errors.Join(fmt.Errorf("open full-text index %s: it is of another make (%T); rebuild it", path, inner),
			b.Close())
	}
	return &Index{bleve: b, scorch: s, path: path, readOnly: readOnly, rules: theRules()}, nil
}

// Close releases the index, and does nothing where that was done before. Searches under way keep what they look at.
func (ix *Index) Close() error {
	ix.closing.Do(func() { // bleve panics when it is closed twice
		if err := ix.bleve.Close(); err != nil {
			ix.closeErr = fmt.Errorf("close full-text index %s: %w", ix.path, err)
		}
	})
	return ix.closeErr
}

// Mark is the highest mark that Apply was given and has made good; 0 in a new index.
func (ix *Index) Mark() (uint64, error) {
	var mark uint64
	err := ix.read(func(s *snapshot) error {
		value, err := s.reader.GetInternal(markKey)
		if err != nil || value == nil {
			return err
		}
		if len(value) != 8 {
			return fmt.Errorf("its mark has %d bytes instead of 8; rebuild it", len(value))
		}
		mark = binary.BigEndian.Uint64(value)
		return nil
	})
	return mark, err
}

// Count is the number of records in the index.
func (ix *Index) Count() (uint64, error) {
	var n uint64
	err := ix.read(func(s *snapshot) (err error) {
		n, err = s.reader.DocCount()
		return err
	})
	return n, err
}

// ErrUnreadable is in every error of an index whose files can't be read as they should be, whatever was asked.
var ErrUnreadable = errors.New("the full-text index can't be read")

// read lets use look at the index as it is now.
func (ix *Index) read(use func(*snapshot) error) error {
	s, err := ix.snapshot()
	if err == nil {
		err = errors.Join(use(s), s.reader.Close())
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrTooBroad), errors.Is(err, ErrOlder), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("read full-text index %s: %w", ix.path, err)
	}
	return fmt.Errorf("%w: %s: %w", ErrUnreadable, ix.path, err)
}
