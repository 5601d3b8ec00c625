//go:build unix

package store

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// holdLock starts another process that holds the store's lock until release is called, or it is killed.
func holdLock(t *testing.T, dir string) (command *exec.Cmd, release func()) {
	t.Helper()
	command = exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), holdDirVariable+"="+dir)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	must(t, err)
	out, err := command.StdoutPipe()
	must(t, err)
	must(t, command.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = command.Wait() })
	return command, func() { _ = in.Close(); _, _ = io.Copy(io.Discard, out) }
}

func TestAnotherProcessHoldsTheLock(t *testing.T) {
	t.Parallel() // the other process takes a second to end with the race detector
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 5)
	other, release := holdLock(t, dir)

	for name, operation := range map[string]func() error{
		"Begin":       func() error { _, err := Folder(dir).Begin(t.Context(), testOptions()); return err },
		"Rollback":    func() error { _, err := Folder(dir).Rollback(t.Context(), 0, testOptions()); return err },
		"RebuildText": func() error { _, err := Folder(dir).RebuildText(t.Context(), testOptions()); return err },
	} {
		err := operation()
		var locked *LockedError
		if !errors.As(err, &locked) {
			t.Fatalf("%s: %v", name, err)
		}
		if locked.Program != "indexer run" || locked.PID != other.Process.Pid || !locked.Since.Equal(night) ||
			locked.Dir != dir {
			t.Errorf("%s says %+v", name, locked)
		}
		if !strings.Contains(err.Error(), "locked by indexer run (process ") {
			t.Errorf("%s says %q", name, err)
		}
	}
	info, err := Folder(dir).Status(t.Context())
	if err != nil || info.Writer == nil || info.Writer.PID != other.Process.Pid {
		t.Errorf("Status: %+v, %v", info, err)
	}
	if record, ok, err := open(t, dir).Record(paperID(1)); !ok || err != nil || record.ID == "" {
		t.Errorf("a reader beside the writer: %v", err)
	}
	release()
	w := begin(t, dir, testOptions())
	must(t, w.Close())
	if info, err := Folder(dir).Status(t.Context()); err != nil || info.Writer != nil {
		t.Errorf("Status after the lock was let go: %+v, %v", info, err)
	}
}

func TestAKilledHolderIsHarmless(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 5)
	other, _ := holdLock(t, dir)
	must(t, other.Process.Kill())
	_ = other.Wait()
	if content, err := os.ReadFile(filepath.Join(dir, lockName)); err != nil || len(content) == 0 {
		t.Errorf("the killed holder's words are gone: %q, %v", content, err)
	}
	begin(t, dir, testOptions())
}
