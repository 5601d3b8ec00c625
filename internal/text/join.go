package text

import (
	"slices"
	"strings"
)

// Join joins those of the parts that are not empty.
func Join(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(parts), func(p string) bool { return p == "" }), sep)
}

// Lines makes one plain line (Line) of each line of a text, and puts sep between them. The spaces that a line begins
// with stay: they point at something in the line above.
func Lines(s, sep string) string {
	return strings.Join(Each(strings.Split(s, "\n"), func(line string) string {
		return line[:len(line)-len(strings.TrimLeft(line, " "))] + Line(line)
	}), sep)
}

// Each converts a list, to words mostly; the result is never nil, so that JSON has no null for it.
func Each[A, B any](items []A, convert func(A) B) []B {
	out := make([]B, len(items))
	for i, item := range items {
		out[i] = convert(item)
	}
	return out
}
