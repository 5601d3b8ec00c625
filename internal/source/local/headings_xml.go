package local

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// paths say where in a record of NLM's XML that stands which is needed; each path begins below the record.
type paths struct {
	record                     string
	name, terms, trees, mapped []string
	kind                       byte
}

var (
	termPath        = []string{"ConceptList", "Concept", "TermList", "Term", "String"}
	descriptorPaths = paths{
		record: "DescriptorRecord", kind: descriptor, name: []string{"DescriptorName", "String"}, terms: termPath,
		trees: []string{"TreeNumberList", "TreeNumber"},
	}
	supplementaryPaths = paths{
		record: "SupplementalRecord", kind: supplementary, name: []string{"SupplementalRecordName", "String"},
		terms:  termPath,
		mapped: []string{"HeadingMappedToList", "HeadingMappedTo", "DescriptorReferredTo", "DescriptorName", "String"},
	}
)

// recordDepth is where a record stands: below the root.
const recordDepth = 2

// readXML reads a set of records, one at a time. A record holds the names of other records in other places, so each
// text is known by its whole path.
func readXML(path string, r io.Reader, in paths, add func(record)) error {
	d := xml.NewDecoder(r)
	fail := func(err error) error {
		line, _ := d.InputPos()
		return fmt.Errorf("%s, line %d: %w; the file is damaged, fetch it again", path, line, err)
	}
	var open []string

	var rec record
	for {
		token, err := d.RawToken()
		switch {
		case errors.Is(err, io.EOF) && len(open) == 0:
			return nil
		case errors.Is(err, io.EOF):
			return fail(fmt.Errorf("it ends within <%s>", open[len(open)-1]))
		case err != nil:
			return fail(err)
		}

		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
			if len(open) == recordDepth {
				rec = record{kind: in.kind}
			}
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1] != token.Name.Local {
				return fail(fmt.Errorf("</%s> closes what is not open", token.Name.Local))
			}

			if len(open) == recordDepth && token.Name.Local == in.record {
				line, _ := d.InputPos()
				if err := rec.checked(path, line); err != nil {
					return err
				}
				add(rec)
			}
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > recordDepth && open[recordDepth-1] == in.record {
				rec.text(in, open[recordDepth:], token)
			}
		}
	}
}

// text takes a text at a path within a record.
func (r *record) text(in paths, path []string, data []byte) {
	var list *[]string
	switch {
	case slices.Equal(path, in.name):
		r.name += strings.TrimSpace(string(data))
		return
	case slices.Equal(path, in.terms):
		list = &r.terms
	case slices.Equal(path, in.trees):
		list = &r.trees
	case slices.Equal(path, in.mapped):
		list = &r.mapped
	default:
		return
	}

	if text := strings.TrimSpace(string(data)); text != "" {
		*list = append(*list, strings.TrimPrefix(text, "*")) // the asterisk marks what a paper is to be indexed under first
	}
}
