package published

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Bounds of an entry's texts, in bytes, and of how many entries there may be.
const (
	maxWords   = 128 << 10
	maxName    = 300
	maxNames   = 24
	maxEntries = 1_000_000
)

// Approvals is the joint contents of files from any sources. Of entries with one number it keeps the newest, and of
// labels of one drug with the same words the newest; it counts the others.
type Approvals struct {
	// DrugsIn names the substances in a drug's name, as questions name them; none if it knows none.
	DrugsIn func(name string) []string
	// Concerns reports whether an entry's words name anything of interest; other entries are counted and not kept.
	Concerns func(words string) bool

	collected
	byID    map[string]*evidence.Approval
	byWords map[string]*evidence.Approval
	Notes   []string // what a person should know about the files, in sentences
}

// approvalsFile is a file being read.
type approvalsFile struct {
	*Approvals
	evidence.GivenFile
	left    evidence.LeftOuts
	entries []*evidence.Approval
	undated int    // entries with an invalid date
	first   string // the first of these
	// documents are what MOAlmanac's entries refer to, by id
	documents map[string]*almanacDocument
	almanac   []almanacEntry // entries waiting for their documents
}

// Read reads a file. Its date is the one that the file itself states, else day. An error means that it is no file of
// approvals, or can't be read; nothing of it is then kept.
func (c *Approvals) Read(in Input, size int64, name string, day evidence.Date, now time.Time) error {
	f := &approvalsFile{Approvals: c, GivenFile: evidence.GivenFile{Name: name, Imported: now.UTC()}}
	documents := func(r io.Reader) error {
		d := document{field: f.field, element: f.element}
		return d.read(r)
	}

	err := openPacked(in, size, func() error { return f.readTable(in) }, documents)
	if err == nil {
		f.settleAlmanac()
	}

	if err == nil && f.Source == "" {
		err = errors.New("it holds no labels, no medicines and no indications; " + whereApprovals)
	}

	if err != nil {
		return err
	}

	if f.Date == "" || f.Date > evidence.DateOf(now) {
		f.Date = day
	}
	f.merge()

	if f.undated > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s: %s can't be read and is left out (first: %s)", name,
			text.Plural(f.undated, "date"), f.first))
	}
	return nil
}

// field takes the day on which the file was made, as it states it.
func (f *approvalsFile) field(path, value string) {
	switch path {
	case "meta.last_updated", "meta.timestamp", "about.last_updated", "metadata.last_updated", "service.last_updated":
		if len(value) >= len(time.DateOnly) {
			value = value[:len(time.DateOnly)]
		}

		if day, ok := dayOf(time.DateOnly, value); ok {
			f.Date = day
		}
	}
}

// is sets the file's source; a file of two sources is an error.
func (f *approvalsFile) is(source string) error {
	if f.Source != "" && f.Source != source {
		return fmt.Errorf("it holds entries of %s and of %s; import each by itself", f.Source, source)
	}
	f.Source = source
	return nil
}

// see counts an entry before it is read.
func (f *approvalsFile) see() error {
	if f.Seen++; f.Seen > maxEntries {
		return fmt.Errorf("it has more than %d entries, which no file of approvals has", maxEntries)
	}
	return nil
}

// keep keeps an entry that was read, or counts the reason not to.
func (f *approvalsFile) keep(a *evidence.Approval, where string) {
	a.Source, a.File, a.Labels = f.Source, f.Name, 1

	a.Names = distinct(a.Names)
	for i := range a.Names {
		if len(a.Names[i]) > maxName {
			f.left.Add(fmt.Sprintf("a name of its drug has more than %d bytes", maxName), where, true)
			return
		}
	}

	switch {
	case a.ID == "" || len(a.ID) > maxName:
		f.left.Add("it has no number of its own", where, true)
	case len(a.Names) == 0:
		f.left.Add("it names no drug", where, false)
	case a.Words == "":
		f.left.Add("it has no words on what it is for", where, false)
	case len(a.Words) > maxWords:
		f.left.Add(fmt.Sprintf("its words have more than %d bytes", maxWords), where, true)
	case !f.Concerns(a.Words):
		f.left.Add("it is for no tumour", where, false)
	default:
		f.entries = append(f.entries, a)
	}
}

// date reads a day; it omits and counts one that can't be read.
func (f *approvalsFile) date(value, where string) (day evidence.Date, ok bool) {
	value = strings.TrimSpace(value)
	if value == "" {
		return "", true
	}

	if day, ok = anyDay(value); !ok {
		if f.undated++; f.undated == 1 {
			f.first = fmt.Sprintf("%.40q of %s", value, where)
		}
	}
	return day, ok
}

// substances sets the names by which an entry is found: the substances' names if the file has them.
func (f *approvalsFile) substances(a *evidence.Approval, named []string) {
	for _, name := range distinct(named) {
		if known := f.DrugsIn(name); len(known) > 0 {
			a.Drugs = append(a.Drugs, known...)
		} else {
			a.Drugs = append(a.Drugs, strings.ToLower(name))
		}
	}
	a.Drugs = distinct(a.Drugs)
}

// merge joins the kept entries of a file with those of earlier files.
func (f *approvalsFile) merge() {
	c := f.Approvals
	if c.byID == nil {
		c.byID, c.byWords = map[string]*evidence.Approval{}, map[string]*evidence.Approval{}
	}
	newestFirst := func(a, b *evidence.Approval) int {
		return cmp.Or(cmp.Compare(b.Date, a.Date), cmp.Compare(len(b.Version), len(a.Version)),
			cmp.Compare(b.Version, a.Version), cmp.Compare(a.ID, b.ID))
	}
	slices.SortStableFunc(f.entries, newestFirst)

	for _, a := range f.entries {
		a.FileDate = f.Date

		id, words := a.Source+"\x00"+a.ID, strings.Join(append(slices.Clone(a.Drugs), a.Source, a.Agency, a.Status,
			text.Fold(text.Line(a.Words))), "\x00")
		switch {
		case c.byID[id] != nil:
			f.left.Add("another entry has its number, and is as new or newer", a.ID, false)
		case a.Source == evidence.ApprovalsOpenFDA && c.byWords[words] != nil:
			c.byWords[words].Labels++
			f.left.Add("another label of the same drug has the same words", a.ID, false)
		default:
			c.byID[id], c.byWords[words] = a, a
			f.Kept++
		}
	}

	c.take(f.GivenFile, &f.left)
}

// All returns the files and entries that were read, the entries by source and number.
func (c *Approvals) All() ([]evidence.GivenFile, []evidence.Approval) {
	var entries []evidence.Approval
	for _, a := range c.byID {
		entries = append(entries, *a)
	}
	return c.files, entries
}

// distinct drops names that differ only in case from an earlier one.
func distinct(names []string) (out []string) {
	for _, name := range names {
		name = text.Line(name)

		same := func(other string) bool { return text.Fold(other) == text.Fold(name) }
		if name != "" && len(out) < maxNames && !slices.ContainsFunc(out, same) {
			out = append(out, name)
		}
	}
	return out
}

// anyDay reads a day in the files' forms: 2026-11-01, 20261101, 01/11/2026, and a spreadsheet's number.
func anyDay(value string) (evidence.Date, bool) {
	value, _, _ = strings.Cut(value, "T")
	for _, form := range []string{time.DateOnly, "20060102", "02/01/2006"} {
		if day, ok := dayOf(form, value); ok {
			return day, true
		}
	}
	return sheetDay(value)
}

func dayOf(form, value string) (evidence.Date, bool) {
	day, err := time.Parse(form, value)
	if err != nil || day.Year() < 1900 || day.Year() > 2999 {
		return "", false
	}
	return evidence.DateOf(day), true
}
