package tables

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/klauspost/compress/zstd"

	"dossier/internal/opensearch"
)

// A journal is one transaction as it was decided on, in documents of at most some journalChunk bytes, and a last one
// that says that it is whole, or that it was done.
const (
	journalID    = "~journal"
	journalChunk = 2 << 20
)

// closing is the last document of a journal.
type closing struct {
	Number int    `json:"number"` // of the transaction, from 1
	Chunks int    `json:"chunks"`
	Sum    uint32 `json:"sum"`              // CRC-32C of the chunks, one behind the other
	Packed bool   `json:"packed,omitempty"` // each chunk is a frame of zstd's
	Done   bool   `json:"done"`
}

func chunkID(n int) string { return fmt.Sprintf("%s/%d", journalID, n) }

// appendChange writes a change down: the table, the key and the value, each behind its length; that of a value that is
// taken away is 0, of others one more than it is.
func appendChange(to []byte, table string, key, stored []byte) []byte {
	to = append(binary.AppendUvarint(to, uint64(len(table))), table...)

	to = append(binary.AppendUvarint(to, uint64(len(key))), key...)
	if stored == nil {
		return binary.AppendUvarint(to, 0)
	}
	return append(binary.AppendUvarint(to, uint64(len(stored))+1), stored...)
}

var errJournal = errors.New("the journal of the last transaction can't be read")

// readChanges reads what appendChange wrote.
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

// writeJournal writes a transaction down. With nil it counts, whatever dies now.
func (t *Tables) writeJournal(ctx context.Context, c *changes) error {
	var chunks []opensearch.Write
	var text []byte
	sum := uint32(0)

	cut := func() error {
		text = t.packer.EncodeAll(text, nil)
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), text)
		document, err := json.Marshal(document{Value: text})
		chunks = append(chunks, opensearch.Write{ID: chunkID(len(chunks)), Document: document})
		text = nil
		return err
	}
	for table, e := range c.all() {
		if err := checkPlace(table, e.Key, place(table, e.Key)); err != nil { // before it counts
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

	err := t.closeJournal(ctx, closing{Number: t.number + 1, Chunks: len(chunks), Sum: sum, Packed: true})
	if err != nil {
		t.doubtful = true
		return err
	}
	t.number++
	return nil
}

func (t *Tables) closeJournal(ctx context.Context, end closing) error {
	text, err := json.Marshal(end)
	if err != nil {
		return err
	}

	document, err := json.Marshal(document{Value: text})
	if err != nil {
		return err
	}
	return t.client.Bulk(ctx, t.index, []opensearch.Write{{ID: journalID, Document: document}})
}

// recover does a journal that is whole and not noted as done.
func (t *Tables) recover(ctx context.Context) error {
	doc, ok, err := t.client.Get(ctx, t.index, journalID)
	if !ok || err != nil {
		return err
	}
	var end closing

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

func (t *Tables) readJournal(ctx context.Context, end closing) (text []byte, err error) {
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

// unpack unfolds frames of zstd's, one behind the other.
func unpack(packed []byte) ([]byte, error) {
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer unpacker.Close()
	return unpacker.DecodeAll(packed, nil)
}

// DropJournal takes the journal away, of which a published generation has no need.
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

		var writes []opensearch.Write
		for _, doc := range there {
			writes = append(writes, opensearch.Write{ID: doc.ID})
		}

		if len(writes) < getsAtOnce { // the last; what says that it is whole goes with it
			writes = append(writes, opensearch.Write{ID: journalID})
		}

		if err := t.client.Bulk(ctx, t.index, writes); err != nil {
			return err
		}

		if len(there) < getsAtOnce {
			return nil
		}
	}
}
