package opensearch

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"dossier/internal/database"
	"dossier/internal/files"
)

// tablesSchema is the version of the documents' layout, which an index stores in its mapping.
const tablesSchema = 1

// document is an entry as it is indexed. Journals have a value alone.
type document struct {
	Table string `json:"t,omitempty"`
	Place string `json:"k,omitempty"` // table and key
	Group string `json:"g,omitempty"` // table and group, where the table has groups
	Value []byte `json:"v,omitempty"`
}

// CreateTables creates an empty index of entries. It is refreshed when a range is read, and never automatically.
func CreateTables(ctx context.Context, client *Client, index string) error {
	keyword := func(sorted bool) map[string]any { return map[string]any{"type": "keyword", "doc_values": sorted} }
	return client.Create(ctx, index, Definition{
		Settings: map[string]any{"refresh_interval": "-1", "max_result_window": MaxPage},
		Mappings: map[string]any{
			"dynamic": "strict", "_meta": map[string]int{"tables": tablesSchema},
			"properties": map[string]any{
				"t": keyword(false), "k": keyword(true), "g": keyword(false), "v": map[string]any{"type": "binary"},
			},
		},
	})
}

const (
	maxID    = 512   // bytes that OpenSearch takes as an id
	maxPlace = 32766 // that Lucene takes as a word
)

// place is table and key as a text whose UTF-8 sorts like the bytes: each byte becomes the character with its number.
// A table's name contains no slash.
func place(table string, key []byte) string {
	var b strings.Builder
	b.Grow(len(table) + 1 + len(key))
	b.WriteString(table)
	b.WriteByte('/')

	for _, c := range key {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// parsePlace is the inverse of place.
func parsePlace(place string) (table string, key []byte, err error) {
	table, text, ok := strings.Cut(place, "/")

	key = make([]byte, 0, len(text))
	for _, c := range text {
		if c > 0xff {
			ok = false
		}
		key = append(key, byte(c))
	}

	if !ok {
		return "", nil, fmt.Errorf("the place %.100q is none that an entry is written to", place)
	}
	return table, key, nil
}

// entryID is the id of the document at a place.
func entryID(place string) string {
	if len(place) <= maxID {
		return place
	}
	sum := sha256.Sum256([]byte(place))
	return "#" + base64.RawURLEncoding.EncodeToString(sum[:])
}

// write is the change that stores an entry, or deletes it if stored is nil.
func write(table string, key, stored []byte) (Write, error) {
	at := place(table, key)

	w := Write{ID: entryID(at)}
	if stored == nil {
		return w, nil
	}

	if err := checkPlace(table, key, at); err != nil {
		return w, err
	}

	d := document{Table: table, Place: at, Value: stored}
	if group := database.GroupOf(table, key); group != nil {
		d.Group = place(table, group)
	}
	text, err := json.Marshal(d)
	w.Document = text
	return w, err
}

// checkPlace refuses a key that no document can have.
func checkPlace(table string, key []byte, at string) error {
	if len(at) > maxPlace {
		return fmt.Errorf("a key of %s has %d bytes, more than OpenSearch takes: %.100q", table, len(key), key)
	}
	return nil
}

// document is an entry as it is indexed. Journals have only a value.
func (t *Tables) document(source json.RawMessage) (d document, err error) {
	if err := json.Unmarshal(source, &d); err != nil {
		return d, t.damage(err)
	}

	if d.Value == nil {
		d.Value = []byte{}
	}
	return d, nil
}

// read returns the entry in a document, with its table. A document of another kind is damage.
func (t *Tables) read(source json.RawMessage) (table string, e database.Entry, err error) {
	d, err := t.document(source)
	if err != nil {
		return "", e, err
	}

	e.Stored = d.Value
	if table, e.Key, err = parsePlace(d.Place); err != nil {
		return "", e, t.damage(err)
	}
	return table, e, nil
}

func (t *Tables) damage(err error) error {
	return &files.DamageError{Path: t.index, Reason: "it holds what nobody wrote there",
		Remedy: files.RemedyRollback, Err: err}
}

var errReadOnly = errors.New("a published generation is not written to")
