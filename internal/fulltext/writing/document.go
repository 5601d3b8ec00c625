package writing

import (
	index "github.com/blevesearch/bleve_index_api"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/fields"
	"dossier/internal/fulltext/zapfile"
)

// document is a record to index, in scorch's interface. It shows scorch none of its fields.
type document struct {
	zapfile.Document
	record *evidence.Record
}

// VisitFields analyses the record's texts. Scorch calls it on all processors, and does nothing else in parallel.
func (d *document) VisitFields(index.FieldVisitor) {
	if d.record != nil {
		d.Fields, d.record = fields.Of(d.record), nil
	}
}

// Prepared returns the indexed fields of the record.
func (d *document) Prepared() zapfile.Document {
	d.VisitFields(nil)
	return d.Document
}

// The other methods of scorch's interface. The document has its name already, and no composite fields.
func (d *document) ID() string                                 { return d.Document.ID }
func (d *document) AddIDField()                                {}
func (d *document) VisitComposite(index.CompositeFieldVisitor) {}
func (d *document) HasComposite() bool                         { return false }
func (d *document) NumPlainTextBytes() uint64                  { return 0 }
func (d *document) StoredFieldsBytes() uint64                  { return uint64(len(d.Document.ID)) }
func (d *document) Size() int                                  { return len(d.Document.ID) }
func (d *document) Indexed() bool                              { return false }
