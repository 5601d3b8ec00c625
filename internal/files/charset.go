package files

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"dossier/internal/text"
)

// Text gives the text of r as UTF-8. UTF-16 is known by its byte order mark, or by a NUL in its first character, which
// is ASCII in every format that is read; and an encoding of several bytes a
// character (Shift JIS, GB 18030) by an XML document's declaration. Else bytes that are no UTF-8 are taken, one by one,
// for the declared encoding of one byte a character, else for what they look like (Windows-1251, Windows-1250), or for
// Windows-1252 (which holds all of ISO-8859-1): files joined from several exports hold both, and declarations outlive
// the encoding that they name. Mended says whether that happened; an encoding of several bytes that nothing declares
// can't be told from it, and gives wrong letters: As reads it.
func Text(r io.Reader) (text io.Reader, mended *Mended, err error) {
	raw := bufio.NewReaderSize(r, looked)
	mended = &Mended{}
	mended.page, mended.name = guessed(raw)

	if wide := wideIn(raw); wide != nil {
		return transform.NewReader(transform.NewReader(raw, wide.NewDecoder()), mended), mended, nil
	}

	if mark, _ := raw.Peek(3); bytes.Equal(mark, []byte{0xef, 0xbb, 0xbf}) {
		_, _ = raw.Discard(len(mark)) // they are in the buffer
	}

	declared, name, err := declaredIn(raw)
	if err != nil {
		return nil, nil, err
	}

	var in io.Reader = raw
	switch page, isPage := declared.(*charmap.Charmap); {
	case isPage:
		mended.page, mended.name = page, name
	case declared != nil:
		in = transform.NewReader(raw, declared.NewDecoder())
	}
	return transform.NewReader(in, mended), mended, nil
}

// As gives the text of r, which somebody says is in an encoding, as UTF-8. Where that has one byte a character, what is
// UTF-8 already stays.
func As(r io.Reader, name string) (io.Reader, error) {
	named, err := htmlindex.Get(name)
	if err != nil {
		return nil, &UnknownError{name}
	}

	if page, isPage := named.(*charmap.Charmap); isPage {
		return transform.NewReader(r, &Mended{page: page, name: name}), nil
	}
	return transform.NewReader(r, named.NewDecoder()), nil
}

// Declared gives the text of r as Text does where an XML document declares an encoding other than UTF-8, and else r's
// own bytes: a large file of a service that writes UTF-8 need not be looked through.
func Declared(r io.Reader) (io.Reader, error) {
	raw := bufio.NewReader(r)
	if declared, _, err := declaredIn(raw); err != nil || declared == nil && wideIn(raw) == nil {
		return raw, err
	}
	text, _, err := Text(raw)
	return text, err
}

// wideIn is UTF-16 where a text begins as one; else nil.
func wideIn(r *bufio.Reader) encoding.Encoding {
	switch head, _ := r.Peek(2); {
	case len(head) < 2:
	case head[0] == 0xff && head[1] == 0xfe, head[0] != 0 && head[1] == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case head[0] == 0xfe && head[1] == 0xff, head[0] == 0 && head[1] != 0:
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	}
	return nil
}

// UnknownError says that a document declares an encoding that is not known here: any guess would give wrong letters.
type UnknownError struct{ Encoding string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("it declares the encoding %q, which is not known here; save it as UTF-8", e.Encoding)
}

// declaration is how an XML document begins; it is in ASCII, whatever follows.
var declaration = text.LazyRegexp(`^(?:\x{FEFF})?\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._:-]{0,60})["']`)

// declaredIn is the encoding that an XML document declares; nil where that is UTF-8, or none.
func declaredIn(r *bufio.Reader) (declared encoding.Encoding, name string, err error) {
	head, _ := r.Peek(512)

	found := declaration().FindSubmatch(head)
	if found == nil {
		return nil, "", nil
	}

	name = string(found[1])
	if strings.HasPrefix(strings.ToLower(name), "utf-") {
		return nil, "", nil // UTF-16 is known by how it begins; its declaration could not have been read
	}

	declared, err = htmlindex.Get(name)
	if err != nil {
		return nil, "", &UnknownError{name}
	}
	return declared, name, nil
}

// Mended is a transform.Transformer that leaves UTF-8 as it is and reads any other byte in an encoding of one byte a
// character. NUL bytes go: they stand in no text, and tools that cut fields at them would lose the rest. So do byte
// order marks where a line begins, which files that were joined have in their midst.
type Mended struct {
	transform.NopResetter
	page  *charmap.Charmap
	name  string
	used  bool
	begun bool // the line has anything
}

// As is the encoding in which bytes that are no UTF-8 were read; empty where there was none so far.
func (m *Mended) As() string {
	if !m.used {
		return ""
	}
	return m.name
}

// Transform implements transform.Transformer.
func (m *Mended) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		r, size := utf8.DecodeRune(src[nSrc:])
		if r == utf8.RuneError && size == 1 {
			switch isCut := !utf8.FullRune(src[nSrc:]); {
			case isCut && atEOF && !m.used: // the file was cut off within a character, and the part goes
				return nDst, len(src), nil
			case isCut && !atEOF:
				return nDst, nSrc, transform.ErrShortSrc
			}
			m.used = true
			r = m.page.DecodeByte(src[nSrc])
		}

		if r == 0 || r == '\ufeff' && !m.begun {
			nSrc += size
			continue
		}

		if nDst+utf8.RuneLen(r) > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += size
		m.begun = r != '\n' && r != '\r'
	}
	return nDst, nSrc, nil
}
