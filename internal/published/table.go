package published

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"dossier/internal/text"
)

// column is a column to read, by its present name and its earlier ones.
type column struct {
	name     string
	others   []string
	optional bool
}

// table is a form of file that its header identifies.
type table struct {
	what, from string // what its rows are, and where to get such files
	columns    []column
}

// tables are the forms that are read.
func tables() []*table {
	return []*table{
		&evidenceTable, &assertionTable, &clinvarTable, &associationTable, &actionableTable, &annotatedTable,
	}
}

// openTable reads a file's header and finds its form: the one with no missing column. The error names the columns that
// the nearest form lacks.
func openTable(r io.Reader) (in *rows, form *table, places map[string]int, width int, err error) {
	in = &rows{in: bufio.NewReaderSize(r, 256<<10), most: maxFileSize}

	header, _, err := in.next(0)
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil, nil, 0, errors.New("it is empty; " + whereCurated)
	case err != nil:
		return nil, nil, nil, 0, fmt.Errorf("line 1: %w; %s", err, whereCurated)
	}

	at, err := byName(header)
	if err != nil {
		return nil, nil, nil, 0, err
	}
	var lacking []string

	best := 0
	for _, t := range tables() {
		found, missing := t.find(at)
		if len(missing) == 0 {
			if t == &clinvarTable {
				in.most = maxClinVarSize
			}
			return in, t, found, len(header), nil
		}

		if n := len(found); n > best && n > 2 {
			best, form, lacking = n, t, missing
		}
	}

	if form == nil {
		return nil, nil, nil, 0, fmt.Errorf("line 1: its columns are those of no file that is read (first: %.60q); %s",
			text.Line(header[0]), whereCurated)
	}
	return nil, nil, nil, 0, fmt.Errorf("line 1: these are not %s; missing columns: %s; %s", form.what,
		strings.Join(lacking, ", "), form.from)
}

const whereCurated = "take CIViC's ClinicalEvidenceSummaries.tsv or AssertionSummaries.tsv " +
	"(https://civicdb.org/releases), ClinVar's variant_summary.txt.gz " +
	"(https://ftp.ncbi.nlm.nih.gov/pub/clinvar/tab_delimited/) or OncoKB's tables " +
	"(https://www.oncokb.org/, by its licence)"

// byName finds the columns of a header by their names.
func byName(header []string) (map[string]int, error) {
	at := map[string]int{}
	for i, name := range header {
		name = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "#")
		if _, twice := at[name]; twice && name != "" {
			return nil, fmt.Errorf("line 1: the column %.50q is there twice; get the file again", name)
		}
		at[name] = i
	}
	return at, nil
}

// find returns the places of the columns, and the names of missing ones.
func (t *table) find(at map[string]int) (places map[string]int, missing []string) {
	places = map[string]int{}
	for _, c := range t.columns {
		known := slices.IndexFunc(append([]string{c.name}, c.others...), func(name string) bool {
			i, ok := at[name]
			if ok {
				places[c.name] = i
			}
			return ok
		})
		if known < 0 && !c.optional {
			missing = append(missing, c.name)
		}
	}

	if _, isOlder := t.column("variant"); isOlder { // CIViC's
		_, hasProfile := at["molecular_profile"]

		_, hasVariant := at["variant"]
		switch {
		case hasProfile:
			delete(places, "variant")
		case !hasVariant && !slices.Contains(missing, "molecular_profile"):
			missing = append([]string{"molecular_profile"}, missing...)
		}
	}
	return places, missing
}

func (t *table) column(name string) (column, bool) {
	i := slices.IndexFunc(t.columns, func(c column) bool { return c.name == name })
	if i < 0 {
		return column{}, false
	}
	return t.columns[i], true
}

// cellsOf returns a row's cells by their columns' names; empty if the file has no such column.
func cellsOf(places map[string]int, cells []string) func(string) string {
	return func(column string) string {
		i, ok := places[column]
		if !ok {
			return ""
		}
		return strings.TrimSpace(strings.ToValidUTF8(cells[i], "\ufffd"))
	}
}

// each calls f for the rows behind the header; fault is an error of one row alone. The returned error means that the
// file can't be read, and names the line.
func (r *rows) each(width, most int, f func(cells []string, line int, fault error)) error {
	for n := 0; ; n++ {
		cells, line, err := r.next(width)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, errLongLine) && !errors.Is(err, errCells): // not an error of one row
			return fmt.Errorf("line %d: %w", line+1, err)
		case n == most:
			return fmt.Errorf("it has more than %d rows, as no such file does", most)
		}
		f(cells, line, err)
	}
}
