package cite

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"dossier/internal/text"
)

// Format names a reference format; its value is the name used on the command line.
type Format string

// The formats that are read and written.
const (
	FormatRIS     Format = "ris"
	FormatNBIB    Format = "nbib"
	FormatBibTeX  Format = "bibtex"
	FormatCSLJSON Format = "csl-json"
)

// The formats that are only read: what reference managers, databases and PubMed's page give where nothing else was
// chosen.
const (
	FormatEndNote       Format = "endnote-xml"
	FormatEndNoteTagged Format = "endnote"
	FormatWoS           Format = "wos"
	FormatRefWorks      Format = "refworks"
	FormatOvid          Format = "ovid"
	FormatPubMedText    Format = "pubmed-text"
	FormatPubMedCSV     Format = "pubmed-csv"
	FormatCSV           Format = "csv"
	FormatPMIDs         Format = "pmids"
)

// Formats lists those that are written.
var Formats = []Format{FormatRIS, FormatNBIB, FormatBibTeX, FormatCSLJSON}

// FormatError is returned for a file in no format that Read knows.
type FormatError struct {
	File string
	Seen string // what it looks like instead
}

// Error describes what was seen and what would be understood.
func (e *FormatError) Error() string {
	return fmt.Sprintf(
		"%s is no file of references that can be read: it holds %s; understood are RIS, NBIB (MEDLINE), BibTeX, "+
			"CSL-JSON, EndNote's XML and .enw, Web of Science's, Ovid's and RefWorks's tagged text, PubMed's text, "+
			"tables (CSV) and lists of PMIDs, told by what is in the file and not by its name, so export it again as one of these",
		e.File, e.Seen)
}

// binaryKind names a binary file by its first bytes; empty for text.
func binaryKind(r *bufio.Reader) string {
	head, _ := r.Peek(8)
	for _, k := range []struct{ magic, seen string }{
		{"PK\x03\x04", "a ZIP archive, or a document or table of an office program"},
		{"%PDF", "a PDF document"},
		{"\x1f\x8b", "a gzip archive (unpack it first)"},
		{"\x28\xb5\x2f\xfd", "a Zstandard archive (unpack it first)"},
		{"\xd0\xcf\x11\xe0", "a document or table of an old office program"},
		{"SQLite f", "an SQLite database"},
	} {
		if bytes.HasPrefix(head, []byte(k.magic)) {
			return k.seen
		}
	}
	return ""
}

var (
	jsonStart = text.LazyRegexp(`^(?:\{\s*(?:"|\})|\[\s*(?:\{|\]|$))`)
	bibStart  = text.LazyRegexp(`^\s*@\s*[A-Za-z][\w-]*\s*[{(]`)
	nbibStart = text.LazyRegexp(`^(?:PMID|OWN |STAT)- `)
	pmidStart = text.LazyRegexp(`^PMID {0,2}[-:] *\d+ *$`)
)

// ovidBlocks is Ovid's other text: numbered records, whose fields have their names on lines of their own.
var ovidBlocks = text.LazyRegexp(
	`^<\s*\d+\s*\.?\s*>[ \t]*\n\s*(?:VN|UI|AN|DB|Unique Identifier|Accession Number|Title|Authors?|Author\(s\)|Source|Status|Database)\b`)

// sniff detects the format of the text that begins with head, by the first line that only one format can have. Where
// there is none, seen describes what it looks like.
func sniff(head string) (format Format, seen string) {
	start := strings.TrimLeft(head, " \t\n")
	if start == "" {
		return "", "nothing"
	}

	if jsonStart().MatchString(start) {
		return FormatCSLJSON, ""
	}

	if isPMIDList(head) {
		return FormatPMIDs, ""
	}

	if endnoteStart().MatchString(start) {
		return FormatEndNote, ""
	}

	if first, _, _ := strings.Cut(start, "\n"); isPubMedCSV(first) {
		return FormatPubMedCSV, ""
	}

	if isPubMedText(start) {
		return FormatPubMedText, ""
	}

	for format, form := range taggedStarts {
		if form().MatchString(start) {
			return format, ""
		}
	}

	tagged, fromOvid := 0, false
	for text := range strings.SplitSeq(head, "\n") {
		tag, value, isTag := risTag(text)
		switch {
		case isTag && tag == "TY":
			return FormatRIS, ""
		case nbibStart().MatchString(text), pmidStart().MatchString(text):
			return FormatNBIB, ""
		case bibStart().MatchString(text), isBraceless(text):
			return FormatBibTeX, ""
		case isTag && tag == "VN" && strings.HasPrefix(value, "Ovid"):
			fromOvid = true
		case isTag && risTags(tag):
			tagged++
		}
	}

	if fromOvid || ovidBlocks().MatchString(start) {
		return FormatOvid, ""
	}

	if tagged >= 2 { // a part of an RIS file, its first line lost
		return FormatRIS, ""
	}
	return "", describeForeign(start)
}

// taggedStarts are the beginnings of files in the formats recognised by their first line.
var taggedStarts = map[Format]text.Pattern{
	FormatEndNoteTagged: text.LazyRegexp(`^%[0AT] \S`),
	FormatWoS:           text.LazyRegexp(`^(?:FN [^\n]*\n(?:VR[^\n]*\n|\s*\n)*PT |PT [JBSP]\s*\n)`),
	FormatRefWorks:      text.LazyRegexp(`^RT [A-Z]\S`),
}

// isPubMedText recognises what PubMed's page saves as "Abstract (text)" and "Summary (text)": numbered references, each
// with its PMID.
func isPubMedText(start string) bool {
	first, _, _ := strings.Cut(start, "\n")
	return pubmedNumbered().MatchString(first) && pubmedNumber().MatchString(start) && !risType().MatchString(start)
}

var (
	pubmedNumber = text.LazyRegexp(`\bPMID: \d{1,9}\b`)
	risType      = text.LazyRegexp(`(?m)^TY {1,2}- `)
)

// describeForeign describes a text that is no reference file.
func describeForeign(start string) string {
	first, _, _ := strings.Cut(start, "\n")

	lower := strings.ToLower(start[:min(len(start), 4096)])
	switch {
	case strings.HasPrefix(lower, "<!doctype html"), strings.HasPrefix(lower, "<html"):
		return "an HTML page, perhaps a database's page of an error or a login"
	case strings.Contains(lower, "<pubmedarticle"), strings.Contains(lower, "<!doctype pubmedarticle"):
		return "PubMed XML, which `indexer import-pubmed` reads"
	case strings.HasPrefix(lower, "<"):
		return "XML"
	case strings.Count(first, ",") >= 2, strings.Count(first, "\t") >= 2, strings.Count(first, ";") >= 2:
		return "what looks like a table (CSV) whose columns are not known (--columns tells which is which)"
	}
	return fmt.Sprintf("text that begins %q", shown(first))
}
