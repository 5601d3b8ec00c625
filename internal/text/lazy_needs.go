package text

import (
	"math/bits"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// needs is what every text has that an expression matches, read from the expression itself. It tells in a fraction of a
// microsecond that a text holds no match, which the expression itself would try at each letter.
type needs struct {
	first, last *letters // of a match that begins, or ends, with the text; nil where it may be anywhere
	anyOf       []needle // one of which is there; nil where nothing is known
}

// What stands in a needle for more than itself.
const (
	edge = 0 // where a word begins or ends
	gap  = 1 // any letter that is of no word
)

// Bounds of what is listed: of the texts that a part of an expression matches, and of a class's letters.
const (
	mostProducts = 32
	mostNeedles  = 512
	mostOfClass  = 16
)

// letters is a set of bytes, those of ASCII in small letters.
type letters [4]uint64

func (l *letters) add(b byte)      { l[b>>6] |= 1 << (b & 63) }
func (l *letters) has(b byte) bool { return l[b>>6]>>(b&63)&1 != 0 }

// addForeign adds all bytes of letters outside of ASCII.
func (l *letters) addForeign() { l[2], l[3] = ^uint64(0), ^uint64(0) }

// within reports whether another set has all of these.
func (l *letters) within(other *letters) bool {
	return l[0]&^other[0]|l[1]&^other[1]|l[2]&^other[2]|l[3]&^other[3] == 0
}

// needle is a text that is looked for by its letters and by its runs of two or three, regardless of case.
type needle struct {
	letters letters
	runs    []uint16
}

// profile is what a text holds: its letters, and its runs of two and three by a hash, so that it may seem to hold more.
type profile struct {
	letters letters
	runs    [1 << (hashBits - 6)]uint64
}

const hashBits = 13

func (p *profile) has(n *needle) bool {
	if !n.letters.within(&p.letters) {
		return false
	}

	for _, r := range n.runs {
		if p.runs[r>>6]>>(r&63)&1 == 0 {
			return false
		}
	}
	return true
}

// small are the bytes in small letters; words are those that are of words, and all others a space.
var small, words = func() (small, words [256]byte) {
	for i := range small {
		b := byte(i)
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}

		small[i], words[i] = b, ' '
		if isWord(b) {
			words[i] = b
		}
	}
	return small, words
}()

func isWord(b byte) bool { return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' || b == '_' }

// hash is that of a run of three letters, or of two behind a zero.
func hash(a, b, c byte) uint16 {
	const odd = 2654435761
	return uint16((uint32(a)<<16 | uint32(b)<<8 | uint32(c)) * odd >> (32 - hashBits))
}

// read takes a text in. Letters that are of no word count as one space, as often as they stand side by side, and so do
// the text's ends.
func (p *profile) read(s string) {
	var before byte

	last := byte(' ')
	for i := range len(s) {
		p.letters.add(small[s[i]])

		c := words[s[i]]
		if c == ' ' && last == ' ' {
			continue
		}
		p.take(before, last, c)
		before, last = last, c
	}

	if last != ' ' {
		p.take(before, last, ' ')
	}
}

func (p *profile) take(before, last, c byte) {
	h := hash(0, last, c)
	p.runs[h>>6] |= 1 << (h & 63)
	h = hash(before, last, c)
	p.runs[h>>6] |= 1 << (h & 63)
}

// may reports whether a text may hold a match.
func (n *needs) may(s string) bool {
	if s == "" && (n.first != nil || n.last != nil) || n.first != nil && !n.first.has(small[s[0]]) ||
		n.last != nil && !n.last.has(small[s[len(s)-1]]) {
		return false
	}

	if n.anyOf == nil || isFolded(s) {
		return true
	}
	var p profile
	p.read(s)

	for i := range n.anyOf {
		if p.has(&n.anyOf[i]) {
			return true
		}
	}
	return false
}

// isFolded reports whether a text holds a letter outside of ASCII that an expression regardless of case takes for one
// of it: the long s and the sign of kelvin.
func isFolded(s string) bool { return strings.Contains(s, "\u017f") || strings.Contains(s, "\u212a") }

// needsOf reads an expression's needs; of one that is wrong there are none.
func needsOf(expr string) *needs {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return &needs{}
	}
	n := &needs{}

	isBegun, isEnded := begins(re, syntax.OpBeginText, 0), begins(re, syntax.OpEndText, -1)
	if isBegun {
		n.first = ending(re, 0)
	}

	if isEnded {
		n.last = ending(re, -1)
	}

	if isBegun && !isEnded {
		return n // it is tried at one place alone, and the rest of the text may be long
	}

	k := knownOf(re)
	for _, text := range fewest(k.best()) {
		n.anyOf = append(n.anyOf, newNeedle(text))
	}
	return n
}

// begins reports whether every match begins (end 0) or ends (end -1) with what op matches.
func begins(re *syntax.Regexp, op syntax.Op, end int) bool {
	switch re.Op {
	case op:
		return true
	case syntax.OpCapture:
		return begins(re.Sub[0], op, end)
	case syntax.OpConcat:
		return begins(re.Sub[(end+len(re.Sub))%len(re.Sub)], op, end)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !begins(sub, op, end) })
	}
	return false
}

// ending are the bytes with which a match begins (end 0) or ends (end -1); nil where there may be none.
func ending(re *syntax.Regexp, end int) *letters {
	l := &letters{}
	if l.addEnding(re, end) {
		return nil
	}
	return l
}

// addEnding adds those of a part; isEmpty says that it may match nothing.
func (l *letters) addEnding(re *syntax.Regexp, end int) (isEmpty bool) {
	switch re.Op {
	case syntax.OpNoMatch:
		return false
	case syntax.OpLiteral:
		l.addRune(re.Rune[(end+len(re.Rune))%len(re.Rune)], re.Flags&syntax.FoldCase != 0)
		return false
	case syntax.OpCharClass:
		l.addClass(re.Rune)
		return false
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		l.addClass([]rune{0, unicode.MaxRune})
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return l.addEnding(re.Sub[0], end)
	case syntax.OpStar, syntax.OpQuest:
		l.addEnding(re.Sub[0], end)
		return true
	case syntax.OpRepeat:
		return l.addEnding(re.Sub[0], end) || re.Min == 0
	case syntax.OpConcat:
		for i := range re.Sub {
			if end < 0 {
				i = len(re.Sub) - 1 - i
			}

			if !l.addEnding(re.Sub[i], end) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			isEmpty = l.addEnding(sub, end) || isEmpty
		}
		return isEmpty
	}
	return true // it matches a place
}

func (l *letters) addClass(ranges []rune) {
	for pair := range slices.Chunk(ranges, 2) { // from one to another
		for r := pair[0]; r <= min(pair[len(pair)-1], utf8.RuneSelf); r++ {
			l.addRune(r, false)
		}

		if pair[len(pair)-1] >= utf8.RuneSelf {
			l.addForeign()
		}
	}
}

func (l *letters) addRune(r rune, isFolded bool) {
	if r >= utf8.RuneSelf || isFolded && hasForeignCase(r) {
		l.addForeign()
	}

	if r < utf8.RuneSelf {
		l.add(small[r])
	}

	if isFolded {
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			if other < utf8.RuneSelf {
				l.add(small[other])
			}
		}
	}
}

// hasForeignCase reports whether a letter's other case is outside of ASCII.
func hasForeignCase(r rune) bool {
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		if other >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// known is what is known of the texts that a part of an expression matches.
type known struct {
	all   []string // these, and no others; nil where they can't be listed
	oneOf []string // of which each holds one; nil where nothing is known
}

// best is what each of the texts holds one of; nil where nothing is known.
func (k *known) best() []string {
	if worth(k.all) >= worth(k.oneOf) {
		return k.all
	}
	return k.oneOf
}

// worth says how much is told by texts, of which one must be there: more by long ones, and by few. It is 0 where
// nothing is.
func worth(texts []string) int {
	if len(texts) == 0 || len(texts) > mostNeedles {
		return 0
	}

	shortest := maxWorth
	for _, text := range texts {
		size := len(plain(text))
		if !strings.ContainsFunc(text, func(r rune) bool { return r < utf8.RuneSelf && isWord(byte(r)) }) {
			size = min(1, len(strings.Trim(text, "\x00\x01")))
		}
		shortest = min(shortest, size)
	}

	if shortest == 0 {
		return 0
	}
	return shortest*8 - bits.Len(uint(len(texts)))
}

const maxWorth = 6

func knownOf(re *syntax.Regexp) known {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpNoWordBoundary:
		return known{all: []string{""}}
	case syntax.OpWordBoundary, syntax.OpBeginText, syntax.OpEndText:
		return known{all: []string{string(rune(edge))}}
	case syntax.OpLiteral:
		return known{all: []string{literal(re)}}
	case syntax.OpCharClass:
		return known{all: class(re.Rune)}
	case syntax.OpCapture:
		return knownOf(re.Sub[0])
	case syntax.OpConcat:
		return concat(re.Sub)
	case syntax.OpAlternate:
		return alternate(re.Sub)
	case syntax.OpQuest:
		return optional(re.Sub[0])
	case syntax.OpStar:
		if isGap(re.Sub[0]) {
			return known{all: []string{"", string(rune(gap))}}
		}
	case syntax.OpPlus:
		return repeated(re.Sub[0])
	case syntax.OpRepeat:
		switch {
		case re.Min > 0:
			return repeated(re.Sub[0])
		case isGap(re.Sub[0]):
			return known{all: []string{"", string(rune(gap))}}
		}
	}
	return known{}
}

// isGap reports whether a part matches one letter that is of no word: several of them are as one.
func isGap(re *syntax.Regexp) bool {
	isOne := re.Op == syntax.OpCharClass || re.Op == syntax.OpLiteral && len(re.Rune) == 1
	return isOne && !slices.ContainsFunc(knownOf(re).all, func(s string) bool { return s == "" || isWord(s[0]) }) &&
		knownOf(re).all != nil
}

func optional(sub *syntax.Regexp) known {
	if k := knownOf(sub); k.all != nil && len(k.all) < mostProducts {
		return known{all: append(slices.Clone(k.all), "")}
	}
	return known{}
}

// repeated is what is known of a part that stands there once or more.
func repeated(sub *syntax.Regexp) known {
	if isGap(sub) {
		return known{all: []string{string(rune(gap))}}
	}
	k := knownOf(sub)
	return known{oneOf: k.best()}
}

// literal is a literal as a needle has it.
func literal(re *syntax.Regexp) string {
	var b strings.Builder
	for _, r := range re.Rune {
		switch {
		case r >= utf8.RuneSelf && re.Flags&syntax.FoldCase != 0 && unicode.SimpleFold(r) != r, r <= gap:
			b.WriteByte(gap)
		case r >= utf8.RuneSelf:
			b.WriteRune(r)
		default:
			b.WriteByte(small[r])
		}
	}
	return b.String()
}

// class lists the letters of a class; it is a gap where none of them is of a word, and nil where they are too many.
func class(ranges []rune) []string {
	var out []string

	hasWord, n := false, 0
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= min(ranges[i+1], utf8.RuneSelf); r++ {
			hasWord = hasWord || r < utf8.RuneSelf && isWord(small[r])
		}
		n += int(ranges[i+1]-ranges[i]) + 1
	}

	switch {
	case n == 0:
		return nil
	case !hasWord && n > 2:
		return []string{string(rune(gap))}
	case n > mostOfClass:
		return nil
	}

	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			s := literal(&syntax.Regexp{Rune: []rune{r}})
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// concat joins what is known of parts that follow each other, as long as all can be listed; of the lists that are begun
// so the one counts that tells most.
func concat(parts []*syntax.Regexp) known {
	var best []string
	take := func(texts []string) {
		if worth(texts) > worth(best) {
			best = texts
		}
	}

	all, isWhole := []string{""}, true
	for _, part := range parts {
		k := knownOf(part)
		if k.all != nil && len(all)*len(k.all) <= mostProducts {
			all = product(all, k.all)
			continue
		}
		isWhole = false
		take(all)
		take(k.oneOf)

		if all = k.all; all == nil {
			all = []string{""}
		}
	}

	if isWhole {
		return known{all: all}
	}
	take(all)
	return known{oneOf: best}
}

func product(before, behind []string) []string {
	out := make([]string, 0, len(before)*len(behind))
	for _, a := range before {
		for _, b := range behind {
			if s := a + b; !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// alternate is what is known where one part or another stands.
func alternate(parts []*syntax.Regexp) known {
	var k known

	isListed, isKnown := true, true
	for _, part := range parts {
		sub := knownOf(part)
		best := sub.best()
		isListed, isKnown = isListed && sub.all != nil, isKnown && worth(best) > 0
		k.all, k.oneOf = append(k.all, sub.all...), append(k.oneOf, best...)
	}

	if !isListed {
		k.all = nil
	}

	if !isKnown {
		k.oneOf = nil
	}
	return k
}

// plain is a needle with one space for letters that are of no word, and where a word ends.
func plain(needle string) string {
	var b []byte
	for i := range len(needle) {
		c := needle[i]
		if c == edge {
			if i > 0 && isWord(needle[i-1]) || i+1 < len(needle) && isWord(needle[i+1]) {
				b = append(b, ' ')
			}
			continue
		}
		b = append(b, words[c])
	}

	for i := len(b) - 1; i > 0; i-- {
		if b[i] == ' ' && b[i-1] == ' ' {
			b = slices.Delete(b, i, i+1)
		}
	}
	return string(b)
}

// fewest leaves out texts that hold another one, which is there as well.
func fewest(texts []string) []string {
	const most = 64 // more are words of a list, and hold no others
	if len(texts) > most {
		return texts
	}

	var out []string
	for i, text := range texts {
		if !slices.ContainsFunc(texts, func(other string) bool { return other != text && strings.Contains(text, other) }) &&
			!slices.Contains(texts[:i], text) {
			out = append(out, text)
		}
	}
	return out
}

func newNeedle(text string) needle {
	n := needle{}
	for i := range len(text) {
		if text[i] > gap {
			n.letters.add(text[i])
		}
	}

	p := plain(text)
	if len(p) == 2 {
		n.runs = append(n.runs, hash(0, p[0], p[1]))
	}

	for i := 2; i < len(p); i++ {
		n.runs = append(n.runs, hash(p[i-2], p[i-1], p[i]))
	}
	return n
}
