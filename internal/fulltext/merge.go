package fulltext

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
)

// extent gives the sizes of the segments, in documents without the deleted ones, smallest first, and counts the
// documents and the deleted ones.
func (ix *Index) extent() (segments []int64, documents, deleted int64, err error) {
	err = ix.read(func(s *snapshot) error {
		for _, part := range s.reader.Segments() {
			segments = append(segments, part.LiveSize())
			documents += part.FullSize()
			deleted += part.FullSize() - part.LiveSize()
		}
		return nil
	})
	slices.Sort(segments)
	return segments, documents, deleted, err
}

// Merge makes one segment of the smallest: of those that are together as large as the next one, so that what is added
// at once becomes one segment and what is added little by little few, and of so many that at most most are left; of all
// where more than a quarter of the documents were deleted, which drops them. Results and scores stay as they are. The
// old segments' files go when the index is next opened for writing.
func (ix *Index) Merge(ctx context.Context, most int) error {
	if ix.readOnly {
		return fmt.Errorf("merge full-text index %s: %w", ix.path, ErrReadOnly)
	}
	ix.writing.Lock()
	defer ix.writing.Unlock()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("merge full-text index %s: %w", ix.path, err)
	}
	segments, documents, deleted, err := ix.extent()
	if err != nil {
		return err
	}
	merged := max(alike(segments), len(segments)-most+1)
	if deleted > documents/4 {
		merged = len(segments)
	}
	if merged < 2 {
		return nil
	}
	if err := ix.scorch.ForceMerge(ctx, smallest(merged, len(segments)-merged+1)); err != nil {
		return fmt.Errorf("merge full-text index %s: %w", ix.path, err)
	}
	if err := ctx.Err(); err != nil { // ForceMerge gives up quietly when it is cancelled
		return fmt.Errorf("merge full-text index %s: %w", ix.path, err)
	}
	return nil
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
