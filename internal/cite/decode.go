package cite

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// decoded gives the text of r as UTF-8, whatever it is encoded in. UTF-16 is known by its byte order mark; bytes that are no
// UTF-8 are taken for Windows-1252, one by one, since files joined from several exports hold both. Other encodings without a
// mark (GB 18030, Shift JIS) cannot be told from it, and give wrong letters; mend.used says that it happened.
func decoded(r io.Reader) (text *bufio.Reader, m *mend) {
	raw := bufio.NewReader(r)
	mark, _ := raw.Peek(3)
	var in io.Reader = raw
	switch {
	case bytes.HasPrefix(mark, []byte{0xff, 0xfe}), bytes.HasPrefix(mark, []byte{0xfe, 0xff}):
		in = transform.NewReader(raw, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder())
	case bytes.Equal(mark, []byte{0xef, 0xbb, 0xbf}):
		_, _ = raw.Discard(len(mark)) // they are in the buffer
	}
	m = &mend{}
	return bufio.NewReaderSize(transform.NewReader(in, m), sniffed), m
}

// mend is a transform.Transformer that leaves UTF-8 as it is and reads any other byte as Windows-1252. NUL bytes go: they
// stand in no text, and tools that cut fields at them would lose the rest.
type mend struct {
	transform.NopResetter
	used bool // a byte was no UTF-8
}

// Transform implements transform.Transformer.
func (m *mend) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		r, size := utf8.DecodeRune(src[nSrc:])
		if r == utf8.RuneError && size == 1 {
			if !utf8.FullRune(src[nSrc:]) {
				return m.cutRune(nDst, nSrc, len(src), atEOF)
			}
			m.used = true
			r = charmap.Windows1252.DecodeByte(src[nSrc])
		}
		if r == 0 {
			nSrc += size
			continue
		}
		if nDst+utf8.RuneLen(r) > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += size
	}
	return nDst, nSrc, nil
}

// cutRune waits for the rest of a character; at the end of a file that was cut off there is none, and the part goes.
func (m *mend) cutRune(nDst, nSrc, all int, atEOF bool) (int, int, error) {
	if atEOF {
		return nDst, all, nil
	}
	return nDst, nSrc, transform.ErrShortSrc
}

// lines reads a text line by line. Lines end with LF, CR or both.
type lines struct {
	r      *bufio.Reader
	number int   // of the line read last, from 1
	long   bool  // the line read last was cut at maxLine
	err    error // why reading stopped, nil at the text's end
	buf    []byte
}

// next is false at the end.
func (l *lines) next() (string, bool) {
	l.buf, l.long = l.buf[:0], false
	for read := 0; ; read++ {
		b, err := l.r.ReadByte()
		if err != nil {
			if err != io.EOF {
				l.err = err
				return "", false
			}
			if read == 0 {
				return "", false
			}
			break
		}
		if b == '\n' || b == '\r' && l.endsHere() {
			break
		}
		if len(l.buf) == maxLine {
			l.long = true
			continue
		}
		l.buf = append(l.buf, b)
	}
	l.number++
	if l.long {
		return string(bytes.ToValidUTF8(l.buf, nil)), true
	}
	return string(l.buf), true
}

// endsHere takes the LF that may follow a CR.
func (l *lines) endsHere() bool {
	if b, err := l.r.Peek(1); err == nil && b[0] == '\n' {
		_, _ = l.r.Discard(1) // it is in the buffer
	}
	return true
}
