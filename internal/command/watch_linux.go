package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"dossier/internal/text"
)

// When a process reaches a memory limit, Go's runtime ends it with a trace and exit code 2, whatever it was doing. So
// under a limit a second process, of the same program, group and terminal, does the work, and the first one explains
// why it died. Without a limit there is one process.

// supervisedVariable names, in the environment of the second process, the file for its runtime's last words.
const supervisedVariable = "_DOSSIER_WATCHED"

// outOfMemory matches the runtime's last words when it runs out of memory, addresses, or threads.
var outOfMemory = text.LazyRegexp(
	`(?m)^(?:fatal error|runtime|runtime/cgo): .*(?:memory|address space|newosproc|pthread_create)`)

// supervised runs the work in a supervised process, if there is a limit, and returns its exit code. If ok is false
// this process does the work; it may be the supervised one. A service manager that waits for a notification of the
// process that it started must not get it from another.
func supervised(ctx context.Context, s *Streams) (code int, ok bool) {
	limit := memoryLimit()
	switch {
	case lookup(s.Environ, supervisedVariable) != "":
		runSupervised(s)
		return 0, false
	case limit == "" || lookup(s.Environ, "NOTIFY_SOCKET") != "":
		return 0, false
	}

	lastWords, write, err := os.Pipe()
	if err != nil {
		return 0, false
	}
	defer lastWords.Close()

	inherited, err := unix.FcntlInt(write.Fd(), unix.F_DUPFD, 10)
	if err != nil {
		return 0, false
	}
	work := exec.CommandContext(ctx, "/proc/self/exe")
	work.Args, work.Env = os.Args, append(os.Environ(), fmt.Sprintf("%s=%d", supervisedVariable, inherited))
	work.Stdin, work.Stdout, work.Stderr = os.Stdin, os.Stdout, os.Stderr
	work.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // no work continues without its supervisor
	runtime.LockOSThread()                                              // it would come with the end of this thread
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	err = work.Start()
	_ = write.Close()
	_ = unix.Close(inherited)

	if err != nil {
		signal.Reset()
		return 0, false
	}
	go forwardSignals(signals, work.Process)
	said := make(chan []byte, 1)
	go func() {
		words, _ := io.ReadAll(lastWords)
		said <- words
	}()
	_ = work.Wait()
	_ = lastWords.SetReadDeadline(time.Now().Add(time.Second)) // its child processes may hold the other end
	return deathReason(s.Err, limit, <-said, work.ProcessState), true
}

// memoryLimit is how much memory a process may take; empty without a limit.
func memoryLimit() string {
	for _, l := range []struct {
		resource int
		what     string
	}{{unix.RLIMIT_AS, "of addresses (ulimit -v)"}, {unix.RLIMIT_DATA, "of data (ulimit -d)"}} {
		var limit unix.Rlimit
		if unix.Getrlimit(l.resource, &limit) == nil && limit.Cur != unix.RLIM_INFINITY {
			return fmt.Sprintf("%d MB %s", limit.Cur>>20, l.what)
		}
	}
	return ""
}

// runSupervised sends the runtime's last words to the supervisor, and all other output where it went before.
func runSupervised(s *Streams) {
	file, err := strconv.Atoi(lookup(s.Environ, supervisedVariable))
	if err != nil {
		return
	}
	s.Environ = slices.DeleteFunc(s.Environ, func(v string) bool { return strings.HasPrefix(v, supervisedVariable+"=") })
	_ = os.Unsetenv(supervisedVariable)

	if people, err := unix.FcntlInt(2, unix.F_DUPFD_CLOEXEC, 3); err == nil && unix.Dup3(file, 2, 0) == nil {
		os.Stderr = os.NewFile(uintptr(people), "/dev/stderr")
		s.Err = os.Stderr
	}
	_ = unix.Close(file)
}

// forwardSignals forwards signals to the working process. A terminal sends its signals to the whole group, so
// forwarding those would kill.
func forwardSignals(signals <-chan os.Signal, work *os.Process) {
	for s := range signals {
		if s == syscall.SIGTERM || !inForeground() {
			_ = work.Signal(s)
		}
	}
}

func inForeground() bool {
	terminal, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer terminal.Close()
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// deathReason explains the death of a process at its memory limit, and returns its exit code. If a signal ended it,
// this process ends by the same signal.
func deathReason(w io.Writer, limit string, said []byte, state *os.ProcessState) int {
	if state.ExitCode() == 2 && outOfMemory().Match(said) {
		fmt.Fprintf(w, "%s: out of memory: a process may take %s here, which is too little; raise the limit and try "+
			"again: the store is as it was published, and what was committed since is taken up\n",
			filepath.Base(os.Args[0]), limit)
		return ExitFailed
	}
	_, _ = w.Write(said)

	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		signal.Reset()
		_ = unix.Kill(unix.Getpid(), status.Signal())
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
