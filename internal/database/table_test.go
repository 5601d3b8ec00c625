package database

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/damage"
)

// TestAnEntryIsWhatWasStored: whatever happens to an entry, nobody reads another value, and nobody misses it in
// silence.
func TestAnEntryIsWhatWasStored(t *testing.T) {
	name, key := bucketIdentifierRecords, func(i int) []byte { return fmt.Appendf(nil, "pmid:%03d", i) }
	const hurt = 40
	for _, tc := range []struct {
		name   string
		damage func(b *bolt.Bucket) error
		flip   int // which byte of the key, in the file; -1 none
	}{
		{"nothing", nil, -1},
		{"a bit of the value", func(b *bolt.Bucket) error { return b.Put(key(hurt), flipped(b.Get(key(hurt)), 7)) }, -1},
		{"a bit of the checksum", func(b *bolt.Bucket) error { return b.Put(key(hurt), flipped(b.Get(key(hurt)), 1)) }, -1},
		{"no value", func(b *bolt.Bucket) error { return b.Put(key(hurt), nil) }, -1},
		{"another's value", func(b *bolt.Bucket) error { return b.Put(key(hurt), b.Get(key(hurt+1))) }, -1},
		{"a bit at the start of the key", nil, 0},
		{"a bit in the midst of the key", nil, 5},
		{"a bit at the end of the key", nil, 7},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "evidence.db")
			write(t, path, func(tx *bolt.Tx) {
				bucket, err := tx.CreateBucket(name)
				must(t, err)
				whole := table{bucket: bucket, name: name, db: &DB{summed: true}}
				for i := range 100 {
					must(t, whole.put(key(i), fmt.Appendf(nil, "record %d", i)))
				}
			})
			if tc.damage != nil {
				write(t, path, func(tx *bolt.Tx) { must(t, tc.damage(tx.Bucket(name))) })
			}
			if tc.flip >= 0 {
				flipInFile(t, path, key(hurt), tc.flip)
			}
			db, err := openFile(path, true, 0)
			must(t, err)
			defer db.Close()
			checked := &DB{summed: true, bolt: db, path: path}
			if checked.CheckPages(t.Context()) == nil {
				checked.TakeAsOrdered()
			}
			must(t, db.View(func(tx *bolt.Tx) error {
				entries := table{bucket: tx.Bucket(name), name: name, db: &DB{summed: true, bolt: db}}
				ordered := entries
				ordered.db = checked
				for _, entries := range []table{entries, ordered} {
					value, ok, err := entries.get(key(hurt))
					if whole := tc.name == "nothing"; ok != whole || damage.Is(err) == whole || ok && string(value) != "record 40" {
						t.Errorf("get: %q, %v, %v", value, ok, err)
					}
				}
				if _, err := entries.suffixes(key(hurt)); damage.Is(err) != (tc.name != "nothing") {
					t.Errorf("suffixes: %v", err)
				}
				var walked error
				for _, err := range entries.all() {
					walked = err
				}
				if damage.Is(walked) != (tc.name != "nothing") {
					t.Errorf("all: %v", walked)
				}
				return nil
			}))
		})
	}
}

func write(t *testing.T, path string, f func(tx *bolt.Tx)) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{PageSize: PageSize})
	must(t, err)
	must(t, db.Update(func(tx *bolt.Tx) error { f(tx); return nil }))
	must(t, db.Close())
}

func flipped(b []byte, at int) []byte {
	b = slices.Clone(b)
	b[at] ^= 0x40
	return b
}

// flipInFile flips a bit of every copy of a key in a file, at a byte of it.
func flipInFile(t *testing.T, path string, key []byte, at int) {
	t.Helper()
	content, err := os.ReadFile(path)
	must(t, err)
	for from := 0; ; {
		i := bytes.Index(content[from:], key)
		if i < 0 {
			break
		}
		content[from+i+at] ^= 0x40
		from += i + len(key)
	}
	must(t, os.WriteFile(path, content, 0o600))
}

// TestAMisleadingBranchIsTold flips the bits of keys in a branch page, one after the other: whoever looks for an entry
// finds it or is told, and whoever lists some gets all of them or is told.
func TestAMisleadingBranchIsTold(t *testing.T) {
	name, key := bucketIdentifierRecords, func(i int) []byte { return fmt.Appendf(nil, "pmid:%02d|%05d", i/100, i) }
	const entries = 1500
	path := filepath.Join(t.TempDir(), "evidence.db")
	write(t, path, func(tx *bolt.Tx) {
		bucket, err := tx.CreateBucket(name)
		must(t, err)
		whole := table{bucket: bucket, name: name, db: &DB{summed: true}}
		for i := range entries {
			must(t, whole.put(key(i), fmt.Appendf(nil, "record %d", i)))
		}
	})
	content, err := os.ReadFile(path)
	must(t, err)
	ask := func() (err error) {
		db, err := openFile(path, true, 0)
		if err != nil {
			return err
		}
		defer db.Close()
		return damage.Guard(path, "", func() error {
			return db.View(func(tx *bolt.Tx) error {
				b := table{bucket: tx.Bucket(name), name: name, db: &DB{summed: true, bolt: db, path: path}}
				for i := range entries {
					if value, ok, err := b.get(key(i)); err != nil {
						return err
					} else if !ok || string(value) != fmt.Sprintf("record %d", i) {
						t.Errorf("%s: %q, %v", key(i), value, ok)
					}
				}
				for i := range entries / 100 {
					found := 0
					for _, err := range b.under(fmt.Appendf(nil, "pmid:%02d|", i)) {
						if err != nil {
							return err
						}
						found++
					}
					if found != 100 {
						t.Errorf("%d of the 100 under %02d", found, i)
					}
				}
				return nil
			})
		})
	}
	branches, told := 0, 0
	for page := 0; page < len(content); page += PageSize {
		count := int(content[page+10])
		if content[page+8] != 1 || count < 3 { // no branch, or an older one
			continue
		}
		branches++
		for bit := range 8 * 60 {
			place := page + 16 + 16*count + bit/8
			content[place] ^= 1 << (bit % 8)
			must(t, os.WriteFile(path, content, 0o600))
			if err := ask(); err != nil {
				told++
			}
			content[place] ^= 1 << (bit % 8)
			if t.Failed() {
				t.Fatalf("silent: byte %d of the page, bit %d", place-page, bit%8)
			}
		}
	}
	if branches == 0 || told == 0 {
		t.Fatalf("%d branches, %d told", branches, told)
	}
	t.Logf("%d flips told", told)
}
