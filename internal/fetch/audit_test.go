//go:build unix

package fetch_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/fetch"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func logIn(t *testing.T, file string) *fetch.AuditLog {
	t.Helper()
	return &fetch.AuditLog{File: file, Command: "query", Now: func() time.Time { return noon },
		Random: bytes.NewReader(bytes.Repeat([]byte{7}, 64))}
}

// entriesIn reads a log's lines.
func entriesIn(t *testing.T, file string) []fetch.AuditEntry {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []fetch.AuditEntry
	for line := range strings.Lines(string(text)) {
		var e fetch.AuditEntry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		out = append(out, e)
	}
	return out
}

// TestAnOutingHasTwoLines: one before anything goes out, one with what did.
func TestAnOutingHasTwoLines(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("{}")) }))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	file := filepath.Join(t.TempDir(), "audit.log")
	log := logIn(t, file)
	const question = "KRAS\n\x1b[31m G12C \u202e"
	out, err := log.Begin(question, "nothing found", []string{host})
	if err != nil {
		t.Fatal(err)
	}
	if before := entriesIn(t, file); len(before) != 1 || before[0].Event != fetch.AuditSending {
		t.Fatalf("before anything went out: %+v", before)
	}
	client := fetch.New(fetch.Options{})
	for range 2 {
		if _, err := client.Do(out.Counting(t.Context()), fetch.Request{URL: server.URL,
			Accept: fetch.AcceptJSON}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := client.Do(t.Context(), fetch.Request{URL: server.URL, Accept: fetch.AcceptJSON}); err != nil {
		t.Fatal(err)
	}
	if err := out.End(); err != nil {
		t.Fatal(err)
	}
	entries := entriesIn(t, file)
	for i := range entries {
		if entries[i].User == "" || entries[i].UID != os.Getuid() {
			t.Errorf("who asked is not there: %+v", entries[i])
		}
		entries[i].User, entries[i].UID = "", 0
	}
	want := fetch.AuditEntry{
		Time: noon, Event: fetch.AuditSending, ID: "0707070707070707", Command: "query", Question: question,
		Privacy:      "nothing found",
		Destinations: []string{host},
	}
	sent := want
	sent.Event, sent.Destinations, sent.Requests = fetch.AuditSent, nil, map[string]int{host: 2}
	if diff := cmp.Diff([]fetch.AuditEntry{want, sent}, entries); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.ContainsAny(string(text), "\x1b") || strings.Count(string(text), "\n") != 2 {
		t.Errorf("control characters break out of the lines: %q, %v", text, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&^0o640 != 0 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestALogThatIsMovedAwayIsMadeAnew, as logrotate does it.
func TestALogThatIsMovedAwayIsMadeAnew(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.log")
	log := logIn(t, file)
	for range 2 {
		if err := log.Write(fetch.AuditEntry{Event: fetch.AuditLocal}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(file, file+".1"); err != nil {
		t.Fatal(err)
	}
	if err := log.Write(fetch.AuditEntry{Event: fetch.AuditLocal}); err != nil {
		t.Fatal(err)
	}
	if old, now := entriesIn(t, file+".1"), entriesIn(t, file); len(old) != 2 || len(now) != 1 {
		t.Errorf("%d lines in the old file and %d in the new one", len(old), len(now))
	}
}

// TestALogThatCannotBeWrittenLetsNothingOut names what may stand where the log should.
func TestALogThatCannotBeWrittenLetsNothingOut(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(dir, "elsewhere")
	if err := os.WriteFile(elsewhere, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link, pipe := filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{
		"a link": link, "a pipe that nobody reads": pipe, "a folder": dir, "a folder that is not there": filepath.Join(dir,
			"none", "audit.log"),
		"a device": "/dev/null",
	} {
		t.Run(name, func(t *testing.T) {
			log := logIn(t, file)
			for what, err := range map[string]error{"Check": log.Check(), "Begin": begun(log)} {
				if err == nil || !strings.Contains(err.Error(), "without it nothing is sent") {
					t.Errorf("%s: %v", what, err)
				}
			}
		})
	}
	if text, err := os.ReadFile(elsewhere); err != nil || len(text) > 0 {
		t.Errorf("the link was followed: %q, %v", text, err)
	}
}

func begun(l *fetch.AuditLog) error {
	_, err := l.Begin("q", "", nil)
	return err
}

// TestLinesOfManyDoNotMix: each is one write at the end of the file.
func TestLinesOfManyDoNotMix(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.log")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			log := logIn(t, file)
			for range 25 {
				if err := log.Write(fetch.AuditEntry{Event: fetch.AuditLocal, Question: strings.Repeat("KRAS ", 200)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := len(entriesIn(t, file)); n != 200 {
		t.Errorf("%d lines of 200", n)
	}
}
