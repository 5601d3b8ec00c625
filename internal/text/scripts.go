package text

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Scripts writes what markup raises or lowers so that it keeps its meaning in plain text: 10<sup>8</sup> is 10⁸ and not
// 108, and so are charges and isotopes (Ca²⁺, ¹⁸F). A number that Unicode can't raise stands behind a caret (10^1.5).
// Letters and signs alone stay on the line, where names are looked for, and so do the numbers of a formula, which can
// be taken for no others: CD8+, KRASG12C, CO2. It is told of each tag, and where the text before it ends.
type Scripts struct{ open []scriptTag }

type scriptTag struct {
	name     string
	at       int // where its text begins
	children int // of MathML's msup and msub: how many have begun
	raises   int // 1: raises its text; -1: lowers it
}

// Start takes an opening tag by its name, in small letters and without a prefix.
func (s *Scripts) Start(name string, at int) {
	tag := scriptTag{name: name, at: at}
	switch name {
	case "sup":
		tag.raises = 1
	case "sub":
		tag.raises = -1
	}

	if n := len(s.open); n > 0 {
		parent := &s.open[n-1]

		parent.children++
		switch {
		case parent.name == "msup" && parent.children == 2, parent.name == "msubsup" && parent.children == 3:
			tag.raises = 1
		case (parent.name == "msub" || parent.name == "msubsup") && parent.children == 2:
			tag.raises = -1
		}
	} else if tag.raises == 0 && !strings.HasPrefix(name, "msu") {
		return
	}

	if len(s.open) < maxOpenTags {
		s.open = append(s.open, tag)
	}
}

const maxOpenTags = 50

// End takes a closing tag, and gives the text so far with what it raised or lowered. One that was never opened changes
// nothing.
func (s *Scripts) End(name string, out []byte) []byte {
	for n := len(s.open) - 1; n >= 0; n-- {
		if s.open[n].name != name {
			continue
		}
		tag := s.open[n]
		s.open = s.open[:n]

		if tag.raises == 0 || tag.at > len(out) {
			return out
		}
		return append(out[:tag.at], script(out[:tag.at], string(out[tag.at:]), tag.raises > 0)...)
	}
	return out
}

// Raised is s as it stands raised behind before; Lowered is it below the line.
func Raised(before []byte, s string) string { return script(before, s, true) }

// Lowered is s as it stands below the line behind before.
func Lowered(before []byte, s string) string { return script(before, s, false) }

// signs are the characters that stand for plus and minus.
const signs = "+-−‐‑–"

// script writes s raised or lowered behind before. Unicode can raise numbers with a sign before or behind them, and
// lower numbers.
func script(before []byte, s string, up bool) string {
	value := strings.TrimSpace(s)

	digits := value
	if up {
		digits = strings.Trim(value, signs)
	}

	isNumber := digits != "" && strings.Trim(digits, "0123456789") == ""
	switch last, _ := utf8.DecodeLastRune(bytes.TrimRight(before, " ")); {
	case isNumber && up && utf8.RuneCountInString(value) <= len(digits)+1:
		return strings.Map(raised, value)
	case isNumber && !up && isDigit(last):
		return strings.Map(func(r rune) rune { return '₀' + r - '0' }, value)
	case isDigit(last) && isDigit(first(strings.TrimLeft(value, signs))):
		if up {
			return "^" + value
		}
		return "_" + value
	}
	return s
}

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// raised is a digit or a sign above the line.
func raised(r rune) rune {
	switch {
	case r == '1':
		return '¹'
	case r == '2' || r == '3':
		return '²' + r - '2'
	case isDigit(r):
		return '⁰' + r - '0'
	case r == '+':
		return '⁺'
	}
	return '⁻'
}

// Exponent reads the number that stands raised at the beginning of s: 8 of "⁸ cells", -3 of "⁻³". Size is its length in
// bytes, 0 where there is none.
func Exponent(s string) (n, size int) {
	sign, digits := 1, 0
	for i, r := range s {
		switch value := strings.IndexRune("⁰¹²³⁴⁵⁶⁷⁸⁹", r); {
		case r == '⁻' && i == 0:
			sign = -1
		case value >= 0 && digits < 4:
			n = n*10 + utf8.RuneCountInString("⁰¹²³⁴⁵⁶⁷⁸⁹"[:value])
			digits++
			size = i + utf8.RuneLen(r)
		default:
			return sign * n, size
		}
	}
	return sign * n, size
}
