package privacy

import (
	"strconv"
	"strings"

	"dossier/internal/lazy"
)

// Dates with their day, in the folded text; a year of two figures counts where it is written as dates are.
var (
	dateForm = lazy.Regexp(`\b(?:(\d{1,2})([./-]) ?(\d{1,2})([./-]) ?(\d{4}|\d{2})|((?:19|20)\d{2})([./-])(\d{1,2})([./-])(\d{1,2}))\b`)
	wordForm = lazy.Regexp(`\b(\d{1,2})(?:st|nd|rd|th|er|o|\.)?[ -]?(?:of |de |del )?([a-z]{3,10})\.?,?[ -](?:of |de |del )?(\d{4}|\d{2})\b`)
	usForm   = lazy.Regexp(`\b([a-z]{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b`)
)

// dateLength is the length of the date that a text begins with; 0 where it begins with none. Behind a word for birth a
// year may have two figures however it is written.
func dateLength(text string, birth bool) int {
	for _, form := range []lazy.Pattern{dateForm, wordForm, usForm} {
		if m := form().FindStringSubmatchIndex(text[:min(len(text), longestDate)]); m != nil && m[0] == 0 && isDate(text, m, form, birth) {
			return m[1]
		}
	}
	return 0
}

// longestDate bounds, in bytes, what is looked at for one date.
const longestDate = 40

// dates finds dates that no word for birth stands before; a star is one.
func (r *reading) dates() {
	for _, form := range []lazy.Pattern{dateForm, wordForm, usForm} {
		for _, m := range form().FindAllStringSubmatchIndex(r.folded, -1) {
			if r.isHit(m[0], m[1]) || !isDate(r.folded, m, form, false) || strings.HasSuffix(r.folded[:m[0]], "/") {
				continue
			}
			kind := Date
			if strings.HasSuffix(strings.TrimRight(r.folded[:m[0]], " "), "*") {
				kind = Birth
			}
			r.hit(kind, m[0], m[1])
		}
	}
}

// isDate says that a match of one of the forms is a day of a year of our time.
func isDate(text string, m []int, form lazy.Pattern, birth bool) bool {
	group := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return text[m[2*i]:m[2*i+1]]
	}
	number := func(i int) int { n, _ := strconv.Atoi(group(i)); return n }
	var day, month, year int
	short := false
	switch len(m) / 2 {
	case 11: // figures alone
		if group(6) != "" {
			day, month, year = number(10), number(8), number(6)
			return group(7) == group(9) && isDay(day, month, year)
		}
		day, month, year = number(1), number(3), number(5)
		short = len(group(5)) == 2
		padded := group(2) == "." && len(group(1)) == 2 && len(group(3)) == 2 ||
			group(2) == "/" && (strings.HasPrefix(group(1), "0") || strings.HasPrefix(group(3), "0"))
		if group(2) != group(4) || short && !birth && !padded {
			return false
		}
		return isDay(day, month, year) || isDay(month, day, year)
	default:
		day, month, year = number(1), tables().months[group(2)], number(3)
		short = len(group(3)) == 2
		if m := tables().months[group(1)]; m > 0 { // March 12, 1954
			day, month = number(2), m
		}
	}
	return isDay(day, month, year) && (!short || birth || strings.Contains(text[m[0]:m[1]], "-"))
}

// isDay says that figures are a day, a month and a year of people who live.
func isDay(day, month, year int) bool {
	return day >= 1 && day <= 31 && month >= 1 && month <= 12 && (year < 100 || year >= 1900 && year <= 2100)
}
