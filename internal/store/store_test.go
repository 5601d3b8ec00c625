package store

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/writing"
)

// night is the time of the tests' first run.
var night = time.Date(2026, 11, 20, 2, 30, 0, 0, time.UTC)

// sourceRecord is what a source says of paper number n.
func sourceRecord(source string, n int) evidence.Record {
	id := fmt.Sprint(n)
	record := evidence.Record{
		Origins:  []evidence.Origin{{Source: source, ID: id, Fetched: night}},
		Title:    fmt.Sprintf("Paper %d on sotorasib in colorectal cancer", n),
		Abstract: []evidence.Section{{Label: "RESULTS", Text: fmt.Sprintf("Response in %d patients.", n)}},
		Authors:  []evidence.Author{{Family: "Doe", Initials: "J"}},
		Date:     "2024-03-05",
	}
	if source == evidence.SourcePubMed {
		record.Identifiers = append(record.Identifiers, evidence.Identifier{Kind: evidence.PMID, Value: id})
	}
	record.Identifiers = append(record.Identifiers, evidence.Identifier{Kind: evidence.DOI, Value: "10.1000/" + id})
	return record
}

// merge makes the merged record of source records.
func merge(id string, sources ...evidence.Record) Merged {
	record := sources[0]
	record.ID = id
	var members []string
	for _, source := range sources {
		members = append(members, source.Origins[0].Key())
	}
	for _, source := range sources[1:] {
		record.Origins = append(record.Origins, source.Origins...)
	}
	return Merged{Record: record, Members: members}
}

// papers is a batch of papers from PubMed, numbered from first to last.
func papers(first, last int) Batch {
	var batch Batch
	batch.Keys = map[string][]string{}
	for n := first; n <= last; n++ {
		source := sourceRecord(evidence.SourcePubMed, n)
		batch.SourceRecords = append(batch.SourceRecords, source)
		batch.Keys[source.Origins[0].Key()] = []string{fmt.Sprintf("paper %d", n)}
		batch.Put = append(batch.Put, merge(paperID(n), source))
		batch.Judgements = append(batch.Judgements, Judgement{Key: evidence.JudgementKey("q", fmt.Sprint(n), "m", "1"),
			Made:       night,
			Assessment: evidence.Assessment{Record: paperID(n), Score: 7}})
	}
	return batch
}

// heavy is a batch of papers with about size bytes each that do not compress and are not indexed.
func heavy(first, last, size int) Batch {
	random := rand.New(rand.NewPCG(uint64(first), 1))
	batch := papers(first, last)
	for i := range batch.Put {
		var weight []byte
		for len(weight) < size/2 {
			weight = binary.BigEndian.AppendUint64(weight, random.Uint64())
		}
		batch.Put[i].Record.Provenance = map[string]string{"weight": hex.EncodeToString(weight)}
	}
	return batch
}

func paperID(n int) string { return fmt.Sprintf("PMID:%d", n) }

// answerOf is a topic's answer with the given papers as its sample.
func answerOf(topic, question string, built time.Time, numbers ...int) evidence.Answer {
	answer := evidence.Answer{Topic: evidence.Topic{ID: topic, Question: question}, Run: "run-1", Built: built}
	for _, n := range numbers {
		answer.Sample = append(answer.Sample, paperID(n))
		answer.Assessments = append(answer.Assessments, evidence.Assessment{Record: paperID(n), Score: 8,
			Bucket: evidence.RCT})
	}
	return answer
}

// withChanges has every database of these tests get changes beside it, as large ones do: `go test -changes`.
var withChanges = flag.Bool("changes", false, "give every database changes, as large ones have them")

func testOptions() BeginOptions {
	options := BeginOptions{Owner: "test", Now: func() time.Time { return night }, Texts: writing.Texts{}}
	if *withChanges {
		options.largeDatabase = 1
	}
	return options
}

// recordsOf is the file of a generation that its records were written to last.
func recordsOf(folder string) string {
	if changes := filepath.Join(folder, changesName); exists(changes) {
		return changes
	}
	return filepath.Join(folder, evidenceName)
}

func begin(t testing.TB, dir string, options BeginOptions) *Writer {
	t.Helper()
	w, err := Folder(dir).Begin(t.Context(), options)
	if err != nil {
		t.Fatalf("Begin: %v", err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Errorf("Close of the writer: %v", err)
		}
	})
	return w
}

func open(t testing.TB, dir string) *Reader {
	t.Helper()
	r, err := Folder(dir).Open(t.Context())
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func commit(t testing.TB, w *Writer, batch Batch) {
	t.Helper()
	if err := w.Commit(t.Context(), batch); err != nil {
		t.Fatalf("Commit: %v", err)
	}
}

func publish(t testing.TB, w *Writer) Generation {
	t.Helper()
	number, err := w.Publish(t.Context())
	if err != nil {
		t.Fatalf("Publish: %v", err)
	}
	generation, err := w.Generation()
	if err != nil || generation.Number != number {
		t.Fatalf("generation %d was published, and %d is read (%v)", number, generation.Number, err)
	}
	return generation
}

// publishPapers makes a store, or its next generation, with one commit.
func publishPapers(t testing.TB, dir string, first, last int) Generation {
	t.Helper()
	w := begin(t, dir, testOptions())
	commit(t, w, papers(first, last))
	generation := publish(t, w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return generation
}

var (
	preparedMutex  sync.Mutex
	preparedStores = map[string]fstest.MapFS{}
)

// prepared is a store with a generation up to each of the given papers, the first of which begins with paper 1: a copy,
// for the test alone, of one that is made once.
func prepared(t *testing.T, last ...int) (dir string) {
	t.Helper()
	preparedMutex.Lock()
	defer preparedMutex.Unlock()
	name := fmt.Sprint(last)
	if preparedStores[name] == nil {
		made := filepath.Join(t.TempDir(), "data")
		first := 1
		for _, to := range last {
			publishPapers(t, made, first, to)
			first = to + 1
		}
		preparedStores[name] = filesOf(t, made)
	}
	dir = filepath.Join(t.TempDir(), "data")
	must(t, os.CopyFS(dir, preparedStores[name]))
	return dir
}

// filesOf is a folder in memory.
func filesOf(t *testing.T, folder string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	tree := os.DirFS(folder)
	must(t, fs.WalkDir(tree, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil || entry.IsDir() {
			files[path] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
			return err
		}
		content, err := fs.ReadFile(tree, path)
		files[path] = &fstest.MapFile{Data: content, Mode: info.Mode()}
		return err
	}))
	return files
}

func exported(t testing.TB, dir string, number int) []byte {
	t.Helper()
	var out bytes.Buffer
	_, err := Folder(dir).Export(t.Context(), ExportRequest{Generation: number}, &out)
	must(t, err)
	return out.Bytes()
}

func incoming(content []byte) ImportRequest {
	return ImportRequest{Name: "it.tar.zst", Content: bytes.NewReader(content), MaxSize: 64 << 20}
}

func imports(t testing.TB, dir string, content []byte) error {
	t.Helper()
	_, err := Folder(dir).Import(t.Context(), incoming(content), testOptions())
	return err
}

// contentUnder is what all regular files under a folder hold, with their names.
func contentUnder(t *testing.T, folder string) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, name := range filesUnder(t, folder) {
		relative, err := filepath.Rel(folder, name)
		must(t, err)
		out.WriteString(relative)
		if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		content, err := os.ReadFile(name)
		must(t, err)
		out.Write(content)
	}
	return out.Bytes()
}

func TestWhatIsPublishedIsRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if _, err := Folder(dir).Open(t.Context()); !errors.Is(err, ErrNoStore) {
		t.Fatalf("Open of nothing: %v", err)
	}
	generation := publishPapers(t, dir, 1, 20)
	if generation.Number != 1 || generation.Counts.Records != 20 || generation.Counts.Judgements != 20 {
		t.Errorf("published %+v", generation)
	}
	r := open(t, dir)
	record, _, err := r.Record("PMID:7")
	if err != nil || record.Title != "Paper 7 on sotorasib in colorectal cancer" || record.ID != "PMID:7" {
		t.Errorf("Record: %+v, %v", record, err)
	}
	found, err := r.Search(t.Context(), fulltext.Request{Text: "sotorasib", Limit: 5})
	if err != nil || found.Total != 20 || len(found.Hits) != 5 {
		t.Errorf("Search: %+v, %v", found, err)
	}
	second := publishPapers(t, dir, 15, 30)
	if second.Number != 2 || second.Parent != 1 || second.Counts.Records != 30 {
		t.Errorf("published %+v", second)
	}
	if _, ok, err := open(t, dir).Record("PMID:30"); !ok || err != nil {
		t.Errorf("Record of the second generation: %v", err)
	}
}

// Who reads a store is often another user than the one who writes it.
func TestEverythingPublishedIsSharedAlike(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 5)
	publishPapers(t, dir, 6, 9)
	folder := layout{dir: dir}.generation(2)
	like, err := os.Stat(recordsOf(folder))
	must(t, err)
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		must(t, err)
		info, err := entry.Info()
		if want := like.Mode().Perm() & 0o444; err != nil || info.Mode().Perm()&0o444 != want ||
			entry.IsDir() && info.Mode().Perm()&0o111 != want>>2 {
			t.Errorf("%s may be read as %v, and %s as %v (%v)", path, info.Mode(), evidenceName, like.Mode(), err)
		}
		return nil
	})
	must(t, err)
}

// TestAGroupsStoreIsItsGroups: where the group may write to the data directory, it may to all that is made in it, so
// that another of its users is the next night's.
func TestAGroupsStoreIsItsGroups(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	must(t, os.Mkdir(dir, 0o755))
	writes := func(want fs.FileMode) {
		t.Helper()
		must(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			must(t, err)
			info, err := entry.Info()
			replaced := path == layout{dir: dir}.current() || path == layout{dir: dir}.inbox() ||
				filepath.Ext(path) == replySuffix ||
				filepath.Base(filepath.Dir(path)) == reportedName // or kept by the umask
			if err != nil || !replaced && info.Mode()&groupWrites != want {
				t.Errorf("%s is %v (%v)", path, info.Mode(), err)
			}
			return nil
		}))
	}
	publishPapers(t, dir, 1, 5)
	w := begin(t, dir, testOptions())
	commit(t, w, papers(6, 9))
	must(t, w.Close())
	writes(0)
	must(t, os.RemoveAll(dir))
	must(t, os.Mkdir(dir, 0o755))
	must(t, os.Chmod(dir, 0o775|fs.ModeSetgid))
	publishPapers(t, dir, 1, 5)
	publishPapers(t, dir, 6, 9)
	must(t, KeepReported(dir, Reported{Topic: "kras"}))
	must(t, RepliesIn(dir).Put(strings.Repeat("0", 32), []byte("{}")))
	w = begin(t, dir, testOptions())
	commit(t, w, papers(10, 19))
	must(t, w.Close())
	writes(groupWrites)
}
