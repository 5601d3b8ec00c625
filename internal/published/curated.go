package published

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Bounds on an entry's lists and on the number of entries.
const (
	maxListed      = 500
	maxKept        = 500_000
	maxClinVarRows = 30_000_000
)

// Curated is the joint contents of curators' files.
type Curated struct {
	// KeysIn names the genes or markers of an alteration, and the exact changes read in it; none if it can't be read.
	KeysIn func(profile string) (names, changes []string)
	// IsGene reports whether questions may be about a gene.
	IsGene func(symbol string) bool

	Evidence  *evidence.CuratedFile // statements on papers; nil if no file has them
	Summaries Summaries             // of that file
	collected
	entries []evidence.Interpretation
	seen    map[string]bool // sources, each with entry numbers
}

// All returns the files and entries on alterations.
func (c *Curated) All() ([]evidence.GivenFile, []evidence.Interpretation) {
	return c.files, c.entries
}

// curatedFile is a file with interpretations, being read.
type curatedFile struct {
	*Curated
	evidence.GivenFile
	left evidence.LeftOuts
	kept []evidence.Interpretation
}

// Read reads a file of any of the forms. An error means that the file has none of them, or can't be read; nothing of it
// is then kept.
func (c *Curated) Read(r io.Reader, name string, day evidence.Date, now time.Time) error {
	in, form, places, width, err := openTable(r)
	if err != nil {
		return err
	}

	if form == &evidenceTable {
		return c.readEvidence(in, places, width, name, day, now)
	}

	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	f := &curatedFile{Curated: c,
		GivenFile: evidence.GivenFile{Name: name, Date: day, Imported: now.UTC()}}

	row, most := f.assertion, maxCuratedRows
	switch form {
	case &assertionTable:
		f.Source = evidence.CuratedCIViC
	case &clinvarTable:
		f.Source, row, most = evidence.CuratedClinVar, f.variant, maxClinVarRows
	case &associationTable:
		f.Source, row = evidence.CuratedOncoKB, f.association
	case &actionableTable:
		f.Source, row = evidence.CuratedOncoKB, f.actionable
	case &annotatedTable:
		f.Source, row = evidence.CuratedOncoKB, f.annotated
	}

	err = in.each(width, most, func(cells []string, line int, fault error) {
		if fault != nil {
			f.Seen++
			f.left.Add(fault.Error(), fmt.Sprintf("line %d", line), true)
			return
		}
		row(cellsOf(places, cells), line)
	})
	switch {
	case err != nil:
		return err
	case len(f.kept)+len(c.entries) > maxKept:
		return fmt.Errorf("it has more than %d entries to keep, as no such file does", maxKept)
	}
	f.Kept = len(f.kept)

	c.entries = append(c.entries, f.kept...)
	c.take(f.GivenFile, &f.left)
	return nil
}

// readEvidence reads CIViC's statements on papers; the store keeps one file of them.
func (c *Curated) readEvidence(
	in *rows, places map[string]int, width int, name string, day evidence.Date, now time.Time,
) error {
	if c.Evidence != nil {
		return fmt.Errorf("%s are these, too; import the newer one alone", text.Line(c.Evidence.Name))
	}

	read, err := readEvidence(in, places, width, day)
	if err != nil {
		return err
	}

	for _, l := range read.LeftOut {
		c.leftOut = append(c.leftOut, FileLeftOut{name, "row", l})
	}

	if len(read.Statements) == 0 {
		return fmt.Errorf("none of its %s can be used", text.Plural(read.Rows, "row"))
	}
	c.Summaries = read
	c.Evidence = &evidence.CuratedFile{Source: evidence.CuratedCIViC, Name: name, Date: day, Imported: now.UTC(),
		Statements: read.Statements}
	return nil
}

// leave counts an entry that is not kept.
func (f *curatedFile) leave(reason, id string, line int, fault bool) {
	f.left.Add(reason, strings.TrimPrefix(fmt.Sprintf("%s in line %d", id, line), " in "), fault)
}

// keep keeps an entry that was read, under the names of its genes; with exact, only under its exact changes.
func (f *curatedFile) keep(e *evidence.Interpretation, line int, exact bool) {
	e.Source, e.File, e.FileDate = f.Source, f.Name, f.Date
	for _, profile := range e.Profiles {
		names, changes := f.KeysIn(profile)
		if exact {
			names = changes
		}
		e.Keys = append(e.Keys, names...)
	}
	slices.Sort(e.Keys)

	e.Keys = slices.Compact(e.Keys)
	switch {
	case tooLong(e):
		f.leave(fmt.Sprintf("a text of its has more than %d bytes, or a list more than %d members", maxStatement, maxListed),
			e.ID, line, true)
	case len(e.Keys) == 0:
		f.leave("its alteration can't be read", e.ID, line, false)
	case f.seen[e.Source+e.ID]:
		f.leave("an entry before has its number, or its very words, and that one counts", e.ID, line, false)
	default:
		f.seen[e.Source+e.ID] = true
		f.kept = append(f.kept, *e)
	}
}

func tooLong(e *evidence.Interpretation) bool {
	texts := slices.Concat(e.Profiles, e.Diseases, e.Notes, []string{e.Name, e.Words, e.Significance, e.Review, e.Type})
	for _, g := range e.Grades {
		texts = append(texts, g.Value)
	}

	for _, r := range e.Regimens {
		texts = append(texts, r...)
	}
	return max(len(e.Profiles), len(e.Diseases), len(e.Regimens), len(e.Items), len(e.PMIDs)) > maxListed ||
		slices.ContainsFunc(texts, func(s string) bool { return len(s) > maxStatement })
}

// grade adds a level or tier if the file has one.
func grade(e *evidence.Interpretation, scale, value string) {
	if value = told(value); value != "" {
		e.Grades = append(e.Grades, evidence.Grade{Scale: scale, Value: text.Line(value)})
	}
}

// scaleESCAT is ESMO's scale, which no knowledge base has in its files: a curator has added a column of that name.
const scaleESCAT = "ESCAT"

// note adds a further cell.
func note(e *evidence.Interpretation, what, value string) {
	if value = told(value); value != "" && !strings.EqualFold(value, "false") {
		e.Notes = append(e.Notes, text.Line(what+": "+value))
	}
}

// listed splits a list at a separator outside of brackets.
func listed(list, separator string) (parts []string) {
	depth, start := 0, 0

	add := func(part string) {
		if part = told(text.Line(part)); part != "" && part != "-" {
			parts = append(parts, part)
		}
	}
	for i := range len(list) {
		switch {
		case list[i] == '(', list[i] == '{':
			depth++
		case list[i] == ')', list[i] == '}':
			depth = max(0, depth-1)
		case depth == 0 && i >= start && strings.HasPrefix(list[i:], separator):
			add(list[start:i])
			start = i + len(separator)
		}
	}

	if start <= len(list) {
		add(list[start:])
	}
	return parts
}

var pmidsRE = text.LazyRegexp(`\b[1-9][0-9]{5,8}\b`)

// digest is the number of an entry that has none in its file.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:6])
}
