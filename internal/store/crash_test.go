//go:build unix

package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// The environment variables that make this test binary a writer which kills itself; see TestMain.
const (
	crashDirVariable  = "STORE_CRASH_DIR"
	crashStepVariable = "STORE_CRASH_STEP" // a step's name, a tab and which of its occurrences
	holdDirVariable   = "STORE_HOLD_DIR"
)

// TestMain lets the test binary serve as the processes that are killed, or that hold a lock.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv(crashDirVariable) != "":
		os.Exit(crashingWriter(os.Getenv(crashDirVariable), os.Getenv(crashStepVariable)))
	case os.Getenv(holdDirVariable) != "":
		os.Exit(lockHoldingWriter(os.Getenv(holdDirVariable)))
	}
	os.Exit(m.Run())
}

// crashingWriter does the night's work and kills itself at the step.
func crashingWriter(dir, step string) int {
	name, occurrence, _ := strings.Cut(step, "\t")
	left, _ := strconv.Atoi(occurrence)
	options := crashOptions(func(at string) {
		if at != name {
			return
		}
		if left--; left == 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // until the signal has arrived
		}
	})
	if err := nightsWork(context.Background(), dir, options, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func crashOptions(step func(string)) BeginOptions {
	options := testOptions()
	options.Keep, options.step, options.textLag = 1, step, 1
	return options
}

// nightsWork is two publications of two commits each. It can be done again after any part of it, with the same end. Each
// commit that has returned is told to progress.
func nightsWork(ctx context.Context, dir string, options BeginOptions, progress io.Writer) error {
	w, err := Begin(ctx, dir, options)
	if err != nil {
		return err
	}
	for publication := range 2 {
		for part := range 2 {
			first := 31 + 40*publication + 20*part
			if err := w.Commit(ctx, nightsBatch(first)); err != nil {
				return err
			}
			fmt.Fprintln(progress, first)
		}
		if _, err := w.Publish(ctx); err != nil {
			return err
		}
	}
	return w.Close()
}

// nightsBatch holds twenty new papers, drops one that the store began with, renames another, and answers a topic.
func nightsBatch(first int) Batch {
	batch := papers(first, first+19)
	old := 1 + first%7
	batch.Drop, batch.DropSources = []string{paperID(old)}, []string{"pubmed|" + fmt.Sprint(old)}
	batch.Redirect = map[string]string{paperID(old): paperID(first)}
	batch.Answers = []evidence.Answer{answerOf("topic", "sotorasib?", night.AddDate(0, 0, first), first, first+1)}
	batch.Run = &evidence.Run{ID: "run-1", Started: night}
	batch.Curated = curatedFile(evidence.DateOf(night.AddDate(0, 0, first)), curatedOn(fmt.Sprint(first), "EID1"), curatedOn("7", fmt.Sprint("EID", first)))
	return batch
}

// contents is all that a reader can see, for comparison.
type contents struct {
	Records    map[string]string
	Topics     []TopicInfo
	Runs       []evidence.Run
	Counts     Counts
	InText     uint64
	Redirected map[string]string
	Curated    evidence.CuratedFile
}

func contentsOf(t *testing.T, r *Reader) contents {
	t.Helper()
	seen := contents{Records: map[string]string{}, Redirected: map[string]string{}}
	for record, err := range r.Records(t.Context()) {
		if err != nil {
			t.Fatalf("walking over the records: %v", err)
		}
		seen.Records[record.ID] = record.Title
	}
	for n := 1; n < 8; n++ {
		record, err := r.Record(paperID(n))
		if err != nil {
			t.Fatalf("Record(%s): %v", paperID(n), err)
		}
		seen.Redirected[paperID(n)] = record.ID
	}
	var err error
	if seen.Topics, err = r.Topics(); err != nil {
		t.Fatal(err)
	}
	if seen.Runs, err = r.Runs(0); err != nil {
		t.Fatal(err)
	}
	if seen.Counts, err = r.Counts(); err != nil {
		t.Fatal(err)
	}
	if seen.Curated, _, err = r.CuratedFile(); err != nil {
		t.Fatal(err)
	}
	found, err := r.Search(t.Context(), SearchRequest{Text: "sotorasib"})
	if err != nil {
		t.Fatal(err)
	}
	seen.InText = found.Total
	return seen
}

// undisturbed does the night's work without a crash: its steps with how often each was passed, and its end.
func undisturbed(t *testing.T) (steps map[string]int, end contents) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	steps = map[string]int{}
	publishPapers(t, dir, 1, 30)
	if err := nightsWork(t.Context(), dir, crashOptions(func(name string) { steps[name]++ }), io.Discard); err != nil {
		t.Fatal(err)
	}
	return steps, contentsOf(t, open(t, dir))
}

func crashCommand(t *testing.T, dir, step string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), crashDirVariable+"="+dir, crashStepVariable+"="+step)
	command.Stderr = os.Stderr
	return command
}

// checkAfterCrash holds the store to what is promised after a kill, finishes the night and compares its end.
func checkAfterCrash(t *testing.T, dir string, committed []int, end contents) {
	t.Helper()
	findings, err := Verify(t.Context(), dir, true)
	if err != nil {
		t.Fatalf("Verify: %v", err)
	}
	for _, finding := range findings {
		if !finding.Warning {
			t.Errorf("the kill left damage: %v", finding)
		}
	}
	published := contentsOf(t, open(t, dir)).Counts.Records
	if !slices.Contains([]int{30, 68, 106}, published) {
		t.Errorf("readers see %d records, no publication's number", published)
	}
	w := begin(t, dir, crashOptions(func(string) {}))
	for _, first := range committed {
		for n := first; n < first+20; n++ {
			if _, found, err := w.Judgement(evidence.JudgementKey("q", fmt.Sprint(n), "m", "1")); err != nil || !found {
				t.Fatalf("the judgement of paper %d was committed and is lost (%v)", n, err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := nightsWork(t.Context(), dir, crashOptions(func(string) {}), io.Discard); err != nil {
		t.Fatalf("the next night: %v", err)
	}
	if diff := cmp.Diff(end, contentsOf(t, open(t, dir))); diff != "" {
		t.Errorf("the store differs from one that was never killed (-want +got):\n%s", diff)
	}
}

func TestKillAtEveryStep(t *testing.T) {
	steps, end := undisturbed(t)
	for _, name := range slices.Sorted(maps.Keys(steps)) {
		for _, occurrence := range slices.Compact([]int{1, steps[name]}) { // the first and the last
			t.Run(fmt.Sprintf("%s/%d", name, occurrence), func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "data")
				publishPapers(t, dir, 1, 30)
				out, err := crashCommand(t, dir, fmt.Sprintf("%s\t%d", name, occurrence)).Output()
				if err == nil {
					t.Fatal("the writer was not killed")
				}
				checkAfterCrash(t, dir, committedIn(string(out)), end)
			})
		}
	}
}

// committedIn reads the first papers of the batches that a killed writer said it had committed.
func committedIn(out string) []int {
	var committed []int
	for line := range strings.Lines(out) {
		if n, err := strconv.Atoi(strings.TrimSpace(line)); err == nil && strings.HasSuffix(line, "\n") {
			committed = append(committed, n)
		}
	}
	return committed
}

// TestKillAtAnyTime kills from outside, while the writer is between or amid steps: after a random number of turns of an
// idle loop that follows a random line of its progress.
func TestKillAtAnyTime(t *testing.T) {
	_, end := undisturbed(t)
	random := rand.New(rand.NewPCG(2026, 11))
	for round := range 12 {
		lines, turns := random.IntN(4), random.IntN(60_000_000)
		t.Run(fmt.Sprintf("round %d", round), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			publishPapers(t, dir, 1, 30)
			command := crashCommand(t, dir, "")
			out, err := command.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			var seen strings.Builder
			reader := bufio.NewReader(io.TeeReader(out, &seen))
			for range lines {
				_, _ = reader.ReadString('\n')
			}
			for turn := 0; turn < turns && command.Process != nil; turn++ {
			}
			_ = command.Process.Kill()
			_, _ = io.Copy(io.Discard, reader)
			_ = command.Wait() // it was killed, or was faster: both are fine
			checkAfterCrash(t, dir, committedIn(seen.String()), end)
		})
	}
}

// lockHoldingWriter holds the store's lock until its standard input ends.
func lockHoldingWriter(dir string) int {
	options := testOptions()
	options.Owner = "indexer run"
	w, err := Begin(context.Background(), dir, options)
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

// A crash while a store's first generation is made leaves no store, or one that the next run finishes.
func TestKillWhileMakingTheStore(t *testing.T) {
	steps := map[string]bool{}
	first := func(ctx context.Context, dir string, options BeginOptions) error {
		w, err := Begin(ctx, dir, options)
		if err != nil {
			return err
		}
		if _, err := w.Publish(ctx); err != nil {
			return err
		}
		return w.Close()
	}
	must(t, first(t.Context(), filepath.Join(t.TempDir(), "data"), crashOptions(func(name string) { steps[name] = true })))
	for _, name := range slices.Sorted(maps.Keys(steps)) {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			if err := crashCommand(t, dir, name+"\t1").Run(); err == nil {
				t.Fatal("the writer was not killed")
			}
			r, err := Open(t.Context(), dir, OpenOptions{})
			switch {
			case err == nil:
				must(t, r.Close())
			case !errors.Is(err, ErrNoStore) && !(isDamaged(err) && name == "publish: moved"):
				t.Errorf("Open: %v", err)
			}
			must(t, first(t.Context(), dir, crashOptions(func(string) {})))
			if findings, err := Verify(t.Context(), dir, true); err != nil || len(findings) != 0 {
				t.Errorf("Verify: %v, %v", findings, err)
			}
		})
	}
}

// Between the folder's move and CURRENT's change a generation is complete but not current. After a crash there it is
// published by the next run; after a rollback it must not be.
func TestAnInterruptedPublicationIsNotARollback(t *testing.T) {
	crashed := func(t *testing.T) string {
		dir := filepath.Join(t.TempDir(), "data")
		publishPapers(t, dir, 1, 30)
		if err := crashCommand(t, dir, "publish: moved\t1").Run(); err == nil {
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
		_, err := Rollback(t.Context(), dir, 1, testOptions())
		must(t, err)
		must(t, begin(t, dir, testOptions()).Close())
		if got := current(t, dir); got != 1 {
			t.Errorf("after the next run generation %d is current", got)
		}
	})
	t.Run("a damaged one is set aside", func(t *testing.T) {
		dir := crashed(t)
		must(t, os.Truncate(filepath.Join(layout{dir: dir}.generation(2), evidenceName), 20480))
		must(t, begin(t, dir, testOptions()).Close())
		if got := current(t, dir); got != 1 || !exists(filepath.Join(dir, buildingName, "000002"+brokenSuffix)) {
			t.Errorf("generation %d is current", got)
		}
	})
}
