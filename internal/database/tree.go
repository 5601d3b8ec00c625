package database

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"

	"dossier/internal/files"
)

// The layout of bbolt's pages, all numbers little-endian: a header (number 8, kind 2, count 2, overflow pages 4), then
// its elements. Of a branch: position 4, size of the key 4, page 8. Of a leaf: kind 4, position 4, size of the key 4,
// size of the value 4. Positions are relative to the element's own beginning.
const (
	pageHeader  = 16
	pageElement = 16
	pageBranch  = 1
	pageLeaf    = 2
	leafBucket  = 1  // the kind of a bucket, whose value begins with its root's page, 0 of a small one
	metaSize    = 64 // magic, version, page size, flags: 4 each; root, sequence, freelist, end, number, sum: 8 each
	maxDepth    = 64 // of a tree; one of a billion pages has six levels
)

// CheckTree follows the pages of a closed database without sums, as bbolt would, and checks that each is reached once
// and holds what its header claims. bbolt itself, and its check, would follow a branch that leads to itself until the
// process ends. It reads the whole file, and the changes to it, if any. If neither meta is intact, bbolt reports that.
func CheckTree(path string) error {
	if err := checkTree(path); err != nil {
		return err
	}

	if ok, err := hasChanges(path); !ok || err != nil {
		return err
	}
	return checkTree(ChangesOf(path))
}

func checkTree(path string) error {
	damagedAs := func(reason string) error {
		return &files.DamageError{Path: path, Reason: reason, Remedy: files.RemedyRollback}
	}

	f, err := files.OpenOwn(path, os.O_RDONLY, 0)
	if err != nil {
		return files.UnlessFault(err, files.DamageError{Path: path, Reason: "it can't be opened",
			Remedy: files.RemedyRollback})
	}
	defer f.Close()

	info, err := f.Stat()
	if err != nil {
		return err
	}
	w := treeWalk{file: f, pages: uint64(info.Size()) / PageSize, buffer: make([]byte, PageSize)}
	w.seen = make([]bool, w.pages)

	root, ok, err := w.root()
	if err == nil && ok {
		err = w.follow(root, 0, true)
	}

	switch {
	case err == nil && w.fault != "":
		return damagedAs(w.fault)
	case err != nil:
		return files.UnlessFault(err, files.DamageError{Path: path, Reason: "it can't be read", Remedy: files.RemedyRollback})
	}
	return nil
}

type treeWalk struct {
	file   *os.File
	pages  uint64 // of the file
	seen   []bool
	buffer []byte
	fault  string // the damage found; it ends the walk
}

// root is the root bucket's page in the newest intact meta; ok is false if neither is intact.
func (w *treeWalk) root() (root uint64, ok bool, err error) {
	var newest uint64

	meta := make([]byte, metaSize)
	for number := range int64(2) {
		if _, err := w.file.ReadAt(meta, number*PageSize+pageHeader); err != nil {
			return 0, false, err
		}
		sum := fnv.New64a()
		sum.Write(meta[:metaSize-8])

		transaction := binary.LittleEndian.Uint64(meta[48:])
		if sum.Sum64() == binary.LittleEndian.Uint64(meta[56:]) && (!ok || transaction > newest) {
			root, newest, ok = binary.LittleEndian.Uint64(meta[16:]), transaction, true
		}
	}
	return root, ok, nil
}

// follow checks a page and all pages that it leads to. In the tree of buckets, the leaves lead to the buckets' own
// trees.
func (w *treeWalk) follow(number uint64, depth int, buckets bool) error {
	page, err := w.read(number, depth)
	if err != nil || w.fault != "" {
		return err
	}
	type next struct {
		number  uint64
		buckets bool
	}
	var leads []next
	count, end := int(binary.LittleEndian.Uint16(page[10:])), uint64(len(page))

	isBranch := binary.LittleEndian.Uint16(page[8:]) == pageBranch
	if pageHeader+count*pageElement > len(page) {
		w.fault = fmt.Sprintf("page %d has more elements than room", number)
		return nil
	}

	for i := range count {
		at := uint64(pageHeader + i*pageElement)

		field := func(i uint64) uint64 { return uint64(binary.LittleEndian.Uint32(page[at+4*i:])) }
		if isBranch {
			if at+field(0)+field(1) > end {
				w.fault = fmt.Sprintf("a key of page %d lies beyond its end", number)
				return nil
			}
			leads = append(leads, next{binary.LittleEndian.Uint64(page[at+8:]), buckets})
			continue
		}

		value := at + field(1) + field(2)
		switch kind := field(0); {
		case value+field(3) > end:
			w.fault = fmt.Sprintf("an entry of page %d lies beyond its end", number)
			return nil
		case kind == 0 && !buckets:
		case kind != leafBucket || !buckets || field(3) < pageHeader:
			w.fault = fmt.Sprintf("an entry of page %d is of another kind than those of its table", number)
			return nil
		default:
			if root := binary.LittleEndian.Uint64(page[value:]); root != 0 {
				leads = append(leads, next{root, false})
			}
		}
	}

	for _, n := range leads {
		if err := w.follow(n.number, depth+1, n.buckets); err != nil || w.fault != "" {
			return err
		}
	}
	return nil
}

// read returns a page with its overflow pages, valid until the next read.
func (w *treeWalk) read(number uint64, depth int) ([]byte, error) {
	switch {
	case number < 2 || number >= w.pages:
		w.fault = fmt.Sprintf("it leads to page %d, which it has not", number)
		return nil, nil
	case w.seen[number] || depth > maxDepth:
		w.fault = fmt.Sprintf("it leads to page %d twice", number)
		return nil, nil
	}
	w.seen[number] = true

	page := w.buffer[:PageSize]
	if _, err := w.file.ReadAt(page, int64(number)*PageSize); err != nil {
		return nil, err
	}

	kind, more := binary.LittleEndian.Uint16(page[8:]), uint64(binary.LittleEndian.Uint32(page[12:]))
	if binary.LittleEndian.Uint64(page) != number || kind != pageBranch && kind != pageLeaf || more >= maxPageRun ||
		number+more >= w.pages {
		w.fault = fmt.Sprintf("page %d is not what leads to it says", number)
		return nil, nil
	}

	if more == 0 {
		return page, nil
	}
	page = make([]byte, (more+1)*PageSize)
	_, err := w.file.ReadAt(page, int64(number)*PageSize)
	return page, err
}
