package llm

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"
)

// quoted is a text as a JSON string.
func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// wrapped is an answer in so many lists.
func wrapped(times int, body string) string {
	return strings.Repeat("[", times) + body + strings.Repeat("]", times)
}

// TestServersWrapReplies: one and the same reply in the ways in which servers and models really wrap it.
func TestServersWrapReplies(t *testing.T) {
	message := func(fields string) func(string) string {
		return func(doc string) string {
			return `{"choices":[{"finish_reason":"stop","message":{` + strings.ReplaceAll(fields, "DOC", quoted(doc)) + `}}]}`
		}
	}
	content := func(change func(string) string) func(string) string {
		return func(doc string) string { return says(change(doc)).body }
	}
	usage := func(counts string) func(string) string {
		return func(doc string) string {
			return `{"choices":[{"finish_reason":"stop","message":{"content":` + quoted(doc) + `}}],"usage":` + counts + `}`
		}
	}
	stream := func(field string, after ...string) func(string) string {
		return func(doc string) string {
			out := ": a comment\n\ndata: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\n"
			for len(doc) > 0 {
				n := min(40, len(doc))
				out += "event: message\ndata: {\"choices\":[{\"delta\":{" + strings.ReplaceAll(field, "DOC", quoted(doc[:n])) +
					"}}]}\r\n\r\n"
				doc = doc[n:]
			}
			return out + strings.Join(after, "") + "data: [DONE]\n\n"
		}
	}
	cases := []struct {
		name string
		body func(doc string) string
	}{
		{"plain", func(doc string) string { return says(doc).body }},
		{"a byte order mark", func(doc string) string { return "\ufeff" + says(doc).body }},
		{"reasoning_content", message(`"content":"","reasoning_content":DOC`)},
		{"reasoning", message(`"content":null,"reasoning":DOC`)},
		{"thinking", message(`"thinking":DOC`)},
		{"reasoning, with words before", message(`"reasoning":"Let me see {\"assessments\": []}. So: ","thinking":""` +
			`,"reasoning_details":[],"content":DOC`)},
		{"parts, thoughts among them", message(
			`"content":[{"type":"thinking","thinking":[{"text":"{}"}]},{"type":"text","text":DOC}]`)},
		{"a document in place of a text", func(doc string) string {
			return `{"choices":[{"message":{"content":` + doc + `}}]}`
		}},
		{"a tool's arguments", message(
			`"content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"screening","arguments":DOC}}]`)},
		{"a tool's arguments behind words", message(
			`"content":"Here you are.","tool_calls":[{"function":{"name":"screening","arguments":DOC}}]`)},
		{"a tool's arguments as an object", func(doc string) string {
			return `{"choices":[{"message":{"tool_calls":[{"function":{"arguments":` + doc + `}}]}}]}`
		}},
		{"a function's arguments", message(`"content":"","function_call":{"name":"screening","arguments":DOC}`)},
		{"counts with a fraction", usage(`{"prompt_tokens":100.0,"completion_tokens":10.5}`)},
		{"counts as strings", usage(`{"prompt_tokens":"100","completion_tokens":"10"}`)},
		{"counts of null", usage(`{"prompt_tokens":null,"completion_tokens":null}`)},
		{"no counts", usage(`null`)},
		{"the answer in a result", func(doc string) string { return `{"success":true,"result":` + says(doc).body + `}` }},
		{"the answer in a list", func(doc string) string { return `[` + says(doc).body + `]` }},
		{"wrapped as much as is taken off", func(doc string) string { return wrapped(maxWraps, says(doc).body) }},
		{"the answer as a text", func(doc string) string { return quoted(says(doc).body) }},
		{"the document in a result", content(func(doc string) string { return `{"result": ` + doc + `}` })},
		{"the document as a text in a result", content(func(doc string) string { return `{"result": ` + quoted(doc) + `}` })},
		{"the document in a list", content(func(doc string) string { return `[` + doc + `]` })},
		{"the document as a text", content(quoted)},
		{"the document as a text twice over", content(func(doc string) string { return quoted(quoted(doc)) })},
		{"the document escaped, without quotes", content(func(doc string) string {
			return strings.Trim(quoted(doc), `"`)
		})},
		{"the list as a text", content(func(doc string) string {
			list := strings.TrimSuffix(strings.TrimPrefix(doc, `{"assessments":`), "}")
			return `{"assessments":` + quoted(list) + `}`
		})},
		{"escaped as in HTML", content(html.EscapeString)},
		{"escaped as in HTML, fenced", content(func(doc string) string {
			return "```json\n" + html.EscapeString(doc) + "\n```"
		})},
		{"behind a thought that is not closed", content(func(doc string) string {
			return `<think>First {"assessments": [{"id": "PMID:1"}]}, no. So: ` + doc
		})},
		{"fenced, behind a thought that is not closed", content(func(doc string) string {
			return "<thinking>Well.\n```json\n" + doc + "\n```"
		})},
		{"events", stream(`"content":DOC`)},
		{"events with counts", stream(`"content":DOC`,
			"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":10}}\n\n")},
		{"events of a tool's arguments", stream(`"tool_calls":[{"index":0,"function":{"arguments":DOC}}]`)},
		{"addresses for ids", content(func(doc string) string {
			return strings.ReplaceAll(doc, `"PMID:`, `"https://pubmed.ncbi.nlm.nih.gov/`)
		})},
		{"old addresses for ids", content(func(doc string) string {
			return strings.ReplaceAll(doc, `"PMID:`, `"https://www.ncbi.nlm.nih.gov/pubmed/`)
		})},
		{"parts of ten", content(func(doc string) string {
			return strings.ReplaceAll(doc, `"relevance_score":7`, `"relevance_score":"7/10"`)
		})},
		{"parts of ten, in words", content(func(doc string) string {
			return strings.ReplaceAll(doc, `"relevance_score":7`, `"relevance_score":"7 out of 10"`)
		})},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := newEndpoint(t, func(_ int, s sent) answer {
				var items []string
				for _, a := range s.articles(t) {
					items = append(items, verdictOn(a.ID, 7))
				}
				return answer{body: c.body(assessments(items...))}
			})
			got := judge(t, e.client(), 20, papers(4))
			if got.err != nil || len(got.by) != 4 || e.count() != 1 {
				t.Fatalf("%d judged in %d calls: %v", len(got.by), e.count(), got.err)
			}
			for id, a := range got.by {
				if a.Score != 7 || !a.Relevant {
					t.Errorf("%s: %+v", id, a)
				}
			}
		})
	}
}

// What looks like a reply and may be a draft is none.
func TestNoDraftIsAReply(t *testing.T) {
	doc := assessments(verdictOn("PMID:1", 7))
	cases := []struct {
		name, body string
		kind       Kind
	}{
		{"thoughts that were cut", `{"choices":[{"finish_reason":"length","message":{"reasoning_content":` + quoted(doc) +
			`}}]}`, Cut},
		{"a draft amid thoughts", says("<think>Perhaps " + doc + " or another.").body, NoJSON},
		{"a draft that breaks off", says("<think>" + doc[:len(doc)-5]).body, NoJSON},
		{"an error among the events", "data: {\"error\":{\"message\":\"overloaded\",\"code\":503}}\n\n", Unreachable},
		{"events that say nothing", "data: [DONE]\n\n", BadAnswer},
		{"wrapped more than servers wrap", wrapped(maxWraps+1, says(doc).body), BadAnswer},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := newEndpoint(t, func(int, sent) answer { return answer{body: c.body} })
			var reply screeningReply
			_, err := e.client().Call(t.Context(), NewTask(Screening, 1000), screeningRequest{}, &reply)
			if kindOf(err) != c.kind {
				t.Errorf("%v, want the kind %q", err, c.kind)
			}
		})
	}
}

// Whatever a server sends, what is made of it is JSON where it was, and has one choice at the most.
func FuzzPlainAnswer(f *testing.F) {
	for _, seed := range []string{
		says("x").body, "data: " + says("x").body, `{"result":[{"choices":[{"delta":{"tool_calls":[{}]}}]}]}`, `"[1]"`, "data:",
		`{"choices":[{"message":{"content":[{"text":{"value":1}}]}}],"usage":{"prompt_tokens":"1e99"}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		plain := plainAnswer([]byte(body))
		if json.Valid([]byte(body)) && !json.Valid(plain) {
			t.Fatalf("%q became %q", body, plain)
		}
		var answer wireAnswer
		if json.Unmarshal(plain, &answer) == nil && len(answer.Choices) > 1 {
			t.Fatal(fmt.Sprintf("%d choices", len(answer.Choices)))
		}
	})
}
