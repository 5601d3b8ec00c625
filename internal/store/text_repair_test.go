package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/segments"
	"dossier/internal/fulltext/zapfile"
)

// otherwise is a batch of papers whose abstracts say something else.
func otherwise(first, last int) Batch {
	batch := papers(first, last)
	for i := range batch.SourceRecords {
		source := &batch.SourceRecords[i]
		source.Abstract = []evidence.Section{{Text: fmt.Sprintf("Nothing of paper %d was measured.", first+i)}}
		batch.Put[i] = merge(batch.Put[i].Record.ID, *source)
	}
	return batch
}

// giveText gives a published generation the full text of another store's, and makes all sums fit.
func giveText(t *testing.T, folder, from string) {
	t.Helper()
	text := filepath.Join(folder, textName)
	must(t, os.RemoveAll(text)) // its segments may be other generations' as well
	must(t, os.CopyFS(text, os.DirFS(filepath.Join(from, textName))))
	refreshManifest(t, folder)
}

// textOfAnother gives the current generation of a store, which has ten papers more than the one before, the text of
// other abstracts.
func textOfAnother(t *testing.T, dir string) {
	t.Helper()
	about, err := open(t, dir).Generation()
	must(t, err)
	other := filepath.Join(t.TempDir(), "other")
	w := begin(t, other, testOptions())
	for number := range about.Number {
		commit(t, w, otherwise(10*number+1, 10*number+10))
		publish(t, w)
	}
	must(t, w.Close())
	giveText(t, layout{dir: dir}.generation(about.Number), layout{dir: other}.generation(about.Number))
}

// nightWithLog is a night of one paper, with what it logs.
func nightWithLog(t *testing.T, dir string, paper int) (said string, err error) {
	t.Helper()
	var log bytes.Buffer
	options := testOptions()
	options.Logger = slog.New(slog.NewTextHandler(&log, nil))
	w, err := Folder(dir).Begin(t.Context(), options)
	if err != nil {
		return "", err
	}
	err = w.Commit(t.Context(), papers(paper, paper))
	if err == nil {
		_, err = w.Publish(t.Context())
	}
	return log.String(), errors.Join(err, w.Close())
}

// TestATextOfOtherRecordsIsTold: its sums are right, it has as many documents and has come as far.
func TestATextOfOtherRecordsIsTold(t *testing.T) {
	dir := prepared(t, 10, 20, 30)
	textOfAnother(t, dir)
	found, err := open(t, dir).Search(t.Context(), fulltext.Request{Text: "measured"})
	if err != nil || found.Total != 30 {
		t.Fatalf("the text is not the other store's: %d, %v", found.Total, err)
	}
	findings, err := Folder(dir).Verify(t.Context(), true)
	if err != nil || len(findings) == 0 || !strings.Contains(findings[0].Problem, "does not say what the records say") ||
		filepath.Ext(findings[0].Path) != segmentSuffix {
		t.Errorf("Verify: %v, %v", findings, err)
	}
	bundle := exported(t, dir, 0)
	elsewhere := prepared(t, 5)
	before := contentUnder(t, elsewhere)
	var refused *BundleError
	err = imports(t, elsewhere, bundle)
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "does not say what") {
		t.Errorf("Import: %v", err)
	}
	if !bytes.Equal(contentUnder(t, elsewhere), before) {
		t.Error("the store was changed")
	}
	if _, err := Folder(dir).Rollback(t.Context(), 3, testOptions()); err == nil {
		t.Error("a rollback goes back to it")
	}
	said, err := nightWithLog(t, dir, 31)
	must(t, err)
	if !strings.Contains(said, "is not indexed as its record says") {
		t.Errorf("the night says %s", said)
	}
	if found, err := open(t, dir).Search(t.Context(), fulltext.Request{Text: "measured"}); err != nil || found.Total != 0 {
		t.Errorf("after the night %d are found, %v", found.Total, err)
	}
}

// TestEveryDocumentIsProved: one that says something else, is there twice, is missing or is nobody's.
func TestEveryDocumentIsProved(t *testing.T) {
	for name, text := range map[string]func() []Batch{
		"one says something else": func() []Batch { return []Batch{papers(1, 29), otherwise(30, 30)} },
		"one is nobody's":         func() []Batch { return []Batch{papers(1, 29), papers(31, 31)} },
	} {
		t.Run(name, func(t *testing.T) {
			dir, other := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "other")
			w := begin(t, dir, testOptions())
			commit(t, w, papers(1, 29))
			commit(t, w, papers(30, 30))
			publish(t, w)
			must(t, w.Close())
			w = begin(t, other, testOptions())
			for _, batch := range text() {
				commit(t, w, batch)
			}
			publish(t, w)
			must(t, w.Close())
			giveText(t, layout{dir: dir}.generation(1), layout{dir: other}.generation(1))
			findings, err := Folder(dir).Verify(t.Context(), true)
			if err != nil || len(findings) == 0 {
				t.Errorf("Verify: %v, %v", findings, err)
			}
		})
	}
}

// TestWhatSearchesCompareIsCompared: sums of blocks that are not the segments' have a search call these damaged.
func TestWhatSearchesCompareIsCompared(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	w := begin(t, dir, testOptions())
	commit(t, w, longPapers(1, 60))
	publish(t, w)
	must(t, w.Close())
	folder := layout{dir: dir}.generation(1)
	flipByte(t, filepath.Join(folder, blocksName), 1)
	manifest, err := readManifest(folder)
	must(t, err)
	file, _, err := describe(t.Context(), filepath.Join(folder, blocksName), blockSize)
	must(t, err)
	manifest.file(blocksName).SHA256 = file.SHA256
	content, err := manifest.seal()
	must(t, err)
	must(t, files.Write(filepath.Join(folder, manifestName), content))
	if _, err := open(t, dir).Search(t.Context(), fulltext.Request{Text: "sotorasib"}); err == nil {
		t.Fatal("a search says nothing")
	}
	findings, err := Folder(dir).Verify(t.Context(), true)
	if err != nil || len(findings) == 0 || !strings.Contains(findings[0].Problem, contentChanged) {
		t.Errorf("Verify: %v, %v", findings, err)
	}
}

// TestATextOfAnOlderMakeIsNotTakenAsItIs: what was made by other rules can't be compared with the records; it is read,
// and who imports it builds it again.
func TestATextOfAnOlderMakeIsNotTakenAsItIs(t *testing.T) {
	dir := prepared(t, 10)
	textOfAnother(t, dir)
	folder := layout{dir: dir}.generation(1)
	root, err := bolt.Open(filepath.Join(folder, textName, "store", "root.bolt"), 0o600, nil)
	must(t, err)
	must(t, root.Update(func(tx *bolt.Tx) error {
		states := tx.Bucket([]byte("s"))
		last, _ := states.Cursor().Last()
		return states.Bucket(last).Bucket([]byte("i")).Delete([]byte(segments.FormatKey))
	}))
	must(t, root.Close())
	refreshManifest(t, folder)
	findings, err := Folder(dir).Verify(t.Context(), true)
	if err != nil || len(findings) != 0 {
		t.Errorf("Verify: %v, %v", findings, err)
	}
	to := filepath.Join(t.TempDir(), "to")
	must(t, imports(t, to, exported(t, dir, 0)))
	checkSound(t, to)
	if found, err := open(t, to).Search(t.Context(), fulltext.Request{Text: "measured"}); err != nil || found.Total != 0 {
		t.Errorf("%d are found, %v", found.Total, err)
	}
}

// TestADamagedSegmentAloneIsMadeAgain: the others stay the files that they are.
func TestADamagedSegmentAloneIsMadeAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	w := begin(t, dir, testOptions())
	for _, papers := range []Batch{longPapers(1, 200), longPapers(201, 260), papers(261, 263)} {
		commit(t, w, papers)
		publish(t, w)
	}
	commit(t, w, Batch{Drop: []string{paperID(205)}, DropSources: []string{"pubmed|205"}})
	publish(t, w)
	must(t, w.Close())
	before, err := filepath.Glob(filepath.Join(layout{dir: dir}.generation(4), textName, "store", "*"+segmentSuffix))
	must(t, err)
	if len(before) != 3 {
		t.Fatalf("there are %q", before)
	}
	flipByte(t, before[1], 100)
	said, err := nightWithLog(t, dir, 300)
	must(t, err)
	for _, want := range []string{"making a part of the full text again", "records=59", filepath.Base(before[1]),
		contentChanged} {
		if !strings.Contains(said, want) {
			t.Errorf("the night does not say %q: %s", want, said)
		}
	}
	if strings.Contains(said, "building the full text again") {
		t.Errorf("the night says %s", said)
	}
	if !sameFile(before[0], filepath.Join(layout{dir: dir}.generation(5), textName, "store", filepath.Base(before[0]))) {
		t.Errorf("%s was made again", before[0])
	}
	findings, err := Folder(dir).Verify(t.Context(), true)
	must(t, err)
	for _, finding := range findings {
		if !finding.Warning {
			t.Errorf("a finding: %v", finding)
		}
	}
}

// TestASegmentThatACopyLacksIsMadeAgain: also where the copy can't be opened without, as after a power cut.
func TestASegmentThatACopyLacksIsMadeAgain(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"it is missing": os.Remove,
		"it is zeros": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, make([]byte, 1000), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			options := testOptions()
			options.textLag = 1
			w := begin(t, dir, options)
			for first := 1; first <= 30; first += 10 {
				commit(t, w, papers(first, first+9))
				must(t, w.follower.wait())
			}
			must(t, w.Close())
			files, err := filepath.Glob(filepath.Join(layout{dir: dir}.buildings(), "*", textName, "store",
				"*"+segmentSuffix))
			must(t, err)
			if len(files) != 3 {
				t.Fatalf("there are %q", files)
			}
			must(t, harm(files[1]))
			said, err := nightWithLog(t, dir, 300)
			must(t, err)
			for _, want := range []string{"making a part of the full text again", "records=10", filepath.Base(files[1])} {
				if !strings.Contains(said, want) {
					t.Errorf("the night does not say %q: %s", want, said)
				}
			}
			if strings.Contains(said, "building the full text again") {
				t.Errorf("the night says %s", said)
			}
			checkSound(t, dir)
		})
	}
}

// TestBundlesOfOtherTexts: what was seen to go wrong is told and refused, and a night upon it ends.
func TestBundlesOfOtherTexts(t *testing.T) {
	for _, name := range []string{"text-of-another-store.tar.zst", "merge-never-ends.tar.zst"} {
		t.Run(name, func(t *testing.T) {
			content, err := os.ReadFile(filepath.Join("../../../shared/cases", name))
			if errors.Is(err, os.ErrNotExist) {
				t.Skipf("%s is not there", name)
			}
			must(t, err)
			dir := filepath.Join(t.TempDir(), "data")
			var refused *BundleError
			if err := imports(t, dir, content); !errors.As(err, &refused) {
				t.Fatalf("Import: %v", err)
			}
			unproved(t, dir, content)
			findings, err := Folder(dir).Verify(t.Context(), true)
			if err != nil || len(findings) == 0 {
				t.Errorf("Verify: %v, %v", findings, err)
			}
			w := begin(t, dir, testOptions())
			commit(t, w, longPapers(9001, 9300))
			if _, err = w.Publish(t.Context()); err != nil { // which ends
				t.Errorf("a night upon it: %v", err)
			}
		})
	}
}

// unproved makes a bundle the current generation as a program did that compared nothing but sums.
func unproved(t *testing.T, dir string, content []byte) {
	t.Helper()
	b, err := openBundle(context.Background(), incoming(content))
	must(t, err)
	defer b.unpacked.Close()
	l := layout{dir: dir}
	must(t, l.create())
	folder := l.generation(b.manifest.Number)
	must(t, os.MkdirAll(folder, 0o755))
	must(t, b.unpack(folder))
	must(t, l.writeCurrent(b.manifest.Number))
}

// TestAFailedImportLeavesWhatReadersMayHave: where CURRENT can't be read after it was written, nobody knows whether it
// names what was imported.
func TestAFailedImportLeavesWhatReadersMayHave(t *testing.T) {
	dir := prepared(t, 5)
	from := prepared(t, 5, 9)
	l := layout{dir: dir}
	options := testOptions()
	options.step = func(name string) {
		if name == "publish: current" {
			must(t, os.Remove(l.current()))
			must(t, os.Mkdir(l.current(), 0o755))
			must(t, os.Remove(l.publishing(2))) // which the import then misses
		}
	}
	if _, err := Folder(dir).Import(t.Context(), incoming(exported(t, from, 2)), options); err == nil {
		t.Fatal("the import says nothing")
	}
	if !exists(l.generation(2)) {
		t.Error("what readers may have was taken back")
	}
}

// TestAFaultIsNoDamageToTheText: what the system refuses is no reason to build the text again, whoever calls it damage.
func TestAFaultIsNoDamageToTheText(t *testing.T) {
	damaged := func(err error) error { return &files.DamageError{Path: textName, Reason: "it can't be read", Err: err} }
	for _, c := range []struct {
		name string
		err  error
		want bool
	}{
		{"damage", damaged(nil), true},
		{"a segment of no form", fmt.Errorf("opening: %w", zapfile.ErrFormat), true},
		{"a disk's error", syscall.EIO, false},
		{"a disk's error that is called damage", damaged(&fs.PathError{Op: "read", Path: textName, Err: syscall.EIO}), false},
		{"something else", errors.New("closed"), false},
	} {
		if got := isDamaged(c.err); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
