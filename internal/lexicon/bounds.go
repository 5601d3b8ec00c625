package lexicon

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// bounds gives a number the sign or the words that bound it: "<2 cm", "older than 65 years", "Gleason 8 or higher",
// "more than three metastases". Without them two questions with opposite answers would be one. It runs after the levels
// of biomarkers, which have their own bounds, are read.
func (r *reader) bounds() {
	for i := range r.spans {
		s := &r.spans[i]

		number := r.numberOf(s)
		if s.gone || number == "" {
			continue
		}

		start := s.start
		if s.bound == "" {
			s.bound = r.boundBefore(i)
		}

		if s.bound == "" && r.isCount(i) {
			s.bound = "≥"
		}

		if decimals := forms("decimals").FindString(r.text[s.end:]); s.bound != "" && s.form != setForm {
			r.take(i, s.end+len(decimals))
			number += decimals
		}

		isAge := forms("age before").MatchString(r.text[s.start:start]) || r.takeAged(i) || s.form != setForm && r.isOfPeople(i)
		if s.bound == "" {
			var unit string
			if s.bound, unit = r.boundBehind(i); s.bound != "" {
				number += unit
			}
		}

		switch {
		case s.form == setForm:
		case isAge:
			s.form, s.value = setForm, "age: "+number+" years"
		case s.bound != "":
			s.form, s.value = setForm, "number: "+number
		}
	}
}

// isCount reports whether a plus behind the number at span i means "or more": "3+ lines". Behind a marker it is a
// score: HER2 2+.
func (r *reader) isCount(i int) bool {
	s := &r.spans[i]
	return s.form != setForm && (i == 0 || !r.spans[i-1].isMarker() && !r.spans[i-1].is(KindSetting)) &&
		forms("plus behind").MatchString(r.text[s.end:])
}

// boundSetting gives a line or a stage the sign that bounds it: "2L+", "≥T3".
func (r *reader) boundSetting(s *span) (string, *Entry) {
	if s.entry.Aspect != "line" && s.entry.Aspect != "stage" {
		return s.entry.Name, s.entry
	}
	sign := r.signBefore(s)

	rest := r.text[s.end:]
	if sign == "" && !isFoundOrNot(s.entry) && strings.HasPrefix(rest, "+") && endsWord(rest, 1) {
		sign = "≥"
	}

	if sign == "≥" {
		if e, ok := r.lexicon.Lookup(KindSetting, s.entry.Name+" or later"); ok {
			return e.Name, e
		}
	}
	return sign + s.entry.Name, s.entry
}

// signBefore returns the sign before s that bounds it: "≥", "≤", ">" or "<"; "" if there is none.
func (r *reader) signBefore(s *span) string {
	before := r.text[max(0, s.start-len("  >= ")):s.start]
	if m := forms("sign before").FindStringSubmatch(before); m != nil {
		return signOf(m[1])
	}
	return ""
}

// takeAged joins "aged" to the age at span i behind it, whose meaning the word does not change.
func (r *reader) takeAged(i int) bool {
	if i == 0 || r.spans[i-1].gone || r.spans[i-1].entry != nil || !ageWords(r.tokens[r.spans[i-1].first].key) {
		return false
	}

	if s := &r.spans[i]; s.form == setForm && !strings.HasPrefix(s.value, "age: ") {
		return false
	}
	return r.takeBack(i, r.spans[i-1].start)
}

// isOfPeople reports whether the bounded number at span i is an age, since people stand before it: "patients over 70".
func (r *reader) isOfPeople(i int) bool {
	s := &r.spans[i]
	before := tokenize(r.text[:s.start])
	n, err := strconv.Atoi(r.tokens[s.past-1].key)
	isAdult := err == nil && n >= ofAge && n < 100
	return s.bound != "" && isAdult && len(before) > 0 && people(before[len(before)-1].key)
}

// numberOf returns the number or the form's value of s; empty if it has none. A number alone, in digits or as a word,
// counts only if it names nothing else.
func (r *reader) numberOf(s *span) string {
	if s.form == setForm {
		return s.value
	}

	if s.entry != nil || s.form != noForm || len(s.variants) > 0 || s.past != s.first+1 {
		return ""
	}

	key := r.tokens[s.first].key
	if n, ok := numberWords()[key]; ok {
		return n
	}

	if strings.Trim(key, "0123456789") == "" {
		return key
	}
	return ""
}

// longestBound is longer, in bytes, than any words that bound a number.
const longestBound = 40

// boundBefore adds to span i the sign or words before it that bound its number, and returns the sign: "≥", "≤", ">" or
// "<"; "" if there are none, or they are part of something else.
func (r *reader) boundBefore(i int) string {
	from := max(0, r.spans[i].start-longestBound)
	before := r.text[from:r.spans[i].start]

	m := forms("bound before").FindStringSubmatchIndex(before)
	if m == nil || forms("arrow from a number").MatchString(before) { // "62->48" has no bound
		return ""
	}

	for sign, start := range boundGroups(m) {
		if start >= 0 && r.takeBack(i, from+m[0]) {
			return boundSigns[sign]
		}
	}
	return ""
}

// boundSigns are the signs of the groups of the bounds' forms, in order.
var boundSigns = []string{"≥", "≤", ">", "<"}

// boundGroups returns the beginnings of a match's groups, -1 for one that did not match.
func boundGroups(m []int) []int {
	var out []int
	for at := 2; at < len(m); at += 2 {
		out = append(out, m[at])
	}
	return out
}

// takeBack joins to span i the text before it from start on. It refuses to cut a span in two, or to take one that is
// part of another already.
func (r *reader) takeBack(i, start int) bool {
	first := i
	for first > 0 && r.spans[first-1].end > start {
		first--
	}

	taken := r.spans[first:i]
	if r.spans[first].start < start || slices.ContainsFunc(taken, func(s span) bool { return s.gone }) {
		return false
	}

	for j := range taken {
		taken[j].gone = true
	}
	r.spans[i].start = start
	return true
}

// boundBehind adds to span i the words behind it that bound its number, with a unit that no other form reads.
func (r *reader) boundBehind(i int) (sign, unit string) {
	rest := r.text[r.spans[i].end:]

	m := forms("bound behind").FindStringSubmatch(rest)
	if m == nil {
		return "", ""
	}

	// Chinese words need no separator
	if last, _ := utf8.DecodeLastRuneInString(m[0]); !isHan(last) && !endsWord(rest, len(m[0])) {
		return "", ""
	}
	r.take(i, r.spans[i].end+len(m[0]))

	if m[2] != "" {
		return "≥", strings.ReplaceAll(m[1], " ", "")
	}
	return "≤", strings.ReplaceAll(m[1], " ", "")
}

// bounded returns the value of an age, a measure or a performance score with the sign that bounds its number.
func bounded(aspect, value, sign string) string {
	if aspect != "performance" || sign == "" {
		return sign + value
	}
	name, number, _ := strings.Cut(value, " ")
	return name + " " + sign + number
}

// signOf returns the sign of a bound as written: ">=" is "≥", "at least" is "≥".
func signOf(written string) string {
	m := forms("bound before").FindStringSubmatchIndex(written)
	if m == nil {
		return ""
	}
	return boundSigns[slices.IndexFunc(boundGroups(m), func(start int) bool { return start >= 0 })]
}
