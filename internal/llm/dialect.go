package llm

import (
	"strings"
	"sync/atomic"

	"github.com/sashabaranov/go-openai"
)

// dialect is which request fields an endpoint has refused. Servers and models differ slightly in the same API, and a
// refusal names the field.
type dialect struct {
	completionTokens atomic.Bool // max_completion_tokens replaces max_tokens
	noTemperature    atomic.Bool // the endpoint accepts only the default
}

// learn adjusts to a refusal; it returns false where the refusal states nothing new.
func (d *dialect) learn(sent *openai.ChatCompletionRequest, refusal *Error) bool {
	if refusal.Kind != BadRequest {
		return false
	}

	excerpt := strings.ToLower(refusal.Excerpt)
	switch {
	case sent.MaxCompletionTokens == 0 && strings.Contains(excerpt, "max_completion_tokens"):
		d.completionTokens.Store(true)
	case sent.Temperature != 0 && strings.Contains(excerpt, "temperature"):
		d.noTemperature.Store(true)
	default:
		return false
	}
	return true
}
