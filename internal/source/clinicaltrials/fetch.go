package clinicaltrials

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/source"
)

// Fetch gives the studies with these NCT numbers. They are asked for together; one that is not in that answer, or
// cannot be read there, is asked for by its own address, which also knows the numbers of studies that went into others.
// One that the registry does not have is a problem. The error is a *source.Error; what was fetched before it is in the
// batch.
func (s *Source) Fetch(ctx context.Context, ids []string) (source.Batch, error) {
	var batch source.Batch
	given := map[string]bool{}

	add := func(records []evidence.Record) {
		for _, r := range records {
			if id := r.Origins[0].ID; !given[id] {
				given[id] = true
				batch.Records = append(batch.Records, r)
			}
		}
	}
	for some := range slices.Chunk(numbers(ids), maxPage) {
		p, err := s.page(ctx, "fetch", url.Values{"filter.ids": {strings.Join(some, "|")}}, len(some), "")
		if err != nil {
			return batch, err
		}
		records, _ := s.Collect(p.Studies, read) // unreadable records are requested once more, with the reason
		add(slices.DeleteFunc(records, func(r evidence.Record) bool { return !slices.Contains(some, r.Origins[0].ID) }))
	}

	var missing []string
	for _, raw := range ids {
		if id, _ := evidence.NewIdentifier(evidence.NCT, raw); !given[id.Value] {
			missing = append(missing, raw)
		}
	}
	alone, err := s.FetchEach(ctx, missing, func(raw string) (fetch.Request, error) {
		id, ok := evidence.NewIdentifier(evidence.NCT, raw)
		if !ok {
			return fetch.Request{}, errors.New("it is no NCT number")
		}
		request := s.Request("/studies/" + url.PathEscape(id.Value))
		request.Query = url.Values{"format": {"json"}, "fields": {parts}}
		request.Check = func(body []byte) error { return source.Decode(body, &json.RawMessage{}) }
		return request, nil
	}, read)
	add(alone.Records)
	batch.Problems = alone.Problems
	return batch, err
}

// numbers brings ids into their one form, once each, and leaves out what is no NCT number.
func numbers(ids []string) []string {
	var out []string
	for _, raw := range ids {
		if id, ok := evidence.NewIdentifier(evidence.NCT, raw); ok && !slices.Contains(out, id.Value) {
			out = append(out, id.Value)
		}
	}
	return out
}
