package published

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Bounds on input. CIViC's and OncoKB's largest files have some 10 MB and 12,000 rows, ClinVar's 4 GB and 9 million.
const (
	maxFileSize    = 256 << 20
	maxClinVarSize = 16 << 30
	maxLineSize    = 1 << 20
	maxJoined      = 100 // lines that one quoted cell may hold
)

// Faults of one row alone.
var (
	errLongLine = errors.New("its line has more than 1 MB")
	errCells    = errors.New("it has not as many cells as the header")
)

// rows splits a file. CIViC writes cells unquoted, even with quotation marks in them; tools in between write them
// quoted, with tabs and line ends inside. A line with as many cells as the header is a row; only otherwise do quotes
// count.
type rows struct {
	in    *bufio.Reader
	size  int64
	most  int64       // bytes
	line  int         // number of the last line that a row took
	ahead []aheadLine // read to look for the end of a quoted cell
	err   error       // the reader's error: it ends the file, even if another try would succeed
}

// aheadLine is a line that no row has taken yet; its text is empty if it was too long.
type aheadLine struct {
	text string
	long bool
}

// next returns the next row that is not blank, with its line's number. With width 0, for the header, it has as many
// cells as the line; otherwise another number of cells is an error of the row (errCells), not of the reader.
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

// cells splits a line; if the line is only the beginning of a row, it takes the row's other lines too.
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
			return nil, errCells // the error that ends the file returns with the next row
		}
		text += "\n" + following.text
	}
}

// peek returns the line at a place ahead, without taking it.
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

// unquoted removes a cell's quotes if they enclose it: one at each end, and those between doubled.
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

// splitQuoted splits a row whose quoted cells may hold tabs and line ends; false if a quote has no end, or text follows
// it.
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

// closingQuote is the place of the quote that ends the quoted cell at the text's beginning; -1 if there is none.
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
