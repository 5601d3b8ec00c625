package store

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
)

// overlay is how a merged record of a single origin is stored: what identity and step 3 set, over the source record that
// holds all the rest. It halves the space that most records take.
type overlay struct {
	Source       string                `json:"source"` // the origin's key
	ID           string                `json:"id"`
	Bucket       evidence.Bucket       `json:"bucket,omitempty"`
	BucketSource evidence.BucketSource `json:"bucket_source,omitempty"`
	Design       evidence.Design       `json:"design,omitempty"`
	Addresses    string                `json:"addresses_model,omitempty"`
	Provenance   map[string]string     `json:"provenance,omitempty"`
}

func overlayOf(source string, record evidence.Record) overlay {
	return overlay{
		Source: source, ID: record.ID, Bucket: record.Bucket, BucketSource: record.BucketSource,
		Design: record.Design, Addresses: record.AddressesModel, Provenance: record.Provenance,
	}
}

func (o overlay) over(source evidence.Record) evidence.Record {
	source.ID, source.Bucket, source.BucketSource, source.Design = o.ID, o.Bucket, o.BucketSource, o.Design
	source.AddressesModel, source.Provenance = o.Addresses, o.Provenance
	return source
}

// recordByID gives the merged record stored under id itself.
func (v *view) recordByID(tx *bolt.Tx, id string) (evidence.Record, error) {
	value, ok, err := v.table(tx, bucketRecords).get([]byte(id))
	if err != nil {
		return evidence.Record{}, err
	}
	if !ok {
		return evidence.Record{}, fmt.Errorf("record %.200q: %w", id, ErrNotFound)
	}
	record, err := v.decodeRecord(tx, value)
	return record, v.badValue("record", id, err)
}

func (v *view) decodeRecord(tx *bolt.Tx, value []byte) (evidence.Record, error) {
	var record evidence.Record
	if len(value) == 0 || value[0] != formOverlay {
		err := v.codec.decode(value, &record)
		return record, err
	}
	var over overlay
	if err := json.Unmarshal(value[1:], &over); err != nil {
		return record, fmt.Errorf("reading an overlay: %w", err)
	}
	source, err := v.sourceByKey(tx, over.Source)
	if err != nil {
		return record, err
	}
	return over.over(source), nil
}

// sourceByKey gives the source record of an origin.
func (v *view) sourceByKey(tx *bolt.Tx, originKey string) (evidence.Record, error) {
	var record evidence.Record
	ok, err := v.table(tx, bucketSources).decode([]byte(originKey), &record)
	if err == nil && !ok {
		return record, fmt.Errorf("source record %.200q: %w", originKey, ErrNotFound)
	}
	return record, v.badValue("source record", originKey, err)
}

// badValue is what a value that can't be read means: the file is damaged. It is nil where err is.
func (v *view) badValue(what, key string, err error) error {
	if err == nil || isDamaged(err) {
		return err
	}
	return &DamagedError{Path: v.evidencePath(), Reason: fmt.Sprintf("%s %.200q can't be read", what, key), Remedy: remedyRollback, Err: err}
}

// linkTargets lists what a record's links lead to. One that several links lead to may come several times; a link that only cites
// leads nowhere.
func linkTargets(record *evidence.Record) []evidence.Identifier {
	var targets []evidence.Identifier
	for _, link := range record.Links {
		if !link.Target.IsZero() {
			targets = append(targets, link.Target)
		}
	}
	return targets
}

// maxRedirects ends the walk along redirects; a chain this long is damage.
const maxRedirects = 1000

// resolve follows redirects from id to the record that it has become part of.
func (v *view) resolve(tx *bolt.Tx, id string) (string, error) {
	records, redirects := v.table(tx, bucketRecords), v.table(tx, bucketRedirects)
	at := []byte(id)
	for range maxRedirects {
		if len(at) == 0 {
			return "", fmt.Errorf("record %.200q: %w", id, ErrNotFound)
		}
		if is, err := records.has(at); is || err != nil {
			return string(at), err
		}
		var err error
		if at, _, err = redirects.get(at); err != nil {
			return "", err
		}
	}
	return "", &DamagedError{Path: v.evidencePath(), Reason: fmt.Sprintf("the redirects of %.200q go round in a circle", id), Remedy: remedyRollback}
}

// membersOf gives the origin keys in a record.
func (v *view) membersOf(tx *bolt.Tx, id string) ([]string, error) {
	value, ok, err := v.table(tx, bucketMembers).get([]byte(id))
	if !ok {
		return nil, err
	}
	var members []string
	err = json.Unmarshal(value, &members)
	return members, v.badValue("the list of origins of", id, err)
}

// scanChunk is how many entries one read transaction of a long walk takes: a transaction left open while the caller works
// would keep the writer from growing its file.
const scanChunk = 256

// records walks over all merged records in order of id.
func (v *view) records(ctx context.Context) iter.Seq2[evidence.Record, error] {
	return walk(ctx, func(after []byte) (records []evidence.Record, last []byte, err error) {
		err = v.read(func(tx *bolt.Tx) error {
			records, last, err = v.recordsAfter(tx, after)
			return err
		})
		return records, last, err
	})
}

func (v *view) recordsAfter(tx *bolt.Tx, after []byte) (records []evidence.Record, last []byte, err error) {
	for e, err := range v.table(tx, bucketRecords).after(after) {
		if err != nil {
			return nil, nil, err
		}
		record, err := v.decodeRecord(tx, e.value)
		if err != nil {
			return nil, nil, v.badValue("record", string(e.key), err)
		}
		records = append(records, record)
		if last = append(last[:0], e.key...); len(records) == scanChunk {
			break
		}
	}
	return records, last, nil
}

// walk yields chunk after chunk; next gives the entries after a key, and the last one's key.
func walk[T any](ctx context.Context, next func(after []byte) ([]T, []byte, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		var after []byte
		for {
			if err := ctx.Err(); err != nil {
				yield(none, err)
				return
			}
			chunk, last, err := next(after)
			if err != nil {
				yield(none, err)
				return
			}
			for _, item := range chunk {
				if !yield(item, nil) {
					return
				}
			}
			if len(chunk) < scanChunk {
				return
			}
			after = last
		}
	}
}

// seekAfter goes to the first key after the given one; to the first of all where that is nil.
func seekAfter(cursor *bolt.Cursor, after []byte) (key, value []byte) {
	if after == nil {
		return cursor.First()
	}
	return cursor.Seek(append(append(make([]byte, 0, len(after)+1), after...), 0))
}
