package llm

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
)

// Options configure a Client. Model and BaseURL are required; the zero value of every other field means the default
// given here.
type Options struct {
	BaseURL     string
	Model       string
	Key         func() string // returns the key when sent; none. A function, so that printing Options hides it
	Temperature float64       // 0 is sent as 0
	Context     int           // tokens of the model's context, prompt and reply together; 0: learnt from the endpoint
	Timeout     time.Duration // of one try; 30 seconds
	Concurrency int           // calls at once, over all topics; 10
	Meter       *Meter        // counts usage and enforces the budget; default no limit
	UserAgent   string        // dossier
	MaxBytes    int64         // maximum size of an answer; 12 MiB
	Retry       fetch.Retry   // of calls that are free to repeat
	Logger      *slog.Logger  // discards
	Clock       fetch.Clock   // the system's
	Transport   http.RoundTripper

	ReasoningEffort string      // sent unless empty
	Headers         http.Header // sent with every request
	Secrets         []string    // values of Headers that no error may show
	TLS             *tls.Config // certificates; the system's
	Proxy           *url.URL    // the environment's
	Hosts           fetch.Hosts // allowed hosts; default any
	Pace            *Pace       // the endpoint's limits per minute; default none
}

// Client calls one model at one endpoint. It is safe for concurrent use, and one serves a whole run: concurrency bound,
// budget and detected properties of the endpoint belong to the client.
type Client struct {
	opt     Options
	place   string // the endpoint's address, for messages
	api     *openai.Client
	guard   *guard
	slots   chan struct{}
	modes   *modeNegotiator
	window  *window
	breaker breaker
	dialect dialect
}

// New returns a client. It sends nothing yet.
func New(opt Options) *Client {
	opt.Timeout = cmp.Or(opt.Timeout, 30*time.Second)
	opt.Concurrency = max(cmp.Or(opt.Concurrency, 10), 1)
	opt.UserAgent = cmp.Or(opt.UserAgent, "dossier")
	opt.MaxBytes = cmp.Or(opt.MaxBytes, 12<<20)

	opt.Retry = opt.Retry.WithDefaults()
	if opt.Key == nil {
		opt.Key = func() string { return "" }
	}
	opt.Meter = cmp.Or(opt.Meter, NewMeter(0, Prices{}, nil))
	opt.Logger = cmp.Or(opt.Logger, slog.New(slog.DiscardHandler))

	opt.Clock = cmp.Or[fetch.Clock](opt.Clock, fetch.SystemClock{})
	if opt.Transport == nil {
		opt.Transport = fetch.NewTransport(opt.Hosts, opt.Proxy, opt.TLS, opt.Concurrency)
	}
	base, query, _ := strings.Cut(opt.BaseURL, "?")
	g := &guard{
		next: fetch.Passage(opt.Transport, opt.Hosts), key: opt.Key, keyHeader: keyHeaderOf(base), query: query,
		headers: opt.Headers,
		secrets: opt.Secrets, userAgent: opt.UserAgent, maxBytes: opt.MaxBytes,
	}
	config := openai.DefaultConfig("")
	config.BaseURL, config.HTTPClient = strings.TrimSuffix(base, "/"), &http.Client{Transport: g}
	return &Client{
		opt: opt, place: placeOf(opt.BaseURL), api: openai.NewClientWithConfig(config), guard: g,
		slots: make(chan struct{}, opt.Concurrency), modes: &modeNegotiator{step: make(chan struct{}, 1)},
		breaker: breaker{maxRetryAfter: opt.Retry.MaxRetryAfter},
		window:  &window{tokens: opt.Context, ratio: initialRatio},
	}
}

// placeOf is an address without parts that may be secret.
func placeOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the endpoint"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// Model is the model's name as configured.
func (c *Client) Model() string { return c.opt.Model }

// Meter returns the meter of the client's calls.
func (c *Client) Meter() *Meter { return c.opt.Meter }

// Concurrency is the number of concurrent calls.
func (c *Client) Concurrency() int { return c.opt.Concurrency }

// Reply describes how a call's document arrived.
type Reply struct {
	Cut      bool // it ended early; complete parts are kept
	Repaired bool // it was not clean JSON
	Used     evidence.Usage
	Excerpt  string // its beginning: untrusted text
}

// validator may be implemented by a reply's type.
type validator interface{ Validate() error }

// Call sends a task to the model: the task's instructions, with in as one JSON document, and decodes the reply into
// out, a pointer. If out has a method Validate, its error marks the reply as one of a wrong kind. Failures that cost
// nothing are retried; an unusable reply is requested again up to task.Retries times, with more room if it was cut. The
// error is an *Error.
func (c *Client) Call(ctx context.Context, task Task, in, out any) (Reply, error) {
	document, err := encode(in)
	if err != nil {
		return Reply{}, err
	}

	q := question{task: task, document: document, room: task.MaxTokens}
	for asked := 0; ; asked++ {
		reply, failure := c.ask(ctx, q, out)
		if failure == nil {
			return reply, nil
		}

		if asked >= task.Retries || !failure.Kind.isUnusable() {
			return Reply{}, failure
		}

		if failure.Kind == Cut {
			q.room *= retryRoomFactor
		}
		c.opt.Logger.Info("the model's reply was of no use and is asked for again", "task", task.Name, "cause", failure)
	}
}

// retryRoomFactor multiplies a reply's room after a cut one: a reasoning model's thoughts count, too.
const retryRoomFactor = 4

// question is a prepared call.
type question struct {
	task     Task
	document string
	room     int // maximum tokens for the reply
}

// ask makes one call, with its retries, and reads the reply.
func (c *Client) ask(ctx context.Context, q question, out any) (Reply, *Error) {
	if err := c.breaker.check(c.opt.Clock.Now()); err != nil {
		return Reply{}, c.fail(q.task.Name, Paused, err)
	}
	answer, failure := c.modes.try(ctx, func(m Mode) (completion, *Error) { return c.send(ctx, q, m) })

	var reply Reply
	if failure == nil {
		reply, failure = c.read(q.task, answer, out)
	}
	c.breaker.record(failure, c.opt.Clock.Now())
	return reply, failure
}

func (c *Client) fail(task string, kind Kind, err error) *Error {
	return &Error{Kind: kind, Task: task, Model: c.opt.Model, Endpoint: c.place, Err: err}
}

// read parses the reply's text into out. It writes to out only if the reply is good.
func (c *Client) read(task Task, answer completion, out any) (Reply, *Error) {
	doc, err := readReply(answer.text, task.Schema)

	reply := Reply{Cut: doc.Cut || answer.cut, Repaired: doc.Repaired, Used: answer.used,
		Excerpt: c.guard.excerpt(answer.text)}
	switch {
	case err != nil && reply.Cut, err == nil && doc.Cut && !task.Schema.Partial:
		return reply, c.unusable(task, Cut, answer, errors.New("the reply ends before the document does"))
	case err != nil:
		return reply, c.unusable(task, NoJSON, answer, err)
	}

	if err := decodeInto(doc.JSON, out); err != nil {
		return reply, c.unusable(task, WrongSchema, answer, err)
	}
	return reply, nil
}

func (c *Client) unusable(task Task, kind Kind, answer completion, err error) *Error {
	failure := c.fail(task.Name, kind, c.guard.redactor().Error(err))
	failure.Excerpt, failure.Tries, failure.Used = c.guard.excerpt(answer.text), 1, answer.used
	return failure
}

// decodeInto decodes and validates into a fresh value, so that a bad reply leaves no part in out.
func decodeInto(document []byte, out any) error {
	target := reflect.ValueOf(out)

	fresh := reflect.New(target.Type().Elem())
	if err := json.Unmarshal(document, fresh.Interface()); err != nil {
		return fmt.Errorf("decoding the reply: %w", err)
	}

	if v, ok := fresh.Interface().(validator); ok {
		if err := v.Validate(); err != nil {
			return fmt.Errorf("checking the reply: %w", err)
		}
	}
	target.Elem().Set(fresh.Elem())
	return nil
}

// request builds go-openai's request. Reasoning models use another name for the bound and no temperature; go-openai
// knows these models, or the endpoint has reported it (see dialect).
func (c *Client) request(q question, mode Mode) openai.ChatCompletionRequest {
	r := openai.ChatCompletionRequest{
		Model:           c.opt.Model,
		ReasoningEffort: c.opt.ReasoningEffort,
		Messages: []openai.ChatCompletionMessage{
			{Role: openai.ChatMessageRoleSystem, Content: mode.system(q.task)},
			{Role: openai.ChatMessageRoleUser, Content: q.document},
		},
		MaxTokens: q.room, //nolint:staticcheck // SA1019: local servers know this name alone
		// go-openai omits a 0.
		Temperature:    cmp.Or(float32(c.opt.Temperature), math.SmallestNonzeroFloat32),
		ResponseFormat: mode.format(q.task),
	}
	if openai.NewReasoningValidator().Validate(r) != nil {
		c.dialect.completionTokens.Store(true)
		c.dialect.noTemperature.Store(true)
	}

	if c.dialect.completionTokens.Load() {
		r.MaxCompletionTokens += r.MaxTokens //nolint:staticcheck // SA1019: local servers know this name alone
		r.MaxTokens = 0                      //nolint:staticcheck // SA1019: see above
	}

	if c.dialect.noTemperature.Load() {
		r.Temperature = 0 // is omitted
	}
	return r
}
