package zapfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// A dictionary is an automaton in vellum's first format. Its states follow each other, targets before the states that
// lead to them, and each is read from its address downwards:
//
//	a byte with its kind
//	of one transition, which leads to the state that lies before it, or is followed by
//	  the byte that the transition takes, where the kind's bits do not tell it
//	  a byte: how wide the next numbers are
//	  how far the state that it leads to lies before this one ends, and what the transition adds to the value
//	of several
//	  how many there are, where the kind's bits do not tell it
//	  a byte: how wide the next numbers are
//	  the bytes that the transitions take, the last first; where they lead; what they add
//	  of one where a word may end, what that adds
//
// vellum reads them too. Here it is known what is read, so that it can be compared before (see blocks).
const (
	dictionaryHeader = 16
	dictionaryFooter = 16

	endState = 0 // where a word ends, and nothing leads on

	oneTransition  = 1 << 7
	leadsToNext    = 1 << 6 // of one transition
	mayEnd         = 1 << 6 // of several
	inBits         = 1<<6 - 1
	allTransitions = 1 // stands for 256, as one transition has a kind of its own
)

// usualBytes are the bytes that a state of one transition encodes in six of its bits, from 1 on.
const usualBytes = "te/oasripcnw.hlm-du012g=:bf3y5&_4v9678k%?xCDASFIBEjPTzRNM+LOqHG"

// words is the dictionary of a field.
type words struct {
	fst       []byte
	from      uint64 // its address in the segment
	published *blocks
	root      int
}

// dictionary gives that of a field that has one.
func (s *Segment) dictionary(c sourceColumn) words {
	r := s.at(c.dictionary)
	size := r.varint()

	w := words{from: r.at, published: s.published}
	if size < dictionaryHeader+dictionaryFooter || size > uint64(len(s.mem))-r.at {
		panic(fmt.Errorf("%w: a dictionary has %d bytes", errDamaged, size))
	}
	w.fst = s.mem[r.at : r.at+size]
	w.published.compare(w.from, w.from+dictionaryHeader)
	w.published.compare(w.from+size-dictionaryFooter, w.from+size)

	if version := binary.LittleEndian.Uint64(w.fst); version != 1 {
		panic(fmt.Errorf("%w: a dictionary of version %d", errDamaged, version))
	}
	w.root = int(binary.LittleEndian.Uint64(w.fst[size-8:]))
	return w
}

// find returns the dictionary's value of a word, which leads to its list.
func (w *words) find(word []byte) (list uint64, ok bool) {
	var s state

	at := w.root
	for _, b := range word {
		w.read(&s, at)

		i := w.take(&s, b)
		if i < 0 {
			return 0, false
		}
		next, adds := w.transition(&s, i)
		at, list = next, list+adds
	}
	w.read(&s, at)
	return list + s.end, s.ends
}

// state is a state of a dictionary. Its positions are relative to the dictionary's beginning.
type state struct {
	n      int    // transitions
	bottom int    // below which the states lie that these lead to
	end    uint64 // what a word that ends here adds
	ends   bool   // whether one may

	// Of one transition.
	one  bool
	byte byte
	to   int
	adds uint64

	// Of several: the addresses of their bytes, the last first, of the distances before bottom of the states that they
	// lead to, and of what they add; and a number's width.
	takes, leads, sums int
	width, wide        int
}

// read reads the state at an address.
func (w *words) read(s *state, at int) {
	if at == endState {
		*s = state{ends: true}
		return
	}

	if at < dictionaryHeader || at >= len(w.fst) {
		panic(fmt.Errorf("%w: a dictionary leads to %d of %d", errDamaged, at, len(w.fst)))
	}
	const most = 3 + 2*8 // of a state of one transition
	w.compare(at-most, at+1)

	if kind := w.fst[at]; kind&oneTransition != 0 {
		w.readOne(s, kind, at)
	} else {
		w.readSeveral(s, kind, at)
	}
}

func (w *words) compare(from, to int) {
	if w.published != nil {
		w.published.compare(w.from+uint64(max(from, 0)), w.from+uint64(to))
	}
}

// readOne reads a state with a single transition, which ends at the address at; it is read backwards.
func (w *words) readOne(s *state, kind byte, at int) {
	*s = state{n: 1, one: true, bottom: at}
	if usual := kind & inBits; usual != 0 {
		s.byte = usualBytes[usual-1]
	} else {
		s.bottom--
		s.byte = w.fst[s.bottom]
	}

	if kind&leadsToNext != 0 {
		s.to = s.bottom - 1
		return
	}
	s.bottom--
	width, wide := widths(w.fst[s.bottom])
	leads := s.bottom - width
	s.bottom = leads - wide
	s.to, s.adds = s.before(packed(w.fst[leads:leads+width])), packed(w.fst[s.bottom:leads])
}

// readSeveral reads a state with none or several transitions, and the value of a word that ends in it.
func (w *words) readSeveral(s *state, kind byte, at int) {
	*s = state{n: int(kind & inBits), ends: kind&mayEnd != 0, bottom: at}
	if s.n == 0 {
		s.bottom--
		if s.n = int(w.fst[s.bottom]); s.n == allTransitions {
			s.n = 256
		}
	}
	s.bottom--
	s.width, s.wide = widths(w.fst[s.bottom])
	s.takes = s.bottom - s.n
	s.leads = s.takes - s.n*s.width
	s.sums = s.leads - s.n*s.wide

	s.bottom = s.sums
	if s.ends {
		s.bottom -= s.wide
	}
	w.compare(s.bottom, at)

	if s.ends {
		s.end = packed(w.fst[s.bottom:s.sums])
	}
}

func widths(b byte) (width, wide int) { return int(b >> 4), int(b & 0xf) }

// before is the address at a distance before bottom; 0 means the end state.
func (s *state) before(distance uint64) int {
	if distance == 0 {
		return endState
	}

	if distance > uint64(s.bottom) {
		panic(fmt.Errorf("%w: a dictionary leads to before its beginning", errDamaged))
	}
	return s.bottom - int(distance)
}

// take returns the index of the transition for a byte; -1 if there is none.
func (w *words) take(s *state, b byte) int {
	if s.one {
		if s.byte == b {
			return 0
		}
		return -1
	}
	return bytes.IndexByte(w.fst[s.takes:s.takes+s.n], b)
}

// transition returns a transition's target, and what it adds.
func (w *words) transition(s *state, i int) (to int, adds uint64) {
	if s.one {
		return s.to, s.adds
	}
	leads, sums := s.leads+i*s.width, s.sums+i*s.wide
	return s.before(packed(w.fst[leads : leads+s.width])), packed(w.fst[sums : sums+s.wide])
}

// byteOf is the byte that a transition takes.
func (w *words) byteOf(s *state, i int) byte {
	if s.one {
		return s.byte
	}
	return w.fst[s.takes+i]
}

// packed is a little-endian number.
func packed(b []byte) (n uint64) {
	for i, part := range b {
		n |= uint64(part) << (8 * i)
	}
	return n
}

// Words goes through the words of a field that begin with a prefix, in byte order.
type Words struct {
	words words
	word  []byte
	path  []step // from the state that the prefix leads to
}

// step is a state on the path to a word.
type step struct {
	state    state
	value    uint64 // what the way adds
	left     int    // transitions that were not taken yet; these are the first of the state's
	returned bool   // the word that ends here was returned
}

// Words returns a field's words, which may occur only in deleted documents.
func (s *Segment) Words(field, prefix string) *Words {
	column, _ := s.column(field)
	return s.wordsOf(column, prefix)
}

func (s *Segment) wordsOf(column sourceColumn, prefix string) *Words {
	if column.dictionary == 0 {
		return &Words{}
	}
	w := &Words{words: s.dictionary(column), word: []byte(prefix)}
	var at state

	next, value := w.words.root, uint64(0)
	for _, b := range w.word {
		w.words.read(&at, next)

		i := w.words.take(&at, b)
		if i < 0 {
			return &Words{}
		}
		var adds uint64
		next, adds = w.words.transition(&at, i)
		value += adds
	}
	w.enter(next, value)
	return w
}

// enter adds the state at an address to the path, with the value of the path to it.
func (w *Words) enter(at int, value uint64) {
	if len(w.path) == cap(w.path) {
		w.path = append(w.path, step{})
	} else {
		w.path = w.path[:len(w.path)+1]
	}
	last := &w.path[len(w.path)-1]
	w.words.read(&last.state, at)
	last.value, last.left, last.returned = value, last.state.n, false
}

// Next moves to the next word, initially to the first, and is false if there is none.
func (w *Words) Next() bool {
	for len(w.path) > 0 {
		last := &w.path[len(w.path)-1]
		switch {
		case !last.returned && last.state.ends:
			last.returned = true
			return true
		case last.left == 0:
			if w.path = w.path[:len(w.path)-1]; len(w.path) > 0 {
				w.word = w.word[:len(w.word)-1]
			}
		default:
			last.returned = true
			last.left--
			w.word = append(w.word, w.words.byteOf(&last.state, last.left))
			to, adds := w.words.transition(&last.state, last.left)
			w.enter(to, last.value+adds)
		}
	}
	return false
}

// Word is the current word, until Next is called.
func (w *Words) Word() []byte { return w.word }

// list is the value that leads to the current word's list.
func (w *Words) list() uint64 {
	last := &w.path[len(w.path)-1]
	return last.value + last.state.end
}
