package cite

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"dossier/internal/text"
)

// latexToUnicode is LaTeX's text as Unicode: accents and symbols become letters, braces and commands of style go, their
// content stays. With ligatures, "--" is a dash, and two single quotes are a double one. Unknown commands go without a
// trace.
func latexToUnicode(s string, ligatures bool) string {
	if !strings.ContainsAny(s, "\\{}$~-`'") {
		return s
	}

	t := &texReader{s: s, ligatures: ligatures, dollars: strings.Count(strings.ReplaceAll(s, `\$`, ""), "$")%2 == 0}
	for t.i < len(t.s) {
		t.step()
	}
	return string(t.out)
}

type texReader struct {
	s         string
	i         int
	out       []byte
	ligatures bool
	dollars   bool // they come in pairs, and enclose formulas
	math      bool
}

// step reads one character, command or group.
func (t *texReader) step() {
	switch c := t.s[t.i]; {
	case c == '\\':
		t.i++
		t.command()
	case c == '{' || c == '}':
		t.i++
	case c == '$' && t.dollars:
		t.math = !t.math
		t.i++
	case (c == '^' || c == '_') && t.math:
		t.i++
		t.script(c == '^')
	case c == '~' && t.ligatures:
		t.out = append(t.out, ' ')
		t.i++
	case t.ligatures && (c == '-' || c == '`' || c == '\''):
		t.ligature(c)
	default:
		_, size := utf8.DecodeRuneInString(t.s[t.i:])
		t.out = append(t.out, t.s[t.i:t.i+size]...)
		t.i += size
	}
}

func (t *texReader) ligature(c byte) {
	n := 1
	for n < 3 && t.i+n < len(t.s) && t.s[t.i+n] == c {
		n++
	}

	switch {
	case c == '-' && n == 3:
		t.out = append(t.out, "—"...)
	case c == '-' && n == 2:
		t.out = append(t.out, "–"...)
	case c == '`' && n >= 2:
		t.out = append(t.out, "“"...)
		n = 2
	case c == '\'' && n >= 2:
		t.out = append(t.out, "”"...)
		n = 2
	default:
		t.out = append(t.out, c)
		n = 1
	}
	t.i += n
}

// command reads what stands behind a backslash.
func (t *texReader) command() {
	if t.i >= len(t.s) {
		return
	}

	c := t.s[t.i]
	if !isLetter(c) {
		t.sign(c)
		return
	}
	name := t.name()

	takesLetter := t.i < len(t.s) && strings.IndexByte("{ \\", t.s[t.i]) >= 0
	if mark, ok := letterAccents[name]; ok && takesLetter {
		t.accent(mark, "")
		return
	}
	t.endName()

	if symbol, ok := texSymbols()[name]; ok {
		t.out = append(t.out, symbol...)
		return
	}

	switch name {
	case "href": // the address; the text behind it stays
		t.skipGroup()
	case "textsuperscript", "textsubscript":
		t.script(name == "textsuperscript")
	}
}

// script reads what is raised or lowered: a group, or one sign.
func (t *texReader) script(up bool) {
	start := t.i

	inner := texReader{ligatures: t.ligatures, math: t.math}
	if start < len(t.s) && t.s[start] == '{' {
		t.skipGroup()
		inner.s = t.s[start:t.i]
	} else if start < len(t.s) && t.s[start] != '\\' {
		_, size := utf8.DecodeRuneInString(t.s[start:])
		t.i += size
		inner.s = t.s[start:t.i]
	}

	for inner.i < len(inner.s) {
		inner.step()
	}

	write := text.Lowered
	if up {
		write = text.Raised
	}
	t.out = append(t.out, write(t.out, string(inner.out))...)
}

// sign reads a command of one sign: an accent, an escaped sign or a space.
func (t *texReader) sign(c byte) {
	if mark, ok := signAccents[c]; ok {
		t.i++
		t.accent(mark, string(c))
		return
	}

	switch c {
	case '-', '/', '!':
		t.i++
	case '\\', ' ', ',', ';', ':', '\n', '\t':
		t.i++
		t.out = append(t.out, ' ')
	default:
		_, size := utf8.DecodeRuneInString(t.s[t.i:])
		t.out = append(t.out, t.s[t.i:t.i+size]...)
		t.i += size
	}
}

func (t *texReader) name() string {
	start := t.i
	for t.i < len(t.s) && isLetter(t.s[t.i]) {
		t.i++
	}
	return t.s[start:t.i]
}

// endName takes what ends a command's name: an empty pair of braces, or spaces.
func (t *texReader) endName() {
	if strings.HasPrefix(t.s[t.i:], "{}") {
		t.i += 2
		return
	}
	t.spaces()
}

func (t *texReader) spaces() {
	for t.i < len(t.s) && (t.s[t.i] == ' ' || t.s[t.i] == '\n' || t.s[t.i] == '\t') {
		t.i++
	}
}

// accent adds a mark to the letter that follows, in braces or not. Without a letter the sign is written alone.
func (t *texReader) accent(mark rune, alone string) {
	t.spaces()

	for t.i < len(t.s) && t.s[t.i] == '{' {
		t.i++
	}

	var base string
	switch {
	case t.i >= len(t.s) || t.s[t.i] == '}':
		t.out = append(t.out, alone...)
		return
	case t.s[t.i] == '\\' && t.i+1 < len(t.s) && isLetter(t.s[t.i+1]):
		t.i++
		name := t.name()
		t.endName()

		base = texSymbols()[name]
		if name == "i" || name == "j" {
			base = name
		}
	case t.s[t.i] == '\\':
		t.out = append(t.out, alone...)
		return
	default:
		_, size := utf8.DecodeRuneInString(t.s[t.i:])
		base = t.s[t.i : t.i+size]
		t.i += size
	}

	if base != "" {
		t.out = append(t.out, norm.NFC.String(base+string(mark))...)
	}
}

func (t *texReader) skipGroup() {
	depth := 0
	for ; t.i < len(t.s); t.i++ {
		switch t.s[t.i] {
		case '\\':
			t.i++
		case '{':
			depth++
		case '}':
			depth--
		}

		if depth <= 0 {
			t.i = min(t.i+1, len(t.s))
			return
		}
	}
	t.i = min(t.i, len(t.s))
}

// signAccents and letterAccents are the combining marks of LaTeX's accents.
var (
	signAccents = map[byte]rune{'\'': '\u0301', '`': '\u0300', '^': '\u0302', '"': '\u0308', '~': '\u0303',
		'=': '\u0304', '.': '\u0307'}
	letterAccents = map[string]rune{
		"u": '\u0306', "v": '\u030c', "H": '\u030b', "c": '\u0327', "k": '\u0328', "r": '\u030a', "d": '\u0323',
		"b": '\u0331',
	}
)

//go:embed symbols.tsv
var symbolTable string

// texSymbols are commands that stand for a character, read when they are first asked for.
var texSymbols = sync.OnceValue(func() map[string]string {
	symbols := map[string]string{}
	for cells := range text.Rows(symbolTable) {
		for command := range strings.FieldsSeq(cells[1]) {
			symbols[command] = cells[0]
		}
	}
	return symbols
})
