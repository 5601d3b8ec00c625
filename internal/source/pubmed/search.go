package pubmed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/source"
	"dossier/internal/text"
)

// Search asks esearch for the PMIDs of the records that match, the most relevant first; Records stays nil. The window
// holds for the date of publication. Its errors are *source.Error; no hit is none. Where a later page cannot be had,
// those before it are the result, which is incomplete then, as it is where fewer are listed than PubMed counts.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Result, error) {
	query, notes, err := s.Dialect(q)

	out := source.Result{Query: query, Warnings: notes}
	if err != nil {
		return out, err
	}
	limit := min(max(q.Limit, 0), maxSearchResults)

	seen := map[string]bool{}
	for start := 0; start < limit; {
		page, err := s.searchPage(ctx, q, out.Query, start, limit-start)
		switch {
		case err != nil && (start == 0 || ctx.Err() != nil):
			return source.Result{Query: out.Query}, err
		case err != nil:
			out.Incomplete = fmt.Errorf("only %d of %d records were listed: %w", len(out.IDs), out.Total, err)
			return out, nil
		}

		if start == 0 {
			out.Total, out.Dropped, out.Warnings = page.count, page.dropped, page.notes
		}

		before := len(out.IDs) + len(out.Problems)
		for _, raw := range page.ids {
			addID(&out, seen, raw)
		}

		start += len(page.ids)
		if start >= page.count || len(out.IDs)+len(out.Problems) == before {
			break
		}
	}
	out.Incomplete = source.Short(s.Name(), out.Total, limit, len(out.IDs)+len(out.Problems))
	out.IDs = out.IDs[:min(len(out.IDs), limit)]
	return out, nil
}

// Dialect is the query as Search sends it; the window of dates goes beside it. Nothing is sent. The error is a
// *source.Error.
func (s *Source) Dialect(q source.Query) (query string, notes []string, err error) {
	if query = boolean.Print(q.Node); query == "" {
		return "", nil, s.Unaskable(errors.New("the query is empty"), refusedHint)
	}
	return query, nil, nil
}

// addID keeps PMIDs once each; what is none is a problem that is counted.
func addID(out *source.Result, seen map[string]bool, raw string) {
	id, ok := evidence.NewIdentifier(evidence.PMID, raw)
	switch {
	case !ok:
		out.Problems = append(out.Problems, evidence.Problem{ID: text.Cut(oneLine(raw), 40),
			Reason: "PubMed listed it, and it is no PMID"})
	case !seen[id.Value]:
		seen[id.Value] = true
		out.IDs = append(out.IDs, id.Value)
	}
}

// searchPage asks for at most size ids from start on. An answer that counts records and lists none of them is not fit.
func (s *Source) searchPage(ctx context.Context, q source.Query, term string, start, size int) (searchAnswer, error) {
	request := s.request("esearch", searchParams(q, term, start, size))
	var page searchAnswer

	request.Check = func(body []byte) (err error) {
		page, err = readSearch(body)
		if err == nil && page.refusal == "" && start == 0 && page.count > 0 && len(page.ids) == 0 {
			err = fmt.Errorf("the answer counts %d records and lists none", page.count)
		}
		return err
	}
	if _, err := s.Do(ctx, "search", request); err != nil {
		return searchAnswer{}, err
	}

	if page.refusal != "" {
		return searchAnswer{}, s.Unaskable(fmt.Errorf("PubMed says: %s", text.Cut(page.refusal, 300)), refusedHint)
	}
	return page, nil
}

const refusedHint = "PubMed cannot run the query as it is; check the topic's query"

// searchParams are esearch's. It takes a date range only with both ends; an open one is closed far out.
func searchParams(q source.Query, term string, start, size int) url.Values {
	params := url.Values{
		"term":    {term},
		"retmode": {"json"},
		"retmax":  {strconv.Itoa(size)},
		"sort":    {"relevance"},
	}
	if start > 0 {
		params.Set("retstart", strconv.Itoa(start))
	}

	if q.From != "" || q.To != "" {
		params.Set("datetype", "pdat")
		params.Set("mindate", slashed(cmp.Or(q.From, "1500-01-01")))
		params.Set("maxdate", slashed(cmp.Or(q.To, "3000-12-31")))
	}
	return params
}

func slashed(d evidence.Date) string { return strings.ReplaceAll(string(d), "-", "/") }
