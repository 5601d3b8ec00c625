package cite

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// columnName is a column's name as it is compared.
func columnName(cell string) string {
	return strings.ToLower(strings.Trim(strings.TrimSpace(cell), `"`))
}

// tableOf detects a table's separator from its first line; ok is false where its columns are not those of references,
// by their own names or by those in columns.
func tableOf(first string, columns map[string]string) (comma rune, ok bool) {
	for _, comma := range []rune{',', '\t', ';'} {
		table := csv.NewReader(strings.NewReader(first))
		table.Comma, table.LazyQuotes = comma, true

		row, err := table.Read()
		if err != nil || len(row) < 2 {
			continue
		}

		var tags []string
		for _, name := range row {
			tags = append(tags, columnTag(name, columns))
		}

		knows := func(tag string) bool { return slices.Contains(tags, tag) }
		if knows("TI") && slices.ContainsFunc([]string{"AU", "FAU", "DO", "PM", "PY", "T2", "AB"}, knows) {
			return comma, true
		}
	}
	return 0, false
}

// columnTag is RIS's tag for a column, from the caller's columns, else from its name.
func columnTag(name string, columns map[string]string) string {
	name = columnName(name)
	for field, column := range columns {
		if columnName(column) == name {
			return tagsAs()[FormatCSV][field]
		}
	}

	tag := tagsAs()[FormatCSV][name]
	for field := range columns {
		if tagsAs()[FormatCSV][field] == tag { // another column was named for it
			return ""
		}
	}
	return tag
}

// ColumnFields are the names that a table's columns can be mapped to.
var ColumnFields = []string{"title", "authors", "year", "month", "journal", "volume", "issue", "pages", "abstract",
	"keywords", "doi", "pmid", "pmcid", "issn", "url", "language", "publication type", "notes", "id", "database",
	"accession number"}

// readTable reads a record a row, of which fill reads one. A row that is none is a problem, and the next one follows.
func readTable(text *bufio.Reader, out *receiver, comma rune, fill func(d *draft, header, row []string)) error {
	in := &countedReader{r: &lineFeeds{r: text}, left: maxJSON}
	table := csv.NewReader(in)
	table.FieldsPerRecord, table.Comma = -1, comma

	var header []string
	for {
		in.left = maxJSON
		row, err := table.Read()

		line := 1
		if len(row) > 0 {
			line, _ = table.FieldPos(0)
		}

		var broken *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case in.err != nil:
			return in.err
		case errors.Is(err, errTooLong):
			return out.problem(line, "", fmt.Sprintf("the row is longer than %d bytes; nothing behind it was read", maxJSON))
		case errors.As(err, &broken):
			if err := out.problem(broken.StartLine, "", "the row can't be read: "+broken.Err.Error()); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}

		if header == nil {
			header = slices.Clone(row)
			continue
		}

		if len(row) != len(header) { // its columns are shifted: a title may be in the place of a DOI
			err = out.problem(line, "", fmt.Sprintf("the row has %d cells and the header %d", len(row), len(header)))
		} else {
			d := newDraft(line)
			fill(d, header, row)
			err = out.record(d)
		}

		if err != nil {
			return err
		}
	}
}

// lineFeeds has the rows of a table end with LF where its first one ends with CR alone, as some programs still write.
type lineFeeds struct {
	r        *bufio.Reader
	detected bool
	only     bool // CR alone ends the rows
}

// Read implements io.Reader.
func (l *lineFeeds) Read(p []byte) (int, error) {
	if !l.detected {
		head, _ := l.r.Peek(sniffBytes)
		at := bytes.IndexAny(head, "\r\n")
		l.detected, l.only = true, at >= 0 && head[at] == '\r' && (at+1 == len(head) || head[at+1] != '\n')
	}

	n, err := l.r.Read(p)
	for i := range p[:n] {
		if l.only && p[i] == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

func readPubMedCSV(text *bufio.Reader, out *receiver) error {
	return readTable(text, out, ',', func(d *draft, header, row []string) {
		at := map[string]int{}
		for i, name := range header {
			at[columnName(name)] = i
		}
		pubmedRow(d, func(column string) string {
			if i, ok := at[column]; ok {
				return row[i]
			}
			return ""
		})
	})
}

// readCSV parses a table whose columns are named as databases and screening tools name them, or by columns.
func readCSV(text *bufio.Reader, out *receiver, comma rune, columns map[string]string) error {
	var tags []string
	return readTable(text, out, comma, func(d *draft, header, row []string) {
		if tags == nil {
			for _, name := range header {
				tags = append(tags, columnTag(name, columns))
			}
		}

		var fields []field
		for i, value := range row {
			if tags[i] != "" && d.fits(value) {
				fields = append(fields, field{tag: tags[i], parts: []string{value}})
			}
		}
		readForeignFields(d, FormatCSV, fields)
	})
}
