package cite

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/files"
)

// Item is what Read found at one place of a file: a record, the PMID of one that is not there, or why there is none.
// Exactly one of Record, PMID and Problem is set.
type Item struct {
	// with one Origin: "import:FILE", and the id that the file gives the record or its place there ("#12")
	Record  *evidence.Record
	PMID    string // in a list of PMIDs: PubMed has the record
	Problem *evidence.Problem
	Line    int      // where in the file it begins, from 1
	Notes   []string // what was doubtful about Record: an identifier in the wrong field, a missing end, a cut line
}

// Read parses the references in r, which name names, and emits them one by one, in order. The content decides the
// format, not the name. It holds one record at a time.
//
// The error is emit's own, the reader's, or a *FormatError where r is in no format that Read knows. A damaged or empty
// record is no error: it is an Item with a Problem, and reading continues behind it; only invalid JSON ends the
// reading, with a Problem.
func Read(r io.Reader, name string, emit func(Item) error) error {
	return Options{}.Read(r, name, emit)
}

// Options are facts that a file does not contain.
type Options struct {
	Columns map[string]string // a table's columns by the fields that they hold, of ColumnFields
}

// Read is the package's Read with options.
func (o Options) Read(r io.Reader, name string, emit func(Item) error) error {
	raw := bufio.NewReader(r)
	if seen := binaryKind(raw); seen != "" {
		return &FormatError{File: baseName(name), Seen: seen}
	}

	decoded, mended, err := files.Text(raw)
	if err != nil {
		return fmt.Errorf("reading %s: %w", baseName(name), err)
	}
	text := bufio.NewReaderSize(decoded, sniffBytes)
	out := &receiver{source: evidence.SourceImport + ":" + baseName(name), emit: emit, mended: mended,
		next: map[uint64]uint32{}}

	head, err := text.Peek(sniffBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading %s: %w", baseName(name), err)
	}
	start := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(head))
	format, seen := sniff(start)

	comma := rune(0)
	if format == "" {
		first, _, _ := strings.Cut(strings.TrimLeft(start, " \n"), "\n")
		if at, ok := tableOf(first, o.Columns); ok {
			format, comma = FormatCSV, at
		}
	}

	err = o.readAs(format, text, out, comma)
	if errors.Is(err, errNoFormat) {
		return &FormatError{File: baseName(name), Seen: seen}
	}

	switch {
	case out.failed != nil:
		return out.failed
	case err != nil:
		return fmt.Errorf("reading %s: %w", baseName(name), err)
	}
	return nil
}

var errNoFormat = errors.New("no format of ours")

// readAs reads a file of a format; comma separates a table's cells.
func (o Options) readAs(format Format, text *bufio.Reader, out *receiver, comma rune) error {
	switch format {
	case FormatRIS:
		return readRIS(text, out)
	case FormatNBIB:
		return readNBIB(text, out)
	case FormatBibTeX:
		return readBibTeX(text, out)
	case FormatCSLJSON:
		return readCSL(text, out)
	case FormatEndNote:
		return readEndNote(text, out)
	case FormatEndNoteTagged, FormatWoS, FormatRefWorks, FormatOvid:
		return readTagged(text, out, format)
	case FormatPubMedText:
		return readPubMedText(text, out)
	case FormatPubMedCSV:
		return readPubMedCSV(text, out)
	case FormatCSV:
		return readCSV(text, out, comma, o.Columns)
	case FormatPMIDs:
		return readPMIDs(text, out)
	default:
		return errNoFormat
	}
}

// baseName is a file's name as an origin holds it: without folders of any system, and without the bar in an
// origin's key.
func baseName(name string) string {
	name = oneLine(path.Base(strings.ReplaceAll(name, `\`, "/")), maxID)

	name = strings.ReplaceAll(name, "|", "_")
	if name == "" || name == "." || name == "/" || name == "-" {
		return "unnamed"
	}
	return name
}

// receiver completes the records of one file and hands them on.
type receiver struct {
	source   string
	emit     func(Item) error
	mended   *files.Mended
	reported bool              // repaired bytes were reported
	place    int               // how many items there were
	next     map[uint64]uint32 // sums of the ids given out, with the next number for a repeat
	failed   error             // what emit returned
}

// record emits a record. An empty one is kept for its database's id, and is a problem without.
func (x *receiver) record(d *draft) error {
	d.finish(x.source)

	if d.isUnidentifiable() {
		const bare = "it has neither title, authors, abstract nor identifier"
		if d.id == "" {
			return x.problem(d.line, "", bare)
		}
		d.note(bare)
	}

	x.place++
	if as := x.mended.As(); as != "" && !x.reported {
		d.note("the file holds bytes that are no UTF-8; they were read as %s (--encoding NAME reads them in another)", as)
		x.reported = true
	}
	d.Origins = []evidence.Origin{{Source: x.source, ID: x.uniqueID(d.id), Revised: d.revised}}
	return x.send(Item{Record: &d.Record, Line: d.line, Notes: d.notes})
}

// problem emits that something could not be read; id may be empty.
func (x *receiver) problem(line int, id, reason string) error {
	x.place++
	id = cmp.Or(id, fmt.Sprintf("#%d", x.place))
	return x.send(Item{Problem: &evidence.Problem{ID: id, Reason: fmt.Sprintf("line %d: %s", line, reason)}, Line: line})
}

func (x *receiver) send(item Item) error {
	x.failed = x.emit(item)
	return x.failed
}

// uniqueID is the id under which a record is kept: the file's own; its place where there is none; with a number behind
// it where the file has given it before, so that no record takes another's place. Of ids their sums are kept, which
// hold no pointers: a million ids would be most of what the collector has to look at. Two that share a sum get a number
// as well.
func (x *receiver) uniqueID(id string) string {
	id = cmp.Or(id, fmt.Sprintf("#%d", x.place))
	first := sumOf(id)

	own, sum := id, first
	for x.next[sum] > 0 {
		x.next[first]++
		own = fmt.Sprintf("%s~%d", id, x.next[first])
		sum = sumOf(own)
	}
	x.next[sum]++
	return own
}

func sumOf(id string) uint64 {
	sum := sha256.Sum256([]byte(id))
	return binary.BigEndian.Uint64(sum[:])
}
