package pipeline

import (
	"iter"
	"strings"

	"dossier/internal/evidence"
)

// importPart is the content of one transaction of an import: records or, separately, origin keys of withdrawn ones.
type importPart struct {
	records  []evidence.Record
	gone     []string
	remarks  []importRemark // remarks on its items, in the files' order
	read     int
	repeated int
	err      error // a failure of the files; this part is the last, and is not stored
}

// importRemark is a report on a record.
type importRemark struct {
	file    string
	problem evidence.Problem
	isDoubt bool // the record was read
}

// importReader splits the files' items into parts, in order: an id may be withdrawn and given again.
type importReader struct {
	part importPart
	size int                     // bytes of text in the part
	file string                  // the origin's source of the previous record
	seen map[contentSum]struct{} // the contents of that file's records
}

// readParts reads in the background, one part ahead: while one is joined and committed, the next is unpacked and
// parsed. A consumer that stops does not wait for the current item, since a pipe may have none to give; reading ends
// after it.
func readParts(items iter.Seq2[ImportItem, error]) iter.Seq[importPart] {
	return func(yield func(importPart) bool) {
		parts, stop := make(chan importPart), make(chan struct{})
		go func() {
			defer close(parts)
			var in importReader
			in.sendParts(items, func(p importPart) bool {
				select {
				case parts <- p:
					return true
				case <-stop:
					return false
				}
			})
		}()
		defer close(stop)

		for p := range parts {
			if !yield(p) {
				return
			}
		}
	}
}

// sendParts sends part after part, until the items end or the consumer stops.
func (in *importReader) sendParts(items iter.Seq2[ImportItem, error], give func(importPart) bool) {
	next := func() bool {
		p := in.part
		in.part, in.size = importPart{}, 0
		return give(p)
	}
	for item, err := range items {
		if err != nil {
			in.part.err = err
			break
		}

		if in.mustEndBefore(&item) && !next() {
			return
		}
		in.add(&item)

		if len(in.part.records) >= importBatch || in.size >= importBytes || len(in.part.remarks) >= importBatch {
			if !next() {
				return
			}
		}
	}
	next()
}

// mustEndBefore reports whether the part must end before an item.
func (in *importReader) mustEndBefore(item *ImportItem) bool {
	if item.Withdrawn != "" {
		return len(in.part.records) > 0
	}
	return item.Unreadable == nil && len(in.part.gone) > 0
}

// add adds an item to the part: a withdrawal, a remark, or a record that the file has not held before.
func (in *importReader) add(item *ImportItem) {
	switch {
	case item.Withdrawn != "":
		in.part.gone = append(in.part.gone, item.Withdrawn)
		return
	case item.Unreadable != nil:
		in.part.remarks = append(in.part.remarks, importRemark{file: item.File, problem: *item.Unreadable})
		return
	}

	in.part.read++
	if len(item.Notes) > 0 && len(item.Record.Origins) > 0 {
		in.part.remarks = append(in.part.remarks, importRemark{file: item.File, isDoubt: true,
			problem: evidence.Problem{ID: item.Record.Origins[0].ID, Reason: strings.Join(item.Notes, "; ")}})
	}

	size := item.Record.Bound() // bounded here, too, so that no part takes more memory than is stored
	if in.repeats(&item.Record) {
		in.part.repeated++
		return
	}
	in.part.records = append(in.part.records, item.Record)
	in.size += size
}
