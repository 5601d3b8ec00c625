package zapfile

import (
	"bytes"
	"encoding/binary"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// FuzzDamagedSegments: a segment that is not as it was written is merged, or is an error; its lists are read, or panic
// for a reason that their readers take for damage; and nothing goes on for ever or takes memory without end. The
// changes are three bytes each: where, and what stands there. (zapx opens a file by numbers of which a wrong one has it
// reach for memory; so the store compares these before, and they are not changed here.)
func FuzzDamagedSegments(f *testing.F) {
	builder, err := NewBuilder()
	if err != nil {
		f.Fatal(err)
	}
	made, err := builder.Build(slices.Concat(invented(150, 5), recorded(20)), new(segment.Stats))
	if err != nil {
		f.Fatal(err)
	}
	var whole bytes.Buffer
	if _, err := made.WriteTo(&whole); err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(f.TempDir(), "segment.zap")
	if err := os.WriteFile(path, whole.Bytes(), 0o600); err != nil {
		f.Fatal(err)
	}
	opened, err := new(zap.ZapPlugin).Open(path)
	if err != nil {
		f.Fatal(err)
	}
	file := opened.(*zap.Segment)
	f.Cleanup(func() { _ = file.Close() })
	f.Add([]byte{})
	f.Add([]byte{0xff, 0xff, 0xff, 0x10, 0x20, 0x80})
	f.Fuzz(func(t *testing.T, changes []byte) {
		content := bytes.Clone(whole.Bytes()[:whole.Len()-zap.FooterSize])
		for ; len(changes) >= 3; changes = changes[3:] {
			content[int(binary.BigEndian.Uint16(changes))*len(content)/(1<<16)] = changes[2]
		}
		damaged := newSegment(content, file.NumDocs(), file.StoredIndexOffset(), file.SectionsIndexOffset())
		readSegment(damaged)
		s := &source{Segment: damaged}
		if Guarded(s.readOwn) != nil {
			return
		}
		s.number(0, roaring.BitmapOf(3))
		_, _ = merge([]*source{s}, io.Discard, nil, nil)
	})
}

// readSegment reads some of all that a segment holds.
func readSegment(s *Segment) {
	try := func(f func()) {
		_ = Guarded(func() error {
			f()
			return nil
		})
	}
	var names []string
	try(func() { names = slices.Sorted(maps.Keys(s.columns())) })
	for _, field := range names {
		for _, word := range []string{"w0", "w1", "w40", "0", "word"} {
			try(func() {
				for list, i := s.List(field, []byte(word), nil, nil), uint64(0); i < 1000 && list.Advance(i); i += 3 {
					list.Locations()
				}
			})
			try(func() { s.DocFrequency(field, []byte(word), nil) })
			try(func() { s.AddDocs(roaring.New(), field, []byte(word), roaring.BitmapOf(2), 1<<16) })
		}
		try(func() {
			for words, n := s.Words(field, "w"), 0; n < 1000 && words.Next(); n++ {
				s.DocFrequency(field, words.Word(), nil)
			}
		})
		try(func() {
			values := s.Values(field)
			for doc := range uint64(5) {
				values.Of(doc*31, func([]byte) {})
			}
		})
	}
	for doc := range uint64(5) {
		try(func() { s.ID(doc * 31) })
	}
}
