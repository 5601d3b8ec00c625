package openalex

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/source"
	"dossier/internal/text"
)

// The service's limits (OpenAlex documentation, "Rate limits and authentication", "Search" and "Paging").
const (
	perSecond       = 10
	perSecondSlow   = 1    // for searches with more than fewOperators
	fewOperators    = 5    // up to here a search is quick for the service
	maxOperators    = 20   // beyond this a search is not worth the service's trouble: synonyms go
	maxSearchLength = 1500 // characters
	maxAddress      = 3800 // bytes of the whole address; the service refuses more than about 4,000
	maxPage         = 100  // works at once
	maxPaged        = 10_000
)

// Source searches OpenAlex. It is safe for use by several goroutines at once.
type Source struct{ source.Service }

// New makes a Source; nothing is asked yet. Without a key there is a tenth of the daily budget, and searches may be
// refused.
func New(config source.Config, client *fetch.Client) *Source {
	s := &Source{source.NewService(evidence.SourceOpenAlex, perSecond, config, client)}
	s.Explain = s.explain
	return s
}

// Search gives the best q.Limit works that were published within the window. What the query had to lose to be short
// enough is in the warnings. Pages are asked for by number, since cursors may be refused without a key.
//
// A failure after the first page costs only what was not read yet; the result is incomplete then, as it is where fewer
// works come than OpenAlex counts. The error is a *source.Error.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Result, error) {
	size := min(max(q.Limit, 1), maxPage)

	params, notes, err := s.searchParams(q, size)
	if err != nil {
		return source.Result{}, s.Unaskable(err, "")
	}

	found := source.Collector{Limit: min(q.Limit, maxPaged), Result: source.Result{Query: shown(params), Warnings: notes}}
	for number := 1; number*size <= maxPaged; number++ {
		p, err := s.page(ctx, "search", params, number)
		if err != nil {
			return found.Interrupted(ctx, err)
		}
		found.Total = max(found.Total, p.count())

		news := found.Add(s.Collect(p.Results, read))
		if found.Full() || !news || number*size >= p.count() {
			break
		}
	}
	return found.Done(s.Name()), nil
}

// Dialect is the query as Search sends it, with notes on what it had to lose. Nothing is sent. The error is a
// *source.Error.
func (s *Source) Dialect(q source.Query) (query string, notes []string, err error) {
	params, notes, err := s.searchParams(q, maxPage)
	if err != nil {
		return "", notes, s.Unaskable(err, "")
	}
	return shown(params), notes, nil
}

// searchParams renders the query, shorter and shorter until the whole address is short enough: a letter outside ASCII
// takes up to twelve bytes there.
func (s *Source) searchParams(q source.Query, size int) (url.Values, []string, error) {
	for longest := maxSearchLength; ; longest = longest * 3 / 4 {
		text, notes, err := boolean.OpenAlex(q.Node, q.Groups, longest, maxOperators)
		if err != nil {
			return nil, nil, err
		}

		params := url.Values{"search.title_and_abstract": {text}, "per_page": {strconv.Itoa(size)}}
		if filter := window(q); filter != "" {
			params.Set("filter", filter)
		}

		if len(s.Config.BaseURL)+len(params.Encode()) <= maxAddress {
			return params, notes, nil
		}
	}
}

// window is the filter for the dates of publication, both included.
func window(q source.Query) string {
	var parts []string
	if q.From != "" {
		parts = append(parts, "from_publication_date:"+string(q.From))
	}

	if q.To != "" {
		parts = append(parts, "to_publication_date:"+string(q.To))
	}
	return strings.Join(parts, ",")
}

// shown is the query as a librarian reads it in a report: all that decides about the hits, unescaped.
func shown(params url.Values) string {
	out := "search.title_and_abstract=" + params.Get("search.title_and_abstract")
	if filter := params.Get("filter"); filter != "" {
		out += "&filter=" + filter
	}
	return out
}

// page asks for one page of works.
func (s *Source) page(ctx context.Context, op string, params url.Values, number int) (*page, error) {
	request := s.request("/works")
	request.Query = url.Values{"page": {strconv.Itoa(number)}}
	maps.Copy(request.Query, params)

	operators := 0 // one inside a phrase counts too, which only makes us slower
	for _, op := range []string{" AND ", " OR ", " NOT "} {
		operators += strings.Count(params.Get("search.title_and_abstract"), op)
	}

	if operators > fewOperators {
		request.Rate.PerSecond = perSecondSlow
	}
	return source.Read(ctx, &s.Service, op, request, func(body []byte) (*page, error) { return readPage(body, number) })
}

// request adds the key, in a header: addresses end up in the logs of proxies.
func (s *Source) request(path string) fetch.Request {
	r := s.Request(path)
	if s.Config.APIKey != "" {
		r.Header = http.Header{"Authorization": {"Bearer " + s.Config.APIKey}}
		r.Secrets = []string{s.Config.APIKey}
	}
	return r
}

// Fetch gives the works with these ids ("W123"), one request each: a single work costs nothing of the budget. One that
// OpenAlex does not have is a problem. The error is a *source.Error; what was fetched before it is in the batch.
func (s *Source) Fetch(ctx context.Context, ids []string) (source.Batch, error) {
	return s.FetchEach(ctx, ids, func(raw string) (fetch.Request, error) {
		id, ok := evidence.NewIdentifier(evidence.OpenAlex, raw)
		if !ok {
			return fetch.Request{}, errors.New(`it is no id of OpenAlex, such as "W123"`)
		}
		request := s.request("/works/" + url.PathEscape(id.Value))
		request.Check = func(body []byte) error { return source.Decode(body, &json.RawMessage{}) }
		return request, nil
	}, read)
}

// explain adds what only OpenAlex's refusals mean.
func (s *Source) explain(out *source.Error) {
	var failed *fetch.Error
	if !errors.As(out.Err, &failed) {
		return
	}

	keyless := s.Config.APIKey == ""
	switch {
	case out.Kind == source.Refused && keyless:
		out.Hint = "OpenAlex wants a key: get a free one at openalex.org and set OPENALEX_API_KEY"
	case out.Kind == source.Refused:
		out.Hint = "OpenAlex does not know the key in OPENALEX_API_KEY; correct it, or unset it to go on with a tenth of the budget"
	case out.Kind == source.RateLimited || out.Kind == source.OverBudget:
		out.Hint = budgetHint(out, failed.Header, keyless)
	case failed.Status == http.StatusServiceUnavailable && keyless:
		out.Hint = "OpenAlex may turn away searches without a key; a free one from openalex.org in OPENALEX_API_KEY helps"
	}
}

// budgetHint reports the X-RateLimit headers, as far as present, and when to try again.
func budgetHint(failed *source.Error, header http.Header, keyless bool) string {
	hint := failed.Hint
	if limit, left := header.Get("X-RateLimit-Limit"), header.Get("X-RateLimit-Remaining"); limit != "" || left != "" {
		hint += fmt.Sprintf("; it counts %s left of %s", cmp.Or(text.Cut(source.Line(left), 20), "?"),
			cmp.Or(text.Cut(source.Line(limit), 20), "?"))
	}

	if keyless {
		hint += "; a free key in OPENALEX_API_KEY gives ten times the daily budget"
	}
	return hint
}
