// Command dictionary makes the text by which values of evidence.db are compressed, out of what stores hold:
//
//	go run ./scripts/dictionary STORE… > internal/database/dictionary.txt
//	go run ./scripts/dictionary -held-out STORE…
//
// The second makes it of every other record and says what that saves with the rest.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"dossier/internal/evidence"
	"dossier/internal/store"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "dictionary:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("dictionary", flag.ContinueOnError)
	size := flags.Int("size", 32<<10, "how many bytes it has at most")
	least := flags.Int("records", 8, "how many records must share what stands in it")

	heldOut := flags.Bool("held-out", false, "measure instead: make it of every other record, and compress the rest")
	if err := flags.Parse(args); err != nil {
		return err
	}

	var values []string
	for _, folder := range flags.Args() {
		more, err := valuesOf(folder)
		if err != nil {
			return err
		}
		values = append(values, more...)
	}

	if *heldOut {
		return measure(out, values, *size, *least)
	}
	_, err := out.Write(dictionary(values, *size, *least))
	return err
}

// valuesOf gives what a store keeps of each record: its source records, and what it says beside them.
func valuesOf(folder string) (values []string, err error) {
	ctx := context.Background()

	reader, err := store.Folder(folder).Open(ctx)
	if err != nil {
		return nil, err
	}
	defer reader.Close() // only read

	add := func(record evidence.Record) error {
		text, err := json.Marshal(record)
		values = append(values, string(text))
		return err
	}
	for record, err := range reader.Records(ctx) {
		if err != nil {
			return nil, err
		}

		if err := add(evidence.Record{ID: record.ID, Bucket: record.Bucket, BucketSource: record.BucketSource,
			Design: record.Design, Provenance: record.Provenance}); err != nil {
			return nil, err
		}

		for _, origin := range record.Origins {
			source, _, err := reader.SourceRecord(origin.Key())
			for i := range source.Origins {
				source.Origins[i].File = "" // one name, in every record of the file
			}

			if err == nil {
				err = add(source)
			}

			if err != nil {
				return nil, err
			}
		}
	}
	return values, nil
}

// measure says how many bytes the odd values take with a dictionary of the even ones, and without.
func measure(out io.Writer, values []string, size, least int) error {
	var even, odd []string
	for i, value := range values {
		if i/2%2 == 0 { // a record's overlay and its first source record come together
			even = append(even, value)
		} else {
			odd = append(odd, value)
		}
	}

	made := dictionary(even, size, least)
	for _, way := range []struct {
		name    string
		options []zstd.EOption
	}{
		{"without", nil},
		{"with", []zstd.EOption{zstd.WithEncoderDictRaw(1, made)}},
	} {
		encoder, err := zstd.NewWriter(nil, append(way.options, zstd.WithEncoderLevel(zstd.SpeedFastest))...)
		if err != nil {
			return err
		}

		plain, packed := 0, 0
		for _, value := range odd {
			plain += len(value)
			packed += len(encoder.EncodeAll([]byte(value), nil))
		}
		fmt.Fprintf(out, "%d values, %d bytes each, %s it: %d\n", len(odd), plain/len(odd), way.name, packed/len(odd))
	}
	return nil
}
