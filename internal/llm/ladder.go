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
			schema = bounds().ReplaceAll(t.Schema.JSON, nil) // which not every endpoint takes
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

// system is the system message: the prompt, and the schema where the endpoint gets it in no other way.
func (m Mode) system(t Task) string {
	if m <= ModeUnbounded {
		return t.Prompt.Text
	}
	return t.Prompt.Text + "\n\nThe reply is one JSON document that fits this JSON Schema:\n" + string(t.Schema.JSON)
}

// ladder remembers what the endpoint takes. Calls go out in the best mode that is not known to be refused; where one is
// refused, one caller at a time steps down, and the others take over what it found.
type ladder struct {
	step   chan struct{} // held by who steps down
	mu     sync.Mutex
	mode   Mode
	proven bool // a call in this mode was answered: a later refusal is about something else
}

func (l *ladder) current() (mode Mode, proven bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mode, l.proven
}

// worked keeps the mode of a call that was answered. Only the holder of step takes the mode further down.
func (l *ladder) worked(mode Mode) {
	l.mu.Lock()
	defer l.mu.Unlock()

	if mode >= l.mode {
		l.mode, l.proven = mode, true
	}
}

// try calls send in the current mode and, while it is refused in a way that may be about the mode, in those below.
// Where all are refused, the mode is not to blame: the first failure is given, and nothing is remembered.
func (l *ladder) try(ctx context.Context, send func(Mode) (completion, *Error)) (completion, *Error) {
	mode, proven := l.current()

	answer, first := send(mode)
	if first == nil {
		l.worked(mode)
		return answer, nil
	}

	if !first.blames(proven) || mode == ModePlain {
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
		lower = now // someone else has found out meanwhile
	}

	for ; lower <= ModePlain; lower++ {
		answer, failure := send(lower)
		if failure == nil {
			l.worked(lower)
			return answer, nil
		}

		if !failure.blames(false) {
			return answer, failure
		}
	}
	return answer, first
}

// blames reports whether a refusal may be about the response format: it says so, or nothing has worked in this mode
// yet.
func (e *Error) blames(proven bool) bool {
	if e.Kind != BadRequest && !(e.Kind == Unreachable && e.Status != 0) {
		return false
	}
	said := strings.ToLower(e.Said)
	names := func(word string) bool { return strings.Contains(said, word) }
	return e.Kind == BadRequest && !proven || slices.ContainsFunc([]string{"response_format", "response format",
		"json_schema", "json_object", "schema", "grammar", "structured output"}, names)
}
