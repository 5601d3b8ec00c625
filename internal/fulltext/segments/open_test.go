package segments_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/segments"
	"dossier/internal/fulltext/writing"
)

// index makes an index of three records, of which one is deleted, with the mark 7.
func index(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "text.bleve")
	ix, err := writing.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	var ops []segments.Op
	for _, id := range []string{"a", "b", "c"} {
		ops = append(ops, segments.Op{ID: id, Record: &evidence.Record{ID: id, Title: "lung cancer " + id}})
	}
	err = errors.Join(ix.Apply(t.Context(), ops, 5), ix.Apply(t.Context(), []segments.Op{{ID: "b"}}, 7), ix.Close())
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpen(t *testing.T) {
	ix, err := segments.Open(index(t), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	state, err := ix.State()
	if err != nil {
		t.Fatal(err)
	}
	if mark, err := state.Mark(); err != nil || mark != 7 || state.Live() != 2 || !state.Packed() {
		t.Errorf("mark %d, %v, %d documents, packed %v", mark, err, state.Live(), state.Packed())
	}
	if err := errors.Join(ix.Close(), ix.Close()); err != nil {
		t.Error(err)
	}
	if _, err := ix.State(); !errors.Is(err, segments.ErrClosed) {
		t.Errorf("a closed index gave %v", err)
	}
	for _, part := range state.Segments { // whoever looks at it goes on
		if !part.Words("title", "").Next() {
			t.Error("it has no words")
		}
	}
	if err := state.Done(); err != nil {
		t.Error(err)
	}
}

// change rewrites the newest state of an index in root.bolt.
func change(t *testing.T, path string, how func(state, segment *bolt.Bucket) error) {
	t.Helper()
	db, err := bolt.Open(filepath.Join(path, "store", "root.bolt"), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		states := tx.Bucket([]byte("s"))
		key, _ := states.Cursor().Last()
		state := states.Bucket(key)
		return state.ForEachBucket(func(name []byte) error {
			if segment := state.Bucket(name); segment.Get([]byte("p")) != nil {
				return how(state, segment)
			}
			return nil
		})
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func deleted(t *testing.T, documents ...uint32) []byte {
	t.Helper()
	content, err := roaring.BitmapOf(documents...).ToBytes()
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestOpenRefuses(t *testing.T) {
	put := func(key string, value []byte) func(_, segment *bolt.Bucket) error {
		return func(_, segment *bolt.Bucket) error { return segment.Put([]byte(key), value) }
	}
	about := func(key string, value []byte) func(state, _ *bolt.Bucket) error {
		return func(state, _ *bolt.Bucket) error { return state.Bucket([]byte("m")).Put([]byte(key), value) }
	}
	for _, tc := range []struct {
		name string
		how  func(state, segment *bolt.Bucket) error
		says string
	}{
		{"segments of another kind", about("type", []byte("zip")), `written as "zip"`},
		{"segments of another version", about("version", []byte{0, 0, 0, 16}), "version 00000010"},
		{"a version cut short", about("version", []byte{17}), "version 11"},
		{"encoded files", about("fileWriterID", []byte("secret")), "encoded"},
		{"a file elsewhere", put("p", []byte("../../../etc/passwd")), "is called"},
		{"a file of no name", put("p", nil), "is called"},
		{"a file that is not there", put("p", []byte("000000000099.zap")), "000000000099.zap"},
		{"fields that were changed", put("fields", []byte("{}")), "were changed"},
		{"deleted documents that are none", put("d", []byte("nonsense")), "what was deleted"},
		{"more deleted than there are", put("d", deleted(t, 3)), "there are 3 documents"},
		{"nothing about the segments", func(state, _ *bolt.Bucket) error { return state.DeleteBucket([]byte("m")) },
			"does not say"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := index(t)
			change(t, path, tc.how)
			ix, err := segments.Open(path, time.Second)
			if err == nil {
				ix.Close()
				t.Fatal("opened it")
			}
			if !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("%q does not say %q and where", err, tc.says)
			}
		})
	}
}

func TestOpenRefusesAnotherMake(t *testing.T) {
	path := index(t)
	for name, content := range map[string]string{
		"another index": `{"storage":"boltdb","index_type":"upside_down"}`,
		"no JSON":       "{",
		"nothing":       "",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(path, "index_meta.json"), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			if ix, err := segments.Open(path, time.Second); err == nil {
				ix.Close()
				t.Error("opened it")
			}
		})
	}
}

func TestInMemory(t *testing.T) {
	for _, tc := range []struct {
		name    string
		records []*evidence.Record
		live    uint64
		fails   bool
	}{
		{"none", nil, 0, false},
		{"two", []*evidence.Record{{ID: "a", Title: "x"}, {ID: "b"}}, 2, false},
		{"one that nobody could name", []*evidence.Record{{Title: "x"}}, 0, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			memory, err := segments.InMemory(tc.records)
			if (err != nil) != tc.fails {
				t.Fatal(err)
			}
			if tc.fails {
				return
			}
			state, err := memory.State()
			if err != nil || state.Live() != tc.live {
				t.Errorf("%v, %v", state, err)
			}
			if err := memory.Close(); err != nil {
				t.Error(err)
			}
			if _, err := memory.State(); !errors.Is(err, segments.ErrClosed) {
				t.Errorf("a closed index gave %v", err)
			}
		})
	}
}
