package jobs

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"
)

// unzipped bounds what a spreadsheet unpacks to, in bytes.
const unzipped = 256 << 20

// readSheet reads the first sheet of a spreadsheet that has anything in it. Macros, formulas and merged cells are
// refused: what they hold is not what stands there. No more than most bytes are unpacked.
func (t *table) readSheet(data []byte, most int64) (err error) {
	file, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{UnzipSizeLimit: most})
	if err != nil {
		return &CaseError{File: t.file, Text: fmt.Sprintf("can't be read as a spreadsheet: %v; save it again as .xlsx or CSV", err)}
	}
	defer file.Close() // only read

	if _, hasMacros := file.Pkg.Load("xl/vbaProject.bin"); hasMacros {
		return &CaseError{File: t.file, Text: "holds macros, which are not opened; save it as .xlsx without them"}
	}

	sheets := file.GetSheetList()
	for _, sheet := range sheets {
		if t.rows, err = file.GetRows(sheet); err != nil {
			return &CaseError{File: t.file, Text: fmt.Sprintf("sheet %q can't be read: %v", sheet, err)}
		}

		if len(t.rows) == 0 {
			continue
		}

		if len(t.rows) > maxRows*10 { // of which each cell would be looked at
			return t.errorf(maxRows*10, -1, "is one too many; at most %d are read", maxRows*10)
		}

		if len(sheets) > 1 {
			t.notes = append(t.notes, fmt.Sprintf("%s: the sheet %q of %d is read; save another as a file of its own",
				t.file, sheet, len(sheets)))
		}
		return t.checkSheet(file, sheet)
	}
	return nil
}

// checkSheet refuses cells whose content is not their own.
func (t *table) checkSheet(file *excelize.File, sheet string) error {
	var faults []error

	merged, err := file.GetMergeCells(sheet)
	if err != nil {
		return &CaseError{File: t.file, Text: fmt.Sprintf("sheet %q can't be read: %v", sheet, err)}
	}

	for _, m := range merged {
		from, to := m.GetStartAxis(), m.GetEndAxis()

		_, row, err := excelize.CellNameToCoordinates(from)
		if err != nil {
			return &CaseError{File: t.file, Text: fmt.Sprintf("sheet %q can't be read: %v", sheet, err)}
		}

		if t.isTitle(row - 1) {
			continue // a title over the whole list
		}
		faults = append(faults, &CaseError{File: t.file, Row: row, Column: strings.TrimRight(from, "0123456789"),
			Text: fmt.Sprintf("the cells %s to %s are merged; part them, and write into each what holds for it", from, to)})
	}

	for i, row := range t.rows {
		for j := range row {
			cell, err := excelize.CoordinatesToCellName(j+1, i+1)
			if err != nil {
				return fmt.Errorf("reading %s: %w", t.file, err)
			}

			if formula, err := file.GetCellFormula(sheet, cell); err != nil || formula != "" {
				faults = append(faults, t.errorf(i, j, "is a formula; put what it gives in its place (paste values)"))
			}
		}
	}
	return joined(faults)
}

// isTitle reports whether a row stands above the header, and has one text at most.
func (t *table) isTitle(row int) bool {
	header := headerOf(t.rows)
	return header >= 0 && row < header
}
