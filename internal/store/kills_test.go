//go:build unix

package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dossier/internal/damage"
)

// How many processes are killed at full fire, and of how many one call fails.
const (
	fireKills  = 1000
	fireFaults = 1000
)

// stage is a work with what it begins with, for trial after trial.
type stage struct {
	work
	end    contents
	store  *unsteadyDisk
	calls  []fsCall // of the work undisturbed; none where there is no strace
	took   time.Duration
	random *rand.Rand
}

func newStage(t *testing.T, w work, seed uint64) *stage {
	t.Helper()
	_, end := w.undisturbed(t)
	s := &stage{work: w, end: end, random: rand.New(rand.NewPCG(12, seed))}
	root := t.TempDir()
	dir := filepath.Join(root, "deep", "data")
	if w.before != nil {
		w.before(t, dir)
	}
	s.store = newUnsteadyDisk(t, root)
	begun := time.Now()
	must(t, w.command(t, dir, "").Run())
	s.took = time.Since(begun)
	if _, err := exec.LookPath("strace"); err == nil {
		again := filepath.Join(t.TempDir(), "disk")
		s.store.cut(t, again, s.random, 1)
		s.calls = record(t, w.command(t, filepath.Join(again, "deep", "data"), ""))
	}
	return s
}

// set gives the data directory of a fresh copy.
func (s *stage) set(t *testing.T) (dir string, clear func()) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "disk")
	s.store.cut(t, root, s.random, 1)
	return filepath.Join(root, "deep", "data"), func() { must(t, os.RemoveAll(root)) }
}

// tampered is the work with one of its calls tampered with: killed on entry, or failing.
func (s *stage) tampered(t *testing.T, dir string, c fsCall, nth int, how string) *exec.Cmd {
	t.Helper()
	return strace(t, os.DevNull, s.command(t, dir, ""), "-e", "trace="+c.name, "-e", fmt.Sprintf("inject=%s:%s:when=%d",
		c.name, how, nth))
}

// TestFireKills kills processes, every other one on entry to a system call that works on files, the others at any
// moment.
func TestFireKills(t *testing.T) {
	skipInShort(t)
	all := works()
	for number, w := range all {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, w, uint64(number))
			killed, rounds, want := 0, 0, max(1, fired(fireKills)/len(all))
			for round := 0; killed < want && round < 10*want; round++ {
				rounds++
				dir, clear := s.set(t)
				var out bytes.Buffer
				command, when := s.command(t, dir, ""), time.Duration(s.random.Int64N(int64(s.took)))
				about := fmt.Sprintf("after %v", when)
				if round%2 == 0 && len(s.calls) > 0 {
					c := s.calls[s.random.IntN(len(s.calls))]
					nth := 1 + s.random.IntN(countCalls(s.calls, c.name)) // a thread's: some are never reached
					command, when, about = s.tampered(t, dir, c, nth, "signal=KILL"), patience,
						fmt.Sprintf("at a thread's %s number %d", c.name, nth)
				}
				command.Stdout = &out
				must(t, command.Start())
				timer := time.AfterFunc(when, func() { _ = command.Process.Kill() })
				if err := command.Wait(); err != nil {
					killed++
				}
				timer.Stop()
				if err := s.check(t, dir, out.String(), s.end); err != nil {
					t.Errorf("killed %s: %v", about, err)
				}
				clear()
			}
			t.Logf("%d of %d killed, the others were faster", killed, rounds)
		})
	}
}

// TestFireFaults has a call of a writer fail, another one each time. What fails is told as what it is and never as
// damage; nothing is set aside for it, and nothing is lost.
func TestFireFaults(t *testing.T) {
	skipInShort(t)
	for number, name := range []string{"a night", "a first store", "a rollback after an interrupted publication",
		"a repair of the text"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, *workNamed(name), uint64(number))
			if len(s.calls) == 0 {
				t.Skip("strace is not installed: no call can be made to fail")
			}
			tried, failed := 0, 0
			rounds := max(1, fired(fireFaults)/4)
			for round := range rounds {
				place := round % len(s.calls)
				if rounds < len(s.calls) {
					place = s.random.IntN(len(s.calls))
				}
				c := s.calls[place]
				nth := 1 + countCalls(s.calls[:place], c.name)/(1+s.random.IntN(3)) // a thread's: later ones are seldom reached
				fault := []string{"EIO", "ENOSPC", "EMFILE"}[s.random.IntN(3)]
				if fault == "EMFILE" && c.name != "openat" {
					fault = "EIO"
				}
				stderr, err := s.fault(t, c, nth, "error="+fault)
				tried++
				if stderr != "" {
					failed++
				}
				if err != nil {
					t.Errorf("a thread's %s number %d gives %s: %v\nsaid: %.2000s", c.name, nth, fault, err, stderr)
				}
			}
			t.Logf("%d calls failed; %d times the work ended with an error", tried, failed)
		})
	}
}

// fault does the work with one call failing; the error says what promise is broken.
func (s *stage) fault(t *testing.T, c fsCall, nth int, how string) (stderr string, err error) {
	t.Helper()
	dir, clear := s.set(t)
	defer clear()
	var out, said bytes.Buffer
	command := s.tampered(t, dir, c, nth, how)
	command.Stdout, command.Stderr = &out, &said
	must(t, command.Start())
	timer := time.AfterFunc(patience, func() { _ = command.Process.Kill() })
	waitErr := command.Wait()
	var ended *exec.ExitError
	switch {
	case !timer.Stop():
		return said.String(), errors.New("it hangs")
	case strings.Contains(said.String(), "netpollBreak"):
		return said.String(), nil // the call was one of Go's runtime, by which its threads wake each other
	case errors.As(waitErr, &ended) && ended.ExitCode() != 1:
		return said.String(), fmt.Errorf("it ended with %v", waitErr)
	}
	words := (&damage.Error{}).Error()
	if !s.mends && strings.Contains(said.String(), words[:strings.Index(words, ":")]) {
		err = errors.New("the fault was called damage")
	}
	asides, asideErr := (layout{dir: dir}).asides()
	if slices.ContainsFunc(asides, func(path string) bool { return strings.HasSuffix(path, brokenSuffix) }) {
		err = errors.Join(err, fmt.Errorf("set aside: %v", asides))
	}
	return said.String(), errors.Join(err, asideErr, s.check(t, dir, out.String(), s.end))
}
