package lexicon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lettersAt reads a regimen by the letters of its drugs, also across a hyphen, in a text on myeloma.
func (r *reader) lettersAt(i int) []span {
	past := i + 1
	if t := r.tokens[i]; strings.HasPrefix(r.text[t.end:], "-") && past < len(r.tokens) {
		past++
	}

	for ; past > i; past-- {
		e := r.regimenOf(r.written(i, past))
		if e != nil && forms("myeloma").MatchString(r.text) &&
			!forms("constant").MatchString(r.text[r.tokens[past-1].end:]) { // of dissociation: "a Kd of 5 nM"
			return []span{{first: i, past: past, start: r.tokens[i].start, end: r.tokens[past-1].end, entry: e,
				key: fold(e.Name)}}
		}
	}
	return nil
}

// regimenOf returns the regimen that a word's letters spell: the dictionary's with these drugs, or a new one; nil if it
// has other letters.
func (r *reader) regimenOf(word string) *Entry {
	rest, isRegimen := strings.CutSuffix(word, "d")
	if first, _ := utf8.DecodeRuneInString(word); !isRegimen || !unicode.IsUpper(first) {
		return nil
	}

	drugs := []string{"dexamethasone"}
	for rest != "" {
		n := slices.IndexFunc(antimyeloma(), func(row []string) bool { return strings.HasPrefix(rest, row[0]) })
		if n < 0 || slices.Contains(drugs, antimyeloma()[n][1]) {
			return nil
		}
		drugs, rest = append(drugs, antimyeloma()[n][1]), rest[len(antimyeloma()[n][0]):]
	}

	slices.Sort(drugs[1:])

	for n := range r.lexicon.entries {
		e := &r.lexicon.entries[n]
		if e.Class == myelomaRegimen && sameSubstances(r.lexicon.componentsOf(e), drugs) {
			return e
		}
	}
	return &Entry{Kind: KindDrug, Name: strings.Join(append(drugs[1:], drugs[0]), "-"), Class: myelomaRegimen,
		Synonyms: []string{word}, Implies: drugs}
}

const myelomaRegimen = "antimyeloma regimen"

// sameSubstances reports whether a regimen's components are exactly these drugs.
func sameSubstances(parts []*Entry, drugs []string) bool {
	n := 0
	for _, e := range parts {
		switch {
		case e.Class == myelomaRegimen: // its parts are there, too
		case !slices.Contains(drugs, e.Name):
			return false
		default:
			n++
		}
	}
	return n == len(drugs)
}
