package text

import "strings"

// HasPrefix reports whether one of the lines of a text, which are as HasLine has them, begins with beginning.
func HasPrefix(sorted, beginning string) bool {
	low, high := 0, len(sorted)
	for low < high {
		middle := (low + high) / 2
		start := strings.LastIndexByte(sorted[low:middle], '\n') + 1 + low

		found, _, _ := strings.Cut(sorted[start:high], "\n")
		switch {
		case strings.HasPrefix(found, beginning):
			return true
		case found < beginning:
			low = start + len(found) + 1
		default:
			high = start
		}
	}
	return false
}

// HasLine reports whether one of the lines of a text is exactly line. The lines are sorted by their bytes, and each has
// its end. Nothing is read into memory for it: a list that lies in the program is searched as it lies there.
func HasLine(sorted, line string) bool {
	low, high := 0, len(sorted)
	for low < high {
		middle := (low + high) / 2
		start := strings.LastIndexByte(sorted[low:middle], '\n') + 1 + low

		found, _, _ := strings.Cut(sorted[start:high], "\n")
		switch {
		case found == line:
			return true
		case found < line:
			low = start + len(found) + 1
		default:
			high = start
		}
	}
	return false
}
