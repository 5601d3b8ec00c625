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

	"dossier/internal/files"
)

// structureEntry is how many bytes describe a page of a database's structure: its number (8), how many pages it takes
// (4), and their CRC-32C (4), all big-endian.
const structureEntry = 16

// maxStructurePages is how many pages are compared when a database is opened: all of one with some 300,000 records.
// The nearest to the root come first.
const maxStructurePages = 4096

// SumStructure returns the sums of the pages by which everything else in a closed database is found: both metas, the
// root, and the branches. The entries in the leaves have checksums of their own.
func SumStructure(path string, wait time.Duration) (sums []byte, err error) {
	err = files.Guard(path, files.RemedyRollback, func() error {
		sums, err = sumStructure(path, wait)
		return err
	})
	return sums, err
}

func sumStructure(path string, wait time.Duration) (sums []byte, err error) {
	db, err := bolt.Open(path, 0o640, &bolt.Options{
		ReadOnly: true, Timeout: wait, PageSize: PageSize, PreLoadFreelist: true, FreelistType: bolt.FreelistMapType,
	})
	if err != nil {
		return nil, fmt.Errorf("opening %s for its sums: %w", path, err)
	}
	defer db.Close()

	f, err := files.OpenOwn(path, os.O_RDONLY, 0)
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

// pageRun is a page with its overflow pages.
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
		if info.Type != "free" { // a free page has an old header
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

// sumPages reads into buffer if that is large enough.
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

// CheckStructure compares the pages of a database's structure with their sums before bbolt follows them: bbolt never
// returns from a branch that leads to itself.
func CheckStructure(path string, sums []byte) error {
	changed := files.DamageError{Path: path, Reason: "its content is not what was published", Remedy: files.RemedyRollback}

	f, err := files.OpenOwn(path, os.O_RDONLY, 0)
	if err != nil {
		return files.UnlessFault(err, changed)
	}
	defer f.Close()
	var together []summedRun
	buffer := make([]byte, maxAdjacent*PageSize)

	check := func() error {
		same, err := matchSums(f, together, buffer)
		together = together[:0]

		switch {
		case err != nil:
			return files.UnlessFault(err, changed)
		case !same:
			return &changed
		}
		return nil
	}
	for entry := range slices.Chunk(sums[:min(len(sums), maxStructurePages*structureEntry)], structureEntry) {
		if len(entry) < structureEntry {
			return &changed
		}

		run := summedRun{pageRun{binary.BigEndian.Uint64(entry), binary.BigEndian.Uint32(entry[8:])},
			binary.BigEndian.Uint32(entry[12:])}
		if run.pages == 0 || run.pages > maxPageRun || run.number > maxPageNumber {
			return &changed
		}

		if n := len(together); n > 0 && (run.number != together[n-1].end() || run.end() > together[0].number+maxAdjacent) {
			if err := check(); err != nil {
				return err
			}
		}
		together = append(together, run)
	}
	return check()
}

// summedRun is a page with its expected sum.
type summedRun struct {
	pageRun
	sum uint32
}

func (p pageRun) end() uint64 { return p.number + uint64(p.pages) }

// maxAdjacent is how many adjacent pages, as most are, are read at once: what fits the processor's cache.
const maxAdjacent = 8

// matchSums reads adjacent pages, into buffer if that is large enough, and reports whether they match their sums.
func matchSums(f io.ReaderAt, runs []summedRun, buffer []byte) (bool, error) {
	if len(runs) == 0 {
		return true, nil
	}
	first := runs[0].number

	size := int(runs[len(runs)-1].end()-first) * PageSize
	if size > len(buffer) {
		buffer = make([]byte, size)
	}

	content := buffer[:size]
	if _, err := f.ReadAt(content, int64(first)*PageSize); err != nil {
		return false, err
	}

	for _, run := range runs {
		of := content[(run.number-first)*PageSize : (run.end()-first)*PageSize]
		if crc32.Checksum(of, crc32.MakeTable(crc32.Castagnoli)) != run.sum {
			return false, nil
		}
	}
	return true, nil
}

// Bounds on a page's numbers: no database has more pages, or longer runs.
const (
	maxPageRun    = 1 << 12
	maxPageNumber = 1 << 40
)
