package evidence

import (
	"time"

	"dossier/internal/text"
)

// Age formats a length of time in everyday words.
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < time.Hour:
		return text.Plural(int(d/time.Minute), "minute")
	case d < 48*time.Hour:
		return text.Plural(int(d/time.Hour), "hour")
	}
	return text.Plural(int(d/(24*time.Hour)), "day")
}

// ClockTolerance is how far two machines' clocks may differ without a remark.
const ClockTolerance = 5 * time.Minute

// Old is an age in a sentence: "3 days old". For a date ahead of the clock the age is unknown.
func Old(age time.Duration) string {
	if age < -ClockTolerance {
		return "dated " + Age(-age) + " ahead of this machine's clock"
	}
	return Age(age) + " old"
}

// TooOld reports whether data of that age may not pass as younger than most; neither may data dated ahead.
func TooOld(age, most time.Duration) bool { return age > most || age < -ClockTolerance }
