package fulltext

import (
	"context"
	"fmt"
	"math"

	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
)

// extent counts the segments, the documents in them and those that are deleted.
func (ix *Index) extent() (segments int, documents, deleted int64, err error) {
	err = ix.read(func(s *snapshot) error {
		for _, part := range s.reader.Segments() {
			segments++
			documents += part.FullSize()
			deleted += part.FullSize() - part.LiveSize()
		}
		return nil
	})
	return segments, documents, deleted, err
}

// Merge makes one segment of the smallest, so that at most so many are left; of all where more than a quarter of the
// documents were deleted, which drops them. Results and scores stay as they are. The old segments' files go when the
// index is next opened for writing.
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
	if deleted > documents/4 {
		most = 1
	}
	if segments <= most {
		return nil
	}
	if err := ix.scorch.ForceMerge(ctx, smallest(segments-most+1, most)); err != nil {
		return fmt.Errorf("merge full-text index %s: %w", ix.path, err)
	}
	if err := ctx.Err(); err != nil { // ForceMerge gives up quietly when it is cancelled
		return fmt.Errorf("merge full-text index %s: %w", ix.path, err)
	}
	return nil
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
