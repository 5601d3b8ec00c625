package opensearch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	osgo "github.com/opensearch-project/opensearch-go/v4"
	"github.com/opensearch-project/opensearch-go/v4/opensearchapi"

	"dossier/internal/fetch"
	"dossier/internal/text"
)

// Config selects a cluster and how to access it. A zero field means the default named.
type Config struct {
	URL      string // https://host:9200; several nodes of one cluster are parted by commas
	Prefix   string // begins the names of all indices and aliases; dossier
	Shards   int    // of each index; 1
	Replicas int    // of each shard, on other nodes; none
	CAFile   string // certificates to trust beside the system's, as PEM
	User     string // with Password; or a Token
	Password string
	Token    string // a bearer token

	Hosts    fetch.Hosts   // that may be accessed; any
	Patience time.Duration // how long temporary failures are retried; 2 minutes
	Timeout  time.Duration // of one try; 2 minutes
	Clock    fetch.Clock   // the system's
	Logger   *slog.Logger  // discards
	NoJitter bool          // no random spread of the waits, for tests
}

const (
	maxAnswer  = 64 << 20 // bytes that are read of one answer, unpacked
	maxRefusal = 64 << 10 // of one that is a refusal
	atOnce     = 8        // connections that are kept open to a node
)

// Client accesses one cluster. It is safe for concurrent use.
type Client struct {
	config Config
	os     *osgo.Client
	clean  fetch.Redactor
	retry  fetch.Retry
}

// Connect creates a client and checks that the address is an OpenSearch that admits it, of a supported version, with a
// cluster manager. Close releases it.
func Connect(ctx context.Context, config Config) (*Client, error) {
	c, err := newClient(config)
	if err != nil {
		return nil, err
	}

	if err := c.probe(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// connectPatience bounds the wait for a cluster that does not answer at all: the usual cause is a wrong address, which
// should be reported soon.
const connectPatience = 20 * time.Second

func newClient(config Config) (*Client, error) {
	config.Prefix = cmp.Or(config.Prefix, "dossier")
	config.Shards = max(config.Shards, 1)
	config.Replicas = max(config.Replicas, 0)
	config.Patience = cmp.Or(config.Patience, 2*time.Minute)
	config.Timeout = cmp.Or(config.Timeout, 2*time.Minute)
	config.Clock = cmp.Or[fetch.Clock](config.Clock, fetch.SystemClock{})
	config.Logger = cmp.Or(config.Logger, slog.New(slog.DiscardHandler))

	addresses, err := config.check()
	if err != nil {
		return nil, err
	}

	certificates, err := trustedCertificates(config.CAFile)
	if err != nil {
		return nil, config.configError("%w", err)
	}

	header := http.Header{}
	if config.Token != "" {
		header.Set("Authorization", "Bearer "+config.Token)
	}
	transport := fetch.NewTransport(config.Hosts, nil, certificates, atOnce)

	inner, err := osgo.NewClient(osgo.Config{
		Addresses: addresses, Username: config.User, Password: config.Password, Header: header,
		Transport:    fetch.Passage(transport, config.Hosts),
		DisableRetry: true, // this client decides about retries
		// and no request is sent that no one asked for
		HealthCheckMaxRetries: -1, MaxRetryClusterHealth: -1, DiscoverNodesOnStart: new(false),
	})
	if err != nil {
		return nil, config.configError("%w", fetch.NewRedactor(config.Password, config.Token).Error(err))
	}
	return &Client{config: config, os: inner, clean: fetch.NewRedactor(config.Password, config.Token),
		retry: fetch.Retry{Tries: 1000, MaxElapsed: config.Patience, FirstBackoff: 250 * time.Millisecond,
			Steady: config.NoJitter}}, nil
}

// prefixRE matches prefixes that OpenSearch accepts in index names, with what this program adds.
var prefixRE = text.LazyRegexp(`^[a-z0-9][a-z0-9_.-]{0,99}$`)

func (config *Config) check() ([]string, error) {
	var addresses []string
	for address := range strings.SplitSeq(config.URL, ",") {
		address = strings.TrimSpace(address)

		u, err := url.Parse(address)
		switch {
		case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
			return nil, config.configError("the address must begin with https:// or http:// and name a host")
		case u.User != nil:
			return nil, config.configError("the address must hold no user or password; give them by the environment")
		}
		addresses = append(addresses, address)
	}

	switch {
	case !prefixRE().MatchString(config.Prefix):
		return nil, config.configError("the index prefix %q must be of small letters, digits, hyphens, dots and underscores",
			config.Prefix)
	case config.Token != "" && config.User != "":
		return nil, config.configError("both a user and a token are given; give one")
	case (config.User == "") != (config.Password == ""):
		return nil, config.configError("a user and a password belong together")
	}
	return addresses, nil
}

func (config *Config) configError(format string, args ...any) *Error {
	return &Error{Kind: BadConfig, Op: "setting up the connection to OpenSearch", Err: fmt.Errorf(format, args...)}
}

// trustedCertificates is nil if the system's certificates are enough.
func trustedCertificates(file string) (*tls.Config, error) {
	if file == "" {
		return nil, nil //nolint:nilnil // nil is what stands for the system's
	}

	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the certificates: %w", err)
	}

	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}

	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s holds no certificate in PEM form", file)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pool}, nil
}

// Close closes the connections.
func (c *Client) Close() error {
	if err := c.os.Close(); err != nil {
		return fmt.Errorf("closing the connections to OpenSearch: %w", c.clean.Error(err))
	}
	return nil
}

// Name is the full name of one of our indices or aliases: prefix, hyphen, short name.
func (c *Client) Name(short string) string { return c.config.Prefix + "-" + short }

// The oldest supported version; newer major versions are supported too.
const oldestMajor, oldestMinor = 2, 11

// probe asks the server for its version, and whether the cluster has a manager.
func (c *Client) probe(ctx context.Context) error {
	patient := *c
	patient.retry.MaxElapsed = min(patient.retry.MaxElapsed, connectPatience)
	doing := "connecting to OpenSearch at " + c.config.URL
	var info struct {
		Version struct{ Distribution, Number string }
	}

	err := patient.do(ctx, call{op: doing, method: http.MethodGet, into: &info,
		request: func() osgo.Request { return opensearchapi.InfoReq{} }})
	if err != nil {
		return err
	}

	if info.Version.Distribution != "opensearch" {
		return &Error{Kind: Unsupported, Op: doing, Err: errors.New("what answers there is no OpenSearch")}
	}
	major, rest, _ := strings.Cut(info.Version.Number, ".")
	minor, _, _ := strings.Cut(rest, ".")
	first, errFirst := strconv.Atoi(major)

	second, errSecond := strconv.Atoi(minor)
	if errFirst != nil || errSecond != nil || first < oldestMajor || first == oldestMajor && second < oldestMinor {
		err := fmt.Errorf("it is OpenSearch %.20q; %d.%d is the oldest that is known", info.Version.Number, oldestMajor,
			oldestMinor)
		return &Error{Kind: Unsupported, Op: doing, Err: err}
	}

	health, err := patient.Health(ctx)
	if err != nil {
		return err
	}
	c.config.Logger.Debug("connected to OpenSearch", "version", info.Version.Number, "status", health.Status,
		"nodes", health.Nodes)
	return nil
}

// call is one request and the handling of its answer.
type call struct {
	op            string // the purpose, for errors
	index         string
	method        string
	request       func() osgo.Request // a new one for every try
	into          any                 // receives the answer's JSON; nil ignores it
	notIdempotent bool                // repeating it after a lost answer would have another effect or result
}

// do sends a call until it is answered, or fails permanently.
func (c *Client) do(ctx context.Context, call call) error {
	var failure *Error

	send := func(try int) (bool, time.Duration) {
		if failure = c.attempt(ctx, call); failure == nil {
			return false, 0
		}
		failure.Tries = try
		return failure.retryable(call.notIdempotent), failure.retryAfter
	}
	if err := c.persist(ctx, send, func() *Error { return failure }); err != nil {
		return err
	}

	if failure != nil {
		return failure
	}
	return nil
}

// persist runs send as long as patience lasts; last is the last failure, for the log.
func (c *Client) persist(ctx context.Context, send func(try int) (bool, time.Duration), last func() *Error) error {
	err := c.retry.Run(ctx, c.config.Clock, send, func(try int, wait time.Duration) {
		c.config.Logger.Info("OpenSearch is asked again", "try", try, "wait", wait, "cause", last())
	})
	if err == nil {
		return nil
	}
	failure := *last()
	failure.Kind, failure.Err = Cancelled, errors.Join(err, failure.Err)
	return &failure
}

// attempt sends a call once.
func (c *Client) attempt(ctx context.Context, call call) *Error {
	failed := &Error{Op: call.op, Index: call.index}

	req, err := call.request().GetRequest(call.method)
	if err != nil {
		return failed.fill(BadRequest, c.clean.Error(err))
	}
	tryCtx, done := context.WithTimeout(ctx, c.config.Timeout)
	defer done()

	answer, err := c.os.Stream(req.WithContext(tryCtx))
	if err != nil {
		return failed.classifyTransport(ctx, c.clean, err)
	}
	defer answer.Body.Close()

	failed.Status = answer.StatusCode
	if answer.StatusCode >= http.StatusMultipleChoices {
		return failed.classifyStatus(c.clean, answer, c.config.Clock.Now())
	}

	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case len(body) > maxAnswer:
		return failed.fill(TooLarge, fmt.Errorf("more than %d MiB", maxAnswer>>20))
	case err != nil:
		return failed.classifyTransport(ctx, c.clean, err)
	case call.into == nil:
		return nil
	}

	if err := json.Unmarshal(body, call.into); err != nil {
		return failed.fill(BadAnswer, c.clean.Error(err))
	}
	return nil
}

// jsonBody encodes a request's body; bytes are JSON already.
func jsonBody(doing string, body any) ([]byte, error) {
	if raw, ok := body.([]byte); ok {
		return raw, nil
	}

	raw, err := json.Marshal(body)
	if err != nil {
		return nil, (&Error{Op: doing}).fill(BadRequest, err)
	}
	return raw, nil
}

// post sends JSON; request puts it into a request of its kind.
func (c *Client) post(ctx context.Context, call call, body any, request func(body io.Reader) osgo.Request) error {
	raw, err := jsonBody(call.op, body)
	if err != nil {
		return err
	}
	call.request = func() osgo.Request { return request(bytes.NewReader(raw)) }
	return c.do(ctx, call)
}

// Health is how a cluster, or some of its indices, are.
type Health struct {
	Status     string // green; yellow: some replica is missing; red: some shard can't be read
	Nodes      int    `json:"number_of_nodes"`
	DataNodes  int    `json:"number_of_data_nodes"`
	Unassigned int    `json:"unassigned_shards"`
	Coming     int    `json:"initializing_shards"` // copies that are being made
}

// Health returns the state of the cluster, or of indices. A red state is no error here.
func (c *Client) Health(ctx context.Context, indices ...string) (Health, error) {
	var health Health
	err := c.do(ctx, healthCall("asking how OpenSearch is", &health, indices))
	return health, err
}

func healthCall(doing string, health *Health, indices []string) call {
	return call{op: doing, method: http.MethodGet, into: health, request: func() osgo.Request {
		return opensearchapi.ClusterHealthReq{Indices: slices.Clone(indices),
			Params: opensearchapi.ClusterHealthParams{ClusterManagerTimeout: managerTimeout}}
	}}
}

// Usable waits until all primary shards of the indices are available; the error has Kind Red if that takes too long.
func (c *Client) Usable(ctx context.Context, indices ...string) error {
	return c.awaitHealth(ctx, indices, func(h Health) error {
		if h.Status == "red" {
			return fmt.Errorf("%d copies of shards are not there", h.Unassigned)
		}
		return nil
	})
}

// settlePatience bounds the wait for copies of a new, empty index: a full disk or a cluster's rule may prevent them.
const settlePatience = 20 * time.Second

// Settled is Usable, and also waits a while for all copies that there are nodes for: until then a lost node may take
// the only complete copy with it.
func (c *Client) Settled(ctx context.Context, indices ...string) error {
	hasty := *c
	hasty.retry.MaxElapsed = min(c.retry.MaxElapsed, settlePatience)

	err := hasty.awaitHealth(ctx, indices, func(h Health) error {
		if h.Status == "green" || h.Status == "yellow" && h.Coming == 0 && h.DataNodes <= c.config.Replicas {
			return nil
		}
		return fmt.Errorf("%d copies of shards are not there, %d are being made", h.Unassigned, h.Coming)
	})
	if KindOf(err) != Red {
		return err
	}
	c.config.Logger.Warn("not all copies of an index are there", "cause", err)
	return c.Usable(ctx, indices...)
}

// awaitHealth polls the state of indices until they are well.
func (c *Client) awaitHealth(ctx context.Context, indices []string, ill func(Health) error) error {
	doing := "waiting for " + strings.Join(indices, ", ")
	var failure *Error

	err := c.persist(ctx, func(try int) (bool, time.Duration) {
		var health Health

		failure = c.attempt(ctx, healthCall(doing, &health, indices))
		if failure == nil {
			if why := ill(health); why != nil {
				failure = (&Error{Op: doing}).fill(Red, why)
			}
		}

		if failure == nil {
			return false, 0
		}
		failure.Tries = try
		return failure.retryable(false), 0
	}, func() *Error { return failure })
	if err == nil && failure != nil {
		return failure
	}
	return err
}
