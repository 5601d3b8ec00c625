package database

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
	quick "github.com/segmentio/encoding/json"
)

// MaxValueSize bounds the decompressed size of a value, so that a damaged or foreign file can't exhaust the memory.
const MaxValueSize = 64 << 20

// The first byte of a value is its encoding.
const (
	formPlain   = 'j' // JSON
	formZstd    = 'z' // JSON, compressed
	formOverlay = 'o' // records only: an overlay over a source record (see overlay), as a value of its own
)

// dictionary is text that many values share, which compressed values refer to. They can't be read without it: a
// changed text must be a new dictionary, with a number of its own, beside this one. Command scripts/dictionary makes
// one.
//
//go:embed dictionary.txt
var dictionary []byte

// dictionaryNumber is stored in every value that was compressed with dictionary.
const dictionaryNumber = 1

// Codec encodes and decodes values, as described in docs/FORMAT.md under "Values". It is safe for concurrent use.
type Codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// NewCodec creates a Codec, which the caller closes.
func NewCodec() (*Codec, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true),
		zstd.WithEncoderDictRaw(dictionaryNumber, dictionary)) // a frame's checksum detects another dictionary
	if err != nil {
		return nil, fmt.Errorf("preparing compression: %w", err)
	}

	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(MaxValueSize),
		zstd.WithDecoderDictRaw(dictionaryNumber, dictionary))
	if err != nil {
		return nil, fmt.Errorf("preparing decompression: %w", err)
	}
	return &Codec{encoder: encoder, decoder: decoder}, nil
}

// Close releases the decompressor's resources.
func (c *Codec) Close() { c.decoder.Close() }

// Encode returns v's JSON after its form byte, compressed if that is shorter.
func (c *Codec) Encode(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("writing %T as JSON: %w", v, err)
	}

	if len(text) > MaxValueSize {
		return nil, fmt.Errorf("a value has %d bytes; at most %d are stored", len(text), MaxValueSize)
	}

	packed := c.encoder.EncodeAll(text, append(make([]byte, 0, len(text)/2+64), formZstd))
	if len(packed) > len(text) {
		packed = append(append(packed[:0], formPlain), text...)
	}
	return packed, nil
}

// decode reads a value that Encode wrote into v.
func (c *Codec) decode(value []byte, v any) error {
	text, err := c.Unpack(value)
	if err != nil {
		return err
	}

	if value[0] == formPlain {
		text = bytes.Clone(text) // v may refer to it, and outlives the file's pages
	}

	if err := unmarshal(text, v); err != nil {
		return fmt.Errorf("reading a stored %T: %w", v, err)
	}
	return nil
}

// maxNesting is encoding/json's limit of nesting. The quicker reader has none, and would exhaust the stack.
const maxNesting = 10_000

// unmarshal reads text into v, whose strings may share text's memory afterwards. It takes a quarter of encoding/json's
// time, and reads that package's output with the same result; it compares names case-sensitively.
func unmarshal(text []byte, v any) error {
	if bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("[")) > maxNesting {
		return json.Unmarshal(text, v)
	}

	rest, err := quick.Parse(text, v, quick.DontCopyString|quick.DontMatchCaseInsensitiveStructFields)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow it", len(rest))
	}
	return err
}

// Unpack returns the JSON of a value that Encode wrote.
func (c *Codec) Unpack(value []byte) ([]byte, error) {
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
