package segments

import (
	"context"
	"fmt"
	"hash/maphash"
	"io/fs"
	"iter"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/RoaringBitmap/roaring/v2"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/fields"
	"dossier/internal/fulltext/zapfile"
)

// Mismatch describes how a segment differs from the records.
type Mismatch struct {
	Segment string // its file's name; empty for records that no segment has
	Records int    // their number; 0 if the segment can't be read
	First   string // the id of one
	Err     error  // why it can't be read
}

func (w Mismatch) String() string {
	switch {
	case w.Err != nil:
		return w.Err.Error()
	case w.Segment == "":
		return fmt.Sprintf("%d records are not indexed (%s)", w.Records, w.First)
	}
	return fmt.Sprintf("it does not say what the records say (of %d; the first is %s)", w.Records, w.First)
}

// proofBatch is how many records are compared at once, and are in memory for each processor; long ones are limited
// to evidence.TextsAtOnce bytes together, however many processors there are, because indexing a text takes some ten
// times as much memory.
const proofBatch = 500

// Proofs caches the comparison of segments, which several indexes may share: each document is compared with its record
// once. Differences are not cached, and are found again in every index that has them.
type Proofs struct {
	Seed maphash.Seed // of the hashes of stored records

	turn  sync.Mutex // one index is compared at a time, by all processors
	known []*knownSegment
}

// knownSegment is what is known of a segment: for each document a hash of its content, and the hash of the stored
// record that was found equal; 0 if none is known.
type knownSegment struct {
	file             fs.FileInfo
	expected         []uint32 // the sums that it was checked with
	digests, records []uint64
}

// NewProofs creates an empty cache.
func NewProofs() *Proofs { return &Proofs{Seed: maphash.MakeSeed()} }

// Unknown iterates over all records of an index, in any order, except those that known accepts. It calls known with a
// record's id and a hash of the stored record.
type Unknown func(known func(id string, stored uint64) bool) iter.Seq2[evidence.Record, error]

// Prove compares the content of an index with all records, by indexing them again. It returns the differences by
// segment. Sums prove that a text is what was written; this proves that it matches the records.
func (all *Proofs) Prove(ctx context.Context, state *State, records Unknown) ([]Mismatch, error) {
	all.turn.Lock()
	defer all.turn.Unlock()
	p := all.begin(state)
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	room := semaphore.NewWeighted(evidence.TextsAtOnce)
	var err error
	var batch []evidence.Record

	bytes := 0
	for record, failed := range records(p.isKnown) {
		if err = failed; err != nil || within.Err() != nil {
			break
		}

		bytes += record.TextBytes()
		if batch = append(batch, record); len(batch) == proofBatch || bytes >= evidence.TextsAtOnce/2 {
			full, taken := batch, int64(min(bytes, evidence.TextsAtOnce))
			if err = room.Acquire(within, taken); err != nil {
				break
			}
			group.Go(func() error {
				defer room.Release(taken)
				return p.compare(full)
			})
			batch, bytes = nil, 0
		}
	}
	group.Go(func() error { return p.compare(batch) })

	if failed := group.Wait(); err == nil {
		err = failed
	}
	return p.wrong(), err
}

// proof is the state of a comparison.
type proof struct {
	state    *State
	seed     maphash.Seed
	known    []*knownSegment // nil for one that can't be read
	builders sync.Pool

	mu     sync.Mutex
	stored map[string]uint64 // by record id, of records not compared yet
	found  []Mismatch        // of each segment, and last of none
	proved []*roaring.Bitmap // documents that match their records
}

func (all *Proofs) begin(state *State) *proof {
	p := &proof{state: state, seed: all.Seed, known: make([]*knownSegment, len(state.Segments)),
		stored: map[string]uint64{}, found: make([]Mismatch, len(state.Segments)+1),
		proved: make([]*roaring.Bitmap, len(state.Segments))}
	for i, part := range state.Segments {
		p.found[i].Segment, p.proved[i] = part.Name(), roaring.New()
		p.found[i].Err = zapfile.Guarded(func() error {
			p.known[i] = all.segment(part)
			return nil
		})
	}
	return p
}

// segment returns what is known of a segment. It reads a new one, and panics if that can't be read.
func (all *Proofs) segment(part Segment) *knownSegment {
	file, err := os.Stat(part.Path())
	if err == nil {
		for _, known := range all.known {
			if os.SameFile(known.file, file) && slices.Equal(known.expected, part.Expected()) {
				return known
			}
		}
	}
	known := &knownSegment{file: file, expected: part.Expected(), digests: part.Digests(all.Seed)}

	known.records = make([]uint64, len(known.digests))
	if err == nil {
		all.known = append(all.known, known)
	}
	return known
}

// isKnown reports whether a record was compared with its document, maybe in another index. Unknown records are
// compared next.
func (p *proof) isKnown(id string, stored uint64) bool {
	var i int
	var doc uint32
	var ok bool
	_ = zapfile.Guarded(func() error { // an unreadable document is unknown, and is reported by the comparison
		i, doc, ok = p.find(id)
		return nil
	})
	p.mu.Lock()
	defer p.mu.Unlock()

	if ok && p.known[i].records[doc] == stored && p.proved[i].CheckedAdd(doc) {
		return true
	}
	p.stored[id] = stored
	return false
}

// find returns the place of a record's document in the first readable segment.
func (p *proof) find(id string) (segment int, doc uint32, ok bool) {
	for i, part := range p.state.Segments {
		if p.known[i] == nil {
			continue
		}

		if doc, ok := part.live(id); ok {
			return i, doc, true
		}
	}
	return 0, 0, false
}

// compare compares some records with the segments, which may have changed since they were first read.
func (p *proof) compare(records []evidence.Record) error {
	debug.SetPanicOnFault(true)
	return zapfile.Guarded(func() error { return p.compareAll(records) })
}

func (p *proof) compareAll(records []evidence.Record) error {
	if len(records) == 0 {
		return nil
	}

	documents := make([]zapfile.Document, len(records))
	for i := range records {
		documents[i] = zapfile.Document{ID: records[i].ID, Fields: fields.Of(&records[i])}
	}

	builder, _ := p.builders.Get().(*zapfile.Builder)
	if builder == nil {
		var err error
		if builder, err = zapfile.NewBuilder(); err != nil {
			return err
		}
	}

	for i, want := range builder.Digests(documents, p.seed) {
		p.compareOne(documents[i].ID, want)
	}
	p.builders.Put(builder)
	return nil
}

func (p *proof) compareOne(id string, want uint64) {
	i, doc, ok := p.find(id)
	p.mu.Lock()
	defer p.mu.Unlock()

	switch {
	case !ok:
		p.found[len(p.found)-1].note(id)
	case p.known[i].digests[doc] != want || !p.proved[i].CheckedAdd(doc):
		p.found[i].note(id)
	default:
		p.known[i].records[doc] = p.stored[id]
	}
	delete(p.stored, id)
}

func (w *Mismatch) note(id string) {
	if w.Records++; w.First == "" || id < w.First {
		w.First = id
	}
}

// wrong returns the differences once all records were compared, including documents without a record. It reports
// records without a segment if all segments can be read.
func (p *proof) wrong() (wrong []Mismatch) {
	unread := false
	for i, part := range p.state.Segments {
		found := p.found[i]
		if found.Err == nil && found.Records == 0 && p.proved[i].GetCardinality() < part.Live() {
			for doc := range part.Count() {
				if !p.proved[i].Contains(uint32(doc)) && (part.Deleted == nil || !part.Deleted.Contains(uint32(doc))) {
					found.note(string(part.ID(doc)))
				}
			}
		}

		unread = unread || found.Err != nil
		if found.Err != nil || found.Records > 0 {
			wrong = append(wrong, found)
		}
	}

	if missing := p.found[len(p.found)-1]; missing.Records > 0 && !unread {
		wrong = append(wrong, missing)
	}
	return wrong
}

// Has reports whether an index has the record of an id.
func (s *State) Has(id string) bool {
	return slices.ContainsFunc(s.Segments, func(part Segment) bool {
		_, ok := part.live(id)
		return ok
	})
}

// live returns the number of the document with an id, unless it is deleted.
func (s Segment) live(id string) (doc uint32, ok bool) {
	n, ok := s.Number(id)
	return uint32(n), ok && (s.Deleted == nil || !s.Deleted.Contains(uint32(n)))
}

// CheckSome compares the words of so many documents, from one on, with their records', and returns the id of the first
// that lacks one. It counts documents over all segments, cyclically.
func (s *State) CheckSome(from, documents uint64, record func(id string) (evidence.Record, bool, error)) (wrong string,
	err error) {
	total := uint64(0)
	for _, part := range s.Segments {
		total += part.Count()
	}

	for n := range min(documents, total) {
		doc := (from + n) % total

		part := 0
		for doc >= s.Segments[part].Count() {
			doc -= s.Segments[part].Count()
			part++
		}

		if at := s.Segments[part]; at.Deleted == nil || !at.Deleted.Contains(uint32(doc)) {
			id := string(at.ID(doc))

			r, ok, err := record(id)
			if err != nil {
				return "", err
			}

			if !ok || r.ID != id || !at.Holds(uint32(doc), zapfile.Document{ID: id, Fields: fields.Of(&r)}) {
				return id, nil
			}
		}
	}
	return "", nil
}
