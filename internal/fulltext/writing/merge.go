package writing

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
	index "github.com/blevesearch/bleve_index_api"

	"dossier/internal/fulltext/segments"
)

// extent gives the sizes of the segments, in documents without the deleted ones, smallest first, and counts the
// documents and the deleted ones.
func (ix *Index) extent() (sizes []int64, documents, deleted int64, err error) {
	state, err := ix.State()
	if err != nil {
		return nil, 0, 0, err
	}
	for _, part := range state.Segments {
		sizes = append(sizes, int64(part.Live()))
		documents += int64(part.Count())
		deleted += int64(part.Count() - part.Live())
	}
	slices.Sort(sizes)
	return sizes, documents, deleted, state.Done()
}

// Merge makes one segment of the smallest: of those that are together as large as the next one, so that what is added
// at once becomes one segment and what is added little by little few, and of so many that at most most are left; of all
// where more than a quarter of the documents were deleted, which drops them. Results and scores stay as they are.
func (ix *Index) Merge(ctx context.Context, most int) error {
	return ix.change(func() error { return ix.merge(ctx, most) })
}

func (ix *Index) merge(ctx context.Context, most int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	sizes, documents, deleted, err := ix.extent()
	if err != nil {
		return err
	}
	merged := max(alike(sizes), len(sizes)-most+1)
	if deleted > documents/4 {
		merged = len(sizes)
	}
	if merged < 2 {
		return nil
	}
	plan := smallest(merged, len(sizes)-merged+1)
	if err := ix.loops.ended(func() error { return ix.scorch.ForceMerge(ctx, plan) }); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil { // ForceMerge gives up quietly when it is cancelled
		return err
	}
	return ix.settleMerge(ctx)
}

// How often settleMerge asks for the old segments' files to be removed, and what it waits for in between.
const (
	settleTries = 100
	settlePause = 10 * time.Millisecond
)

// settleMerge has scorch write down what it has merged, and remove the files of the old segments. It would do the one
// some time after ForceMerge, or not at all where it is closed before; and the other only after it has written
// something, where nobody was looking at the old segments any more: what is published then would hold them, too. Files
// that somebody looks at all the time go when the index is next opened for writing.
func (ix *Index) settleMerge(ctx context.Context) error {
	for range settleTries {
		// as it is: something to write
		batch := index.NewBatch()
		batch.SetInternal([]byte(segments.MakeKey), []byte(segments.PackedMake))
		if err := ix.put(batch); err != nil {
			return err
		}
		sizes, _, _, err := ix.extent()
		if err != nil {
			return err
		}
		files, err := ix.segmentFiles()
		if err != nil || files <= len(sizes) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(settlePause):
		}
	}
	return nil
}

// segmentFiles counts the files of segments, whether these are in use or not.
func (ix *Index) segmentFiles() (n int, err error) {
	entries, err := os.ReadDir(storeIn(ix.path))
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == ".zap" {
			n++
		}
	}
	return n, err
}

// alike is how many of the smallest segments are merged because none of them is larger than those before it together: a
// document is written again only into a segment twice as large.
func alike(segments []int64) (merged int) {
	sum := int64(0)
	for i, size := range segments {
		if i > 0 && size <= sum {
			merged = i + 1
		}
		sum += size
	}
	return merged
}

// smallest plans one merge, of so many of the smallest segments, after which at most so many are left.
func smallest(merged, left int) *mergeplan.MergePlanOptions {
	return &mergeplan.MergePlanOptions{
		SegmentsPerMergeTask: merged,
		MaxSegmentSize:       mergeplan.MaxSegmentSizeLimit,
		CalcBudget:           func(int64, int64, *mergeplan.MergePlanOptions) int { return left },
		ScoreSegments: func(segments []mergeplan.Segment, _ *mergeplan.MergePlanOptions) (score float64) {
			if len(segments) < merged {
				return math.MaxFloat64
			}
			for _, segment := range segments {
				score += float64(segment.LiveSize())
			}
			return score
		},
	}
}
