package database

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
	"dossier/internal/files"
)

// overlay is the stored form of a merged record with a single origin: the fields that identity and step 3 set, over
// the source record, which has the rest. It halves the space that most records take.
type overlay struct {
	Source       string                `json:"source"` // the origin's key
	ID           string                `json:"id"`
	Bucket       evidence.Bucket       `json:"bucket,omitempty"`
	BucketSource evidence.BucketSource `json:"bucket_source,omitempty"`
	Design       evidence.Design       `json:"design,omitempty"`
	Addresses    string                `json:"addresses_model,omitempty"`
	Provenance   map[string]string     `json:"provenance,omitempty"`
}

func (o overlay) applyTo(source evidence.Record) evidence.Record {
	source.ID, source.Bucket, source.BucketSource, source.Design = o.ID, o.Bucket, o.BucketSource, o.Design
	source.AddressesModel, source.Provenance = o.Addresses, o.Provenance
	return source
}

func (c *Codec) encodeOverlay(over overlay) ([]byte, error) {
	value, err := c.Encode(over)
	return append([]byte{formOverlay}, value...), err
}

// decodeOverlay reads what encodeOverlay wrote. Before schema 1.4.0 the overlay's JSON directly followed the form
// byte.
func (c *Codec) decodeOverlay(value []byte) (over overlay, err error) {
	text := value[1:]
	if bytes.HasPrefix(text, []byte("{")) {
		err = json.Unmarshal(text, &over)
		return over, err
	}
	err = c.decode(text, &over)
	return over, err
}

// record returns the merged record stored under id itself.
func (t tx) record(id string) (record evidence.Record, ok bool, err error) {
	value, ok, err := t.table(bucketRecords).get([]byte(id))
	if !ok {
		return record, false, err
	}
	record, err = t.decodeRecord(value)
	return record, err == nil, t.db.valueError("record", id, err)
}

func (t tx) decodeRecord(value []byte) (record evidence.Record, err error) {
	if len(value) == 0 || value[0] != formOverlay {
		err := t.db.codec.decode(value, &record)
		return record, err
	}

	over, err := t.db.codec.decodeOverlay(value)
	if err != nil {
		return record, fmt.Errorf("reading an overlay: %w", err)
	}

	source, err := t.member(over.Source)
	if err != nil {
		return record, err
	}
	return over.applyTo(source), nil
}

// hashStored hashes a merged record's value and, for an overlay, its source record; ok is false if that can't be read.
func (t tx) hashStored(seed maphash.Seed, value []byte) (number uint64, ok bool) {
	var hash maphash.Hash
	hash.SetSeed(seed)
	hash.Write(value)

	if len(value) > 0 && value[0] == formOverlay {
		over, err := t.db.codec.decodeOverlay(value)
		if err != nil {
			return 0, false
		}

		source, is, err := t.table(bucketSources).get([]byte(over.Source))
		if err != nil || !is {
			return 0, false
		}
		hash.Write(source)
	}
	return hash.Sum64(), true
}

// errMissing means that something which another part of the database, or of a batch, refers to is missing.
var errMissing = errors.New("not in the store")

// source returns the source record of an origin.
func (t tx) source(originKey string) (evidence.Record, bool, error) {
	return stored[evidence.Record](t, bucketSources, originKey, "source record")
}

// member returns the source record of a merged record's origin.
func (t tx) member(originKey string) (evidence.Record, error) {
	record, ok, err := t.source(originKey)
	if err == nil && !ok {
		err = fmt.Errorf("source record %.200q: %w", originKey, errMissing)
	}
	return record, err
}

// stored reads the value under a key; what names it in messages.
func stored[T any](t tx, bucket []byte, key, what string) (value T, ok bool, err error) {
	ok, err = t.table(bucket).decode([]byte(key), &value)
	return value, ok, t.db.valueError(what, key, err)
}

// decodeAll decodes the values of entries, at most limit of them; 0 means all. In messages, what names them, and whose
// their common owner.
func decodeAll[T any](t tx, entries iter.Seq2[entry, error], limit int, what, whose string) (values []T, err error) {
	for e, err := range entries {
		var value T
		if err == nil {
			err = t.db.valueError(what, cmp.Or(whose, string(e.key)), t.db.codec.decode(e.value, &value))
		}

		if err != nil {
			return nil, err
		}

		if values = append(values, value); len(values) == limit {
			break
		}
	}
	return values, nil
}

// valueError reports a value that can't be read as damage of the file. It is nil if err is.
func (db *DB) valueError(what, key string, err error) error {
	if err == nil || files.IsDamage(err) {
		return err
	}
	return damaged(db.path, err, "%s %.200q can't be read", what, key)
}

// maxRedirects ends the walk along redirects; a chain this long is damage.
const maxRedirects = 1000

// resolve follows redirects from id to the record that it has become part of.
func (t tx) resolve(id string) (now string, ok bool, err error) {
	records, redirects := t.table(bucketRecords), t.table(bucketRedirects)

	at := []byte(id)
	for range maxRedirects {
		if len(at) == 0 {
			return "", false, nil
		}

		if is, err := records.has(at); is || err != nil {
			return string(at), is, err
		}

		if at, _, err = redirects.get(at); err != nil {
			return "", false, err
		}
	}
	return "", false, damaged(t.db.path, nil, "the redirects of %.200q go round in a circle", id)
}

// mustResolve is resolve for an id that must lead to a record.
func (t tx) mustResolve(id string) (now string, err error) {
	now, ok, err := t.resolve(id)
	if err == nil && !ok {
		err = fmt.Errorf("record %.200q: %w", id, errMissing)
	}
	return now, err
}

// membersOf returns the origin keys of a record's members.
func (t tx) membersOf(id string) ([]string, error) {
	value, ok, err := t.table(bucketMembers).get([]byte(id))
	if !ok {
		return nil, err
	}
	var members []string
	err = json.Unmarshal(value, &members)
	return members, t.db.valueError("the list of origins of", id, err)
}

// scanChunk is how many entries one read transaction of a long walk takes: a transaction left open while the caller
// works would keep the writer from growing its file.
const scanChunk = 256

// walk reads every entry of a table in chunks, and yields those that read selects. It yields what was read before an
// error first.
func walk[T any](
	ctx context.Context, q Queries, bucket []byte, read func(t tx, e entry) (item T, wanted bool, err error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var after []byte
		for more := true; more; {
			var chunk []T

			err := ctx.Err()
			if err == nil {
				err = q.with(func(db *DB) error {
					return db.read(func(t tx) (err error) {
						after, more, err = t.readChunk(bucket, after, func(e entry) error {
							item, wanted, err := read(t, e)
							if err == nil && wanted {
								chunk = append(chunk, item)
							}
							return err
						})
						return err
					})
				})
			}

			for _, item := range chunk {
				if !yield(item, nil) {
					return
				}
			}

			if err != nil {
				var none T
				yield(none, err)
				return
			}
		}
	}
}

// readChunk reads the next scanChunk entries after a key, and returns the last one's key and whether there may be
// more.
func (t tx) readChunk(bucket, after []byte, read func(e entry) error) (last []byte, more bool, err error) {
	table := t.table(bucket)
	if !table.exists() { // possible in a damaged database
		return nil, false, damaged(t.db.path, nil, "it has no %s", bucket)
	}

	count := 0
	for e, err := range table.after(after) {
		if err == nil {
			err = read(e)
		}

		if err != nil {
			return last, false, err
		}

		last = append(last[:0], e.key...)
		if count++; count == scanChunk {
			return last, true, nil
		}
	}
	return last, false, nil
}

// seekAfter moves to the first key after the given one; to the very first if that is nil.
func seekAfter(cursor *bolt.Cursor, after []byte) (key, value []byte) {
	if after == nil {
		return cursor.First()
	}
	return cursor.Seek(append(append(make([]byte, 0, len(after)+1), after...), 0))
}
