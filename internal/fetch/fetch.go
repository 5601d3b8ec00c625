package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"time"
)

// Options set up a Client; the zero value of each field but UserAgent stands for the default named.
type Options struct {
	UserAgent string
	LimitDir  string        // folder of the shared rate limits' state; empty: the limits hold in this process only
	MaxBytes  int64         // the most that any decompressed body may have; 64 MiB
	Timeout   time.Duration // of one try; 60 seconds
	Retry     Retry
	Logger    *slog.Logger // discards
	Clock     Clock        // the system's
	Transport http.RoundTripper
	Hosts     Hosts // that may be asked; any
}

// Client calls the services. It is safe for use by several goroutines at once, and one serves a whole program: the
// limits within a process are the client's.
type Client struct {
	opt    Options
	http   *http.Client
	limits *limits
}

const maxRedirects = 5

// New makes a client. It touches neither network nor disk.
func New(opt Options) *Client {
	opt.UserAgent = cmp.Or(opt.UserAgent, "dossier")
	opt.MaxBytes = cmp.Or(opt.MaxBytes, 64<<20)
	opt.Timeout = cmp.Or(opt.Timeout, time.Minute)
	opt.Retry = opt.Retry.WithDefaults()
	opt.Logger = cmp.Or(opt.Logger, slog.New(slog.DiscardHandler))

	opt.Clock = cmp.Or[Clock](opt.Clock, SystemClock{})
	if opt.Transport == nil {
		opt.Transport = NewTransport(opt.Hosts, nil, nil, 4)
	}
	return &Client{
		opt:    opt,
		http:   &http.Client{Transport: Passage(opt.Transport, opt.Hosts), CheckRedirect: withinHost},
		limits: &limits{dir: opt.LimitDir, clock: opt.Clock, log: opt.Logger, services: map[string]*pace{}},
	}
}

// NewTransport is the connections of a client: to hosts alone, through a proxy (nil: the environment's), with
// certificates (nil: the system's), as many of them kept open as there are requests at once. Gzip is asked for and
// undone by the standard library, so that a bound on a body's size holds for what it unpacks to.
func NewTransport(hosts Hosts, proxy *url.URL, certificates *tls.Config, atOnce int) *http.Transport {
	if certificates == nil {
		certificates = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return &http.Transport{
		Proxy:                  hosts.Proxy(proxy),
		TLSClientConfig:        certificates,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    atOnce,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    15 * time.Second,
		MaxResponseHeaderBytes: 1 << 20,
	}
}

// Do sends r until it gets an acceptable body, and returns that. Transient failures are retried: 429, 5xx, a lost
// connection, a cut or empty body, HTML in place of JSON or XML, a failed Check. The error is an *Error.
func (c *Client) Do(ctx context.Context, r Request) ([]byte, error) {
	clean := newRedactor(&r)
	log := c.opt.Logger.With("service", r.Service)
	var body []byte
	var failure *Error
	send := func(try int) (bool, time.Duration) {
		if body, failure = c.attempt(ctx, &r, clean); failure == nil {
			return false, 0
		}
		failure.Tries = try
		return failure.again, failure.RetryAfter
	}

	err := c.opt.Retry.Run(ctx, c.opt.Clock, send, func(try int, wait time.Duration) {
		log.Info("request failed and is sent again", "try", try, "wait", wait, "cause", failure)
	})
	switch {
	case err != nil:
		failure.Kind, failure.Err = Cancelled, errors.Join(err, failure.Err) // the wait after it was broken off
		return nil, failure
	case failure != nil:
		return nil, failure
	}
	return body, nil
}
