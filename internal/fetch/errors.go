package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"dossier/internal/text"
)

// Kind is why a request failed.
type Kind string

// The kinds of failure.
const (
	Cancelled   Kind = "cancelled"        // the caller's context ended
	Unreachable Kind = "unreachable"      // no connection, cut before an answer, time-out, 5xx
	RateLimited Kind = "rate limited"     // 429
	OverBudget  Kind = "out of budget"    // a Retry-After that is longer than the client waits
	Refused     Kind = "refused"          // 401, 403, a redirect that a secret may not follow
	BadRequest  Kind = "request refused"  // every other 4xx, and requests that cannot be sent
	BadAnswer   Kind = "answer not fit"   // HTML for JSON or XML, a cut body, an empty 200, a failed Check
	TooLarge    Kind = "answer too large" // more than Request.MaxBytes
)

// Error is a request's failure after its last try. It shows no secret.
type Error struct {
	Kind       Kind
	Service    string
	Place      string // method and address, without the query
	Status     int    // 0 where there was no answer
	RetryAfter time.Duration
	Tries      int
	Body       string      // the start of the answer, as far as there was one: untrusted text
	Header     http.Header // of the answer, nil where there was none: untrusted text
	Err        error
	again      bool // whether another try may help
}

// shownBody is how much of an answer's body an error's text shows, in bytes; Error.Body keeps more.
const (
	shownBody = 200
	keptBody  = 4096
)

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s%s", e.Place, e.Kind, Circumstances(e.Status, e.RetryAfter, e.Tries, e.Err))

	if e.Body != "" {
		fmt.Fprintf(&b, ": it said %q", text.Cut(strings.TrimSpace(e.Body), shownBody))
	}
	return b.String()
}

// Circumstances is how a failure's words go on behind its kind: the status, the service's wish, the tries and the
// cause, as far as there are any.
func Circumstances(status int, retryAfter time.Duration, tries int, cause error) string {
	var b strings.Builder
	if status != 0 && status != http.StatusOK {
		fmt.Fprintf(&b, " (status %d)", status)
	}

	if retryAfter > 0 {
		fmt.Fprintf(&b, ", to be asked again after %s", retryAfter)
	}

	if tries > 1 {
		fmt.Fprintf(&b, " after %d tries", tries)
	}

	if cause != nil {
		fmt.Fprintf(&b, ": %v", cause)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }
