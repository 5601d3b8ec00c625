package dossier_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// writer is a model server that writes reports of usual length, and counts what it is sent and says.
func writer(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Messages       []struct{ Content string }
			ResponseFormat struct {
				JSONSchema struct{ Name string } `json:"json_schema"`
			} `json:"response_format"`
		}
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/models") {
			io.WriteString(w, `{"data":[]}`)
			return
		}
		var document struct {
			Evidence []struct{ ID, Title, Abstract string }
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil || len(request.Messages) != 2 {
			t.Errorf("%d messages: %v", len(request.Messages), err)
			return
		}
		if err := json.Unmarshal([]byte(request.Messages[1].Content), &document); err != nil || len(document.Evidence) == 0 {
			t.Errorf("%d records: %v", len(document.Evidence), err)
			return
		}
		var statements, hypotheses []any
		for _, e := range document.Evidence[:min(6, len(document.Evidence))] {
			statements = append(statements, map[string]any{"text": e.Title, "cites": []string{e.ID}})
			hypotheses = append(hypotheses, map[string]any{"drug": "sotorasib", "target": "KRAS G12C", "pathway": "MAPK",
				"effect": e.Title, "confidence": 0.5, "supporting": []string{e.ID}, "contradicting": []string{}})
		}
		reply, err := json.Marshal(map[string]any{
			"hypotheses": map[string]any{"hypotheses": hypotheses[:min(4, len(hypotheses))]},
			"assessment": map[string]any{"mechanism_score": 5, "clinical_score": 6, "confidence": 0.6, "sufficient": true,
				"reasoning": strings.Repeat("Few of the trials are randomised. ", 8), "missing": []string{"overall survival"}},
			"report": map[string]any{"executive_summary": strings.Repeat("Few of the trials are randomised. ", 6),
				"mechanistic_findings": statements, "clinical_findings": statements, "conclusion": statements[:1],
				"drug_candidates": []any{}, "limitations": []string{"Few of the trials are randomised."}},
		}[request.ResponseFormat.JSONSchema.Name])
		if err != nil {
			t.Error(err)
		}
		json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop",
				"message": map[string]string{"role": "assistant", "content": string(reply)}}},
			"usage": map[string]int{"prompt_tokens": (len(request.Messages[0].Content) + len(request.Messages[1].Content)) / 4,
				"completion_tokens": len(reply) / 4},
		})
	}))
	t.Cleanup(server.Close)
	return server
}

var spentLine = regexp.MustCompile(`(?m)(?:^|all: )(\d+) model calls, (?:about )?(\d+) tokens`)

// spentBy is what an output says of all that is spent.
func spentBy(t *testing.T, out string) (calls, tokens float64) {
	t.Helper()
	found := spentLine.FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("it says nothing of what is spent:\n%s", out)
	}
	calls, _ = strconv.ParseFloat(found[1], 64)
	tokens, _ = strconv.ParseFloat(found[2], 64)
	return calls, tokens
}

// metered counts a model server's calls and tokens.
type metered struct {
	mu            sync.Mutex
	calls, tokens float64
}

// before gives the address at which the model's calls are counted.
func (m *metered) before(t *testing.T, model string) string {
	t.Helper()
	target, err := url.Parse(model)
	if err != nil {
		t.Fatal(err)
	}
	pass := httputil.NewSingleHostReverseProxy(target)
	pass.ModifyResponse = m.count
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ Messages []struct{ Content string } }
		body, err := io.ReadAll(r.Body)
		if err != nil || len(body) > 0 && json.Unmarshal(body, &request) != nil {
			t.Errorf("the request %.100q: %v", body, err)
		}
		prompt := 0
		for _, message := range request.Messages {
			prompt += len(message.Content) / 4
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.Header.Set("X-Prompt-Tokens", strconv.Itoa(prompt))
		pass.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// count counts a call, and has its reply say how many tokens the prompt has.
func (m *metered) count(r *http.Response) error {
	if !strings.HasSuffix(r.Request.URL.Path, "/chat/completions") {
		return nil
	}
	var reply map[string]any
	if err := json.NewDecoder(r.Body).Decode(&reply); err != nil {
		return err
	}
	prompt, err := strconv.ParseFloat(r.Request.Header.Get("X-Prompt-Tokens"), 64)
	if err != nil {
		return err
	}
	usage := reply["usage"].(map[string]any)
	usage["prompt_tokens"] = prompt
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	m.tokens += prompt + usage["completion_tokens"].(float64)
	text, err := json.Marshal(reply)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	r.Header.Set("Content-Length", strconv.Itoa(len(text)))
	return err
}

// taken gives what was counted, and begins anew.
func (m *metered) taken() (calls, tokens float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	calls, tokens = m.calls, m.tokens
	m.calls, m.tokens = 0, 0
	return calls, tokens
}

// nightsEstimated are topics of which the source has more papers than it is asked for.
const nightsEstimated = `
defaults: {year_window: 60, sources: [pubmed], broad_search_count: 25}
topics:
  - {id: breast, question: breast cancer}
  - {id: lung, question: lung cancer}
  - {id: cancer, question: cancer survival}
  - {id: prostate, question: prostate cancer}
`

// TestTheEstimateOfANightIsNear: within 15 of 100 tokens, and as many calls or one, of what the night then sends, with
// the plans, the judge's examination, what is asked again, and the reports on it.
func TestTheEstimateOfANightIsNear(t *testing.T) {
	t.Parallel()
	s, model := newSite(t), &metered{}
	s.env = []string{"DOSSIER_LLM_BASE_URL=" + model.before(t, s.mirror) + "/v1", "DOSSIER_LLM_MODEL=overlap"}
	s.write("topics.yaml", nightsEstimated)
	night := []string{"indexer", "run", "--jobs", "topics.yaml"}
	reports := []string{"query", "report", "--all"}
	for _, tc := range []struct {
		name    string
		before  []string
		reports bool
	}{
		{"the first night", nil, false},
		{"one topic of four is judged anew", []string{"indexer", "rejudge", "lung"}, false},
		{"and so is another, with the reports", []string{"indexer", "rejudge", "cancer"}, true},
	} {
		must := func(args []string, more ...string) string {
			out, code := s.run(append(slices.Clone(args), more...)...)
			if code != 0 {
				t.Fatalf("%s: %q ends with %d:\n%s", tc.name, args, code, out)
			}
			return out
		}
		if tc.before != nil {
			must(tc.before)
		}
		wantCalls, wantTokens := spentBy(t, must(night, "--dry-run"))
		if tc.reports {
			calls, tokens := spentBy(t, must(reports, "--estimate"))
			wantCalls, wantTokens = wantCalls+calls, wantTokens+tokens
		}
		model.taken()
		must(night)
		if tc.reports {
			must(reports, "--out", "reports")
		}
		calls, tokens := model.taken()
		t.Logf("%s: %.1f of 100 off in tokens", tc.name, 100*(wantTokens/tokens-1))
		if math.Abs(wantCalls-calls) > max(1, 0.15*calls) || math.Abs(wantTokens-tokens) > 0.15*tokens {
			t.Errorf("%s: estimated %.0f calls and %.0f tokens, sent %.0f and %.0f", tc.name, wantCalls, wantTokens, calls,
				tokens)
		}
	}
}

// TestTheEstimateOfReportsIsNear: within 15 of 100 tokens of what they then cost; and what was kept costs nothing.
func TestTheEstimateOfReportsIsNear(t *testing.T) {
	data := agentsStore(t)
	dir, server := t.TempDir(), writer(t)
	run := func(args ...string) string {
		cmd := exec.Command(filepath.Join(binaries, "query"), append([]string{"report", "--data", data}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "DOSSIER_SOURCES_OFFLINE=true", "DOSSIER_LLM_BASE_URL="+server.URL+"/v1",
			"DOSSIER_LLM_MODEL=test-model")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	estimated := run("--all", "--estimate")
	calls, want := spentBy(t, estimated)
	counted := run("--all", "--out", "reports")
	asked, got := spentBy(t, counted)
	if off := math.Abs(want-got) / got; off > 0.15 || calls != asked {
		t.Errorf("estimated %s, counted %s: %.0f of 100 off", estimated, counted, 100*off)
	}
	t.Logf("estimated %.0f tokens, counted %.0f", want, got)
	if again := run("--all", "--estimate"); strings.Count(again, "no model call") != 4 {
		t.Errorf("what was kept costs again: %s", again)
	}
}
