package catalogue

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"dossier/internal/text"
)

// Say speaks a language. It is safe for concurrent use; nil speaks English, whose numbers have no separators, as in
// the papers.
type Say struct {
	tag     string
	printer *message.Printer  // nil for English
	plain   map[string]string // messages without a plural
}

// Tag is the language's, as a page names it.
func (s *Say) Tag() string {
	if s == nil {
		return English
	}
	return s.tag
}

// IsEnglish reports whether nothing is translated.
func (s *Say) IsEnglish() bool { return s == nil || s.printer == nil }

// Text says a message with what its verbs stand for. Numbers that count something are given as such; years, layers and
// the like as strings, since nothing parts their digits.
func (s *Say) Text(english string, args ...any) string {
	if len(args) == 0 {
		return s.Word(english)
	}

	if s.IsEnglish() {
		return fmt.Sprintf(english, args...)
	}
	return s.printer.Sprintf(english, args...)
}

// Count says a message on a number of things, which its first verb, a %d, stands for: one of it, or many.
func (s *Say) Count(n int, one, many string, args ...any) string {
	args = append([]any{n}, args...)
	switch {
	case !s.IsEnglish():
		return s.printer.Sprintf(many, args...)
	case n == 1:
		return fmt.Sprintf(one, args...)
	}
	return fmt.Sprintf(many, args...)
}

// Word says a message that has no verbs, such as a value of a closed list. What the catalogue does not hold is given
// back as it is.
func (s *Say) Word(english string) string {
	if s.IsEnglish() {
		return english
	}

	if said, ok := s.plain[english]; ok {
		return said
	}
	return english
}

// Join puts the language's sign for one of ", ", "; ", ": " or " · " between the parts that hold something.
func (s *Say) Join(sign string, parts ...string) string {
	return text.Join(s.Word(sign), parts...)
}

// And is "a, b and c".
func (s *Say) And(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], s.Word(", ")) + s.Word(" and ") + parts[len(parts)-1]
}

// Number writes a whole number.
func (s *Say) Number(n int) string {
	if s.IsEnglish() {
		return strconv.Itoa(n)
	}
	return s.printer.Sprint(number.Decimal(n))
}

// Decimal writes a number with so many digits behind the point, or below 0 with as many as it has.
func (s *Say) Decimal(v float64, digits int) string {
	written := strconv.FormatFloat(v, 'f', digits, 64)
	if s.IsEnglish() {
		return written
	}

	if _, fraction, _ := strings.Cut(written, "."); digits < 0 {
		digits = len(fraction)
	}
	return s.printer.Sprint(number.Decimal(v, number.Scale(digits)))
}

// Date writes a day: "2 January 2006".
func (s *Say) Date(t time.Time) string {
	return s.Text("%s %s %s", s.Word(strconv.Itoa(t.Day())), s.Word(t.Month().String()), strconv.Itoa(t.Year()))
}

// Moment writes a time to the minute: "2 January 2006, 15:04 UTC".
func (s *Say) Moment(t time.Time) string {
	return s.Text("%s, %s UTC", s.Date(t.UTC()), t.UTC().Format("15:04"))
}

// Retell says again what was made of one of the messages, whose verbs are all %s and of which the first that fits is
// taken. A text that is made of none of them is given back as it is.
func (s *Say) Retell(told string, messages ...string) string {
	if s.IsEnglish() {
		return told
	}

	for _, m := range messages {
		if args, ok := argsOf(told, strings.Split(m, "%s")); ok {
			return s.Text(m, args...)
		}
	}
	return told
}

// argsOf are what stands between the fixed parts of a message.
func argsOf(told string, fixed []string) (args []any, ok bool) {
	rest, ok := strings.CutPrefix(told, fixed[0])
	for i, next := range fixed[1:] {
		last := i+2 == len(fixed)

		arg, after, found := strings.Cut(rest, next)
		if last {
			arg, found = strings.CutSuffix(rest, next)
			after = ""
		}

		if !ok || !found || arg == "" {
			return nil, false
		}
		args, rest = append(args, arg), after
	}
	return args, ok && rest == ""
}
