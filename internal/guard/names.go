package guard

import (
	"strings"
	"unicode/utf8"
)

// titles finds names behind "Mrs", "Herrn", "Sig.ra" and the like.
func (r *reading) titles() {
	v := tables()
	for i := range r.tokens {
		weak, next, ok := phrase(r, v.titles, i)
		for more := ok; more; { // "Frau Dr."
			var after int
			if _, after, more = phrase(r, v.titles, next); more {
				next = after
			}
		}

		if !ok || next >= len(r.tokens) || strings.Trim(r.gap(next), " .") != "" || r.startOf(next) == r.endOf(next-1) {
			continue
		}
		title := &r.tokens[i]

		dot := strings.HasPrefix(r.folded[r.tokens[next-1].end:], ".")
		if title.allCaps && !r.allCapitals && !dot { // MR and MS are methods, unless two unknown words follow
			if !r.isUnknownCapitals(next) || !r.isUnknownCapitals(next+1) || r.gap(next+1) != " " {
				continue
			}
			r.hit(Name, title.start, r.tokens[next+1].end)
			continue
		}

		if title.key == "m" && (!dot || !title.capital || v.eponyms[r.tokens[next].key]) {
			continue
		}

		how := nameAfterTitle
		if weak {
			how = nameAfterWord
		}

		end := r.nameEnd(next, how)
		if end == 0 && title.key != "m" && r.isInitial(next) { // "Mme L.", and no "M. D. Anderson"
			end = r.tokens[next].end
		}
		r.hit(Name, title.start, end)
	}
}

// isInitial reports whether token i is one capital with a full stop.
func (r *reading) isInitial(i int) bool {
	t := &r.tokens[i]
	return len(t.key) == 1 && t.capital && t.isWord() && strings.HasPrefix(r.folded[t.end:], ".")
}

// nameContext is what precedes a name.
type nameContext int

const (
	nameAfterTitle nameContext = iota // "Mrs": a capitalised word is a name, whatever it means
	nameAfterWord                     // "Frau", also "woman": a word with a meaning is no name
	nameAfterLabel                    // "surname", "Patient:": the family's name may come first, with a comma
	nameAfterColon                    // "Patient name:": what follows is a name, whatever it means
)

// maxNameWords is how many words form one name at most.
const maxNameWords = 5

// nameAt finds a name that begins with token i, behind a label that begins at start.
func (r *reading) nameAt(start, i int) {
	r.hit(Name, start, r.nameEnd(i, nameAfterLabel))
}

// isUnknownCapitals reports whether token i is an unknown word in capitals.
func (r *reading) isUnknownCapitals(i int) bool {
	return i < len(r.tokens) && r.tokens[i].allCaps && r.tokens[i].isWord() && !r.known(r.tokens[i].raw)
}

// chineseNames finds a family name with one or two characters behind it, beside a word for a person.
func (r *reading) chineseNames() {
	for _, m := range forms("chinese name").FindAllStringSubmatchIndex(r.folded, -1) {
		for group := 2; group < len(m); group += 2 {
			if m[group] >= 0 && !r.known(r.folded[m[group]:m[group+1]]) {
				r.hit(Name, m[group], m[group+1])
			}
		}
	}
}

// initials finds "J.S., 64 f", and the same behind a word for the patient.
func (r *reading) initials() {
	for _, m := range forms("initials").FindAllStringSubmatchIndex(r.folded, -1) {
		r.initialsAt(m[2], m[3])
	}

	for i := range r.tokens {
		if l, next, ok := phrase(r, tables().labels, i); ok && l.weak && next < len(r.tokens) {
			at := r.tokens[next].start
			if m := forms("initials alone").FindString(r.folded[at:]); m != "" {
				r.initialsAt(at, at+len(m))
			}
		}
	}
}

// initialsAt accepts letters as initials if they are capitals.
func (r *reading) initialsAt(start, end int) {
	raw := r.text[r.from[start]:r.to[end-1]]
	if raw == strings.ToUpper(raw) && !r.isHit(start, end) {
		r.hit(Name, start, end)
	}
}

// nameEnd is the end of the name that begins with token i; 0 where there is none.
func (r *reading) nameEnd(i int, how nameContext) (end int) {
	for n := i; n < len(r.tokens) && n-i < maxNameWords; n++ {
		t := &r.tokens[n]
		if n > i && !r.continuesName(n, how) {
			return end
		}

		follows := n + 1
		for follows < len(r.tokens) && follows < n+3 && tables().particles[r.tokens[follows].key] {
			follows++
		}

		isInitial := len(t.key) == 1 && t.capital
		if (isInitial || tables().particles[t.key]) && r.isNamePart(follows, how, false) {
			continue
		}

		if !r.isNamePart(n, how, n == i) {
			return end
		}
		end = t.end
	}
	return end
}

// continuesName reports whether token n may continue a name: a comma is allowed only behind a label, and a full stop
// behind a word ends the sentence.
func (r *reading) continuesName(n int, how nameContext) bool {
	gap := r.gap(n)
	switch {
	case len(gap) > 3, strings.HasPrefix(gap, ". ") && len(r.tokens[n-1].key) > 3:
		return false
	case strings.TrimSpace(gap) == ",":
		return how >= nameAfterLabel
	}
	return strings.Trim(gap, " .'-") == ""
}

// isNamePart reports whether a token may be a word of a name. The first one behind a title may be in small letters.
func (r *reading) isNamePart(n int, how nameContext, first bool) bool {
	if n >= len(r.tokens) {
		return false
	}

	t := &r.tokens[n]
	if !t.isWord() || tables().notNames[t.key] || len(t.key) < 2 {
		return false
	}

	unknown := !r.known(t.raw)
	switch {
	case how == nameAfterColon && t.capital:
		return true
	case first && how == nameAfterTitle && t.capital && (!t.allCaps || r.allCapitals):
		// "Smith" is no medicine, whoever gave it to a sign: only a long word is known otherwise than as a name.
		return unknown || len(t.key) <= 8 || !r.known(strings.ToLower(t.raw))
	case !unknown && isTitleCase(t.raw) && how != nameAfterWord && n+1 < len(r.tokens) && r.gap(n+1) == " ":
		next := &r.tokens[n+1]
		return next.isWord() && isTitleCase(next.raw) && !r.known(next.raw)
	case first && !t.capital:
		return unknown && how != nameAfterLabel && len(t.key) > 2 && r.text == strings.ToLower(r.text)
	}
	return t.capital && unknown
}

// isTitleCase reports whether a word has a capital followed by small letters.
func isTitleCase(raw string) bool {
	_, size := utf8.DecodeRuneInString(raw)
	return raw[:size] != strings.ToLower(raw[:size]) && len(raw) > size && raw[size:] == strings.ToLower(raw[size:])
}

// isFullName reports whether token i and the next are two unknown words written like names.
func (r *reading) isFullName(i int) bool {
	for n := i; n < i+2; n++ {
		if n >= len(r.tokens) || !isTitleCase(r.tokens[n].raw) || !r.isNamePart(n, nameAfterLabel, false) {
			return false
		}
	}
	gap := r.gap(i + 1)
	return gap == " " || gap == ", "
}
