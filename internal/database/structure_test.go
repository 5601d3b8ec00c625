package database

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/files"
)

// TestNoChangedStructureIsFollowed flips every bit of the pages by which all others are found, among them those that
// have a branch lead to itself, which would end the process.
func TestNoChangedStructureIsFollowed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.db")
	write(t, path, func(tx *bolt.Tx) {
		large, err := tx.CreateBucket([]byte("large"))
		must(t, err)
		for i := range 3000 {
			must(t, large.Put(fmt.Appendf(nil, "key %05d", i), make([]byte, 60)))
		}
		small, err := tx.CreateBucket([]byte("small"))
		must(t, err)
		must(t, small.Put([]byte("key"), []byte("value")))
	})
	sums, err := SumStructure(path, time.Second)
	must(t, err)
	if err := CheckStructure(path, sums); err != nil {
		t.Fatalf("nothing was changed: %v", err)
	}
	content, err := os.ReadFile(path)
	must(t, err)
	pages := map[uint64]bool{}
	for at := 0; at < len(sums); at += structureEntry {
		pages[binary.BigEndian.Uint64(sums[at:])] = true
	}
	if len(pages) < 4 || len(pages) > 8 {
		t.Fatalf("%d pages are the structure", len(pages))
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	defer f.Close()
	put := func(place int, b byte) {
		_, err := f.WriteAt([]byte{b}, int64(place))
		must(t, err)
	}
	for place := 0; place < len(content); place += 61 {
		put(place, content[place]^1<<(place%8))
		isStructure := pages[uint64(place/PageSize)]
		if err := CheckStructure(path, sums); files.IsDamage(err) != isStructure {
			t.Errorf("byte %d, of the structure: %v; told: %v", place, isStructure, err)
		}
		put(place, content[place])
	}
	for name, changed := range map[string][]byte{
		"cut": sums[:len(sums)-3], "of another": append(append([]byte(nil), sums[:structureEntry]...),
			make([]byte, structureEntry)...),
	} {
		if err := CheckStructure(path, changed); !files.IsDamage(err) {
			t.Errorf("sums that are %s: %v", name, err)
		}
	}
}
