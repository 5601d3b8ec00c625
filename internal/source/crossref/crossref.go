package crossref

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/source"
	"dossier/internal/text"
)

// The service's limits (Crossref's documentation of its REST API, "Access and authentication", and its announcement of
// December 2025), and ours.
const (
	perSecond  = 1   // lists without an address to write to; three with one
	maxPage    = 200 // works at once; the service gives up to 1,000, and answers short pages more surely
	maxWords   = 30  // of a query: with more, common words decide about the order
	readFor    = 5   // works that are read for each that is wanted
	maxRead    = 1000
	doisAtOnce = 50
)

// fields are those that are read of a work in a list. The service refuses a list with a name that it does not know.
const fields = "DOI,title,subtitle,original-title,author,container-title,short-container-title,issued,published," +
	"published-online,posted,volume,issue,page,article-number,ISSN,type,abstract,update-to,updated-by,relation," +
	"is-referenced-by-count,publisher"

// papers are the types of works that are asked for: others are parts of papers, journals, reviews and data.
var papers = []string{"journal-article", "posted-content", "proceedings-article", "book-chapter"}

// Config is a source's, with the address to write to.
type Config struct {
	source.Config
	Email string // which Crossref asks for before it blocks someone; empty: none is given
}

// Source searches Crossref. It is safe for use by several goroutines at once.
type Source struct {
	source.Service
	email string
}

// New makes a Source; nothing is asked yet.
func New(config Config, client *fetch.Client) *Source {
	service := source.NewService(evidence.SourceCrossref, perSecond, config.Config, client)
	return &Source{service, strings.TrimSpace(config.Email)}
}

// Search returns the best q.Limit works of the window that match the query, of the first thousand that Crossref ranks
// by its words. Total counts the matches among those read, and a warning states how many works have any of the words.
//
// A failure after the first page costs only the unread rest; the result is then incomplete, as it is where fewer works
// come than Crossref counts. The error is a *source.Error.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Result, error) {
	params, notes, err := s.params(q)
	if err != nil {
		return source.Result{}, s.Unaskable(err, "")
	}
	depth := min(max(q.Limit, 1)*readFor, maxRead)
	params.Set("rows", strconv.Itoa(min(depth, maxPage)))

	found := &found{node: q.Node, limit: q.Limit, all: source.Collector{Limit: depth,
		Result: source.Result{Query: shown(params), Warnings: notes}}}
	for cursor := "*"; cursor != ""; {
		p, err := s.page(ctx, "search", params, cursor)
		if err != nil {
			result, err := found.all.Interrupted(ctx, err)
			return found.fitting(result), err
		}
		records, problems := s.Collect(p.Items, read)
		cursor = found.take(p, records, problems)
	}
	return found.fitting(found.all.Done(s.Name())), nil
}

// found is what a search has read.
type found struct {
	node  boolean.Node
	limit int // of those that fit
	all   source.Collector
	works int // that have any of the words
	fit   []evidence.Record
}

// take adds a page, and returns the next; empty where no more are wanted. A page without matches is the last: what
// Crossref ranks below matches less.
func (f *found) take(p *page, records []evidence.Record, problems []evidence.Problem) (next string) {
	before, had := len(f.all.Records), len(f.fit)
	f.works = max(f.works, p.total())
	f.all.Total = max(f.all.Total, min(p.total(), f.all.Limit))

	news := f.all.Add(records, problems)
	for i := range f.all.Records[before:] {
		if r := &f.all.Records[before+i]; f.node == nil || boolean.Match(f.node, boolean.DocumentOf(r)) {
			f.fit = append(f.fit, *r)
		}
	}

	isLast := len(f.fit) >= f.limit || len(f.all.Records) > before && len(f.fit) == had
	switch {
	case isLast:
		f.all.Limit = len(f.all.Records) + len(f.all.Problems) // no more were wanted
		return ""
	case !news || f.all.Full() || len(f.all.Records)+len(f.all.Problems) >= p.total():
		return ""
	}
	return string(p.Next)
}

// fitting is the result with what fits alone.
func (f *found) fitting(result source.Result) source.Result {
	if result.Records == nil {
		return result
	}
	read := len(result.Records) + len(result.Problems)

	result.Total -= len(result.Records) - len(f.fit)
	if f.all.Limit == read && len(f.fit) < f.limit {
		result.Total = len(f.fit) // what is ranked behind these does not fit
	}

	if f.works > read {
		result.Warnings = append(result.Warnings, fmt.Sprintf(
			"Crossref knows no AND, OR and NOT: of %d works with any of these words the first %d were held against the query",
			f.works, read))
	}
	result.Records = f.fit[:min(len(f.fit), f.limit)]
	result.IDs = text.Each(result.Records, func(r evidence.Record) string { return r.Origins[0].ID })
	return result
}

// Dialect is the query as Search sends it, with notes on what no words stand for. Nothing is sent. The error is a
// *source.Error.
func (s *Source) Dialect(q source.Query) (query string, notes []string, err error) {
	params, notes, err := s.params(q)
	if err != nil {
		return "", notes, s.Unaskable(err, "")
	}
	return shown(params), notes, nil
}

func (s *Source) params(q source.Query) (url.Values, []string, error) {
	words, notes, err := boolean.Crossref(q.Node, q.Groups, maxWords)
	if err != nil {
		return nil, notes, err
	}

	filter := "type:" + strings.Join(papers, ",type:")
	if q.From != "" {
		filter += ",from-pub-date:" + string(q.From)
	}

	if q.To != "" {
		filter += ",until-pub-date:" + string(q.To)
	}
	return url.Values{"query.bibliographic": {words}, "filter": {filter}}, notes, nil
}

// shown is the query as a librarian reads it in a report: all that decides about the hits, unescaped.
func shown(params url.Values) string {
	return "query.bibliographic=" + params.Get("query.bibliographic") + "&filter=" + params.Get("filter")
}

// page asks for one page of works.
func (s *Source) page(ctx context.Context, op string, params url.Values, cursor string) (*page, error) {
	request := s.request("/works")
	maps.Copy(request.Query, params)
	request.Query.Set("select", fields)
	request.Query.Set("cursor", cursor)
	return source.Read(ctx, &s.Service, op, request, func(body []byte) (*page, error) { return readPage(body, cursor) })
}

// request adds who asks, where that is configured.
func (s *Source) request(path string) fetch.Request {
	r := s.Request(path)

	r.Query = url.Values{}
	if s.email != "" {
		r.Query.Set("mailto", s.email)
	}
	return r
}

// Changed returns Crossref's present works with these DOIs, up to fifty a request: their notices, and their articles.
// Crossref dates a work by its last deposit, which a notice on it does not change, so since is ignored. Identifiers of
// another kind are skipped. The error is a *source.Error; what was read before it is in the batch.
func (s *Source) Changed(ctx context.Context, ids []evidence.Identifier, _ time.Time) (source.Batch, error) {
	var batch source.Batch

	endsFilter := func(doi string) bool { return strings.Contains(doi, ",") }
	for some := range slices.Chunk(slices.DeleteFunc(source.Values(ids, evidence.DOI), endsFilter), doisAtOnce) {
		params := url.Values{"filter": {"doi:" + strings.Join(some, ",doi:")}, "rows": {strconv.Itoa(len(some))}}

		p, err := s.page(ctx, "fetch", params, "*")
		if err != nil {
			return batch, err
		}

		if err := s.Keep(&batch, evidence.DOI, some, p.Items, p.total(), read); err != nil {
			return batch, err
		}
	}
	return batch, nil
}

// Fetch gives the works with these DOIs, one request each. One that Crossref does not have is a problem. The error is a
// *source.Error; what was fetched before it is in the batch.
func (s *Source) Fetch(ctx context.Context, ids []string) (source.Batch, error) {
	return s.FetchEach(ctx, ids, func(raw string) (fetch.Request, error) {
		id, ok := evidence.NewIdentifier(evidence.DOI, raw)
		if !ok {
			return fetch.Request{}, errors.New(`it is no DOI, such as "10.5555/12345678"`)
		}
		request := s.request("/works/" + url.PathEscape(id.Value))
		request.Check = func(body []byte) error {
			_, err := messageOf(body, "work")
			return err
		}
		return request, nil
	}, func(body json.RawMessage) (evidence.Record, string, error) {
		work, err := messageOf(body, "work")
		if err != nil {
			return evidence.Record{}, "", err
		}
		return read(work)
	})
}
