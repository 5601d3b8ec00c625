//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dossier/internal/database"
	"dossier/internal/files"
)

// mended is a row of the table in docs/FORMAT.md, "Damage".
type mended struct {
	damage string
	do     func(t *testing.T, l layout)
	reader string // what readers say; empty where they answer as ever
	code   int    // with which exit code
	verify string // what `indexer verify` says
	found  int    // with which exit code
	by     string // what mends it
}

const (
	byRollback = "`indexer rollback`"
	byRepair   = "`indexer verify --repair`"
	byRun      = "the next `indexer run`"
	byRemoving = "remove it"
)

func damagesToMend() []mended {
	in := func(name string, do func(t *testing.T, path string)) func(t *testing.T, l layout) {
		return func(t *testing.T, l layout) { do(t, filepath.Join(l.dir, name)) }
	}
	write := func(content string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) { writeFile(t, path, content) }
	}
	remove := func(t *testing.T, path string) { must(t, os.RemoveAll(path)) }
	pipe := func(t *testing.T, path string) {
		must(t, os.RemoveAll(path))
		must(t, syscall.Mkfifo(path, 0o600))
	}
	halve := func(t *testing.T, path string) {
		info, err := os.Stat(path)
		must(t, err)
		must(t, os.Truncate(path, info.Size()/2))
	}
	const newest = "generations/000003/"
	return []mended{
		{"`CURRENT` is missing", in(currentName, remove),
			"it is missing, and there are generations", 7, "it is missing, and there are generations", 7, byRollback},
		{"`CURRENT` is empty, or holds anything but a number", in(currentName, write("")),
			"not a generation's number", 7, "not a generation's number", 7, byRollback},
		{"`CURRENT` names no generation that is there", in(currentName, write("000009\n")),
			"it names generation 9, and there is none", 7, "it names generation 9, and there is none", 7, byRollback},
		{"`CURRENT` names an older generation", in(currentName, write("000002\n")),
			"", 0, "it names generation 2, generation 3 is newer and whole", 0, "`indexer rollback --to 3`"},
		{"`CURRENT` is a pipe, a link, a folder or a device", in(currentName, pipe),
			"only a regular file is used there", 7, "only a regular file is used there", 7, byRemoving + ", then " + byRollback},
		{"`LOCK` or `LOCKED` is a pipe, a link, a folder or a device (writers say so too)", in(lockName, pipe),
			"", 0, "only a regular file is used there", 7, byRemoving},
		{"`manifest.json` is missing", in(newest+manifestName, remove),
			"the manifest can't be read", 7, "the manifest can't be read", 7, byRollback},
		{"`manifest.json` is cut, garbage, or changed", in(newest+manifestName, halve),
			"the manifest makes no sense", 7, "the manifest makes no sense", 7, byRollback},
		{"`manifest.json` is another generation's", func(t *testing.T, l layout) {
			copyOver(t, filepath.Join(l.generation(2), manifestName), filepath.Join(l.generation(3), manifestName))
		}, "its manifest is that of generation 2", 7, "its manifest is that of generation 2", 7, byRollback},
		{"`evidence.db` is missing", in(newest+evidenceName, remove),
			"a file of the generation is missing", 7, "a file of the generation is missing", 7, byRollback + " or " + byRepair},
		{"`evidence.db` is cut, or longer than it was", in(newest+evidenceName, halve),
			"bytes, not the", 7, "bytes, not the", 7, byRollback + " or " + byRepair},
		{"`evidence.db` is another generation's", func(t *testing.T, l layout) {
			publishPapers(t, l.dir, 31, 31)
			publishPapers(t, l.dir, 31, 31)
			info, err := os.Stat(recordsOf(l.generation(5)))
			must(t, err)
			copyOver(t, recordsOf(l.generation(4)), recordsOf(l.generation(5)))
			must(t, os.Truncate(recordsOf(l.generation(5)), info.Size())) // its size alone would tell
		}, contentChanged, 7, contentChanged, 7, byRollback + " or " + byRepair},
		{"an entry of `evidence.db` is changed", func(t *testing.T, l layout) {
			changeValue(t, recordsOf(l.generation(3)), "records")
		}, "is not what was stored", 7, contentChanged, 7, byRollback + " or " + byRepair},
		{"a page of `evidence.db` is zeros", func(t *testing.T, l layout) {
			zeroLeaf(t, recordsOf(l.generation(3)), "records")
		}, "is not what leads to it says", 7, contentChanged, 7, byRollback + " or " + byRepair},
		{"a file of `text.bleve` is missing, cut, or no regular file", func(t *testing.T, l layout) {
			remove(t, firstSegment(t, l.generation(3)))
		}, "a file of the generation is missing", 7, "a file of the generation is missing", 7, byRepair},
		{"a small file of `text.bleve`, or the end of a segment, is changed", func(t *testing.T, l layout) {
			flipByte(t, filepath.Join(l.generation(3), textName, "store", "root.bolt"), 5000)
		}, contentChanged, 7, contentChanged, 7, byRepair},
		{"a segment is changed elsewhere, where a search reads it (it is made again before anything is published upon it)",
			func(t *testing.T, l layout) {
				largeSegment(t, l)
			}, contentChanged, 7, contentChanged, 7, byRepair + " or " + byRun},
		{"the full text says something else than the records, and the sums fit (a night sees it by some of the records)",
			func(t *testing.T, l layout) { textOfAnother(t, l.dir) }, "", 0, "it does not say what the records say", 7,
			byRepair + " or " + byRun},
		{"`text.sums` is missing, or changed", in(newest+blocksName, write("no sums")),
			"bytes, not the", 7, "bytes, not the", 7, byRepair},
		{"files of an older generation are damaged", func(t *testing.T, l layout) {
			remove(t, filepath.Join(l.generation(2), textName))
		}, "", 0, "it is not the current generation", 0, "later runs delete it"},
		{"the unpublished copy in `building/` is damaged (it is set aside as `.broken`, its judgements are taken over)",
			func(t *testing.T, l layout) {
				w := begin(t, l.dir, testOptions())
				commit(t, w, papers(31, 35))
				must(t, w.Close())
				writeFile(t, recordsOf(l.building(4)), strings.Repeat("garbage ", 4096))
			}, "", 0, "", 0, byRun},
		{"a foreign file lies in a generation or among them", in("generations/notes.txt", write("hello")),
			"", 0, "this is no part of the store", 0, "move it elsewhere"},
	}
}

func copyOver(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	must(t, err)
	must(t, os.Remove(to)) // it may be shared
	must(t, os.WriteFile(to, content, 0o600))
}

func zeroLeaf(t *testing.T, path, bucket string) {
	t.Helper()
	page := leafOf(t, path, bucket)
	overwrite(t, path, page.place, page.size, func(content []byte) { clear(content) })
}

// largeSegment flips a bit of a segment that is too large to be read whole when it is opened, in a name that a search
// gives.
func largeSegment(t *testing.T, l layout) {
	t.Helper()
	publishPapers(t, l.dir, 31, 400)
	for _, name := range filesUnder(t, l.generation(4)) {
		info, err := os.Stat(name)
		must(t, err)
		if filepath.Ext(name) == segmentSuffix && info.Size() > 2*endLength {
			flipByte(t, name, 3)
			return
		}
	}
	t.Fatal("no segment is large enough")
}

// TestEveryDamageIsMendedAsDocumented damages a store in each way that docs/FORMAT.md's table has, hears what is said,
// and follows the advice.
func TestEveryDamageIsMendedAsDocumented(t *testing.T) {
	skipInShort(t)
	text, err := os.ReadFile("../../docs/FORMAT.md")
	must(t, err)
	_, documented, _ := strings.Cut(string(text), "## Damage\n")
	begun := filepath.Join(t.TempDir(), "data")
	for n := range 3 {
		publishPapers(t, begun, 1+10*n, 10+10*n)
	}
	for _, m := range damagesToMend() {
		t.Run(m.damage, func(t *testing.T) {
			t.Parallel()
			if row := m.row(); !strings.Contains(documented, row+"\n") {
				t.Errorf("docs/FORMAT.md lacks the row\n%s", row)
			}
			for _, mend := range m.mends() {
				l := layout{dir: filepath.Join(t.TempDir(), "data")}
				must(t, os.CopyFS(l.dir, os.DirFS(begun)))
				m.do(t, l)
				saysSo(t, "readers", m.reader, m.code, readAll(t, l.dir))
				findings, err := Folder(l.dir).Verify(t.Context(), true)
				saysSo(t, "verify", m.verify, m.found, errors.Join(verdict(findings), err))
				must(t, mend(t.Context(), l))
				findings, err = Folder(l.dir).Verify(t.Context(), true)
				saysSo(t, "verify, afterwards", "", 0, errors.Join(onlyDamage(findings), err))
				saysSo(t, "readers, afterwards", "", 0, readAll(t, l.dir))
			}
		})
	}
}

// row is the table's.
func (m *mended) row() string {
	said := func(what string, code int) string {
		if what == "" {
			return fmt.Sprintf("nothing (%d)", code)
		}
		return fmt.Sprintf("“%s” (%d)", what, code)
	}
	verify := said(m.verify, m.found)
	if m.verify != "" && m.verify == m.reader {
		verify = fmt.Sprintf("the same (%d)", m.found)
	}
	return fmt.Sprintf("| %s | %s | %s | %s |", m.damage, said(m.reader, m.code), verify, m.by)
}

// mends gives each way to mend the damage.
func (m *mended) mends() []func(ctx context.Context, l layout) error {
	rollback := func(to int) func(ctx context.Context, l layout) error {
		return func(ctx context.Context, l layout) error {
			_, err := Folder(l.dir).Rollback(ctx, to, testOptions())
			return err
		}
	}
	repair := func(ctx context.Context, l layout) error {
		_, err := Folder(l.dir).RebuildText(ctx, testOptions())
		return err
	}
	run := func(ctx context.Context, l layout) error {
		w, err := Folder(l.dir).Begin(ctx, testOptions())
		if err != nil {
			return err
		}
		err = w.Commit(ctx, papers(401, 405))
		if err == nil {
			_, err = w.Publish(ctx)
		}
		return errors.Join(err, w.Close())
	}
	switch m.by {
	case byRollback:
		return []func(context.Context, layout) error{rollback(0)}
	case byRollback + " or " + byRepair:
		return []func(context.Context, layout) error{rollback(0), repair}
	case byRepair:
		return []func(context.Context, layout) error{repair}
	case byRepair + " or " + byRun:
		return []func(context.Context, layout) error{repair, run}
	case "`indexer rollback --to 3`":
		return []func(context.Context, layout) error{rollback(3)}
	case byRemoving:
		return []func(context.Context, layout) error{func(_ context.Context, l layout) error { return os.Remove(l.lock()) }}
	case byRemoving + ", then " + byRollback:
		return []func(context.Context, layout) error{func(ctx context.Context, l layout) error {
			return errors.Join(os.Remove(l.current()), rollback(0)(ctx, l))
		}}
	case "move it elsewhere":
		return []func(context.Context, layout) error{func(_ context.Context, l layout) error {
			return os.Remove(filepath.Join(l.generations(), "notes.txt"))
		}}
	}
	return []func(context.Context, layout) error{run}
}

// saysSo holds what is said to a part of it and to the exit code that it leads to.
func saysSo(t *testing.T, who, want string, code int, err error) {
	t.Helper()
	got := 0
	var schema *database.SchemaError
	switch {
	case err == nil, errors.Is(err, errWarned):
	case files.IsDamage(err) || errors.As(err, &schema):
		got = 7
	default:
		got = 1
	}
	if got != code || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("%s: exit code %d and %q, want %d and %q", who, got, fmt.Sprint(err), code, want)
	}
}

func readAll(t *testing.T, dir string) error {
	t.Helper()
	r, err := Folder(dir).Open(t.Context())
	if err != nil {
		return err
	}
	_, err = contentsOf(t.Context(), r)
	return errors.Join(err, r.Close())
}

var errWarned = errors.New("a warning")

// verdict makes one error of findings: damage where one is.
func verdict(findings []Finding) error {
	if err := onlyDamage(findings); err != nil {
		return err
	}
	if len(findings) > 0 {
		return fmt.Errorf("%w: %v", errWarned, findings)
	}
	return nil
}

func onlyDamage(findings []Finding) error {
	for _, f := range findings {
		if !f.Warning {
			return &files.DamageError{Path: f.Path, Reason: fmt.Sprint(findings)}
		}
	}
	return nil
}
