//go:build unix

package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestWhatIsNoFileIsNotRead: a pipe would wait for ever, a link leads to what is not ours to show.
func TestWhatIsNoFileIsNotRead(t *testing.T) {
	for name, tc := range map[string]struct {
		replace func(t *testing.T, path string)
		want    string
	}{
		"a pipe":   {func(t *testing.T, path string) { must(t, syscall.Mkfifo(path, 0o644)) }, "it is a pipe"},
		"a folder": {func(t *testing.T, path string) { must(t, os.Mkdir(path, 0o755)) }, "it is a folder"},
		"a socket": {func(t *testing.T, path string) { must(t, syscall.Mknod(path, syscall.S_IFSOCK|0o644, 0)) },
			"it is a socket"},
		"a link":         {func(t *testing.T, path string) { must(t, os.Symlink("../whole", path)) }, "it is a link"},
		"a link nowhere": {func(t *testing.T, path string) { must(t, os.Symlink("nowhere", path)) }, "it is a link"},
		"one without end": {func(t *testing.T, path string) {
			must(t, os.WriteFile(path, nil, 0o644))
			must(t, os.Truncate(path, maxInboxFile+1))
		}, "at most"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := inboxOf(t, liveAnswer("q", night, 1))
			must(t, os.Rename(file, filepath.Join(dir, "whole")))
			tc.replace(t, file)
			entries, findings, err := ReadInbox(t.Context(), dir)
			if err != nil || len(entries) != 0 || len(findings) != 1 || !strings.Contains(findings[0].Problem, tc.want) {
				t.Errorf("ReadInbox: %d entries, %v, %v", len(entries), findings, err)
			}
			wantAside(t, dir, file)
		})
	}
	t.Run("a name of no live answer", func(t *testing.T) {
		dir, file := inboxOf(t, liveAnswer("q", night, 1))
		other := filepath.Join(filepath.Dir(file), "evil.answer")
		must(t, os.Rename(file, other))
		if _, findings, err := ReadInbox(t.Context(), dir); err != nil || len(findings) != 1 || !strings.Contains(
			findings[0].Problem, "name") {
			t.Errorf("ReadInbox: %v, %v", findings, err)
		}
		wantAside(t, dir, other)
	})
}

func TestPermissionsOfTheInbox(t *testing.T) {
	for name, tc := range map[string]struct {
		data   fs.FileMode // of the data directory
		umask  int
		folder fs.FileMode // of the inbox that is made
		file   fs.FileMode
	}{
		"one user's":               {0o755, 0o022, 0o750, 0o600},
		"a group's":                {0o2775, 0o002, 0o770, 0o660},
		"a group's that reads":     {0o2775, 0o027, 0o750, 0o600},
		"a group's, and a umask":   {0o2775, 0o007, 0o770, 0o660},
		"nobody else's":            {0o700, 0o077, 0o700, 0o600},
		"a group's, kept to owner": {0o2775, 0o077, 0o700, 0o600},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			must(t, os.Mkdir(dir, 0o755))
			must(t, os.Chmod(dir, tc.data&0o777))
			defer syscall.Umask(syscall.Umask(tc.umask)) // of the process: these tests do not run at once with others
			must(t, PutInbox(dir, liveAnswer("q", night, 1)))
			folder, err := os.Stat(layout{dir: dir}.inbox())
			must(t, err)
			names, err := withSuffix(layout{dir: dir}.inbox(), inboxSuffix)
			must(t, err)
			file, err := os.Stat(names[0])
			must(t, err)
			if folder.Mode().Perm() != tc.folder || file.Mode().Perm() != tc.file {
				t.Errorf("the inbox has %o, its file %o; want %o and %o", folder.Mode().Perm(), file.Mode().Perm(), tc.folder,
					tc.file)
			}
		})
	}
}

// TestAStrangersAnswer needs to be root, to give a file away.
func TestAStrangersAnswer(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
	dir, file := inboxOf(t, liveAnswer("q", night, 1))
	must(t, os.Chown(file, 54321, -1))
	entries, _, err := ReadInbox(t.Context(), dir)
	if err != nil || len(entries) != 1 || entries[0].Trusted || entries[0].Owner != "user 54321" {
		t.Errorf("%+v, %v", entries, err)
	}
}
