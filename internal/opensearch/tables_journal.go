package opensearch

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/klauspost/compress/zstd"
)

// A journal is one transaction, in documents of about journalChunk bytes at most, and a last one that marks it as
// complete, or as done.
const (
	journalID    = "~journal"
	journalChunk = 2 << 20
)

// journalEnd is the last document of a journal.
type journalEnd struct {
	Number int    `json:"number"` // of the transaction, from 1
	Chunks int    `json:"chunks"`
	Sum    uint32 `json:"sum"`              // CRC-32C of the chunks, concatenated
	Packed bool   `json:"packed,omitempty"` // each chunk is a frame of zstd's
	Done   bool   `json:"done"`
}

func chunkID(n int) string { return fmt.Sprintf("%s/%d", journalID, n) }

// appendChange encodes a change: the table, the key and the value, each after its length; the length is 0 for a
// deletion, and one more than the value's otherwise.
func appendChange(to []byte, table string, key, stored []byte) []byte {
	to = append(binary.AppendUvarint(to, uint64(len(table))), table...)

	to = append(binary.AppendUvarint(to, uint64(len(key))), key...)
	if stored == nil {
		return binary.AppendUvarint(to, 0)
	}
	return append(binary.AppendUvarint(to, uint64(len(stored))+1), stored...)
}

var errJournal = errors.New("the journal of the last transaction can't be read")

// readChanges decodes what appendChange wrote.
func readChanges(text []byte) (*changes, error) {
	c := newChanges()

	part := func(less uint64) ([]byte, bool) {
		size, n := binary.Uvarint(text)
		if n <= 0 || size < less {
			return nil, false
		}

		if text = text[n:]; size-less > uint64(len(text)) {
			return nil, false
		}
		part := text[:size-less]
		text = text[size-less:]
		return part, true
	}
	for len(text) > 0 {
		table, ok := part(0)

		key, okKey := part(0)
		if !ok || !okKey || len(text) == 0 {
			return nil, errJournal
		}

		if text[0] == 0 {
			text = text[1:]
			c.set(string(table), key, nil)
			continue
		}

		stored, ok := part(1)
		if !ok {
			return nil, errJournal
		}
		c.set(string(table), key, stored)
	}
	return c, nil
}

// writeJournal writes a transaction's journal. After it returns nil the transaction is committed, whatever crashes.
func (t *Tables) writeJournal(ctx context.Context, c *changes) error {
	var chunks []Write
	var text []byte
	sum := uint32(0)

	cut := func() error {
		text = t.packer.EncodeAll(text, nil)
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), text)
		document, err := json.Marshal(document{Value: text})
		chunks = append(chunks, Write{ID: chunkID(len(chunks)), Document: document})
		text = nil
		return err
	}
	for table, e := range c.all() {
		if err := checkPlace(table, e.Key, place(table, e.Key)); err != nil { // before it is committed
			return err
		}

		text = appendChange(text, table, e.Key, e.Stored)
		if len(text) >= journalChunk {
			if err := cut(); err != nil {
				return err
			}
		}
	}

	if len(text) > 0 {
		if err := cut(); err != nil {
			return err
		}
	}

	if err := t.client.Bulk(ctx, t.index, chunks); err != nil {
		return err
	}
	t.options.Step("update: the journal is not closed")

	err := t.closeJournal(ctx, journalEnd{Number: t.number + 1, Chunks: len(chunks), Sum: sum, Packed: true})
	if err != nil {
		t.uncertain = true
		return err
	}
	t.number++
	return nil
}

// closeJournal writes the document that ends the journal, by which its chunks count or are done with.
func (t *Tables) closeJournal(ctx context.Context, end journalEnd) error {
	text, err := json.Marshal(end)
	if err != nil {
		return err
	}

	document, err := json.Marshal(document{Value: text})
	if err != nil {
		return err
	}
	return t.client.Bulk(ctx, t.index, []Write{{ID: journalID, Document: document}})
}

// recover applies a journal that is complete and not marked as done.
func (t *Tables) recover(ctx context.Context) error {
	doc, ok, err := t.client.Get(ctx, t.index, journalID)
	if !ok || err != nil {
		return err
	}
	var end journalEnd

	d, err := t.document(doc.Source)
	if err == nil {
		err = json.Unmarshal(d.Value, &end)
	}

	if err != nil {
		return t.damage(errors.Join(errJournal, err))
	}

	t.number = end.Number
	if end.Done {
		return nil
	}

	text, err := t.readJournal(ctx, end)
	if err != nil {
		return err
	}

	left, err := readChanges(text)
	if err != nil {
		return t.damage(err)
	}
	t.state.Lock()
	t.applying = left
	t.state.Unlock()
	return t.apply(ctx)
}

func (t *Tables) readJournal(ctx context.Context, end journalEnd) (text []byte, err error) {
	var sum uint32
	for n := range end.Chunks {
		doc, ok, err := t.client.Get(ctx, t.index, chunkID(n))
		if err != nil {
			return nil, err
		}

		if !ok {
			return nil, t.damage(errJournal)
		}

		d, err := t.document(doc.Source)
		if err != nil {
			return nil, err
		}
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), d.Value)
		text = append(text, d.Value...)
	}

	if sum != end.Sum {
		return nil, t.damage(errJournal)
	}

	if end.Packed {
		if text, err = unpack(text); err != nil {
			return nil, t.damage(errors.Join(errJournal, err))
		}
	}
	return text, nil
}

// unpack decompresses concatenated zstd frames.
func unpack(packed []byte) ([]byte, error) {
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer unpacker.Close()
	return unpacker.DecodeAll(packed, nil)
}

// DropJournal deletes the journal, which a published generation does not need.
func (t *Tables) DropJournal(ctx context.Context) error {
	t.writing.Lock()
	defer t.writing.Unlock()

	if err := t.settle(ctx); err != nil {
		return err
	}

	for first := 0; ; first += getsAtOnce {
		var ids []string
		for n := range getsAtOnce {
			ids = append(ids, chunkID(first+n))
		}

		there, err := t.client.GetMany(ctx, t.index, ids)
		if err != nil {
			return err
		}

		var writes []Write
		for _, doc := range there {
			writes = append(writes, Write{ID: doc.ID})
		}

		if len(writes) < getsAtOnce { // the last one, with the journal's end
			writes = append(writes, Write{ID: journalID})
		}

		if err := t.client.Bulk(ctx, t.index, writes); err != nil {
			return err
		}

		if len(there) < getsAtOnce {
			return nil
		}
	}
}
