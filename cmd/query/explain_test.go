package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/ask"
	"dossier/internal/command"
	"dossier/internal/lexicon"
)

func TestReadLines(t *testing.T) {
	long := strings.Repeat("x", 3*longestLine)
	for name, tc := range map[string]struct {
		input string
		want  []string
	}{
		"nothing":                    {"", nil},
		"two lines":                  {"a\nb\n", []string{"a", "b"}},
		"no end on the last one":     {"a\nb", []string{"a", "b"}},
		"empty lines":                {"\n\na\n", []string{"", "", "a"}},
		"another system's ends":      {"a\r\nb\r\n", []string{"a", "b"}},
		"one too long, and one more": {long + "\nb\n", []string{long[:longestLine], "b"}},
		"one too long with no end":   {long, []string{long[:longestLine]}},
	} {
		var got []string
		lines := readLines(t.Context(), strings.NewReader(tc.input))
		for line := <-lines; line.err == nil; line = <-lines {
			got = append(got, line.text)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: lines (-want +got):\n%s", name, diff)
		}
	}
}

// TestExplainLinesAnswersEachBeforeItWaitsForMore, so that a program may ask one question after another through a pipe.
func TestExplainLinesAnswersEachBeforeItWaitsForMore(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	questions, send := io.Pipe()
	answers, write := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- explainLines(t.Context(), questions, bufio.NewWriter(write), &command.App{}, &ask.Explainer{Lexicon: words},
			"json")
	}()
	lines := bufio.NewScanner(answers)
	for _, question := range []string{"KRAS G12C", "", "BRAF V600E"} {
		if _, err := io.WriteString(send, question+"\n"); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() || !strings.Contains(lines.Text(), `"question":"`+question+`"`) {
			t.Errorf("%q is answered by %s", question, lines.Text())
		}
	}
	if err := errors.Join(send.Close(), <-done); err != nil {
		t.Error(err)
	}
}

// TestExplainLinesStopsWhenInterrupted, even while it waits for input that never comes.
func TestExplainLinesStopsWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	never, send := io.Pipe()
	defer send.Close()
	time.AfterFunc(10*time.Millisecond, cancel)
	var out bytes.Buffer
	if err := explainLines(ctx, never, bufio.NewWriter(&out), &command.App{}, &ask.Explainer{}, "json"); !errors.Is(err,
		context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}
