package europepmc

import (
	"context"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

// changedAtOnce is how many preprints one search is for.
const changedAtOnce = 100

// Changed returns Europe PMC's present preprints with these ids (PPR): one may have been withdrawn, or have become an
// article, to which it then links. Europe PMC gives no date of change, so since is ignored. Identifiers of another kind
// are skipped. The error is a *source.Error; what was read before it is in the batch.
func (s *Source) Changed(ctx context.Context, ids []evidence.Identifier, _ time.Time) (source.Batch, error) {
	var batch source.Batch
	for some := range slices.Chunk(source.Values(ids, evidence.PPR), changedAtOnce) {
		query := "SRC:PPR AND (EXT_ID:" + strings.Join(some, " OR EXT_ID:") + ")"

		p, err := s.page(ctx, query, "*", len(some))
		if err != nil {
			return batch, err
		}

		if err := s.Keep(&batch, evidence.PPR, some, p.results(), p.hits(), read); err != nil {
			return batch, err
		}
	}
	return batch, nil
}
