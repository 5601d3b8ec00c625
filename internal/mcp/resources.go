package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"dossier/internal/reader"
)

// The resources: topics, a topic's evidence, its report, and a section of that.
const (
	topicsURI  = "dossier://topics"
	topicURI   = topicsURI + "/{topic}"
	reportURI  = topicURI + "/report"
	sectionURI = reportURI + "/{section}"
)

// addResources offers resources that a person may attach before the model asks: each is the first page of a tool's
// answer.
func (s *Server) addResources() {
	const kind = "text/plain"
	s.sdk.AddResource(&sdk.Resource{URI: topicsURI, Name: "topics", Title: "The stored topics", MIMEType: kind},
		s.resource)

	for _, t := range []sdk.ResourceTemplate{
		{URITemplate: topicURI, Name: "topic", Title: "A topic's evidence"},
		{URITemplate: reportURI, Name: "report", Title: "A topic's report in brief, and its sections"},
		{URITemplate: sectionURI, Name: "section", Title: "A section of a topic's report"},
	} {
		t.MIMEType = kind
		s.sdk.AddResourceTemplate(&t, s.resource)
	}
}

// resource answers a resource by its tool. A topic must exist: other text is no question here.
func (s *Server) resource(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI

	parts := strings.Split(strings.TrimPrefix(uri, topicsURI), "/")[1:]
	for i := range parts {
		part, err := url.PathUnescape(parts[i])
		if err != nil {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		parts[i] = part
	}

	tool, arguments := "report", map[string]any{}
	switch {
	case len(parts) == 0:
		tool = "list_topics"
	case len(parts) == 1:
		tool, arguments["query"] = "search_evidence", parts[0]
	default:
		arguments["topic"] = parts[0]
	}

	if len(parts) > 2 {
		arguments["section"] = parts[2]
	}

	err := s.at(ctx, func(ctx context.Context, r *reader.Reader) error {
		if ok, err := isTopic(ctx, r, strings.Join(parts[:min(1, len(parts))], "")); err != nil || ok || len(parts) == 0 {
			return err
		}
		return sdk.ResourceNotFoundError(uri)
	})
	if err != nil {
		return nil, err
	}

	wording, err := s.textOf(ctx, tool, arguments)
	if err != nil {
		return nil, err
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "text/plain",
		Text: wording}}}, nil
}

// textOf is the text of a tool's answer.
func (s *Server) textOf(ctx context.Context, name string, arguments map[string]any) (string, error) {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return "", err
	}
	called := s.tools[slices.IndexFunc(s.tools, func(t *tool) bool { return t.name == name })]

	result, err := called.call(ctx, &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Name: name, Arguments: raw}})
	if err != nil {
		return "", err
	}

	words, _ := result.Content[0].(*sdk.TextContent) // every answer is one text
	if result.IsError {
		return "", errors.New(words.Text)
	}
	return words.Text, nil
}
