package segments

import (
	index "github.com/blevesearch/bleve_index_api"

	"dossier/internal/fulltext/fields"
)

// field is a field of a document as it goes into a segment: its words, how often each stands there, and where. bleve's
// own fields make an object of every word on the way there.
type field struct {
	fields.Field
	words index.TokenFrequencies
	value []byte // what is stored: of the name alone
}

// nameOf is the field that holds a document's name, as scorch wants it.
const nameOf = "_id"

func nameField(id string) *field {
	return &field{Field: fields.Field{Name: nameOf, Words: []string{id}, Length: 1}, value: []byte(id)}
}

// Options say what is kept of the field.
func (f *field) Options() index.FieldIndexingOptions {
	switch {
	case f.Field.Name == nameOf:
		return index.IndexField | index.StoreField
	case f.Form == fields.Values:
		return index.IndexField | index.DocValues | index.SkipFreqNorm
	case f.Form == fields.Passages:
		return index.IndexField | index.SkipFreqNorm
	case f.Form == fields.PlacedText:
		return index.IndexField | index.IncludeTermVectors
	}
	return index.IndexField
}

// Analyze counts the field's words.
func (f *field) Analyze() {
	switch f.Form {
	case fields.Text, fields.PlacedText:
		f.count()
	default:
		f.have()
	}
}

// What else a segment's builder asks of a field. None has places in lists.
func (f *field) Name() string                                     { return f.Field.Name }
func (f *field) AnalyzedLength() int                              { return f.Length }
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.words }
func (f *field) EncodedFieldType() byte                           { return 't' }
func (f *field) Value() []byte                                    { return f.value }
func (f *field) ArrayPositions() []uint64                         { return nil }
func (f *field) NumPlainTextBytes() uint64                        { return 0 }

// count sets the field's words: how often each stands there and, where places are given, at which (places.go).
func (f *field) count() {
	words, places := f.Words, f.Places
	numbers, ofEach := make(map[string]int, len(words)/2+1), make([]int, len(words))
	held := make([]index.TokenFreq, 0, len(words)) // never grows: the map of words points into it
	for i, word := range words {
		number, known := numbers[word]
		if !known {
			number = len(held)
			numbers[word] = number
			held = append(held, index.TokenFreq{Term: []byte(word)})
		}
		ofEach[i] = number
		held[number].SetFrequency(held[number].Frequency() + 1)
	}
	if places != nil {
		place(held, ofEach, places)
	}
	f.words = make(index.TokenFrequencies, len(held))
	for word, number := range numbers {
		f.words[word] = &held[number]
	}
}

// place gives words that have been counted their places: ofEach says whose each of places is.
func place(words []index.TokenFreq, ofEach, places []int) {
	ends, next := make([]int, len(words)), 0
	for i := range words {
		ends[i] = next
		next += words[i].Frequency()
	}
	sorted := make([]int, len(places))
	for i, number := range ofEach {
		sorted[ends[number]] = places[i]
		ends[number]++
	}
	from := 0
	for i := range words {
		frequency, rest := packPlaces(sorted[from:ends[i]])
		words[i].SetFrequency(frequency)
		if rest != nil {
			words[i].Locations = []*index.TokenLocation{{ArrayPositions: rest}}
		}
		from = ends[i]
	}
}

// have sets the field's words, each once and without saying how often.
func (f *field) have() {
	f.words = make(index.TokenFrequencies, len(f.Words))
	held := make([]index.TokenFreq, len(f.Words))
	for i, term := range f.Words {
		held[i].Term = []byte(term)
		f.words[term] = &held[i]
	}
}
