package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// runScan counts the records in an export (`query export --format jsonl`) that hold all the words given in title or
// abstract: the search of a program that has no index, reading every record.
func runScan(args []string, out io.Writer) (err error) {
	if len(args) < 2 {
		return errors.New("scan needs a file of JSON lines, and words")
	}

	f, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()

	found := 0
	for in := json.NewDecoder(bufio.NewReaderSize(f, 1<<20)); ; {
		var record struct{ Title, Abstract string }
		if err := in.Decode(&record); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("reading %s: %w", args[0], err)
		}

		if holdsAll(strings.ToLower(record.Title+" "+record.Abstract), args[1:]) {
			found++
		}
	}
	_, err = fmt.Fprintln(out, found, "found")
	return err
}

func holdsAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, strings.ToLower(w)) })
}
