//go:build unix

package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dossier/internal/files"
)

// doorsWait bounds each question to a store with a door in it: what waits at a pipe waits for ever.
const doorsWait = 20 * time.Second

// doors are what may stand in the place of a file or a folder, and the word for it in what is said. Outside is a folder
// beside the store, which holds a copy of what stood there, named "it".
var doors = []struct {
	name, word string
	put        func(path, outside string) error
}{
	{"a pipe", "a pipe", func(path, _ string) error { return syscall.Mkfifo(path, 0o644) }},
	{"a socket", "a socket", func(path, _ string) error { return syscall.Mknod(path, syscall.S_IFSOCK|0o644, 0) }},
	{"a link to a device without end", "a link", func(path, _ string) error { return os.Symlink("/dev/zero", path) }},
	{"a link to the same", "a link", func(path, outside string) error {
		return os.Symlink(filepath.Join(outside, "it"), path)
	}},
	{"a link to a pipe", "a link", func(path, outside string) error {
		pipe := filepath.Join(outside, "pipe")
		return errors.Join(syscall.Mkfifo(pipe, 0o644), os.Symlink(pipe, path))
	}},
	{"a link to itself", "a link", func(path, _ string) error { return os.Symlink(path, path) }},
	{"another kind of entry", "a f", func(path, outside string) error { // a folder, or a file
		if info, err := os.Stat(filepath.Join(outside, "it")); err == nil && info.IsDir() {
			return os.WriteFile(path, []byte("a file"), 0o644)
		}
		return os.Mkdir(path, 0o755)
	}},
}

// TestNothingHangs puts something else in the place of each file and folder of a store, and has everybody use it: each
// comes to an end, says what stands where, and follows no link. Who does not need the place is not kept from working.
func TestNothingHangs(t *testing.T) {
	skipInShort(t)
	whole := filepath.Join(t.TempDir(), "data")
	publishPapers(t, whole, 1, 20)
	publishPapers(t, whole, 21, 40)
	must(t, PutInbox(whole, liveAnswer("q", night, 1)))
	interrupted := filepath.Join(t.TempDir(), "data")
	copyTree(t, whole, interrupted)
	w := begin(t, interrupted, testOptions())
	commit(t, w, papers(41, 45))
	must(t, w.Close())

	const (
		readers = 1 << iota // they refuse the store
		writers             // they do
		repairs             // so do verify --repair and rollback
		told                // status and verify tell of it, whoever refuses
	)
	in := func(parts ...string) func(dir string) string {
		return func(dir string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	}
	segment := func(folder ...string) func(dir string) string {
		return func(dir string) string { return firstSegment(t, filepath.Join(append([]string{dir}, folder...)...)) }
	}
	for _, place := range []struct {
		name  string
		store string
		at    func(dir string) string
		wants int
	}{
		{"CURRENT", whole, in(currentName), readers | writers | told},
		{"LOCK", whole, in(lockName), writers | repairs | told},
		{"LOCKED", whole, in(lockedName), writers | repairs | told},
		{"generations", whole, in(generationsName), readers | writers | repairs | told},
		{"building", whole, in(buildingName), writers | repairs | told},
		{"inbox", whole, in(inboxName), writers | repairs | told},
		{"the generation", whole, in(generationsName, "000002"), readers | writers | told},
		{"manifest.json", whole, in(generationsName, "000002", manifestName), readers | writers | told},
		{"evidence.db", whole, in(generationsName, "000002", evidenceName), readers | writers | told},
		{"text.bleve", whole, in(generationsName, "000002", textName), readers | writers | told},
		{"index_meta.json", whole, in(generationsName, "000002", textName, "index_meta.json"), readers | writers | told},
		{"the text's store", whole, in(generationsName, "000002", textName, "store"), readers | writers | told},
		{"root.bolt", whole, in(generationsName, "000002", textName, "store", "root.bolt"), readers | writers | told},
		{"a segment", whole, segment(generationsName, "000002"), readers | writers | told},
		{"an older generation", whole, in(generationsName, "000001"), told},
		{"a copy under way", interrupted, in(buildingName, "000003"), 0},
		{"its evidence.db", interrupted, in(buildingName, "000003", evidenceName), 0},
		{"its text", interrupted, in(buildingName, "000003", textName), 0},
		{"its index_meta.json", interrupted, in(buildingName, "000003", textName, "index_meta.json"), 0},
		{"its root.bolt", interrupted, in(buildingName, "000003", textName, "store", "root.bolt"), 0},
		{"its segment", interrupted, segment(buildingName, "000003"), 0},
		{"a file of a writer's", whole, in(currentName + files.Suffix), 0},
	} {
		for _, door := range doors {
			t.Run(place.name+" is "+door.name, func(t *testing.T) {
				t.Parallel() // most of it is waiting for the disk
				root := t.TempDir()
				made := func(name string) (dir, path string) {
					dir, outside := filepath.Join(root, name), filepath.Join(root, name+"-outside")
					copyTree(t, place.store, dir)
					path = place.at(dir)
					must(t, os.Mkdir(outside, 0o755))
					if exists(path) {
						must(t, os.Rename(path, filepath.Join(outside, "it")))
					}
					must(t, door.put(path, outside))
					return dir, path
				}
				tells := func(what string, path string, err error, refuses bool) {
					t.Helper()
					says := func(text string) bool { return err != nil && strings.Contains(err.Error(), text) }
					if refuses && (!files.IsDamage(err) || !says(path) || !says("it is "+door.word)) {
						t.Errorf("%s: %v; want damage that names %s as %s", what, err, path, door.word)
					}
					if err != nil && !files.IsDamage(err) {
						t.Errorf("%s: %v, which is no damage", what, err)
					}
				}
				dir, path := made("read")
				tells("readers", path, inTime(t, func() error { return askEverything(t, dir) }), place.wants&readers != 0)
				err := inTime(t, func() error {
					info, err := Folder(dir).Status(t.Context())
					for _, g := range info.Generations {
						err = errors.Join(err, g.Problem)
					}
					return errors.Join(err, info.Problem)
				})
				tells("status", path, err, place.wants&told != 0)
				err = inTime(t, func() error {
					findings, err := Folder(dir).Verify(t.Context(), true)
					for _, f := range findings {
						err = errors.Join(err, &files.DamageError{Path: f.Path, Reason: f.Problem, Remedy: f.Remedy})
					}
					return err
				})
				tells("verify", path, err, place.wants&told != 0)

				outside := contentUnder(t, dir+"-outside")
				dir, path = made("write")
				tells("writers", path, inTime(t, func() error { return commitAndPublish(t, dir) }), place.wants&writers != 0)
				if got := contentUnder(t, dir+"-outside"); !bytes.Equal(got, outside) {
					t.Error("a writer changed what a link leads to")
				}
				for name, repair := range map[string]func(dir string) error{
					"repair":   func(dir string) error { _, err := Folder(dir).RebuildText(t.Context(), testOptions()); return err },
					"rollback": func(dir string) error { _, err := Folder(dir).Rollback(t.Context(), 0, testOptions()); return err },
				} {
					dir, path := made(name)
					err := inTime(t, func() error { return repair(dir) })
					tells(name, path, err, place.wants&repairs != 0)
					if err == nil && inTime(t, func() error { return askEverything(t, dir) }) != nil {
						t.Errorf("after %s: the store can't be read", name)
					}
					if got := contentUnder(t, dir+"-outside"); !bytes.Equal(got, outside) {
						t.Errorf("%s changed what a link leads to", name)
					}
				}
			})
		}
	}
}

// inTime fails where a question does not come to its end.
func inTime(t *testing.T, ask func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- ask() }()
	select {
	case err := <-done:
		return err
	case <-time.After(doorsWait):
		t.Fatal("it hangs")
		return nil
	}
}

func commitAndPublish(t *testing.T, dir string) error {
	w, err := Folder(dir).Begin(t.Context(), testOptions())
	if err != nil {
		return err
	}
	_, err = w.TakeInbox(t.Context())
	if err == nil {
		err = w.Commit(t.Context(), papers(50, 55))
	}
	if err == nil {
		_, err = w.Publish(t.Context())
	}
	return errors.Join(err, w.Close())
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	must(t, os.CopyFS(to, os.DirFS(from)))
}

// TestAFileWithoutEndIsNotCopied: a sparse file has all the bytes that it says, and a disk has fewer.
func TestAFileWithoutEndIsNotCopied(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 20)
	must(t, os.Truncate(recordsOf(layout{dir: dir}.generation(1)), 1<<42))
	for name, use := range map[string]func() error{
		"readers": func() error { return askEverything(t, dir) },
		"writers": func() error { return commitAndPublish(t, dir) },
		"repair":  func() error { _, err := Folder(dir).RebuildText(context.Background(), testOptions()); return err },
		"verify": func() error {
			findings, err := Folder(dir).Verify(t.Context(), true)
			if err != nil || len(findings) == 0 {
				t.Errorf("Verify: %v, %v", findings, err)
			}
			return &files.DamageError{Reason: findings[0].Problem}
		},
	} {
		if err := inTime(t, use); !files.IsDamage(err) || !strings.Contains(err.Error(), "it has 4398046511104 bytes") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
