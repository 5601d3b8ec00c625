package clinicaltrials

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

// changedAtOnce is how many studies one request is for.
const changedAtOnce = 100

// Changed gives those of the studies with these NCT numbers whose record was updated since then: a new status, sites,
// results. Identifiers of another kind are left out. The error is a *source.Error; what was had before it is in the
// batch.
func (s *Source) Changed(ctx context.Context, ids []evidence.Identifier, since time.Time) (source.Batch, error) {
	var batch source.Batch
	for some := range slices.Chunk(source.Values(ids, evidence.NCT), changedAtOnce) {
		p, err := s.page(ctx, "check", url.Values{
			"filter.ids":      {strings.Join(some, "|")},
			"filter.advanced": {"AREA[LastUpdatePostDate]RANGE[" + since.UTC().Format(time.DateOnly) + ",MAX]"},
		}, len(some), "")
		if err != nil {
			return batch, err
		}

		if err := s.Keep(&batch, evidence.NCT, some, p.Studies, int(*p.Total), read); err != nil {
			return batch, err
		}
	}
	return batch, nil
}
