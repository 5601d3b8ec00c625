package writing

import (
	"cmp"
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

// Index is an index on disk that is open for writing. It is safe for concurrent use; Apply, Merge and Close wait for
// one another. After a failure of scorch to persist or merge, the index is closed and accepts no more changes;
// reopening it restores what was on disk.
type Index struct {
	bleve    bleve.Index
	scorch   *scorch.Scorch
	loops    *loops
	path     string
	writing  sync.Mutex // held by Apply, Merge and Close
	closed   bool
	closeErr error // of the one Close that was done
}

// Texts creates and opens indexes for callers that do not import this package.
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
func (Texts) Open(path string, wait time.Duration, without ...string) (segments.Writer, error) {
	ix, err := Open(path, wait, without...)
	if err != nil {
		return nil, err
	}
	return ix, nil
}

// Create creates an empty index in the folder path, which must not exist yet, and opens it.
func Create(path string) (*Index, error) {
	err := newLoops().runUnlessFailed(func() error {
		b, err := bleve.NewUsing(path, emptyMapping(), scorch.Name, scorch.Name, nil)
		if err != nil {
			return err
		}
		err = b.SetInternal([]byte(segments.FormatKey), []byte(segments.PackedFormat))
		return restoreErrno(errors.Join(err, b.Close())) // what NewUsing is configured with would be kept in the index
	})
	if err != nil {
		return nil, fmt.Errorf("create full-text index %s: %w", path, err)
	}
	return Open(path, segments.MinWait)
}

// mergeWidth is how many segments of about one size are merged at once, in the background as they come; what these
// leave is merged at the end (Merge). With fewer a record would be written more often: with bleve's own ten, once for
// every tenfold of records. With more there are more files that are open all the time, each batch looks for its
// records in more of them, and for each word a merge looks at all that it merges (docs/BENCHMARKS.md, "Import and
// growth").
const mergeWidth = 64

// Open opens the index in the folder path. It waits up to wait for other processes that read it or write to it. The
// error is segments.ErrOlder if an older program made it. It removes the segments with the named files, which may be
// missing.
func Open(path string, wait time.Duration, without ...string) (*Index, error) {
	ix, err := open(path, wait, without)
	if err != nil {
		return nil, fmt.Errorf("open full-text index %s: %w", path, err)
	}
	return ix, nil
}

func open(path string, wait time.Duration, without []string) (*Index, error) {
	if err := segments.CheckFiles(path); err != nil {
		return nil, err
	}

	if len(without) > 0 {
		if err := segments.RemoveSegments(path, wait, without); err != nil {
			return nil, err
		}
	}
	ix := &Index{path: path, loops: newLoops()}
	watched.Store(storeIn(path), ix.loops)

	if err := ix.openScorch(wait); err != nil {
		watched.CompareAndDelete(storeIn(path), ix.loops)
		return nil, cmp.Or(ix.loops.failure(), err)
	}
	ix.loops.opened.Store(true)

	state, err := ix.State()
	if err != nil {
		return nil, errors.Join(err, ix.Close())
	}

	if !state.Packed() {
		err = segments.ErrOlder
	}
	// scorch only logs that a segment of the newest state can't be opened, and goes on from the state before
	if err := errors.Join(cmp.Or(ix.loops.failure(), err), state.Done()); err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	return ix, nil
}

func (ix *Index) openScorch(wait time.Duration) (err error) {
	ix.bleve, err = bleve.OpenUsing(ix.path, map[string]any{"bolt_timeout": max(wait, segments.MinWait).String(),
		"asyncErrorCallbackName": onFailure,
		"scorchMergePlanOptions": map[string]any{"MaxSegmentsPerTier": mergeWidth, "SegmentsPerMergeTask": mergeWidth,
			"TierGrowth": mergeWidth, "FloorSegmentSize": 1}})
	if errors.Is(err, bleve.ErrorIndexMetaMissing) { // so bleve calls whatever keeps it from reading that file
		return errors.Join(err, segments.CheckFiles(ix.path))
	}

	if err != nil { // it is then a non-nil interface around nothing
		return restoreErrno(err)
	}

	inner, err := ix.bleve.Advanced()
	if err != nil {
		return errors.Join(err, ix.bleve.Close())
	}

	s, ok := inner.(*scorch.Scorch)
	if !ok {
		return errors.Join(fmt.Errorf("it is of another make (%T); rebuild it", inner), ix.bleve.Close())
	}
	ix.scorch = s
	return nil
}

// emptyMapping maps nothing. Documents are complete when passed on (package segments), so that the mapping is defined
// in one place and nothing is derived from Go types.
func emptyMapping() mapping.IndexMapping {
	m := bleve.NewIndexMapping()
	m.DefaultMapping = bleve.NewDocumentDisabledMapping()
	m.StoreDynamic, m.IndexDynamic, m.DocValuesDynamic = false, false, false
	return m
}

// State is the index's present state. Its segments may be merged meanwhile; they stay open until Done is called.
func (ix *Index) State() (*segments.State, error) {
	reader, err := ix.scorch.Reader()
	if err != nil {
		return nil, err
	}

	s, ok := reader.(*scorch.IndexSnapshot)
	if !ok || s == nil {
		return nil, ix.closedError()
	}

	state := &segments.State{Kept: map[string][]byte{}, Done: s.Close}
	for _, key := range []string{segments.MarkKey, segments.FormatKey} {
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

// change runs f, which writes to the index, and closes the index if scorch has failed.
func (ix *Index) change(f func() error) error {
	ix.writing.Lock()
	defer ix.writing.Unlock()

	if err := ix.attempt(f); err != nil {
		return fmt.Errorf("change full-text index %s: %w", ix.path, err)
	}
	return nil
}

// closedError is the error of a closed index: scorch's failure, if that closed it.
func (ix *Index) closedError() error {
	if failure := ix.loops.failure(); failure != nil {
		return fmt.Errorf("%w: %w", segments.ErrClosed, failure)
	}
	return segments.ErrClosed
}

func (ix *Index) attempt(f func() error) error {
	if ix.closed {
		return ix.closedError()
	}

	err := ix.loops.recoverFailure(f)
	if failure := ix.loops.failure(); failure != nil {
		_ = ix.close() // whose error Close gives
		return failure
	}
	return err
}

// Close releases the index; closing again does nothing. Open States stay valid.
func (ix *Index) Close() error {
	ix.writing.Lock()
	defer ix.writing.Unlock()
	return ix.close()
}

func (ix *Index) close() (err error) {
	if ix.closed { // bleve panics when it is closed twice
		return ix.closeErr
	}
	ix.closed = true
	close(ix.loops.closing)

	if err := ix.loops.wait(nil, ix.bleve.Close); err != nil {
		ix.closeErr = fmt.Errorf("close full-text index %s: %w", ix.path, restoreErrno(err))
	}
	watched.CompareAndDelete(storeIn(ix.path), ix.loops)
	return ix.closeErr
}
