package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
)

// retire marks the store's topics that no topic file has any more: they keep their answers, and appear in no list. A
// topic that is in a file again, but could not be run, is restored.
func (r *run) retire(ctx context.Context) error {
	if r.opts.InFiles == nil {
		return nil
	}

	infos, err := r.store.Topics()
	if err != nil {
		return storeError{fmt.Errorf("listing the topics: %w", err)}
	}
	var changed []evidence.Answer

	var gone []string
	for _, info := range infos {
		inFile := slices.Contains(r.opts.InFiles, info.ID)
		if evidence.IsLiveTopic(info.ID) || inFile == info.Retired.IsZero() {
			continue
		}

		answer, ok, err := r.store.Answer(info.ID)
		if err != nil || !ok {
			return storeError{fmt.Errorf("reading the answer to %s: %w", info.ID, err)}
		}

		if answer.Retired = (time.Time{}); !inFile {
			answer.Retired = r.Now().UTC()
			gone = append(gone, info.ID)
		}
		changed = append(changed, answer)
	}

	if len(changed) == 0 {
		return nil
	}

	r.unsaved = true
	if len(gone) > 0 {
		r.note(fmt.Sprintf("retired, since no topic file has them: %s; asked by id they still answer, and `indexer forget` "+
			"removes them", strings.Join(gone, ", ")))
	}
	return r.store.Turn(ctx, func(ctx context.Context) error {
		return commit(ctx, r.store, evidence.Batch{Answers: changed, Run: r.snapshot()})
	})
}
