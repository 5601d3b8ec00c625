package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
)

const testKey = "sk-very/secret+key"

// sent is a request as the endpoint sees it.
type sent struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	MaxTokens           int      `json:"max_tokens"`
	MaxCompletionTokens int      `json:"max_completion_tokens"`
	Temperature         *float64 `json:"temperature"`
	ResponseFormat      struct {
		Type       string `json:"type"`
		JSONSchema struct {
			Name   string          `json:"name"`
			Strict bool            `json:"strict"`
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`

	raw    []byte
	header http.Header
}

// articles are those of the document.
func (s sent) articles(t testing.TB) []article {
	t.Helper()
	var doc screeningRequest
	if err := json.Unmarshal([]byte(s.Messages[len(s.Messages)-1].Content), &doc); err != nil {
		t.Errorf("the last message is no JSON document: %v", err)
	}
	return doc.Articles
}

// answer is what an endpoint says.
type answer struct {
	status int // 200
	body   string
	header map[string]string
	hang   bool // says nothing until the client goes away
	drop   bool // breaks the connection
}

// endpoint is a model server that answers as it is told.
type endpoint struct {
	url string
	log *bytes.Buffer
	t   testing.TB

	mu      sync.Mutex
	says    func(n int, s sent) answer // n counts calls from 1
	calls   []sent
	atOnce  int
	mostNow int
	models  answer
}

func newEndpoint(t testing.TB, says func(n int, s sent) answer) *endpoint {
	e := &endpoint{t: t, says: says, log: &bytes.Buffer{},
		models: answer{body: `{"object":"list","data":[{"id":"test-model"}]}`}}
	server := httptest.NewServer(http.HandlerFunc(e.serve))
	t.Cleanup(server.Close)
	e.url = server.URL + "/v1"
	return e
}

func (e *endpoint) serve(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	if r.URL.Path == "/v1/models" {
		e.models.write(w, r)
		return
	}
	s := sent{raw: raw, header: r.Header}
	if err := json.Unmarshal(raw, &s); err != nil || r.URL.Path != "/v1/chat/completions" {
		e.t.Errorf("request to %s: %v", r.URL.Path, err)
	}
	e.mu.Lock()
	e.calls = append(e.calls, s)
	n := len(e.calls)
	e.atOnce++
	e.mostNow = max(e.mostNow, e.atOnce)
	e.mu.Unlock()
	a := e.says(n, s)
	e.mu.Lock()
	e.atOnce--
	e.mu.Unlock()
	if n := s.tokens(); n > 1000 { // an honest server counts what was sent
		a.body = strings.Replace(a.body, `"prompt_tokens":100,`, fmt.Sprintf(`"prompt_tokens":%d,`, n), 1)
	}
	a.write(w, r)
}

// tokens estimates the request's prompt.
func (s sent) tokens() int {
	n := 0
	for _, m := range s.Messages {
		n += Tokens(m.Content)
	}
	return n
}

func (a answer) write(w http.ResponseWriter, r *http.Request) {
	for k, v := range a.header {
		w.Header().Set(k, v)
	}
	switch {
	case a.hang:
		<-r.Context().Done()
		return
	case a.drop:
		panic(http.ErrAbortHandler)
	case a.status != 0:
		w.WriteHeader(a.status)
	}
	io.WriteString(w, a.body)
}

func (e *endpoint) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.calls)
}

// client calls the endpoint on a clock that does not pass by itself; changes come last.
func (e *endpoint) client(change ...func(*Options)) *Client {
	opt := Options{
		BaseURL: e.url, Model: "test-model", Key: func() string { return testKey }, Temperature: 0.1,
		Retry: fetch.Retry{Steady: true}, Clock: fetchtest.NewClock(),
		Logger: slog.New(slog.NewTextHandler(&lockedWriter{w: e.log}, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, c := range change {
		c(&opt)
	}
	return New(opt)
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// says is a completion with some text.
func says(text string) answer { return finished(text, "stop") }

func finished(text, reason string) answer {
	quoted, _ := json.Marshal(text)
	return answer{body: fmt.Sprintf(
		`{"choices":[{"index":0,"finish_reason":%q,"message":{"role":"assistant","content":%s}}],"usage":{"prompt_tokens":100,"completion_tokens":10}}`, reason, quoted)}
}

func status(code int, message string) answer {
	quoted, _ := json.Marshal(message)
	return answer{status: code, body: fmt.Sprintf(`{"error":{"message":%s,"type":"x"}}`, quoted)}
}

// verdictOn is a good item.
func verdictOn(id string, score any) string {
	return fmt.Sprintf(
		`{"id":%q,"is_relevant":true,"relevance_score":%v,"study_type":"rct","matched_criteria":["KRAS"],"key_findings":"It worked."}`, id, score)
}

func assessments(items ...string) string { return `{"assessments":[` + strings.Join(items, ",") + `]}` }

// judgesAll gives every article of a request a score of 7.
func judgesAll(t testing.TB) func(int, sent) answer {
	return func(_ int, s sent) answer {
		var items []string
		for _, a := range s.articles(t) {
			items = append(items, verdictOn(a.ID, 7))
		}
		return says(assessments(items...))
	}
}

// examinedJudge is a Judge that has passed its examination.
func examinedJudge(c *Client, batch int) *Judge {
	j := NewJudge(c, batch)
	j.exam.done = true
	return j
}

// papers are n records.
func papers(n int) []evidence.Record {
	out := make([]evidence.Record, n)
	for i := range out {
		out[i] = evidence.Record{
			ID: fmt.Sprintf("PMID:%d", i+1), Title: fmt.Sprintf("Paper %d on KRAS G12C", i+1),
			Abstract:         []evidence.Section{{Label: "RESULTS", Text: "It worked."}},
			PublicationTypes: []evidence.PublicationType{{Name: "Journal Article"}},
		}
	}
	return out
}
