package articles

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/store"
)

// FolderName is the folder of the full texts, in the data directory.
const FolderName = "fulltext"

// Place is the store of the full texts of a data directory.
func Place(data string) store.Folder { return store.Folder(filepath.Join(data, FolderName)) }

// holds tells their generations and bundles from a store's.
const holds = "full texts"

// Options are a writer's for the full texts.
func Options(options store.BeginOptions) store.BeginOptions {
	options.Holds = holds
	return options
}

// Verify looks for damage among the full texts, as the store does; none of it touches the store. Where none are kept
// there is nothing to look at.
func Verify(ctx context.Context, data string, deep bool) ([]store.Finding, error) {
	findings, err := Place(data).Verify(ctx, deep)
	if errors.Is(err, store.ErrNoStore) {
		return nil, nil
	}

	for i := range findings {
		findings[i].Generation = 0 // which are not the store's
		if findings[i].Remedy == files.RemedyRollback {
			findings[i].Remedy = "move the folder " + string(Place(data)) + " away, and import the full texts again"
		}
	}
	return findings, err
}

// Published is when the full texts were last published; zero where none are kept.
func Published(data string) time.Time {
	info, err := os.Lstat(filepath.Join(string(Place(data)), "CURRENT"))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Shelf is the full texts of one generation, open for reading. The zero Shelf is that of a store without any.
type Shelf struct{ reader *store.Reader }

// Open opens the full texts that are kept beside a store. Where none are, the shelf is empty.
func Open(ctx context.Context, data string) (*Shelf, error) {
	reader, err := Place(data).Open(ctx)
	if errors.Is(err, store.ErrNoStore) {
		return &Shelf{}, nil
	}

	if err != nil {
		return nil, fmt.Errorf("opening the full texts: %w", err)
	}
	return &Shelf{reader: reader}, nil
}

// Empty reports whether no full texts are kept at all.
func (s *Shelf) Empty() bool { return s.reader == nil }

// Close closes the shelf.
func (s *Shelf) Close() error {
	if s.reader == nil {
		return nil
	}
	return s.reader.Close()
}

// Of is the full text of a record; ok is false where none is kept, or none that is certainly its own.
func (s *Shelf) Of(records Records, record *evidence.Record) (article evidence.Record, ok bool, err error) {
	if s.reader == nil {
		return article, false, nil
	}

	var keys []string
	for _, id := range record.Identifiers {
		found, err := s.reader.Lookup(id)
		if err != nil {
			return article, false, fmt.Errorf("looking for the full text of %s: %w", record.ID, err)
		}
		keys = append(keys, found...)
	}
	slices.SortFunc(keys, bestFirst)

	for _, key := range slices.Compact(keys) {
		article, found, err := s.reader.Record(key)
		if err != nil || !found || article.Body == nil {
			if err != nil {
				return article, false, fmt.Errorf("reading the full text of %s: %w", record.ID, err)
			}
			continue
		}

		owner, err := OwnerOf(records, &article)
		if err != nil || owner.Record == record.ID {
			return article, err == nil, err
		}
	}
	return evidence.Record{}, false, nil
}

// bestFirst orders keys of one record: PMC's text is that of the journal, others' may be a manuscript.
func bestFirst(a, b string) int {
	of := func(key string) int {
		if strings.HasPrefix(key, "PMCID:") {
			return 0
		}
		return 1
	}
	if d := of(a) - of(b); d != 0 {
		return d
	}
	return strings.Compare(a, b)
}
