//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/fulltext"
)

// A work is what a process does to a store and is stopped in. It can be done again after any part of it, with the same
// end. To progress it tells, a line each, the first paper of every batch that was committed and how many records every
// publication has.
type work struct {
	name    string
	before  func(t *testing.T, dir string) // makes the store that it begins with; nil where it begins with none
	do      func(ctx context.Context, dir string, options BeginOptions, progress io.Writer) error
	records []int // how many readers may find, in order; 0 is no store
	mends   bool  // the store is damaged until the work is done
}

func works() []work {
	generations := func(t *testing.T, dir string) {
		for n := range 3 {
			publishPapers(t, dir, 1+10*n, 10+10*n)
		}
	}
	all := []work{
		{"a first store", nil, firstWork, []int{0, 20}, false},
		{"a night", func(t *testing.T, dir string) { publishPapers(t, dir, 1, 30) }, nightsWork, []int{30, 68, 106}, false},
		{"a rollback", generations, regretWork, []int{30, 40, 10}, false},
		{"a rollback after an interrupted publication", func(t *testing.T, dir string) {
			generations(t, dir)
			if err := workNamed("a night").command(t, dir, "publish: moved\t1").Run(); err == nil {
				t.Fatal("the writer was not killed")
			}
		}, rollbackWork, []int{30, 68, 10}, false},
		{"a repair of the text", func(t *testing.T, dir string) {
			generations(t, dir)
			must(t, os.RemoveAll(filepath.Join(layout{dir: dir}.generation(3), textName)))
		}, repairWork, []int{30}, true},
		{"a repair with older records", func(t *testing.T, dir string) {
			generations(t, dir)
			spoilRecords(t, layout{dir: dir}.generation(3))
		}, repairWork, []int{20}, true},
		{"an import", func(t *testing.T, dir string) {
			elsewhere := filepath.Join(t.TempDir(), "data")
			publishPapers(t, elsewhere, 11, 20)
			publishPapers(t, elsewhere, 1, 10)
			publishPapers(t, dir, 1, 30)
			writeFile(t, bundleBeside(dir), string(exported(t, elsewhere, 0)))
		}, importWork, []int{30, 20}, false},
		{"a night with the changes apart", func(t *testing.T, dir string) { publishPapers(t, dir, 1, 30) },
			func(ctx context.Context, dir string, options BeginOptions, progress io.Writer) error {
				options.largeDatabase = 1
				return nightsWork(ctx, dir, options, progress)
			}, []int{30, 68, 106}, false},
		{"a night that writes the records anew", func(t *testing.T, dir string) { publishPapers(t, dir, 1, 30) },
			anewWork, []int{30, 40}, false},
		{"an export", generations, exportWork, []int{30}, false},
		{"a verification", generations, verifyWork, []int{30}, false},
	}
	if *withChanges { // then all nights have them
		all = slices.DeleteFunc(all, func(w work) bool { return w.name == "a night with the changes apart" })
	}
	return all
}

// anewWork makes the records half as large again, so that the publication writes their file anew.
func anewWork(ctx context.Context, dir string, options BeginOptions, progress io.Writer) error {
	return publishOne(ctx, dir, options, progress, heavy(31, 40, 1<<20))
}

func publishOne(ctx context.Context, dir string, options BeginOptions, progress io.Writer, batch Batch) error {
	w, err := Folder(dir).Begin(ctx, options)
	if err != nil {
		return err
	}
	if err := w.Commit(ctx, batch); err != nil {
		return errors.Join(err, w.Close())
	}
	return errors.Join(publishAndTell(ctx, w, progress), w.Close())
}

// regretWork goes back from what it has just published: nothing of the publication may come up again.
func regretWork(ctx context.Context, dir string, options BeginOptions, progress io.Writer) error {
	options.Keep = 9
	if err := publishOne(ctx, dir, options, progress, papers(31, 40)); err != nil {
		return err
	}
	return rollbackWork(ctx, dir, options, progress)
}

func exportWork(ctx context.Context, dir string, options BeginOptions, _ io.Writer) error {
	whole := ExportRequest{Texts: options.Texts}
	_, err := Folder(dir).Export(ctx, whole, io.Discard)
	if err == nil {
		whole.Since = 1
		_, err = Folder(dir).Export(ctx, whole, io.Discard)
	}
	return err
}

func verifyWork(ctx context.Context, dir string, _ BeginOptions, _ io.Writer) error {
	findings, err := Folder(dir).Verify(ctx, true)
	for _, finding := range findings {
		if !finding.Warning {
			err = errors.Join(err, errors.New(finding.String()))
		}
	}
	return err
}

func workNamed(name string) *work {
	all := works()
	return &all[slices.IndexFunc(all, func(w work) bool { return w.name == name })]
}

func firstWork(ctx context.Context, dir string, options BeginOptions, progress io.Writer) error {
	w, err := Folder(dir).Begin(ctx, options)
	if err != nil {
		return err
	}
	if err := w.Commit(ctx, papers(1, 20)); err != nil {
		return errors.Join(err, w.Close())
	}
	fmt.Fprintln(progress, "committed", 1)
	return errors.Join(publishAndTell(ctx, w, progress), w.Close())
}

func publishAndTell(ctx context.Context, w *Writer, progress io.Writer) error {
	if _, err := w.Publish(ctx); err != nil {
		return err
	}
	published, err := w.Generation()
	fmt.Fprintln(progress, "published", published.Counts.Records)
	return err
}

// rollbackWork begins as any writer does, which finishes what was interrupted, and goes back to the first generation.
func rollbackWork(ctx context.Context, dir string, options BeginOptions, progress io.Writer) error {
	w, err := Folder(dir).Begin(ctx, options)
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	target, err := Folder(dir).Rollback(ctx, 1, options)
	if err == nil {
		fmt.Fprintln(progress, "published", target.Counts.Records)
	}
	return err
}

func repairWork(ctx context.Context, dir string, options BeginOptions, progress io.Writer) error {
	rebuilt, err := Folder(dir).RebuildText(ctx, options)
	if err == nil {
		fmt.Fprintln(progress, "published", rebuilt.Counts.Records)
	}
	return err
}

// bundleBeside is the bundle that importWork takes in.
func bundleBeside(dir string) string { return filepath.Join(filepath.Dir(dir), "bundle.tar.zst") }

func importWork(ctx context.Context, dir string, options BeginOptions, progress io.Writer) error {
	content, err := os.ReadFile(bundleBeside(dir))
	if err != nil {
		return err
	}
	done, err := Folder(dir).Import(ctx, incoming(content), options)
	if err == nil {
		fmt.Fprintln(progress, "published", done.Counts.Records)
	}
	return err
}

func crashOptions(step func(string)) BeginOptions {
	options := testOptions()
	options.Keep, options.step, options.textLag = 1, step, 1
	return options
}

// nightsWork is two publications of two commits each. It can be done again after any part of it, with the same end.
func nightsWork(ctx context.Context, dir string, options BeginOptions, progress io.Writer) error {
	w, err := Folder(dir).Begin(ctx, options)
	if err != nil {
		return err
	}
	for publication := range 2 {
		for part := range 2 {
			first := 31 + 40*publication + 20*part
			if err := w.Commit(ctx, nightsBatch(first)); err != nil {
				return err
			}
			fmt.Fprintln(progress, "committed", first)
		}
		if err := publishAndTell(ctx, w, progress); err != nil {
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
	batch.Curated = curatedFile(evidence.DateOf(night.AddDate(0, 0, first)), curatedOn(fmt.Sprint(first), "EID1"),
		curatedOn("7", fmt.Sprint("EID", first)))
	return batch
}

// contents is all that a reader can see, for comparison.
type contents struct {
	Records    map[string]string
	Topics     []evidence.TopicInfo
	Runs       []evidence.Run
	Counts     database.Counts
	InText     uint64
	Redirected map[string]string
	Curated    evidence.CuratedFile
}

func contentsOf(ctx context.Context, r *Reader) (seen contents, err error) {
	seen = contents{Records: map[string]string{}, Redirected: map[string]string{}}
	for record, err := range r.Records(ctx) {
		if err != nil {
			return seen, fmt.Errorf("walking over the records: %w", err)
		}
		seen.Records[record.ID] = record.Title
	}
	for n := 1; n < 8; n++ {
		record, ok, err := r.Record(paperID(n))
		if err == nil && !ok {
			err = errors.New("it is not there")
		}
		if err != nil {
			return seen, fmt.Errorf("the record %s: %w", paperID(n), err)
		}
		seen.Redirected[paperID(n)] = record.ID
	}
	var errs [5]error
	var found fulltext.Result
	seen.Topics, errs[0] = r.Topics()
	seen.Runs, errs[1] = r.Runs(0)
	seen.Counts, errs[2] = r.Counts()
	seen.Curated, _, errs[3] = r.CuratedFile()
	found, errs[4] = r.Search(ctx, fulltext.Request{Text: "sotorasib"})
	seen.InText = found.Total
	return seen, errors.Join(errs[:]...)
}

// store makes what the work begins with, in a folder that need not be there.
func (w *work) store(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "deep", "data")
	if w.before != nil {
		w.before(t, dir)
	}
	return dir
}

// rehearsal is a work done without a crash, once for all tests. Nobody changes it.
type rehearsal struct {
	once  sync.Once
	begun *unsteadyDisk  // with what it begins with; the work is done in deep/data there
	steps map[string]int // how often each was passed
	end   contents
	took  time.Duration // in a process of its own
	calls []fsCall      // of such a process; none where there is no strace
}

var rehearsals sync.Map // *rehearsal, by the work's name

func (w *work) rehearsed(t *testing.T) *rehearsal {
	t.Helper()
	known, _ := rehearsals.LoadOrStore(w.name, &rehearsal{})
	r, _ := known.(*rehearsal)
	r.once.Do(func() {
		dir := w.store(t)
		r.begun = newUnsteadyDisk(t, filepath.Dir(filepath.Dir(dir)))
		begun := time.Now()
		if _, err := exec.LookPath("strace"); err == nil {
			r.calls = record(t, w.command(t, dir, ""))
			dir = r.again(t)
			begun = time.Now()
		}
		must(t, w.command(t, dir, "").Run())
		r.took, r.steps = time.Since(begun), map[string]int{}
		dir = r.again(t)
		must(t, w.do(t.Context(), dir, crashOptions(func(name string) { r.steps[name]++ }), io.Discard))
		var err error
		r.end, err = contentsOf(t.Context(), open(t, dir))
		must(t, err)
	})
	return r
}

// again makes what the work begins with once more.
func (r *rehearsal) again(t *testing.T) (dir string) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "disk")
	r.begun.cut(t, root, nil, 1)
	return filepath.Join(root, "deep", "data")
}

// command is the work in a process of its own, which is killed at the step.
func (w *work) command(t *testing.T, dir, step string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], fmt.Sprintf("-changes=%v", *withChanges))
	command.Env = append(os.Environ(), crashDirVariable+"="+dir, crashWorkVariable+"="+w.name, crashStepVariable+"="+step)
	command.Stderr = os.Stderr
	return command
}

// toldNumbers reads the numbers behind a word in what a stopped work told, in its whole lines.
func toldNumbers(told, word string) []int {
	var out []int
	for line := range strings.Lines(told) {
		rest, ok := strings.CutPrefix(line, word+" ")
		if n, err := strconv.Atoi(strings.TrimSuffix(rest, "\n")); ok && err == nil && strings.HasSuffix(line, "\n") {
			out = append(out, n)
		}
	}
	return out
}

// check holds a store in which the work was stopped to what is promised: no damage, all that was said to be published
// or committed, and the same end when the work is done again.
func (w *work) check(t *testing.T, dir, told string, end contents) error {
	t.Helper()
	quiet := crashOptions(func(string) {})
	if err := errors.Join(w.undamaged(t.Context(), dir), w.published(t.Context(), dir,
		toldNumbers(told, "published"))); err != nil {
		return err
	}
	if !w.mends {
		again, err := Folder(dir).Begin(t.Context(), quiet)
		if err != nil {
			return err
		}
		err = errors.Join(judgedSince(again, toldNumbers(told, "committed")), again.Close())
		if err = errors.Join(err, w.published(t.Context(), dir, toldNumbers(told, "published"))); err != nil {
			return fmt.Errorf("after the next beginning: %w", err)
		}
	}
	if err := w.do(t.Context(), dir, quiet, io.Discard); err != nil {
		return fmt.Errorf("doing it again: %w", err)
	}
	r, err := Folder(dir).Open(t.Context())
	if err != nil {
		return fmt.Errorf("afterwards: %w", err)
	}
	got, err := contentsOf(t.Context(), r)
	if diff := cmp.Diff(end, got); diff != "" {
		err = errors.Join(err, fmt.Errorf("the store differs from one in which nothing was stopped (-want +got):\n%s", diff))
	}
	mended := *w
	mended.mends = false
	return errors.Join(err, r.Close(), mended.undamaged(t.Context(), dir))
}

// undamaged says what Verify finds. Only a first publication may leave CURRENT missing: the next run puts it there.
func (w *work) undamaged(ctx context.Context, dir string) error {
	if w.mends {
		return nil
	}
	findings, err := Folder(dir).Verify(ctx, true)
	if w.records[0] == 0 && errors.Is(err, ErrNoStore) {
		return nil
	}
	for _, finding := range findings {
		expected := finding.Warning || w.records[0] == 0 && finding.Path == layout{dir: dir}.current() && !exists(
			finding.Path)
		if !expected {
			err = errors.Join(err, fmt.Errorf("damage was left: %v", finding))
		}
	}
	return err
}

// published says whether readers see what was published last, or what came after it.
func (w *work) published(ctx context.Context, dir string, told []int) error {
	least := 0
	if len(told) > 0 {
		least = slices.Index(w.records, told[len(told)-1])
	}
	r, err := Folder(dir).Open(ctx)
	switch {
	case err != nil && len(told) == 0 && (w.records[0] == 0 && (errors.Is(err, ErrNoStore) || files.IsDamage(err)) ||
		w.mends && files.IsDamage(err)):
		return nil
	case err != nil:
		return fmt.Errorf("told %d: %w", told, err)
	}
	defer r.Close()
	counts, err := r.Counts()
	if err != nil && w.mends && len(told) == 0 {
		return nil
	}
	if !slices.Contains(w.records[least:], counts.Records) && !(w.mends && len(told) == 0) {
		err = errors.Join(err, fmt.Errorf("readers see %d records, and %v were published", counts.Records, told))
	}
	return err
}

func judgedSince(w *Writer, committed []int) error {
	for _, first := range committed {
		for n := first; n < first+20; n++ {
			if _, found, err := w.Judgement(evidence.JudgementKey("q", fmt.Sprint(n), "m", "1")); err != nil || !found {
				return errors.Join(fmt.Errorf("the judgement of paper %d was committed and is lost", n), err)
			}
		}
	}
	return nil
}
