package results

import "strings"

// effectIn is the first effect of a sentence with its interval, as written: "HR 0.65; 95% CI, 0.50 to 0.84". Without a
// ratio it is empty.
func effectIn(text string) string {
	return strings.TrimRight(forms("effect").FindString(text), " ,;:([")
}
