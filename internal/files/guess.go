package files

import (
	"bufio"
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// looked is how much of a file is looked at to tell its encoding.
const looked = 64 << 10

// guessed is the encoding of one byte a character that the bytes of r which are no UTF-8 look like: Windows-1251 where
// they are whole words of Russian's frequent letters, Windows-1250 where signs of Windows-1252 stand within words that
// are letters there (£ukasz, ¿o³¹dek); else Windows-1252.
func guessed(r *bufio.Reader) (page *charmap.Charmap, name string) {
	head, _ := r.Peek(looked)

	var cyrillic, mixed, central, western int
	for word := range bytes.FieldsFuncSeq(latin(head), func(r rune) bool { return !isLetter(r) }) {
		c := countWord(word)
		switch {
		case c.high == 0:
		case c.high >= 3 && c.ascii == 0 && c.russian*2 > c.high && c.russian >= c.greek && c.lower*2 > c.high:
			cyrillic++
		case c.ascii == 0:
			mixed++
		case c.central > 0:
			central++
		default:
			western++
		}
	}

	switch {
	case cyrillic > mixed+central+western:
		return charmap.Windows1251, "Windows-1251"
	case central > 0 && central*4 > western:
		return charmap.Windows1250, "Windows-1250"
	}
	return charmap.Windows1252, "Windows-1252"
}

// latin is the text with each byte that is no UTF-8 as the character of its number, and every character that is UTF-8
// and not ASCII as a space: what is known already tells nothing.
func latin(head []byte) []byte {
	out := make([]byte, 0, len(head))
	for len(head) > 0 {
		r, size := utf8.DecodeRune(head)
		switch {
		case r == utf8.RuneError && size == 1:
			out = utf8.AppendRune(out, rune(head[0]))
		case r >= utf8.RuneSelf:
			out = append(out, ' ')
		default:
			out = append(out, head[0])
		}
		head = head[size:]
	}
	return out
}

func isLetter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80
}

// wordCount is what a word is made of.
type wordCount struct{ ascii, high, lower, russian, greek, central int }

var (
	// the frequent small letters of Russian in Windows-1251, of Greek in Windows-1253
	russianLetters = []byte("\xe0\xe2\xe5\xe8\xeb\xed\xee\xf0\xf1\xf2")
	greekLetters   = []byte("\xe1\xe5\xe7\xe9\xea\xed\xef\xf0\xf1\xf2\xf3\xf4")
	// letters of Windows-1250 that are signs in Windows-1252
	centralLetters = []byte("\xa3\xa5\xaf\xb3\xb9\xbf\xbc\xbe\xaa\xba\x8d\x8f\x9d")
)

func countWord(word []byte) (c wordCount) {
	runes := []rune(string(word))
	for i, r := range runes {
		if r < 0x80 {
			c.ascii++
			continue
		}
		b := byte(r)

		c.high++
		if b >= 0xe0 {
			c.lower++
		}

		if bytes.IndexByte(russianLetters, b) >= 0 {
			c.russian++
		}

		if bytes.IndexByte(greekLetters, b) >= 0 {
			c.greek++
		}
		// a sign stands behind a word (cm³, Doe¹) or before it (¿Qué), and hardly within it; £ does not before letters
		if i+1 < len(runes) && (i > 0 || b == 0xa3 || b == 0xaf) && bytes.IndexByte(centralLetters, b) >= 0 {
			c.central++
		}
	}
	return c
}
