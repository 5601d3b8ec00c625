package zapfile

import (
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// Plugin makes scorch's segments, in the place of zapx, which it leaves all to that is not as Build writes it. It
// builds one segment at a time.
type Plugin struct {
	zap.ZapPlugin
	building sync.Mutex
	builder  *Builder
}

// Prepared is one of scorch's documents that knows what is indexed of it.
type Prepared interface {
	index.Document
	Prepared() Document
}

// New makes a segment in memory.
func (p *Plugin) New(documents []index.Document) (segment.Segment, uint64, error) {
	return p.NewUsing(documents, nil)
}

// NewUsing makes a segment in memory. Its documents are in the order of their names.
func (p *Plugin) NewUsing(documents []index.Document, config map[string]any) (segment.Segment, uint64, error) {
	prepared := make([]Document, len(documents))
	for i, each := range documents {
		ready, is := each.(Prepared)
		if !is {
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
		p.builder = nil // of which nobody knows what is left in it
		return nil, 0, err
	}
	return made, uint64(made.Size()), nil
}

// Merge makes one segment of several in a new file.
func (p *Plugin) Merge(segments []segment.Segment, drops []*roaring.Bitmap, path string, closed chan struct{},
	stats segment.StatsReporter) ([][]uint64, uint64, error) {
	return p.MergeUsing(segments, drops, path, closed, stats, nil)
}

// MergeUsing makes one segment of several in a new file.
func (p *Plugin) MergeUsing(segments []segment.Segment, drops []*roaring.Bitmap, path string, closed chan struct{},
	stats segment.StatsReporter, config map[string]any) (numbers [][]uint64, size uint64, err error) {
	defer takeDamage(&err)
	sources, ours := sourcesOf(segments, drops)
	if !ours {
		return p.ZapPlugin.MergeUsing(segments, drops, path, closed, stats, config)
	}
	var tell func(uint64)
	if stats != nil {
		tell = stats.ReportBytesWritten
	}
	if size, err = mergeFile(sources, path, closed, tell); err != nil {
		return nil, 0, err
	}
	for _, s := range sources {
		numbers = append(numbers, s.numbers)
	}
	return numbers, size, nil
}

func statsOf(config map[string]any) *segment.Stats {
	if stats, is := config[segment.StatsKey].(*segment.Stats); is && stats != nil {
		return stats
	}
	return new(segment.Stats)
}
