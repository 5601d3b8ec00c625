package pubmed

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/source"
	"dossier/internal/text"
)

// Fetch returns whole records by their PMIDs, 200 a request, in the order of ids. Missing or unreadable records are in
// Problems with the reason. The error, a *source.Error, means that nothing could be fetched.
func (s *Source) Fetch(ctx context.Context, ids []string) (source.Batch, error) {
	var out source.Batch

	var last *source.Error
	for part := range slices.Chunk(validIDs(ids, &out), fetchAtOnce) {
		if last != nil && (ctx.Err() != nil || last.Kind == source.OverBudget || last.Kind == source.Refused) {
			// the next request can only fail as the last one did
			miss(&out, part, last.Error())
			continue
		}

		got, err := s.fetchChunk(ctx, part)
		if err != nil {
			last = err
			miss(&out, part, err.Error())
			continue
		}
		got.into(&out, part)
	}

	if last != nil && len(out.Records) == 0 {
		return out, last
	}
	return out, nil
}

// validIDs brings ids into their normal form, once each; the others are problems.
func validIDs(ids []string, out *source.Batch) []string {
	valid, seen := make([]string, 0, len(ids)), map[string]bool{}
	for _, raw := range ids {
		id, ok := evidence.NewIdentifier(evidence.PMID, raw)
		switch {
		case !ok:
			miss(out, []string{text.Cut(raw, 40)}, "it is no PMID")
		case !seen[id.Value]:
			seen[id.Value] = true
			valid = append(valid, id.Value)
		}
	}
	return valid
}

func miss(out *source.Batch, ids []string, reason string) {
	for _, id := range ids {
		out.Problems = append(out.Problems, evidence.Problem{ID: id, Reason: reason})
	}
}

// chunk is what one efetch gave, by PMID.
type chunk struct {
	records  map[string]evidence.Record
	problems map[string]string
}

func (s *Source) fetchChunk(ctx context.Context, ids []string) (chunk, *source.Error) {
	request := s.request("efetch", url.Values{"id": {strings.Join(ids, ",")}, "retmode": {"xml"}})
	request.Accept, request.Timeout = fetch.AcceptXML, fetchTimeout
	var got chunk

	request.Check = func(body []byte) (err error) {
		got, err = readChunk(body)
		return err
	}
	if _, err := s.Do(ctx, "fetch", request); err != nil {
		return chunk{}, err
	}

	now := s.Config.Now()
	for id, record := range got.records {
		source.Stamp(&record, now)
		got.records[id] = record
	}
	return got, nil
}

// readChunk reads an efetch answer. A PMID that comes twice is kept as it came last: the higher version follows the
// lower.
func readChunk(body []byte) (chunk, error) {
	got := chunk{records: map[string]evidence.Record{}, problems: map[string]string{}}
	err := Parse(bytes.NewReader(body), func(item Item) error {
		switch {
		case item.Record != nil:
			got.records[item.Record.Origins[0].ID] = *item.Record
		case item.Problem != nil:
			got.problems[item.Problem.ID] = item.Problem.Reason
		}
		return nil
	})
	return got, err
}

// into adds to out what was asked for, in that order. An answer may hold more than that; it is not what the caller
// counts on.
func (c chunk) into(out *source.Batch, ids []string) {
	for _, id := range ids {
		if record, ok := c.records[id]; ok {
			out.Records = append(out.Records, record)
			continue
		}

		reason := "PubMed did not return it: it may have been deleted or merged"
		if problem, ok := c.problems[id]; ok {
			reason = "it cannot be read: " + problem
		} else if problem, ok := c.problems[""]; ok {
			reason = "PubMed did not return it; one record of the answer cannot be read: " + problem
		}
		miss(out, []string{id}, reason)
	}
}
