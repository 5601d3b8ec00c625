package database

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/files"
)

// leafChecker checks the pages in which bbolt looks for a key. bbolt trusts their headers: if a page's count is too
// low, its last elements are never seen, and a branch may lead to another part of the tree. The entries' own checksums
// detect neither.
type leafChecker struct {
	pages   io.ReaderAt
	root    uint64
	buffers [][]byte  // a page for each level
	last    *keyRange // the keys that belong to the last leaf checked
}

// keyRange is a half-open range of keys; a nil end is unbounded.
type keyRange struct{ from, to []byte }

func (s keyRange) contains(key []byte) bool {
	return bytes.Compare(s.from, key) <= 0 && (s.to == nil || bytes.Compare(key, s.to) < 0)
}

// edge is the range's end in a direction.
func (s keyRange) edge(direction int) []byte {
	if direction < 0 {
		return s.from
	}
	return s.to
}

// leavesOf is nil if a bucket has no pages of its own or is written to: then all of it was compared before.
func (db *DB) leavesOf(b *bolt.Bucket) *leafChecker {
	if b == nil || b.Root() == 0 || !db.summed || db.pages[b.Tx().DB()] == nil {
		return nil
	}
	return &leafChecker{pages: db.pages[b.Tx().DB()], root: uint64(b.Root())}
}

// SkipPageChecks stops lookups from checking pages, whose sums and order have been compared.
func (db *DB) SkipPageChecks() { db.pages = nil }

// check follows the branches to the leaf that a key belongs to, as bbolt does, and checks that each page has the
// number of elements that it claims, and only keys that its branch assigns to it. The fault describes damage; empty if
// there is none.
func (l *leafChecker) check(key []byte) (fault string, err error) {
	if l == nil || l.last != nil && l.last.contains(key) {
		return "", nil
	}
	l.last = nil

	number, within := l.root, keyRange{}
	for depth := range maxDepth {
		page, fault, err := l.read(number, depth)
		if err == nil && fault == "" {
			fault, err = l.compare(page, number, within)
		}

		if err != nil || fault != "" {
			return fault, err
		}

		if !page.isBranch() {
			l.last = &within
			return "", nil
		}
		number, within = page.child(key, within)
	}
	return "its branches lead in a circle", nil
}

// clone returns an independent checker for a walk, which follows the leaves one after the other.
func (l *leafChecker) clone() *leafChecker {
	if l == nil {
		return nil
	}

	out := &leafChecker{pages: l.pages, root: l.root}
	if l.last != nil {
		out.last = &keyRange{bytes.Clone(l.last.from), bytes.Clone(l.last.to)} // l reuses the pages that hold them
	}
	return out
}

// follow checks the next key of a walk, or nil at its end: its leaf must be adjacent to the previous one. bbolt skips
// a leaf that claims to be empty.
func (l *leafChecker) follow(key []byte, direction int) (fault string, err error) {
	if l == nil || key != nil && l.last.contains(key) {
		return "", nil
	}

	edge := l.last.edge(direction)
	if key == nil {
		if edge != nil {
			return "a leaf at the end of a walk was passed over", nil
		}
		return "", nil
	}
	edge = bytes.Clone(edge)

	fault, err = l.check(key)
	if fault == "" && err == nil && !bytes.Equal(edge, l.last.edge(-direction)) {
		fault = fmt.Sprintf("a leaf before the entry %.200q was passed over", key)
	}
	return fault, err
}

// read returns a page; a branch with its overflow pages.
func (l *leafChecker) read(number uint64, depth int) (p treePage, fault string, err error) {
	if depth == len(l.buffers) {
		l.buffers = append(l.buffers, make([]byte, PageSize))
	}

	if number > maxPageNumber {
		return nil, fmt.Sprintf("it leads to page %d, which it has not", number), nil
	}

	p = l.buffers[depth][:PageSize]
	if _, err := l.pages.ReadAt(p, int64(number)*PageSize); err != nil {
		return nil, "", err
	}

	switch {
	case !p.isPage(number) || p.isBranch() && p.overflow() >= maxPageRun:
		return nil, fmt.Sprintf("page %d is not what leads to it says", number), nil
	case p.isBranch() && p.overflow() > 0:
		p = make([]byte, (p.overflow()+1)*PageSize)
		_, err = l.pages.ReadAt(p, int64(number)*PageSize)
		l.buffers[depth] = p
	}
	return p, "", err
}

// compare checks that a page has all its elements, and that its first and last key are in the range assigned to it.
func (l *leafChecker) compare(p treePage, number uint64, within keyRange) (fault string, err error) {
	if !p.hasAllElements() || p.count() == 0 && number != l.root {
		return fmt.Sprintf("page %d does not have the %d elements that it says it has", number, p.count()), nil
	}

	if p.count() == 0 {
		return "", nil
	}

	for _, i := range []int{0, p.count() - 1} {
		from, to := p.keyPlace(i)

		key := make([]byte, 0)
		switch {
		case to > (p.overflow()+1)*PageSize:
			return fmt.Sprintf("a key of page %d lies beyond its end", number), nil
		case to <= uint64(len(p)):
			key = p[from:to]
		default: // after long values
			key = append(key, make([]byte, to-from)...)
			if _, err := l.pages.ReadAt(key, int64(number*PageSize+from)); err != nil {
				return "", err
			}
		}

		if !within.contains(key) {
			return fmt.Sprintf("page %d holds keys that belong elsewhere", number), nil
		}
	}
	return "", nil
}

func (t table) checkLeaf(key []byte) error { return t.pageError(t.leaves.check(key)) }

// pageError makes an error of damage found in the table's pages.
func (t table) pageError(fault string, err error) error {
	if err != nil {
		return files.UnlessFault(err, files.DamageError{Path: t.db.path, Reason: "it can't be read",
			Remedy: files.RemedyRollback})
	}

	if fault != "" {
		return damaged(t.db.path, nil, "%s", fault)
	}
	return nil
}

// treePage is a bbolt page as stored in the file; tree.go describes the layout.
type treePage []byte

func (p treePage) count() int       { return int(binary.LittleEndian.Uint16(p[10:])) }
func (p treePage) overflow() uint64 { return uint64(binary.LittleEndian.Uint32(p[12:])) }
func (p treePage) isBranch() bool   { return binary.LittleEndian.Uint16(p[8:]) == pageBranch }

// isPage reports whether it is a branch or a leaf with that number.
func (p treePage) isPage(number uint64) bool {
	kind := binary.LittleEndian.Uint16(p[8:])
	return binary.LittleEndian.Uint64(p) == number && (kind == pageBranch || kind == pageLeaf)
}

// field is a four-byte number of an element.
func (p treePage) field(element, i int) uint64 {
	return uint64(binary.LittleEndian.Uint32(p[pageHeader+element*pageElement+4*i:]))
}

// keyPlace is the position of an element's key in the page.
func (p treePage) keyPlace(element int) (from, to uint64) {
	field := 1 // after the kind of a leaf's entry
	if p.isBranch() {
		field = 0
	}
	from = uint64(pageHeader+element*pageElement) + p.field(element, field)
	return from, from + p.field(element, field+1)
}

// hasAllElements compares a page's count with the position of its first key, which directly follows the elements. A
// page without elements must be empty.
func (p treePage) hasAllElements() bool {
	if p.count() == 0 {
		return !p.isBranch() && bytes.Equal(p[pageHeader:][:pageElement], make([]byte, pageElement))
	}
	end := pageHeader + p.count()*pageElement
	from, _ := p.keyPlace(0)
	return end <= PageSize && from == uint64(end)
}

// child returns the page that a branch has for a key, and that page's range of keys.
func (p treePage) child(key []byte, within keyRange) (number uint64, of keyRange) {
	at, of := 0, within
	for i := 1; i < p.count(); i++ {
		from, to := p.keyPlace(i)
		if to > uint64(len(p)) {
			break
		}

		if bytes.Compare(p[from:to], key) > 0 {
			of.to = p[from:to]
			break
		}
		at, of.from = i, p[from:to]
	}
	return binary.LittleEndian.Uint64(p[pageHeader+at*pageElement+8:]), of
}
