package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestHosts(t *testing.T) {
	s := usual(t)
	s.open(Options{Hosts: []string{"dossier.example.org"}})
	for host, status := range map[string]int{
		"127.0.0.1:8080": 200, "localhost:8080": 200, "[::1]:8080": 200, "LOCALHOST": 200, "10.0.0.5": 200,
		"dossier.example.org":     200,
		"Dossier.Example.org:443": 200, "evil.example.com": 421, "localhost.evil.example.com": 421,
		"127.0.0.1.evil.example.com:8080": 421, "": 421, "evil-localhost": 421, "evil.localhost:8080": 421,
	} {
		r := s.do(http.MethodGet, "/", nil, func(r *http.Request) { r.Host = host })
		if r.Code != status {
			t.Errorf("%q: %d, want %d", host, r.Code, status)
		}
	}
}

func TestMarksComeFromThisPageAlone(t *testing.T) {
	s := usual(t)
	form := url.Values{"reader": {"Ada"}, "record": {"PMID:99000001"}, "decision": {"keep"}}
	for _, tc := range []struct {
		name   string
		change func(*http.Request)
		status int
	}{
		{"from this page", func(*http.Request) {}, http.StatusSeeOther},
		{"from another site", header("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		{"from another port of this machine", header("Sec-Fetch-Site", "same-site"), http.StatusForbidden},
		{"from an old browser on another site", func(r *http.Request) {
			r.Header.Del("Sec-Fetch-Site")
			r.Header.Set("Origin", "https://evil.example.com")
		}, http.StatusForbidden},
		{"from an old browser on this page", func(r *http.Request) {
			r.Header.Del("Sec-Fetch-Site")
			r.Header.Set("Origin", "http://127.0.0.1:8080")
		}, http.StatusSeeOther},
		{"too large", func(r *http.Request) {
			r.Body = http.NoBody
			big := strings.NewReader("reader=" + strings.Repeat("x", maxBody))
			r.Body, r.ContentLength = readCloser{big}, int64(big.Len())
		}, http.StatusRequestEntityTooLarge},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s.body(s.do(http.MethodPost, "/topics/"+kras+"/marks", form, tc.change), tc.status)
		})
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

func TestTokens(t *testing.T) {
	s := usual(t)
	const token = "0123456789abcdef0123456789abcdef"
	s.open(Options{Token: token})
	basic := func(password string) func(*http.Request) {
		return func(r *http.Request) { r.SetBasicAuth("anybody", password) }
	}
	for _, tc := range []struct {
		name, address string
		change        func(*http.Request)
		status        int
	}{
		{"none", "/", func(*http.Request) {}, 401},
		{"as a password", "/", basic(token), 200},
		{"another password", "/", basic(token + "x"), 401},
		{"an empty password", "/", basic(""), 401},
		{"a bearer's", "/topics/" + kras, header("Authorization", "Bearer "+token), 200},
		{"another bearer's", "/", header("Authorization", "Bearer x"), 401},
		{"files, too", "/static/page.css", func(*http.Request) {}, 401},
		{"health is told to anybody", "/healthz", func(*http.Request) {}, 200},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := s.do(http.MethodGet, tc.address, nil, tc.change)
			page := s.body(r, tc.status)
			if tc.status == 401 {
				contains(t, page, "not "+question)
				if !strings.HasPrefix(r.Header().Get("WWW-Authenticate"), "Basic ") {
					t.Errorf("a browser is not asked for a password: %v", r.Header())
				}
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	s := usual(t)
	for _, address := range []string{"/", "/nothing", "/topics/" + kras, "/topics/" + kras + "/report"} {
		r := s.do(http.MethodGet, address, nil)
		policy := r.Header().Get("Content-Security-Policy")
		contains(t, policy, "default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "not unsafe", "not http")
		if r.Header().Get("Set-Cookie") != "" || r.Header().Get("Cache-Control") != "no-store" ||
			r.Header().Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %v", address, r.Header())
		}
	}
	page := s.get("/topics/" + kras + "?reader=Ada")
	contains(t, page, "not style=", "not onclick", "not <style", "not <script>")
	if r := s.do(http.MethodGet, "/changes?since="+strings.Repeat("x", maxQuery),
		nil); r.Code != http.StatusRequestURITooLong {
		t.Errorf("a long address: %d", r.Code)
	}
}

// TestMetricsAreServedWhereThereAreAny holds the place that they have.
func TestMetricsAreServedWhereThereAreAny(t *testing.T) {
	s := usual(t)
	s.open(Options{Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("up 1\n"))
	})})
	contains(t, s.get("/metrics"), "up 1")
}

// TestNobodyWaitsForEver: neither where all places are held, nor where an address holds its share of them.
func TestNobodyWaitsForEver(t *testing.T) {
	s := usual(t)
	ask := func(from string, patience time.Duration) (worked bool, err error) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
		r.RemoteAddr = from
		err = s.page.withSlot(r, func(ctx context.Context) error {
			worked = true
			if until, ok := ctx.Deadline(); !ok || time.Until(until) > workTime {
				t.Errorf("a page may work until %s", until)
			}
			return nil
		})
		return worked, err
	}
	const busy, other, third = "192.0.2.1:1000", "192.0.2.2:1000", "192.0.2.3:1000"
	hold := func(from string) (leave func()) {
		leave, err := s.page.places.acquire(t.Context(), addressOf(from))
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	var held []func()
	for range cap(s.page.places.all) / 2 {
		held = append(held, hold(busy))
	}
	if worked, err := ask("192.0.2.1:2000", 20*time.Millisecond); worked || err == nil {
		t.Errorf("an address has more than half of the places: %v", err)
	}
	if worked, err := ask(other, time.Minute); !worked || err != nil {
		t.Errorf("another address waits for it: %v", err)
	}
	for range cap(s.page.places.all) / 2 {
		held = append(held, hold(other))
	}
	if worked, err := ask(third, 20*time.Millisecond); worked || err == nil {
		t.Errorf("there was no place, and nobody said so: %v", err)
	}
	for _, leave := range held {
		leave()
	}
	if worked, err := ask(busy, time.Minute); !worked || err != nil {
		t.Errorf("with a place: %v", err)
	}
	if n := len(s.page.places.addresses); n != 0 {
		t.Errorf("%d addresses are remembered that do nothing", n)
	}
}

// TestAPanicEndsOneRequest: and tells nobody of the program's inside.
func TestAPanicEndsOneRequest(t *testing.T) {
	s := usual(t)
	s.open(Options{Metrics: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a fault") })})
	contains(t, s.body(s.do(http.MethodGet, "/metrics", nil), http.StatusInternalServerError), "a fault in the program",
		"not goroutine")
	contains(t, s.get("/"), question)
}
