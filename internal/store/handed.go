package store

import (
	"sync"

	"dossier/internal/database"
)

// handedBytes bounds the text of the records in handed. As many of PubMed's as can be waiting, two rounds of indexing
// and a commit, have half of it.
const handedBytes = 16 << 20

// handed are the last changes that were committed and that the full text has yet to take: it need not read them back
// from the database, where that would take as long as parsing them did. What is not among them is read there, so that
// any of them may be let go of. It is for databases that have one writer at a time, and safe for concurrent use.
type handed struct {
	mu      sync.Mutex
	changes database.Changes
	bytes   int // of text
}

// add takes a commit's changes.
func (h *handed) add(more database.Changes) {
	if len(more.List) == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()

	if more.Last-uint64(len(more.List)) != h.changes.Last { // none is left out unseen
		h.changes, h.bytes = database.Changes{}, 0
	}

	h.changes.List, h.changes.Last = append(h.changes.List, more.List...), more.Last
	for _, c := range more.List {
		h.bytes += textBytes(c)
	}

	if h.bytes > handedBytes {
		h.changes, h.bytes = database.Changes{}, 0
	}
}

// take gives the next changes after mark, at most limit, and lets go of them and of all before. There are none where
// the one after mark is not held.
func (h *handed) take(mark uint64, limit int) (next database.Changes) {
	h.mu.Lock()
	defer h.mu.Unlock()

	before := h.changes.Last - uint64(len(h.changes.List)) // the first one's sequence number is one more
	if mark < before || mark >= h.changes.Last {
		return database.Changes{Last: mark}
	}
	from := int(mark - before)
	to := min(from+limit, len(h.changes.List))
	next.List = append(next.List, h.changes.List[from:to]...)

	next.Last = mark + uint64(len(next.List))
	for _, c := range h.changes.List[:to] {
		h.bytes -= textBytes(c)
	}
	clear(h.changes.List[:to])
	h.changes.List = h.changes.List[to:]
	return next
}

func textBytes(c database.Change) int {
	if c.Record == nil {
		return 0
	}
	return c.Record.TextBytes()
}
