package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"dossier/internal/reader"
	"dossier/internal/text"
)

// tool is a tool that agents can call.
type tool struct {
	name, command      string // command is the equivalent of `query`; empty if there is none
	title, description string
	parameters         []parameter
	call               func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error)
}

func (t *tool) takes(name string) bool {
	return slices.ContainsFunc(t.parameters, func(p parameter) bool { return p.name == name })
}

// paging is an argument of every tool whose answer may have several pages.
type paging struct {
	Cursor string `json:"cursor,omitempty" about:"for the next page: as the page before gave it"`
}

func (s *Server) addTools() {
	add(s, tool{name: "search_evidence", title: "Answer a clinical question",
		description: "Evidence on exactly the question, or on a stored topic by its id: graded, by kind, with trials and " +
			"what is retracted. A miss names near topics: they are other questions."}, s.search)
	add(s, tool{name: "search_records", command: "search", title: "Search the full text",
		description: "Records by plain words (ranked), or by a PubMed-style boolean query (AND, OR, NOT, quotes, tags such " +
			"as [tiab] [mh] [au] [pt] [dp]), with filters. Hits are not graded and answer no question."}, s.records)
	add(s, tool{name: "get_record", command: "show", title: "Read one record",
		description: "Abstract, identifiers, family (errata, retractions, preprint, trials), retraction and provenance of " +
			"a publication or trial."}, s.record)
	add(s, tool{name: "list_topics", command: "topics", title: "List the stored topics",
		description: "The questions that are answered every night, with id, age and counts."}, s.topics)
	add(s, tool{name: "report", command: "report", title: "Read a topic's report",
		description: "What a board reads before it meets. Without a section: in brief, and which sections there are."},
		s.report)
	add(s, tool{name: "trials", title: "List registered trials",
		description: "Trials on a topic by its filter, or by status and country, with whether the patient may enter."},
		s.trials)
	add(s, tool{name: "what_changed", command: "diff", title: "Tell what changed",
		description: "New, retracted, corrected, reclassified and dropped records, and trials that opened, closed or " +
			"posted results, since an earlier answer."}, s.changes)
	add(s, tool{name: "explain_question", command: "explain", title: "Show how a question is read",
		description: "What is read from each part, what is dropped, and each source's query. Nobody is asked."}, s.explain)
	s.sdk.AddReceivingMiddleware(s.namingTools)
}

// add registers a tool. All tools are read-only.
func add[In any](s *Server, t tool, call func(context.Context, *reader.Reader, In, int) (*page, error)) {
	t.parameters = parametersOf(reflect.TypeFor[In]())
	t.call = func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		result, err := answered(ctx, s, &t, req.Params.Arguments, call)
		if err != nil {
			return failed(t.name + ": " + s.forAgents(text.Lines(err.Error(), "\n"), &t)), nil
		}
		return result, nil
	}
	s.tools = append(s.tools, &t)
	s.sdk.AddTool(&sdk.Tool{Name: t.name, Description: t.description, InputSchema: schema(t.parameters),
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &s.live},
	}, t.call)
}

// answered is the requested page of a call.
func answered[In any](
	ctx context.Context, s *Server, t *tool, arguments json.RawMessage,
	call func(context.Context, *reader.Reader, In, int) (*page, error),
) (result *sdk.CallToolResult, err error) {
	var in In

	given, err := readArguments(arguments, &in)
	if err != nil {
		return nil, err
	}
	cursor, _ := given["cursor"].(string)

	offset, generation, err := offsetOf(cursor, t.name, given)
	if err != nil {
		return nil, err
	}
	err = s.at(ctx, func(ctx context.Context, r *reader.Reader) error {
		made, err := call(ctx, r, in, offset)
		if err == nil {
			result, err = made.result(t.name, given, offset, generation)
		}
		return err
	})
	return result, err
}

func failed(reason string) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true,
		Content: []sdk.Content{&sdk.TextContent{Text: text.Within(noMarks.Replace(reason), maxHead)}}}
}

// namingTools answers a call of an unknown tool with the names of the known ones.
func (s *Server) namingTools(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		call, ok := req.(*sdk.CallToolRequest)
		if !ok || slices.ContainsFunc(s.tools, func(t *tool) bool { return t.name == call.Params.Name }) {
			return next(ctx, method, req)
		}
		names := text.Each(s.tools, func(t *tool) string { return t.name })
		return failed(fmt.Sprintf("there is no tool %.100q; there are %s", call.Params.Name, strings.Join(names, ", "))), nil
	}
}
