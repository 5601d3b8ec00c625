package eligibility

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// span is a range of numbers, both ends included.
type span struct{ low, high float64 }

var endless = math.Inf(1)

// compare compares a known range with a demanded one.
func (s span) compare(demanded span) bearing {
	switch {
	case s.high < demanded.low || s.low > demanded.high:
		return refuted
	case s.low >= demanded.low && s.high <= demanded.high:
		return holds
	}
	return undecided
}

// join is the range that spans both.
func (s span) join(o span) span { return span{math.Min(s.low, o.low), math.Max(s.high, o.high)} }

// numberWords are the number words of registries.
var numberWords = map[string]float64{"one": 1, "single": 1, "first": 1, "1st": 1, "two": 2, "second": 2, "2nd": 2,
	"three": 3, "third": 3, "3rd": 3, "four": 4, "five": 5, "six": 6}

func numberOf(s string) (float64, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if n, ok := numberWords[s]; ok {
		return n, true
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", "."), 64)
	return n, err == nil
}

// rangeBySign is the range that a sign gives a number; step is the distance to the next number.
func rangeBySign(sign string, n, step float64) (s span, known bool) {
	sign = strings.ToLower(strings.Join(strings.Fields(sign), " "))
	isOne := func(signs ...string) bool { return slices.Contains(signs, sign) }

	begins := func(with string) bool { return strings.HasPrefix(sign, with) }
	switch {
	case sign == "":
		return span{n, n}, false
	case isOne(">=", "=>", "at least", "equal to or greater than", "equal to or more than"), begins("greater than or"),
		strings.ContainsAny(sign, "≥⩾"), strings.Contains(sign, "minimum"):
		return span{n, endless}, true
	case isOne("<=", "=<", "up to", "at most", "equal to or less than"), begins("less than or"), begins("no "),
		begins("not "), strings.ContainsAny(sign, "≤⩽"), strings.Contains(sign, "maximum"):
		return span{-endless, n}, true
	case isOne(">", "more than", "greater than", "above", "over"):
		return span{n + step, endless}, true
	case isOne("<", "less than", "fewer than", "below", "under"):
		return span{-endless, n - step}, true
	}
	return span{n, n}, true
}

// rangeByWords is the range that words behind a number give it: "or more", "or less".
func rangeByWords(words string, n float64) (s span, known bool) {
	words = strings.ToLower(words)
	for _, up := range []string{"more", "greater", "higher", "above", "over", "older", "up", "worse", "+"} {
		if strings.Contains(words, up) {
			return span{n, endless}, true
		}
	}

	if strings.TrimSpace(words) != "" {
		return span{-endless, n}, true
	}
	return span{n, n}, false
}

// performances reads the ECOG scores that a text bounds.
func performances(s string) (out []span) {
	for _, m := range forms("performance").FindAllStringSubmatch(s, -1) {
		digits := strings.FieldsFunc(m[2], func(r rune) bool { return r < '0' || r > '9' })
		low, _ := numberOf(digits[0])
		high, _ := numberOf(digits[len(digits)-1])

		got := span{low, high}
		if len(digits) == 1 {
			if signed, ok := rangeBySign(m[1], low, 1); ok {
				got = signed
			} else if signed, ok := rangeByWords(m[3], low); ok {
				got = signed
				if strings.Contains(strings.ToLower(m[3]), "higher") {
					got = span{low, endless}
				}
			}
		}
		out = append(out, span{math.Max(got.low, 0), math.Min(got.high, worstECOG)})
	}
	return out
}

const worstECOG = 5

// karnofskys reads the Karnofsky or Lansky scores that a text bounds. A score without a sign is the minimum.
func karnofskys(s string) (out []span) {
	for _, form := range []string{"karnofsky behind", "karnofsky"} {
		for _, m := range forms(form).FindAllStringSubmatch(s, -1) {
			low, _ := numberOf(m[2])
			if high, ok := numberOf(m[3]); ok {
				out = append(out, span{math.Min(low, high), math.Max(low, high)})
				continue
			}

			got, ok := rangeBySign(m[1], low, 1)
			if !ok {
				got = span{low, endless}
			}
			out = append(out, got)
		}

		if len(out) > 0 {
			return out
		}
	}
	return out
}

// karnofskyOf is the range of Karnofsky scores for an ECOG score, and ecogOf the reverse.
func karnofskyOf(ecog span) span {
	const step, top = 20, 100
	return span{top - step*ecog.high - 10, top - step*ecog.low}
}

func ecogOf(karnofsky span) span {
	const step, top = 20, 100
	low := math.Floor((top - math.Min(karnofsky.high, top)) / step)
	high := math.Floor((top - math.Max(karnofsky.low, 0)) / step)
	return span{low, high}
}

// childPughs reads the points of the Child-Pugh classes that a text bounds.
func childPughs(s string) (out []span) {
	for _, m := range forms("child pugh").FindAllStringSubmatch(s, -1) {
		first, ok := childPoints(m[2])
		if !ok {
			continue
		}

		got := first
		if last, ok := childPoints(m[3]); ok {
			got = first.join(last)
		} else if signed, ok := rangeBySign(m[1], first.high, 1); ok {
			got = signed
		}
		out = append(out, span{math.Max(got.low, 5), math.Min(got.high, 15)}) //nolint:mnd // the score's ends
	}
	return out
}

func childPoints(class string) (span, bool) {
	class = strings.NewReplacer(" ", "", "(", "").Replace(class)
	if class == "" {
		return span{}, false
	}

	if n, ok := numberOf(strings.TrimLeft(class, "ABC")); ok {
		return span{n, n}, true
	}
	s, ok := map[byte]span{'A': {5, 6}, 'B': {7, 9}, 'C': {10, 15}}[class[0]]
	return s, ok
}

// ages reads the years that a criterion on age bounds; none if it is on something else.
func ages(s string) (out []span) {
	lead := forms("age").FindString(s)
	rest := s[len(lead):]

	m := forms("an age").FindStringSubmatchIndex(rest)
	if m == nil || m[0] > 0 {
		return nil
	}
	group := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return rest[m[2*i]:m[2*i+1]]
	}
	saysAge := strings.Contains(strings.ToLower(lead), "age") || forms("old behind").MatchString(rest[m[2*2]:])

	low, ok := numberOf(group(2))
	if !ok || !saysAge {
		return nil
	}
	low = years(low, group(3)+group(6))

	got, isSigned := rangeBySign(group(1), low, 0.01)
	if high, ok := numberOf(group(5)); ok {
		upper := years(high, group(6)+group(3))
		if signed, ok := rangeBySign(group(4), upper, 0.01); ok && isSigned {
			got = span{math.Max(got.low, signed.low), math.Min(got.high, signed.high)}
		} else {
			got = span{got.low, upper}
		}

		if got.low > got.high {
			return nil
		}
	} else if !isSigned {
		if got, isSigned = rangeByWords(group(7), low); !isSigned {
			if group(7) == "" && !strings.Contains(lead, "from") && !strings.Contains(strings.ToLower(lead), "at least") {
				return nil
			}
			got = span{low, endless}
		}
	}
	return []span{got}
}

// years turns an age in other units into years.
func years(n float64, unit string) float64 {
	const months, weeks, days = 12, 52, 365
	switch unit = strings.ToLower(unit); {
	case strings.HasPrefix(unit, "m"):
		return n / months
	case strings.HasPrefix(unit, "w"):
		return n / weeks
	case strings.HasPrefix(unit, "d"):
		return n / days
	}
	return n
}

// stages reads the stages that a text names, as numbers: stage III from 3 to 3.9, IIIB from 3.2 to 3.29.
func stages(s string) (out []span) {
	for _, m := range forms("stage").FindAllStringSubmatch(s, -1) {
		var all []span

		number := ""
		for _, one := range forms("one stage").FindAllStringSubmatch(m[1], -1) {
			if one[2] == "" && number == "" {
				continue
			}
			number = cmp.Or(one[2], number)

			got := stageOf(number, one[3]+one[4])
			if signed, ok := rangeBySign(one[1], got.low, 0); ok {
				if got.low = signed.low; got.high < signed.high {
					got.high = signed.high
				}
			}
			all = append(all, got)
		}

		isRange := strings.ContainsAny(m[1], "-–~") || strings.Contains(m[1], "to") || strings.Contains(m[1], "through")
		if isRange && len(all) == 2 { //nolint:mnd // its ends
			all = []span{all[0].join(all[1])}
		}
		out = append(out, all...)
	}
	return out
}

func stageOf(number, letter string) span {
	n, ok := map[string]float64{"0": 0, "I": 1, "II": 2, "III": 3, "IV": 4}[strings.ToUpper(number)]
	if !ok {
		n, _ = numberOf(number)
	}

	if letter == "" {
		return span{n, n + 0.99}
	}
	low := n + float64(strings.ToUpper(letter)[0]-'A'+1)/10
	return span{low, low + 0.09}
}

// treatments reads the bounds on the number of treatments in a text: "at most two prior lines".
func treatments(s string) (out []span) {
	for _, m := range forms("lines").FindAllStringSubmatch(s, -1) {
		if !forms("line words").MatchString(m[0]) {
			continue
		}

		n, ok := numberOf(m[2])
		if !ok {
			continue
		}

		got, known := rangeBySign(m[1], n, 1)
		switch high, isRange := numberOf(m[3]); {
		case isRange:
			got = span{n, high}
		case known:
		case m[4] != "":
			got, _ = rangeByWords(m[4], n)
		default:
			got = span{n, endless} // "one prior line" fits anyone who has had one; more may be fine
		}
		out = append(out, span{math.Max(got.low, 0), got.high})
	}

	if len(out) == 0 {
		if m := forms("at least line").FindStringSubmatch(s); m != nil {
			n, _ := numberOf(m[1])
			out = append(out, span{n, endless})
		}
	}
	return out
}
