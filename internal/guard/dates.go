package guard

import (
	"slices"
	"strconv"
	"strings"
)

// dateForm is a form of a full date in the folded text. isDate checks a match's groups; a two-digit year counts in the
// usual forms of dates, and always behind a word for birth.
type dateForm struct {
	form   string // its name in forms.txt
	isDate func(groups []string, birth bool) bool
}

var dateForms = []dateForm{
	{"day first", isDayFirst}, {"year first", isYearFirst}, {"day and month", isDayMonth}, {"month and day", isMonthDay},
	{"day and roman month", isDayRoman},
	{"day month together", isDayMonth}, {"chinese date", isChinese},
}

// isDayFirst accepts 12.03.1954, 3/12/54 and 12-3-1954; countries differ on which number is the month.
func isDayFirst(g []string, birth bool) bool {
	one, two, year := numberOf(g[1]), numberOf(g[3]), numberOf(g[5])
	written := g[2] == "." && len(g[1]) == 2 && len(g[3]) == 2 || g[2] == "/" && (g[1][0] == '0' || g[3][0] == '0')
	return g[2] == g[4] && (len(g[5]) == 4 || birth || written) && (isDay(one, two, year) || isDay(two, one, year))
}

// isYearFirst accepts 1954-03-12.
func isYearFirst(g []string, _ bool) bool {
	return g[2] == g[4] && isDay(numberOf(g[5]), numberOf(g[3]), numberOf(g[1]))
}

// isDayMonth accepts 12 March 1954, 12 de marzo de 1954 and 12-Mar-54.
func isDayMonth(g []string, birth bool) bool {
	written := len(g[3]) == 4 || birth || strings.Contains(g[0], "-") || !strings.Contains(g[0], " ")
	return written && isDay(numberOf(g[1]), tables().months[g[2]], numberOf(g[3]))
}

// isMonthDay accepts March 12, 1954.
func isMonthDay(g []string, _ bool) bool {
	return isDay(numberOf(g[2]), tables().months[g[1]], numberOf(g[3]))
}

// isDayRoman accepts 12-IX-48 and 7.III.1949.
func isDayRoman(g []string, _ bool) bool {
	return g[2] == g[4] && isDay(numberOf(g[1]), tables().months[g[3]], numberOf(g[5]))
}

// isChinese accepts 1956年4月3日.
func isChinese(g []string, _ bool) bool { return isDay(numberOf(g[3]), numberOf(g[2]), 0) }

// numberOf is the value of a few figures; 0 where there are none.
func numberOf(figures string) int {
	n, _ := strconv.Atoi(figures)
	return n
}

// isDay reports whether figures are a day, a month and a year within a lifetime.
func isDay(day, month, year int) bool {
	return day >= 1 && day <= 31 && month >= 1 && month <= 12 && (year < 100 || year >= 1900 && year <= 2100)
}

// groupsOf are the texts of a match's groups.
func groupsOf(text string, match []int) []string {
	out := make([]string, len(match)/2)
	for i := range out {
		if match[2*i] >= 0 {
			out[i] = text[match[2*i]:match[2*i+1]]
		}
	}
	return out
}

// maxDateBytes bounds the text that is searched for one date.
const maxDateBytes = 40

// birthLength is the length of the date that begins a text behind a word for birth; 0 where there is none.
func birthLength(text string) int {
	text = text[:min(len(text), maxDateBytes)]
	for _, f := range dateForms {
		if m := forms(f.form).FindStringSubmatchIndex(text); m != nil && m[0] == 0 && f.isDate(groupsOf(text, m), true) {
			return m[1]
		}
	}
	return 0
}

// dates finds dates without a word for birth before them. A star before a date, or such a word behind it, makes it a
// date of birth: "14.9.71 (dob)".
func (r *reading) dates() {
	for _, f := range dateForms {
		for _, m := range forms(f.form).FindAllStringSubmatchIndex(r.folded, -1) {
			before := strings.TrimRight(r.folded[:m[0]], " ")

			kind := Date
			if strings.HasSuffix(before, "*") || r.isBeforeBirth(m[1]) {
				kind = Birth
			}

			if !r.isHit(m[0], m[1]) && f.isDate(groupsOf(r.folded, m), kind == Birth) && !strings.HasSuffix(before, "/") {
				r.hit(kind, m[0], m[1])
			}
		}
	}
}

// isBeforeBirth reports whether a word for birth directly follows a place in the text, such as "dob", "née" or "geb.",
// without another date behind it that it would refer to.
func (r *reading) isBeforeBirth(at int) bool {
	rest := strings.TrimLeft(r.folded[at:], " (,[=")
	if word := forms("word for birth").FindString(rest); word != "" {
		return birthLength(strings.TrimLeft(rest[len(word):], " :.=")) == 0
	}

	i := slices.IndexFunc(r.tokens, func(t token) bool { return t.start >= at })
	if i < 0 || r.tokens[i].start != len(r.folded)-len(rest) {
		return false
	}
	l, next, ok := phrase(r, tables().labels, i)
	return ok && l.kind == Birth && birthLength(strings.TrimLeft(r.folded[r.endOf(next-1):], " :.=")) == 0
}
