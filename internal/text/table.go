package text

import (
	"iter"
	"strings"
)

// Entries gives the entries of a table that people keep in a file of its own: a name and what it has, as in
// "months: january, february", which goes on in indented lines. Lines that begin with # are for its readers.
func Entries(table string) iter.Seq2[string, string] {
	return func(yield func(name, list string) bool) {
		for line := range strings.Lines(strings.ReplaceAll(table, "\n\t", " ")) {
			name, list, isEntry := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			if isEntry && !strings.HasPrefix(line, "#") && !yield(name, list) {
				return
			}
		}
	}
}

// Rows gives the rows of such a table whose cells are parted by tabs; empty lines and those that begin with # are none.
func Rows(table string) iter.Seq[[]string] {
	return func(yield func(cells []string) bool) {
		for line := range strings.Lines(table) {
			line = strings.TrimSuffix(line, "\n")
			if line != "" && !strings.HasPrefix(line, "#") && !yield(strings.Split(line, "\t")) {
				return
			}
		}
	}
}
