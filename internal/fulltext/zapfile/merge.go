package zapfile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"maps"
	"os"
	"slices"

	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// merge writes the segment merged from sources to out. It stops if closed is closed.
func merge(sources []*source, out io.Writer, closed <-chan struct{}, tell func(bytes uint64)) (size uint64, err error) {
	defer recoverDamage(&err)

	m := &merger{w: &writer{out: out, tell: tell, buf: make([]byte, 0, flushAt*5/4)}, sources: sources, closed: closed}
	if m.dictionary, err = newDictionary(true); err != nil {
		return 0, err
	}
	names := m.writeNames()

	columns, err := m.writeColumns()
	if err != nil {
		return 0, err
	}
	list := m.w.columns(columns)
	m.w.footer(m.list.documents, names, list)
	return m.w.flushed, m.w.err
}

// mergeFile merges into a new file, which is on disk when it returns, or does not exist.
func mergeFile(sources []*source, path string, closed <-chan struct{}, tell func(bytes uint64)) (size uint64, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, err
	}

	size, err = merge(sources, file, closed, tell)
	if err == nil {
		err = file.Sync()
	}

	if closing := file.Close(); err == nil {
		err = closing
	}

	if err != nil {
		_ = os.Remove(path) // a leftover is not part of the index, and the next open deletes it
		return 0, err
	}
	return size, nil
}

// merger merges segments.
type merger struct {
	w          *writer
	sources    []*source
	closed     <-chan struct{}
	dictionary *dictionary
	values     values
	list       postings
	cursors    []*cursor // a heap, with the first word at its head
	word       []byte
	holders    []holder
	docs       []uint32 // of the holders
}

// writeNames writes the documents' names, and returns their address.
func (m *merger) writeNames() (address uint64) {
	var offsets []uint64
	for _, s := range m.sources {
		for doc, number := range s.numbers {
			if number != dropped {
				offsets = append(offsets, m.w.offset())
				m.w.bytes(s.document(doc))
			}
		}
	}
	m.list.documents = uint64(len(offsets))
	return m.w.names(offsets)
}

// writeColumns writes the fields that any of the sources has.
func (m *merger) writeColumns() ([]column, error) {
	options := map[string]index.FieldIndexingOptions{}
	for _, s := range m.sources {
		for name, c := range s.own {
			if before, known := options[name]; known {
				c.options &= before
			}
			options[name] = c.options
		}
	}
	names := slices.SortedFunc(maps.Keys(options), func(a, b string) int {
		return cmp.Or(cmp.Compare(compareFieldNames(b), compareFieldNames(a)), cmp.Compare(a, b))
	})

	var columns []column
	for place, name := range names {
		m.open(name)

		if err := m.mergeWords(uint64(place)); err != nil {
			return nil, err
		}

		dictionary, err := m.dictionary.write(m.w)
		if err != nil {
			return nil, err
		}
		from, to := m.mergeValues(name, options[name])
		columns = append(columns, column{name: name, options: options[name],
			address: m.w.columnAddresses(from, to, dictionary)})
	}
	return columns, nil
}

// cursor is at a word of a source's field.
type cursor struct {
	source    int
	column    sourceColumn
	words     *Words
	word      []byte
	beginning uint64 // of the word, as beginningOf has it
	list      uint64 // what leads to its list
}

func (c *cursor) read() {
	c.word, c.list = c.words.Word(), c.words.list()
	c.beginning = beginningOf(c.word)
}

func (c *cursor) before(d *cursor) bool {
	if c.beginning != d.beginning {
		return c.beginning < d.beginning
	}

	if order := bytes.Compare(c.word, d.word); order != 0 {
		return order < 0
	}
	return c.source < d.source
}

// open places a cursor at the first word of a field in each source that has it.
func (m *merger) open(field string) {
	m.cursors = m.cursors[:0]
	for i, s := range m.sources {
		column, there := s.own[field]
		if !there {
			continue
		}

		if words := s.wordsOf(column, ""); words.Next() {
			c := &cursor{source: i, column: column, words: words}
			c.read()
			m.cursors = append(m.cursors, c)
		}
	}

	for i := len(m.cursors) / 2; i >= 0; i-- {
		m.sink(i)
	}
}

// sink restores the heap's order below i, where it may be broken.
func (m *merger) sink(i int) {
	for {
		first := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(m.cursors); child++ {
			if m.cursors[child].before(m.cursors[first]) {
				first = child
			}
		}

		if first == i {
			return
		}
		m.cursors[i], m.cursors[first] = m.cursors[first], m.cursors[i]
		i = first
	}
}

// advance moves the cursor at the heap's head to its next word.
func (m *merger) advance() {
	head := m.cursors[0]
	if head.words.Next() {
		head.read()
	} else {
		last := len(m.cursors) - 1
		m.cursors[0] = m.cursors[last]
		m.cursors = m.cursors[:last]
	}
	m.sink(0)
}

// mergeWords merges the lists of all words of the opened field, which has this index among the fields.
func (m *merger) mergeWords(place uint64) error {
	for n := 0; len(m.cursors) > 0; n++ {
		if n%1024 == 0 {
			select {
			case <-m.closed:
				return segment.ErrClosed
			default:
			}
		}
		head := m.cursors[0]
		beginning := head.beginning

		m.word, m.holders, m.docs = append(m.word[:0], head.word...), m.holders[:0], m.docs[:0]
		for len(m.cursors) > 0 && m.cursors[0].beginning == beginning && bytes.Equal(m.cursors[0].word, m.word) {
			if err := m.readList(m.cursors[0]); err != nil {
				return err
			}
			m.advance()
		}

		if !m.fill(place) {
			continue
		}

		if err := m.dictionary.builder.Insert(m.word, m.list.write(m.w)); err != nil {
			return err
		}
	}
	return m.w.err
}

// holder is the list of a word in one source.
type holder struct {
	from, to int // its documents, among docs
	freqs    []byte
	locs     []byte
	place    uint64 // of its field in the source
	whole    bool   // none of its documents is dropped
}

// deletedDoc replaces the number of a dropped document.
const deletedDoc = 1<<32 - 1

// readList adds the list at a cursor to the holders.
func (m *merger) readList(c *cursor) (err error) {
	s := m.sources[c.source]

	h := holder{from: len(m.docs), place: c.column.place, whole: true}
	if c.list&zap.FSTValEncodingMask == zap.FSTValEncoding1Hit {
		doc, length := zap.FSTValDecode1Hit(c.list)
		m.docs = append(m.docs, uint32(doc))
		h.freqs = binary.AppendUvarint([]byte{1 << 1}, length)
	} else {
		r := &reader{mem: s.mem, at: c.list}

		freqs, locs := r.varint(), r.varint()
		if m.docs, err = appendDocs(m.docs, r.bytes(r.varint()), s.documents); err != nil {
			return err
		}
		h.freqs, h.locs = s.chunks(freqs), s.chunks(locs)
	}

	h.to = len(m.docs)
	for i, doc := range m.docs[h.from:] {
		number := s.numbers[doc]
		if number == dropped {
			h.whole = false
		}
		m.docs[h.from+i] = uint32(number) // deletedDoc if it is dropped
	}
	m.holders = append(m.holders, h)
	return nil
}

// chunks returns what chunks.write wrote at an address, without the table of ends.
func (s *source) chunks(address uint64) []byte {
	if address == 0 {
		return nil
	}
	r := &reader{mem: s.mem, at: address}

	end := uint64(0)
	for range r.varint() {
		end = r.varint()
	}
	return r.bytes(end)
}

// fill builds the list of the word from its holders, and reports whether any document is left in it. If a field's
// index changes, it changes that in the locations.
func (m *merger) fill(place uint64) bool {
	live := 0
	for _, h := range m.holders {
		live += h.to - h.from
		if !h.whole {
			for _, doc := range m.docs[h.from:h.to] {
				if doc == deletedDoc {
					live--
				}
			}
		}
	}

	if live == 0 {
		return false
	}
	m.list.begin(live)

	uncut := m.list.freqs.size >= m.list.documents
	for _, h := range m.holders {
		if uncut && h.whole && (len(h.locs) == 0 || h.place == place) {
			m.list.docs = append(m.list.docs, m.docs[h.from:h.to]...)
			m.list.freqs.data = append(m.list.freqs.data, h.freqs...)
			m.list.locs.data = append(m.list.locs.data, h.locs...)
			continue
		}
		m.list.append(m.docs[h.from:h.to], h, place)
	}
	return true
}

// append appends a holder's list, document by document.
func (p *postings) append(docs []uint32, h holder, place uint64) {
	freqs, locs := &reader{mem: h.freqs}, &reader{mem: h.locs}
	for _, doc := range docs {
		from := freqs.at

		frequency := freqs.varint()
		if frequency>>1 > 0 {
			freqs.varint() // the field's length
		}

		var located []byte
		if frequency&1 == 1 {
			located = locs.bytes(locs.varint())
		}

		if doc == deletedDoc {
			continue
		}
		p.docs = append(p.docs, doc)
		p.freqs.start(doc)

		p.freqs.data = append(p.freqs.data, h.freqs[from:freqs.at]...)
		if located != nil {
			p.locs.start(doc)
			p.locs.data = appendLocations(p.locs.data, located, place)
		}
	}
}

// appendLocations appends locations, with the field's new index.
func appendLocations(out, located []byte, place uint64) []byte {
	var moved []byte
	for r := (&reader{mem: located}); r.at < uint64(len(located)); {
		r.varint() // the field's place before
		moved = binary.AppendUvarint(moved, place)

		from := r.at
		for range 3 {
			r.varint()
		}

		for range r.varint() {
			r.varint()
		}
		moved = append(moved, located[from:r.at]...)
	}
	out = binary.AppendUvarint(out, uint64(len(moved)))
	return append(out, moved...)
}

// mergeValues writes a field's values by document, and returns their address.
func (m *merger) mergeValues(field string, options index.FieldIndexingOptions) (from, to uint64) {
	any := false
	for _, s := range m.sources {
		column, there := s.own[field]
		if !there || column.valuesFrom == noValues || !options.IncludeDocValues() {
			continue
		}

		if !any {
			any = true
			m.values.begin(m.w)
		}
		s.eachValue(column, func(doc uint64, held []byte) {
			if number := s.numbers[doc]; number != dropped {
				m.values.add(uint32(number), held)
			}
		})
	}

	if !any {
		return noValues, noValues
	}
	return m.values.end(m.list.documents)
}
