package results

import (
	"slices"
	"strings"
	"sync"

	plaintext "dossier/internal/text"
)

// name is a run of content words in a sentence that may name an arm, an outcome, or something else.
type name struct {
	plaintext.Span
	text  string
	lead  string          // the text between it and the name or number before it, in small letters
	tail  string          // what follows it, to the next name or number
	words map[string]bool // its words that name an arm
	last  string          // its last word, without its ending

	isFirst bool         // of its sentence
	known   *nameContext // nil until asked for
}

// scannedText is a sentence with its numbers and, once asked for, its names.
type scannedText struct {
	text       string
	quantities []Quantity
	names      func() []name
}

func newScannedText(text string) *scannedText {
	c := &scannedText{text: text, quantities: Quantities(text)}
	c.names = sync.OnceValue(func() []name { return namesIn(text, c.quantities) })
	return c
}

// piece is a token of a sentence: a word, a number, or a mark.
type piece struct {
	plaintext.Span
	kind pieceKind
}

type pieceKind int

const (
	mark       pieceKind = iota // punctuation
	aNumber                     // a number that is a result
	link                        // a word that separates names: "of", "was", "treated with"
	content                     // a word of a name
	opensName                   // a word that begins a name: "without", "after"
	participle                  // a word of a name, unless a link or a number follows: "treated"
)

// namesIn cuts a sentence into the names between its numbers, marks and linking words.
func namesIn(text string, qs []Quantity) []name {
	pieces := piecesOf(text, qs)
	var out []name

	behind := 0 // the end of the last name or number
	for i := 0; i < len(pieces); {
		if !pieces[i].isOfName(pieces, i) {
			if pieces[i].kind == aNumber {
				behind = pieces[i].End
			}
			i++
			continue
		}

		j := i + 1
		if pieces[i].kind == opensName && j+1 < len(pieces) && forms("determiner").MatchString(pieces[j].In(text)) {
			j++ // "during the therapy"
		}

		for j < len(pieces) && pieces[j].kind != opensName && pieces[j].isOfName(pieces, j) {
			j++
		}
		n := name{Span: plaintext.Span{Start: pieces[i].Start, End: pieces[j-1].End}}
		n.text = n.In(text)
		n.lead = strings.ToLower(text[min(behind, n.Start):n.Start])
		n.words = wordsOf(n.text)
		n.last = stem(strings.ToLower(strings.TrimSuffix(pieces[j-1].In(text), "s")))

		isHead := forms("told behind").MatchString(n.text) && forms("tells of them").MatchString(text[n.End:])
		if !isHead && (len(n.words) > 0 || pieces[i].kind == opensName) {
			out, behind = append(out, n), n.End
		}
		i = j
	}

	out = withoutUnits(text, out, pieces)
	for i := range out {
		out[i].isFirst = i == 0

		to := len(text)
		if i+1 < len(out) {
			to = out[i+1].Start
		}
		out[i].tail = strings.ToLower(text[out[i].End:to])
	}
	return out
}

// withoutUnits drops names that follow two or more numbers, as units do: "5.1 cGy", "73% male".
func withoutUnits(text string, names []name, pieces []piece) []name {
	count := map[string]int{}

	isBehindNumber := func(n name) bool {
		i := slices.IndexFunc(pieces, func(p piece) bool { return p.Start == n.Start })
		for i--; i >= 0 && pieces[i].kind == mark; i-- {
		}
		return i >= 0 && pieces[i].kind == aNumber && forms("before a unit").MatchString(text[pieces[i].End:n.Start])
	}
	for _, n := range names {
		if isBehindNumber(n) {
			count[n.text]++
		}
	}
	return slices.DeleteFunc(names, func(n name) bool { return count[n.text] > 1 && isBehindNumber(n) })
}

// wordsOf are the words that name an arm, or the whole name if it has only numbers: "2010", "≥ 70".
func wordsOf(text string) map[string]bool {
	words := ArmWords(text)
	if len(words) == 0 && forms("counted name").MatchString(text) {
		words[text] = true
	}
	return words
}

// isOfName reports whether a piece may be a word of a name.
func (p *piece) isOfName(all []piece, i int) bool {
	switch p.kind {
	case content, opensName:
		return true
	case participle:
		return i+1 < len(all) && (all[i+1].kind == content || all[i+1].kind == participle) ||
			i > 0 && (all[i-1].kind == link || all[i-1].kind == mark) && (i+1 == len(all) || all[i+1].kind == mark)
	}
	return false
}

// piecesOf cuts a sentence into words, numbers and marks, each with its kind.
func piecesOf(text string, qs []Quantity) []piece {
	plain := withoutAliases(text)

	var out []piece
	for _, at := range forms("piece").FindAllStringIndex(plain, -1) {
		p := piece{Span: plaintext.Span{Start: at[0], End: at[1]}, kind: kindOf(plain[at[0]:at[1]])}
		if i := slices.IndexFunc(qs, func(q Quantity) bool { return q.Start < p.End && p.Start < q.End }); i >= 0 {
			p.kind = aNumber
			if isOfName(text, &qs[i]) {
				p.kind = content
			}
		}

		if p.In(plain) == "A" && len(out) > 0 && out[len(out)-1].kind != mark {
			p.kind = content // "groups A and B"
		}

		if forms("pointing").MatchString(p.In(plain)) && forms("pointed at").MatchString(plain[p.End:]) {
			p.kind = opensName // "in this group"
		}
		out = append(out, p)
	}
	return out
}

// kindOf is a word's kind. Most words of an abstract have occurred before.
var kindOf = plaintext.Memoized(mostKinds, func(word string) pieceKind {
	for _, k := range []struct {
		form string
		kind pieceKind
	}{{"no word", mark}, {"names by itself", content}, {"opens a name", opensName}, {"linking word", link},
		{"participle", participle}} {
		if forms(k.form).MatchString(word) {
			return k.kind
		}
	}
	return content
})

// mostKinds is the number of words whose kinds are kept: more than a language has common ones.
const mostKinds = 1 << 15

// isOfName reports whether a number belongs to a name: a step of a scale, a year, a bound ("> 60 Gy"), a dose, "group
// 1".
func isOfName(text string, q *Quantity) bool {
	switch q.Measure {
	case Stage, Grade, Phase, Calendar:
		return true
	case PValue:
		return false
	}

	rest := text[q.End:]
	if forms("dose unit").MatchString(q.In(text)) &&
		(forms("dosed").MatchString(text[:q.Start]) || forms("doses a group").MatchString(rest)) {
		return true
	}
	return forms("numbered").MatchString(text[:q.Start]) && !forms("of them").MatchString(rest) ||
		forms("makes a bound").MatchString(rest)
}

// withoutAliases blanks short forms in brackets behind a name: "chemotherapy (CT)".
func withoutAliases(text string) string {
	return replaceGroup(forms("alias"), text)
}

// replaceGroup blanks the first group of each match, and keeps every byte in its place.
func replaceGroup(re *plaintext.Form, text string) string {
	out := []byte(text)
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		for i := m[2]; i < m[3]; i++ {
			out[i] = ' '
		}
	}
	return string(out)
}
