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

// Config is how PubMed is queried, and by whom. Empty fields stand for the default named.
type Config struct {
	source.Config
	Tool  string // "dossier"; NCBI asks for the program's name
	Email string // left out; NCBI writes there before it blocks an address
}

// The E-utilities' limits (E-utilities help, "Usage guidelines" and "ESearch").
const (
	perSecond        = 3
	perSecondWithKey = 10
	maxSearchResults = 9999
	fetchAtOnce      = 200
	longQuery        = 1000 // bytes of parameters above which POST is asked for
	fetchTimeout     = time.Minute
)

// Source searches and fetches from PubMed. It is safe for use by several goroutines.
type Source struct {
	source.Service
	tool, email string
}

// New makes a Source; nothing is asked yet. Without a key it may send 3 requests a second in place of 10.
func New(config Config, client *fetch.Client) *Source {
	pace := float64(perSecond)
	if strings.TrimSpace(config.APIKey) != "" {
		pace = perSecondWithKey
	}
	s := &Source{
		Service: source.NewService(evidence.SourcePubMed, pace, config.Config, client),
		tool:    cmp.Or(config.Tool, "dossier"), email: strings.TrimSpace(config.Email),
	}
	s.Explain = explain
	return s
}

// request adds to params what every request carries. Long ones, and those with a key, which must not stand in the logs
// of whatever lies between, go as POST.
func (s *Source) request(utility string, params url.Values) fetch.Request {
	params.Set("db", "pubmed")
	params.Set("tool", s.tool)

	if s.email != "" {
		params.Set("email", s.email)
	}
	out := s.Request("/" + utility + ".fcgi")

	key := s.Config.APIKey
	if key != "" {
		params.Set("api_key", key)
		out.Secrets = []string{key}
	}

	if key != "" || len(params.Encode()) > longQuery {
		out.Method, out.Form = http.MethodPost, params
	} else {
		out.Method, out.Query = http.MethodGet, params
	}
	return out
}

// explain classifies failures that only this source can distinguish.
func explain(out *source.Error) {
	var failed *fetch.Error
	switch {
	case errors.Is(out, errRateLimit):
		out.Kind, out.Hint = source.RateLimited,
			"other programs behind the same address may be using PubMed; the next run asks again"
	case errors.Is(out, errKey), errors.As(out, &failed) && strings.Contains(strings.ToLower(failed.Body),
		"api key invalid"):
		out.Kind, out.Hint = source.Refused,
			"PubMed does not know the key in NCBI_API_KEY; correct it, or unset it to go on with 3 requests a second"
	case out.Kind == source.Refused:
		out.Hint = "NCBI turns this address away, or base_url is not PubMed's; check sources.pubmed.base_url, and write to NCBI's help desk where it is right"
	}
}
