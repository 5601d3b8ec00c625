package store

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// maxValueSize bounds what one value may unfold to, so that a damaged or foreign file can't exhaust the memory.
const maxValueSize = 64 << 20

// The first byte of a value says how the rest is written.
const (
	formPlain   = 'j' // JSON
	formZstd    = 'z' // JSON, compressed
	formOverlay = 'o' // records only: an overlay's JSON over a source record (see overlay)
)

// codec turns values into bytes and back. It is safe for concurrent use.
type codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

func newCodec() (*codec, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("preparing compression: %w", err)
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxValueSize))
	if err != nil {
		return nil, fmt.Errorf("preparing decompression: %w", err)
	}
	return &codec{encoder: encoder, decoder: decoder}, nil
}

func (c *codec) close() { c.decoder.Close() }

// encode gives v's JSON behind its form byte, compressed where that is shorter.
func (c *codec) encode(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("writing %T as JSON: %w", v, err)
	}
	return c.pack(text)
}

func (c *codec) pack(text []byte) ([]byte, error) {
	if len(text) > maxValueSize {
		return nil, fmt.Errorf("a value has %d bytes; at most %d are stored", len(text), maxValueSize)
	}
	packed := c.encoder.EncodeAll(text, append(make([]byte, 0, len(text)/2+64), formZstd))
	if len(packed) > len(text) {
		packed = append(append(packed[:0], formPlain), text...)
	}
	return packed, nil
}

// decode reads what encode wrote into v.
func (c *codec) decode(value []byte, v any) error {
	text, err := c.unpack(value)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("reading a stored %T: %w", v, err)
	}
	return nil
}

func (c *codec) unpack(value []byte) ([]byte, error) {
	if len(value) == 0 {
		return nil, errors.New("a stored value is empty")
	}
	switch value[0] {
	case formPlain:
		return value[1:], nil
	case formZstd:
		text, err := c.decoder.DecodeAll(value[1:], nil)
		if err != nil {
			return nil, fmt.Errorf("decompressing a stored value: %w", err)
		}
		return text, nil
	}
	return nil, fmt.Errorf("a stored value has the unknown form %q", value[0])
}
