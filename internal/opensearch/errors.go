package opensearch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	osgo "github.com/opensearch-project/opensearch-go/v4"

	"dossier/internal/fetch"
	"dossier/internal/text"
)

// Kind is why a request failed.
type Kind string

// The kinds of failure.
const (
	Cancelled      Kind = "cancelled"                         // the caller's context ended
	BadConfig      Kind = "the configuration can't be used"   // found without asking
	NotAllowed     Kind = "not allowed"                       // by this machine's policy
	Unreachable    Kind = "OpenSearch does not answer"        // no connection, a lost answer, no manager, 5xx
	BadCertificate Kind = "the certificate does not verify"   // of TLS
	NoTLS          Kind = "one end speaks TLS, one does not"  // http:// for https://, or the other way round
	Unauthorised   Kind = "the password was refused"          // 401
	Forbidden      Kind = "the user may not do this"          // 403 of the security plugin
	Unsupported    Kind = "a server of another kind"          // no OpenSearch, or one that is too old
	Red            Kind = "a shard can't be reached"          // no copy of it is there
	DiskFull       Kind = "the disk is full"                  // OpenSearch's own block at its flood stage
	WriteBlocked   Kind = "the index is closed to writing"    // a block that somebody set
	Overloaded     Kind = "OpenSearch has too much to do"     // 429, rejected items, circuit breakers
	NewerMapping   Kind = "made by a newer program"           // Client.CheckSchema
	Missing        Kind = "not there"                         // 404
	Exists         Kind = "there already"                     // an index of this name
	Conflict       Kind = "changed meanwhile"                 // 409: another sequence number
	TooComplex     Kind = "the query has too many parts"      // more clauses than the cluster takes
	BadRequest     Kind = "request refused"                   // every other 4xx, and requests that cannot be sent
	Failed         Kind = "OpenSearch failed"                 // 500: a fault of its own
	BadItem        Kind = "a document was refused"            // because of its content; ID names it
	BadAnswer      Kind = "an answer that is not understood"  // no JSON, or not what was asked for
	TooLarge       Kind = "the answer is larger than allowed" // than maxAnswer
)

// hints are remedies for people.
var hints = map[Kind]string{
	NotAllowed:     "the address must be among the hosts that the policy allows",
	Unreachable:    "check store.url and that the cluster's nodes run and have elected a manager",
	BadCertificate: "name the certificate of the authority that signed the cluster's in store.ca_file",
	NoTLS:          "check whether store.url begins with https:// or http://",
	Unauthorised:   "check the user and password, or the token, in the environment",
	Forbidden:      "give the user the rights that the documentation lists (deploy/opensearch)",
	Unsupported:    "use OpenSearch 2.11 or newer",
	Red:            "bring back the nodes that hold the shard, or restore the index from a snapshot",
	DiskFull:       "make room on the cluster's disks; OpenSearch takes its block off by itself then",
	WriteBlocked:   "a published generation is not written to; begin a new one",
	Overloaded:     "let fewer programs write and search at once, or give the cluster more nodes",
	NewerMapping:   "use the program that made it, or a newer one",
	Failed:         "look into the log of the node that was asked",
	TooComplex: "ask for less at once, or raise indices.query.bool.max_clause_count in opensearch.yml of every " +
		"node",
	Conflict: "somebody else has written it; begin again",
}

// Error is a request's failure after its last try. It shows no secret.
type Error struct {
	Kind   Kind
	Op     string // what was being done
	Index  string // empty if it is none's
	ID     string // of the document, if there is one
	Status int    // 0 if there was no answer
	Type   string // OpenSearch's name for it: untrusted text
	Tries  int
	Err    error // OpenSearch's or the system's explanation

	retryAfter time.Duration
	unsent     bool // the request did not go out
}

// Error is a request's failure after its last try. It shows no secret.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Op, e.Kind)

	if e.ID != "" {
		fmt.Fprintf(&b, ": %q", text.Cut(e.ID, maxShownID))
	}
	b.WriteString(fetch.Circumstances(e.Status, e.retryAfter, e.Tries, e.Err))

	if hint := hints[e.Kind]; hint != "" {
		b.WriteString("; " + hint)
	}
	return b.String()
}

// maxShownID and maxReason bound how much foreign text is shown, in bytes.
const (
	maxShownID = 200
	maxReason  = 400
)

func (e *Error) Unwrap() error { return e.Err }

// KindOf is the kind of an error of this package; empty for other errors.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

// fill sets e's kind and cause.
func (e *Error) fill(kind Kind, err error) *Error {
	e.Kind, e.Err = kind, err
	return e
}

// retryable reports whether the failure may be temporary. A call that must not be repeated is retryable only if it did
// not arrive, or was rejected unread.
func (e *Error) retryable(once bool) bool {
	switch e.Kind {
	case Overloaded:
		return true
	case Unreachable, Red:
		return !once || e.unsent
	}
	return false
}

// classifyTransport classifies the error of a request without an answer, or with an incomplete one.
func (e *Error) classifyTransport(ctx context.Context, clean fetch.Redactor, err error) *Error {
	cause := clean.Error(err)
	switch {
	case ctx.Err() != nil:
		return e.fill(Cancelled, ctx.Err())
	case errors.Is(err, fetch.ErrNotAllowed):
		return e.fill(NotAllowed, cause)
	case isA[*tls.CertificateVerificationError](err), isA[x509.UnknownAuthorityError](err),
		isA[x509.HostnameError](err), isA[x509.CertificateInvalidError](err):
		return e.fill(BadCertificate, cause)
	case isA[tls.RecordHeaderError](err), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"),
		strings.Contains(err.Error(), "malformed HTTP response"):
		return e.fill(NoTLS, cause)
	}
	e.unsent = strings.Contains(err.Error(), "dial ") // *net.OpError's, under whatever wraps it
	return e.fill(Unreachable, cause)
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// classifyStatus classifies every status except 2xx.
func (e *Error) classifyStatus(clean fetch.Redactor, answer *http.Response, now time.Time) *Error {
	body, _ := io.ReadAll(io.LimitReader(answer.Body, maxRefusal)) // a partial one is enough
	reason := parseReason(answer.StatusCode, body)
	e.Type = reason.kind
	e.retryAfter = fetch.RetryAfter(answer.Header.Get("Retry-After"), now)

	var cause error
	if reason.words != "" {
		cause = redactedError(clean, reason.words)
	}
	return e.fill(classify(answer.StatusCode, reason), cause)
}

// redactedError is a cluster's message with secrets removed.
func redactedError(clean fetch.Redactor, words string) error {
	return errors.New(text.Cut(clean.Text(words), maxReason))
}

// refusalReason is why OpenSearch refuses something.
type refusalReason struct{ kind, words string }

// parseReason reads a refusal, which may come from a proxy and be no JSON. It prefers the root cause, which is more
// specific.
func parseReason(status int, body []byte) refusalReason {
	err := osgo.ParseError(osgo.NewResponse(status, io.NopCloser(bytes.NewReader(body)), nil))

	inner, ok := errors.AsType[*osgo.StructError](err)
	if !ok {
		plain := strings.Join(strings.Fields(strings.ToValidUTF8(string(body), "")), " ")
		return refusalReason{"", plain}
	}

	out := refusalReason{inner.Err.Type, inner.Err.Reason}
	if len(inner.Err.RootCause) > 0 {
		out = refusalReason{inner.Err.RootCause[0].Type, inner.Err.RootCause[0].Reason}
	}

	for cause := inner.Err.CausedBy; cause != nil; cause = cause.CausedBy {
		if !strings.Contains(out.words, cause.Reason) {
			out.words += ": " + cause.Reason
		}

		if cause.Type == "too_many_nested_clauses" || cause.Type == "too_many_clauses" {
			out.kind = cause.Type
		}
	}
	return out
}

// classify maps a status and a reason to a Kind, for a whole request or one item of a bulk.
func classify(status int, reason refusalReason) Kind {
	blocked := reason.kind == "cluster_block_exception"
	switch {
	case blocked && strings.Contains(reason.words, "flood-stage"),
		blocked && strings.Contains(reason.words, "read-only-allow-delete"):
		return DiskFull
	case blocked && strings.Contains(reason.words, "FORBIDDEN/"):
		return WriteBlocked
	case blocked:
		return Unreachable // no manager, or the state is not recovered yet
	}

	if kind, known := byType[reason.kind]; known {
		return kind
	}

	if reason.kind == "security_exception" && status != http.StatusUnauthorized {
		return Forbidden // of one item, which has no status of its own
	}

	if strings.Contains(reason.words, "HTTP request to an HTTPS server") {
		return NoTLS
	}
	return cmp.Or(byStatus[status], BadRequest)
}

var byStatus = map[int]Kind{
	http.StatusUnauthorized: Unauthorised, http.StatusForbidden: Forbidden, http.StatusNotFound: Missing,
	http.StatusConflict: Conflict, http.StatusTooManyRequests: Overloaded, http.StatusRequestTimeout: Unreachable,
	http.StatusInternalServerError: Failed, http.StatusBadGateway: Unreachable,
	http.StatusServiceUnavailable: Unreachable, http.StatusGatewayTimeout: Unreachable,
}

var byType = map[string]Kind{
	"no_shard_available_action_exception":      Red,
	"unavailable_shards_exception":             Red,
	"circuit_breaking_exception":               Overloaded,
	"opensearch_rejected_execution_exception":  Overloaded,
	"rejected_execution_exception":             Overloaded,
	"too_many_clauses":                         TooComplex,
	"too_many_nested_clauses":                  TooComplex,
	"version_conflict_engine_exception":        Conflict,
	"resource_already_exists_exception":        Exists,
	"index_not_found_exception":                Missing,
	"cluster_manager_not_discovered_exception": Unreachable,
	"master_not_discovered_exception":          Unreachable,
	"process_cluster_event_timeout_exception":  Unreachable,
	"failed_to_commit_cluster_state_exception": Unreachable,
	"node_not_connected_exception":             Unreachable,
	"node_disconnected_exception":              Unreachable,
	"snapshot_in_progress_exception":           Overloaded,
	"node_closed_exception":                    Unreachable,
	"aliases_not_found_exception":              Missing,
	"task_cancelled_exception":                 Overloaded,
	"index_closed_exception":                   WriteBlocked,
	"too_many_buckets_exception":               TooComplex,
}
