package llm

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/sashabaranov/go-openai"
)

// Mode is how an endpoint is asked for JSON.
type Mode int

// The modes, best first. Whatever the mode, the reply is checked here.
const (
	ModeSchema    Mode = iota // response_format json_schema
	ModeUnbounded             // the same without bounds on numbers, lists and strings, which some endpoints refuse
	ModeObject                // response_format json_object, the schema in the system message
	ModePlain                 // no response_format, the schema in the system message
)

func (m Mode) String() string {
	switch m {
	case ModeSchema:
		return "json_schema"
	case ModeUnbounded:
		return "json_schema_unbounded"
	case ModeObject:
		return "json_object"
	}
	return "plain"
}

// format is the request's response_format; nil for none.
func (m Mode) format(t Task) *openai.ChatCompletionResponseFormat {
	switch m {
	case ModeSchema, ModeUnbounded:
		schema := t.Schema.JSON
		if m == ModeUnbounded {
			schema = bounds().ReplaceAll(t.Schema.JSON, nil) // bounds, which not every endpoint accepts
		}
		return &openai.ChatCompletionResponseFormat{
			Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: t.Name, Schema: schema, Strict: true},
		}
	case ModeObject:
		return &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	return nil
}

// system is the system message: the prompt, and the schema unless the response format carries it.
func (m Mode) system(t Task) string {
	if m <= ModeUnbounded {
		return t.Prompt.Text
	}
	return t.Prompt.Text + "\n\nThe reply is one JSON document that fits this JSON Schema:\n" + string(t.Schema.JSON)
}

// modeNegotiator holds the best mode that the endpoint accepts. Calls use the best mode not known to be refused. After
// a refusal one caller at a time steps down, and the others adopt the result.
type modeNegotiator struct {
	step   chan struct{} // held while stepping down
	mu     sync.Mutex
	mode   Mode
	proven bool // a call in this mode succeeded: a later refusal has another cause
}

func (l *modeNegotiator) current() (mode Mode, proven bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mode, l.proven
}

// succeeded records the mode of an answered call. Only the holder of step lowers the mode further.
func (l *modeNegotiator) succeeded(mode Mode) {
	l.mu.Lock()
	defer l.mu.Unlock()

	if mode >= l.mode {
		l.mode, l.proven = mode, true
	}
}

// try calls send in the current mode and, while a refusal may be about the mode, in lower ones. If all are refused, the
// mode is not the cause: try returns the first failure and records nothing.
func (l *modeNegotiator) try(ctx context.Context, send func(Mode) (completion, *Error)) (completion, *Error) {
	mode, proven := l.current()

	answer, first := send(mode)
	if first == nil {
		l.succeeded(mode)
		return answer, nil
	}

	if !first.mayBlameMode(proven) || mode == ModePlain {
		return answer, first
	}

	select {
	case l.step <- struct{}{}:
		defer func() { <-l.step }()
	case <-ctx.Done():
		return answer, first
	}

	lower := mode + 1
	if now, _ := l.current(); now > mode {
		lower = now // another caller has lowered it meanwhile
	}

	for ; lower <= ModePlain; lower++ {
		answer, failure := send(lower)
		if failure == nil {
			l.succeeded(lower)
			return answer, nil
		}

		if !failure.mayBlameMode(false) {
			return answer, failure
		}
	}
	return answer, first
}

// mayBlameMode reports whether a refusal may be about the response format: it states so, or no call has succeeded in
// this mode yet.
func (e *Error) mayBlameMode(proven bool) bool {
	if e.Kind != BadRequest && !(e.Kind == Unreachable && e.Status != 0) {
		return false
	}
	excerpt := strings.ToLower(e.Excerpt)
	names := func(word string) bool { return strings.Contains(excerpt, word) }
	return e.Kind == BadRequest && !proven || slices.ContainsFunc([]string{"response_format", "response format",
		"json_schema", "json_object", "schema", "grammar", "structured output"}, names)
}
