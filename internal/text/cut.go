package text

import "strings"

const ellipsis = "…"

// Cut bounds s to n bytes, and shows by an ellipsis, which comes on top, that there was more. It does not cut within a
// character.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return Head(s, n) + ellipsis
}

// Within is Cut with the ellipsis counted in: what it cuts has n bytes at most, and 3 where n is less.
func Within(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return Cut(s, max(0, n-len(ellipsis)))
}

// AtWord is Within at the end of a word, unless that would leave less than half of what fits.
func AtWord(s string, n int) string {
	if len(s) <= n {
		return s
	}

	cut := Head(s, max(0, n-len(ellipsis)))
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return cut + ellipsis
}

// Head is the first n bytes of s, less where a character would be cut.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// Runes is the first n characters of s.
func Runes(s string, n int) string {
	for i := range s {
		if n <= 0 {
			return s[:i]
		}
		n--
	}
	return s
}
