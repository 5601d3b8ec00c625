package writing

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"

	"dossier/internal/fulltext/segments"
	"dossier/internal/fulltext/zapfile"
)

// Index is an index on disk that is open for writing. It is safe for concurrent use; Apply and Merge wait for one
// another.
type Index struct {
	bleve    bleve.Index
	scorch   *scorch.Scorch
	path     string
	writing  sync.Mutex   // held by Apply and Merge
	opening  sync.RWMutex // held for writing by Close, for reading by what must not be overtaken by it
	closed   bool
	closeErr error // of the one Close that was done
}

// Texts makes and opens indexes for whoever does not know this package.
type Texts struct{}

// Create is the function Create.
func (Texts) Create(path string) (segments.Writer, error) {
	ix, err := Create(path)
	if err != nil { // a nil *Index must not become an interface that isn't nil
		return nil, err
	}
	return ix, nil
}

// Open is the function Open.
func (Texts) Open(path string, wait time.Duration) (segments.Writer, error) {
	ix, err := Open(path, wait)
	if err != nil {
		return nil, err
	}
	return ix, nil
}

// Create makes a new, empty index in the folder path, which must not exist yet, and opens it.
func Create(path string) (*Index, error) {
	b, err := bleve.NewUsing(path, emptyMapping(), scorch.Name, scorch.Name, nil)
	if err == nil {
		err = b.SetInternal([]byte(segments.MakeKey), []byte(segments.PackedMake))
		err = errors.Join(err, b.Close()) // what NewUsing is configured with would be kept in the index
	}
	if err != nil {
		return nil, fmt.Errorf("create full-text index %s: %w", path, err)
	}
	return Open(path, segments.MinWait)
}

// together is how many segments of about one size are merged at once, in the background as they come; what these leave
// is merged at the end (Merge). With fewer a record would be written more often: with bleve's own ten, once for every
// tenfold of records. With more there are more files that are open all the time, each batch looks for its records in
// more of them, and for each word a merge looks at all that it merges (docs/BENCHMARKS.md, "Growth").
const together = 64

// Open opens the index in the folder path. It waits up to wait for other processes that read it or write to it. The
// error is segments.ErrOlder where an older program made it.
//
// Where the newest state on disk cannot be read, bleve opens the one before and only logs it. Its mark and the number
// of its documents are that state's own, so a caller that knows what they should be sees it, and can go on from the
// mark.
func Open(path string, wait time.Duration) (*Index, error) {
	ix, err := open(path, wait)
	if err != nil {
		return nil, fmt.Errorf("open full-text index %s: %w", path, err)
	}
	return ix, nil
}

func open(path string, wait time.Duration) (*Index, error) {
	if err := segments.CheckFiles(path); err != nil {
		return nil, err
	}
	unwritten.Delete(storeIn(path))
	b, err := bleve.OpenUsing(path, map[string]any{"bolt_timeout": max(wait, segments.MinWait).String(),
		"asyncErrorCallbackName": onUnwritten,
		"scorchMergePlanOptions": map[string]any{"MaxSegmentsPerTier": together, "SegmentsPerMergeTask": together,
			"TierGrowth": together, "FloorSegmentSize": 1}})
	if err != nil { // b is then a non-nil interface around nothing
		return nil, err
	}
	inner, err := b.Advanced()
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	s, ok := inner.(*scorch.Scorch)
	if !ok {
		return nil, errors.Join(fmt.Errorf("it is of another make (%T); rebuild it", inner), b.Close())
	}
	ix := &Index{bleve: b, scorch: s, path: path}
	state, err := ix.State()
	if err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	if !state.Packed() {
		err = segments.ErrOlder
	}
	if err := errors.Join(err, state.Done()); err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	return ix, nil
}

// emptyMapping maps nothing. Documents are handed over ready (package segments), so that what is indexed, and how,
// stands in one place and nothing is derived from Go types by chance.
func emptyMapping() mapping.IndexMapping {
	m := bleve.NewIndexMapping()
	m.DefaultMapping = bleve.NewDocumentDisabledMapping()
	m.StoreDynamic, m.IndexDynamic, m.DocValuesDynamic = false, false, false
	return m
}

// State is the index as it is now. Segments that it holds may be merged meanwhile; they stay until Done is called.
func (ix *Index) State() (*segments.State, error) {
	reader, err := ix.scorch.Reader()
	if err != nil {
		return nil, err
	}
	s, ok := reader.(*scorch.IndexSnapshot)
	if !ok || s == nil {
		return nil, segments.ErrClosed
	}
	state := &segments.State{Kept: map[string][]byte{}, Done: s.Close}
	for _, key := range []string{segments.MarkKey, segments.MakeKey} {
		value, err := s.GetInternal([]byte(key))
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		if value != nil {
			state.Kept[key] = value
		}
	}
	for _, part := range s.Segments() {
		readable, err := zapfile.Of(part.Segment())
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		state.Segments = append(state.Segments, segments.Segment{Segment: readable, Deleted: part.Deleted()})
	}
	return state, nil
}

// Close releases the index, and does nothing where that was done before. Whoever has a State keeps what it looks at.
func (ix *Index) Close() error {
	ix.opening.Lock()
	defer ix.opening.Unlock()
	if ix.closed { // bleve panics when it is closed twice
		return ix.closeErr
	}
	ix.closed = true
	if err := ix.bleve.Close(); err != nil {
		ix.closeErr = fmt.Errorf("close full-text index %s: %w", ix.path, err)
	}
	return ix.closeErr
}
