package files

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// What a packed file may unpack to beyond its size: text packs to a tenth, tables to a fiftieth, and what packs to a
// thousandth is made to fill a memory or a night.
const (
	maxRatio  = 200
	freeBytes = 16 << 20 // for which no ratio is asked
)

// Unzipped gives the content of r where r is packed with gzip, known by its first two bytes, and r's own bytes
// otherwise. Reading fails where more comes out than most bytes, or than anything honest packs: half of a file must not
// pass for all of it.
func Unzipped(r io.Reader, most int64) (io.Reader, error) {
	packed := &counted{r: r}

	buffered := bufio.NewReader(packed)
	if magic, _ := buffered.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return &bounded{r: buffered, most: most}, nil
	}

	zipped, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, fmt.Errorf("unpacking it: %w", err)
	}
	return &bounded{r: zipped, most: most, packed: packed}, nil
}

type counted struct {
	r    io.Reader
	read int64
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.read += int64(n)
	return n, err
}

type bounded struct {
	r      io.Reader
	read   int64
	most   int64
	packed *counted // nil: it is not packed
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	switch b.read += int64(n); {
	case b.read > b.most:
		return 0, fmt.Errorf("it holds more than %d bytes; take it in several files", b.most)
	case b.packed != nil && b.read > freeBytes && b.read > maxRatio*b.packed.read:
		return 0, fmt.Errorf("it unpacks to more than %d times its size, as no file of records does; unpack it first if it "+
			"is meant", maxRatio)
	}
	return n, err
}
