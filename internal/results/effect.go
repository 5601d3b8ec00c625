package results

import (
	"slices"
	"strconv"
	"strings"
)

// effectIn is the first effect of a sentence with its interval, as written: "HR 0.65; 95% CI, 0.50 to 0.84". Without a
// ratio it is empty.
func effectIn(text string) string {
	return strings.TrimRight(forms("effect").FindString(text), " ,;:([")
}

// measuredBy is the outcome that the first effect of a sentence is of: the only one that is named before it, else the
// one that stands directly before it, as in "PFS: HR 0.6". It is empty where neither tells, since an effect of another
// outcome is a false result.
func measuredBy(text string) string {
	at := forms("effect").FindStringIndex(text)
	if at == nil {
		return ""
	}
	before := bare(text[:at[0]])
	named := forms("endpoint").FindAllStringIndex(before, -1)
	named = slices.DeleteFunc(named, func(n []int) bool { return forms("of an outcome").MatchString(before[n[0]:]) })
	if len(named) == 0 {
		return ""
	}
	last := named[len(named)-1]
	if len(named) > 1 && !forms("directly before").MatchString(before[last[1]:]) {
		return ""
	}
	return strings.TrimSpace(before[last[0]:last[1]])
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
