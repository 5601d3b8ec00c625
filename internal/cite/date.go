package cite

import (
	"strings"
	"unicode"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// parseDate parses the dates of exports: "2011", "2011///", "2011/03/05/", "2011-03", "20110305", "2011 Mar 5", "Mar
// 2011", "5 March 2011", "c2011", "2010 Dec-2011 Jan" (the first). Of a date with a numeric month behind the day only
// the year is used, since the month may stand first as well.
func parseDate(s string) evidence.Date {
	words := strings.FieldsFunc(text.Cut(s, 100), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("/-–.,;:()[]", r)
	})
	for i, w := range words {
		if m := compactDate().FindStringSubmatch(w); m != nil {
			return evidence.NewDate(evidence.DateNumber(m[1]), evidence.DateNumber(m[2]), evidence.DateNumber(m[3]))
		}

		if year := yearOf(w); year > 0 {
			if i == 0 {
				month, day := monthAndDay(words[1:])
				return evidence.NewDate(year, month, day)
			}

			month, day := 0, 0
			for _, before := range words[:i] { // "5 March", "March 5"
				if m := evidence.NamedMonth(before); m > 0 {
					month = m
				} else if n := dayOf(before); n > 0 {
					day = n
				}
			}
			return evidence.NewDate(year, month, day)
		}
	}
	return ""
}

// fullerDate is a, or b where it is a more precise form of a: "2011" and "2011-03". A b without a year is taken as of
// a's.
func fullerDate(a, b string) evidence.Date {
	first, second := parseDate(a), parseDate(b)
	if first != "" && second == "" && b != "" {
		second = parseDate(string(first) + " " + b)
	}

	if first == "" || strings.HasPrefix(string(second), string(first)) {
		return second
	}
	return first
}

var compactDate = text.LazyRegexp(`^((?:1[5-9]|20)\d\d)(\d\d)(\d\d)$`)

// yearOf reads "2011", "c2011", "©2011" and "2011a"; 0 is no year.
func yearOf(w string) int {
	w = strings.TrimLeft(w, "c©")
	if len(w) == 5 && w[4] >= 'a' && w[4] <= 'f' {
		w = w[:4]
	}

	if year := evidence.DateNumber(w); len(w) == 4 && year >= 1000 {
		return year
	}
	return 0
}

func monthAndDay(words []string) (month, day int) {
	if len(words) == 0 {
		return 0, 0
	}

	if month = evidence.DateNumber(words[0]); month == 0 {
		month = evidence.NamedMonth(words[0])
	}

	if len(words) > 1 {
		day = dayOf(words[1])
	}
	return month, day
}

func dayOf(s string) int {
	for _, ending := range []string{"st", "nd", "rd", "th"} {
		s = strings.TrimSuffix(s, ending)
	}

	if n := evidence.DateNumber(s); n <= 31 {
		return n
	}
	return 0
}
