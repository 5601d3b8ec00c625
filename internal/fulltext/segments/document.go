package segments

import (
	index "github.com/blevesearch/bleve_index_api"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/fields"
)

// document is a record on its way into a segment. Whoever first looks at its fields takes the record's texts apart:
// scorch does that on all processors.
type document struct {
	id     string
	record *evidence.Record
	fields []index.Field
}

// NewDocument makes the document of a record, which must not be changed before the document is in a segment.
func NewDocument(id string, r *evidence.Record) index.Document { return newDocument(id, r) }

func newDocument(id string, r *evidence.Record) *document { return &document{id: id, record: r} }

// ID is the document's name.
func (d *document) ID() string { return d.id }

// VisitFields calls visitor for the name and every other field.
func (d *document) VisitFields(visitor index.FieldVisitor) {
	if d.fields == nil {
		d.fields = append(d.fields, nameField(d.id))
		for _, f := range fields.Of(d.record) {
			d.fields = append(d.fields, &field{Field: f})
		}
	}
	for _, f := range d.fields {
		visitor(f)
	}
}

// What else a segment's builder asks of a document. It has its name without being told, and no field made of others.
func (d *document) AddIDField()                                {}
func (d *document) VisitComposite(index.CompositeFieldVisitor) {}
func (d *document) HasComposite() bool                         { return false }
func (d *document) NumPlainTextBytes() uint64                  { return 0 }
func (d *document) StoredFieldsBytes() uint64                  { return uint64(len(d.id)) }
func (d *document) Size() int                                  { return len(d.id) }
func (d *document) Indexed() bool                              { return false }

// analysed gives the document with all its fields analysed.
func (d *document) analysed() *document {
	d.VisitFields(index.Field.Analyze)
	return d
}
