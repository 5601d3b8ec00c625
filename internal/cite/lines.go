package cite

import (
	"bufio"
	"bytes"
	"io"
)

// lines reads a text line by line. Lines end with LF, CR or both.
type lines struct {
	r      *bufio.Reader
	number int   // of the line read last, from 1
	long   bool  // the line read last was cut at maxLine
	err    error // why reading stopped, nil at the text's end
	buf    []byte
}

// each hands every line to take, and gives the first error: take's or the reader's.
func (l *lines) each(take func(text string) error) error {
	for {
		text, ok := l.next()
		if !ok {
			return l.err
		}

		if err := take(text); err != nil {
			return err
		}
	}
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

		if b == '\n' || b == '\r' && l.skipLineFeed() {
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

// skipLineFeed takes the LF that may follow a CR.
func (l *lines) skipLineFeed() bool {
	if b, err := l.r.Peek(1); err == nil && b[0] == '\n' {
		_, _ = l.r.Discard(1) // it is in the buffer
	}
	return true
}
