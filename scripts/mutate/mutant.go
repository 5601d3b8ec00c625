package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// mutant is one file with one break.
type mutant struct {
	name, file, place, why string
	line                   string // that a break by rule is in
	content                []byte
	tests                  []string // packages
	by                     []string // what their test functions match; none: all
}

// fate is what became of a break.
type fate string

const (
	noticed  fate = "noticed"
	survived fate = "SURVIVED"
	invalid  fate = "invalid" // it does not build: the compiler notices it, which says nothing of the tests
)

func (m mutant) reason(what fate) string {
	if what != survived || m.why == "" {
		return ""
	}
	return " (" + m.why + ")"
}

// test builds and runs the packages' tests with the break in place: all short ones first, as most breaks are noticed
// there, in a part of the time.
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

	for _, pkg := range m.tests { // the break's own first: most are noticed there
		binary := binaryOf(dir, pkg)

		said, err := build(ctx, pkg, binary, "-overlay", overlay)
		if errors.Is(err, errFailed) {
			return invalid, buildable(ctx, pkg, binary, said)
		}

		if err != nil {
			return "", err
		}

		if what, err := m.try(ctx, wait, pkg, binary, true); what != survived {
			return what, err
		}
	}

	for _, pkg := range m.tests { // what the short tests do not notice, the long ones may
		binary := binaryOf(dir, pkg)
		if what, err := m.try(ctx, wait, pkg, binary, false); what != survived {
			return what, err
		}
	}
	return survived, nil
}

func binaryOf(dir, pkg string) string {
	return filepath.Join(dir, strings.ReplaceAll(path.Clean(pkg), "/", "-")+".test")
}

// try runs a package's tests that hold the break, whole or short. Those that do not end are as good as failed ones.
func (m mutant) try(ctx context.Context, wait time.Duration, pkg, binary string, short bool) (fate, error) {
	within, cancel := context.WithTimeout(ctx, wait)
	defer cancel()

	only := ""
	if len(m.by) > 0 {
		only = "^(" + strings.Join(m.by, "|") + ")$"
	}

	_, err := run(within, pkg, binary, "-test.failfast", "-test.run", only, "-test.short="+strconv.FormatBool(short))
	switch {
	case err == nil:
		return survived, nil
	case errors.Is(err, errFailed), ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return noticed, nil
	}
	return "", err
}

// build makes a package's tests a program.
func build(ctx context.Context, pkg, binary string, more ...string) (said []byte, err error) {
	args := append([]string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", binary}, more...)
	return run(ctx, "", "go", append(args, pkg)...)
}

// buildable is nil where the tests of a package can be built without the break: then it is the break that could not.
func buildable(ctx context.Context, pkg, binary string, said []byte) error {
	if _, err := build(ctx, pkg, binary); err != nil {
		return fmt.Errorf("the tests of %s can't be built, broken or whole: %w\n%s", pkg, err, said)
	}
	return nil
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

// errFailed says that a program ran to its end and was not content.
var errFailed = errors.New("failed")

// run runs a program in a folder, with all that it starts in a group of its own, so that nothing is left behind when
// the time is over.
func run(ctx context.Context, dir, name string, args ...string) (said []byte, err error) {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = dir
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.WaitDelay = time.Second
	said, err = command.CombinedOutput()

	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case errors.As(err, &exit):
		err = errFailed
	}

	if err != nil {
		err = fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	return said, err
}
