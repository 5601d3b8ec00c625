package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// mutant is one file with one break.
type mutant struct {
	name, file, place, why string
	content                []byte
	tests                  []string // packages
	by                     []string // their test functions; none: all
}

// fate is what became of a break.
type fate string

const (
	noticed  fate = "noticed"
	survived fate = "SURVIVED"
	unbuilt  fate = "unbuilt" // the compiler notices it, which says nothing of the tests
)

func (m mutant) reason(what fate) string {
	if what != survived || m.why == "" {
		return ""
	}
	return " (" + m.why + ")"
}

// test builds and tests the packages with the break in place. Tests that do not end are as good as failed ones.
func (m mutant) test(ctx context.Context, wait time.Duration) (fate, error) {
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	overlay, err := m.overlay(dir)
	if err != nil {
		return "", err
	}
	if m.goTool(ctx, wait, append([]string{"build", "-overlay", overlay}, "./"+filepath.Dir(m.file))) != nil {
		return unbuilt, ctx.Err()
	}
	run := ""
	if len(m.by) > 0 {
		run = "^(" + strings.Join(m.by, "|") + ")$"
	}
	for _, pkg := range m.tests { // the break's own first: most are noticed there
		err := m.goTool(ctx, wait, []string{"test", "-overlay", overlay, "-count=1", "-failfast", "-vet=off", "-run", run,
			pkg})
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil {
			return noticed, nil
		}
	}
	return survived, nil
}

// overlay writes the broken file, and the list that has the compiler read it in place of the whole one.
func (m mutant) overlay(dir string) (string, error) {
	whole, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	broken := filepath.Join(dir, filepath.Base(m.file))
	if err := os.WriteFile(broken, m.content, 0o600); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {whole: broken}})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, list, 0o600)
}

// goTool runs the go command, with all that it starts in a group of its own, so that nothing is left behind when the
// time is over.
func (m mutant) goTool(ctx context.Context, wait time.Duration, args []string) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	command := exec.CommandContext(ctx, "go", args...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.WaitDelay = time.Second
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		return fmt.Errorf("go %s: %w", args[0], err)
	}
	return err
}
