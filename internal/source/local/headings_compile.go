package local

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/text"
)

// The table is a text of lines in byte order, each ended by a line feed; the first letter says what a line tells, and
// tabs part the rest:
//
//	!  the table's version, and its files; this line is the first
//	n  a name, folded as texts are searched; how it stands there (see rank); the record's own name
//	r  a record's own name; its kind; its tree numbers, or the headings that it is mapped to, each after a tab
//	t  a tree number; the name of the heading there
const (
	headerLine = "!"
	nameLine   = "n"
	recordLine = "r"
	treeLine   = "t"
)

// tableVersion is the first field of the table's first line. It changes with what a line means.
const tableVersion = "dossier headings 1"

// The ranks of a name, in the order in which a name that two records have is given away.
const (
	rankHeading   = "0" // a heading's own name
	rankEntry     = "1" // an entry term of one
	rankSubstance = "2" // a supplementary concept's own name
	rankSynonym   = "3"
)

// compile reads files and gives their table. A file without any record is an error.
func compile(files []string) ([]byte, error) {
	t := &compiling{}
	for _, file := range files {
		before := len(t.lines)
		if err := reading(file, recordsOf(file, t.add)); err != nil {
			return nil, err
		}

		if len(t.lines) == before {
			return nil, fmt.Errorf("%s: it holds no heading; fetch the file again", file)
		}
	}
	return t.table(), nil
}

// compiling gathers a table's lines.
type compiling struct{ lines []string }

func (t *compiling) add(r record) {
	own, other := rankHeading, rankEntry
	if r.kind == supplementary {
		own, other = rankSubstance, rankSynonym
	}
	t.line(nameLine+key(r.name), own, r.name)

	for _, term := range r.terms {
		if key(term) != key(r.name) && key(term) != "" {
			t.line(nameLine+key(term), other, r.name)
		}
	}
	t.line(append([]string{recordLine + r.name, string(r.kind)}, append(r.trees, r.mapped...)...)...)

	for _, number := range r.trees {
		t.line(treeLine+number, r.name)
	}
}

func (t *compiling) line(fields ...string) {
	for i, f := range fields {
		fields[i] = strings.Map(func(r rune) rune {
			if r == '\t' || r == '\n' || r == '\r' {
				return ' '
			}
			return r
		}, f)
	}
	t.lines = append(t.lines, strings.Join(fields, "\t")+"\n")
}

func (t *compiling) table() []byte {
	slices.Sort(t.lines)
	t.lines = slices.Compact(t.lines)
	var out bytes.Buffer
	out.WriteString(headerLine + tableVersion + "\n")

	for _, l := range t.lines {
		out.WriteString(l)
	}
	return out.Bytes()
}

// key is the form in which names are compared: case, accents and punctuation make no difference.
func key(name string) string { return strings.Join(text.Tokens(name), " ") }
