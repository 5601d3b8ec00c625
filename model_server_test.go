package dossier_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

// said is what a model server answers to a request to screen.
type said struct {
	status int    // 200 where it is 0
	text   string // the reply
	finish string // "stop" where it is empty
	raw    string // the whole answer, in place of text and finish
	tokens int    // of the prompt, as the server counts them; 0: as many as were sent
}

// screeningCall is a request to screen as the server sees it.
type screeningCall struct {
	n      int // from 1
	ids    []string
	system string
	tokens int // of prompt and room for the reply together
	prompt int
}

// modelServer serves a model that plans well and screens as it is told, beside literature services that know nothing.
type modelServer struct {
	t      *testing.T
	answer func(c screeningCall) said

	mu    sync.Mutex
	calls int
}

// asked says how often the model was asked to screen so far.
func (m *modelServer) asked() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls
}

func (m *modelServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		m.t.Error(err)
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.HasSuffix(r.URL.Path, "/models"):
		io.WriteString(w, `{"data":[]}`)
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		m.chat(w, body)
	default:
		io.WriteString(w, `{"esearchresult":{"count":"0","retmax":"0","retstart":"0","idlist":[]}}`)
	}
}

func (m *modelServer) chat(w http.ResponseWriter, body []byte) {
	var request struct {
		Messages  []struct{ Content string }
		MaxTokens int `json:"max_tokens"`
	}
	var document struct{ Articles []struct{ ID string } }
	if err := json.Unmarshal(body, &request); err != nil || len(request.Messages) != 2 {
		m.t.Errorf("request %.200s: %v", body, err)
		return
	}
	if err := json.Unmarshal([]byte(request.Messages[1].Content), &document); err != nil {
		m.t.Error(err)
	}
	answer := said{text: plannedQuery}
	prompt := (len(request.Messages[0].Content) + len(request.Messages[1].Content)) / 4
	if len(document.Articles) > 0 {
		m.mu.Lock()
		m.calls++
		call := screeningCall{n: m.calls, system: request.Messages[0].Content, prompt: prompt, tokens: prompt +
			request.MaxTokens}
		m.mu.Unlock()
		for _, a := range document.Articles {
			call.ids = append(call.ids, a.ID)
		}
		answer = m.answer(call)
	}
	if answer.status != 0 {
		w.WriteHeader(answer.status)
	}
	if answer.raw != "" || answer.status != 0 {
		io.WriteString(w, answer.raw)
		return
	}
	finish, tokens := answer.finish, answer.tokens
	if finish == "" {
		finish = "stop"
	}
	if tokens == 0 {
		tokens = prompt
	}
	json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"index": 0, "finish_reason": finish, "message": map[string]string{"role": "assistant",
			"content": answer.text}}},
		"usage": map[string]int{"prompt_tokens": tokens, "completion_tokens": len(answer.text) / 4},
	})
}

// judgement is a good item of a reply.
func judgement(id string) string { return scored(id, "7") }

func scored(id, score string) string {
	if slices.Contains(examined, id) {
		return fmt.Sprintf(
			`{"id": %q, "is_relevant": false, "relevance_score": 0, "study_type": "rct", "matched_criteria": [], "key_findings": "It worked."}`, id)
	}
	return item(id, score)
}

func item(id, score string) string {
	return fmt.Sprintf(
		`{"id": %q, "is_relevant": true, "relevance_score": %s, "study_type": "rct", "matched_criteria": ["KRAS G12C"], "key_findings": "It worked."}`, id, score)
}

func itemsOf(c screeningCall, item func(id string) string) []string {
	items := make([]string, len(c.ids))
	for i, id := range c.ids {
		items[i] = item(id)
	}
	return items
}

func listOf(items []string) string { return `{"assessments": [` + strings.Join(items, ", ") + `]}` }

// each replies with an item for each paper.
func each(item func(id string) string) func(screeningCall) said {
	return func(c screeningCall) said { return said{text: listOf(itemsOf(c, item))} }
}

// changed replies well, and then changes the text.
func changed(change func(text string) string) func(screeningCall) said {
	return func(c screeningCall) said { return said{text: change(listOf(itemsOf(c, judgement)))} }
}

func replaced(pairs ...string) func(screeningCall) said {
	return changed(strings.NewReplacer(pairs...).Replace)
}

// first changes the item of each reply's first paper.
func first(change func(item string) string) func(screeningCall) said {
	return func(c screeningCall) said {
		items := itemsOf(c, judgement)
		items[0] = change(items[0])
		return said{text: listOf(items)}
	}
}

// always says the same whatever is asked.
func always(s said) func(screeningCall) said { return func(screeningCall) said { return s } }

// once replies badly to the first call, and well from then on.
func once(bad func(screeningCall) said) func(screeningCall) said {
	return func(c screeningCall) said {
		if c.n == 1 {
			return bad(c)
		}
		return each(judgement)(c)
	}
}

// untold replies badly while it has not been told the scale again.
func untold(bad func(screeningCall) said) func(screeningCall) said {
	return func(c screeningCall) said {
		if !strings.Contains(c.system, "Scores of an earlier reply") {
			return bad(c)
		}
		return each(judgement)(c)
	}
}

// withScore gives papers on the question a score; alike gives it to all.
func withScore(score string) func(screeningCall) said {
	return each(func(id string) string { return scored(id, score) })
}

func alike(score string) func(screeningCall) said {
	return each(func(id string) string { return item(id, score) })
}

// rotated gives each paper the judgement of the one before it.
func rotated(c screeningCall) said {
	items := itemsOf(c, judgement)
	out := make([]string, len(items))
	for i, text := range items {
		after := (i + 1) % len(items)
		out[after] = strings.Replace(text, c.ids[i], c.ids[after], 1)
	}
	return said{text: listOf(out)}
}

func refusal(status int, message string) said {
	return said{status: status, raw: fmt.Sprintf(`{"error": {"message": %q}}`, message)}
}
