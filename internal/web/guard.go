package web

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Bounds on one request, and on all of them together.
const (
	maxBody    = 16 << 10         // of a form
	maxQuery   = 8 << 10          // of an address, behind its question mark
	maxWords   = 4000             // bytes of a question or a search
	maxPrinted = 1                // programs that print at once
	workTime   = 30 * time.Second // for one request
	waitToWork = 10 * time.Second // for a work slot
	maxChecks  = 4                // of health and metrics, beside the work slots
)

// policy lets a browser load from here only, run no script or style except the files served, send forms nowhere else,
// and show the page in no frame.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// protect checks host and token, and sets the security headers.
func (s *Server) protect(next http.Handler) http.Handler {
	origins := http.NewCrossOriginProtection()
	origins.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, &problem{http.StatusForbidden, "This form was sent from another site",
			"What changes or sends anything is taken from this page alone. Open it in the browser, and do it there."})
	}))
	next = origins.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.Set("Cache-Control", "no-store")
		defer s.recoverPanics(w, r)

		switch {
		case !s.knowsHost(r.Host):
			s.fail(w, r, &problem{http.StatusMisdirectedRequest, "This page is not known by that name",
				fmt.Sprintf("It was asked for as %.100q. Use its address, or start it with --host and that name.", r.Host)})
		case len(r.URL.RawQuery) > maxQuery:
			s.fail(w, r, &problem{http.StatusRequestURITooLong, "The address is too long",
				fmt.Sprintf("At most %d bytes are read of what stands behind its question mark.", maxQuery)})
		case r.URL.Path != "/healthz" && !s.knowsToken(r):
			h.Set("WWW-Authenticate", `Basic realm="Dossier", charset="UTF-8"`)
			s.fail(w, r, &problem{http.StatusUnauthorized, "The page asks for its token",
				"Give any name, and the token as the password. Programs send it as Authorization: Bearer."})
		default:
			most := int64(maxBody)
			if r.URL.Path == "/cases" || r.URL.Path == "/cases/file" {
				most = maxList // larger than any other form
			}
			r.Body = http.MaxBytesReader(w, r.Body, most)
			next.ServeHTTP(w, r)
		}
	})
}

// recoverPanics confines a panic to its request.
func (s *Server) recoverPanics(w http.ResponseWriter, r *http.Request) {
	cause := recover()
	if cause == nil {
		return
	}

	if cause == http.ErrAbortHandler { //nolint:errorlint // it is compared as net/http does
		panic(cause)
	}
	s.log.Error("a page failed", "path", r.URL.Path, "cause", cause, "stack", string(debug.Stack()))
	s.fail(w, r, fmt.Errorf("a fault in the program: %.300v", cause))
}

// knowsHost reports whether a request's Host is a name of this page. It defeats DNS rebinding: a site whose own name
// resolves to this page, to have the visitor's browser read it, sends that name; addresses can't be faked so, and
// localhost belongs to no one else.
func (s *Server) knowsHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}

	name = strings.TrimSuffix(strings.ToLower(strings.Trim(name, "[]")), ".")
	if _, err := netip.ParseAddr(name); err == nil || name == "localhost" {
		return true
	}
	return slices.ContainsFunc(s.options.Hosts, func(known string) bool { return strings.EqualFold(known, name) })
}

// knowsToken reports whether a request carries the token, if there is one: as a password, or as a bearer token. There
// is no cookie, so other sites have nothing to use; browsers ask for the password.
func (s *Server) knowsToken(r *http.Request) bool {
	if s.options.Token == "" {
		return true
	}

	given := ""
	if _, password, ok := r.BasicAuth(); ok {
		given = password
	} else if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok &&
		strings.EqualFold(scheme, "Bearer") {
		given = strings.TrimSpace(token)
	}
	// Digests have a fixed length, so that the time reveals nothing of the token's.
	want, got := sha256.Sum256([]byte(s.options.Token)), sha256.Sum256([]byte(given))
	return subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

// withCheckSlot serves monitoring requests in slots of their own: neither pages nor monitoring can starve the other.
func (s *Server) withCheckSlot(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case s.checks <- struct{}{}:
			defer func() { <-s.checks }()
			next.ServeHTTP(w, r)
		case <-time.After(waitToWork):
			w.WriteHeader(http.StatusServiceUnavailable)
		case <-r.Context().Done():
		}
	})
}

// withSlot runs f for a request once it has a work slot, within bounds of time.
func (s *Server) withSlot(r *http.Request, f func(ctx context.Context) error) error {
	leave, err := s.places.acquire(r.Context(), addressOf(r.RemoteAddr))
	if err != nil {
		return err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(r.Context(), workTime)
	defer cancel()
	return f(ctx)
}
