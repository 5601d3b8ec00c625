package database

import (
	"fmt"

	"dossier/internal/files"
)

// Schema is the version of a generation's format, for its database and its full text.
type Schema struct {
	Model    int // a change that needs a new store
	Revision int // readers older than this must refuse
	Addition int // something that older readers can leave unread
}

// CurrentSchema is what this program writes.
//
//	1.0.0  the first
//	1.0.1  the bucket "curated", and "curated" in "meta"
//	1.0.2  in records the origins' "file", and the retraction's "disputed"
//	1.1.0  every value but the schema's begins with a checksum
//	1.1.1  the files text.sums and evidence.sums
//	1.2.0  the full text has words alone, and no stems
//	1.3.0  words have their places in their frequencies
//	1.4.0  values are compressed by a dictionary, overlays too
//	1.5.0  the file changes.db
//	1.6.0  the sums of blocks are of 16 KiB each
//	1.7.0  the bucket "links" leads from titles to what says that they are retracted
//	1.7.1  the bucket "approvals", and "approvals" in "meta"
//	1.7.2  the bucket "interpretations", and "interpretations" in "meta"
//	1.7.3  in records the retraction's "reason"
var CurrentSchema = Schema{Model: 1, Revision: 7, Addition: 3}

// String returns the form "1.0.0".
func (s Schema) String() string { return fmt.Sprintf("%d.%d.%d", s.Model, s.Revision, s.Addition) }

// MarshalText writes String's form.
func (s Schema) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads String's form.
func (s *Schema) UnmarshalText(text []byte) error {
	var read Schema

	_, err := fmt.Sscanf(string(text), "%d.%d.%d", &read.Model, &read.Revision, &read.Addition)
	if err != nil || read.String() != string(text) || read.Model < 0 || read.Revision < 0 || read.Addition < 0 {
		return fmt.Errorf("%q is no schema version of the form 1.0.0", text)
	}
	*s = read
	return nil
}

// Readable reports whether this program can read s.
func (s Schema) Readable() bool {
	return s.Model == CurrentSchema.Model && s.Revision <= CurrentSchema.Revision
}

// SchemaError reports that a store has a schema that this program does not read.
type SchemaError struct {
	Path  string
	Found Schema
}

func (e *SchemaError) Error() string {
	if f, c := e.Found, CurrentSchema; f.Model > c.Model || f.Model == c.Model && f.Revision > c.Revision {
		return fmt.Sprintf("%s has schema %s and this program reads up to %s: install the newer program, or %s",
			e.Path, e.Found, CurrentSchema, files.RemedyRollback)
	}
	return fmt.Sprintf(
		"%s has schema %s and this program reads %d.x: build a new store with `indexer run` in an empty directory",
		e.Path, e.Found, CurrentSchema.Model)
}
