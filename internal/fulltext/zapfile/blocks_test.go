package zapfile

import (
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSumWriter(t *testing.T) {
	const size = 1 << 10
	content := make([]byte, 2*size+7)
	for i := range content {
		content[i] = byte(i * i >> 8)
	}
	table := crc32.MakeTable(crc32.Castagnoli)
	want := []uint32{
		crc32.Checksum(content[:size], table),
		crc32.Checksum(content[size:2*size], table),
		crc32.Checksum(content[2*size:], table),
	}
	for name, pieces := range map[string]int{"at once": len(content), "in blocks": size, "in odd pieces": 1_007,
		"byte by byte": 1} {
		t.Run(name, func(t *testing.T) {
			w := NewSumWriter(size)
			for rest := content; len(rest) > 0; {
				n, _ := w.Write(rest[:min(pieces, len(rest))])
				rest = rest[n:]
			}
			if diff := cmp.Diff(want, w.OfBlocks); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestOnlyWhatIsReadIsCompared: a look at one word compares a few blocks of many, those that it read are compared
// before it makes anything of them, and each once.
func TestOnlyWhatIsReadIsCompared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "segment.zap")
	whole := content(t, built(t, invented(20_000, 3)))
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Release()
	sums := NewSumWriter(4 << 10)
	_, _ = sums.Write(whole) // never fails
	s.Expect(sums.Sums)
	compared := func() (n int) {
		for block := range sums.OfBlocks {
			if s.published.same[block/64].Load()&(1<<(block%64)) != 0 {
				n++
			}
		}
		return n
	}
	if n := compared(); n != 0 {
		t.Errorf("nothing was read, and %d blocks were compared", n)
	}
	const field, word = "aardvark", "two words"
	if s.DocFrequency(field, []byte(word), nil) == 0 {
		t.Fatal("nobody holds the word")
	}
	few := compared()
	if few == 0 || few > len(sums.OfBlocks)/4 {
		t.Errorf("%d of %d blocks were compared for a word", few, len(sums.OfBlocks))
	}
	clear(sums.OfBlocks) // what was compared is not compared again
	if err := Guarded(func() error { s.DocFrequency(field, []byte(word), nil); return nil }); err != nil {
		t.Error(err)
	}
	if err := Guarded(func() error { everyWord(s); return nil }); !errors.Is(err, ErrChanged) {
		t.Errorf("%v", err)
	}
}

// TestWhatCouldNotBeReadIsReadAgain: a disk that failed once must not have a segment refused for as long as it is open.
func TestWhatCouldNotBeReadIsReadAgain(t *testing.T) {
	whole := content(t, built(t, recorded(3)))
	s, err := readFrame(whole)
	if err != nil {
		t.Fatal(err)
	}
	s.published = newBlocks(whole, Sums{BlockSize: 1 << 20, OfBlocks: []uint32{0}})
	look := func() error { s.HasField("title"); return nil }
	if err := Guarded(look); !errors.Is(err, ErrChanged) {
		t.Errorf("%v", err)
	}
	s.published = nil
	if err := Guarded(look); err != nil || !s.HasField("title") {
		t.Errorf("%v", err)
	}
}
