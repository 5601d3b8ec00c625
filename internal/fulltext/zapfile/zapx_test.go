package zapfile

import (
	index "github.com/blevesearch/bleve_index_api"

	"dossier/internal/fulltext/fields"
)

// What follows hands the same documents to zapx, which makes segments of any documents: Build and Merge are held
// against what it makes.

// zapxDocument is a document as zapx takes it.
type zapxDocument struct {
	index.Document
	fields []index.Field
}

func asZapxTakesIt(d Document) zapxDocument {
	fields := []index.Field{nameField(d.ID)}
	for _, f := range d.Fields {
		fields = append(fields, &field{Field: f})
	}
	for _, f := range fields {
		f.Analyze()
	}
	return zapxDocument{fields: fields}
}

func (d zapxDocument) VisitComposite(index.CompositeFieldVisitor) {}
func (d zapxDocument) VisitFields(visitor index.FieldVisitor) {
	for _, f := range d.fields {
		visitor(f)
	}
}

// field is a field of such a document: its words, how often each stands there, and where.
type field struct {
	fields.Field
	words index.TokenFrequencies
	value []byte // what is stored: of the name alone
}

func nameField(id string) *field {
	return &field{Field: fields.Field{Name: nameOf, Words: []string{id}, Length: 1}, value: []byte(id)}
}

// Options say what is kept of the field.
func (f *field) Options() index.FieldIndexingOptions { return Options(f.Field.Name, f.Form) }

// Analyze counts the field's words, and lets go of them: all documents of a batch are in memory at once.
func (f *field) Analyze() {
	switch f.Form {
	case fields.Text, fields.PlacedText:
		f.count()
	default:
		f.have()
	}
	f.Words, f.Places = nil, nil
}

// What else a segment's builder asks of a field. None has places in lists.
func (f *field) Name() string                                     { return f.Field.Name }
func (f *field) AnalyzedLength() int                              { return f.Length }
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.words }
func (f *field) EncodedFieldType() byte                           { return 't' }
func (f *field) Value() []byte                                    { return f.value }
func (f *field) ArrayPositions() []uint64                         { return nil }
func (f *field) NumPlainTextBytes() uint64                        { return 0 }

// chunk is for how many words memory is taken at once while they are counted: how many different ones a text has is not
// known before.
const chunk = 32

// count sets the field's words: how often each stands there and, where places are given, at which (places.go).
func (f *field) count() {
	f.words = make(index.TokenFrequencies, len(f.Words)/2)
	ofEach := make([]*index.TokenFreq, len(f.Words))
	different := make([]*index.TokenFreq, 0, len(f.Words)/2)
	var free []index.TokenFreq
	for i, word := range f.Words {
		counted := f.words[word]
		if counted == nil {
			if len(free) == 0 {
				free = make([]index.TokenFreq, min(chunk, len(f.Words)-i))
			}
			counted, free = &free[0], free[1:]
			f.words[word] = counted
			different = append(different, counted)
		}
		counted.SetFrequency(counted.Frequency() + 1)
		ofEach[i] = counted
	}
	if f.Places != nil {
		place(different, ofEach, f.Places)
	}
}

// place gives words that have been counted their places: ofEach says whose each of places is.
func place(words, ofEach []*index.TokenFreq, places []int) {
	next := 0
	for _, w := range words { // for now, where its places begin among all that are sorted by word
		occurrences := w.Frequency()
		w.SetFrequency(next)
		next += occurrences
	}
	sorted := make([]int, len(places))
	for i, w := range ofEach {
		sorted[w.Frequency()] = places[i]
		w.SetFrequency(w.Frequency() + 1)
	}
	from := 0
	for _, w := range words {
		end := w.Frequency()
		frequency, rest := fields.PackPlaces(sorted[from:end])
		w.SetFrequency(int(frequency))
		if rest != nil {
			w.Locations = []*index.TokenLocation{{ArrayPositions: rest}}
		}
		from = end
	}
}

// had stands for every word of a field that says of none how often it is there.
var had = new(index.TokenFreq)

// have sets the field's words, each once and without saying how often.
func (f *field) have() {
	f.words = make(index.TokenFrequencies, len(f.Words))
	for _, term := range f.Words {
		f.words[term] = had
	}
}
