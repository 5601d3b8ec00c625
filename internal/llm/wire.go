package llm

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sashabaranov/go-openai"

	"dossier/internal/text"
)

// Servers wrap the same reply in many ways: as events of a stream, in a list, in a proxy's own object, as JSON within a
// JSON string; the text in a tool's arguments or among the thoughts; counts as strings or with a fraction. plainAnswer
// converts them to the form that go-openai reads.

// plainAnswer converts an answer's body to a plain chat completion. A body without one, above all an error's, stays
// unchanged; of a stream without one, the last event that is JSON is returned.
func plainAnswer(body []byte) []byte {
	bare := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))

	answer := completionIn(bare, 0)
	if answer == nil && isStream(bare) {
		answer, bare = streamed(bare)
	}

	if answer == nil {
		return bare
	}
	var plain struct {
		Choices [1]struct {
			FinishReason string `json:"finish_reason"`
			Message      struct {
				Role    string `json:"role"`
				Content string `json:"content"`
				Refusal string `json:"refusal,omitempty"`
			} `json:"message"`
		} `json:"choices"`
		Usage struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
		} `json:"usage"`
	}
	choice := &plain.Choices[0]
	first := answer.Choices[0]
	choice.FinishReason = first.finish()
	choice.Message.Role = openai.ChatMessageRoleAssistant
	choice.Message.Content = first.content()
	choice.Message.Refusal = partsText(first.message()["refusal"])
	plain.Usage.Prompt = count(answer.Usage["prompt_tokens"])
	plain.Usage.Completion = count(answer.Usage["completion_tokens"])

	out, err := json.Marshal(plain)
	if err != nil {
		return bare
	}
	return out
}

// wireAnswer is a completion as received.
type wireAnswer struct {
	Choices []wireChoice   `json:"choices"`
	Usage   map[string]any `json:"usage"`
}

type wireChoice struct {
	FinishReason any            `json:"finish_reason"`
	Message      map[string]any `json:"message"`
	Delta        map[string]any `json:"delta"`
}

// maxWraps is how many nested wrappings of an answer are removed.
const maxWraps = 4

// completionIn finds a completion in JSON: the value itself, or the content of one of its members, its first element or
// its text. Nil where there is none.
func completionIn(value []byte, depth int) *wireAnswer {
	if len(value) == 0 || depth > maxWraps {
		return nil
	}

	switch value[0] {
	case '{':
		var answer wireAnswer
		if json.Unmarshal(value, &answer) == nil && len(answer.Choices) > 0 {
			return &answer
		}

		var members map[string]json.RawMessage
		if json.Unmarshal(value, &members) != nil {
			return nil
		}

		for _, name := range slices.Sorted(maps.Keys(members)) {
			if inner := completionIn(members[name], depth+1); inner != nil {
				return inner
			}
		}
	case '[':
		var elements []json.RawMessage
		if json.Unmarshal(value, &elements) == nil && len(elements) > 0 {
			return completionIn(elements[0], depth+1)
		}
	case '"':
		var inside string
		if json.Unmarshal(value, &inside) == nil {
			return completionIn([]byte(strings.TrimSpace(inside)), depth+1)
		}
	}
	return nil
}

// isStream reports whether an answer is a stream of server-sent events.
func isStream(body []byte) bool {
	return slices.ContainsFunc([]string{"data:", "event:", "id:", "retry:", ":"}, func(field string) bool {
		return bytes.HasPrefix(body, []byte(field))
	})
}

// streamed joins the events of a stream. answer is nil where they hold no choices; last is then the last event.
func streamed(body []byte) (answer *wireAnswer, last []byte) {
	last = body
	var whole wireAnswer

	message := map[string]any{}
	for line := range bytes.Lines(body) {
		data, ok := bytes.CutPrefix(line, []byte("data:"))
		if data = bytes.TrimSpace(data); !ok || !json.Valid(data) {
			continue
		}
		last = data

		var event wireAnswer
		if json.Unmarshal(data, &event) != nil {
			continue
		}

		if len(event.Usage) > 0 {
			whole.Usage = event.Usage
		}

		for _, choice := range event.Choices[:min(len(event.Choices), 1)] {
			whole.Choices = []wireChoice{{FinishReason: choice.FinishReason, Message: message}}
			appendDelta(message, choice.message())
		}
	}

	if len(whole.Choices) == 0 {
		return nil, last
	}
	return &whole, last
}

// appendDelta appends a piece of a message to the earlier ones. The arguments of tools also arrive in pieces.
func appendDelta(whole, piece map[string]any) {
	for name, value := range piece {
		text := partsText(value)
		if name == "tool_calls" || name == "function_call" {
			name, text = "tool_calls", argumentsIn(value)
		}
		before, _ := whole[name].(string)
		whole[name] = before + text
	}
}

func (c wireChoice) message() map[string]any {
	if c.Message != nil {
		return c.Message
	}
	return c.Delta
}

func (c wireChoice) finish() string {
	reason, _ := c.FinishReason.(string)
	switch reason = strings.ToLower(reason); {
	case strings.Contains(reason, "max_tokens"):
		return string(openai.FinishReasonLength)
	case reason == "safety" || reason == "blocklist" || reason == "prohibited_content":
		return string(openai.FinishReasonContentFilter)
	}
	return reason
}

// content is a reply's text: its content, else a tool's arguments, else its thoughts, marked as such. Truncated
// thoughts do not count: they end with a draft.
func (c wireChoice) content() string {
	message := c.message()

	text := partsText(message["content"])
	if strings.ContainsAny(text, "{[") {
		return text
	}

	for _, name := range []string{"tool_calls", "function_call"} {
		if arguments := argumentsIn(message[name]); strings.TrimSpace(arguments) != "" {
			return arguments
		}
	}

	if strings.TrimSpace(text) != "" || c.finish() == string(openai.FinishReasonLength) {
		return text
	}

	for _, name := range []string{"reasoning_content", "reasoning", "thinking", "reasoning_details"} {
		if thoughts := partsText(message[name]); strings.TrimSpace(thoughts) != "" {
			return "<think>" + thoughts
		}
	}
	return text
}

// partsText is a text in one piece or in parts, or a document that is not a string.
func partsText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []any:
		var out strings.Builder
		for _, part := range v {
			out.WriteString(partsText(part))
		}
		return out.String()
	case map[string]any:
		if v["type"] == "thinking" || v["type"] == "reasoning" {
			return ""
		}

		for _, name := range []string{"text", "content", "value"} {
			if inner, ok := v[name]; ok {
				return partsText(inner)
			}
		}

		document, err := json.Marshal(v)
		if err == nil && len(v) > 0 {
			return string(document)
		}
	}
	return ""
}

// argumentsIn returns the arguments of the tools or the function that a model calls, each on a line.
func argumentsIn(value any) string {
	switch v := value.(type) {
	case string: // joined from a stream
		return v
	case []any:
		return strings.Join(text.Each(v, argumentsIn), "\n")
	case map[string]any:
		if function, ok := v["function"]; ok {
			return argumentsIn(function)
		}
		return partsText(v["arguments"])
	}
	return ""
}

// count parses a count that may be a string or have a fraction; 0 for anything else.
func count(value any) int {
	switch v := value.(type) {
	case float64:
		return int(max(-1, min(v, maxWindow)))
	case string:
		if n, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
			return count(n)
		}
	}
	return 0
}
