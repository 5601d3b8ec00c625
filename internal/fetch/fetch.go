package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Options set up a Client; the zero value of each field but UserAgent stands for the default named.
type Options struct {
	UserAgent     string
	LimitDir      string        // folder of the shared rate limits' state; empty: the limits hold in this process only
	Tries         int           // how often a request is sent at most; 4
	MaxElapsed    time.Duration // no new try is begun later than this after the first; 2 minutes
	MaxRetryAfter time.Duration // the longest Retry-After that is waited for; 30 seconds
	MaxBytes      int64         // the most that any decompressed body may have; 64 MiB
	Timeout       time.Duration // of one try; 60 seconds
	FirstBackoff  time.Duration // before the second try, doubled for each further one; 500 ms
	Steady        bool          // no random spread of the waits, for tests
	Logger        *slog.Logger  // discards
	Clock         Clock         // the system's
	Transport     http.RoundTripper
}

// Client calls the services. It is safe for use by several goroutines at once, and one serves a whole program: the limits
// within a process are the client's.
type Client struct {
	opt    Options
	http   *http.Client
	limits *limits
}

const (
	maxBackoff   = 20 * time.Second
	maxRedirects = 5
)

// New makes a client. It touches neither network nor disk.
func New(opt Options) *Client {
	opt.UserAgent = cmp.Or(opt.UserAgent, "dossier")
	opt.Tries = cmp.Or(opt.Tries, 4)
	opt.MaxElapsed = cmp.Or(opt.MaxElapsed, 2*time.Minute)
	opt.MaxRetryAfter = cmp.Or(opt.MaxRetryAfter, 30*time.Second)
	opt.MaxBytes = cmp.Or(opt.MaxBytes, 64<<20)
	opt.Timeout = cmp.Or(opt.Timeout, time.Minute)
	opt.FirstBackoff = cmp.Or(opt.FirstBackoff, 500*time.Millisecond)
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	if opt.Clock == nil {
		opt.Clock = systemClock{}
	}
	if opt.Transport == nil {
		opt.Transport = newTransport()
	}
	return &Client{
		opt:    opt,
		http:   &http.Client{Transport: opt.Transport},
		limits: newLimits(opt.LimitDir, opt.Clock, opt.Logger),
	}
}

// newTransport takes the proxy from the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). Gzip is asked for and undone by the
// standard library, so that the bound on a body's size holds for what it unpacks to.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    15 * time.Second,
		MaxResponseHeaderBytes: 1 << 20,
	}
}

// Do sends r until it is answered with a body that fits, and gives that body. What may pass by itself is tried again:
// 429, 5xx, a lost connection, a cut or empty body, HTML in place of JSON or XML, a failed Check. The error is an *Error.
func (c *Client) Do(ctx context.Context, r Request) ([]byte, error) {
	clean := newRedactor(&r)
	log := c.opt.Logger.With("service", r.Service)
	delays := c.newDelays()
	started := c.opt.Clock.Now()
	for try := 1; ; try++ {
		body, failure := c.attempt(ctx, &r, clean)
		if failure == nil {
			return body, nil
		}
		failure.Tries = try
		wait := max(delays.NextBackOff(), failure.RetryAfter)
		if !failure.again || try >= c.opt.Tries || c.tooLate(ctx, started, wait) {
			return nil, failure
		}
		log.Info("request failed and is sent again", "try", try, "wait", wait, "cause", failure)
		if err := c.opt.Clock.Sleep(ctx, wait); err != nil {
			return nil, cancelled(failure, err)
		}
	}
}

func (c *Client) newDelays() *backoff.ExponentialBackOff {
	delays := backoff.NewExponentialBackOff()
	delays.InitialInterval, delays.Multiplier, delays.MaxInterval = c.opt.FirstBackoff, 2, maxBackoff
	if c.opt.Steady {
		delays.RandomizationFactor = 0
	}
	return delays
}

// tooLate is true where waiting would outlast the client's patience or the caller's deadline: better to say so now.
func (c *Client) tooLate(ctx context.Context, started time.Time, wait time.Duration) bool {
	next := c.opt.Clock.Now().Add(wait)
	deadline, ok := ctx.Deadline()
	return next.Sub(started) > c.opt.MaxElapsed || ok && next.After(deadline)
}

// cancelled says that the wait after failure was broken off.
func cancelled(failure *Error, err error) *Error {
	failure.Kind = Cancelled
	failure.Err = errors.Join(err, failure.Err)
	return failure
}
