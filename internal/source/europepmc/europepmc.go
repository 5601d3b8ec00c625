package europepmc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/source"
	"dossier/internal/source/wire"
)

// BaseURL is the public service's address.
const BaseURL = "https://www.ebi.ac.uk/europepmc/webservices/rest"

// Config is what a Source must know. Empty fields stand for the default named.
type Config struct {
	BaseURL string           // BaseURL
	Timeout time.Duration    // of one request; 30 seconds
	Now     func() time.Time // time.Now
}

// The service's limits (Europe PMC RESTful Web Service reference, "search").
const (
	perSecond = 10
	maxPage   = 1000 // results at once
	longQuery = 1500 // bytes of a query above which it is sent by POST
)

// Source searches Europe PMC. It is safe for use by several goroutines at once.
type Source struct {
	config Config
	client *fetch.Client
}

// New makes a Source; nothing is asked yet.
func New(config Config, client *fetch.Client) *Source {
	config.BaseURL = strings.TrimRight(cmp.Or(config.BaseURL, BaseURL), "/")
	config.Timeout = cmp.Or(config.Timeout, 30*time.Second)
	if config.Now == nil {
		config.Now = time.Now
	}
	return &Source{config: config, client: client}
}

// Name is evidence.SourceEuropePMC.
func (s *Source) Name() evidence.SourceName { return evidence.SourceEuropePMC }

// Search gives the best q.Limit results whose first publication lies in the window. Europe PMC's own synonyms stay off: the
// query has its synonyms, and the one that the report shows must be the one that was answered.
//
// A failure after the first page costs only what was not read yet, and is a warning. The error is a *source.Error.
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
		found.Total = p.hits()
		records, problems := wire.Collect(p.results(), read)
		news := found.Add(s.stamped(records), problems)
		cursor = p.next(cursor, found.Full() || !news)
	}
	return found.Result, nil
}

// Dialect is the query as Search sends it, the window of dates included. Nothing is sent. The error is a *source.Error.
func (s *Source) Dialect(q source.Query) (query string, notes []string, err error) {
	if query, err = boolean.EuropePMC(withWindow(q)); err != nil {
		return "", nil, &source.Error{Source: s.Name(), Op: "search", Kind: source.BadQuery, Err: err}
	}
	return query, nil, nil
}

// withWindow adds the query's dates to its tree.
func withWindow(q source.Query) boolean.Node {
	if q.Node == nil || q.From == "" && q.To == "" {
		return q.Node
	}
	slashes := func(d evidence.Date) string { return strings.ReplaceAll(string(d), "-", "/") }
	return boolean.All(q.Node, boolean.DateRange{Field: boolean.FieldDatePub, From: slashes(q.From), To: slashes(q.To)})
}

func (s *Source) stamped(records []evidence.Record) []evidence.Record {
	for i := range records {
		wire.Stamp(&records[i], s.config.Now())
	}
	return records
}

// page asks for one page. What the service says against the query is an error of kind BadQuery.
func (s *Source) page(ctx context.Context, query, cursor string, size int) (*page, error) {
	params := url.Values{
		"query": {query}, "format": {"json"}, "resultType": {"core"}, "synonym": {"false"},
		"cursorMark": {cursor}, "pageSize": {strconv.Itoa(size)},
	}
	var p *page
	request := fetch.Request{
		Service: s.Name(), Rate: fetch.Limit{PerSecond: perSecond}, Timeout: s.config.Timeout,
		URL: s.config.BaseURL + "/search", Accept: fetch.AcceptJSON,
		Check: func(body []byte) (err error) {
			p, err = readPage(body, query, cursor)
			return err
		},
	}
	if len(query) > longQuery {
		request.URL, request.Form = s.config.BaseURL+"/searchPOST", params
	} else {
		request.Query = params
	}
	if _, err := s.client.Do(ctx, request); err != nil {
		return nil, source.FromFetch(s.Name(), "search", err)
	}
	if complaint := p.complaint(); complaint != "" {
		return nil, &source.Error{
			Source: s.Name(), Op: "search", Kind: source.BadQuery, Err: fmt.Errorf("it answers %q", complaint),
			Hint: "see the query that was sent; a query written by hand may hold what Europe PMC does not know",
		}
	}
	return p, nil
}

// Fetch gives the records with these ids, which are written as in Origin.ID: "MED/123", "PPR/PPR1". One that Europe PMC does not
// have is a problem. The error is a *source.Error; what was fetched before it is in the batch.
func (s *Source) Fetch(ctx context.Context, ids []string) (source.Batch, error) {
	var batch source.Batch
	for i, id := range ids {
		r, err := s.fetchOne(ctx, id)
		var failed *source.Error
		switch {
		case err == nil:
			batch.Records = append(batch.Records, s.stamped([]evidence.Record{r})...)
		case errors.As(err, &failed):
			for _, missing := range ids[i:] {
				batch.Problems = append(batch.Problems, evidence.Problem{ID: missing, Reason: "not fetched: " + string(failed.Kind)})
			}
			return batch, err
		default:
			batch.Problems = append(batch.Problems, evidence.Problem{ID: id, Reason: err.Error()})
		}
	}
	return batch, nil
}

// fetchOne gives an error that is no *source.Error where only this record cannot be had.
func (s *Source) fetchOne(ctx context.Context, id string) (evidence.Record, error) {
	src, bare, ok := strings.Cut(id, "/")
	if !ok || src == "" || bare == "" {
		return evidence.Record{}, errors.New(`it is no id of Europe PMC, such as "MED/123"`)
	}
	body, err := s.client.Do(ctx, fetch.Request{
		Service: s.Name(), Rate: fetch.Limit{PerSecond: perSecond}, Timeout: s.config.Timeout, Accept: fetch.AcceptJSON,
		URL:   s.config.BaseURL + "/article/" + url.PathEscape(src) + "/" + url.PathEscape(bare),
		Query: url.Values{"format": {"json"}, "resultType": {"core"}},
		Check: checkArticle,
	})
	var failed *fetch.Error
	switch {
	case errors.As(err, &failed) && failed.Status == 404:
		return evidence.Record{}, errUnknown
	case err != nil:
		return evidence.Record{}, source.FromFetch(s.Name(), "fetch", err)
	}
	found := wire.Elements(body, "result")
	if len(found) == 0 || !hasResult(body) {
		return evidence.Record{}, errUnknown
	}
	r, _, err := read(found[0])
	return r, err
}

var errUnknown = errors.New("there is no record with this id")
