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

	"dossier/internal/lazy"
)

// Where a process's memory is limited and it has come to the limit, Go's runtime ends it with a trace and exit code 2,
// whatever it was doing. Under a limit the work is therefore done by a second process, of the same program, group and
// terminal, and the first one says what it died of. Without a limit there is one process.

// supervisedVariable names, in the environment of the second process, the file that its runtime's last words go to.
const supervisedVariable = "_DOSSIER_WATCHED"

// outOfMemory is what the runtime says last where it gets no more: memory, addresses, or a thread and its stack.
var outOfMemory = lazy.Regexp(
	`(?m)^(?:fatal error|runtime|runtime/cgo): .*(?:memory|address space|newosproc|pthread_create)`)

// supervised has the work done by a process that is watched, where there is a limit, and gives its exit code. Where is is
// false the work is this process's, which may be the watched one. A service manager that waits for a word of the
// process that it started is not to hear it from another.
func supervised(ctx context.Context, s *Streams) (code int, is bool) {
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
	work.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // no work goes on that no one waits for
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
	_ = lastWords.SetReadDeadline(time.Now().Add(time.Second)) // whatever it has started may hold the other end
	return deathReason(s.Err, limit, <-said, work.ProcessState), true
}

// memoryLimit says how much memory a process may take; nothing where no limit is set.
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

// runSupervised has the runtime's last words go to whoever watches, and all else where it went.
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

// forwardSignals hands signals on to the process that works. What a terminal sends comes to the whole group by itself, and the
// same again would kill.
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

// deathReason says of a process that has ended what it died of where that was the limit, and gives its exit code. Where a
// signal has ended it, this one ends by the same.
func deathReason(w io.Writer, limit string, said []byte, state *os.ProcessState) int {
	if state.ExitCode() == 2 && outOfMemory().Match(said) {
		fmt.Fprintf(w, "%s: out of memory: a process may take %s here, which is too little; raise the limit and try "+
			"again: the store is as it was published, and what was committed since is taken up\n",
			filepath.Base(os.Args[0]), limit)
		return ExitFailed
	}
	_, _ = w.Write(said)

	if status, is := state.Sys().(syscall.WaitStatus); is && status.Signaled() {
		signal.Reset()
		_ = unix.Kill(unix.Getpid(), status.Signal())
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
