package clinicaltrials

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/plaintext"
	"dossier/internal/source"
	"dossier/internal/source/wire"
)

// Fetch gives the studies with these NCT numbers, in their order. They are asked for together; one that is not in that answer is
// asked for by its own address, which also knows the numbers of studies that went into others. One that the registry does not
// have is a problem. The error is a *source.Error; what was fetched before it is in the batch.
func (s *Source) Fetch(ctx context.Context, ids []string) (source.Batch, error) {
	known := map[string]evidence.Record{}
	for chunk := range slices.Chunk(valid(ids), maxPage) {
		if err := s.fetchList(ctx, chunk, known); err != nil {
			return collect(ids, known, nil, err), err
		}
	}
	unknown := map[string]string{}
	for _, id := range valid(ids) {
		if _, ok := known[id]; ok {
			continue
		}
		r, err := s.fetchOne(ctx, id)
		var failed *source.Error
		switch {
		case err == nil:
			known[id] = r
		case errors.As(err, &failed):
			return collect(ids, known, unknown, err), err
		default:
			unknown[id] = err.Error()
		}
	}
	return collect(ids, known, unknown, nil), nil
}

// valid brings ids into their one form, once each, and leaves out what is no NCT number.
func valid(ids []string) []string {
	var out []string
	for _, raw := range ids {
		if id, ok := evidence.NewIdentifier(evidence.NCT, raw); ok && !slices.Contains(out, id.Value) {
			out = append(out, id.Value)
		}
	}
	return out
}

// collect gives each of ids its record or its problem.
func collect(ids []string, known map[string]evidence.Record, unknown map[string]string, failure error) source.Batch {
	var batch source.Batch
	given := map[string]bool{}
	for _, raw := range ids {
		id, ok := evidence.NewIdentifier(evidence.NCT, raw)
		r, have := known[id.Value]
		reason, missing := unknown[id.Value]
		switch {
		case !ok:
			reason = "it is no NCT number"
		case have:
			if number := r.Origins[0].ID; !given[number] {
				given[number] = true
				batch.Records = append(batch.Records, r)
			}
			continue
		case !missing && failure != nil:
			reason = "not fetched: " + failure.Error()
		}
		batch.Problems = append(batch.Problems, evidence.Problem{ID: plaintext.Cut(wire.Line(raw), 40), Reason: reason})
	}
	return batch
}

// fetchList puts the studies among ids that the registry lists into known. An answer may hold others, which nobody asked for.
func (s *Source) fetchList(ctx context.Context, ids []string, known map[string]evidence.Record) error {
	p, err := s.page(ctx, "fetch", url.Values{"filter.ids": {strings.Join(ids, "|")}}, len(ids), "")
	if err != nil {
		return err
	}
	records, _ := wire.Collect(p.Studies, read) // what cannot be read is asked for once more, and then says why
	for _, r := range s.stamped(records) {
		if id := r.Origins[0].ID; slices.Contains(ids, id) {
			known[id] = r
		}
	}
	return nil
}

// fetchOne gives an error that is no *source.Error where only this study cannot be had.
func (s *Source) fetchOne(ctx context.Context, id string) (evidence.Record, error) {
	request := s.request("/studies/"+url.PathEscape(id), url.Values{"format": {"json"}, "fields": {parts}})
	request.Check = func(body []byte) error { return wire.Decode(body, &json.RawMessage{}) }
	body, err := s.client.Do(ctx, request)
	var failed *fetch.Error
	switch {
	case errors.As(err, &failed) && failed.Status == http.StatusNotFound:
		return evidence.Record{}, errors.New("ClinicalTrials.gov has no study with this number")
	case err != nil:
		return evidence.Record{}, s.failure("fetch", err)
	}
	r, _, err := read(body)
	if err != nil {
		return evidence.Record{}, err
	}
	return s.stamped([]evidence.Record{r})[0], nil
}
