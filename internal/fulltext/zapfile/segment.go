package zapfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"
	mmap "github.com/blevesearch/mmap-go"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// Segment is a segment open for searches. It is safe for concurrent use.
//
// If its file is damaged, reads panic with an index out of range, or ErrChanged. Guarded turns these panics into
// errors.
type Segment struct {
	mem       []byte // without the footer
	documents uint64
	names     uint64                                  // the address of the table of the documents' names
	list      uint64                                  // the address of the list of fields
	fields    atomic.Pointer[map[string]sourceColumn] // nil until they were read
	published *blocks                                 // what the file should hold; nil if unknown

	path string // of its file
	file mmap.MMap
	uses atomic.Int64 // of the file; at 0 it is released
}

// ErrFormat is in the error of a segment with another format than the one read here.
var ErrFormat = errors.New("the segment is of another format")

// Open opens the segment in a file, with one user until Release is called.
func Open(path string) (*Segment, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}

	file, err := mmap.Map(f, mmap.RDONLY, 0)
	if err = errors.Join(err, f.Close()); err != nil { // a mapping needs no open file
		return nil, err
	}

	s, err := readFrame(file)
	if err != nil {
		return nil, errors.Join(err, file.Unmap())
	}
	s.path, s.file = path, file
	s.uses.Store(1)
	return s, nil
}

// Of reads a scorch segment, for as long as that is open.
func Of(s segment.Segment) (*Segment, error) {
	switch s := s.(type) {
	case *file:
		return s.readable, nil
	case *zap.Segment:
		return readFrame(s.Data())
	}
	var content bytes.Buffer

	memory, ok := s.(interface {
		WriteTo(out io.Writer) (int64, error)
	})
	if !ok {
		return nil, fmt.Errorf("%w (%T)", ErrFormat, s)
	}

	if _, err := memory.WriteTo(&content); err != nil {
		return nil, err
	}
	return readFrame(content.Bytes())
}

// readFrame reads the frame of a segment.
func readFrame(content []byte) (*Segment, error) {
	if len(content) < zap.FooterSize {
		return nil, fmt.Errorf("%w: it has %d bytes", ErrFormat, len(content))
	}
	mem, footer := content[:len(content)-zap.FooterSize], content[len(content)-zap.FooterSize:]

	mode, version := binary.BigEndian.Uint32(footer[28:]), binary.BigEndian.Uint32(footer[32:])
	if encoded := binary.BigEndian.Uint32(footer); encoded != 0 || version != zap.Version || mode != chunkMode {
		return nil, fmt.Errorf("%w: version %d, lists cut by %d, %d bytes say how it is encoded", ErrFormat, version, mode,
			encoded)
	}
	s := newSegment(mem, binary.BigEndian.Uint64(footer[4:]), binary.BigEndian.Uint64(footer[12:]),
		binary.BigEndian.Uint64(footer[20:]))

	size := uint64(len(s.mem))
	if s.documents > size || s.names > size || s.names+8*s.documents > size || s.list > size {
		return nil, fmt.Errorf("%w: it has %d bytes, and is said to hold %d documents", errDamaged, size, s.documents)
	}
	return s, nil
}

func newSegment(mem []byte, documents, names, list uint64) *Segment {
	return &Segment{mem: mem, documents: documents, names: names, list: list}
}

// columns returns the fields. If they can't be read, the next call tries again: the disk may have failed once.
func (s *Segment) columns() map[string]sourceColumn {
	if known := s.fields.Load(); known != nil {
		return *known
	}
	columns := s.readColumns()
	s.fields.Store(&columns)
	return columns
}

// Expect makes all later reads compare what they read with the sums of the file's blocks, before it is used. It must
// be called before the first read.
func (s *Segment) Expect(sums Sums) {
	if len(sums.OfBlocks) > 0 {
		s.published = newBlocks(s.file, sums)
	}
}

// Name is the name of the segment's file.
func (s *Segment) Name() string { return filepath.Base(s.path) }

// Path is where the segment's file was when it was opened.
func (s *Segment) Path() string { return s.path }

// Expected are the sums of its blocks that Expect was given.
func (s *Segment) Expected() []uint32 {
	if s.published == nil {
		return nil
	}
	return s.published.sums
}

// Use adds a user of the file, for one more Release.
func (s *Segment) Use() { s.uses.Add(1) }

// Release removes a user of the file, and closes it after the last.
func (s *Segment) Release() error {
	if s.uses.Add(-1) != 0 {
		return nil
	}
	return s.file.Unmap()
}

// Count is the number of the segment's documents, including deleted ones.
func (s *Segment) Count() uint64 { return s.documents }

// HasField reports whether any document has content in a field.
func (s *Segment) HasField(field string) bool {
	_, ok := s.columns()[field]
	return ok
}

// ID is the name of a document.
func (s *Segment) ID(doc uint64) []byte {
	r := s.at(s.names + 8*doc)
	r = s.at(r.fixed64())
	about := r.varint()
	r.varint() // the length of the name and the rest of the stored document
	from := r.at
	length := r.varint() // of the name, the first stored field
	r.at = from + about
	return r.bytes(length)
}

// DocFrequency is the number of documents whose field contains a word, without those in except.
func (s *Segment) DocFrequency(field string, word []byte, except *roaring.Bitmap) uint64 {
	list, ok := s.find(field, word)
	switch {
	case !ok:
		return 0
	case list&zap.FSTValEncodingMask == zap.FSTValEncoding1Hit:
		if doc, _ := zap.FSTValDecode1Hit(list); except != nil && except.Contains(uint32(doc)) {
			return 0
		}
		return 1
	case except == nil || except.IsEmpty():
		bitmap, _ := s.bitmapAt(list)
		return countDocs(bitmap)
	}
	set := s.docs(list)
	return set.GetCardinality() - set.AndCardinality(except)
}

// AddDocs adds to set the documents whose field contains a word, without those in except. offset is the difference
// between a document's number in set and its number here. The set's content may be in the segment's memory.
func (s *Segment) AddDocs(set *roaring.Bitmap, field string, word []byte, except *roaring.Bitmap, offset int64) {
	list, ok := s.find(field, word)
	if !ok {
		return
	}

	if list&zap.FSTValEncodingMask == zap.FSTValEncoding1Hit {
		if doc, _ := zap.FSTValDecode1Hit(list); except == nil || !except.Contains(uint32(doc)) {
			set.Add(uint32(int64(doc) + offset))
		}
		return
	}

	holding := s.docs(list)
	if except != nil && !except.IsEmpty() {
		holding = roaring.AndNot(holding, except)
	}

	if offset != 0 {
		holding = roaring.AddOffset64(holding, offset)
	}
	set.Or(holding)
}

// named returns the numbers of the documents with one of the names.
func (s *Segment) named(names []string) *roaring.Bitmap {
	set := roaring.New()

	column, _ := s.column(nameOf)
	if column.dictionary == 0 {
		return set
	}

	dictionary := s.dictionary(column)
	for _, name := range slices.Sorted(slices.Values(names)) { // words with a common prefix are adjacent
		list, ok := dictionary.find([]byte(name))
		switch {
		case !ok:
		case list&zap.FSTValEncodingMask == zap.FSTValEncoding1Hit:
			doc, _ := zap.FSTValDecode1Hit(list)
			set.Add(uint32(doc))
		default:
			set.AddMany(s.docs(list).ToArray()) // its content is in the segment's memory
		}
	}

	if !set.IsEmpty() && uint64(set.Maximum()) >= s.documents {
		panic(fmt.Errorf("%w: a name is said to be that of document %d of %d", errDamaged, set.Maximum(), s.documents))
	}
	return set
}

// find returns a field's dictionary's value for a word.
func (s *Segment) find(field string, word []byte) (list uint64, ok bool) {
	column, _ := s.column(field)
	if column.dictionary == 0 {
		return 0, false
	}
	dictionary := s.dictionary(column)
	return dictionary.find(word)
}

// bitmapAt returns a reader at the bitmap of the list at an address, and the bitmap's length.
func (s *Segment) bitmapAt(list uint64) (bitmap *reader, length uint64) {
	r := s.at(list)
	r.varint() // the address of the frequencies
	r.varint() // and of the locations
	length = r.varint()
	return r, length
}

// docs is the set of the documents of the list at an address. It refers to the segment's memory.
func (s *Segment) docs(list uint64) *roaring.Bitmap {
	bitmap, length := s.bitmapAt(list)

	set := roaring.New()
	if _, err := set.FromBuffer(bitmap.bytes(length)); err != nil {
		panic(fmt.Errorf("%w: a set of documents: %w", errDamaged, err))
	}
	return set
}
