//go:build unix

package store

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// The environment variables that make this test binary another process; see TestMain.
const (
	crashDirVariable  = "STORE_CRASH_DIR"
	crashWorkVariable = "STORE_CRASH_WORK" // a work's name
	// a step's name, a tab and which of its occurrences; where it is empty nothing is killed
	crashStepVariable = "STORE_CRASH_STEP"
	holdDirVariable   = "STORE_HOLD_DIR"
)

// TestMain lets the test binary serve as the processes that are killed, or that hold a lock.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // the tests' stores are small: a sixth of their time goes without
	switch {
	case os.Getenv(crashDirVariable) != "":
		flag.Parse()
		os.Exit(crashingWriter(os.Getenv(crashDirVariable), os.Getenv(crashWorkVariable), os.Getenv(crashStepVariable)))
	case os.Getenv(examineVariable) != "":
		os.Exit(examiner(os.Getenv(examineVariable)))
	case os.Getenv(rigVariable) != "":
		os.Exit(rigNight(os.Getenv(rigVariable)))
	case os.Getenv(stockVariable) != "":
		os.Exit(stockAnswers(os.Getenv(stockVariable), os.Args[1:]))
	case os.Getenv(holdDirVariable) != "":
		os.Exit(lockHoldingWriter(os.Getenv(holdDirVariable)))
	}
	os.Exit(m.Run())
}

// crashingWriter does a work and kills itself at the step.
func crashingWriter(dir, name, step string) int {
	at, occurrence, _ := strings.Cut(step, "\t")
	left, _ := strconv.Atoi(occurrence)
	options := crashOptions(func(passed string) {
		if passed != at {
			return
		}
		if left--; left == 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // until the signal has arrived
		}
	})
	all := works()
	place := slices.IndexFunc(all, func(w work) bool { return w.name == name })
	if err := all[place].do(context.Background(), dir, options, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// The steps of a first store and of a night are all tried; those of the other works, which share most of them, at full
// fire.
func TestKillAtEveryStep(t *testing.T) {
	t.Parallel()
	for number, w := range works() {
		t.Run(w.name, func(t *testing.T) {
			rehearsed := w.rehearsed(t)
			passed := rehearsed.steps
			var steps []string
			for _, name := range slices.Sorted(maps.Keys(passed)) {
				for _, occurrence := range slices.Compact([]int{1, passed[name]}) { // the first and the last
					steps = append(steps, fmt.Sprintf("%s\t%d", name, occurrence))
				}
			}
			if number > 1 {
				random := rand.New(rand.NewPCG(12, uint64(number)))
				random.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
				steps = steps[:min(len(steps), fired(len(steps)))]
			}
			for _, step := range steps {
				t.Run(strings.Replace(step, "\t", "/", 1), func(t *testing.T) {
					t.Parallel()
					dir := rehearsed.again(t)
					out, err := w.command(t, dir, step).Output()
					if err == nil {
						t.Fatal("the writer was not killed")
					}
					must(t, w.check(t, dir, string(out), rehearsed.end))
				})
			}
		})
	}
}

// lockHoldingWriter holds the store's lock until its standard input ends.
func lockHoldingWriter(dir string) int {
	options := testOptions()
	options.Owner = "indexer run"
	w, err := Folder(dir).Begin(context.Background(), options)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("held")
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := w.Close(); err != nil {
		return 1
	}
	return 0
}

// Between the folder's move and CURRENT's change a generation is complete but not current. After a crash there it is
// published by the next run; after a rollback it must not be.
func TestAnInterruptedPublicationIsNotARollback(t *testing.T) {
	t.Parallel()
	crashed := func(t *testing.T) string {
		dir := filepath.Join(t.TempDir(), "data")
		publishPapers(t, dir, 1, 30)
		if err := workNamed("a night").command(t, dir, "publish: moved\t1").Run(); err == nil {
			t.Fatal("the writer was not killed")
		}
		return dir
	}
	current := func(t *testing.T, dir string) int {
		about, err := open(t, dir).Generation()
		must(t, err)
		return about.Number
	}
	t.Run("the next run finishes it", func(t *testing.T) {
		dir := crashed(t)
		if got := current(t, dir); got != 1 {
			t.Errorf("after the crash generation %d is current", got)
		}
		must(t, begin(t, dir, testOptions()).Close())
		if got := current(t, dir); got != 2 {
			t.Errorf("after the next run generation %d is current", got)
		}
	})
	t.Run("a rollback forgets it", func(t *testing.T) {
		dir := crashed(t)
		_, err := Folder(dir).Rollback(t.Context(), 1, testOptions())
		must(t, err)
		must(t, begin(t, dir, testOptions()).Close())
		if got := current(t, dir); got != 1 {
			t.Errorf("after the next run generation %d is current", got)
		}
	})
	t.Run("a damaged one is set aside", func(t *testing.T) {
		dir := crashed(t)
		must(t, os.Truncate(recordsOf(layout{dir: dir}.generation(2)), 20480))
		must(t, begin(t, dir, testOptions()).Close())
		if got := current(t, dir); got != 1 || !exists(filepath.Join(dir, buildingName, "000002"+brokenSuffix)) {
			t.Errorf("generation %d is current", got)
		}
	})
}
