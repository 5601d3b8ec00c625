package zapfile

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/RoaringBitmap/roaring/v2"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// Plugin builds and merges scorch's segments, in place of zapx. It builds one segment at a time.
//
// Scorch turns errors into text, retries what failed, and continues without a segment that it can't open. So the
// plug-in reports failures separately, by the folder of the segments; and progress too.
type Plugin struct {
	zap.ZapPlugin
	Failed   func(store string, err error)    // called if opening or merging fails; may be nil
	Wrote    func(store string, bytes uint64) // called when more of a merge is written; may be nil
	building sync.Mutex
	builder  *Builder
}

// Prepared is a scorch document that provides its indexed content.
type Prepared interface {
	index.Document
	Prepared() Document
}

// New creates a segment in memory.
func (p *Plugin) New(documents []index.Document) (segment.Segment, uint64, error) {
	return p.NewUsing(documents, nil)
}

// NewUsing creates a segment in memory. Its documents are in the order of their names.
func (p *Plugin) NewUsing(documents []index.Document, config map[string]any) (segment.Segment, uint64, error) {
	prepared := make([]Document, len(documents))
	for i, each := range documents {
		ready, ok := each.(Prepared)
		if !ok {
			return p.ZapPlugin.NewUsing(documents, config)
		}
		prepared[i] = ready.Prepared()
	}
	slices.SortFunc(prepared, func(a, b Document) int { return strings.Compare(a.ID, b.ID) })
	p.building.Lock()
	defer p.building.Unlock()

	if p.builder == nil {
		builder, err := NewBuilder()
		if err != nil {
			return nil, 0, err
		}
		p.builder = builder
	}

	made, err := p.builder.Build(prepared, statsOf(config))
	if err != nil {
		p.builder = nil // its state is unknown
		return nil, 0, err
	}
	return made, uint64(made.Size()), nil
}

// file is a scorch segment in a file.
type file struct {
	*zap.Segment
	readable *Segment
}

// DocNumbers returns the numbers of the documents with one of the names. zapx does not report that a segment is
// damaged.
func (f *file) DocNumbers(names []string) (set *roaring.Bitmap, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))

	err = Guarded(func() error {
		set = f.readable.named(names)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path(), err)
	}
	return set, nil
}

// Open opens a segment.
func (p *Plugin) Open(path string) (segment.Segment, error) { return p.OpenUsing(path, nil) }

// OpenUsing opens a segment.
func (p *Plugin) OpenUsing(path string, config map[string]any) (opened segment.Segment, err error) {
	err = Guarded(func() (err error) {
		opened, err = p.open(path, config)
		return err
	})
	if err != nil {
		p.failed(path, err)
		return nil, err
	}
	return opened, nil
}

func (p *Plugin) open(path string, config map[string]any) (segment.Segment, error) {
	opened, err := p.ZapPlugin.OpenUsing(path, config)
	if err != nil {
		if refused := syscall.Errno(0); !errors.As(err, &refused) {
			err = fmt.Errorf("%w: %w", ErrFormat, err)
		}
		return nil, fmt.Errorf("segment %s: %w", path, err)
	}

	theirs, ok := opened.(*zap.Segment)
	if !ok {
		return nil, errors.Join(fmt.Errorf("segment %s: %w (%T)", path, ErrFormat, opened), opened.Close())
	}

	readable, err := readFrame(theirs.Data())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("segment %s: %w", path, err), opened.Close())
	}
	readable.path = path
	return &file{theirs, readable}, nil
}

func (p *Plugin) failed(path string, err error) {
	if p.Failed != nil {
		p.Failed(filepath.Dir(path), err)
	}
}

// Merge merges several segments into a new file.
func (p *Plugin) Merge(segments []segment.Segment, drops []*roaring.Bitmap, path string, closed chan struct{},
	stats segment.StatsReporter) ([][]uint64, uint64, error) {
	return p.MergeUsing(segments, drops, path, closed, stats, nil)
}

// MergeUsing merges several segments, of which a document is left, into a new file. It stops if closed is closed,
// which scorch recognises only by this error.
func (p *Plugin) MergeUsing(segments []segment.Segment, drops []*roaring.Bitmap, path string, closed chan struct{},
	stats segment.StatsReporter, _ map[string]any) (numbers [][]uint64, size uint64, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))

	select {
	case <-closed:
		return nil, 0, segment.ErrClosed
	default:
	}

	sources, err := sourcesOf(segments, drops)
	if err == nil {
		size, err = mergeFile(sources, path, closed, func(bytes uint64) {
			if stats != nil {
				stats.ReportBytesWritten(bytes)
			}

			if p.Wrote != nil {
				p.Wrote(filepath.Dir(path), bytes)
			}
		})
	}

	if err != nil {
		if !errors.Is(err, segment.ErrClosed) {
			p.failed(path, err)
		}
		return nil, 0, err
	}

	for _, s := range sources {
		numbers = append(numbers, s.numbers)
	}
	return numbers, size, nil
}

func statsOf(config map[string]any) *segment.Stats {
	if stats, ok := config[segment.StatsKey].(*segment.Stats); ok && stats != nil {
		return stats
	}
	return new(segment.Stats)
}
