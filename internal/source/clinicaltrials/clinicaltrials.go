package clinicaltrials

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"strconv"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/source"
)

const (
	perSecond = 1   // the registry publishes no limit; this one is harmless
	maxPage   = 200 // studies at once; the service gives 1,000, but a study with many sites has several 100 kB
	// parts are those of a study that are read, each whole. Left out are the results section, which may be larger than all
	// the rest, and the documents.
	parts = "protocolSection|derivedSection|hasResults"
)

// Source searches ClinicalTrials.gov. It is safe for use by several goroutines at once.
type Source struct{ source.Service }

// New makes a Source; nothing is asked yet. The registry knows no keys.
func New(config source.Config, client *fetch.Client) *Source {
	s := &Source{source.NewService(evidence.SourceClinicalTrials, perSecond, config, client)}
	s.Explain = func(failed *source.Error) {
		if failed.Kind == source.Refused {
			failed.Hint = "ClinicalTrials.gov turns away some networks and programs; ask the administrator whether a proxy changes the User-Agent"
		}
	}
	return s
}

// Search gives the best q.Limit studies with the statuses and countries that q.Trials asks for. The window of
// publication dates does not count here: a trial that was registered long ago may still recruit. What could not be
// asked is in the warnings.
//
// The country filter is a search in the registry, which finds "Republic of Korea" under "Korea"; who needs it exact
// applies evidence.TrialFilter to the records. A failure after the first page costs only what was not read yet; the
// result is incomplete then, as it is where fewer studies come than the registry counts. The error is a *source.Error.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Result, error) {
	params, notes, err := s.paramsOf(q)
	if err != nil {
		return source.Result{Warnings: notes}, err
	}

	found := source.Collector{Limit: q.Limit, Result: source.Result{Query: shown(params), Warnings: notes}}
	for token := ""; ; {
		p, err := s.page(ctx, "search", params, min(max(q.Limit, 1), maxPage), token)
		if err != nil {
			return found.Interrupted(ctx, err)
		}

		if p.Total != nil {
			found.Total = max(found.Total, int(*p.Total))
		}
		news := found.Add(s.Collect(p.Studies, read))

		next := string(p.Next)
		if found.Full() || !news || next == "" || next == token {
			return found.Done(s.Name()), nil
		}
		token = next
	}
}

// Dialect is the query as Search sends it, with notes on what can't be asked. Nothing is sent. The error is a
// *source.Error.
func (s *Source) Dialect(q source.Query) (query string, notes []string, err error) {
	params, notes, err := s.paramsOf(q)
	return shown(params), notes, err
}

// paramsOf are the parameters of the search terms.
func (s *Source) paramsOf(q source.Query) (url.Values, []string, error) {
	query, notes := boolean.ClinicalTrials(q.Groups, q.Node)
	if query == (boolean.CTQuery{}) {
		return nil, notes, s.Unaskable(errors.New("nothing of the query can be asked of a trial registry"),
			"give the query a term for the disease, the drug or the gene, in title and abstract")
	}
	return searchParams(query, q.Trials), notes, nil
}

// Names of parameters, in the order in which a report shows them.
var queryParams = []string{"query.cond", "query.intr", "query.term", "filter.overallStatus", "filter.advanced"}

func searchParams(query boolean.CTQuery, filter evidence.TrialFilter) url.Values {
	params := url.Values{}

	values := []string{query.Cond, query.Intr, query.Term, strings.Join(filter.Statuses, "|"),
		inCountries(filter.Countries)}
	for i, value := range values {
		if value != "" {
			params.Set(queryParams[i], value)
		}
	}
	return params
}

// inCountries asks for studies with a site in one of the countries, which the registry may have under present and
// former names.
func inCountries(countries []string) string {
	var names []string
	for _, country := range countries {
		for _, name := range evidence.CountryNames(country) {
			if name = source.Line(strings.NewReplacer(`"`, " ", `\`, " ").Replace(name)); name != "" {
				names = append(names, `"`+name+`"`)
			}
		}
	}

	if len(names) == 0 {
		return ""
	}
	return "AREA[LocationCountry](" + strings.Join(names, " OR ") + ")"
}

// shown is the query as a librarian reads it in a report: all that decides about the hits, unescaped.
func shown(params url.Values) string {
	var out []string
	for _, name := range queryParams {
		if value := params.Get(name); value != "" {
			out = append(out, name+"="+value)
		}
	}
	return strings.Join(out, "&")
}

// page asks for one page of studies.
func (s *Source) page(ctx context.Context, op string, params url.Values, size int, token string) (*page, error) {
	query := url.Values{
		"format": {"json"}, "countTotal": {"true"}, "pageSize": {strconv.Itoa(size)}, "fields": {parts},
	}
	maps.Copy(query, params)

	if token != "" {
		query.Set("pageToken", token)
	}
	request := s.Request("/studies")
	request.Query = query
	isFirst := token == ""
	return source.Read(ctx, &s.Service, op, request, func(body []byte) (*page, error) { return readPage(body, isFirst) })
}

// page is an answer of /studies.
type page struct {
	Total   *source.Count     `json:"totalCount"`
	Next    source.Text       `json:"nextPageToken"`
	Studies []json.RawMessage `json:"studies"`
}

// readPage reads an answer. Its error is about an answer that may be better when it is asked for again.
func readPage(body []byte, isFirst bool) (*page, error) {
	p := &page{}
	if err := source.Decode(body, p); err != nil {
		return nil, errors.Join(errors.New("the answer cannot be read"), err)
	}

	switch {
	case p.Studies == nil:
		return nil, errors.New("the answer has no list of studies")
	case isFirst && p.Total == nil:
		return nil, errors.New("the answer has no totalCount")
	case isFirst && *p.Total > 0 && len(p.Studies) == 0:
		return nil, errors.New("the answer counts studies and holds none")
	}
	return p, nil
}
