package fetch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// attempt waits for the service's next free slot and sends r once.
func (c *Client) attempt(ctx context.Context, r *Request, clean Redactor) ([]byte, *Error) {
	failed := &Error{Service: r.Service, Place: r.method()}

	u, err := r.endpoint()
	if err != nil {
		return nil, failed.with(BadRequest, clean.Error(err))
	}

	failed.Place += " " + clean.Text(place(u))
	if err := c.limits.wait(ctx, r.Service, r.Rate); err != nil {
		return nil, failed.with(Cancelled, fmt.Errorf("waiting for the rate limit: %w", err))
	}

	tryCtx, done := context.WithTimeout(ctx, cmp.Or(r.Timeout, c.opt.Timeout))
	defer done()

	req, err := r.build(tryCtx, u, c.opt.UserAgent)
	if err != nil {
		return nil, failed.with(BadRequest, clean.Error(err))
	}

	answer, err := c.http.Do(req)
	if err != nil {
		return nil, failed.noAnswer(ctx, clean, err)
	}
	defer answer.Body.Close()
	failed.Status, failed.Header = answer.StatusCode, clean.header(answer.Header)
	body, err := readBounded(answer.Body, min(cmp.Or(r.MaxBytes, c.opt.MaxBytes), c.opt.MaxBytes))
	c.opt.Logger.Debug("request answered", "service", r.Service, "place", failed.Place, "status", answer.StatusCode,
		"bytes", len(body))

	switch {
	case !r.Accept.takes(answer.StatusCode):
		return nil, c.refusal(failed, answer, clean.excerpt(body))
	case errors.Is(err, errTooLarge):
		return nil, failed.with(TooLarge, err)
	case err != nil:
		return nil, failed.brokenOff(ctx, clean, err)
	}

	if err := r.fit(body); err != nil {
		failed.Body, failed.again = clean.excerpt(body), true
		return nil, failed.with(BadAnswer, clean.Error(err))
	}
	return body, nil
}

// with completes e; whether to try again stays as it is.
func (e *Error) with(kind Kind, err error) *Error {
	e.Kind, e.Err = kind, err
	return e
}

// noAnswer sorts the errors of a request that got no answer at all.
func (e *Error) noAnswer(ctx context.Context, clean Redactor, err error) *Error {
	var certificate *tls.CertificateVerificationError
	switch {
	case ctx.Err() != nil:
		return e.with(Cancelled, ctx.Err())
	case errors.Is(err, errLeavesHost):
		return e.with(Refused, errLeavesHost)
	case errors.Is(err, ErrNotAllowed):
		return e.with(Refused, clean.Error(err))
	case errors.As(err, &certificate):
		return e.with(Unreachable, fmt.Errorf("%w; where a proxy opens TLS, name its certificate in SSL_CERT_FILE",
			clean.Error(err)))
	}
	e.again = true
	return e.with(Unreachable, clean.Error(err))
}

// brokenOff sorts the errors of an answer whose body could not be read to its end.
func (e *Error) brokenOff(ctx context.Context, clean Redactor, err error) *Error {
	if ctx.Err() != nil {
		return e.with(Cancelled, ctx.Err())
	}

	e.again = true
	if errors.Is(err, context.DeadlineExceeded) {
		return e.with(Unreachable, fmt.Errorf("time ran out while the answer was read: %w", clean.Error(err)))
	}
	return e.with(BadAnswer, fmt.Errorf("the answer ends before its end: %w", clean.Error(err)))
}

// refusal sorts every status but 200.
func (c *Client) refusal(e *Error, answer *http.Response, body string) *Error {
	e.Body = body

	e.RetryAfter = RetryAfter(answer.Header.Get("Retry-After"), c.opt.Clock.Now())
	switch status := answer.StatusCode; {
	case status == http.StatusTooManyRequests:
		e.Kind, e.again = RateLimited, true
	case status >= 500 || status == http.StatusRequestTimeout:
		e.Kind, e.again = Unreachable, true
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.Kind = Refused
	case status >= 400:
		e.Kind = BadRequest
	default: // another 2xx, or a redirect that leads nowhere, of which nothing is shown
		e.Kind, e.Body = BadAnswer, ""
	}

	if e.again && e.RetryAfter > c.opt.Retry.MaxRetryAfter {
		e.Kind, e.again = OverBudget, false
	}
	return e
}

var errTooLarge = errors.New("the answer is larger than allowed")

func readBounded(body io.Reader, bound int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(body, bound+1))
	if int64(len(data)) > bound {
		return nil, fmt.Errorf("%w: more than %d bytes", errTooLarge, bound)
	}
	return data, err
}

var errLeavesHost = errors.New(
	"the service redirects to another host or away from https, where neither key nor question may go; check the base_url in the configuration")

// withinHost follows redirects on the same host and scheme only, with a key or without: the request was meant for the
// configured service. It sends no Referer, which would hold the query.
func withinHost(next *http.Request, before []*http.Request) error {
	next.Header.Del("Referer")

	if len(before) > maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}

	if from := before[0].URL; from.Host != next.URL.Host || from.Scheme != next.URL.Scheme {
		return errLeavesHost
	}
	return nil
}

// fit looks at a 200's body as far as can be done without parsing it, and asks the caller's Check.
func (r *Request) fit(body []byte) error {
	if r.Accept == AcceptDone {
		return nil
	}

	text := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	if len(text) == 0 {
		return errors.New("the answer is empty")
	}

	if r.Accept != AcceptAny && looksLikeHTML(text) {
		return errors.New("the answer is an HTML page")
	}

	first, last := text[0], text[len(text)-1]
	switch {
	case r.Accept == AcceptJSON && first != '{' && first != '[':
		return errors.New("the answer is no JSON")
	case r.Accept == AcceptJSON && last != first+2: // '}' and ']' each stand two after their opening
		return errors.New("the answer is JSON that ends half way")
	case r.Accept == AcceptXML && first != '<':
		return errors.New("the answer is no XML")
	case r.Accept == AcceptXML && last != '>':
		return errors.New("the answer is XML that ends half way")
	}

	if r.Check != nil {
		return r.Check(body)
	}
	return nil
}

// looksLikeHTML also knows XHTML, which begins as XML does.
func looksLikeHTML(text []byte) bool {
	start := bytes.ToLower(text[:min(len(text), 512)])
	return bytes.HasPrefix(start, []byte("<html")) || bytes.Contains(start, []byte("<!doctype html")) ||
		bytes.Contains(start, []byte("<html "))
}
