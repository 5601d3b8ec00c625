package writing

import (
	"cmp"
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

// extent is a segment's size: its documents without deleted ones, and its file's bytes.
type extent struct{ live, bytes int64 }

// extents returns the extents of all segments, smallest first, and counts the documents and the deleted ones.
func (ix *Index) extents() (segments []extent, documents, deleted int64, err error) {
	state, err := ix.State()
	if err != nil {
		return nil, 0, 0, err
	}

	for _, part := range state.Segments {
		one := extent{live: int64(part.Live())}
		if file, err := os.Stat(filepath.Join(storeIn(ix.path), part.Name())); err == nil { // one in memory has none yet
			one.bytes = file.Size()
		}
		segments = append(segments, one)
		documents += int64(part.Count())
		deleted += int64(part.Count() - part.Live())
	}
	slices.SortFunc(segments, func(a, b extent) int { return cmp.Compare(a.live, b.live) })
	return segments, documents, deleted, state.Done()
}

// Merge merges the smallest segments into one: as many as are together as large as the next one, so that a large
// addition becomes one segment and many small ones become few, and enough that at most most are left; and all segments
// if more than a sixth of the documents were deleted, which drops them: no text is more than a fifth larger than its
// records require, however many nights have revised some. Results and scores stay the same.
func (ix *Index) Merge(ctx context.Context, most int) error {
	return ix.change(func() error { return ix.merge(ctx, most) })
}

// MergeBytes is how much space Merge takes for its output, in bytes.
func (ix *Index) MergeBytes(most int) (bytes int64, err error) {
	err = ix.change(func() error {
		merged, _, err := ix.toMerge(most)
		for _, one := range merged {
			bytes += one.bytes
		}
		return err
	})
	return bytes, err
}

// toMerge returns the segments that Merge merges, none or at least two, and how many there are in all.
func (ix *Index) toMerge(most int) (merged []extent, of int, err error) {
	segments, documents, deleted, err := ix.extents()
	if err != nil {
		return nil, 0, err
	}

	count := max(similarSize(segments), len(segments)-most+1)
	if deleted > documents/6 {
		count = len(segments)
	}

	if count < 2 {
		return nil, len(segments), nil
	}
	return segments[:count], len(segments), nil
}

func (ix *Index) merge(ctx context.Context, most int) error {
	if err := ctx.Err(); err != nil {
		return err
	}

	merged, of, err := ix.toMerge(most)
	if err != nil || len(merged) == 0 {
		return err
	}

	plan := smallest(len(merged), of-len(merged)+1)
	if err := ix.loops.runUnlessFailed(func() error { return ix.scorch.ForceMerge(ctx, plan) }); err != nil {
		return err
	}

	if err := ctx.Err(); err != nil { // ForceMerge returns no error when cancelled
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
// something, where no one was looking at the old segments any more: what is published then would hold them, too. Files
// that somebody looks at all the time go when the index is next opened for writing.
func (ix *Index) settleMerge(ctx context.Context) error {
	for range settleTries {
		// as it is: something to write
		batch := index.NewBatch()
		batch.SetInternal([]byte(segments.FormatKey), []byte(segments.PackedFormat))

		if err := ix.put(batch); err != nil {
			return err
		}

		left, _, _, err := ix.extents()
		if err != nil {
			return err
		}

		files, err := ix.segmentFiles()
		if err != nil || files <= len(left) {
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

// similarSize is how many of the smallest segments are merged because none of them is larger than the previous ones
// together: so a document is rewritten only into a segment twice as large.
func similarSize(segments []extent) (merged int) {
	sum := int64(0)
	for i, one := range segments {
		if i > 0 && one.live <= sum {
			merged = i + 1
		}
		sum += one.live
	}
	return merged
}

// smallest plans one merge of the given number of smallest segments, after which at most so many are left.
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
