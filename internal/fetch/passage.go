package fetch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Hosts are the machines that may be asked, each as a host or as host:port. Nil stands for any; none for none.
type Hosts []string

// ErrNotAllowed is in every error of a request that did not go out because its host is not allowed.
var ErrNotAllowed = errors.New("the policy of this machine does not allow requests there")

// Check is nil where an address's host is among them; else an ErrNotAllowed that names the host.
func (h Hosts) Check(u *url.URL) error {
	if h == nil || slices.ContainsFunc(h, func(host string) bool {
		return strings.EqualFold(host, u.Hostname()) || strings.EqualFold(host, u.Host)
	}) {
		return nil
	}
	return fmt.Errorf("%s: %w", u.Host, ErrNotAllowed)
}

// Proxy holds a choice of proxies to the hosts; nil stands for the environment's (HTTPS_PROXY, HTTP_PROXY,
// NO_PROXY). Its errors do not show the proxy's address, which may hold a password.
func (h Hosts) Proxy(choice *url.URL) func(*http.Request) (*url.URL, error) {
	return func(req *http.Request) (*url.URL, error) {
		proxy, err := choice, error(nil)
		if proxy == nil {
			proxy, err = http.ProxyFromEnvironment(req)
		}

		switch {
		case err != nil:
			return nil, errors.New("the proxy that the environment names can't be used; check HTTPS_PROXY and HTTP_PROXY")
		case proxy == nil:
			return nil, nil //nolint:nilnil // net/http's value for no proxy
		}

		if err := h.Check(proxy); err != nil {
			return nil, fmt.Errorf("the proxy %w", err)
		}
		return proxy, nil
	}
}

// Passage gives the way out that every request of a program takes, a redirected one too: to hosts alone, and
// counted in the Tally of the request's context.
func Passage(next http.RoundTripper, hosts Hosts) http.RoundTripper { return passage{next, hosts} }

type passage struct {
	next  http.RoundTripper
	hosts Hosts
}

func (p passage) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := p.hosts.Check(req.URL); err != nil {
		return nil, err
	}

	if t, ok := req.Context().Value(tallyKey{}).(*Tally); ok {
		t.count(req.URL.Host)
	}
	return p.next.RoundTrip(req)
}

// Tally counts requests by the host that they go to. The zero value is ready.
type Tally struct {
	mu     sync.Mutex
	counts map[string]int
}

type tallyKey struct{}

// Counting marks ctx, so that requests made with it are counted.
func (t *Tally) Counting(ctx context.Context) context.Context {
	return context.WithValue(ctx, tallyKey{}, t)
}

func (t *Tally) count(host string) {
	t.mu.Lock()
	defer t.mu.Unlock()

	if t.counts == nil {
		t.counts = map[string]int{}
	}
	t.counts[host]++
}

// Counts are the requests so far, by host.
func (t *Tally) Counts() map[string]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.counts)
}
