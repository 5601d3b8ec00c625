package zapfile

import (
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"maps"
	"slices"
	"strings"

	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"dossier/internal/fulltext/fields"
)

// Document is the indexed content of a record, under its name.
type Document struct {
	ID     string
	Fields []fields.Field // of one name there is one
}

// nameOf is the field of the documents' names, as required by scorch. It is the first.
const nameOf = "_id"

// Options are zapx's option bits for what is stored of a field.
func Options(name string, form fields.Form) index.FieldIndexingOptions {
	switch {
	case name == nameOf:
		return index.IndexField | index.StoreField
	case form == fields.Values:
		return index.IndexField | index.DocValues | index.SkipFreqNorm
	case form == fields.Passages:
		return index.IndexField | index.SkipFreqNorm
	case form == fields.PlacedText:
		return index.IndexField | index.IncludeTermVectors
	}
	return index.IndexField
}

// Builder builds segments of documents, one after the other, reusing its memory. It is not safe for concurrent use.
type Builder struct {
	dictionary *dictionary
	fields     map[string]*fieldBuilder
	values     values
	list       postings
	size       int // of the last segment, a document
}

// NewBuilder makes a Builder.
func NewBuilder() (*Builder, error) {
	d, err := newDictionary(false)
	if err != nil {
		return nil, err
	}
	return &Builder{dictionary: d, fields: map[string]*fieldBuilder{}}, nil
}

// Build makes the segment of documents, of which there is at least one, in their order.
func (b *Builder) Build(documents []Document, stats *segment.Stats) (*zap.SegmentBase, error) {
	content, names, list, err := b.build(documents)
	if err != nil {
		return nil, err
	}
	return zap.InitSegmentBase(content, crc32.ChecksumIEEE(content), chunkMode, uint64(len(documents)), names, list, nil,
		stats)
}

// BuildReadable builds the segment as Build does, for reading by this package only.
func (b *Builder) BuildReadable(documents []Document) (*Segment, error) {
	content, names, list, err := b.build(documents)
	if err != nil {
		return nil, err
	}
	return newSegment(content, uint64(len(documents)), names, list), nil
}

// build builds a segment without its footer, and returns the addresses of the documents' names, and of the fields.
func (b *Builder) build(documents []Document) (content []byte, names, list uint64, err error) {
	w := &writer{buf: make([]byte, 0, b.size*len(documents)*9/8)}

	offsets := make([]uint64, len(documents))
	for i := range documents {
		offsets[i] = w.offset()
		w.named([]byte(documents[i].ID))
		b.addDocument(uint32(i), &documents[i])
	}
	names = w.names(offsets)

	columns, err := b.write(w, len(documents))
	if err != nil {
		return nil, 0, 0, err
	}
	list = w.columns(columns)
	b.size = len(w.buf) / len(documents)
	return w.buf, names, list, nil
}

// addDocument adds a document's content to its fields' lists.
func (b *Builder) addDocument(doc uint32, d *Document) {
	b.fieldFor(nameOf, fields.Text).addText(doc, fields.Field{Words: []string{d.ID}, Length: 1})

	for _, f := range d.Fields {
		builder := b.fieldFor(f.Name, f.Form)
		switch f.Form {
		case fields.Text, fields.PlacedText:
			builder.addText(doc, f)
		default:
			builder.addWhole(doc, f)
		}
	}
}

func (b *Builder) fieldFor(name string, form fields.Form) *fieldBuilder {
	f := b.fields[name]
	if f == nil {
		f = &fieldBuilder{ids: map[string]uint32{}}
		b.fields[name] = f
	}
	f.options, f.used = Options(name, form), true
	return f
}

// write writes the fields, the names first and the others in the order of their names.
func (b *Builder) write(w *writer, documents int) ([]column, error) {
	b.list.documents = uint64(documents)
	names := slices.SortedFunc(maps.Keys(b.fields), func(a, b string) int {
		return cmp.Or(cmp.Compare(compareFieldNames(b), compareFieldNames(a)), cmp.Compare(a, b))
	})

	var columns []column
	for _, name := range names {
		f := b.fields[name]
		if !f.used { // but by a segment before
			continue
		}

		f.column = uint64(len(columns))
		if err := b.writeLists(w, f); err != nil {
			return nil, err
		}

		dictionary, err := b.dictionary.write(w)
		if err != nil {
			return nil, err
		}

		from, to := uint64(noValues), uint64(noValues)
		if f.options.IncludeDocValues() {
			b.values.begin(w)

			for _, v := range f.values {
				b.values.add(v.doc, f.held[v.from:v.to])
			}
			from, to = b.values.end(uint64(documents))
		}
		columns = append(columns, column{name: name, options: f.options, address: w.columnAddresses(from, to, dictionary)})
		f.reset()
	}
	return columns, nil
}

// compareFieldNames puts the field of names before all others.
func compareFieldNames(name string) int {
	if name == nameOf {
		return 1
	}
	return 0
}

// writeLists writes the lists of a field's words, and adds these to the dictionary.
func (b *Builder) writeLists(w *writer, f *fieldBuilder) error {
	var word []byte
	for id, held := range f.sorted() {
		b.list.begin(len(held))

		for _, p := range held {
			b.list.docs = append(b.list.docs, p.doc)
			b.list.freqs.start(p.doc)
			f.append(&b.list, p)
		}

		word = append(word[:0], f.words[id]...)
		if err := b.dictionary.builder.Insert(word, b.list.write(w)); err != nil {
			return err
		}
	}
	return nil
}

// fieldBuilder is a field of the segment under construction. Its words are numbered in the order in which they came.
type fieldBuilder struct {
	options  index.FieldIndexingOptions
	used     bool
	column   uint64            // its place among the fields
	ids      map[string]uint32 // words' numbers
	words    []string
	holders  []uint32            // how many documents hold each word
	latest   []uint32            // the latest posting of each word: its place in postings
	postings []posting           // in the order in which they came
	rests    map[uint32][]uint64 // places that are not in the frequency, by the place in postings
	values   []value
	held     []byte   // of which values are parts
	ofEach   []uint32 // of a text's words, which posting is theirs
	places   []int    // and their places, word by word
	starts   []uint32
	grouped  []posting
}

type posting struct {
	word, doc uint32
	at        uint32 // its place in postings
	length    uint32 // of the field, in words
	frequency uint64
}

type value struct {
	doc      uint32
	from, to int
}

// reset drops what was counted, and keeps the memory.
func (f *fieldBuilder) reset() {
	clear(f.ids)
	clear(f.words)
	clear(f.rests)
	f.used = false
	f.words, f.holders, f.latest, f.postings = f.words[:0], f.holders[:0], f.latest[:0], f.postings[:0]
	f.values, f.held = f.values[:0], f.held[:0]
}

// wordNumber is the number of a word.
func (f *fieldBuilder) wordNumber(word string) uint32 {
	id, known := f.ids[word]
	if !known {
		id = uint32(len(f.words))
		f.ids[word] = id
		f.words = append(f.words, word)
		f.holders = append(f.holders, 0)
		f.latest = append(f.latest, 0)
	}
	return id
}

// addPosting adds a posting.
func (f *fieldBuilder) addPosting(word, doc, length uint32) (at uint32) {
	at = uint32(len(f.postings))
	f.postings = append(f.postings, posting{word: word, doc: doc, at: at, length: length})
	f.holders[word]++
	f.latest[word] = at
	return at
}

// addText counts the words of a document's text and, if positions are given, stores these (fields.PackPlaces).
func (f *fieldBuilder) addText(doc uint32, of fields.Field) {
	first := uint32(len(f.postings))

	f.ofEach = f.ofEach[:0]
	for _, word := range of.Words {
		id := f.wordNumber(word)

		at := f.latest[id]
		if f.holders[id] == 0 || f.postings[at].doc != doc {
			at = f.addPosting(id, doc, uint32(of.Length))
		}
		f.postings[at].frequency++
		f.ofEach = append(f.ofEach, at)
	}

	if of.Form == fields.PlacedText {
		f.setPlaces(f.postings[first:], first, of.Places)
	}
}

// setPlaces sets the positions of a document's postings, the first of which is at first.
func (f *fieldBuilder) setPlaces(held []posting, first uint32, places []int) {
	next := uint64(0)
	for i := range held { // for now, where its places begin among all that are sorted by word
		next, held[i].frequency = next+held[i].frequency, next
	}

	f.places = slices.Grow(f.places[:0], len(places))[:len(places)]
	for i, at := range f.ofEach {
		frequency := &held[at-first].frequency
		f.places[*frequency] = places[i]
		*frequency++
	}

	from := uint64(0)
	for i := range held {
		to := held[i].frequency
		frequency, rest := fields.PackPlaces(f.places[from:to])

		held[i].frequency, from = frequency, to
		if rest != nil {
			if f.rests == nil {
				f.rests = map[uint32][]uint64{}
			}
			f.rests[held[i].at] = rest
		}
	}
}

// addWhole adds words, each of them once, for a document, without their frequencies.
func (f *fieldBuilder) addWhole(doc uint32, of fields.Field) {
	from := len(f.held)
	for _, word := range of.Words {
		f.addPosting(f.wordNumber(word), doc, 0)

		if of.Form == fields.Values {
			f.held = append(append(f.held, word...), index.DocValueTermSeparator)
		}
	}

	if len(f.held) > from {
		f.values = append(f.values, value{doc: doc, from: from, to: len(f.held)})
	}
}

// append appends a document's entry to a list.
func (f *fieldBuilder) append(list *postings, p posting) {
	rest, located := f.rests[p.at]

	frequency := p.frequency << 1
	if located {
		frequency |= 1
	}

	list.freqs.data = binary.AppendUvarint(list.freqs.data, frequency)
	if p.frequency > 0 {
		list.freqs.data = binary.AppendUvarint(list.freqs.data, uint64(p.length))
	}

	if located {
		list.locs.start(p.doc)
		list.locs.data = appendLocation(list.locs.data, f.column, rest)
	}
}

// sorted returns the numbers of the words, in the order of the words, and each word's postings in the order of
// documents.
func (f *fieldBuilder) sorted() func(yield func(word uint32, held []posting) bool) {
	return func(yield func(uint32, []posting) bool) {
		f.group()

		for _, id := range f.sortedWords() {
			if from := f.starts[id]; !yield(id, f.grouped[from:from+f.holders[id]]) {
				return
			}
		}
	}
}

// group groups the postings by word.
func (f *fieldBuilder) group() {
	f.starts = slices.Grow(f.starts[:0], len(f.words))[:len(f.words)]

	next := uint32(0)
	for id, n := range f.holders {
		f.starts[id], next = next, next+n
	}

	f.grouped = slices.Grow(f.grouped[:0], len(f.postings))[:len(f.postings)]
	for _, p := range f.postings {
		f.grouped[f.starts[p.word]] = p
		f.starts[p.word]++
	}

	for id, n := range f.holders {
		f.starts[id] -= n
	}
}

// sortedWords returns the numbers of the words in the order of the words. It compares their first eight bytes as a
// number, and words only if these are equal.
func (f *fieldBuilder) sortedWords() []uint32 {
	type beginning struct {
		bytes uint64
		id    uint32
	}

	words := make([]beginning, len(f.words))
	for id, word := range f.words {
		words[id] = beginning{bytes: beginningOf(word), id: uint32(id)}
	}
	slices.SortFunc(words, func(a, b beginning) int {
		if a.bytes != b.bytes {
			return cmp.Compare(a.bytes, b.bytes)
		}
		return strings.Compare(f.words[a.id], f.words[b.id])
	})

	ids := make([]uint32, len(words))
	for i, w := range words {
		ids[i] = w.id
	}
	return ids
}

func beginningOf[T string | []byte](word T) uint64 {
	var first [8]byte
	copy(first[:], word)
	return binary.BigEndian.Uint64(first[:])
}

// appendLocation appends the single location that a word has in a document, of which only the array positions are
// used: its length, the field, a position, a beginning and an end, and the array positions.
func appendLocation(out []byte, field uint64, rest []uint64) []byte {
	location := binary.AppendUvarint(nil, field)
	location = append(location, 0, 0, 0)

	location = binary.AppendUvarint(location, uint64(len(rest)))
	for _, n := range rest {
		location = binary.AppendUvarint(location, n)
	}
	out = binary.AppendUvarint(out, uint64(len(location)))
	return append(out, location...)
}
