package fetch_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"dossier/internal/fetch"
)

func TestHosts(t *testing.T) {
	for _, tc := range []struct {
		name, address string
		hosts         fetch.Hosts
		allowed       bool
	}{
		{"no policy", "https://example.org/x", nil, true},
		{"none", "https://example.org/x", fetch.Hosts{}, false},
		{"the host, on any port", "https://example.org:8443/x", fetch.Hosts{"example.org"}, true},
		{"in other capitals", "https://Example.ORG", fetch.Hosts{"example.org"}, true},
		{"the port that is named", "https://example.org:8443", fetch.Hosts{"example.org:8443"}, true},
		{"another port", "https://example.org:8444", fetch.Hosts{"example.org:8443"}, false},
		{"a host that ends like it", "https://notexample.org", fetch.Hosts{"example.org"}, false},
		{"a host below it", "https://a.example.org", fetch.Hosts{"example.org"}, false},
		{"a host that begins like it", "https://example.org.example.com", fetch.Hosts{"example.org"}, false},
		{"the host as a user's name", "https://example.org@example.com", fetch.Hosts{"example.org"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u, err := url.Parse(tc.address)
			if err != nil {
				t.Fatal(err)
			}
			if err := tc.hosts.Check(u); (err == nil) != tc.allowed || err != nil && !errors.Is(err, fetch.ErrNotAllowed) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestWhatIsNotAllowedIsNotAsked: neither at first hand nor after a redirect nor by way of a proxy; and not tried
// again.
func TestWhatIsNotAllowedIsNotAsked(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer server.Close()
	client := fetch.New(fetch.Options{Hosts: fetch.Hosts{"elsewhere.example.org"}})
	_, err := client.Do(t.Context(), fetch.Request{URL: server.URL + "/a?key=s3cret"})
	var failure *fetch.Error
	if !errors.As(err, &failure) || failure.Kind != fetch.Refused || failure.Tries != 1 ||
		!errors.Is(err, fetch.ErrNotAllowed) {
		t.Errorf("%#v", err)
	}
	if asked > 0 || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("asked %d times: %v", asked, err)
	}
	proxy, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy.User = url.UserPassword("u", "s3cret")
	request := httptest.NewRequest(http.MethodGet, "http://elsewhere.example.org", nil)
	if _, err := (fetch.Hosts{"elsewhere.example.org"}).Proxy(proxy)(request); !errors.Is(err, fetch.ErrNotAllowed) ||
		strings.Contains(err.Error(), "s3cret") {
		t.Errorf("by a proxy: %v", err)
	}
	if got, err := (fetch.Hosts{"127.0.0.1"}).Proxy(proxy)(request); err != nil || got != proxy {
		t.Errorf("by an allowed proxy: %v, %v", got, err)
	}
}
