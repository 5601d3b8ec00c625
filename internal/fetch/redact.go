package fetch

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"dossier/internal/text"
)

// Redacted is what stands in a secret's place.
const Redacted = "[redacted]"

// Redactor replaces secrets, however they are written.
type Redactor struct{ secrets []string }

// NewRedactor hides the secrets named; empty ones are none.
func NewRedactor(secrets ...string) Redactor { return Redactor{secrets: spellings(secrets)} }

// newRedactor collects what must not be shown: the secrets that the caller names, and the values of headers and
// parameters that carry keys by their name.
func newRedactor(r *Request) Redactor {
	raw := slices.Clone(r.Secrets)
	for _, params := range []url.Values{r.Query, r.Form, addressParams(r.URL)} {
		for name, values := range params {
			if namesSecret(name) {
				raw = append(raw, values...)
			}
		}
	}

	for name, values := range r.Header {
		if namesSecret(name) {
			for _, v := range values {
				raw = append(raw, v, strings.TrimPrefix(v, "Bearer "))
			}
		}
	}
	return NewRedactor(raw...)
}

func addressParams(address string) url.Values {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}

	params := u.Query()
	if password, ok := u.User.Password(); ok {
		params.Add("password", password)
	}
	return params
}

func namesSecret(name string) bool {
	switch strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name)) {
	case "apikey", "xapikey", "key", "token", "accesstoken", "authorization", "proxyauthorization", "password", "secret",
		"cookie":
		return true
	}
	return false
}

// spellings lists each secret as it may turn up: bare, trimmed, escaped for a query, a path or JSON. The longest come
// first, so that no rest of one is left behind.
func spellings(raw []string) []string {
	var out []string
	for _, s := range raw {
		trimmed := strings.TrimSpace(s)
		if trimmed == "" {
			continue
		}

		quoted, err := json.Marshal(trimmed)
		if err == nil {
			out = append(out, strings.Trim(string(quoted), `"`))
		}
		out = append(out, s, trimmed, url.QueryEscape(s), url.QueryEscape(trimmed), url.PathEscape(trimmed))
	}
	slices.SortFunc(out, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(out)
}

// Text is s without the secrets.
func (r Redactor) Text(s string) string {
	for _, secret := range r.secrets {
		s = strings.ReplaceAll(s, secret, Redacted)
	}
	return s
}

// excerpt is the start of an answer's body, at most keptBody bytes. More is looked at than is kept, and the end of that
// is dropped, so that no half of a secret is left where the body was cut.
func (r Redactor) excerpt(body []byte) string {
	const looked = 8 * keptBody

	s := r.Text(string(body[:min(len(body), looked)]))
	if len(body) > looked && len(r.secrets) > 0 {
		s = s[:max(len(s)-len(r.secrets[0]), 0)]
	}
	return text.Cut(s, keptBody)
}

func (r Redactor) header(h http.Header) http.Header {
	out := h.Clone()
	for _, values := range out {
		for i := range values {
			values[i] = r.Text(values[i])
		}
	}
	return out
}

// Error gives err back as it is where it shows no secret, else with the same meaning for errors.Is and other words.
func (r Redactor) Error(err error) error {
	if inURL, ok := errors.AsType[*url.Error](err); ok {
		err = inURL.Err // url.Error writes out the whole address, and the Error that carries this one names the place already
	}

	if clean := r.Text(err.Error()); clean != err.Error() {
		return &cleanError{text: clean, is: func(target error) bool { return errors.Is(err, target) }}
	}
	return err
}

// cleanError cannot be unwrapped: what is under it shows the secret.
type cleanError struct {
	text string
	is   func(error) bool
}

func (e *cleanError) Error() string        { return e.text }
func (e *cleanError) Is(target error) bool { return e.is(target) }
