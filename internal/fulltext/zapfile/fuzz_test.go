package zapfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// FuzzDamagedSegments: of a segment that is not as it was written, merging makes something or gives an error. Lists may
// panic, as zapx's do, but for a reason that their readers take for damage; and nothing goes on for ever or takes
// memory without end. The changes are three bytes each: where, and what stands there.
func FuzzDamagedSegments(f *testing.F) {
	var whole bytes.Buffer
	builder, err := NewBuilder()
	if err != nil {
		f.Fatal(err)
	}
	made, err := builder.Build(slices.Concat(invented(150, 5), recorded(20)), new(segment.Stats))
	if err == nil {
		_, err = made.WriteTo(&whole)
	}
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{})
	f.Add([]byte{0xff, 0xff, 0xff, 0x10, 0x20, 0x80})
	f.Fuzz(func(t *testing.T, changes []byte) {
		content := bytes.Clone(whole.Bytes())
		for ; len(changes) >= 3; changes = changes[3:] {
			at := int(binary.BigEndian.Uint16(changes)) * len(content) / (1 << 16)
			content[at] = changes[2]
		}
		folder := t.TempDir()
		path := filepath.Join(folder, "segment.zap")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		file := openDamaged(path)
		if file == nil {
			return
		}
		defer func() { _ = file.Close() }()
		_, _, _ = new(Plugin).Merge([]segment.Segment{file}, []*roaring.Bitmap{roaring.BitmapOf(3)},
			filepath.Join(folder, "merged.zap"), nil, nil)
		readDamaged(t, file)
	})
}

// openDamaged opens a segment, or gives nil where zapx can't.
func openDamaged(path string) *zap.Segment {
	defer func() { _ = recover() }()
	opened, err := new(zap.ZapPlugin).Open(path)
	if err != nil {
		return nil
	}
	return opened.(*zap.Segment)
}

func readDamaged(t *testing.T, file *zap.Segment) {
	t.Helper()
	defer func() {
		switch cause := recover().(type) {
		case nil, runtime.Error:
		case error:
			if !errors.Is(cause, errDamaged) {
				t.Fatal(cause)
			}
		default:
			t.Fatal(cause)
		}
	}()
	lists := ListsOf(file)
	if lists == nil {
		return
	}
	for _, word := range []string{"w0", "w1", "w40", "0", "word"} {
		for _, field := range file.Fields() {
			list, err := lists.Find(field, []byte(word), nil, nil)
			for i := 0; err == nil && list != nil && i < 1000; i++ {
				var found segment.Posting
				if found, err = list.Advance(uint64(i * 3)); found == nil {
					break
				}
			}
		}
	}
}
