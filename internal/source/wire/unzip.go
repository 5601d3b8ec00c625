package wire

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// Unzipped gives the content of r where r is packed with gzip, known by its first two bytes, and r's own bytes
// otherwise.
func Unzipped(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	if magic, _ := buffered.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return buffered, nil
	}
	zipped, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, fmt.Errorf("unpacking it: %w", err)
	}
	return zipped, nil
}
