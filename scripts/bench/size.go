package main

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
)

// runSize prints the size of every file or folder named, divided by a number of records.
func runSize(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("size", flag.ContinueOnError)

	records := flags.Int("records", 1, "what to divide by")
	if err := flags.Parse(args); err != nil {
		return err
	}

	for _, root := range flags.Args() {
		bytes, err := sizeOf(root)
		if err != nil {
			return err
		}

		if _, err := fmt.Fprintf(out, "%-44s %8.0f bytes a record  (%.1f MB)\n", root, float64(bytes)/float64(*records),
			float64(bytes)/1e6); err != nil {
			return err
		}
	}
	return nil
}

// sizeOf is the size of a file, or of all files in a folder, in bytes.
func sizeOf(root string) (int64, error) {
	var sum int64
	err := filepath.WalkDir(root, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}

		info, err := entry.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}
