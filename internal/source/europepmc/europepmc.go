package europepmc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/source"
)

// The service's limits (Europe PMC RESTful Web Service reference, "search").
const (
	perSecond = 10
	maxPage   = 1000 // results at once
	longQuery = 1500 // bytes of a query above which it is sent by POST
)

// Source searches Europe PMC. It is safe for use by several goroutines at once.
type Source struct{ source.Service }

// New makes a Source; nothing is asked yet. The service knows no keys.
func New(config source.Config, client *fetch.Client) *Source {
	return &Source{source.NewService(evidence.SourceEuropePMC, perSecond, config, client)}
}

// Search gives the best q.Limit results whose first publication lies in the window. Europe PMC's own synonyms stay off:
// the query has its synonyms, and the one that the report shows must be the one that was answered.
//
// A failure after the first page costs only what was not read yet; the result is incomplete then, as it is where fewer
// results come than Europe PMC counts. The error is a *source.Error.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Result, error) {
	query, notes, err := s.Dialect(q)
	if err != nil {
		return source.Result{}, err
	}

	found := source.Collector{Limit: q.Limit, Result: source.Result{Query: query, Warnings: notes}}
	for cursor := "*"; cursor != ""; {
		p, err := s.page(ctx, query, cursor, min(max(found.Missing(), 1), maxPage))
		if err != nil {
			return found.Interrupted(ctx, err)
		}
		found.Total = max(found.Total, p.hits())
		news := found.Add(s.Collect(p.results(), read))
		cursor = p.next(cursor, found.Full() || !news)
	}
	return found.Done(s.Name()), nil
}

// Dialect is the query as Search sends it, the window of dates included. Nothing is sent. The error is a *source.Error.
func (s *Source) Dialect(q source.Query) (query string, notes []string, err error) {
	node := q.Node
	if node != nil && (q.From != "" || q.To != "") {
		slashes := func(d evidence.Date) string { return strings.ReplaceAll(string(d), "-", "/") }
		node = boolean.All(node, boolean.DateRange{Field: boolean.FieldDatePub, From: slashes(q.From), To: slashes(q.To)})
	}

	if query, err = boolean.EuropePMC(node); err != nil {
		return "", nil, s.Unaskable(err, "")
	}
	return query, nil, nil
}

// page requests one page. The service's objection to the query is an error of kind BadQuery.
func (s *Source) page(ctx context.Context, query, cursor string, size int) (*page, error) {
	params := url.Values{
		"query": {query}, "format": {"json"}, "resultType": {"core"}, "synonym": {"false"},
		"cursorMark": {cursor}, "pageSize": {strconv.Itoa(size)},
	}
	request := s.Request("/search")

	request.Query = params
	if len(query) > longQuery {
		request = s.Request("/searchPOST")
		request.Form = params
	}

	p, err := source.Read(ctx, &s.Service, "search", request, func(body []byte) (*page, error) {
		return readPage(body, query, cursor)
	})
	if err != nil {
		return nil, err
	}

	if complaint := p.complaint(); complaint != "" {
		return nil, s.Unaskable(fmt.Errorf("it answers %q", complaint),
			"see the query that was sent; a query written by hand may hold what Europe PMC does not know")
	}
	return p, nil
}

// The bounds of a full text: articles with tens of thousands of references have some 40 MB.
const (
	maxFullText     = 64 << 20
	fullTextTimeout = 2 * time.Minute
)

// FullText gives the full text of a paper as JATS; nil where Europe PMC has none that is open. The error is a
// *source.Error.
func (s *Source) FullText(ctx context.Context, pmcid string) ([]byte, error) {
	request := s.Request("/" + url.PathEscape(pmcid) + "/fullTextXML")
	request.Accept, request.MaxBytes, request.Timeout = fetch.AcceptXML, maxFullText, fullTextTimeout

	body, failed := s.Do(ctx, "fetch", request)
	if failed != nil && !isMissing(failed) {
		return nil, failed
	}
	return body, nil
}

// isMissing reports whether a failure is that the service has nothing under an address.
func isMissing(failed *source.Error) bool {
	var answered *fetch.Error
	return errors.As(failed, &answered) && answered.Status == http.StatusNotFound
}

// Fetch gives the records with these ids, which are written as in Origin.ID: "MED/123", "PPR/PPR1". One that Europe PMC
// does not have is a problem. The error is a *source.Error; what was fetched before it is in the batch.
func (s *Source) Fetch(ctx context.Context, ids []string) (source.Batch, error) {
	return s.FetchEach(ctx, ids, func(id string) (fetch.Request, error) {
		src, bare, _ := strings.Cut(id, "/")
		if src == "" || bare == "" {
			return fetch.Request{}, errors.New(`it is no id of Europe PMC, such as "MED/123"`)
		}
		request := s.Request("/article/" + url.PathEscape(src) + "/" + url.PathEscape(bare))
		request.Query, request.Check = url.Values{"format": {"json"}, "resultType": {"core"}}, checkArticle
		return request, nil
	}, readArticle)
}
