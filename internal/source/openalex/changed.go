package openalex

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

// Changed gives the works with these PMIDs and DOIs as OpenAlex has them now, up to a hundred a request at the cheap price of a
// list: retraction status and citation counts. Asking for what changed since a day is not part of a free key, so since is not asked.
// Identifiers of another kind are left out. The error is a *source.Error; what was had before it is in the batch.
func (s *Source) Changed(ctx context.Context, ids []evidence.Identifier, _ time.Time) (source.Batch, error) {
	var batch source.Batch
	for _, by := range []struct {
		kind   evidence.IDKind
		filter string
	}{{evidence.PMID, "pmid"}, {evidence.DOI, "doi"}} {
		for _, values := range s.filters(ids, by.kind) {
			found, err := s.list(ctx, by.filter, values)
			if err != nil {
				return batch, err
			}
			batch.Problems = append(batch.Problems, found.Problems...)
			for _, r := range found.Records {
				if carriesOne(&r, by.kind, values) {
					batch.Records = append(batch.Records, r)
				}
			}
		}
	}
	return batch, nil
}

// filters parts the identifiers of a kind into what one filter, and the address that it stands in, can hold. A value with a sign
// that means something in filters cannot be asked for.
func (s *Source) filters(ids []evidence.Identifier, kind evidence.IDKind) [][]string {
	const otherParameters = 100 // bytes of the address beside the values
	longest := maxAddress - len(s.config.BaseURL) - otherParameters
	var out [][]string
	var values []string
	length := 0
	for _, id := range ids {
		size := len(url.QueryEscape(id.Value)) + len(url.QueryEscape("|"))
		if id.Kind != kind || strings.ContainsAny(id.Value, "|,") || size > longest {
			continue
		}
		if len(values) == valuesAtOnce || length+size > longest {
			out, values, length = append(out, values), nil, 0
		}
		values, length = append(values, id.Value), length+size
	}
	if len(values) > 0 {
		out = append(out, values)
	}
	return out
}

// carriesOne says that a work is one of those asked for.
func carriesOne(r *evidence.Record, kind evidence.IDKind, values []string) bool {
	return slices.ContainsFunc(r.Identifiers, func(id evidence.Identifier) bool { return id.Kind == kind && slices.Contains(values, id.Value) })
}
