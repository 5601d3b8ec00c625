//go:build unix

package dossier_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dossier/internal/fulltext/writing"
	"dossier/internal/store"
)

const oneTopic = "topics:\n  - {id: lung, question: EGFR T790M lung cancer, sources: [pubmed]}\n"

// command makes a run of the indexer in a folder of its own.
func command(t *testing.T, dir string, env []string, args ...string) (cmd *exec.Cmd, output *bytes.Buffer) {
	t.Helper()
	cmd = exec.Command(filepath.Join(binaries, "indexer"), args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), append(env, "HOME="+dir)...)
	output = &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = output, output
	return cmd, output
}

// TestASecondWriterIsToldWhoHoldsTheLock: at once, with exit code 5, and the first one is not disturbed.
func TestASecondWriterIsToldWhoHoldsTheLock(t *testing.T) {
	dir := t.TempDir()
	bundle := exportedSample(t)
	w, err := store.Folder(filepath.Join(dir, "data")).Begin(t.Context(), store.BeginOptions{Owner: "the first writer", Texts: writing.Texts{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init"}, {"import-pubmed", "--offline", sample(t)}, {"import-records", "--offline",
		filepath.Join(filepath.Dir(sample(t)), "ctgov.json")},
		{"import-civic", "--offline", filepath.Join(filepath.Dir(sample(t)), "civic-01-Nov-2026.tsv")},
		{"import", bundle}} {
		cmd, output := command(t, dir, nil, args...)
		_ = cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != 5 || !strings.Contains(output.String(), "the first writer") ||
			!strings.Contains(output.String(), "since 2") {
			t.Errorf("%v ends with %d:\n%s", args, code, output)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if cmd, output := command(t, dir, nil, "import-pubmed", "--offline", sample(t)); cmd.Run() != nil {
		t.Errorf("with the lock free again:\n%s", output)
	}
}

// exportedSample is a bundle of the sample's papers.
func exportedSample(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, args := range [][]string{{"import-pubmed", "--offline", sample(t)}, {"export", "dossier.tar.zst"}} {
		if cmd, output := command(t, dir, nil, args...); cmd.Run() != nil {
			t.Fatalf("%v:\n%s", args, output)
		}
	}
	return filepath.Join(dir, "dossier.tar.zst")
}

func sample(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("sample", "pubmed.xml"))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// neverAnswers is the address of a service that never does, and hears of each request.
func neverAnswers(t *testing.T) (url string, asked <-chan struct{}) {
	t.Helper()
	requests := make(chan struct{}, 100)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does a server see that its client has gone
		requests <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	return silent.URL, requests
}

// startAsking starts a program, and returns when it has asked.
func startAsking(t *testing.T, program *exec.Cmd, output *bytes.Buffer, asked <-chan struct{}) {
	t.Helper()
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-asked:
	case <-time.After(time.Minute):
		_ = program.Process.Kill()
		_ = program.Wait()
		t.Fatalf("it asks nothing:\n%s", output)
	}
}

// TestAnInterruptedRunLetsGo: Ctrl-C amid a search that never ends gives exit code 130, the store stays as it was, and
// the next writer need not wait.
func TestAnInterruptedRunLetsGo(t *testing.T) {
	silent, asked := neverAnswers(t)
	dir := t.TempDir()
	if cmd, output := command(t, dir, nil, "import-pubmed", "--offline", sample(t)); cmd.Run() != nil {
		t.Fatalf("importing:\n%s", output)
	}
	if err := os.WriteFile(filepath.Join(dir, "topics.yaml"), []byte(oneTopic), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, output := command(t, dir, []string{"DOSSIER_SOURCES_PUBMED_BASE_URL=" + silent}, "run", "--jobs",
		"topics.yaml")
	startAsking(t, cmd, output, asked)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	stop()
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(output.String(), "interrupted") {
		t.Errorf("the interrupted run ends with %d:\n%s", code, output)
	}
	cmd, output = command(t, dir, nil, "status")
	if cmd.Run() != nil || !strings.Contains(output.String(), "64 records") {
		t.Errorf("afterwards:\n%s", output)
	}
	if cmd, output := command(t, dir, nil, "verify"); cmd.Run() != nil {
		t.Errorf("afterwards:\n%s", output)
	}
}

// TestADirectoryThatMayNotBeWritten: the indexer says so; a reader works.
func TestADirectoryThatMayNotBeWritten(t *testing.T) {
	dir := t.TempDir()
	if cmd, output := command(t, dir, nil, "import-pubmed", "--offline", sample(t)); cmd.Run() != nil {
		t.Fatalf("importing:\n%s", output)
	}
	other := asSomebodyElse(t, dir)
	cmd, output := command(t, dir, nil, "init", "--config", "/dev/null")
	cmd.SysProcAttr = other
	_ = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(output.String(), "permission denied") {
		t.Errorf("init ends with %d:\n%s", code, output)
	}
	read := exec.Command(filepath.Join(binaries, "query"), "search", "osimertinib")
	read.Dir, read.Env, read.SysProcAttr = dir, append(os.Environ(), "HOME="+dir), other
	if out, err := read.CombinedOutput(); err != nil || !strings.Contains(string(out), "hits for") {
		t.Errorf("a reader: %v\n%s", err, out)
	}
}

// asSomebodyElse gives a process the rights of nobody where the tests run as root, and else takes its own rights to
// write in dir.
func asSomebodyElse(t *testing.T, dir string) *syscall.SysProcAttr {
	t.Helper()
	if os.Getuid() != 0 {
		if err := os.Chmod(filepath.Join(dir, "data"), 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "data"), 0o755) })
		return nil
	}
	for folder := dir; folder != os.TempDir() && len(folder) > 1; folder = filepath.Dir(folder) {
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(binaries, 0o755); err != nil {
		t.Fatal(err)
	}
	const nobody = 65534
	err := filepath.WalkDir(filepath.Join(dir, "data"), func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, -1, nobody)) // of the store's group, which reads
	})
	if err != nil {
		t.Fatal(err)
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}
