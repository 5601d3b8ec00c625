//go:build unix

package fetch_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dossier/internal/fetch/fetchtest"
)

// Whoever may write into the shared folder may put anything there: it costs the sharing, and neither time nor a file of
// ours.
func TestWhatAStrangerPutsIntoTheSharedFolder(t *testing.T) {
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	victim := filepath.Join(t.TempDir(), "diary")
	must(t, os.WriteFile(victim, []byte("dear diary"), 0o600))
	for _, tc := range []struct {
		name string
		put  func(t *testing.T, path string)
	}{
		{"a link to a file of ours", func(t *testing.T, path string) { must(t, os.Symlink(victim, path)) }},
		{"a link to a file that is not there", func(t *testing.T, path string) { must(t, os.Symlink(victim+"-2", path)) }},
		{"a pipe that nobody writes to", func(t *testing.T, path string) { must(t, syscall.Mkfifo(path, 0o666)) }},
		{"a link to a device without end", func(t *testing.T, path string) { must(t, os.Symlink("/dev/zero", path)) }},
		{"a folder", func(t *testing.T, path string) { must(t, os.Mkdir(path, 0o777)) }},
	} {
		for _, file := range []string{"pubmed.slot", "pubmed.lock"} {
			t.Run(tc.name+" as "+file, func(t *testing.T) {
				dir := t.TempDir()
				tc.put(t, filepath.Join(dir, file))
				var log bytes.Buffer
				p := newPaced(t)
				client := p.client(dir, &log)
				for range 3 {
					p.ask(t, client, "pubmed")
				}
				if p.times[2] != 2*step {
					t.Errorf("requests left at %v, want our own pace", p.times)
				}
				if strings.Count(log.String(), "level=WARN") != 1 {
					t.Errorf("complained:\n%s", log.String())
				}
				info, err := os.Stat(victim)
				text, _ := os.ReadFile(victim)
				if err != nil || string(text) != "dear diary" || info.Mode().Perm() != 0o600 {
					t.Errorf("a file of ours was touched: %q, %v, %v", text, info, err)
				}
				if _, err := os.Stat(victim + "-2"); err == nil {
					t.Error("a file was made through a link")
				}
			})
		}
	}
}

// A slot far ahead that is not far enough to be damage holds nobody up for long.
func TestASlotFarAheadIsNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	now := fetchtest.Start()
	if err := os.WriteFile(filepath.Join(dir, "pubmed.slot"), stamp(now.Add(-time.Second), now.Add(110*time.Second)),
		0o666); err != nil {
		t.Fatal(err)
	}
	p := newPaced(t)
	client := p.client(dir, nil)
	p.ask(t, client, "pubmed")
	if p.times[0] > 10*time.Second {
		t.Errorf("waited %s", p.times[0])
	}
}

// The administrator's folder decides who may share, not the umask of whoever comes first.
func TestFilesAreSharedAsTheirFolderIs(t *testing.T) {
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	for _, tc := range []struct{ folder, file os.FileMode }{{0o777, 0o666}, {0o770, 0o660}, {0o700, 0o600}} {
		dir := filepath.Join(t.TempDir(), "limits")
		if err := os.Mkdir(dir, tc.folder); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, tc.folder); err != nil {
			t.Fatal(err)
		}
		p := newPaced(t)
		p.ask(t, p.client(dir, nil), "pubmed")
		for _, name := range []string{"pubmed.slot", "pubmed.lock"} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil || info.Mode().Perm() != tc.file {
				t.Errorf("folder %o: %s is %v, want %o (%v)", tc.folder, name, info.Mode(), tc.file, err)
			}
		}
	}
}
