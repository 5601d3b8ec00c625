//go:build unix

package dossier_test

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// anotherUser is a user of this machine who is neither root nor the one who runs the test, made for it and removed
// behind it. Only root can make one: else the test is skipped.
func anotherUser(t *testing.T) *syscall.Credential {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can make another user")
	}
	name := fmt.Sprintf("dossier-t%d", os.Getpid())
	if _, err := user.Lookup(name); err != nil {
		if out, err := exec.Command("useradd", "--no-create-home", "--shell", "/bin/sh", name).CombinedOutput(); err != nil {
			t.Skipf("another user can't be made here: %v %s", err, out)
		}
		t.Cleanup(func() { _ = exec.Command("userdel", name).Run() })
	}
	made, err := user.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(made.Uid)
	gid, _ := strconv.Atoi(made.Gid)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// openTo lets other users reach a test's folder, as they reach those that all of a machine share.
func openTo(t *testing.T, dir string) {
	t.Helper()
	for folder := dir; folder != os.TempDir() && len(folder) > 1; folder = filepath.Dir(folder) {
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(binaries, 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestAnotherUsersFolder: whoever is led into it, root too, does nothing that its files say.
func TestAnotherUsersFolder(t *testing.T) {
	other := anotherUser(t)
	for _, tc := range []struct {
		name  string
		files map[string]string
		bin   string
		args  []string
		want  string // of what is said before the end with 2
	}{
		{"a configuration", map[string]string{"config.yaml": "privacy: {patient_identifiers: allow}\n" +
			"sources: {europepmc: {base_url: \"http://127.0.0.1:1\"}}\naudit: {file: steal.log}\n"},
			"query", []string{"--live", "EGFR T790M lung cancer of Jane Doe"}, "config.yaml of this folder is not obeyed"},
		{"topics", map[string]string{"jobs/theirs.yaml": oneTopic}, "indexer", []string{"run", "--offline"},
			"jobs/theirs.yaml of this folder is not run"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, content := range tc.files {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
				if err := os.Chown(path, int(other.Uid), int(other.Gid)); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command(filepath.Join(binaries, tc.bin), tc.args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+t.TempDir())
			out, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(string(out), tc.want) ||
				!strings.Contains(string(out), fmt.Sprintf("belongs to user %d, who is neither you nor root", other.Uid)) {
				t.Errorf("it ends with %d:\n%s", code, out)
			}
			for _, made := range []string{"steal.log", "data"} {
				if _, err := os.Stat(filepath.Join(dir, made)); err == nil {
					t.Errorf("%s was made", made)
				}
			}
		})
	}
}
