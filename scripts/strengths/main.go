// Command strengths lists the names in the dictionary that widen a query and never make two questions one, an entry a
// line: what was written with one of them is not answered from a topic that was written with another. Whoever types a
// dictionary reads it, and types as exact what is the same thing in another spelling, notation, language, brand or
// code:
//
//	go run ./scripts/strengths [FILE…]
//
// Files are dictionaries of one's own, as lexicon.files names them.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"dossier/internal/lexicon"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "strengths:", err)
		os.Exit(1)
	}
}

func run(files []string, out io.Writer) error {
	words, err := lexicon.LoadPaths(files...)
	if err != nil {
		return err
	}

	entries, names := 0, 0
	for _, e := range words.Entries() {
		only := e.SearchOnly()
		if len(only) == 0 {
			continue
		}
		entries++

		names += len(only)
		if _, err := fmt.Fprintf(out, "%s\t%s\t%s\n", e.Kind, e.Name, strings.Join(only, "; ")); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "%d names of %d entries widen a query only\n", names, entries)
	return err
}
