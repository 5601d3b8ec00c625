package lexicon

import (
	"bytes"
	"fmt"
	"go/format"
	"io/fs"
	"reflect"
	"slices"
	"strings"
)

//go:generate go run -tags lexicongen ./gen data tables_gen.go

// Generate makes tables_gen.go of the dictionary's files in data: the tables as Go source that the linker lays out, so
// that nothing is read, built or allocated when the program starts.
func Generate(data fs.FS) ([]byte, error) {
	l, err := compile(data)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("// Code generated from data by go generate. DO NOT EDIT.\n\n")
	b.WriteString("//go:build !lexicongen\n\npackage lexicon\n")
	writeTable(&b, "builtInEntries", 1, l.entries)
	writeTable(&b, "builtInClaims", 1, l.claims)
	writeTable(&b, "builtInKeys", 1, l.added)
	writeTable(&b, "builtInStems", 1, l.addedStems)
	writeTable(&b, "builtInVocabulary", 1, l.addedVocabulary.words)
	writeTable(&b, "builtInReversed", 20, l.addedVocabulary.reversed)
	writeTable(&b, "builtInCombinations", 1, l.combinations)
	writeTable(&b, "builtInShorthand", 1, l.shorthand)

	source, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format the dictionary's tables: %w", err)
	}
	return source, nil
}

// writeTable writes a variable of an array, perLine elements a line.
func writeTable[T any](b *bytes.Buffer, name string, perLine int, rows []T) {
	fmt.Fprintf(b, "\nvar %s = [...]%s{\n", name, strings.TrimPrefix(reflect.TypeFor[T]().String(), "lexicon."))

	for line := range slices.Chunk(rows, perLine) {
		for _, row := range line {
			writeValue(b, reflect.ValueOf(row))
			b.WriteString(", ")
		}
		b.WriteByte('\n')
	}
	b.WriteString("}\n")
}

// writeValue writes an element in the short form of a composite literal: no types, no fields that are zero.
func writeValue(b *bytes.Buffer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		b.WriteByte('{')

		separator := ""
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				continue
			}
			b.WriteString(separator + v.Type().Field(i).Name + ": ")
			writeValue(b, v.Field(i))
			separator = ", "
		}
		b.WriteByte('}')
	case reflect.Uint8:
		fmt.Fprint(b, v.Uint())
	default:
		fmt.Fprintf(b, "%#v", v)
	}
}
