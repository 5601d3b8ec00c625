package llm

import (
	"strings"
	"sync/atomic"

	"github.com/sashabaranov/go-openai"
)

// dialect is what an endpoint has said of a request's fields: the same API is spoken with small differences, which
// depend on server and model, and which a refusal names.
type dialect struct {
	completionTokens atomic.Bool // max_completion_tokens in the place of max_tokens
	noTemperature    atomic.Bool // only the model's own
}

// learn takes from a refusal what to leave out of the request; false where it says nothing new.
func (d *dialect) learn(sent *openai.ChatCompletionRequest, refusal *Error) bool {
	if refusal.Kind != BadRequest {
		return false
	}

	said := strings.ToLower(refusal.Said)
	switch {
	case sent.MaxCompletionTokens == 0 && strings.Contains(said, "max_completion_tokens"):
		d.completionTokens.Store(true)
	case sent.Temperature != 0 && strings.Contains(said, "temperature"):
		d.noTemperature.Store(true)
	default:
		return false
	}
	return true
}
