package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"dossier/internal/fetch"
	"dossier/internal/text"
)

// guard is the transport between go-openai and the network. It alone knows the key, so nothing above can print it. It
// reads every answer whole, within a bound, and detects what go-openai would mistake for a completion.
type guard struct {
	next      http.RoundTripper
	key       func() string
	keyHeader string      // Authorization, or the endpoint's own header
	query     string      // of the endpoint's address: Azure's api-version
	headers   http.Header // additional headers
	secrets   []string    // values of headers
	userAgent string
	maxBytes  int64
}

const (
	authorization = "Authorization"
	azureKey      = "Api-Key"
)

// keyHeaderOf is the header in which an endpoint expects its key. Azure's two kinds have their own; go-openai's type
// for them rewrites addresses by its own list of deployments, which we do not maintain.
func keyHeaderOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return authorization
	}

	for _, domain := range []string{".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"} {
		if strings.HasSuffix(strings.ToLower(u.Hostname()), domain) {
			return azureKey
		}
	}
	return authorization
}

// rejectedAnswer is an answer that cannot be used, whatever its status.
type rejectedAnswer struct {
	kind    Kind
	status  int
	body    []byte
	err     error
	context int // for a request that was too long: the model's context, if the answer names it
}

func (u *rejectedAnswer) Error() string { return fmt.Sprintf("%s: %v", u.kind, u.err) }
func (u *rejectedAnswer) Unwrap() error { return u.err }

var (
	errTooLarge   = errors.New("the answer is larger than is read")
	errRedirected = errors.New(
		"the endpoint redirects elsewhere, where neither key nor papers are sent; put the address that it redirects to into llm.base_url")
)

// RoundTrip sends a request with its key. It follows no redirects: they would carry the key along.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	for name, values := range g.headers {
		req.Header[name] = values
	}
	req.Header.Set("User-Agent", g.userAgent)

	if key := g.key(); key != "" && g.keyHeader == authorization {
		req.Header.Set(authorization, "Bearer "+key)
	} else if key != "" {
		req.Header.Set(g.keyHeader, key)
	}

	if g.query != "" {
		req.URL.RawQuery = g.query
	}

	answer, err := g.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, g.maxBytes+1))
	answer.Body.Close()

	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer ends before its end: %w", err)
	case int64(len(body)) > g.maxBytes:
		return nil, &rejectedAnswer{kind: TooLarge, status: answer.StatusCode,
			err: fmt.Errorf("%w: more than %d bytes", errTooLarge, g.maxBytes)}
	}

	if answer.StatusCode == http.StatusOK && strings.HasSuffix(req.URL.Path, "/chat/completions") {
		body = plainAnswer(body)
	}

	if u := judgeAnswer(answer.StatusCode, body); u != nil {
		return nil, u
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	return answer, nil
}

// unreadable matches llama.cpp's report that a reply, mostly a cut one, does not have the requested form. The model
// failed, not the server: the same request would cost as much and fail again.
var unreadable = text.LazyRegexp(
	`(?i)model produced output|output (?:that )?does not match|failed to parse (?:the )?(?:model|output|input at pos)`)

// judgeAnswer detects answers that only look usable, and refusals of a request that is too long. Statuses other than
// 2xx and 3xx are left to go-openai.
func judgeAnswer(status int, body []byte) *rejectedAnswer {
	if tokens, ok := isTooLong(status, body); ok {
		return &rejectedAnswer{
			kind: TooLong, status: status, body: messageIn(body), context: tokens,
			err: errors.New("the endpoint refuses its length"),
		}
	}

	if status == http.StatusInternalServerError && unreadable().Match(body[:min(len(body), redactionWindow)]) {
		return &rejectedAnswer{kind: NoJSON, status: status, body: messageIn(body),
			err: errors.New("the server could not read what the model wrote")}
	}

	switch {
	case status >= 300 && status < 400:
		return &rejectedAnswer{kind: BadAnswer, status: status, err: errRedirected}
	case status < 200 || status >= 400:
		return nil
	}

	text := bytes.TrimSpace(body)
	switch {
	case len(text) == 0:
		return &rejectedAnswer{kind: BadAnswer, status: status, err: errors.New("the answer is empty")}
	case text[0] == '<':
		return &rejectedAnswer{kind: WebPage, status: status, body: body, err: errors.New("the answer is no JSON")}
	case !json.Valid(text):
		return &rejectedAnswer{kind: BadAnswer, status: status, body: body,
			err: errors.New("the answer is no JSON, or ends half way")}
	}
	return hiddenError(status, text)
}

// messageIn is the message in an error's body of the usual form; else the body.
func messageIn(body []byte) []byte {
	var answer struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil || answer.Error.Message == "" {
		return body
	}
	return []byte(answer.Error.Message)
}

// hiddenError detects an error sent with a 200, as routers do when the model's own provider failed.
func hiddenError(status int, text []byte) *rejectedAnswer {
	var answer struct {
		Choices []json.RawMessage `json:"choices"`
		Error   struct {
			Message string          `json:"message"`
			Code    json.RawMessage `json:"code"`
		} `json:"error"`
	}
	if err := json.Unmarshal(text, &answer); err != nil || answer.Error.Message == "" || len(answer.Choices) > 0 {
		return nil //nolint:nilerr // go-openai judges answers of another shape
	}

	code := status
	if json.Unmarshal(answer.Error.Code, &code) != nil || code < 400 || code > 599 {
		code = http.StatusBadGateway
	}

	if tokens, ok := isTooLong(code, []byte(answer.Error.Message)); ok {
		return &rejectedAnswer{
			kind: TooLong, status: code, body: []byte(answer.Error.Message), context: tokens,
			err: errors.New("the model's provider refuses its length"),
		}
	}
	return &rejectedAnswer{
		kind: kindOfStatus(code, []byte(answer.Error.Message)), status: code, body: []byte(answer.Error.Message),
		err: errors.New("the endpoint reports an error of the model's provider"),
	}
}

// Messages of endpoints whose status does not identify the failure.
var (
	unknownModel = text.LazyRegexp(`(?i)\bmodels?\b[^.,;:{}]{0,80}` +
		`(?:not found|does not exist|doesn't exist|not exist\b|is unknown)` +
		`|model_not_found|\b(?:no such|unknown|invalid) model\b|not a valid model`)
	filtered = text.LazyRegexp(`(?i)content[_ ](?:filter|management|policy)|moderation|responsible ?ai|guardrail` +
		`|safety (?:system|filter|polic|setting)`)
	badKey = text.LazyRegexp(`(?i)(?:invalid|incorrect|expired)[ _]api[ _-]?key` +
		`|api[ _-]?key (?:is )?(?:not valid|invalid|expired)`)
	noCredit = text.LazyRegexp(`(?i)insufficient[ _](?:quota|balance|credit|fund)|out of credit`)
)

// kindOfStatus classifies failure statuses, by the endpoint's message where the status alone is ambiguous.
func kindOfStatus(status int, message []byte) Kind {
	message = message[:min(len(message), redactionWindow)]

	isRequest := status == http.StatusBadRequest || status == http.StatusUnprocessableEntity
	switch {
	case (isRequest || status == http.StatusForbidden) && filtered().Match(message):
		return Refusal
	case status == http.StatusUnauthorized || status == http.StatusForbidden || isRequest && badKey().Match(message):
		return KeyRefused
	case status == http.StatusPaymentRequired || status == http.StatusTooManyRequests && noCredit().Match(message):
		return NoCredit
	case status == http.StatusNotFound || isRequest && unknownModel().Match(message):
		return NotFound
	case status == http.StatusTooManyRequests:
		return RateLimited
	case status == http.StatusRequestTimeout || status >= 500:
		return Unreachable
	}
	return BadRequest
}

const (
	shownBytes = 200 // of an endpoint's or a model's text, in an error
	// a shorter key (local servers accept any) is not secret, and redacting it would garble every message
	minSecret       = 4
	redactionWindow = 64 * 1024 // bytes searched for the key before a text is cut
)

// redactor removes the key and other secrets.
func (g *guard) redactor() fetch.Redactor {
	return fetch.NewRedactor(slices.DeleteFunc(append([]string{g.key()}, g.secrets...), func(s string) bool {
		return len(s) < minSecret
	})...)
}

// excerpt is the beginning of an untrusted text for an error: without the key in any spelling, and without line breaks.
func (g *guard) excerpt(body string) string {
	return text.Cut(g.redactor().Text(text.Line(body[:min(len(body), redactionWindow)])), shownBytes)
}
