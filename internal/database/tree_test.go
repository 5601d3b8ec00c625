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

// TestATreeIsFollowedOnce: every lead of every branch is made to go elsewhere, and every byte is changed; bbolt follows
// only what passes, and comes back.
func TestATreeIsFollowedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.db")
	write(t, path, func(tx *bolt.Tx) {
		large, err := tx.CreateBucket([]byte("large"))
		must(t, err)
		for i := range 3000 {
			must(t, large.Put(fmt.Appendf(nil, "key %05d", i), make([]byte, 60)))
		}
		must(t, large.Put([]byte("one that goes on"), make([]byte, 5*PageSize)))
		small, err := tx.CreateBucket([]byte("small"))
		must(t, err)
		must(t, small.Put([]byte("key"), []byte("value")))
		_, err = tx.CreateBucket([]byte("none"))
		must(t, err)
	})
	if err := CheckTree(path); err != nil {
		t.Fatalf("nothing was changed: %v", err)
	}
	content, err := os.ReadFile(path)
	must(t, err)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	defer f.Close()
	put := func(place int, b []byte) {
		t.Helper()
		_, err := f.WriteAt(b, int64(place))
		must(t, err)
	}
	leads := 0
	for page := 2; page < len(content)/PageSize; page++ {
		at := page * PageSize
		if binary.LittleEndian.Uint64(content[at:]) != uint64(page) ||
			binary.LittleEndian.Uint16(content[at+8:]) != pageBranch {
			continue
		}
		count := int(binary.LittleEndian.Uint16(content[at+10:]))
		for i := range count {
			leads++
			lead := at + pageHeader + i*pageElement + 8
			neighbour := at + pageHeader + (i+1)%count*pageElement + 8
			for name, to := range map[string]uint64{
				"itself": uint64(page), "its neighbour's": binary.LittleEndian.Uint64(content[neighbour:]), "a meta": 1,
				"beyond the end": uint64(len(content)), "nowhere": 1 << 63,
			} {
				put(lead, binary.LittleEndian.AppendUint64(nil, to))
				if err := CheckTree(path); !files.IsDamage(err) {
					t.Errorf("page %d leads to %s: %v", page, name, err)
				}
				put(lead, content[lead:lead+8])
			}
		}
	}
	if leads < 20 {
		t.Errorf("%d leads", leads)
	}
	passed := 0
	for place := 0; place < len(content); place += 397 {
		put(place, []byte{content[place] ^ 1<<(place%8)})
		err := CheckTree(path)
		if err == nil {
			passed++
			err = readAll(path)
		} else if files.IsDamage(err) {
			err = nil
		}
		if err != nil {
			t.Errorf("byte %d: %v", place, err)
		}
		put(place, content[place:place+1])
	}
	t.Logf("%d changes of a byte are in a key, a value or what nothing leads to", passed)
}

// readAll has bbolt follow all that there is.
func readAll(path string) error {
	return files.Guard(path, files.RemedyRollback, func() error {
		db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, PageSize: PageSize, Timeout: time.Second})
		if err != nil {
			return nil // it says so
		}
		defer db.Close()
		return db.View(func(tx *bolt.Tx) error {
			return tx.ForEach(func(_ []byte, b *bolt.Bucket) error {
				return b.ForEach(func(_, _ []byte) error { return nil })
			})
		})
	})
}
