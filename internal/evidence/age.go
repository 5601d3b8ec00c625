package evidence

import (
	"time"

	"dossier/internal/text"
)

// Age says a length of time in the words that people use for it.
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

// ClockTolerance is how far two machines' clocks may differ before it is worth a word.
const ClockTolerance = 5 * time.Minute

// Old is an age in a sentence: "3 days old". What is dated ahead of the clock is of no known age.
func Old(age time.Duration) string {
	if age < -ClockTolerance {
		return "dated " + Age(-age) + " ahead of this machine's clock"
	}
	return Age(age) + " old"
}

// TooOld reports whether what has that age may not pass for younger than most: nothing that is dated ahead may.
func TooOld(age, most time.Duration) bool { return age > most || age < -ClockTolerance }
