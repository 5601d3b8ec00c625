package clinicaltrials

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/source"
	"dossier/internal/source/wire"
)

// changedAtOnce is how many studies one request is for.
const changedAtOnce = 100

// Changed gives those of the studies with these NCT numbers whose record was updated since then: a new status, sites, results.
// Identifiers of another kind are left out. The error is a *source.Error; what was had before it is in the batch.
func (s *Source) Changed(ctx context.Context, ids []evidence.Identifier, since time.Time) (source.Batch, error) {
	var batch source.Batch
	var numbers []string
	for _, id := range ids {
		if id.Kind == evidence.NCT {
			numbers = append(numbers, id.Value)
		}
	}
	for some := range slices.Chunk(numbers, changedAtOnce) {
		p, err := s.page(ctx, "check", url.Values{
			"filter.ids":      {strings.Join(some, "|")},
			"filter.advanced": {"AREA[LastUpdatePostDate]RANGE[" + since.UTC().Format(time.DateOnly) + ",MAX]"},
		}, len(some), "")
		if err != nil {
			return batch, err
		}
		records, problems := wire.Collect(p.Studies, read)
		batch.Problems = append(batch.Problems, problems...)
		for _, r := range s.stamped(records) {
			if slices.Contains(some, r.Origins[0].ID) { // an answer may hold others, which nobody asked for
				batch.Records = append(batch.Records, r)
			}
		}
	}
	return batch, nil
}
