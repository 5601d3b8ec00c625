package fulltext

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"unsafe"
)

// presentBit of an entry of /proc/self/pagemap: the process has the page in its memory (proc(5)).
const presentBit = 1 << 63

// pagemapChunk is how many entries are read at once: those of 32 MiB.
const pagemapChunk = 8192

// touchedBlocks visits the blocks of a mapped file that this process has read, in order: the system maps a page when it
// is first looked at, and some more beside it. A page that was taken away again in the moment since is missed; that
// takes a machine which is out of memory.
func touchedBlocks(content []byte, visit func(block int) error) error {
	pagemap, err := os.Open("/proc/self/pagemap")
	if err != nil { // no /proc, or one that hides it
		return allBlocks(content, visit)
	}
	defer pagemap.Close()
	pageSize := os.Getpagesize()
	//nolint:gosec // only the address is looked at: it is the place in pagemap
	first := int64(uintptr(unsafe.Pointer(unsafe.SliceData(content)))) / int64(pageSize)
	pages := (len(content) + pageSize - 1) / pageSize
	entries := make([]byte, 8*min(pages, pagemapChunk))
	last := -1
	for page := 0; page < pages; page += pagemapChunk {
		chunk := entries[:8*min(pages-page, pagemapChunk)]
		if _, err := pagemap.ReadAt(chunk, (first+int64(page))*8); err != nil && !errors.Is(err, io.EOF) {
			return allBlocks(content, visit)
		}
		for i := 0; i < len(chunk); i += 8 {
			block := (page + i/8) * pageSize / BlockSize
			if block == last || binary.NativeEndian.Uint64(chunk[i:])&presentBit == 0 {
				continue
			}
			last = block
			if err := visit(block); err != nil {
				return err
			}
		}
	}
	return nil
}
