package database

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/files"
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
			db, file := opened(t, path)
			defer file.Close()
			must(t, file.View(func(in *bolt.Tx) error {
				entries := tx{Tx: in, db: db}.table(name)
				value, ok, err := entries.get(key(hurt))
				if whole := tc.name == "nothing"; ok != whole || files.IsDamage(err) == whole ||
					ok && string(value) != "record 40" {
					t.Errorf("get: %q, %v, %v", value, ok, err)
				}
				if _, err := entries.suffixes(key(hurt)); files.IsDamage(err) != (tc.name != "nothing") {
					t.Errorf("suffixes: %v", err)
				}
				var walked error
				for _, err := range entries.all() {
					walked = err
				}
				if files.IsDamage(walked) != (tc.name != "nothing") {
					t.Errorf("all: %v", walked)
				}
				return nil
			}))
		})
	}
}

// opened opens a file of tables alone.
func opened(t *testing.T, path string) (*DB, *bolt.DB) {
	t.Helper()
	db := &DB{summed: true, path: path}
	file, err := db.openFile(path, true, 0)
	must(t, err)
	return db, file
}

// TestALeafThatHidesEntriesIsTold lets each leaf say that it has fewer entries than it has, or more: who looks for one
// of them is told, and who walks over all.
func TestALeafThatHidesEntriesIsTold(t *testing.T) {
	name, key := bucketRecords, func(i int) []byte { return fmt.Appendf(nil, "PMID:%05d", i) }
	const entries = 300
	path := filepath.Join(t.TempDir(), "evidence.db")
	write(t, path, func(tx *bolt.Tx) {
		bucket, err := tx.CreateBucket(name)
		must(t, err)
		whole := table{bucket: bucket, name: name, db: &DB{summed: true}}
		for i := range entries {
			must(t, whole.put(key(i), bytes.Repeat([]byte("long "), 50+i%7*300)))
		}
	})
	content, err := os.ReadFile(path)
	must(t, err)
	leaves := 0
	for page := 0; page < len(content); page += PageSize {
		header := treePage(content[page : page+PageSize])
		if !header.isPage(uint64(page/PageSize)) || header.isBranch() || header.count() < 2 {
			continue
		}
		leaves++
		from, to := header.keyPlace(header.count() - 1)
		hidden := bytes.Clone(content[page+int(from) : page+int(to)])
		for bit := range 8 {
			content[page+10] ^= 1 << bit
			must(t, os.WriteFile(path, content, 0o600))
			db, file := opened(t, path)
			var walked, looked error
			err := file.View(func(in *bolt.Tx) error {
				entries := tx{Tx: in, db: db}.table(name)
				looked = files.Guard(path, "", func() error {
					_, _, err := entries.get(hidden)
					return err
				})
				walked = files.Guard(path, "", func() error {
					for _, err := range (tx{Tx: in, db: db}).table(name).all() {
						if err != nil {
							return err
						}
					}
					return nil
				})
				return nil
			})
			must(t, err)
			must(t, file.Close())
			isHidden := header.count() > treePage(content[page:]).count()
			if isHidden && !files.IsDamage(looked) || !files.IsDamage(walked) {
				t.Errorf("page %d, bit %d: looked: %v, walked: %v", page/PageSize, bit, looked, walked)
			}
			content[page+10] ^= 1 << bit
		}
	}
	if leaves < 10 {
		t.Fatalf("%d leaves", leaves)
	}
}

// leadsBack reports whether a branch page leads to a branch.
func leadsBack(content []byte, page, count int) bool {
	for child := range count {
		number := binary.LittleEndian.Uint64(content[page+pageHeader+pageElement*child+8:])
		if at := int(number) * PageSize; at < len(content) && content[at+8] == pageBranch {
			return true
		}
	}
	return false
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

// TestAMisleadingBranchIsTold flips the bits of keys and page numbers in a branch page, one after the other: whoever
// looks for an entry finds it or is told, and whoever lists some gets all of them or is told.
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
	const listed = 100 // under each prefix
	looks := map[string]func(b table) error{
		"one after the other": func(b table) error {
			for i := range entries {
				if value, ok, err := b.get(key(i)); err != nil {
					return err
				} else if !ok || string(value) != fmt.Sprintf("record %d", i) {
					t.Errorf("%s: %q, %v", key(i), value, ok)
				}
			}
			for i := range entries / listed {
				found := 0
				for _, err := range b.withPrefix(fmt.Appendf(nil, "pmid:%02d|", i)) {
					if err != nil {
						return err
					}
					found++
				}
				if found != listed {
					t.Errorf("%d of the %d under %02d", found, listed, i)
				}
			}
			return nil
		},
		"keys of which none is there": func(b table) error {
			for i := range entries {
				found, err := b.suffixes(key(i))
				if err != nil {
					return err
				}
				if len(found) != 1 {
					t.Errorf("%s: %q", key(i), found)
				}
			}
			return nil
		},
	}
	ask := func(look func(b table) error) error {
		db, file := opened(t, path)
		defer file.Close()
		return files.Guard(path, "", func() error {
			return file.View(func(in *bolt.Tx) error { return look(tx{Tx: in, db: db}.table(name)) })
		})
	}
	branches, told := 0, 0
	for page := 0; page < len(content); page += PageSize {
		count := int(content[page+10])
		if content[page+8] != 1 || count < 3 { // no branch, or an older one
			continue
		}
		branches++
		var places []int
		for child := range count { // which page it leads to
			places = append(places, page+16+16*child+8)
		}
		for i := range 60 { // its first key
			places = append(places, page+16+16*count+i)
		}
		for bit := range 8 * len(places) {
			place := places[bit/8]
			content[place] ^= 1 << (bit % 8)
			if leadsBack(content, page, count) { // which bbolt would follow for ever: the sums of branches tell it before
				content[place] ^= 1 << (bit % 8)
				continue
			}
			must(t, os.WriteFile(path, content, 0o600))
			for how, look := range looks {
				if err := ask(look); err != nil {
					told++
				}
				if t.Failed() {
					t.Fatalf("silent, %s: byte %d of the page, bit %d", how, place-page, bit%8)
				}
			}
			content[place] ^= 1 << (bit % 8)
		}
	}
	if branches == 0 || told == 0 {
		t.Fatalf("%d branches, %d told", branches, told)
	}
	t.Logf("%d flips told", told)
}
