package store

import (
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"dossier/internal/database"
)

// dbPage is a page of an evidence.db, with those that it overflows to.
type dbPage struct {
	place, size int64
	kind        string // "meta", "root", "free list", "branch of BUCKET", "leaf of BUCKET"
}

// pagesOf finds the pages of a database that are in use, by following it from its newest root.
func pagesOf(t *testing.T, path string) []dbPage {
	t.Helper()
	content, err := os.ReadFile(path)
	must(t, err)
	word := func(place int64) uint64 { return binary.LittleEndian.Uint64(content[place:]) }
	half := func(place int64) int64 { return int64(binary.LittleEndian.Uint32(content[place:])) }
	meta := int64(0)
	if word(database.PageSize+64) > word(64) { // the number of the last transaction
		meta = database.PageSize
	}
	pages := []dbPage{{0, 2 * database.PageSize, "meta"}}
	add := func(number uint64, kind string) int64 {
		place := int64(number) * database.PageSize
		pages = append(pages, dbPage{place, (1 + half(place+12)) * database.PageSize, kind})
		return place
	}
	add(word(meta+48), "free list")
	var walk func(number uint64, bucket string)
	walk = func(number uint64, bucket string) {
		place := int64(number) * database.PageSize
		flags, count := binary.LittleEndian.Uint16(content[place+8:]), int64(binary.LittleEndian.Uint16(content[place+10:]))
		kind := map[bool]string{true: "branch of " + bucket, false: "leaf of " + bucket}[flags&1 != 0]
		if bucket == "" {
			kind = "root"
		}
		add(number, kind)
		for i := range count {
			element := place + 16 + 16*i
			switch {
			case flags&1 != 0:
				walk(word(element+8), bucket)
			case half(element)&1 != 0: // a bucket; one that lies within the page has the root 0
				key := element + half(element+4)
				value := key + half(element+8)
				if root := word(value); root != 0 {
					walk(root, string(content[key:key+half(element+8)]))
				}
			}
		}
	}
	walk(word(meta+32), "")
	return pages
}

// leafOf finds a leaf of a bucket.
func leafOf(t *testing.T, path, bucket string) dbPage {
	t.Helper()
	for _, page := range pagesOf(t, path) {
		if page.kind == "leaf of "+bucket {
			return page
		}
	}
	t.Fatalf("%s has no leaf of %s", path, bucket)
	return dbPage{}
}

func changeValue(t *testing.T, path, bucket string) {
	t.Helper()
	page := leafOf(t, path, bucket)
	overwrite(t, path, page.place, page.size, func(content []byte) {
		const frame = "\x28\xb5\x2f\xfd" // what a compressed value begins with
		content[strings.Index(string(content), frame)+len(frame)] ^= 1
	})
}

// overwrite changes a part of a file in its place, so that generations that share the file share the damage.
func overwrite(t *testing.T, path string, place, size int64, change func([]byte)) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	defer f.Close()
	content := make([]byte, size)
	_, err = f.ReadAt(content, place)
	must(t, err)
	change(content)
	_, err = f.WriteAt(content, place)
	must(t, err)
}
