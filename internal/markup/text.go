package markup

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/text"
)

// AppendDecoded appends raw to dst with XML's five named and all numeric character references replaced. Others stay as
// they are written.
func AppendDecoded(dst, raw []byte) []byte {
	for {
		amp := bytes.IndexByte(raw, '&')
		if amp < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:amp]...)
		raw = raw[amp:]

		r, size := reference(raw)
		if size == 0 {
			dst = append(dst, '&')
			raw = raw[1:]
			continue
		}
		dst = utf8.AppendRune(dst, r)
		raw = raw[size:]
	}
}

// maxReference is the length of the longest reference that is looked for, &#x0010FFFF; with some room.
const maxReference = 16

// reference reads the character reference at the start of raw; its size is 0 where there is none.
func reference(raw []byte) (r rune, size int) {
	end := bytes.IndexByte(raw[:min(len(raw), maxReference)], ';')
	if end < 0 {
		return 0, 0
	}

	switch name := string(raw[1:end]); {
	case name == "lt":
		return '<', end + 1
	case name == "gt":
		return '>', end + 1
	case name == "amp":
		return '&', end + 1
	case name == "quot":
		return '"', end + 1
	case name == "apos":
		return '\'', end + 1
	case strings.HasPrefix(name, "#x"):
		return numbered(name[2:], 16), end + 1
	case strings.HasPrefix(name, "#"):
		return numbered(name[1:], 10), end + 1
	}
	return 0, 0
}

func numbered(digits string, base int) rune {
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n == 0 || n > unicode.MaxRune || !utf8.ValidRune(rune(n)) {
		return utf8.RuneError
	}
	return rune(n)
}

// TrimIndent takes off white space at either end where it holds a line break: what a pretty-printer puts between nested
// tags, as in <sup>⏎  <i>-/-</i>⏎</sup>, is no space between words. It is for text inside markup only.
func TrimIndent(raw []byte) []byte {
	body := SkipSpace(raw)
	if bytes.IndexByte(raw[:len(raw)-len(body)], '\n') < 0 {
		body = raw
	}

	end := DropSpace(body)
	if bytes.IndexByte(body[len(end):], '\n') < 0 {
		return body
	}
	return end
}

// Tidy makes one line of b, in place: white space of all kinds becomes single spaces, characters that show nothing go,
// bytes that are no UTF-8 become the replacement character, and nothing is left at either end.
func Tidy(b []byte) []byte {
	b = DropSpace(SkipSpace(b))

	clean := cleanLength(b)
	if clean == len(b) {
		return b
	}
	rest := string(b[clean:])

	out := b[:clean]
	for _, r := range rest {
		switch {
		case unicode.IsSpace(r):
			if len(out) > 0 && out[len(out)-1] != ' ' {
				out = append(out, ' ')
			}
		case !text.Invisible(r):
			out = utf8.AppendRune(out, r)
		}
	}
	return bytes.TrimRight(out, " ")
}

// cleanLength is how much of b's start is tidy already, as far as that can be told from plain ASCII.
func cleanLength(b []byte) int {
	for i, c := range b {
		if c < ' ' || c >= 0x7f || c == ' ' && i+1 < len(b) && b[i+1] == ' ' {
			return i
		}
	}
	return len(b)
}
