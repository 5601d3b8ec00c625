package openalex

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/plaintext"
	"dossier/internal/source"
	"dossier/internal/source/wire"
)

// Fetch gives the works with these ids ("W123"), one request each: a single work costs nothing of the budget. One that OpenAlex
// does not have is a problem. The error is a *source.Error; what was fetched before it is in the batch.
func (s *Source) Fetch(ctx context.Context, ids []string) (source.Batch, error) {
	var batch source.Batch
	for i, raw := range ids {
		r, err := s.fetchOne(ctx, raw)
		var failed *source.Error
		switch {
		case err == nil:
			batch.Records = append(batch.Records, s.stamped([]evidence.Record{r})...)
		case errors.As(err, &failed):
			miss(&batch, ids[i:], "not fetched: "+string(failed.Kind))
			return batch, err
		default:
			miss(&batch, ids[i:i+1], err.Error())
		}
	}
	return batch, nil
}

func miss(batch *source.Batch, ids []string, reason string) {
	for _, id := range ids {
		batch.Problems = append(batch.Problems, evidence.Problem{ID: id, Reason: reason})
	}
}

// fetchOne gives an error that is no *source.Error where only this work cannot be had.
func (s *Source) fetchOne(ctx context.Context, raw string) (evidence.Record, error) {
	id, ok := evidence.NewIdentifier(evidence.OpenAlex, raw)
	if !ok {
		return evidence.Record{}, errors.New(`it is no id of OpenAlex, such as "W123"`)
	}
	request := s.request("/works/" + url.PathEscape(id.Value))
	request.Check = func(body []byte) error { return wire.Decode(body, &json.RawMessage{}) }
	body, err := s.client.Do(ctx, request)
	var failed *fetch.Error
	switch {
	case errors.As(err, &failed) && failed.Status == http.StatusNotFound:
		return evidence.Record{}, errors.New("OpenAlex has no work with this id")
	case err != nil:
		return evidence.Record{}, s.failure("fetch", err)
	}
	r, _, err := read(body)
	return r, err
}

// valuesAtOnce is the most values that a filter may hold.
const valuesAtOnce = 100

// ByPMID gives the works with these PMIDs, a hundred a request: the cheapest way to look up citation counts and retractions of
// records that are known. Several works may share a PMID. One that no work has is a problem. The error is a *source.Error; what
// was fetched before it is in the batch.
func (s *Source) ByPMID(ctx context.Context, pmids []string) (source.Batch, error) {
	var batch source.Batch
	valid := normalised(pmids, &batch)
	for i := 0; i < len(valid); i += valuesAtOnce {
		chunk := valid[i:min(i+valuesAtOnce, len(valid))]
		if err := s.byPMID(ctx, chunk, &batch); err != nil {
			miss(&batch, valid[i:], "not fetched: "+string(err.Kind))
			return batch, err
		}
	}
	return batch, nil
}

// normalised brings pmids into their one form, once each; the others are problems.
func normalised(pmids []string, batch *source.Batch) []string {
	var out []string
	seen := map[string]bool{}
	for _, raw := range pmids {
		id, ok := evidence.NewIdentifier(evidence.PMID, raw)
		switch {
		case !ok:
			miss(batch, []string{plaintext.Cut(wire.Line(raw), 40)}, "it is no PMID")
		case !seen[id.Value]:
			seen[id.Value] = true
			out = append(out, id.Value)
		}
	}
	return out
}

// byPMID adds one chunk's works to batch, all of them or, with an error, none.
func (s *Source) byPMID(ctx context.Context, pmids []string, batch *source.Batch) *source.Error {
	found, err := s.list(ctx, "pmid", pmids)
	if err != nil {
		var failed *source.Error
		errors.As(err, &failed)
		return failed
	}
	batch.Records = append(batch.Records, found.Records...)
	batch.Problems = append(batch.Problems, found.Problems...)
	for _, pmid := range pmids {
		want := evidence.Identifier{Kind: evidence.PMID, Value: pmid}
		if !slices.ContainsFunc(found.Records, func(r evidence.Record) bool { return slices.Contains(r.Identifiers, want) }) {
			miss(batch, []string{pmid}, "OpenAlex has no work with this PMID")
		}
	}
	return nil
}

// list gives the works of which a field has one of values: all of them or, with an error, none.
func (s *Source) list(ctx context.Context, field string, values []string) (source.Result, error) {
	params := url.Values{"filter": {field + ":" + strings.Join(values, "|")}, "per_page": {strconv.Itoa(maxPage)}}
	found := source.Collector{Limit: maxPaged}
	for number := 1; number*maxPage <= maxPaged; number++ {
		p, err := s.page(ctx, "fetch", params, number)
		if err != nil {
			return source.Result{}, err
		}
		records, problems := wire.Collect(p.Results, read)
		if news := found.Add(s.stamped(records), problems); !news || number*maxPage >= p.count() {
			break
		}
	}
	return found.Result, nil
}
