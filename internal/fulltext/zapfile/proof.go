package zapfile

import (
	"errors"
	"hash/maphash"
	"maps"
	"math/bits"
	"slices"

	zap "github.com/blevesearch/zapx/v17"
)

// Unreadable reports whether an error is of a segment that differs from what was written or published.
func Unreadable(err error) bool {
	return errors.Is(err, errDamaged) || errors.Is(err, ErrChanged) || errors.Is(err, ErrFormat)
}

// Digests returns a hash of each document's content in the segment: its name, every word of every field with its
// frequency and positions, and its values. Documents with equal content have equal hashes under one seed, in any
// segment. It reads the whole segment as searches do, and panics as they do.
func (s *Segment) Digests(seed maphash.Seed) []uint64 {
	sums := make([]uint64, s.documents)
	for doc := range sums {
		sums[doc] = maphash.Bytes(seed, s.ID(uint64(doc)))
	}

	var list List
	for _, name := range slices.Sorted(maps.Keys(s.columns())) { // so that the same damage is reported each time
		column, _ := s.column(name)

		ofField := mixHash(maphash.String(seed, name), uint64(column.options))
		for words := s.wordsOf(column, ""); words.Next(); {
			ofWord := mixHash(ofField, maphash.Bytes(seed, words.Word()))
			if column.options.SkipFreqNorm() {
				s.addHolders(sums, words.list(), ofWord)
				continue
			}
			list.begin(nil)
			list.read(s, words.list())

			for list.Next() {
				counted := mixHash(mixHash(ofWord, list.Frequency()), list.Length())
				sums[list.Doc()] += mixHash(counted, hashLocations(list.Locations()))
			}
		}

		if column.valuesFrom != noValues {
			ofField = mixHash(ofField, 1)
			s.eachValue(column, func(doc uint64, held []byte) { sums[doc] += mixHash(ofField, maphash.Bytes(seed, held)) })
		}
	}
	return sums
}

// Digests returns the Digests of the segment that Build makes from the documents.
func (b *Builder) Digests(documents []Document, seed maphash.Seed) []uint64 {
	sums := make([]uint64, len(documents))
	for i := range documents {
		sums[i] = maphash.String(seed, documents[i].ID)
		b.addDocument(uint32(i), &documents[i])
	}

	for name, f := range b.fields {
		if f.used {
			f.addTo(sums, mixHash(maphash.String(seed, name), uint64(f.options)), seed)
			f.reset()
		}
	}
	return sums
}

// addTo adds hashes of what was counted of a field.
func (f *fieldBuilder) addTo(sums []uint64, ofField uint64, seed maphash.Seed) {
	ofWords := make([]uint64, len(f.words))
	for id, word := range f.words {
		ofWords[id] = mixHash(ofField, maphash.String(seed, word))
	}

	for _, p := range f.postings {
		of, rest := ofWords[p.word], f.rests[p.at]
		switch {
		case f.options.SkipFreqNorm():
			sums[p.doc] += mixHash(of, 0)
		case rest == nil:
			sums[p.doc] += mixHash(mixHash(mixHash(of, p.frequency), uint64(p.length)), 0)
		default:
			at := []Location{{Distances: rest}}
			sums[p.doc] += mixHash(mixHash(mixHash(of, p.frequency), uint64(p.length)), hashLocations(at))
		}
	}

	if f.options.IncludeDocValues() {
		for _, v := range f.values {
			sums[v.doc] += mixHash(mixHash(ofField, 1), maphash.Bytes(seed, f.held[v.from:v.to]))
		}
	}
}

// addHolders adds a hash for each document of the list for a value of a dictionary.
func (s *Segment) addHolders(sums []uint64, value, of uint64) {
	if value&zap.FSTValEncodingMask == zap.FSTValEncoding1Hit {
		doc, _ := zap.FSTValDecode1Hit(value)
		sums[doc] += mixHash(of, 0)
		return
	}

	for docs := s.docs(value).Iterator(); docs.HasNext(); {
		sums[docs.Next()] += mixHash(of, 0)
	}
}

// hashLocations hashes a word's locations in a document, apart from its frequency.
func hashLocations(locations []Location) (sum uint64) {
	for _, at := range locations {
		sum = mixHash(sum, at.Place)
		for _, distance := range at.Distances {
			sum = mixHash(sum, distance)
		}
	}
	return sum
}

// mixHash combines two hashes; neither can be derived from the result without the seed.
func mixHash(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0x9e3779b97f4a7c15, bits.RotateLeft64(b, 32)^0xd6e8feb86659fd93)
	return high ^ low ^ a
}

// Number returns the number of the document with a name.
func (s *Segment) Number(name string) (doc uint64, ok bool) {
	found := s.named([]string{name})
	if found.IsEmpty() {
		return 0, false
	}
	return uint64(found.Minimum()), true
}

// Holds reports whether a document has each word of each of its fields. It reads as much as a search for them, and
// ignores other content of the document, except the number of words if that is indexed as well.
func (s *Segment) Holds(doc uint32, d Document) bool {
	for _, f := range d.Fields {
		if len(f.Words) == 0 {
			continue
		}

		column, _ := s.column(f.Name)
		if column.dictionary == 0 {
			return false
		}

		dictionary := s.dictionary(column)
		for _, word := range slices.Compact(slices.Sorted(slices.Values(f.Words))) {
			list, ok := dictionary.find([]byte(word))
			if !ok || !s.isIn(doc, list) {
				return false
			}
		}
	}
	return true
}

// isIn reports whether a dictionary's value, a single document or the address of a list, includes a document.
func (s *Segment) isIn(doc uint32, value uint64) bool {
	if value&zap.FSTValEncodingMask == zap.FSTValEncoding1Hit {
		only, _ := zap.FSTValDecode1Hit(value)
		return only == uint64(doc)
	}
	return s.docs(value).Contains(doc)
}
