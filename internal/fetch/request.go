package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Accept is the required form of an answer. Only the first and the last byte are checked; the parser checks the rest.
type Accept int

// What an answer may be. AcceptAny takes every body that is not empty, and AcceptDone every answer of success, whatever
// stands in it.
const (
	AcceptAny Accept = iota
	AcceptJSON
	AcceptXML
	AcceptDone
)

// takes reports whether an answer's status is the one that is wanted.
func (a Accept) takes(status int) bool {
	return status == http.StatusOK || a == AcceptDone && status > http.StatusOK && status < http.StatusMultipleChoices
}

func (a Accept) header() string {
	switch a {
	case AcceptJSON:
		return "application/json"
	case AcceptXML:
		return "application/xml, text/xml"
	}
	return "*/*"
}

// Limit is how often a service may be called; 0 is no limit.
type Limit struct {
	PerSecond float64
}

// Request is one call to a service. It must be safe to repeat: every retry sends it again whole.
type Request struct {
	Service string // names the rate limit that the call counts against, such as "pubmed"
	Rate    Limit
	Method  string // GET where empty, or POST where Form or Body is given
	URL     string
	Query   url.Values // added to what URL has
	Form    url.Values // sent as the body of a POST
	Body    []byte     // sent as it is, where Form is not given; its Content-Type stands in Header
	Header  http.Header
	Accept  Accept
	// MaxBytes bounds the decompressed body below the client's own bound, and Timeout one try, waiting for the rate limit
	// excluded; 0 leaves it to the client.
	MaxBytes int64
	Timeout  time.Duration
	// Secrets are replaced in every error and log line. Authorization headers and parameters named like keys are, unasked.
	Secrets []string
	// Check, where given, sees a body that looks right; its error makes the answer unfit, and the request is tried again.
	Check func(body []byte) error
}

func (r *Request) method() string {
	switch {
	case r.Method != "":
		return r.Method
	case r.Form != nil, r.Body != nil:
		return http.MethodPost
	}
	return http.MethodGet
}

// endpoint parses URL and adds Query. Its errors name no query, which may hold a key.
func (r *Request) endpoint() (*url.URL, error) {
	u, err := url.Parse(r.URL)
	if err != nil {
		return nil, errors.New("the address cannot be parsed; check the base_url in the configuration")
	}

	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("the address %q is no http or https address; check the base_url in the configuration",
			place(u))
	}

	if len(r.Query) > 0 {
		query := u.Query()
		for name, values := range r.Query {
			query[name] = append(query[name], values...)
		}
		u.RawQuery = query.Encode()
	}
	return u, nil
}

func (r *Request) build(ctx context.Context, u *url.URL, userAgent string) (*http.Request, error) {
	var body io.Reader
	switch {
	case r.Form != nil:
		body = strings.NewReader(r.Form.Encode())
	case r.Body != nil:
		body = bytes.NewReader(r.Body)
	}

	req, err := http.NewRequestWithContext(ctx, r.method(), u.String(), body)
	if err != nil {
		return nil, err
	}

	for name, values := range r.Header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}

	if r.Form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	req.Header.Set("Accept", r.Accept.header())
	req.Header.Set("User-Agent", userAgent)
	return req, nil
}

// place is an address without what may be secret in it: the query and the user's name and password.
func place(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}
