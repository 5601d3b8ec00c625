package published

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Bounds of what is read. CIViC's and OncoKB's largest files have some 10 MB and 12,000 rows, ClinVar's 4 GB and 9
// million.
const (
	maxFileSize    = 256 << 20
	maxClinVarSize = 16 << 30
	maxLineSize    = 1 << 20
	maxJoined      = 100 // lines that one quoted cell may hold
)

// What is wrong with one row alone.
var (
	errLongLine = errors.New("its line has more than 1 MB")
	errCells    = errors.New("it has not as many cells as the header")
)

// rows takes a file apart. CIViC writes cells as they are, also where they hold quotation marks; tools between write
// them quoted, with tabs and line ends inside. A line with as many cells as the header is a row; only where it has
// fewer or more, quotes are followed.
type rows struct {
	in    *bufio.Reader
	size  int64
	most  int64       // bytes
	line  int         // number of the last line that a row took
	ahead []aheadLine // read to look for the end of a quoted cell
	err   error       // that of the reader: it ends the file, also where another try would succeed
}

// aheadLine is a line that no row has taken yet; its text is empty where it was too long.
type aheadLine struct {
	text string
	long bool
}

// next gives the next row that is not blank, with its line's number. With width 0, for the header, it has as many cells
// as the line has; else a row of another number of cells is an error that is not the reader's: see isFault.
func (r *rows) next(width int) (cells []string, line int, err error) {
	for {
		following, err := r.peek(0)
		if err != nil {
			return nil, r.line, err
		}
		r.take(1)

		line = r.line
		switch {
		case following.long:
			return nil, line, errLongLine
		case strings.TrimSpace(following.text) != "":
			cells, err := r.cells(following.text, width)
			return cells, line, err
		}
	}
}

// cells takes a line apart, and where it is but the beginning of a row, takes the lines that belong to it.
func (r *rows) cells(text string, width int) ([]string, error) {
	if width == 0 {
		text = strings.TrimPrefix(text, "\ufeff") // the byte order mark that some programs begin a file with
	}

	cells := strings.Split(text, "\t")
	if width == 0 || len(cells) == width {
		for i := range cells {
			cells[i] = unquoted(cells[i])
		}
		return cells, nil
	}

	if !strings.Contains(text, `"`) {
		return nil, errCells
	}

	for taken := 0; ; taken++ {
		if cells, ok := splitQuoted(text); ok && len(cells) == width {
			r.take(taken)
			return cells, nil
		}

		following, err := r.peek(taken)
		if taken == maxJoined || err != nil || following.long {
			return nil, errCells // what ends the file comes again with the next row
		}
		text += "\n" + following.text
	}
}

// peek gives the line at a place ahead, without taking it.
func (r *rows) peek(place int) (aheadLine, error) {
	for len(r.ahead) <= place {
		text, err := r.fromFile()
		if err != nil && !errors.Is(err, errLongLine) {
			return aheadLine{}, err
		}
		r.ahead = append(r.ahead, aheadLine{text, err != nil})
	}
	return r.ahead[place], nil
}

func (r *rows) take(lines int) {
	r.line += lines
	r.ahead = r.ahead[lines:]
}

// fromFile reads a line without its end. The last one may have none.
func (r *rows) fromFile() (string, error) {
	var text []byte

	long := false
	for {
		if r.err != nil {
			return "", r.err
		}

		part, err := r.in.ReadSlice('\n')
		if r.size += int64(len(part)); r.size > r.most {
			return "", fmt.Errorf("it holds more than %d bytes, as no such file does", r.most)
		}

		if long = long || len(text)+len(part) > maxLineSize; !long {
			text = append(text, part...)
		}

		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(text) == 0 && !long:
			return "", io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			r.err = err
			return "", err
		case long:
			return "", errLongLine
		}
		return strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r"), nil
	}
}

// unquoted takes a cell's quotes off where they are the cell's: one at each end, and those between doubled.
func unquoted(cell string) string {
	if len(cell) < 2 || cell[0] != '"' || cell[len(cell)-1] != '"' {
		return cell
	}

	inner := cell[1 : len(cell)-1]
	if strings.Contains(strings.ReplaceAll(inner, `""`, ""), `"`) {
		return cell
	}
	return strings.ReplaceAll(inner, `""`, `"`)
}

// splitQuoted takes a row apart whose quoted cells may hold tabs and line ends; false where a quote has no end, or
// something stands behind it.
func splitQuoted(text string) ([]string, bool) {
	var cells []string
	for {
		cell, rest, more := strings.Cut(text, "\t")
		if strings.HasPrefix(text, `"`) {
			end := closingQuote(text)
			if end < 0 || end+1 < len(text) && text[end+1] != '\t' {
				return nil, false
			}
			cell, rest, more = unquoted(text[:end+1]), strings.TrimPrefix(text[end+1:], "\t"), end+1 < len(text)
		} else if strings.Contains(cell, "\n") {
			return nil, false
		}

		cells = append(cells, cell)
		if !more {
			return cells, true
		}
		text = rest
	}
}

// closingQuote is the place of the quote that ends the quoted cell at the text's beginning; -1 where there is none.
func closingQuote(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != '"':
		case i+1 < len(text) && text[i+1] == '"':
			i++
		default:
			return i
		}
	}
	return -1
}
