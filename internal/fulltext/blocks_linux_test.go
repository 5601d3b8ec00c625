package fulltext

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// TestOnlyWhatIsReadIsCompared: a search must not read the whole index. The system may map more than what was looked
// at.
func TestOnlyWhatIsReadIsCompared(t *testing.T) {
	const blocks = 4096
	f, err := os.Create(filepath.Join(t.TempDir(), "256 MiB of nothing"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(blocks * BlockSize); err != nil {
		t.Fatal(err)
	}
	content, err := unix.Mmap(int(f.Fd()), 0, blocks*BlockSize, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(content)
	touched := func() (out []int) {
		if err := touchedBlocks(content, func(block int) error { out = append(out, block); return nil }); err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got := touched(); len(got) != 0 {
		t.Fatalf("nothing was read, and %d blocks are said to be", len(got))
	}
	sum := byte(0)
	wanted := []int{0, 1500, blocks - 1}
	for _, block := range wanted {
		sum += content[block*BlockSize+BlockSize/2]
	}
	got := touched()
	for _, block := range wanted {
		if !slices.Contains(got, block) {
			t.Errorf("block %d was read (%d), and is not among %v", block, sum, got)
		}
	}
	if len(got) > blocks/4 {
		t.Errorf("%d of %d blocks are said to be read", len(got), blocks)
	}
}
