package fetch_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
)

const (
	secret = `s3cr3t/+ "kéy`
	plain  = "0123456789abcdef"
)

// leaks lists the spellings of the secrets that text gives away.
func leaks(text string) []string {
	var found []string
	for _, s := range []string{secret, plain, url.QueryEscape(secret), url.PathEscape(secret), `s3cr3t/+ \"kéy`,
		"s3cr3t"} {
		if strings.Contains(text, s) {
			found = append(found, s)
		}
	}
	return found
}

func TestSecretsStayInside(t *testing.T) {
	echo := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			r.ParseForm()
			w.Header().Set("X-You-Sent", r.Form.Get("api_key")+r.Header.Get("X-Api-Key"))
			w.WriteHeader(code)
			io.WriteString(w, "you sent "+r.Form.Encode()+" and "+r.Form.Get("api_key")+r.Form.Get("k")+
				r.Header.Get("X-Api-Key")+r.Header.Get("Authorization")+r.URL.String())
		}
	}
	closed := httptest.NewServer(nil)
	closed.Close()
	for _, tc := range []struct {
		name    string
		request fetch.Request
	}{
		{"in the query, by its name", fetch.Request{Query: url.Values{"api_key": {secret}}}},
		{"in the form, by its name", fetch.Request{Form: url.Values{"api_key": {secret}}}},
		{"in the form, with white space", fetch.Request{Form: url.Values{"api_key": {" " + secret + "\n"}}}},
		{"in the address", fetch.Request{URL: "/x?api_key=" + url.QueryEscape(secret)}},
		{"in a header, by its name", fetch.Request{Header: http.Header{"X-Api-Key": {plain}}}},
		{"as a bearer", fetch.Request{Header: http.Header{"Authorization": {"Bearer " + plain}}}},
		{"named by the caller", fetch.Request{Query: url.Values{"k": {secret}}, Secrets: []string{secret}}},
	} {
		for _, server := range []struct {
			name   string
			answer http.HandlerFunc
		}{{"echoed in a 400", echo(400)}, {"echoed in a 429", echo(429)}, {"echoed in a 200", echo(200)},
			{"no answer", reset}, {"no server", nil}} {
			t.Run(tc.name+", "+server.name, func(t *testing.T) {
				var log bytes.Buffer
				client := fetch.New(fetch.Options{Clock: fetchtest.NewClock(),
					Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
				address := closed.URL
				if server.answer != nil {
					address, _ = script(t, server.answer)
				}
				request := tc.request
				request.URL, request.Accept = address+request.URL, fetch.AcceptJSON
				_, err := client.Do(t.Context(), request)
				var failed *fetch.Error
				if !errors.As(err, &failed) {
					t.Fatalf("got %v", err)
				}
				for e := err; e != nil; e = errors.Unwrap(e) {
					if found := leaks(e.Error()); found != nil {
						t.Errorf("the error shows %q: %v", found, e)
					}
				}
				if found := leaks(failed.Body + failed.Place + fmt.Sprint(failed.Header) + log.String()); found != nil {
					t.Errorf("the body, place, header or log show %q:\n%s\n%s\n%s", found, failed.Body, failed.Header, log.String())
				}
			})
		}
	}
}

func TestSecretsAreNotCutInHalf(t *testing.T) {
	for before := 4096 - len(plain); before <= 4096; before++ {
		address, _ := script(t, status(400, strings.Repeat("x", before)+plain+strings.Repeat("y", 100)))
		_, err := newClient(fetchtest.NewClock()).Do(t.Context(), fetch.Request{URL: address, Secrets: []string{plain}})
		var failed *fetch.Error
		if !errors.As(err, &failed) || strings.ContainsAny(failed.Body, plain[:4]) {
			t.Fatalf("%d bytes before the secret: the body ends in %q", before, failed.Body[len(failed.Body)-30:])
		}
	}
	// Without its long secrets a body is so short that the end of what is looked at would be kept.
	for _, long := range []string{plain, strings.Repeat(plain, 13)} {
		address, _ := script(t, status(400, strings.Repeat(long, 80_000/len(long))))
		_, err := newClient(fetchtest.NewClock()).Do(t.Context(), fetch.Request{URL: address, Secrets: []string{long}})
		var failed *fetch.Error
		if !errors.As(err, &failed) || strings.ContainsAny(failed.Body, "0123456789") {
			t.Errorf("a body of secrets of %d bytes shows one: %q", len(long), failed.Body)
		}
	}
}

func TestRedirects(t *testing.T) {
	var elsewhere atomic.Int32
	var referer string
	other, _ := script(t, func(w http.ResponseWriter, r *http.Request) {
		elsewhere.Add(1)
		referer = r.Referer()
		io.WriteString(w, good)
	})
	here, _ := script(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other+"/x", http.StatusTemporaryRedirect)
		case "/along":
			http.Redirect(w, r, "/end", http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		default:
			referer = r.Referer()
			io.WriteString(w, good)
		}
	})
	for _, tc := range []struct {
		name, path, key string
		kind            fetch.Kind // empty: it works
		elsewhere       int32
	}{
		{"on the same host, with a key", "/along", plain, "", 0},
		{"to another host, without a key", "/away", "", fetch.Refused, 0},
		{"to another host, with a key", "/away", plain, fetch.Refused, 0},
		{"in a circle", "/round", "", fetch.Unreachable, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			elsewhere.Store(0)
			referer = ""
			request := get(here + tc.path)
			request.Query = url.Values{"q": {"a private question"}}
			if tc.key != "" {
				request.Query.Set("api_key", tc.key)
			}
			_, err := newClient(fetchtest.NewClock()).Do(t.Context(), request)
			var failed *fetch.Error
			if errors.As(err, &failed) != (tc.kind != "") || failed != nil && failed.Kind != tc.kind {
				t.Errorf("got %v, want %q", err, tc.kind)
			}
			if elsewhere.Load() != tc.elsewhere || referer != "" {
				t.Errorf("the other host was asked %d times, with the referer %q", elsewhere.Load(), referer)
			}
		})
	}
}
