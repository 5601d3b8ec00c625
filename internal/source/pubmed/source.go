package pubmed

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/source"
)

// BaseURL is the address of NCBI's E-utilities.
const BaseURL = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"

// Config is what a Source must know. Empty fields stand for the default named.
type Config struct {
	BaseURL       string // BaseURL
	Tool          string // "dossier"; NCBI asks for the program's name
	Email         string // left out; NCBI writes there before it blocks an address
	APIKey        string // none: 3 requests a second in place of 10
	SearchTimeout time.Duration
	FetchTimeout  time.Duration
	Now           func() time.Time
}

// The E-utilities' limits (E-utilities help, "Usage guidelines" and "ESearch").
const (
	perSecond        = 3
	perSecondWithKey = 10
	maxSearchResults = 9999
	fetchAtOnce      = 200
	longQuery        = 1000 // bytes of parameters above which POST is asked for
)

// Source searches and fetches from PubMed. It is safe for use by several goroutines.
type Source struct {
	config Config
	client *fetch.Client
}

// New makes a Source; nothing is asked yet.
func New(config Config, client *fetch.Client) *Source {
	config.BaseURL = strings.TrimRight(cmp.Or(config.BaseURL, BaseURL), "/")
	config.Tool = cmp.Or(config.Tool, "dossier")
	config.APIKey = strings.TrimSpace(config.APIKey)
	config.Email = strings.TrimSpace(config.Email)
	config.SearchTimeout = cmp.Or(config.SearchTimeout, 30*time.Second)
	config.FetchTimeout = cmp.Or(config.FetchTimeout, time.Minute)
	if config.Now == nil {
		config.Now = time.Now
	}
	return &Source{config: config, client: client}
}

// Name is evidence.SourcePubMed.
func (s *Source) Name() evidence.SourceName { return evidence.SourcePubMed }

// request adds to params what every request carries. Long ones, and those with a key, which must not stand in the logs of
// whatever lies between, go as POST.
func (s *Source) request(utility string, params url.Values) fetch.Request {
	params.Set("db", "pubmed")
	params.Set("tool", s.config.Tool)
	if s.config.Email != "" {
		params.Set("email", s.config.Email)
	}
	out := fetch.Request{
		Service: evidence.SourcePubMed,
		Rate:    fetch.Limit{PerSecond: perSecond},
		Method:  http.MethodGet,
		URL:     s.config.BaseURL + "/" + utility + ".fcgi",
	}
	if s.config.APIKey != "" {
		params.Set("api_key", s.config.APIKey)
		out.Rate.PerSecond = perSecondWithKey
		out.Secrets = []string{s.config.APIKey}
	}
	if s.config.APIKey != "" || len(params.Encode()) > longQuery {
		out.Method, out.Form = http.MethodPost, params
	} else {
		out.Query = params
	}
	return out
}

// failure sorts what only this source can tell apart.
func failure(op string, err error) *source.Error {
	out := source.FromFetch(evidence.SourcePubMed, op, err)
	var failed *fetch.Error
	switch {
	case errors.Is(err, errRateLimit):
		out.Kind, out.Hint = source.RateLimited, "other programs behind the same address may be using PubMed; the next run asks again"
	case errors.Is(err, errKey), errors.As(err, &failed) && strings.Contains(strings.ToLower(failed.Body), "api key invalid"):
		out.Kind, out.Hint = source.Refused, "PubMed does not know the key in NCBI_API_KEY; correct it, or unset it to go on with 3 requests a second"
	case out.Kind == source.Refused:
		out.Hint = "NCBI turns this address away, or base_url is not PubMed's; check sources.pubmed.base_url, and write to NCBI's help desk where it is right"
	}
	return out
}
