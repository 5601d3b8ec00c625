//go:build unix

package dossier_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/writing"
	"dossier/internal/store"
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

// TestOnesOwnGroup: a umask of 002, as it is where each user has a group of their own, keeps nobody from their
// configuration; a file that everybody may write does.
func TestOnesOwnGroup(t *testing.T) {
	other := anotherUser(t)
	dir := t.TempDir()
	openTo(t, dir)
	path := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(path, []byte("offline: true\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dir, path} {
		if err := os.Chown(name, int(other.Uid), int(other.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	for mode, want := range map[os.FileMode]int{0o664: 0, 0o666: 2} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(filepath.Join(binaries, "indexer"), "config")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: other}
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("mode %o: it ends with %d, want %d:\n%s", mode, code, want, out)
		}
	}
}

// TestAReaderStopsNoRun: whoever may read a store can hold neither the lock of its runs nor a file that they work on.
func TestAReaderStopsNoRun(t *testing.T) {
	dir := t.TempDir()
	if cmd, output := command(t, dir, nil, "import-pubmed", "--offline", sample(t)); cmd.Run() != nil {
		t.Fatalf("importing:\n%s", output)
	}
	t.Run("the lock that readers see", func(t *testing.T) {
		for _, name := range []string{"LOCK", "CURRENT"} {
			f, err := os.Open(filepath.Join(dir, "data", name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
				t.Fatal(err)
			}
		}
		if cmd, output := command(t, dir, nil, "import-pubmed", "--offline", sample(t)); cmd.Run() != nil {
			t.Errorf("beside a reader that holds LOCK:\n%s", output)
		}
	})
	t.Run("another user of the store's group", func(t *testing.T) {
		other := anotherUser(t)
		openTo(t, dir)
		err := filepath.WalkDir(filepath.Join(dir, "data"), func(path string, _ os.DirEntry, err error) error {
			return errors.Join(err, os.Chown(path, -1, int(other.Gid)))
		})
		if err != nil {
			t.Fatal(err)
		}
		for command, works := range map[string]bool{
			"cat data/LOCK": true, "cat data/CURRENT": true, "cat data/LOCKED": false, "ls data/building": false,
			"echo >> data/LOCK": false,
		} {
			cmd := exec.Command("sh", "-c", command)
			cmd.Dir, cmd.SysProcAttr = dir, &syscall.SysProcAttr{Credential: other}
			if out, err := cmd.CombinedOutput(); (err == nil) != works {
				t.Errorf("%s: %v, %s", command, err, out)
			}
		}
		read := exec.Command(filepath.Join(binaries, "query"), "search", "osimertinib")
		read.Dir, read.Env = dir, append(os.Environ(), "HOME="+dir)
		read.SysProcAttr = &syscall.SysProcAttr{Credential: other}
		if out, err := read.CombinedOutput(); err != nil || !strings.Contains(string(out), "hits for") {
			t.Errorf("a search: %v\n%s", err, out)
		}
	})
	t.Run("whoever holds it is named", func(t *testing.T) {
		if runtime.GOOS != "linux" {
			t.Skip("only Linux tells who holds a lock")
		}
		f, err := os.Open(filepath.Join(dir, "data", "LOCKED"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			t.Fatal(err)
		}
		cmd, output := command(t, dir, nil, "import-pubmed", "--offline", sample(t))
		_ = cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != 5 || !strings.Contains(output.String(),
			fmt.Sprintf("(process %d of user ", os.Getpid())) {
			t.Errorf("it ends with %d:\n%s", code, output)
		}
	})
}

// TestAStoreIsItsOwnersAndItsGroups: nothing of what people asked stands where every user of the machine reads.
func TestAStoreIsItsOwnersAndItsGroups(t *testing.T) {
	dir := t.TempDir()
	if cmd, output := command(t, dir, nil, "import-pubmed", "--offline", sample(t)); cmd.Run() != nil {
		t.Fatalf("importing:\n%s", output)
	}
	if cmd, output := command(t, dir, nil, "export", "dossier.tar.zst"); cmd.Run() != nil {
		t.Fatalf("exporting:\n%s", output)
	}
	files := 0
	look := func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o027 != 0 {
			t.Errorf("%s has the mode %04o", path, info.Mode().Perm())
		}
		files++
		return err
	}
	if err := filepath.WalkDir(filepath.Join(dir, "data"), look); err != nil || files < 10 {
		t.Errorf("%d files, %v", files, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "dossier.tar.zst")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the bundle: %v, %v", info.Mode(), err)
	}
}

// TestWhatSomebodyElseAskedIsInNoList: a question that was asked live stands in the lists of who asked it, and in
// nothing that others watch, get by mail or read in a browser.
func TestWhatSomebodyElseAskedIsInNoList(t *testing.T) {
	const asked = "nivolumab after ipilimumab in uveal melanoma"
	for owner, listed := range map[string]bool{store.ProcessUser(): true, "somebody-else": false} {
		dir := t.TempDir()
		if cmd, output := command(t, dir, nil, "import-pubmed", "--offline", sample(t)); cmd.Run() != nil {
			t.Fatalf("importing:\n%s", output)
		}
		w, err := store.Folder(filepath.Join(dir, "data")).Begin(t.Context(),
			store.BeginOptions{Owner: "a night", Texts: writing.Texts{}})
		if err != nil {
			t.Fatal(err)
		}
		topic := evidence.Topic{ID: evidence.LiveTopicID(asked), Question: asked, Sources: evidence.SourceNames}
		answer := evidence.Answer{Topic: topic, Built: time.Now().UTC(), Owners: []string{owner}}
		if err := w.Commit(t.Context(), evidence.Batch{Answers: []evidence.Answer{answer}}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for line, mayList := range map[string]bool{
			"query topics": true, "query topics --format json": true, "indexer status": true, "query diff": true,
			"query explain nivolumab in cutaneous melanoma": true, "query __complete report ''": true,
			"indexer status --format prometheus": false, "indexer status --format json": true,
		} {
			cmd := exec.Command("sh", "-c", filepath.Join(binaries, line))
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir)
			out, _ := cmd.CombinedOutput()
			has := strings.Contains(string(out), asked) || strings.Contains(string(out), topic.ID)
			if has != (listed && mayList) {
				t.Errorf("of %s: %s tells of it: %v\n%s", owner, line, has, out)
			}
		}
	}
}
