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
	"github.com/blevesearch/vellum"
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
		s := &source{mem: content, documents: file.NumDocs(), names: file.StoredIndexOffset()}
		readable := false
		err := guarded(func() error {
			readable = s.readColumns(file.SectionsIndexOffset())
			return nil
		})
		if err != nil || !readable {
			return
		}
		s.number(0, roaring.BitmapOf(3))
		_, _ = merge([]*source{s}, io.Discard, nil, nil)
		readLists(&Lists{source: *s, words: map[string]*vellum.Reader{}})
	})
}

// guarded makes errors of the panics that are taken for damage.
func guarded(f func() error) (err error) {
	defer takeDamage(&err)
	return f()
}

// readLists reads the lists of some words in each field.
func readLists(lists *Lists) {
	for _, field := range slices.Sorted(maps.Keys(lists.source.columns)) {
		for _, word := range []string{"w0", "w1", "w40", "0", "word"} {
			_ = guarded(func() error {
				list, err := lists.Find(field, []byte(word), nil, nil)
				for i := uint64(0); err == nil && list != nil && i < 1000; i += 3 {
					found, also := list.Advance(i)
					if found == nil {
						return also
					}
				}
				return err
			})
		}
	}
}
