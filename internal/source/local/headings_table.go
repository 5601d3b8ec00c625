package local

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sort"
	"strings"
)

// Headings is NLM's headings as compile lays them out. It may be used by many goroutines.
type Headings struct {
	text  io.ReaderAt
	size  int64
	close func() error
}

// Close releases the table's file.
func (t *Headings) Close() error { return t.close() }

// FoundHeading is the record that a name leads to.
type FoundHeading struct {
	Name          string   // NLM's own
	Own           bool     // the name that was looked for is that one, and no entry term
	Supplementary bool     // a supplementary concept, which [nm] finds, and no heading
	Trees         []string // a heading's tree numbers
	MappedTo      []string // a supplementary concept's headings
}

// Find gives the record that has name as its own or as an entry term: a heading before a supplementary concept, an own
// name before an entry term, and else the first in byte order.
func (t *Headings) Find(name string) (found FoundHeading, ok bool, err error) {
	for fields, err := range t.lines(nameLine + key(name) + "\t") {
		if err != nil || len(fields) != 3 {
			return FoundHeading{}, false, t.damaged(err)
		}
		found, err = t.record(fields[2])
		found.Own = fields[1] == rankHeading || fields[1] == rankSubstance
		return found, err == nil, err
	}
	return FoundHeading{}, false, nil
}

func (t *Headings) record(name string) (FoundHeading, error) {
	for fields, err := range t.lines(recordLine + name + "\t") {
		if err != nil || len(fields) < 2 {
			return FoundHeading{}, t.damaged(err)
		}

		found := FoundHeading{Name: name, Supplementary: fields[1] == string(supplementary)}
		if found.Supplementary {
			found.MappedTo = fields[2:]
		} else {
			found.Trees = fields[2:]
		}
		return found, nil
	}
	return FoundHeading{}, t.damaged(nil)
}

// Below lists a heading and all that stand below it in the tree, at any of its places, in byte order.
func (t *Headings) Below(heading FoundHeading) ([]string, error) {
	out := []string{heading.Name}
	for _, number := range heading.Trees {
		for fields, err := range t.lines(treeLine + number + ".") {
			if err != nil || len(fields) != 2 {
				return nil, t.damaged(err)
			}
			out = append(out, fields[1])
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func (t *Headings) damaged(err error) error {
	if err == nil {
		err = fmt.Errorf("a line has not the form it should have")
	}
	return fmt.Errorf("reading the table of headings: %w; delete it, and it is made again", err)
}

// lines gives the fields of each line that begins with prefix, in order. The first letter is left on the first field.
func (t *Headings) lines(prefix string) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		var failed error
		start := sort.Search(int(t.size), func(at int) bool {
			line, err := t.after(int64(at)).ReadString('\n')
			if err != nil && err != io.EOF {
				failed = err
			}
			return line >= prefix || line == "" // behind the last line
		})

		if failed != nil {
			yield(nil, failed)
			return
		}

		for r := t.after(int64(start)); ; {
			line, err := r.ReadString('\n')
			if !strings.HasPrefix(line, prefix) {
				return
			}

			if err != nil { // the last line has its line feed, too
				yield(nil, err)
				return
			}

			if !yield(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), nil) {
				return
			}
		}
	}
}

// after reads from the first line that begins at a place or behind it.
func (t *Headings) after(at int64) *bufio.Reader {
	const buffer = 1 << 10 // a search looks at some thirty places
	if at == 0 {
		return bufio.NewReaderSize(io.NewSectionReader(t.text, 0, t.size), buffer)
	}

	r := bufio.NewReaderSize(io.NewSectionReader(t.text, at-1, t.size-at+1), buffer)
	for {
		_, err := r.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) { // at the end there is nothing more to read
			return r
		}
	}
}
