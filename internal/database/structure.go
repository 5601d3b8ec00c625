package database

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/damage"
	"dossier/internal/regular"
)

// structureEntry is how many bytes stand for a page of a database's structure: its number (8), how many pages it takes
// (4), and their CRC-32C (4), the highest byte first.
const structureEntry = 16

// mostStructure is how many pages are compared when a database is opened: all of one with some 300,000 records. The
// nearest to the root come first.
const mostStructure = 4096

// SumStructure gives the sums of the pages by which everything else in a closed database is found: both metas, the
// root, and the branches. The entries in the leaves have checksums of their own.
func SumStructure(path string, wait time.Duration) (sums []byte, err error) {
	err = damage.Guard(path, damage.Rollback, func() error {
		sums, err = sumStructure(path, wait)
		return err
	})
	return sums, err
}

func sumStructure(path string, wait time.Duration) (sums []byte, err error) {
	db, err := bolt.Open(path, 0o644, &bolt.Options{
		ReadOnly: true, Timeout: wait, PageSize: PageSize, PreLoadFreelist: true, FreelistType: bolt.FreelistMapType,
	})
	if err != nil {
		return nil, fmt.Errorf("opening %s for its sums: %w", path, err)
	}
	defer db.Close()
	f, err := regular.OpenOwn(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buffer := make([]byte, PageSize)
	err = db.View(func(t *bolt.Tx) error {
		pages, err := structureOf(t)
		if err != nil {
			return err
		}
		for _, p := range pages {
			sum, err := sumPages(f, p, buffer)
			if err != nil {
				return err
			}
			sums = binary.BigEndian.AppendUint64(sums, p.number)
			sums = binary.BigEndian.AppendUint32(sums, p.pages)
			sums = binary.BigEndian.AppendUint32(sums, sum)
		}
		return nil
	})
	return sums, err
}

// pageRun is a page with those that it goes on in.
type pageRun struct {
	number uint64
	pages  uint32
}

// structureOf lists the pages of a database's structure, those nearest to the root first.
func structureOf(t *bolt.Tx) ([]pageRun, error) {
	root := uint64(t.Cursor().Bucket().Root())
	var roots []uint64
	err := t.ForEach(func(_ []byte, b *bolt.Bucket) error {
		roots = append(roots, uint64(b.Root())) // 0 of a small one, which lies within the root
		return nil
	})
	if err != nil {
		return nil, err
	}
	var first, rest []pageRun
	for number := uint64(0); ; {
		info, err := t.Page(int(number))
		if err != nil {
			return nil, err
		}
		if info == nil { // beyond the last
			break
		}
		run := pageRun{number, 1}
		if info.Type != "free" { // whose header is an old page's
			run.pages += uint32(info.OverflowCount)
		}
		switch {
		case number < 2, number == root, info.Type == "branch" && slices.Contains(roots, number):
			first = append(first, run)
		case info.Type == "branch":
			rest = append(rest, run)
		}
		number += uint64(run.pages)
	}
	return append(first, rest...), nil
}

// sumPages reads into buffer where that is large enough.
func sumPages(f io.ReaderAt, p pageRun, buffer []byte) (uint32, error) {
	size := int(p.pages) * PageSize
	if size > len(buffer) {
		buffer = make([]byte, size)
	}
	content := buffer[:size]
	if _, err := f.ReadAt(content, int64(p.number)*PageSize); err != nil {
		return 0, err
	}
	return crc32.Checksum(content, crc32.MakeTable(crc32.Castagnoli)), nil
}

// CheckStructure compares the pages of a database's structure with their sums before bbolt follows them: a branch that
// leads to itself would end the process.
func CheckStructure(path string, sums []byte) error {
	changed := damage.Error{Path: path, Reason: "its content is not what was published", Remedy: damage.Rollback}
	f, err := regular.OpenOwn(path, os.O_RDONLY, 0)
	if err != nil {
		return damage.UnlessFault(err, changed)
	}
	defer f.Close()
	buffer := make([]byte, PageSize)
	for entry := range slices.Chunk(sums[:min(len(sums), mostStructure*structureEntry)], structureEntry) {
		if len(entry) < structureEntry {
			return &changed
		}
		run := pageRun{binary.BigEndian.Uint64(entry), binary.BigEndian.Uint32(entry[8:])}
		if run.pages == 0 || run.pages > maxPageRun || run.number > maxPageNumber {
			return &changed
		}
		found, err := sumPages(f, run, buffer)
		if err != nil {
			return damage.UnlessFault(err, changed)
		}
		if found != binary.BigEndian.Uint32(entry[12:]) {
			return &changed
		}
	}
	return nil
}

// What the sums of a page can't ask for: more memory, or another place in the file, than any database has.
const (
	maxPageRun    = 1 << 12
	maxPageNumber = 1 << 40
)
