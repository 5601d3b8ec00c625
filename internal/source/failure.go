package source

import (
	"context"
	"errors"
	"net/http"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
)

// FromFetch makes an error of the HTTP client the source's own, with a hint that holds for every source; one that knows
// better replaces it. Where the caller's context ended, errors.Is still finds the context's error.
func FromFetch(name evidence.SourceName, op string, err error) *Error {
	out := &Error{Source: name, Op: op, Kind: Unreachable, Err: err}
	if failed, ok := errors.AsType[*fetch.Error](err); ok {
		out.Kind, out.RetryAfter = kindOf(failed), failed.RetryAfter
	}

	if !errors.Is(err, context.Canceled) {
		out.Hint = generalHint(out.Kind, out.RetryAfter)
	}
	return out
}

func kindOf(e *fetch.Error) Kind {
	switch e.Kind {
	case fetch.RateLimited:
		return RateLimited
	case fetch.OverBudget:
		return OverBudget
	case fetch.Refused:
		return Refused
	case fetch.BadAnswer, fetch.TooLarge:
		return BadAnswer
	case fetch.BadRequest:
		switch e.Status {
		case 0, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone: // no service there understands queries
			return Unreachable
		}
		return BadQuery
	}
	return Unreachable
}

func generalHint(kind Kind, wait time.Duration) string {
	switch kind {
	case Unreachable:
		return "check the network, the proxy (HTTPS_PROXY) and the source's base_url in the configuration"
	case RateLimited:
		return "another program on this network may be asking the same service; run again later"
	case OverBudget:
		if wait > 0 {
			return "the service wants to be asked again in " + wait.Round(time.Second).String() + "; the next night's run does"
		}
		return "the service's budget is spent; the next night's run asks again"
	case Refused:
		return "check the source's key in the environment, and whether this address may use the service"
	case BadQuery:
		return "see the query that was sent; a query written by hand may hold what this source does not know"
	case BadAnswer:
		return "the service may be in maintenance, or a proxy may stand in between; run again later"
	}
	return ""
}
