package guard

import (
	"slices"
	"strings"
)

// streets finds "12 Elm Street", "Lindenweg 7a", "12 rue de la Fontaine" and "calle Mayorazgo 12".
func (r *reading) streets() {
	v := tables()
	for i := range r.tokens {
		t := &r.tokens[i]
		switch {
		case v.streets[t.key] && t.capital:
			r.numberBefore(i)
		case v.streetTypes[t.key] && i > 0:
			r.numberThenType(i)
		case t.key == "c" && (i+1 >= len(r.tokens) || !strings.HasPrefix(r.gap(i+1), "/")): // no "C/ Mayorazgo"
		case v.streetFrom[t.key]:
			r.typeThenNumber(i)
		}

		ends := func(e string) bool {
			return strings.HasSuffix(t.key, e) && (len(t.key) >= len(e)+3 || t.key == "strasse")
		}
		if t.capital && slices.ContainsFunc(v.streetEndings, ends) && !v.notStreets[t.key] && i+1 < len(r.tokens) &&
			r.isHouse(i+1) && strings.Trim(r.gap(i+1), " .,") == "" {
			start := t.start
			if len(t.key) <= len("strasse") && i > 0 && r.tokens[i-1].capital && r.gap(i) == " " {
				start = r.tokens[i-1].start
			}
			r.hit(Address, start, r.tokens[i+1].end)
		}
	}
	r.towns()
}

// isHouse reports whether a token is a house's number.
func (r *reading) isHouse(i int) bool {
	t := &r.tokens[i]
	return t.digits > 0 && t.digits <= 4 && t.letters <= 1
}

// isProper reports whether a token is written like a name: a capital, then small letters.
func (r *reading) isProper(i int) bool {
	t := &r.tokens[i]
	return t.isWord() && t.capital && (!t.allCaps || r.allCapitals) && len(t.key) > 1
}

// numberBefore finds the number in front of a street's name that ends with token i.
func (r *reading) numberBefore(i int) {
	for n := i - 1; n >= 0 && i-n <= 4 && r.gap(n+1) == " "; n-- {
		if r.isHouse(n) && n < i-1 {
			r.hit(Address, r.tokens[n].start, r.tokens[i].end)
			return
		}

		if !r.isProper(n) {
			return
		}
	}
}

// numberThenType finds "12 bis, rue de la Fontaine": token i is the type.
func (r *reading) numberThenType(i int) {
	n := i - 1
	if k := r.tokens[n].key; n > 0 && (k == "bis" || k == "ter") {
		n--
	}

	if !r.isHouse(n) || strings.Trim(r.gap(i), " ,") != "" {
		return
	}

	end, proper := 0, false
	for m := i + 1; m < len(r.tokens) && m-i <= 6 && strings.Trim(r.gap(m), " '-") == ""; m++ {
		if r.isProper(m) && (proper || !r.known(r.tokens[m].raw) || m > i+1) {
			end, proper = r.tokens[m].end, true
		} else if !tables().particles[r.tokens[m].key] {
			break
		}
	}

	if proper {
		r.hit(Address, r.tokens[n].start, end)
	}
}

// typeThenNumber finds "calle Mayorazgo, n.º 12": token i is the type.
func (r *reading) typeThenNumber(i int) {
	proper := false
	for m := i + 1; m < len(r.tokens) && m-i <= 7 && strings.Trim(r.gap(m), " .,/'-") == ""; m++ {
		switch t := &r.tokens[m]; {
		case proper && r.isHouse(m):
			r.hit(Address, r.tokens[i].start, t.end)
			return
		case r.isProper(m) && !r.known(t.raw):
			proper = true
		case !tables().particles[t.key] && t.key != "n" && t.key != "no":
			return
		}
	}
}

// addressAt finds what follows "address:" or "wohnhaft", which begins at start, from token i on: names of streets and
// towns, numbers.
func (r *reading) addressAt(start, i int, sure bool) {
	v, end, figures := tables(), 0, 0
	for n := i; n < len(r.tokens) && n-i < 9; n++ {
		t := &r.tokens[n]
		if n > i && strings.Trim(r.gap(n), " .,'-/") != "" {
			break
		}

		isStreet := v.streets[t.key] || v.streetTypes[t.key] || v.streetFrom[t.key]
		switch {
		case t.digits > 0 && t.digits <= 5 && t.letters <= 2:
			end, figures = t.end, figures+1
		case t.capital && (isStreet || !r.known(t.raw) && r.isProper(n)):
			end = t.end
		case !isStreet && !v.particles[t.key]:
			n = len(r.tokens)
		}
	}

	if sure || figures > 0 {
		r.hit(Address, start, end)
	}
}

// towns finds postcodes with their town, beside a street or where the town is not a word.
func (r *reading) towns() {
	for _, m := range forms("postcode and town").FindAllStringSubmatchIndex(r.folded, -1) {
		i := r.tokenAt(m[4])
		if i >= len(r.tokens) || !r.isProper(i) || strings.HasSuffix(r.folded[m[2]:m[3]], "00") {
			continue
		}

		isBeside := func(h hit) bool {
			return h.kind == Address && h.end <= m[0] && strings.Trim(r.folded[h.end:m[0]], " ,") == ""
		}
		if slices.ContainsFunc(r.hits, isBeside) || !r.known(r.tokens[i].raw) {
			r.hit(Address, m[0], r.tokens[i].end)
		}
	}
}
