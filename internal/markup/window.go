package markup

import "io"

// firstBuffer is a window's first size in bytes; it grows with what has to be in memory at once.
const firstBuffer = 64 << 10

// Window is the part of a stream that is in memory: the bytes that were read and not passed over yet.
type Window struct {
	from     io.Reader
	buf      []byte
	pos, end int // of the unread part of buf
}

// NewWindow returns a window on a stream that reads nothing until More is called.
func NewWindow(from io.Reader) Window { return Window{from: from} }

// Unread is what was read and not passed over, valid until the next call of More.
func (w *Window) Unread() []byte { return w.buf[w.pos:w.end] }

// Pass passes over n bytes of the unread part.
func (w *Window) Pass(n int) { w.pos += n }

// PassBut passes over all that is unread but the last n bytes.
func (w *Window) PassBut(n int) { w.pos = max(w.pos, w.end-n) }

// More reads further bytes. The stream's end is io.EOF.
func (w *Window) More() error {
	switch {
	case w.end < len(w.buf):
	case w.pos > len(w.buf)/2:
		w.end = copy(w.buf, w.Unread())
		w.pos = 0
	default:
		grown := make([]byte, max(firstBuffer, 2*len(w.buf)))
		w.end = copy(grown, w.Unread())
		w.buf, w.pos = grown, 0
	}

	for range 100 {
		n, err := w.from.Read(w.buf[w.end:])

		w.end += n
		switch {
		case n > 0:
			return nil
		case err != nil:
			return err
		}
	}
	return io.ErrNoProgress
}
