package jobs

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"dossier/internal/files"
	"dossier/internal/text"
)

// Bounds of a list: what no list of a meeting comes near.
const (
	maxFile    = 64 << 20 // bytes
	maxRows    = 1000
	maxColumns = 200
	maxCell    = 2000 // bytes
	maxErrors  = 20   // that are told at once
)

// CaseError is what is wrong with a list, and where.
type CaseError struct {
	File   string
	Row    int    // from 1, as a spreadsheet counts; 0: the whole
	Column string // its letter, with its header behind it; empty: the whole row
	Text   string
}

func (e *CaseError) Error() string {
	place := e.File
	if e.Row > 0 {
		place += fmt.Sprintf(", row %d", e.Row)
	}

	if e.Column != "" {
		place += ", column " + e.Column
	}
	return place + ": " + e.Text
}

// table is a sheet as it stands, with what is read of it.
type table struct {
	file   string
	rows   [][]string
	first  int // the row of the header, from 0
	header []string
	notes  []string
}

// letter is a column's name in a spreadsheet, with its header.
func (t *table) letter(column int) string {
	name := ""
	for n := column; n >= 0; n = n/26 - 1 {
		name = string(rune('A'+n%26)) + name
	}

	if column < len(t.header) && t.header[column] != "" {
		name += fmt.Sprintf(" (%s)", text.Line(text.Cut(t.header[column], 40)))
	}
	return name
}

// errorf is a fault at a row, from 0, and a column; column < 0: the whole row.
func (t *table) errorf(row, column int, format string, args ...any) *CaseError {
	e := &CaseError{File: t.file, Row: row + 1, Text: fmt.Sprintf(format, args...)}
	if column >= 0 {
		e.Column = t.letter(column)
	}
	return e
}

// readTable reads a text table or a spreadsheet.
func (r *CaseReader) readTable(name string, data []byte) (t *table, err error) {
	t = &table{file: name}
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		err = t.readSheet(data, cmp.Or(r.Most, unzipped))
	case bytes.HasPrefix(data, []byte{0xd0, 0xcf, 0x11, 0xe0}):
		err = &CaseError{File: name, Text: "is a spreadsheet of the old kind (.xls), or has a password; save it as .xlsx or CSV"}
	default:
		err = t.readText(data, r.Encoding)
	}

	if err != nil {
		return nil, err
	}
	return t, t.check()
}

// readText reads a table of text, whatever parts its cells.
func (t *table) readText(data []byte, encoding string) error {
	in, mended, err := decoded(data, encoding)
	if err != nil {
		return &CaseError{File: t.file, Text: err.Error()}
	}

	content, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("reading %s: %w", t.file, err)
	}

	if mended != nil && mended.As() != "" {
		t.notes = append(t.notes, fmt.Sprintf("%s is no UTF-8, and is read as %s; --encoding names another",
			t.file, mended.As()))
	}
	r := csv.NewReader(bytes.NewReader(content))

	r.Comma, r.FieldsPerRecord, r.Comment = partedBy(content), -1, 0
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}

		if parse, is := errors.AsType[*csv.ParseError](err); is {
			return &CaseError{File: t.file, Row: parse.Line, Text: fmt.Sprintf("is no table: %v; save it again as CSV", parse.Err)}
		}

		if err != nil {
			return fmt.Errorf("reading %s: %w", t.file, err)
		}

		line, _ := r.FieldPos(0)
		for len(t.rows) < line-1 && len(t.rows) <= maxRows { // empty lines, which the reader passes over
			t.rows = append(t.rows, nil)
		}

		if strings.HasPrefix(row[0], "#") && len(t.rows) == line-1 { // MAF's version, comments
			row = nil
		}

		if t.rows = append(t.rows, row); len(t.rows) > maxRows*10 {
			return nil // check says that it is too long
		}
	}
}

func decoded(data []byte, encoding string) (io.Reader, *files.Mended, error) {
	if encoding != "" {
		in, err := files.As(bytes.NewReader(data), encoding)
		return in, nil, err
	}
	return files.Text(bytes.NewReader(data))
}

// partedBy is what parts the cells: of a tab, a semicolon and a comma the one that the first rows have most often.
func partedBy(content []byte) rune {
	head := content[:min(len(content), 4096)]
	return slices.MaxFunc([]rune{',', ';', '\t'}, func(a, b rune) int {
		return cmp.Compare(bytes.Count(head, []byte(string(a))), bytes.Count(head, []byte(string(b))))
	})
}

// check bounds the table, tidies its cells, and refuses what would be computed where it is opened.
func (t *table) check() error {
	var faults []error
	for i, row := range t.rows {
		if len(row) > maxColumns {
			return t.errorf(i, -1, "has %d cells; at most %d are read", len(row), maxColumns)
		}

		for j, cell := range row {
			cell = strings.TrimSpace(text.Visible(strings.ReplaceAll(cell, "\n", "; ")))
			if len(cell) > maxCell {
				faults = append(faults, t.errorf(i, j, "has %d bytes; at most %d are read", len(cell), maxCell))
			}

			if strings.HasPrefix(cell, "=") {
				faults = append(faults, t.errorf(i, j, "is a formula; put what it gives in its place (paste values)"))
			}
			row[j] = cell
		}
	}
	return joined(faults)
}

// joined is all that is wrong, or the first of it and how many more there are.
func joined(faults []error) error {
	if len(faults) > maxErrors {
		more := len(faults) - maxErrors
		faults = append(faults[:maxErrors:maxErrors], fmt.Errorf("and %s more", text.Plural(more, "fault")))
	}
	return errors.Join(faults...)
}

// isEmpty reports whether a row has no cell with anything in it.
func isEmpty(row []string) bool {
	return !slices.ContainsFunc(row, func(cell string) bool { return cell != "" })
}
