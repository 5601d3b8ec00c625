package store

import (
	"sync"

	"dossier/internal/database"
)

// maxRecentBytes bounds the text of the records in recentCommits. The most PubMed records that can be waiting, two
// rounds of indexing and a commit, take half of it.
const maxRecentBytes = 16 << 20

// recentCommits holds the last committed changes that the full text has yet to take, so that it need not read them
// back from the database, which takes as long as parsing them did. Changes that are missing here are read there, so
// any may be dropped. It is for databases with one writer at a time, and safe for concurrent use.
type recentCommits struct {
	mu      sync.Mutex
	changes database.Changes
	bytes   int // of text
}

// add appends a commit's changes.
func (h *recentCommits) add(more database.Changes) {
	if len(more.List) == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()

	if more.Last-uint64(len(more.List)) != h.changes.Last { // a gap: start again
		h.changes, h.bytes = database.Changes{}, 0
	}

	h.changes.List, h.changes.Last = append(h.changes.List, more.List...), more.Last
	for _, c := range more.List {
		h.bytes += textBytes(c)
	}

	if h.bytes > maxRecentBytes {
		h.changes, h.bytes = database.Changes{}, 0
	}
}

// take removes and returns the next changes after mark, at most limit, and drops all before. It returns none if the
// change after mark is not held.
func (h *recentCommits) take(mark uint64, limit int) (next database.Changes) {
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
