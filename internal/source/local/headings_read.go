package local

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"dossier/internal/files"
)

// record is a descriptor or a supplementary concept, as far as a search needs it.
type record struct {
	name   string   // NLM's own
	terms  []string // entry terms; the name may be among them
	trees  []string // tree numbers, of a descriptor
	mapped []string // the headings that a supplementary concept is mapped to
	kind   byte     // descriptor or supplementary
}

const (
	descriptor    = 'd'
	supplementary = 's'
)

// Bounds of what one file may hold, for one that is not what it seems.
const (
	maxName     = 2000    // bytes
	maxTerms    = 20_000  // of one record
	maxUnpacked = 8 << 30 // bytes, unpacked
)

// layout is what a file is written in.
type layout int

const (
	noMeSH layout = iota
	descriptorXML
	supplementaryXML
	recordsASCII
	qualifiers // NLM's file of subheadings, which nothing here needs
)

// SplitHeadingFiles parts the files of NLM's headings, known by how they begin, from others. The error names a file
// that can't be opened or unpacked.
func SplitHeadingFiles(paths []string) (headings, others []string, err error) {
	for _, path := range paths {
		is := noMeSH

		err := reading(path, func(r *bufio.Reader) error {
			is = sniff(r)
			return nil
		})
		switch {
		case err != nil:
			return nil, nil, err
		case is == noMeSH:
			others = append(others, path)
		default:
			headings = append(headings, path)
		}
	}
	return headings, others, nil
}

// sniffed is how much of a file is looked at to tell what it is: NLM's begin with a declaration and a document type.
const sniffed = 2048

func sniff(r *bufio.Reader) layout {
	head, _ := r.Peek(sniffed) // a short file has less

	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
	if bytes.HasPrefix(head, []byte("*NEWRECORD")) {
		return recordsASCII
	}

	if !bytes.HasPrefix(head, []byte("<")) {
		return noMeSH
	}

	for root, is := range map[string]layout{
		"<DescriptorRecordSet": descriptorXML, "<SupplementalRecordSet": supplementaryXML, "<QualifierRecordSet": qualifiers,
	} {
		if bytes.Contains(head, []byte(root)) {
			return is
		}
	}
	return noMeSH
}

// reading opens a file, packed with gzip or not, for as long as read runs.
func reading(path string, read func(*bufio.Reader) error) error {
	f, err := files.Open(path)
	if err != nil {
		return fmt.Errorf("read dictionary: %w; check lexicon.files in the configuration", err)
	}
	defer f.Close()
	return unpacking(path, f, read)
}

// unpacking is reading for what the file at path holds.
func unpacking(path string, f io.Reader, read func(*bufio.Reader) error) error {
	unpacked, err := files.Unzipped(f, maxUnpacked)
	if err != nil {
		return fmt.Errorf("%s: %w; the file is damaged, fetch it again", path, err)
	}
	const buffer = 1 << 16
	return read(bufio.NewReaderSize(unpacked, buffer))
}

func recordsOf(path string, add func(record)) func(*bufio.Reader) error {
	return func(r *bufio.Reader) error {
		switch is := sniff(r); is {
		case recordsASCII:
			return readASCII(path, r, add)
		case descriptorXML:
			return readXML(path, r, descriptorPaths, add)
		case supplementaryXML:
			return readXML(path, r, supplementaryPaths, add)
		case qualifiers:
			return fmt.Errorf("%s: these are NLM's subheadings, which nothing needs; take the file out of lexicon.files",
				path)
		}
		return fmt.Errorf("%s: this is none of NLM's files of headings", path)
	}
}

// checked refuses a record that can't be one.
func (r *record) checked(path string, line int) error {
	switch {
	case r.name == "":
		return fmt.Errorf("%s, line %d: a record ends here that has no name; the file is damaged, fetch it again",
			path, line)
	case len(r.name) > maxName || len(r.terms) > maxTerms:
		return fmt.Errorf("%s, line %d: the record %.60q is longer than any of NLM's; fetch the file again",
			path, line, r.name)
	}
	return nil
}

// readASCII reads NLM's records of lines (MH = Melanoma), which begin with *NEWRECORD.
func readASCII(path string, r *bufio.Reader, add func(record)) error {
	var rec record
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	n := 0

	finish := func() error {
		if rec.kind == 0 { // before the first record, or one of subheadings, which has no heading of its own
			return nil
		}

		if err := rec.checked(path, n); err != nil {
			return err
		}
		add(rec)
		return nil
	}
	for lines.Scan() {
		n++

		line := strings.TrimRight(strings.ToValidUTF8(strings.TrimPrefix(lines.Text(), "\ufeff"), "\ufffd"), "\r ")
		if line == "*NEWRECORD" {
			if err := finish(); err != nil {
				return err
			}
			rec = record{}
			continue
		}

		key, value, found := strings.Cut(line, " = ")
		if !found {
			continue
		}

		first, _, _ := strings.Cut(value, "|") // behind it stand the term's origin, date and kind
		switch key {
		case "MH":
			rec.name, rec.kind = value, descriptor
		case "NM":
			rec.name, rec.kind = value, supplementary
		case "ENTRY", "PRINT ENTRY", "SY":
			rec.terms = append(rec.terms, first)
		case "MN":
			rec.trees = append(rec.trees, value)
		case "HM":
			heading, _, _ := strings.Cut(strings.TrimPrefix(first, "*"), "/")
			rec.mapped = append(rec.mapped, strings.TrimPrefix(heading, "*"))
		}
	}

	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s, line %d: %w", path, n+1, err)
	}
	return finish()
}
