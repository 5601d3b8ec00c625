package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/command"
	"dossier/internal/lexicon"
	"dossier/internal/reader"
)

func TestReadLine(t *testing.T) {
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
		lines := bufio.NewReaderSize(strings.NewReader(tc.input), longestLine)
		for line, err := readLine(lines); line != "" || err == nil; line, err = readLine(lines) {
			got = append(got, line)
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
		done <- explainLines(t.Context(), questions, bufio.NewWriter(write), &command.App{},
			&reader.Explainer{Lexicon: words}, "json")
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

// TestExplainLinesStopsWithItsInput, which ends when the user interrupts the program; the question before is answered.
func TestExplainLinesStopsWithItsInput(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	in := io.MultiReader(strings.NewReader("KRAS G12C"), iotest.ErrReader(context.Canceled))
	var out bytes.Buffer
	buffered := bufio.NewWriter(&out)
	err = explainLines(t.Context(), in, buffered, &command.App{}, &reader.Explainer{Lexicon: words}, "json")
	if err := buffered.Flush(); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, context.Canceled) || !strings.Contains(out.String(), `"question":"KRAS G12C"`) {
		t.Errorf("the error is %v, and the output %s", err, out.String())
	}
}
