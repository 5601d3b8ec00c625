package lexicon

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/evidence"
)

// ownForms maps the short forms that a text explains, and uses in another sense than the dictionary, to their long
// forms there: where "current pain intensity (CPI)" stands, CPI is no checkpoint inhibitor.
type ownForms map[string]string

// The most letters of a short form, and the most bytes before its bracket that are searched for its long form.
const (
	longestOwnForm  = 8
	longestOwnWords = 160
)

// ownFormsOf finds the own forms of a record.
func (l *Lexicon) ownFormsOf(r *evidence.Record) ownForms {
	return l.ownForms(r.Title + " " + r.AbstractText())
}

// ownForms finds the own forms of a text. A gene's symbol keeps its meaning: few texts spell it out as the dictionary
// does.
func (l *Lexicon) ownForms(in string) ownForms {
	var own ownForms
	for at := 0; ; {
		open := strings.IndexByte(in[at:], '(')
		if open < 0 {
			return own
		}
		open += at
		at = open + 1

		end := strings.IndexAny(in[at:min(len(in), at+2*longestOwnForm)], "),;")
		if end < 0 {
			continue
		}

		short := in[at : at+end]
		if own[short] != "" || !mayBeExplained(short) {
			continue
		}

		before := strings.TrimRight(in[max(0, open-longestOwnWords):open], " ")
		if long := longForm(short, before); long != "" && l.meansElse(short, long) {
			if own == nil {
				own = ownForms{}
			}
			own[short] = long
		}
	}
}

// mayBeExplained reports whether a text may be a short form: two letters or more, a capital among them, and no space.
func mayBeExplained(s string) bool {
	return utf8.RuneCountInString(s) >= 2 && utf8.RuneCountInString(s) <= longestOwnForm &&
		strings.ContainsFunc(s, unicode.IsUpper) && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-'
	})
}

// longForm returns the end of a text that a short form behind it abbreviates: the fewest words with its letters in
// order, the first at a word's beginning; empty if there are none (Schwartz and Hearst, 2003).
func longForm(short, before string) string {
	letters, words := []rune(strings.ToLower(short)), []rune(before)

	at := len(words)
	for i := len(letters) - 1; i >= 0; i-- {
		if !unicode.IsLetter(letters[i]) && !unicode.IsDigit(letters[i]) {
			continue
		}

		at--
		for at >= 0 && (unicode.ToLower(words[at]) != letters[i] || i == 0 && at > 0 && isWordRune(words[at-1])) {
			at--
		}

		if at < 0 {
			return ""
		}
	}
	long := string(words[at:])

	n := len(strings.Fields(long))
	if n < 2 || n > min(len(letters)+5, 2*len(letters)) || strings.ContainsAny(long, ".;:()") {
		return ""
	}
	return long
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// meansElse reports whether the dictionary reads a short form as an entry of which the long form has no word: neither
// of its names nor of its components' names.
func (l *Lexicon) meansElse(short, long string) bool {
	read := l.Read(short)

	entries := entriesIn(&read)
	if len(read.Alterations) > 0 || len(entries) == 0 {
		return false
	}

	said := map[string]bool{}
	for _, t := range tokenize(long) {
		said[stemOf(t.key)] = true
	}
	isSaid := func(name string) bool {
		return slices.ContainsFunc(tokenize(name), func(t token) bool { return len(t.key) > 3 && said[stemOf(t.key)] })
	}
	return !slices.ContainsFunc(entries, func(e *Entry) bool {
		all := append([]*Entry{e}, l.componentsOf(e)...)
		return slices.ContainsFunc(all, func(e *Entry) bool { return slices.ContainsFunc(plainTerms(e), isSaid) })
	})
}

// entriesIn returns the dictionary's entries that a text was read as, except genes.
func entriesIn(q *Question) []*Entry {
	var out []*Entry
	for _, c := range slices.Concat(q.Tumours, q.Conditions) {
		out = append(out, c.Entry)
	}

	for _, b := range q.Biomarkers {
		out = append(out, b.Entry)
	}

	for _, d := range q.Drugs {
		out = append(out, d.Entry)
	}

	for _, c := range q.Setting {
		out = append(out, c.Entry)
	}
	return slices.DeleteFunc(out, func(e *Entry) bool { return e == nil })
}

// in returns a part of the text with its own short forms replaced by their long forms, where they stand as words.
func (own ownForms) in(part string) string {
	for _, short := range slices.Sorted(maps.Keys(own)) {
		part = replaceWord(part, short, own[short])
	}
	return part
}

func replaceWord(in, word, with string) string {
	if !strings.Contains(in, word) {
		return in
	}

	var b strings.Builder
	for from := 0; ; {
		at := strings.Index(in[from:], word)
		if at < 0 {
			b.WriteString(in[from:])
			return b.String()
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(in[:at])
		rest := strings.TrimPrefix(in[at+len(word):], "s") // several of it: "HCCs"
		behind, _ := utf8.DecodeRuneInString(rest)
		b.WriteString(in[from:at])

		if at > 0 && isWordRune(before) || isWordRune(behind) {
			rest = in[at+len(word):]
			b.WriteString(word)
		} else {
			b.WriteString(with)
		}
		from = len(in) - len(rest)
	}
}
