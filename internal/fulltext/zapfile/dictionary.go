package zapfile

import (
	"encoding/binary"
	"fmt"
)

// A dictionary is an automaton, as vellum writes it in its first version. Its states lie behind each other, those that
// others lead to before these, and each is read from its address downwards:
//
//	a byte that says of which kind it is
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

// usualBytes are those that a state of one transition has in six of its bits, from 1 on.
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

// find gives what leads to a word's list.
func (w *words) find(word []byte) (list uint64, is bool) {
	var s state
	at := w.root
	for _, b := range word {
		w.read(&s, at)
		i := s.take(b)
		if i < 0 {
			return 0, false
		}
		next, adds := s.transition(i)
		at, list = next, list+adds
	}
	w.read(&s, at)
	return list + s.end, s.ends
}

// state is a state of a dictionary.
type state struct {
	ends bool   // a word may end here
	end  uint64 // and adds this

	n      int    // transitions
	bottom int    // below which the states lie that these lead to
	takes  []byte // of each the byte that it takes, the last first
	leads  []byte // and how far before bottom the state lies that it leads to
	adds   []byte // and what it adds
	width  int    // of a number in leads
	wide   int    // of a number in adds

	one  [1]byte // takes of a state of one transition
	next bool    // which leads to the state that lies before this one
}

// read reads the state at an address.
func (w *words) read(s *state, at int) {
	*s = state{}
	if at == endState {
		s.ends = true
		return
	}
	if at < dictionaryHeader || at >= len(w.fst) {
		panic(fmt.Errorf("%w: a dictionary leads to %d of %d", errDamaged, at, len(w.fst)))
	}
	const head = 4 // the most that is read before it is known how long the state is
	w.compare(at-head, at+1)
	kind := w.fst[at]
	if kind&oneTransition != 0 {
		w.readOne(s, kind, at)
	} else {
		w.readSeveral(s, kind, at)
	}
	w.compare(s.bottom, at+1)
}

func (w *words) compare(from, to int) {
	w.published.compare(w.from+uint64(max(from, 0)), w.from+uint64(to))
}

func (w *words) readOne(s *state, kind byte, at int) {
	s.n, s.bottom, s.next = 1, at, kind&leadsToNext != 0
	if usual := kind & inBits; usual != 0 {
		s.one[0] = usualBytes[usual-1]
	} else {
		s.bottom--
		s.one[0] = w.fst[s.bottom]
	}
	if s.next {
		return
	}
	s.widths(w.down(s, 1)[0])
	s.leads = w.down(s, s.width)
	s.adds = w.down(s, s.wide)
}

func (w *words) readSeveral(s *state, kind byte, at int) {
	s.bottom, s.ends, s.n = at, kind&mayEnd != 0, int(kind&inBits)
	if s.n == 0 {
		if s.n = int(w.down(s, 1)[0]); s.n == allTransitions {
			s.n = 256
		}
	}
	s.widths(w.down(s, 1)[0])
	s.takes = w.down(s, s.n)
	s.leads = w.down(s, s.n*s.width)
	s.adds = w.down(s, s.n*s.wide)
	if s.ends {
		s.end = packed(w.down(s, s.wide))
	}
}

// down gives the n bytes below what was read of a state.
func (w *words) down(s *state, n int) []byte {
	from := s.bottom - n
	w.compare(from, s.bottom)
	below := w.fst[from:s.bottom]
	s.bottom = from
	return below
}

func (s *state) widths(b byte) { s.width, s.wide = int(b>>4), int(b&0xf) }

// take gives the place of the transition that takes a byte; -1 is none.
func (s *state) take(b byte) int {
	if s.takes == nil {
		if s.n == 1 && s.one[0] == b {
			return 0
		}
		return -1
	}
	for i, takes := range s.takes {
		if takes == b {
			return i
		}
	}
	return -1
}

// transition says where a transition leads, and what it adds.
func (s *state) transition(i int) (to int, adds uint64) {
	if s.next {
		return s.bottom - 1, 0
	}
	if distance := packed(s.leads[i*s.width : (i+1)*s.width]); distance != 0 {
		if distance > uint64(s.bottom) {
			panic(fmt.Errorf("%w: a dictionary leads to before its beginning", errDamaged))
		}
		to = s.bottom - int(distance)
	}
	return to, packed(s.adds[i*s.wide : (i+1)*s.wide])
}

// byteOf is the byte that a transition takes.
func (s *state) byteOf(i int) byte {
	if s.takes == nil {
		return s.one[0]
	}
	return s.takes[i]
}

// packed is a number whose low byte comes first.
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

// step is a state on the way to a word.
type step struct {
	state state
	left  int  // transitions that were not taken yet; these are the first of the state's
	told  bool // the word that ends here was given
}

// Words gives a field's words, of which deleted documents may be the only ones that hold them.
func (s *Segment) Words(field, prefix string) *Words {
	column, _ := s.column(field)
	if column.dictionary == 0 {
		return &Words{}
	}
	w := &Words{words: s.dictionary(column), word: []byte(prefix)}
	var at state
	next := w.words.root
	for _, b := range w.word {
		w.words.read(&at, next)
		i := at.take(b)
		if i < 0 {
			return &Words{}
		}
		next, _ = at.transition(i)
	}
	w.enter(next)
	return w
}

func (w *Words) enter(at int) {
	w.path = append(w.path, step{})
	last := &w.path[len(w.path)-1]
	w.words.read(&last.state, at)
	last.left = last.state.n
}

// Next moves to the next word, the first one first, and is false where there is none.
func (w *Words) Next() bool {
	for len(w.path) > 0 {
		last := &w.path[len(w.path)-1]
		switch {
		case !last.told && last.state.ends:
			last.told = true
			return true
		case last.left == 0:
			if w.path = w.path[:len(w.path)-1]; len(w.path) > 0 {
				w.word = w.word[:len(w.word)-1]
			}
		default:
			last.told = true
			last.left--
			w.word = append(w.word, last.state.byteOf(last.left))
			to, _ := last.state.transition(last.left)
			w.enter(to)
		}
	}
	return false
}

// Word is the word that it stands at, until Next is called.
func (w *Words) Word() []byte { return w.word }
