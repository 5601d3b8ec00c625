package database

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/damage"
)

// leaves looks at the pages in which bbolt looks for a key. bbolt believes what they say of themselves: of one that
// says that it has fewer elements than it has, the last are never seen, and a branch may lead to another part of the
// tree. The entries' own checksums tell neither.
type leaves struct {
	pages   io.ReaderAt
	root    uint64
	buffers [][]byte // a page for each level
	last    *stretch // the keys that belong to the leaf that was looked at last
}

// stretch is the keys from one on and before another; a nil one is no bound.
type stretch struct{ from, to []byte }

func (s stretch) holds(key []byte) bool {
	return bytes.Compare(s.from, key) <= 0 && (s.to == nil || bytes.Compare(key, s.to) < 0)
}

// edge is where it ends in a direction.
func (s stretch) edge(direction int) []byte {
	if direction < 0 {
		return s.from
	}
	return s.to
}

// leavesOf gives nil where a bucket has no pages of its own, or is written to: then all was compared before.
func (db *DB) leavesOf(b *bolt.Bucket) *leaves {
	if b == nil || b.Root() == 0 || !db.summed || db.pages[b.Tx().DB()] == nil {
		return nil
	}
	return &leaves{pages: db.pages[b.Tx().DB()], root: uint64(b.Root())}
}

// TakeAsWhole has looks into the database rely on its pages, whose sums and order were compared.
func (db *DB) TakeAsWhole() { db.pages = nil }

// check follows the branches to the leaf that a key belongs to, as bbolt does, and sees that each page has the elements
// that it says it has, and no keys but those that its branch has it for. The fault is what is wrong, or empty.
func (l *leaves) check(key []byte) (fault string, err error) {
	if l == nil || l.last != nil && l.last.holds(key) {
		return "", nil
	}
	l.last = nil

	number, within := l.root, stretch{}
	for depth := range mostDepth {
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

// again is the same for a walk, which follows the leaves one after the other.
func (l *leaves) again() *leaves {
	if l == nil {
		return nil
	}

	out := &leaves{pages: l.pages, root: l.root}
	if l.last != nil {
		out.last = &stretch{bytes.Clone(l.last.from), bytes.Clone(l.last.to)} // which lie in pages that l reads over
	}
	return out
}

// follow checks the next key of a walk, nil at its end: the leaf that it is in lies beside the one before. bbolt passes
// over a leaf that says that it is empty.
func (l *leaves) follow(key []byte, direction int) (fault string, err error) {
	if l == nil || key != nil && l.last.holds(key) {
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

// read gives a page, a branch with those that it goes on in.
func (l *leaves) read(number uint64, depth int) (p treePage, fault string, err error) {
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
	case !p.is(number) || p.isBranch() && p.more() >= maxPageRun:
		return nil, fmt.Sprintf("page %d is not what leads to it says", number), nil
	case p.isBranch() && p.more() > 0:
		p = make([]byte, (p.more()+1)*PageSize)
		_, err = l.pages.ReadAt(p, int64(number)*PageSize)
		l.buffers[depth] = p
	}
	return p, "", err
}

// compare sees that a page has all its elements, and that its first and last key are within what it is for.
func (l *leaves) compare(p treePage, number uint64, within stretch) (fault string, err error) {
	if !p.isWhole() || p.count() == 0 && number != l.root {
		return fmt.Sprintf("page %d does not have the %d elements that it says it has", number, p.count()), nil
	}

	if p.count() == 0 {
		return "", nil
	}

	for _, i := range []int{0, p.count() - 1} {
		from, to := p.place(i)

		key := make([]byte, 0)
		switch {
		case to > (p.more()+1)*PageSize:
			return fmt.Sprintf("a key of page %d lies beyond its end", number), nil
		case to <= uint64(len(p)):
			key = p[from:to]
		default: // behind long values
			key = append(key, make([]byte, to-from)...)
			if _, err := l.pages.ReadAt(key, int64(number*PageSize+from)); err != nil {
				return "", err
			}
		}

		if !within.holds(key) {
			return fmt.Sprintf("page %d holds keys that belong elsewhere", number), nil
		}
	}
	return "", nil
}

func (t table) checkLeaf(key []byte) error { return t.tell(t.leaves.check(key)) }

// tell makes an error of what was found in the table's pages.
func (t table) tell(fault string, err error) error {
	if err != nil {
		return damage.UnlessFault(err, damage.Error{Path: t.db.path, Reason: "it can't be read", Remedy: damage.Rollback})
	}

	if fault != "" {
		return damaged(t.db.path, nil, "%s", fault)
	}
	return nil
}

// treePage is a page of bbolt's as it lies in the file; see the layout in tree.go.
type treePage []byte

func (p treePage) count() int     { return int(binary.LittleEndian.Uint16(p[10:])) }
func (p treePage) more() uint64   { return uint64(binary.LittleEndian.Uint32(p[12:])) }
func (p treePage) isBranch() bool { return binary.LittleEndian.Uint16(p[8:]) == pageBranch }

// is reports whether it is a branch or a leaf of that number.
func (p treePage) is(number uint64) bool {
	kind := binary.LittleEndian.Uint16(p[8:])
	return binary.LittleEndian.Uint64(p) == number && (kind == pageBranch || kind == pageLeaf)
}

// field is a number of four bytes of an element.
func (p treePage) field(element, i int) uint64 {
	return uint64(binary.LittleEndian.Uint32(p[pageHeader+element*pageElement+4*i:]))
}

// place is where the key of an element lies in the page.
func (p treePage) place(element int) (from, to uint64) {
	field := 1 // behind the kind of a leaf's entry
	if p.isBranch() {
		field = 0
	}
	from = uint64(pageHeader+element*pageElement) + p.field(element, field)
	return from, from + p.field(element, field+1)
}

// isWhole compares how many elements a page says it has with where its first key lies, which is right behind them. A
// page without any is empty.
func (p treePage) isWhole() bool {
	if p.count() == 0 {
		return !p.isBranch() && bytes.Equal(p[pageHeader:][:pageElement], make([]byte, pageElement))
	}
	end := pageHeader + p.count()*pageElement
	from, _ := p.place(0)
	return end <= PageSize && from == uint64(end)
}

// child is the page that a branch has for a key, and for which keys.
func (p treePage) child(key []byte, within stretch) (number uint64, of stretch) {
	at, of := 0, within
	for i := 1; i < p.count(); i++ {
		from, to := p.place(i)
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
