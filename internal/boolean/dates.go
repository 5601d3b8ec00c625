package boolean

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

var (
	dateShape     = text.LazyRegexp(`^(\d{4})(?:[/-](\d{1,2})(?:[/-](\d{1,2}))?)?$`)
	relativeDate  = text.LazyRegexp(`(?i)^(?:the )?(?:last|past) \d+ (?:day|week|month|year)s?$`)
	hyphenedYears = text.LazyRegexp(`^(\d{4}) ?[-–—] ?(\d{4})$`)
	bareRange     = text.LazyRegexp(`^\d{4}(?:/\d{1,2}){0,2}:\d{4}(?:/\d{1,2}){0,2}$`)
)

// PubMed's way to leave an end of a range open is a year out of all reach.
const (
	farPast   = "1000"
	farFuture = "3000"
)

// parseDateTerm reads what stands before a date's tag: one date, or two with a colon between them.
func parseDateTerm(field Field, text string) (DateRange, *complaint) {
	switch years := hyphenedYears().FindStringSubmatch(text); {
	case relativeDate().MatchString(text):
		return DateRange{}, &complaint{quoteForReader(text) + " depends on the day it is asked",
			"write the dates out, such as 2021:3000[dp], or use the topic's year_window"}
	case years != nil:
		return DateRange{}, &complaint{quoteForReader(text) + " is no date",
			fmt.Sprintf("write a range with a colon: %s:%s[%s]", years[1], years[2], field)}
	}

	from, to, isRange := strings.Cut(text, ":")
	if !isRange {
		to = from
	}
	return newDateRange(field, from, to)
}

// newDateRange checks both ends and brings them into one form.
func newDateRange(field Field, from, to string) (DateRange, *complaint) {
	first, problem := parseDate(from)
	if problem != nil {
		return DateRange{}, problem
	}

	last, problem := parseDate(to)
	if problem != nil {
		return DateRange{}, problem
	}

	if first == farPast {
		first = ""
	}

	if last == farFuture {
		last = ""
	}

	out := DateRange{Field: field, From: first, To: last}
	if lo, hi := out.Bounds(); lo > hi {
		return DateRange{}, &complaint{fmt.Sprintf("the range runs backwards, from %s to %s", first, last),
			"write the earlier date first"}
	}
	return out, nil
}

// parseDate reads YYYY, YYYY/MM or YYYY/MM/DD, also with hyphens and without leading zeros.
func parseDate(text string) (string, *complaint) {
	text = strings.TrimSpace(text)
	wrong := &complaint{quoteForReader(text) + " is no date",
		"write YYYY, YYYY/MM or YYYY/MM/DD, such as 2024/03/31[dp] or 2019:2024[dp]"}

	m := dateShape().FindStringSubmatch(text)
	if m == nil || m[1] < farPast || m[1] > farFuture {
		return "", wrong
	}
	month, _ := strconv.Atoi(m[2])
	day, _ := strconv.Atoi(m[3])

	year, _ := strconv.Atoi(m[1])
	switch {
	case m[2] == "":
		return m[1], nil
	case month < 1 || month > 12:
		return "", wrong
	case m[3] == "":
		return fmt.Sprintf("%s/%02d", m[1], month), nil
	case day < 1 || time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Day() != day:
		return "", wrong
	}
	return fmt.Sprintf("%s/%02d/%02d", m[1], month, day), nil
}

// Bounds gives the range as two numbers YYYYMMDD, both included: the first day that From may mean and the last that To
// may mean. An open end is 0 or 99999999.
func (d DateRange) Bounds() (first, last int) {
	first, _ = daysOf(d.From)
	_, last = daysOf(d.To)
	return first, last
}

// DateBounds gives the first and the last day that a date may mean, as numbers YYYYMMDD. The unknown date gives 0, 0.
// A record matches a range where the two overlap: it is better to see one paper too many than to lose one.
func DateBounds(d evidence.Date) (first, last int) {
	if d == "" {
		return 0, 0
	}
	return daysOf(strings.ReplaceAll(string(d), "-", "/"))
}

// daysOf fills a date up, downwards with zeros and upwards with nines: numbers that only need to compare rightly.
func daysOf(date string) (first, last int) {
	digits := strings.ReplaceAll(date, "/", "")
	if len(digits) > 8 {
		return 0, 0
	}
	low, errLow := strconv.Atoi(digits + "00000000"[len(digits):])

	high, errHigh := strconv.Atoi(digits + "99999999"[len(digits):])
	if errLow != nil || errHigh != nil {
		return 0, 0
	}
	return low, high
}

func lastDay(date string) string {
	day := evidence.Date(strings.ReplaceAll(date, "/", "-")).First()
	switch strings.Count(date, "/") {
	case 0:
		day = day.AddDate(1, 0, -1)
	case 1:
		day = day.AddDate(0, 1, -1)
	}
	return day.Format(time.DateOnly)
}
