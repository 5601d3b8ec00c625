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

// Options set up a Client. Model and BaseURL are needed; the zero value of every other field stands for the default
// named.
type Options struct {
	BaseURL     string
	Model       string
	Key         func() string // gives the key where it is sent; none. A function, so that printing Options shows nothing
	Temperature float64       // 0 is sent as 0
	Context     int           // tokens of the model's context, prompt and reply together; 0: learnt from the endpoint
	Timeout     time.Duration // of one try; 30 seconds
	Concurrency int           // calls at once, over all topics; 10
	Meter       *Meter        // counts, and keeps the budget; one without a limit
	UserAgent   string        // dossier
	MaxBytes    int64         // the most that is read of an answer; 12 MiB
	Retry       fetch.Retry   // of calls that cost nothing
	Logger      *slog.Logger  // discards
	Clock       fetch.Clock   // the system's
	Transport   http.RoundTripper

	ReasoningEffort string      // sent where it is not empty
	Headers         http.Header // sent with every request
	Secrets         []string    // values of Headers that no error may show
	TLS             *tls.Config // certificates; the system's
	Proxy           *url.URL    // the environment's
	Hosts           fetch.Hosts // that may be asked; any
	Pace            *Pace       // what the endpoint grants a minute; no limit
}

// Client calls one model at one endpoint. It is safe for several goroutines, and one serves a whole run: the bound on
// calls at once, the budget, and what was learnt of the endpoint are the client's.
type Client struct {
	opt     Options
	place   string // the endpoint's address, for people
	api     *openai.Client
	guard   *guard
	slots   chan struct{}
	ladder  *ladder
	window  *window
	pause   pause
	dialect dialect
}

// New makes a client. It calls nothing yet.
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
		slots: make(chan struct{}, opt.Concurrency), ladder: &ladder{step: make(chan struct{}, 1)},
		pause:  pause{patience: opt.Retry.MaxRetryAfter},
		window: &window{tokens: opt.Context, ratio: ratioAtFirst},
	}
}

// placeOf is an address without what may be secret in it.
func placeOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the endpoint"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// Model is the model's name as configured.
func (c *Client) Model() string { return c.opt.Model }

// Meter is what counts the client's calls.
func (c *Client) Meter() *Meter { return c.opt.Meter }

// Concurrency is how many calls are made at once.
func (c *Client) Concurrency() int { return c.opt.Concurrency }

// Reply says how a call's document came.
type Reply struct {
	Cut      bool // it ended early; what was complete is there
	Repaired bool // it was no clean JSON
	Used     evidence.Usage
	Said     string // its start: untrusted text
}

// validator is what a reply's type may be.
type validator interface{ Validate() error }

// Call asks the model: the task's instructions, in as one JSON document, and the reply decoded into out, a pointer.
// Where out has a method Validate, its error makes the reply one of a wrong kind. What costs nothing to try again is
// tried again; a reply that cannot be used is asked for as often as the task says, with more room where it was cut. The
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

		if asked >= task.Again || !failure.Kind.unusable() {
			return Reply{}, failure
		}

		if failure.Kind == Cut {
			q.room *= roomAgain
		}
		c.opt.Logger.Info("the model's reply was of no use and is asked for again", "task", task.Name, "cause", failure)
	}
}

// roomAgain is how much more room a reply gets that was cut: a model that thinks aloud counts its thoughts in.
const roomAgain = 4

// question is a call made ready.
type question struct {
	task     Task
	document string
	room     int // tokens for the reply, at most
}

// ask makes one call, whatever tries it takes, and reads its reply.
func (c *Client) ask(ctx context.Context, q question, out any) (Reply, *Error) {
	if err := c.pause.check(c.opt.Clock.Now()); err != nil {
		return Reply{}, c.fail(q.task.Name, Paused, err)
	}
	answer, failure := c.ladder.try(ctx, func(m Mode) (completion, *Error) { return c.send(ctx, q, m) })

	var reply Reply
	if failure == nil {
		reply, failure = c.read(q.task, answer, out)
	}
	c.pause.note(failure, c.opt.Clock.Now())
	return reply, failure
}

func (c *Client) fail(task string, kind Kind, err error) *Error {
	return &Error{Kind: kind, Task: task, Model: c.opt.Model, Endpoint: c.place, Err: err}
}

// read makes the reply's text into out. Nothing is written to out unless the reply is good.
func (c *Client) read(task Task, answer completion, out any) (Reply, *Error) {
	doc, err := readReply(answer.text, task.Schema)

	reply := Reply{Cut: doc.Cut || answer.cut, Repaired: doc.Repaired, Used: answer.used, Said: c.guard.said(answer.text)}
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
	failure.Said, failure.Tries, failure.Used = c.guard.said(answer.text), 1, answer.used
	return failure
}

// decodeInto decodes and validates into a fresh value, so that no half of a bad reply is left in out.
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

// request is what go-openai sends. Models that think take another name for the bound and no temperature; which those
// are is go-openai's knowledge, or the endpoint has said so (see dialect).
func (c *Client) request(q question, mode Mode) openai.ChatCompletionRequest {
	r := openai.ChatCompletionRequest{
		Model:           c.opt.Model,
		ReasoningEffort: c.opt.ReasoningEffort,
		Messages: []openai.ChatCompletionMessage{
			{Role: openai.ChatMessageRoleSystem, Content: mode.system(q.task)},
			{Role: openai.ChatMessageRoleUser, Content: q.document},
		},
		MaxTokens: q.room, //nolint:staticcheck // SA1019: local servers know this name alone
		// go-openai leaves a 0 out.
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
		r.Temperature = 0 // is left out
	}
	return r
}
