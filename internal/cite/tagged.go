package cite

import (
	"bufio"
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"dossier/internal/text"
)

// The formats here have other names for RIS's fields and other marks for where a record begins and ends; what the
// fields mean is read as RIS's is.

//go:embed tags.tsv
var tagTable string

// tagsAs are RIS's tags by format and by the name that the format has for them, read when they are first asked for.
var tagsAs = sync.OnceValue(func() map[Format]map[string]string { return byFormat(tagTable, "; ") })

// tagSkipped is the RIS tag of fields that are known and not read.
const tagSkipped = "skip"

// dialect is a tagged format.
type dialect struct {
	format Format
	// tag reads a line that begins a field, named as tagTable has it; the format's other lines go on with the field
	// before them.
	tag func(line string) (name, value string, ok bool)
	// begins and ends are the fields with which a record does; empty where a format has none.
	begins, ends string
	outside      func(name string) bool // fields that belong to no record
	numbered     bool                   // a line with its number begins a record: "<12>"
}

// dialects are the tagged formats by their names.
var dialects = map[Format]dialect{
	FormatEndNoteTagged: {FormatEndNoteTagged, tagOf(text.LazyRegexp(`^%(\S) ?(.*)$`)), "0", "", text.Set(""), false},
	FormatWoS:           {FormatWoS, tagOf(text.LazyRegexp(`^([A-Z][A-Z0-9])(?: (.*)|)$`)), "pt", "er", text.Set("fn vr ef"), false},
	FormatRefWorks:      {FormatRefWorks, refWorksTag, "rt", "", text.Set(""), false},
	FormatOvid:          {FormatOvid, ovidTag, "vn", "", text.Set(""), true},
}

// tagOf reads a line's tag, in small letters, and its value by an expression's two groups.
func tagOf(form func() *regexp.Regexp) func(string) (string, string, bool) {
	return func(line string) (name, value string, ok bool) {
		m := form().FindStringSubmatch(line)
		if m == nil {
			return "", "", false
		}
		return strings.ToLower(m[1]), strings.TrimSpace(m[2]), true
	}
}

var refWorksLine = tagOf(text.LazyRegexp(`^([A-Z][A-Z0-9])(?: (.*)|)$`))

// refWorksTag takes only known tags: a continued text may begin with two capitals.
func refWorksTag(line string) (name, value string, ok bool) {
	name, value, ok = refWorksLine(line)
	_, known := tagsAs()[FormatRefWorks][name]
	return name, value, ok && (known || refWorksOther(name))
}

// refWorksOther are RefWorks's fields that are not read.
var refWorksOther = text.Set(`sr a3 a4 a5 a6 ad av cl cn cp ed fp la lp nc ol pa pf pp rd sf sl st su t3 tl u1 u2 u3 u4
	u5 wp wt wv rp ct`)

var (
	ovidTagged = tagOf(text.LazyRegexp(`^([A-Z][A-Z0-9]) {1,2}-(?: (.*)|)$`))
	ovidNumber = text.LazyRegexp(`^<\s*\d+\s*\.?\s*>$`)
)

// ovidTag reads a line of either of Ovid's forms: "TI  - Title", and the field's whole name, whose value follows.
func ovidTag(line string) (name, value string, ok bool) {
	if name, value, ok = ovidTagged(line); ok {
		return name, value, true
	}
	name = strings.ToLower(strings.TrimRight(line, " .:\t"))
	_, known := tagsAs()[FormatOvid][name]
	return name, "", known && len(name) > 2 && line[0] != ' ' && line[0] != '\t'
}

// taggedReader gathers the fields of one record after the other, under RIS's tags.
type taggedReader struct {
	*receiver
	dialect
	lines   lines
	fields  []field
	begun   bool // the record has the field with which records begin, or its number
	gap     bool // an empty line came since the last field
	skipped bool // the last field is none of ours: what goes on with it, neither
	d       *draft
}

func readTagged(text *bufio.Reader, out *receiver, format Format) error {
	r := &taggedReader{receiver: out, dialect: dialects[format], lines: lines{r: text}}
	if err := r.lines.each(r.line); err != nil {
		return err
	}
	return r.end("the file ends inside this record; some of it may be missing")
}

func (r *taggedReader) line(text string) error {
	text = strings.TrimRight(text, " \t")

	name, value, isTag := r.tag(text)
	switch {
	case text == "":
		r.gap = true
		return nil
	case r.numbered && ovidNumber().MatchString(text):
		return r.begin()
	case !isTag:
		r.continueField(strings.TrimSpace(text))
		return nil
	case r.ends != "" && name == r.ends:
		return r.end("")
	case r.outside(name):
		return nil
	case name == r.begins && (r.begun && len(r.fields) > 0 || !r.begun || r.d == nil), r.startsWithTitle(name):
		if err := r.begin(); err != nil {
			return err
		}
		r.begun = name == r.begins
	}

	if r.d == nil {
		r.d = newDraft(r.lines.number)
	}
	r.gap = false
	r.add(name, value)

	if r.lines.long {
		r.d.note("line %d is longer than %d bytes; the rest was dropped", r.lines.number, maxLine)
	}
	return nil
}

// startsWithTitle reports whether a field begins a record that lacks its beginning: another title behind an empty line.
func (r *taggedReader) startsWithTitle(name string) bool {
	return r.gap && tagsAs()[r.format][name] == "TI" && r.has("TI")
}

func (r *taggedReader) has(tag string) bool {
	return slices.ContainsFunc(r.fields, func(f field) bool { return f.tag == tag })
}

func (r *taggedReader) begin() error {
	if err := r.end("its end is missing"); err != nil {
		return err
	}
	r.d, r.begun = newDraft(r.lines.number), true
	return nil
}

func (r *taggedReader) add(name, value string) {
	tag := tagsAs()[r.format][name]
	if r.skipped = tag == "" || tag == tagSkipped; r.skipped || !r.d.fits(value) || len(r.fields) >= maxFields {
		return
	}
	r.fields = append(r.fields, field{tag: tag, parts: []string{value}})
}

// continueField adds a line to the last field; in a list it is the next entry.
func (r *taggedReader) continueField(value string) {
	if len(r.fields) == 0 || r.skipped || !r.d.fits(value) {
		return
	}

	last := &r.fields[len(r.fields)-1]
	switch last.tag {
	case "AU", "FAU", "KW", "UR", "SN", "PM":
		if last.parts[0] != "" && len(r.fields) < maxFields {
			r.fields = append(r.fields, field{tag: last.tag, parts: []string{value}})
			return
		}
	}
	last.parts = append(last.parts, value)
}

// end emits the current record; remark reports that its end is missing, in a format where records have one.
func (r *taggedReader) end(remark string) error {
	if r.d == nil {
		return nil
	}

	if remark != "" && r.ends != "" {
		r.d.note("%s", remark)
	}

	if !r.begun && r.begins != "" {
		r.d.note("its beginning (%s) is missing", strings.ToUpper(r.begins))
	}
	readForeignFields(r.d, r.format, r.fields)
	err := r.record(r.d)
	r.fields, r.begun, r.gap, r.skipped, r.d = r.fields[:0], false, false, false, nil
	return err
}

// readForeignFields reads fields that another format has under other names: the full names of its authors before the
// short ones, and of a place in words what has no field of its own.
func readForeignFields(d *draft, format Format, fields []field) {
	full := slices.ContainsFunc(fields, func(f field) bool { // a table's cell may be empty
		return f.tag == "FAU" && len(Names(strings.Join(f.parts, " "))) > 0
	})
	kept := fields[:0]

	place := ""
	for _, f := range fields {
		switch f.tag {
		case "AU":
			if full {
				continue
			}
		case "FAU":
			if !full {
				continue
			}
			f.tag = "AU"
		case "SO":
			place = cmp.Or(place, strings.Join(f.parts, " "))
			continue
		}

		switch whole := strings.Join(f.parts, " "); {
		case f.tag == "AU" && format == FormatOvid:
			f.parts = []string{ovidAuthors(whole)}
		case f.tag == "A1" && format == FormatWoS: // groups, which a comma marks: "Invented Study Grp" is no person
			f.parts = []string{strings.ReplaceAll(whole, ";", ",;") + ","}
		case f.tag == "M3" && format == FormatOvid:
			f.parts = []string{strings.ReplaceAll(strings.TrimRight(whole, ". "), ". ", "; ")}
		case f.tag == "PM": // Ovid has the page's address behind it
			number, _, _ := strings.Cut(strings.TrimSpace(whole), " [")
			f.parts = []string{number}
		}
		kept = append(kept, f)
	}
	readRISFields(d, format, kept)
	d.takePlace(place)
}

var (
	ovidRole   = text.LazyRegexp(`\s*\[[^\]]*\]`)
	ovidByDots = text.LazyRegexp(`(\p{L}[\p{L}'’-]+ \p{Lu}{1,3})\. `)
)

// ovidAuthors separates names that Ovid ends with full stops, and drops their roles and degrees in brackets.
func ovidAuthors(s string) string {
	s = strings.TrimRight(ovidRole().ReplaceAllString(s, ""), ". ")
	if !strings.Contains(s, ",") {
		s = ovidByDots().ReplaceAllString(s+" ", "$1; ")
	}
	return strings.TrimSpace(s)
}

// placed is "Journal. 12(3):45-9, 2024 Mar 5", "Journal. 12 (3) (pp 45-49), 2024" and their like.
var placed = text.LazyRegexp(`^(.+?)[.,]?\s+(\d+)\s*(?:\(([^()]*)\))?\s*` +
	`(?::\s*([^,;()\s]+)|\((?:pp?\.? )?([\w-]*\d[\w-]*)\))?(?:\s*\(no pagination\))?\s*[,.;]\s*(.*)$`)

// takePlace takes from a place what the record does not have elsewhere.
func (d *draft) takePlace(s string) {
	m := placed().FindStringSubmatch(oneLine(s, maxTitle))
	if m == nil {
		head, _, _ := strings.Cut(oneLine(s, maxTitle), ". ")
		d.Journal.Title = cmp.Or(d.Journal.Title, plain(head, maxTitle))
		return
	}
	j := &d.Journal
	j.Title = cmp.Or(j.Title, plain(m[1], maxTitle))
	j.Volume, j.Issue = cmp.Or(j.Volume, m[2]), cmp.Or(j.Issue, m[3])

	j.Pages = cmp.Or(j.Pages, onePage(cmp.Or(m[4], m[5])))
	if date := parseDate(m[6]); d.Date == "" || strings.HasPrefix(string(date), string(d.Date)) {
		d.Date = date
	}
}
