package jobs

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"dossier/internal/text"
)

//go:embed columns.tsv
var columnsTable string

// CaseFields are what a column of cases can hold, as --columns names it.
var CaseFields = []string{"case", "tumour", "stage", "alterations", "prior", "question", "board", "date"}

// headers are the fields by the beginnings of headers.
var headers = sync.OnceValue(func() map[string]string {
	fields := map[string]string{}
	for row := range text.Rows(columnsTable) {
		for _, name := range row[1:] {
			fields[name] = row[0]
		}
	}
	return fields
})

// fieldOf is the field that a header names, whole or at its beginning ("Diagnose (Freitext)"); empty for none.
func fieldOf(header string) (field string, whole bool) {
	words := strings.FieldsFunc(text.Fold(header), func(r rune) bool { return !text.IsWordRune(r) })
	for n := len(words); n > 0; n-- {
		if field, ok := headers()[strings.Join(words[:n], " ")]; ok {
			return field, n == len(words)
		}
	}
	return "", false
}

// headerOf finds the row of the header among the first ones: the one in which most cells name a field, two at least.
func headerOf(rows [][]string) int {
	row, known := -1, 0
	for i, cells := range rows[:min(len(rows), 20)] {
		n := 0
		for _, cell := range cells {
			if field, _ := fieldOf(cell); field != "" {
				n++
			}
		}

		if n >= 2 && n > known {
			row, known = i, n
		}
	}
	return row
}

// columns finds which column holds what: as named says, by header or letter, else by the headers.
func (t *table) columns(named map[string]string) (map[string]int, error) {
	if err := t.findHeader(named); err != nil {
		return nil, err
	}

	at := map[string]int{}
	for _, field := range slices.Sorted(maps.Keys(named)) {
		column := slices.IndexFunc(t.header, func(h string) bool { return strings.EqualFold(h, named[field]) })
		if column < 0 {
			column = slices.IndexFunc(t.header, func(h string) bool {
				letter, _, _ := strings.Cut(t.letter(slices.Index(t.header, h)), " ")
				return strings.EqualFold(letter, named[field])
			})
		}

		if column < 0 {
			return nil, &CaseError{File: t.file, Row: t.first + 1,
				Text: fmt.Sprintf("has no column %q, which --columns names for %s", named[field], field)}
		}
		at[field] = column
	}

	guessed := map[string]bool{} // whether by the whole header
	for i, header := range t.header {
		field, whole := fieldOf(header)
		if field == "" || named[field] != "" || slices.Contains(slices.Collect(maps.Values(at)), i) {
			continue
		}

		before, taken := at[field]
		switch {
		case !taken || whole && !guessed[field]:
			at[field], guessed[field] = i, whole
		case whole == guessed[field]:
			return nil, t.errorf(t.first, i, "looks like the %s, as column %s does; say with --columns %s=… which it is",
				field, t.letter(before), field)
		}
	}
	return at, nil
}

// findHeader sets the header: the row that names the columns which were named, or that looks like one.
func (t *table) findHeader(named map[string]string) error {
	t.first = headerOf(t.rows)
	if t.first < 0 && len(named) > 0 {
		t.first = slices.IndexFunc(t.rows, func(row []string) bool { return !isEmpty(row) })
	}

	if t.first < 0 {
		return &CaseError{File: t.file, Text: "has no row that names its columns; write one, such as case, tumour, alterations, " +
			"prior treatment, question, board, date, or say with --columns which is which"}
	}

	t.header = t.rows[t.first]
	if next := t.first + 1; next < len(t.rows) {
		names := 0
		for _, cell := range t.rows[next] {
			if field, whole := fieldOf(cell); field != "" && whole {
				names++
			}
		}

		if names >= 2 {
			return t.errorf(next, -1, "names columns like the row above it; keep one row of headers")
		}
	}
	return nil
}
