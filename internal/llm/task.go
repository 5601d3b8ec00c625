package llm

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"dossier/internal/text"
)

// The tasks' names, which are also the names of their schemas.
const (
	QueryLayer = "query_layer"
	Screening  = "screening"
	Hypotheses = "hypotheses"
	Assessment = "assessment"
	Report     = "report"
)

// Task is one kind of call.
type Task struct {
	Name      string // the schema's name
	Prompt    Prompt
	Schema    Schema
	MaxTokens int // the maximum size of a reply
	// MinTokens is the minimum size of a reply: where the model's context leaves less, the call is not made.
	MinTokens int
	// Retries is how often an unusable reply (empty, cut, no JSON, another schema) or a timeout is retried, each time at
	// full price; 0 leaves that to the caller. Free failures (429, 5xx, no connection) are always retried.
	Retries int
}

// Prompt is a system message with its version. The version changes with every change of the text or of the schema,
// since judgements are stored under it.
type Prompt struct {
	Version string // such as "screening-1"
	Text    string
}

// Schema is the JSON Schema of a reply.
type Schema struct {
	JSON json.RawMessage
	// List is the property that holds the reply's items, where there is just one: a reply that is the bare list is
	// accepted as it.
	List string
	// Partial reports whether the complete items of a cut reply are usable.
	Partial bool

	properties     []string // of the document
	itemProperties []string // of an item of List
}

//go:embed prompts/*.md schemas/*.json
var files embed.FS

// NewTask returns one of the five tasks, with room for maxTokens in the reply. It panics for another name: tasks are
// named in code.
func NewTask(name string, maxTokens int) Task {
	prompt, err := readPrompt(name)
	if err != nil {
		panic(err)
	}

	schema, err := readSchema(name)
	if err != nil {
		panic(err)
	}
	return Task{Name: name, Prompt: prompt, Schema: schema, MaxTokens: maxTokens}
}

// readPrompt reads the version from the file's first line and the text from the rest.
func readPrompt(name string) (Prompt, error) {
	text, err := files.ReadFile("prompts/" + name + ".md")
	if err != nil {
		return Prompt{}, fmt.Errorf("reading the prompt of the task %q: %w", name, err)
	}
	head, body, _ := strings.Cut(string(text), "\n")

	version, ok := strings.CutPrefix(head, "version: ")
	if !ok {
		return Prompt{}, fmt.Errorf("the prompt of the task %q does not begin with its version", name)
	}
	return Prompt{Version: name + "-" + strings.TrimSpace(version), Text: strings.TrimSpace(body)}, nil
}

func readSchema(name string) (Schema, error) {
	text, err := files.ReadFile("schemas/" + name + ".json")
	if err != nil {
		return Schema{}, fmt.Errorf("reading the schema of the task %q: %w", name, err)
	}

	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return Schema{}, fmt.Errorf("the schema of the task %q: %w", name, err)
	}

	var parsed struct {
		Required   []string `json:"required"`
		Properties map[string]struct {
			Items struct {
				Required []string `json:"required"`
			} `json:"items"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(compact.Bytes(), &parsed); err != nil {
		return Schema{}, fmt.Errorf("the schema of the task %q: %w", name, err)
	}

	s := Schema{JSON: compact.Bytes(), properties: parsed.Required}
	if len(s.properties) == 1 {
		s.List = s.properties[0]
		s.itemProperties = parsed.Properties[s.List].Items.Required
	}
	// Half a query is another query; each of half the assessments or hypotheses is still complete.
	s.Partial = name == Screening || name == Hypotheses
	return s, nil
}

// about restricts a screening schema to its articles: it allows only their ids, and requires one item for each.
func (s Schema) about(ids []string) (Schema, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return s, fmt.Errorf("writing the schema's ids: %w", err)
	}
	counted := bytes.ReplaceAll(s.JSON, []byte(`"{count}"`), strconv.AppendInt(nil, int64(len(ids)), 10))
	s.JSON = bytes.ReplaceAll(counted, []byte(`["{ids}"]`), list)
	return s, nil
}

// bounds matches the keywords that limit a value, in a schema without spaces, after the value's type.
var bounds = text.LazyRegexp(`,"(?:minItems|maxItems|minimum|maximum|maxLength)":[0-9]+`)

// encode writes the user message: one JSON text that keeps <, > and & unescaped.
func encode(document any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)

	if err := e.Encode(document); err != nil {
		return "", fmt.Errorf("writing the document for the model: %w", err)
	}
	return strings.TrimSpace(b.String()), nil
}
