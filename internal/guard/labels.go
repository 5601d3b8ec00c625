package guard

import (
	"slices"
	"strings"
)

// labels finds what follows "MRN", "geboren am", "Nom du patient :" and the like.
func (r *reading) labels() {
	v := tables()
	for i := range r.tokens {
		if l, next, ok := phrase(r, v.labels, i); ok && !r.isHit(r.tokens[i].start, r.tokens[i].end) {
			r.labelled(l, i, next)
		}
		r.attached(i)

		if _, next, ok := phrase(r, v.postcodes, i); ok {
			at, _ := r.value(next, v.numbers)
			if m := forms("postcode").FindString(r.folded[at:]); m != "" {
				r.hit(Address, r.tokens[i].start, at+len(m))
			}
		}

		if _, next, ok := phrase(r, v.ages, i); ok {
			r.aged(i, next)
		}
	}

	for i, kind := range []Kind{Name, Record, Insurance, Address} {
		for _, m := range forms("chinese labels").FindAllStringSubmatchIndex(r.folded, -1) {
			if m[2*i+2] >= 0 {
				r.hit(kind, m[2*i+2], m[2*i+3])
			}
		}
	}
}

// minAttached is the least number of figures in a number attached to its label: a development code has fewer.
const minAttached = 5

// attached finds "MRN12345": a label and its number in one token.
func (r *reading) attached(i int) {
	t := &r.tokens[i]

	at := strings.IndexAny(t.key, "0123456789")
	if at <= 0 || t.digits < minAttached {
		return
	}

	if l, ok := tables().labels[t.key[:at]]; ok && !l.weak && (l.kind == Record || l.kind == Insurance) {
		r.hit(l.kind, t.start, t.end)
	}
}

// value is where the labelled content begins, behind signs and words of skipped; sure reports whether there were a
// colon or such a word.
func (r *reading) value(next int, skipped map[string]bool) (at int, sure bool) {
	for n := next; ; n++ {
		before := r.folded[r.endOf(n-1):r.startOf(n)]
		if strings.Trim(before, " .:=#()+°*-'\"") != "" || len(before) > 6 {
			return r.endOf(n - 1), false
		}

		sure = sure || strings.ContainsAny(before, ":=#°")
		if n >= len(r.tokens) || !skipped[r.tokens[n].key] || n-next > 2 {
			at = r.startOf(n)
			if strings.HasSuffix(before, "(") {
				at-- // a telephone number's
			}
			return at, sure
		}

		switch r.tokens[n].key {
		case "number", "no", "nr", "n", "num", "numero", "nummer", "id":
			sure = true
		}
	}
}

func (r *reading) startOf(n int) int {
	if n >= len(r.tokens) {
		return len(r.folded)
	}
	return r.tokens[n].start
}

func (r *reading) endOf(n int) int {
	if n < 0 {
		return 0
	}
	return r.tokens[n].end
}

// The least number of figures behind an unambiguous label, and behind an ambiguous one.
const (
	minFigures     = 3
	minFiguresWeak = 5
)

// labelled finds a label's content directly behind it. The label is included: tokens i to next.
func (r *reading) labelled(l label, i, next int) {
	start := r.tokens[i].start

	skipped := tables().numbers
	if l.kind == Name || l.kind == Address {
		skipped = tables().copulas
	}
	at, sure := r.value(next, skipped)

	rest := r.folded[at:]
	switch l.kind {
	case Record, Insurance:
		form, fewest := forms("record number"), minFigures
		if l.kind == Insurance {
			form, fewest = forms("insurance number"), 6
		}

		if l.weak && !sure {
			fewest = minFiguresWeak
		}

		m, isDate := form.FindString(rest), l.weak && birthLength(rest) > 0
		if digitsIn(m) >= fewest && !r.isQuantity(at+len(m)) && !isDate {
			r.hit(l.kind, start, at+len(m))
			return
		}

		if l.weak {
			r.weakName(start, next, sure)
		}
	case Birth:
		if n := birthLength(rest); n > 0 {
			r.hit(Birth, start, at+n)
		}
	case Phone:
		at = len(strings.TrimRight(r.folded[:at], "+(")) // these signs belong to the number, and to no token
		if m := forms("number of a phone").FindString(r.folded[at:]); digitsIn(m) >= 6 {
			r.hit(Phone, start, at+len(m))
		}
	case Name:
		if l.weak {
			r.weakName(start, next, sure)
			return
		}

		how := nameAfterLabel
		if strings.HasPrefix(strings.TrimLeft(r.folded[r.endOf(next-1):], " "), ":") {
			how = nameAfterColon
		}

		r.hit(Name, start, r.nameEnd(r.tokenAt(at), how))
	case Address:
		r.addressAt(start, r.tokenAt(at), sure)
	}
}

// weakName finds a name behind "patient" and the like: behind a colon any unknown word, else two such words.
func (r *reading) weakName(start, next int, sure bool) {
	at, _ := r.value(next, tables().copulas)
	if i := r.tokenAt(at); sure || r.isFullName(i) && r.gap(i) == " " {
		r.nameAt(start, i)
	}
}

// tokenAt is the first token at or behind a place.
func (r *reading) tokenAt(at int) int {
	i, _ := slices.BinarySearchFunc(r.tokens, at, func(t token, at int) int { return t.start - at })
	return i
}

func digitsIn(s string) int {
	n := 0
	for i := range len(s) {
		if '0' <= s[i] && s[i] <= '9' {
			n++
		}
	}
	return n
}

// The ages, in years, that so few people reach that they identify a person.
const (
	oldAge    = 90
	oldestAge = 120
)

// aged finds an age over 89 behind "aged" and the like: tokens i to next.
func (r *reading) aged(i, next int) {
	at, _ := r.value(next, tables().numbers)

	m := forms("age").FindStringSubmatch(r.folded[at:])
	if m == nil || !isOld(m[1]) {
		return
	}
	end := at + len(m[1])

	rest := strings.TrimLeft(r.folded[end:], " ")
	if strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, "+") ||
		forms("goes on as a range").MatchString(r.folded[end:]) || r.isQuantity(end) {
		return
	}

	behind := r.tokenAt(end)
	if _, after, ok := phrase(r, tables().years, behind); ok {
		end, behind = r.tokens[after-1].end, after
	}

	if _, _, bound := phrase(r, tables().andOlder, behind); !bound {
		r.hit(Age, r.tokens[i].start, end)
	}
}

func isOld(figures string) bool {
	n := numberOf(figures)
	return len(figures) <= 3 && n >= oldAge && n <= oldestAge
}
