package llm

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
)

// plans answers every call with a good query.
func plans(int, sent) answer { return says(goodQuery) }

func mustPlan(t *testing.T, c *Client) {
	t.Helper()
	var reply queryReply
	if _, err := c.Call(t.Context(), task(), queryRequest{}, &reply); err != nil {
		t.Fatal(err)
	}
}

// The same API is spoken with small differences, which a server's refusal names.
func TestAServerSaysHowItIsAsked(t *testing.T) {
	cases := []struct {
		name    string
		refuses func(s sent) string // what it says; empty: it answers
		calls   int                 // for two questions
		check   func(s sent) bool   // of the last request
	}{
		{"max_completion_tokens", func(s sent) string {
			if s.MaxTokens > 0 {
				return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
			}
			return ""
		}, 3, func(s sent) bool { return s.MaxCompletionTokens == 400 && s.MaxTokens == 0 && s.Temperature != nil }},
		{"no temperature either", func(s sent) string {
			switch {
			case s.MaxTokens > 0:
				return "Use 'max_completion_tokens' instead."
			case s.Temperature != nil:
				return "Unsupported value: 'temperature' does not support 0.1 with this model. Only the default (1) value is supported."
			}
			return ""
		}, 4, func(s sent) bool { return s.MaxCompletionTokens == 400 && s.Temperature == nil }},
		{"neither said nor wanted", func(sent) string { return "" }, 2, func(s sent) bool {
			return s.MaxTokens == 400 && s.Temperature != nil
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := newEndpoint(t, func(_ int, s sent) answer {
				if said := c.refuses(s); said != "" {
					return status(400, said)
				}
				return says(goodQuery)
			})
			client := e.client()
			mustPlan(t, client)
			mustPlan(t, client)
			if e.count() != c.calls || !c.check(e.calls[len(e.calls)-1]) {
				t.Errorf("%d calls, want %d; the last one: %s", e.count(), c.calls, e.calls[len(e.calls)-1].raw)
			}
			if format := e.calls[len(e.calls)-1].ResponseFormat.Type; format != "json_schema" {
				t.Errorf("a refusal of another field cost the schema: %q", format)
			}
		})
	}
}

// A server that goes on refusing what it was given is not asked for ever.
func TestAServerThatContradictsItselfIsLeft(t *testing.T) {
	e := newEndpoint(t, func(int, sent) answer { return status(400, "use max_completion_tokens, and no temperature") })
	var reply queryReply
	_, err := e.client().Call(t.Context(), task(), queryRequest{}, &reply)
	var failure *Error
	if !errors.As(err, &failure) || failure.Kind != BadRequest || e.count() > 6 {
		t.Errorf("%d calls, %v", e.count(), err)
	}
}

func TestAReasoningEffortIsSentWhereItIsSet(t *testing.T) {
	for _, effort := range []string{"", "low"} {
		e := newEndpoint(t, plans)
		mustPlan(t, e.client(func(o *Options) { o.ReasoningEffort = effort }))
		var sent map[string]any
		if err := json.Unmarshal(e.calls[0].raw, &sent); err != nil {
			t.Fatal(err)
		}
		if got, there := sent["reasoning_effort"]; there != (effort != "") || there && got != effort {
			t.Errorf("%q: sent %v", effort, got)
		}
	}
}

// azure is a server of Azure's: its address has a deployment or /v1, and its key a header of its own.
func TestAzureIsAskedInItsOwnWay(t *testing.T) {
	cases := []struct{ name, base, path, query string }{
		{"classic", "https://ward.openai.azure.com/openai/deployments/gpt?api-version=2024-10-21",
			"/openai/deployments/gpt/chat/completions", "api-version=2024-10-21"},
		{"v1", "https://ward.openai.azure.com/openai/v1/", "/openai/v1/chat/completions", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got *http.Request
			client := New(Options{
				BaseURL: c.base, Model: "gpt", Key: func() string { return testKey }, Clock: fetchtest.NewClock(),
				Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					got = r
					return &http.Response{StatusCode: 200, Header: http.Header{},
						Body: io.NopCloser(strings.NewReader(says(goodQuery).body)), Request: r}, nil
				}),
			})
			mustPlan(t, client)
			if got.URL.Path != c.path || got.URL.RawQuery != c.query {
				t.Errorf("asked %s", got.URL)
			}
			if got.Header.Get("Api-Key") != testKey || got.Header.Get("Authorization") != "" {
				t.Errorf("the key went as %v", got.Header)
			}
		})
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestFurtherHeadersAreSentAndTheirSecretsKept(t *testing.T) {
	e := newEndpoint(t, func(int, sent) answer { return status(400, "no such tenant: t0p-secret") })
	c := e.client(func(o *Options) {
		o.Headers = http.Header{"X-Tenant": {"t0p-secret"}, "X-Title": {"Tumour board"}}
		o.Secrets = []string{"t0p-secret"}
	})
	var reply queryReply
	_, err := c.Call(t.Context(), task(), queryRequest{}, &reply)
	if sent := e.calls[0].header; sent.Get("X-Tenant") != "t0p-secret" || sent.Get("X-Title") != "Tumour board" {
		t.Errorf("headers %v", sent)
	}
	if err == nil || strings.Contains(err.Error()+e.log.String(), "t0p-secret") {
		t.Errorf("the secret is shown: %v", err)
	}
}

// A hospital's server has a certificate of the hospital's, and may want to see one.
func TestAHospitalsOwnCertificates(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TLS.PeerCertificates) == 0 {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		io.WriteString(w, says(goodQuery).body)
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	own := server.TLS.Certificates[0]
	cases := []struct {
		name string
		tls  *tls.Config
		kind Kind // empty: it works
	}{
		{"both", &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots, Certificates: []tls.Certificate{own}}, ""},
		{"not known to us", nil, Unreachable},
		{"we are not known", &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}, KeyRefused},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			client := New(Options{BaseURL: server.URL + "/v1", Model: "m", TLS: c.tls, Clock: fetchtest.NewClock()})
			var reply queryReply
			_, err := client.Call(t.Context(), task(), queryRequest{}, &reply)
			var failure *Error
			errors.As(err, &failure)
			if (err == nil) != (c.kind == "") || err != nil && failure.Kind != c.kind {
				t.Errorf("got %v, want %q", err, c.kind)
			}
		})
	}
}

func TestAConfiguredProxyIsUsed(t *testing.T) {
	asked := ""
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.String()
		io.WriteString(w, says(goodQuery).body)
	}))
	t.Cleanup(proxy.Close)
	address, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	mustPlan(t, New(Options{BaseURL: "http://llm.invalid/v1", Model: "m", Proxy: address, Clock: fetchtest.NewClock()}))
	if asked != "http://llm.invalid/v1/chat/completions" {
		t.Errorf("the proxy was asked for %q", asked)
	}
}

// TestAModelThatThePolicyForbidsIsNotAsked: neither itself nor by a proxy, and not a second time.
func TestAModelThatThePolicyForbidsIsNotAsked(t *testing.T) {
	e := newEndpoint(t, func(int, sent) answer { return says(goodQuery) })
	proxy, err := url.Parse(e.url)
	if err != nil {
		t.Fatal(err)
	}
	for name, options := range map[string]Options{
		"the endpoint": {BaseURL: e.url, Hosts: fetch.Hosts{"llm.example.org"}},
		"its proxy":    {BaseURL: "http://llm.invalid/v1", Proxy: proxy, Hosts: fetch.Hosts{"llm.invalid"}},
	} {
		t.Run(name, func(t *testing.T) {
			options.Model, options.Clock = "m", fetchtest.NewClock()
			_, err := New(options).Call(t.Context(), NewTask(QueryLayer, 100), queryRequest{}, &queryReply{})
			var failure *Error
			if !errors.As(err, &failure) || failure.Kind != Forbidden || failure.Tries > 1 {
				t.Errorf("%#v", err)
			}
		})
	}
	if n := e.count(); n > 0 {
		t.Errorf("%d calls went out", n)
	}
}

// What an account is granted a minute holds over all models of a process.
func TestCallsKeepWithinWhatAMinuteGrants(t *testing.T) {
	cases := []struct {
		name             string
		requests, tokens int
		least, most      time.Duration // that seven calls take
	}{
		{"no limit", 0, 0, 0, 0},
		{"six requests a minute", 6, 0, 60 * time.Second, 61 * time.Second},
		{"tokens for two calls a minute", 0, 2000, 2 * time.Minute, 4 * time.Minute},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := newEndpoint(t, plans)
			clock, pace := fetchtest.NewClock(), NewPace(c.requests, c.tokens)
			began := clock.Now()
			for i := range 7 {
				client := e.client(func(o *Options) { o.Clock, o.Pace, o.Model = clock, pace, []string{"one", "two"}[i%2] })
				mustPlan(t, client)
			}
			if took := clock.Now().Sub(began); took < c.least || took > c.most {
				t.Errorf("seven calls took %s, want %s to %s", took, c.least, c.most)
			}
		})
	}
}
