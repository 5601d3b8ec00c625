package text

import (
	"fmt"
	"strings"
)

// Markdown is one line of s in which nothing is read as Markdown's markup, nor as that of the HTML in it.
func Markdown(s string) string {
	var b strings.Builder
	for _, r := range Line(s) {
		switch {
		case strings.ContainsRune("<>&", r):
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		case strings.ContainsRune("\\`*_{}[]#|~$", r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// MarkdownAddress makes an address safe between the angle brackets of a link, in a table's cell too.
func MarkdownAddress(s string) string {
	return strings.NewReplacer("<", "%3C", ">", "%3E", "\\", "%5C", " ", "%20", "|", "%7C").Replace(Line(s))
}
