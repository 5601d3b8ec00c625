package command

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dossier/internal/config"
	"dossier/internal/fetch"
	"dossier/internal/lexicon"
	"dossier/internal/report"
)

// TestRepliesAreKeptUnderTheQuestionAndNotItsWording: the model gets what was understood of the question; and what was
// paid for serves again, whatever the model would be told today.
func TestRepliesAreKeptUnderTheQuestionAndNotItsWording(t *testing.T) {
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if strings.HasSuffix(r.URL.Path, "/chat/completions") {
			sent = append(sent, string(body))
		}
		io.WriteString(w,
			`{"choices":[{"message":{"role":"assistant","content":"{\"hypotheses\":[]}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2}}`)
	}))
	defer server.Close()
	t.Setenv("HOME", t.TempDir())
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	app := &App{Config: config.Default(), Log: slog.New(slog.DiscardHandler), Now: fetch.SystemClock{}.Now}
	app.Config.Data, app.Config.LLM.BaseURL = t.TempDir(), server.URL
	try := func() error {
		t.Helper()
		model, err := app.NewReportModel(words)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = model.Hypotheses(t.Context(),
			report.EvidenceRequest{Question: "What helps Mrs Musterfrau with KRAS G12C colorectal cancer?"})
		return err
	}
	ask := func() {
		t.Helper()
		if err := try(); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	if len(sent) != 1 || !strings.Contains(sent[0], `tumours: colorectal cancer; alterations: KRAS G12C`) ||
		strings.Contains(sent[0], "Musterfrau") {
		t.Errorf("the model was sent %q", sent)
	}
	app.Config.Privacy.ModelQuestion, app.Config.Offline = config.WholeQuestion, true
	ask()
	if len(sent) != 1 {
		t.Errorf("a kept reply was paid for again: %d calls", len(sent))
	}
	files, err := filepath.Glob(filepath.Join(app.Config.Data, "replies", "*.reply"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	if err := os.Truncate(files[0], 70); err != nil {
		t.Fatal(err)
	}
	if err := try(); err == nil || !strings.Contains(err.Error(), "is not what was kept; delete it") {
		t.Errorf("a damaged reply, offline: %v", err)
	}
	app.Config.Offline = false
	ask()
	if len(sent) != 2 {
		t.Errorf("a damaged reply was not asked for again: %d calls", len(sent))
	}
}
