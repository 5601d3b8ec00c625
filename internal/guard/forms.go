package guard

import (
	_ "embed"
	"strings"
	"unicode/utf8"

	"dossier/internal/text"
)

//go:embed forms.txt
var formTable string

// forms returns an expression of formTable by its name.
var forms = text.Forms(formTable)

// references look like record numbers, but are not.
var references = []string{"web address or doi", "registry or database", "accession", "place in a genome",
	"compound", "round number"}

// messages finds personal fields of hospital systems' messages, and such systems' addresses. It runs first, since their
// content also matches other forms.
func (r *reading) messages() {
	for _, f := range []struct {
		kind Kind
		form string
	}{{Record, "hl7"}, {Name, "fhir name"}, {Record, "fhir value"}, {Name, "element of a person"}} {
		for _, m := range forms(f.form).FindAllStringIndex(r.folded, -1) {
			r.hit(f.kind, m[0], m[1])
		}
	}

	for _, m := range forms("address of the web").FindAllStringIndex(r.folded, -1) {
		if !forms("known address").MatchString(r.folded[m[0]:m[1]]) {
			r.hit(WebPath, m[0], m[1])
		}
	}
}

// forms finds what its form alone identifies.
func (r *reading) forms() {
	for _, f := range []struct {
		kind Kind
		form string
		is   func(string) bool
	}{
		{Email, "email", nil}, {Insurance, "us social security", nil}, {Insurance, "nhs", isNHS}, {Insurance, "nir", nil},
		{Insurance, "codice fiscale", nil}, {Insurance, "cpf", nil}, {Insurance, "dni", isDNI},
		{Record, "laboratory number", nil},
		{Phone, "international phone", nil},
	} {
		for _, m := range forms(f.form).FindAllStringIndex(r.folded, -1) {
			if !r.isHit(m[0], m[1]) && (f.is == nil || f.is(r.folded[m[0]:m[1]])) {
				r.hit(f.kind, m[0], m[1])
			}
		}
	}
	r.dates()
	r.chineseNames()
	r.initials()

	masked := r.masked()
	for _, m := range forms("kvnr").FindAllStringIndex(masked, -1) {
		if !r.isHit(m[0], m[1]) {
			r.hit(Insurance, m[0], m[1])
		}
	}

	for _, m := range forms("phone").FindAllStringIndex(masked, -1) {
		if digitsIn(masked[m[0]:m[1]]) >= 8 && !r.isHit(m[0], m[1]) && !r.isQuantity(m[1]) {
			r.hit(Phone, m[0], m[1])
		}
	}
	r.ages()
	r.serials(masked)
}

// masked is the folded text with paper numbers and amounts made unreadable, without moving any byte.
func (r *reading) masked() string {
	out := []byte(r.folded)
	for _, name := range references {
		for _, m := range forms(name).FindAllIndex(out, -1) {
			for i := m[0]; i < m[1]; i++ {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// minBare is the number of figures from which a number alone identifies a person.
const minBare = 7

// serials finds long numbers, and numbers of six figures behind a word: "DOE-987654".
func (r *reading) serials(masked string) {
	for _, m := range forms("serial").FindAllStringSubmatchIndex(masked, -1) {
		start, end := m[0], m[1]
		text := masked[start:end]

		fewest := minBare
		if strings.HasSuffix(masked[:start], "#") {
			fewest--
		}

		if r.isHit(start, end) || r.isQuantity(end) || m[2] < 0 && digitsIn(text) < fewest ||
			strings.ContainsAny(masked[max(start-1, 0):start], ".,:^") {
			continue
		}

		if i := r.tokenAt(start); m[2] < 0 && i > 0 && i < len(r.tokens) && r.gap(i) == " " {
			t := &r.tokens[i-1]
			if t.isWord() && t.capital && len(t.key) > 2 && !r.known(t.raw) { // written as a name is, and no word
				start = t.start
			}
		}
		r.hit(Record, start, end)
	}
}

// isQuantity reports whether the text behind a place makes the number before it an amount.
func (r *reading) isQuantity(end int) bool { return forms("amount").MatchString(r.folded[end:]) }

// ages finds "94-year-old", "94 ans" and the like, unless "over" or a range makes it a bound.
func (r *reading) ages() {
	v := tables()
	for i := range r.tokens {
		t := &r.tokens[i]

		figures, unit := t.key, ""
		if t.letters > 0 {
			at := strings.IndexFunc(t.key, func(c rune) bool { return c < '0' || c > '9' })
			figures, unit = t.key[:at], t.key[at:]
		}

		if !isOld(figures) || r.isHit(t.start, t.end) {
			continue
		}

		end, behind := t.end, i+1
		if unit == "" {
			_, next, ok := phrase(r, v.years, i+1)
			if !ok || strings.Trim(r.gap(i+1), " -") != "" {
				continue
			}
			end, behind = r.tokens[next-1].end, next
		} else if !v.years[unit] && unit != "f" && (unit != "m" || figures == "99" || figures == "100") || unit == "j" {
			continue // "92F" is a woman's age; technetium-99m and 100 million are no ages
		}

		if _, _, andOlder := phrase(r, v.andOlder, behind); !andOlder && !r.isBound(i) {
			r.hit(Age, t.start, end)
		}
	}

	for _, m := range forms("old age in words").FindAllStringIndex(r.folded, -1) {
		if i := r.tokenAt(m[0]); m[0] < len(r.folded) && i < len(r.tokens) && !r.isBound(i) {
			r.hit(Age, m[0], m[1])
		}
	}
}

// isBound reports whether a number is the bound of a range of ages: "over 90", "75-95", "≥90".
func (r *reading) isBound(i int) bool {
	before := strings.TrimRight(r.gap(i), " ")
	if last, _ := utf8.DecodeLastRuneInString(before); strings.ContainsRune("-><=≥≤~", last) {
		return true
	}

	if i > 0 && strings.TrimSpace(r.gap(i)) != "" {
		return false
	}

	if i > 1 && tables().between[r.tokens[i-1].key] && r.tokens[i-2].letters == 0 {
		return true
	}

	for from := max(i-3, 0); from < i; from++ {
		if _, next, ok := phrase(r, tables().older, from); ok && next == i {
			return true
		}
	}
	return false
}

// isNHS checks the check digit of an NHS number, modulo 11.
func isNHS(text string) bool {
	figures := strings.ReplaceAll(text, " ", "")

	sum := 0
	for i := range 9 {
		sum += int(figures[i]-'0') * (10 - i)
	}
	return (11-sum%11)%11 == int(figures[9]-'0')
}

// isDNI checks the letter of a Spanish identity card's or a foreigner's number.
func isDNI(text string) bool {
	text = strings.ReplaceAll(text, "-", "")

	n := 0
	for _, c := range text[:len(text)-1] {
		if '0' <= c && c <= '9' {
			n = 10*n + int(c-'0')
		} else {
			n = int(c - 'x')
		}
	}
	return "trwagmyfpdxbnjzsqvhlcke"[n%23] == text[len(text)-1]
}
