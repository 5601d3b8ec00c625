package articles

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/store"
)

// batchBytes is how much text is committed at once: what is indexed of it takes some ten times as much memory.
const batchBytes = 4 << 20

// Outcome is what became of an article.
type Outcome string

// The outcomes.
const (
	New       Outcome = "new"
	Changed   Outcome = "changed" // it takes the place of an earlier text of the same paper
	Unchanged Outcome = "unchanged"
	NotKept   Outcome = "not kept" // its licence lets nobody keep it
)

// Writer takes full texts in.
type Writer struct {
	w       *store.Writer
	records Records
	now     time.Time
	pending []evidence.Record
	bytes   int
}

// Begin opens the full texts of a data directory for their one writer. Records are the store's.
func Begin(ctx context.Context, data string, records Records, options store.BeginOptions) (*Writer, error) {
	w, err := Place(data).Begin(ctx, Options(options))
	if err != nil {
		return nil, fmt.Errorf("opening the full texts: %w", err)
	}
	return &Writer{w: w, records: records, now: options.Now().UTC()}, nil
}

// Add takes an article in; file is where it came from. One that contradicts the record under its identifiers is kept
// apart, under a name of its own, and takes the place of none.
func (w *Writer) Add(ctx context.Context, article evidence.Record, file string) (Outcome, Owner, error) {
	owner, err := OwnerOf(w.records, &article)
	if err != nil || article.Body == nil {
		return NotKept, owner, err
	}

	key := keyOf(&article)
	if owner.Conflict != "" {
		key = apart(key, &article)
	}

	kept, err := w.kept(key)
	if err == nil && kept != nil && owner.Record == "" {
		if why := contradiction(kept, &article); why != "" { // nobody knows yet which of the two is right
			owner.Conflict, key = why, apart(key, &article)
			kept, err = w.kept(key)
		}
	}

	if err != nil {
		return NotKept, owner, err
	}

	if err := w.catalogue(&article, owner); err != nil {
		return NotKept, owner, err
	}

	if kept != nil && contradiction(kept, &article) != "" { // the record has told which of the two is its own
		w.put(*kept, apart(key, kept), kept.Origins[0].File)
		kept = nil
	}

	outcome := New
	if kept != nil {
		if outcome = Changed; sameText(kept, &article) {
			return Unchanged, owner, nil
		}
	}
	w.put(article, key, file)

	if w.bytes >= batchBytes {
		err = w.flush(ctx)
	}
	return outcome, owner, err
}

// catalogue gives an article what the store says of its paper, which searches go by: [mh], [pt], [dp].
func (w *Writer) catalogue(article *evidence.Record, owner Owner) error {
	record, found, err := w.records.Record(owner.Record)
	if err != nil || !found {
		return err
	}
	article.Date, article.MeSH, article.Substances = record.Date, record.MeSH, record.Substances
	article.PublicationTypes, article.Keywords = record.PublicationTypes, record.Keywords
	article.Languages, article.Journal, article.Authors = record.Languages, record.Journal, record.Authors
	return nil
}

// put has an article be committed under a key.
func (w *Writer) put(article evidence.Record, key, file string) {
	article.ID = key
	article.Origins = []evidence.Origin{{Source: evidence.SourceFullText, ID: key, Fetched: w.now, File: file}}
	w.pending = append(w.pending, article)
	w.bytes += article.TextBytes() + 64*len(article.Body.References)
}

// keyOf names an article by what the archives know it by.
func keyOf(article *evidence.Record) string {
	for _, kind := range []evidence.IDKind{evidence.PMCID, evidence.DOI, evidence.PMID} {
		if id, has := article.Identifier(kind); has {
			return id.String()
		}
	}
	return article.Best().String()
}

// apart names an article that is kept apart from the one of that key.
func apart(key string, article *evidence.Record) string {
	sum := sha256.Sum256([]byte(fmt.Sprintf("%q %v", article.Title, article.Identifiers)))
	return key + "#" + hex.EncodeToString(sum[:4])
}

// isApart reports whether a text is kept apart because it contradicted another.
func isApart(key string) bool { return strings.Contains(key, "#") }

// kept is what is there under a key already; nil: nothing.
func (w *Writer) kept(key string) (*evidence.Record, error) {
	for i := range w.pending {
		if w.pending[i].ID == key {
			return &w.pending[i], nil
		}
	}

	record, found, err := w.w.Record(key)
	if err != nil || !found {
		return nil, err
	}
	return &record, nil
}

// sameText reports whether two articles differ in nothing but where they came from and when.
func sameText(a, b *evidence.Record) bool {
	return a.Title == b.Title && reflect.DeepEqual(a.Identifiers, b.Identifiers) && reflect.DeepEqual(a.Body, b.Body)
}

// Remove takes a record's texts away, those kept apart too, and tells how many there were.
func (w *Writer) Remove(ctx context.Context, id evidence.Identifier) (int, error) {
	keys, err := w.w.Lookup(id)
	if err != nil || len(keys) == 0 {
		return 0, err
	}

	batch := evidence.Batch{Drop: keys}
	for _, key := range keys {
		batch.DropSources = append(batch.DropSources, evidence.Origin{Source: evidence.SourceFullText, ID: key}.Key())
	}
	return len(keys), w.w.Commit(ctx, batch)
}

func (w *Writer) flush(ctx context.Context) error {
	if len(w.pending) == 0 {
		return nil
	}
	byKey := map[string]evidence.Record{} // of two of one key, in one batch, the later one counts

	var keys []string
	for _, article := range w.pending {
		if _, twice := byKey[article.ID]; !twice {
			keys = append(keys, article.ID)
		}
		byKey[article.ID] = article
	}

	var batch evidence.Batch
	for _, key := range keys {
		article := byKey[key]
		batch.SourceRecords = append(batch.SourceRecords, article)
		batch.Put = append(batch.Put, evidence.Merged{Record: article, Members: []string{article.Origins[0].Key()}})
	}
	w.pending, w.bytes = nil, 0
	return w.w.Commit(ctx, batch)
}

// Publish has readers see what was added, and tells the generation of the full texts.
func (w *Writer) Publish(ctx context.Context) (int, error) {
	if err := w.flush(ctx); err != nil {
		return 0, err
	}
	return w.w.Publish(ctx)
}

// Has reports whether the text of what an identifier names is kept.
func (w *Writer) Has(id evidence.Identifier) (bool, error) {
	keys, err := w.w.Lookup(id)
	return len(keys) > 0, err
}

// Close ends the writing. What was not published stays for the next writer.
func (w *Writer) Close() error { return errors.Join(w.w.Close()) }
