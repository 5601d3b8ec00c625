//go:build unix

package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dossier/internal/files"
)

// How many processes are killed at full fire, and of how many one call fails.
const (
	fireKills  = 1000
	fireFaults = 1000
)

// stage is a work with what it begins with, for trial after trial.
type stage struct {
	work
	*rehearsal
	paths  []string // that its calls named, below the data directory
	random *rand.Rand
}

func newStage(t *testing.T, w work, seed uint64) *stage {
	t.Helper()
	s := &stage{work: w, rehearsal: w.rehearsed(t), random: rand.New(rand.NewPCG(12, seed))}
	s.paths = pathsIn(s.calls, filepath.Join(s.begun.path, "deep", "data"))
	return s
}

// pathsIn gives the paths below a folder that calls name, and the folder itself.
func pathsIn(calls []fsCall, folder string) []string {
	found := map[string]bool{".": true}
	for _, c := range calls {
		for place, arg := range c.args {
			if !strings.HasPrefix(arg, `"`) || strings.HasPrefix(c.name, "write") || strings.HasPrefix(c.name, "pwrite") {
				continue
			}
			if rel, err := filepath.Rel(folder, string(c.text(place))); err == nil && filepath.IsLocal(rel) {
				found[rel] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// tampered is the work with one of its calls tampered with: killed on entry, or failing.
func (s *stage) tampered(t *testing.T, dir string, c fsCall, nth int, how string) *exec.Cmd {
	t.Helper()
	return strace(t, os.DevNull, s.command(t, dir, ""), "-e", "trace="+c.name, "-e", fmt.Sprintf("inject=%s:%s:when=%d",
		c.name, how, nth))
}

// broken is the work with a kind of call failing from the nth on, for good, on all that the store has or will have in
// the folder and below. One processor has nearly all calls made by one thread, which they are counted by.
func (s *stage) broken(t *testing.T, dir, call string, nth int, fault string) *exec.Cmd {
	t.Helper()
	options := []string{"-e", "trace=" + call, "-e", fmt.Sprintf("inject=%s:error=%s:when=%d+", call, fault, nth)}
	for _, path := range s.paths {
		options = append(options, "-P", filepath.Join(dir, path))
	}
	command := strace(t, os.DevNull, s.command(t, dir, ""), options...)
	command.Env = append(command.Env, "GOMAXPROCS=1")
	return command
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
				dir := s.again(t)
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
				must(t, os.RemoveAll(dir))
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
			s.callsOrSkip(t)
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

// TestAFaultSetsNoCopyAside: a disk that fails as the copy of an earlier run is opened says nothing of the copy.
func TestAFaultSetsNoCopyAside(t *testing.T) {
	skipInShort(t)
	s := newStage(t, *workNamed("a night"), 0)
	s.callsOrSkip(t)
	dir := s.again(t)
	told, err := s.command(t, dir, "publish: settled\t1").Output()
	if err == nil {
		t.Fatal("the writer was not killed")
	}
	s.paths = []string{filepath.Join(buildingName, folderName(2), evidenceName)}
	var said bytes.Buffer
	command := s.broken(t, dir, "openat", 1, "EIO")
	command.Stderr = &said
	if err := command.Run(); err == nil || !strings.Contains(said.String(), faultWords["EIO"][0]) {
		t.Errorf("with a copy that can't be opened: %v, %s", err, said.String())
	}
	if aside, err := (layout{dir: dir}).setAsideFolders(); err != nil || len(aside) > 0 {
		t.Errorf("set aside: %q, %v", aside, err)
	}
	must(t, s.check(t, dir, string(told), s.end))
}

// breakable are the kinds of calls that a disk may refuse for good, with what it says.
var breakable = []struct {
	call   string
	faults []string
}{
	{"openat", []string{"EIO", "ENOSPC", "EMFILE"}}, {"write", []string{"ENOSPC", "EIO"}}, {"pwrite64", []string{"ENOSPC", "EIO"}},
	{"fsync", []string{"EIO", "ENOSPC"}}, {"fdatasync", []string{"EIO", "ENOSPC"}}, {"renameat", []string{"EIO", "ENOSPC"}},
	{"mmap", []string{"ENOMEM"}}, {"mkdirat", []string{"ENOSPC"}}, {"ftruncate", []string{"ENOSPC"}},
	{"linkat", []string{"EIO"}},
}

// ends is how long a work may go on that can't be done.
const ends = 15 * time.Second

// TestFireFaultsThatStay has a kind of call fail for good, from one place on: whatever the work is, it ends soon, says
// what the system said and what can be done, and leaves readers what was published last, the lock free, and the same
// end once the fault is gone.
func TestFireFaultsThatStay(t *testing.T) {
	skipInShort(t)
	for number, w := range works() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, w, uint64(number))
			s.callsOrSkip(t)
			tried, failed := 0, 0
			for _, b := range breakable {
				most := max(countCalls(s.calls, b.call), 1)
				if b.call == "mmap" { // which is not recorded
					most = countCalls(s.calls, "openat")
				}
				places := s.random.Perm(most)
				for round, place := range places[:fired(most)] {
					fault := b.faults[round%len(b.faults)]
					said, err := s.done(t, ends, fault, func(dir string) *exec.Cmd {
						return s.broken(t, dir, b.call, 1+place, fault)
					})
					tried++
					if said != "" {
						failed++
					}
					if err != nil {
						t.Errorf("each %s from number %d on gives %s: %v\nsaid: %.2000s", b.call, 1+place, fault, err, said)
					}
				}
			}
			t.Logf("%d faults; %d times the work ended with an error", tried, failed)
		})
	}
}

// faultWords are what an error says of a fault, one of which a reader needs.
var faultWords = map[string][]string{"EIO": {"input/output error"}, "ENOSPC": {"no space left", "no room left"},
	"EMFILE": {"too many open files"}, "ENOMEM": {"cannot allocate memory"}}

// fault does the work with one call failing; the error says what promise is broken.
func (s *stage) fault(t *testing.T, c fsCall, nth int, how string) (stderr string, err error) {
	t.Helper()
	return s.done(t, patience, "", func(dir string) *exec.Cmd { return s.tampered(t, dir, c, nth, how) })
}

// done does the work by a command that may fail within a time, and where it does for a fault that is to be told; the
// error says what promise is broken.
func (s *stage) done(t *testing.T, within time.Duration, fault string, by func(dir string) *exec.Cmd) (stderr string,
	err error) {
	t.Helper()
	dir := s.again(t)
	defer func() { must(t, os.RemoveAll(dir)) }()
	var out, said bytes.Buffer
	command := by(dir)
	command.Stdout, command.Stderr = &out, &said
	must(t, command.Start())
	timer := time.AfterFunc(within, func() { _ = command.Process.Kill() })
	waitErr := command.Wait()
	var ended *exec.ExitError
	switch {
	case !timer.Stop():
		return said.String(), errors.New("it hangs")
	case strings.Contains(said.String(), "netpollBreak"):
		return said.String(), nil // the call was one of Go's runtime, by which its threads wake each other
	case errors.As(waitErr, &ended) && ended.ExitCode() != 1:
		return said.String(), fmt.Errorf("it ended with %v", waitErr)
	case fault != "" && waitErr != nil && !slices.ContainsFunc(faultWords[fault], func(word string) bool {
		return strings.Contains(said.String(), word)
	}):
		err = fmt.Errorf("it does not tell of %s", fault)
	}
	words := (&files.DamageError{}).Error()
	if !s.mends && strings.Contains(said.String(), words[:strings.Index(words, ":")]) {
		err = errors.Join(err, errors.New("the fault was called damage"))
	}
	asides, asideErr := (layout{dir: dir}).setAsideFolders()
	if slices.ContainsFunc(asides, func(path string) bool { return strings.HasSuffix(path, brokenSuffix) }) {
		err = errors.Join(err, fmt.Errorf("set aside: %v", asides))
	}
	return said.String(), errors.Join(err, asideErr, s.check(t, dir, out.String(), s.end))
}
