package llm

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
)

// Kind is the kind of a failed call.
type Kind string

// The kinds of failure: of the way to the endpoint, of the endpoint, of the reply, and our own.
const (
	Cancelled   Kind = "cancelled"              // the caller's context ended
	Unreachable Kind = "unreachable"            // no connection, a cut answer, 5xx
	TimedOut    Kind = "no answer in time"      // nothing within llm.timeout
	RateLimited Kind = "rate limited"           // 429 to the last try, or a Retry-After longer than the maximum wait
	KeyRefused  Kind = "key refused"            // 401, 403
	NoCredit    Kind = "out of credit"          // 402
	NotFound    Kind = "not found"              // 404: no such model, or no such address
	Forbidden   Kind = "not allowed"            // by this machine's policy
	TooLong     Kind = "too long for the model" // prompt and reply together are more than its context
	BadRequest  Kind = "request refused"        // every other 4xx
	WebPage     Kind = "a web page"             // HTML where JSON belongs
	BadAnswer   Kind = "answer not fit"         // a 200 that is not a chat completion
	TooLarge    Kind = "answer too large"       // more than the limit
	NoChoices   Kind = "no choices"             // a 200 without any reply
	Refusal     Kind = "the model declined"     // a refusal, or the endpoint's content filter
	Empty       Kind = "empty reply"            // a reply without text
	NoJSON      Kind = "no JSON in the reply"   // words alone
	Cut         Kind = "reply cut"              // the reply ends before any usable part was complete
	WrongSchema Kind = "reply of a wrong kind"
	OtherScale  Kind = "scores of another scale"
	NothingGood Kind = "no judgement of use in the reply"
	Unfit       Kind = "no fit judge" // it failed its examination
	Unjudged    Kind = "left without a judgement"
	Useless     Kind = "not asked any more" // one unusable reply after another
	OverBudget  Kind = "budget spent"       // of the run or of the day; errors.Is(err, ErrBudget)
	Paused      Kind = "not asked"          // the endpoint failed repeatedly and is left alone for a while
)

// ErrBudget is in every error of a call that was not made because of llm.max_tokens_per_run or llm.max_tokens_per_day.
var ErrBudget = errors.New("the budget is spent")

// Error is a call's failure after its last try. It never contains a key.
type Error struct {
	Kind       Kind
	Task       string
	Model      string
	Endpoint   string // scheme, host and path
	Status     int    // 0 without an answer
	RetryAfter time.Duration
	Tries      int
	Because    Kind           // for Useless: the kind of the last reply
	Used       evidence.Usage // cost of the last try
	Excerpt    string         // the beginning of the endpoint's or the model's text: untrusted
	Err        error
	adjusted   bool // the request was adjusted to the refusal; each adjustment is made once
	retryable  bool // it was free, and another try may help
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s by %s at %s: %s%s", e.Task, e.Model, e.Endpoint, e.Kind,
		fetch.Circumstances(e.Status, e.RetryAfter, e.Tries, e.Err))

	if e.Excerpt != "" {
		fmt.Fprintf(&b, ": it said %q", e.Excerpt)
	}

	if remedy := e.Remedy(); remedy != "" {
		b.WriteString("; " + remedy)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// Short describes the failure in a few words, for readers of an answer who do not run the model.
func (e *Error) Short() string {
	if e.Kind == Paused {
		if cause, ok := errors.AsType[*Error](e.Err); ok {
			return cause.Short()
		}
	}

	switch kind := cmp.Or(e.Because, e.Kind); {
	case e.Status >= 400:
		return fmt.Sprintf("the model answered %d", e.Status)
	case kind == Unreachable:
		return "the model could not be reached"
	case kind == TimedOut:
		return "the model gave no answer in time"
	case kind == Unfit:
		return "the model failed its examination: " + e.Err.Error()
	case kind == Unjudged:
		return "the model gave no judgement of use on them"
	case kind == OverBudget:
		return "the model's budget is spent"
	case kind == Cancelled:
		return "the asking was cancelled"
	default:
		return "the model gave nothing of use (" + string(kind) + ")"
	}
}

// Remedy states what a person can do about it; empty where there is nothing, or nothing yet.
func (e *Error) Remedy() string {
	switch cmp.Or(e.Because, e.Kind) {
	case KeyRefused:
		return "set DOSSIER_LLM_API_KEY (or OPENROUTER_API_KEY) to a key that this endpoint knows"
	case NoCredit:
		return "top up the account at the endpoint, or configure another endpoint"
	case NotFound:
		return "check llm.model, and that llm.base_url is the address that ends in /v1"
	case Unreachable:
		return "check that the model server runs and that llm.base_url is right"
	case WebPage, BadAnswer:
		return "check that llm.base_url is the address of an OpenAI-compatible API, which mostly ends in /v1, and that no proxy stands between"
	case TimedOut:
		return "raise llm.timeout, or lower llm.batch_size or llm.concurrency for a slow model"
	case RateLimited:
		return "lower llm.concurrency, or wait until the endpoint takes calls again"
	case TooLong:
		return "give the model more context (Ollama: OLLAMA_CONTEXT_LENGTH=16384, or num_ctx in a Modelfile; llama.cpp: -c; vLLM: " +
			"--max-model-len), and say in llm.context_tokens what it has"
	case BadRequest:
		return "the endpoint does not take the request as it is; compare what it said with the settings under llm"
	case OverBudget:
		return "raise it to have more done by the model; what is left is done by rules"
	case OtherScale:
		return "configure another model in llm.model: this one does not keep to the scale from 0 to 10, even when told again"
	case Refusal:
		return "if this comes often, have the endpoint's filter let medical texts through, or configure another model"
	case Cut:
		return "if this comes often, set llm.reasoning_effort to low, or lower llm.batch_size"
	case Unfit:
		return "configure another model in llm.model (or llm.judge.model); `indexer doctor` examines it"
	case NoJSON, Empty, WrongSchema, NothingGood, Unjudged:
		return "if this comes often, configure a model that follows JSON schemas"
	}
	return ""
}

// kindOf is the kind of a failed call; empty for an error of another sort.
func kindOf(err error) Kind {
	if failure, ok := errors.AsType[*Error](err); ok {
		return failure.Kind
	}
	return ""
}

// isUnusable reports whether the endpoint answered with an unusable reply, or not in time: the call was paid for, and
// the same request may succeed.
func (k Kind) isUnusable() bool {
	switch k {
	case TimedOut, Refusal, Empty, NoJSON, Cut, WrongSchema, TooLarge, OtherScale, NothingGood, Unjudged:
		return true
	}
	return false
}

// isTooMuch reports whether fewer records in a call may succeed.
func (k Kind) isTooMuch() bool {
	switch k {
	case TimedOut, Empty, NoJSON, Cut, WrongSchema, TooLarge, NothingGood:
		return true
	}
	return false
}

// isOutage reports whether the endpoint is at fault, rather than the model's reply.
func (k Kind) isOutage() bool { return k == TimedOut || !k.isUnusable() }

// isPermanent reports whether calls keep failing until a person acts.
func (k Kind) isPermanent() bool {
	return k == KeyRefused || k == NoCredit || k == NotFound || k == Forbidden
}
