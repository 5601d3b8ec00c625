package results

import (
	"strconv"
	"strings"
)

// effectIn is the first effect of a sentence with its interval, as written: "HR 0.65; 95% CI, 0.50 to 0.84". Without a
// ratio it is empty.
func effectIn(text string) string {
	return strings.TrimRight(forms("effect").FindString(text), " ,;:([")
}

// byHazard is the direction that a hazard ratio with its interval tells: the arm is better where all of it is below 1,
// and no better where 1 is in it. An interval above 1 may be of the other arm against this one, and tells nothing.
func byHazard(text string) Direction {
	m := forms("hazard").FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	low, errLow := number(m[2])
	high, errHigh := number(m[3])
	switch {
	case errLow != nil || errHigh != nil || low > high:
		return ""
	case high < 1:
		return Better
	case low <= 1:
		return Null
	}
	return ""
}

func number(s string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(s, "·", "."), 64)
}
