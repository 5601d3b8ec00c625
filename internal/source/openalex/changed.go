package openalex

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

// valuesAtOnce is the most values that a filter may hold.
const valuesAtOnce = 100

// Changed gives the works with these PMIDs and DOIs as OpenAlex has them now, up to a hundred a request at the cheap
// price of a list: retraction status and citation counts. Asking for what changed since a day is not part of a free
// key, so since is not asked. Identifiers of another kind are left out. The error is a *source.Error; what was had
// before it is in the batch.
func (s *Source) Changed(ctx context.Context, ids []evidence.Identifier, _ time.Time) (source.Batch, error) {
	var batch source.Batch
	for _, by := range []struct {
		kind   evidence.IDKind
		filter string
	}{{evidence.PMID, "pmid"}, {evidence.DOI, "doi"}} {
		for _, values := range s.filters(ids, by.kind) {
			found, err := s.list(ctx, by.filter, values)
			batch.Keep(by.kind, values, found.Records, found.Problems)

			if err != nil {
				return batch, err
			}
		}
	}
	return batch, nil
}

// filters parts the identifiers of a kind into what one filter, and the address that it stands in, can hold. A value
// with a sign that means something in filters cannot be asked for.
func (s *Source) filters(ids []evidence.Identifier, kind evidence.IDKind) [][]string {
	const otherParameters = 100 // bytes of the address beside the values
	longest := maxAddress - len(s.Config.BaseURL) - otherParameters
	var out [][]string
	var values []string

	length := 0
	for _, value := range source.Values(ids, kind) {
		size := len(url.QueryEscape(value)) + len(url.QueryEscape("|"))
		if strings.ContainsAny(value, "|,") || size > longest {
			continue
		}

		if len(values) == valuesAtOnce || length+size > longest {
			out, values, length = append(out, values), nil, 0
		}
		values, length = append(values, value), length+size
	}

	if len(values) > 0 {
		out = append(out, values)
	}
	return out
}

// list gives the works of which a field has one of values: all of them, or an error. What came is given with it.
func (s *Source) list(ctx context.Context, field string, values []string) (source.Result, error) {
	params := url.Values{"filter": {field + ":" + strings.Join(values, "|")}, "per_page": {strconv.Itoa(maxPage)}}

	found := source.Collector{Limit: maxPaged}
	for number := 1; number*maxPage <= maxPaged; number++ {
		p, err := s.page(ctx, "fetch", params, number)
		if err != nil {
			return source.Result{}, err
		}

		found.Total = max(found.Total, p.count())
		if news := found.Add(s.Collect(p.Results, read)); !news || number*maxPage >= p.count() {
			break
		}
	}
	return found.Result, source.Short(s.Name(), found.Total, maxPaged, len(found.Records)+len(found.Problems))
}
