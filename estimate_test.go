package dossier_test

import (
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
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
	tokens := func(out string) (calls, tokens float64) {
		found := spentLine.FindStringSubmatch(out)
		if found == nil {
			t.Fatalf("it says nothing of what is spent:\n%s", out)
		}
		calls, _ = strconv.ParseFloat(found[1], 64)
		tokens, _ = strconv.ParseFloat(found[2], 64)
		return calls, tokens
	}
	estimated := run("--all", "--estimate")
	calls, want := tokens(estimated)
	counted := run("--all", "--out", "reports")
	asked, got := tokens(counted)
	if off := math.Abs(want-got) / got; off > 0.15 || calls != asked {
		t.Errorf("estimated %s, counted %s: %.0f of 100 off", estimated, counted, 100*off)
	}
	t.Logf("estimated %.0f tokens, counted %.0f", want, got)
	if again := run("--all", "--estimate"); strings.Count(again, "no model call") != 4 {
		t.Errorf("what was kept costs again: %s", again)
	}
}
