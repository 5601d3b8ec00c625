package fulltext

import (
	"strconv"

	index "github.com/blevesearch/bleve_index_api"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

// field is a field of a document as scorch takes it: its words, how often each stands there, and where. bleve's own
// fields make an object of every word on the way there.
type field struct {
	name    string
	options index.FieldIndexingOptions
	analyse func(*field)
	words   index.TokenFrequencies
	length  int // in words, as it is ranked by
}

// What scorch asks of a field. Nothing is stored, and none has places in lists.
func (f *field) Name() string                                     { return f.name }
func (f *field) Options() index.FieldIndexingOptions              { return f.options }
func (f *field) Analyze()                                         { f.analyse(f) }
func (f *field) AnalyzedLength() int                              { return f.length }
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.words }
func (f *field) EncodedFieldType() byte                           { return 't' }
func (f *field) Value() []byte                                    { return nil }
func (f *field) ArrayPositions() []uint64                         { return nil }
func (f *field) NumPlainTextBytes() uint64                        { return 0 }
func (f *field) Size() int                                        { return 0 }

// index takes texts apart into words, which have a place where the field's options say so. Its length counts no stop
// words.
func (f *field) index(texts []string) {
	var words []string
	var places []int
	place := 0
	for _, each := range texts {
		for _, word := range text.Tokens(each) {
			place++
			words, places = append(words, word), append(places, place)
			if !boolean.IsStopWord(word) {
				f.length++
			}
		}
		place += valueGap
	}
	if !f.options.IncludeTermVectors() {
		places = nil
	}
	f.count(words, places)
}

// count sets the field's words: how often each stands there and, where places are given, at which (places.go).
func (f *field) count(words []string, places []int) {
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

// have sets the field's words to terms, each once and without saying how often.
func (f *field) have(terms []string) {
	f.words = make(index.TokenFrequencies, len(terms))
	held := make([]index.TokenFreq, len(terms))
	for i, term := range terms {
		held[i].Term = []byte(term)
		f.words[term] = &held[i]
	}
	f.length = len(terms)
}

// lengthOf is the field beside one of rankedFields that holds its length, and is analysed after it.
func lengthOf(ranked *field) *field {
	return &field{name: ranked.name + lengthSuffix, options: index.IndexField | index.SkipFreqNorm,
		analyse: func(f *field) {
			if ranked.length > 0 {
				f.have([]string{strconv.Itoa(ranked.length)})
			}
		}}
}
