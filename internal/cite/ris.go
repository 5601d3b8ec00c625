package cite

import (
	"bufio"
	"slices"
	"strings"

	"dossier/internal/text"
)

// field is a tag and its value, which may go on over several lines.
type field struct {
	tag   string
	parts []string
}

// risReader gathers the fields of one record after the other.
type risReader struct {
	*receiver
	lines  lines
	fields []field
	start  int  // line of the first field
	typed  bool // the record has its TY
	early  bool // its ER came before its fields
	late   int  // how many fields stood before the TY, where the title was among them
	open   bool // a record is under way
	d      *draft
}

func readRIS(text *bufio.Reader, out *receiver) error {
	r := &risReader{receiver: out, lines: lines{r: text}}
	if err := r.lines.each(r.line); err != nil {
		return err
	}
	return r.end("the file ends inside this record; some of it may be missing")
}

// line takes one line. Text outside of records is passed over; inside, it belongs to the field before it.
func (r *risReader) line(text string) error {
	tag, value, isTag := risTag(text)
	switch {
	case !isTag:
		if value = strings.TrimSpace(text); value != "" && r.open {
			r.continueField(value)
		}
	case tag == "TY":
		if err := r.begin(); err != nil {
			return err
		}
		r.typed = true
		r.add(tag, value)
	case tag == "ER":
		return r.endTag()
	case r.open:
		if err := r.emitUntyped(tag); err != nil {
			return err
		}
		r.add(tag, value)
	case risTags(tag):
		if err := r.begin(); err != nil {
			return err
		}
		r.add(tag, value)
	}

	if r.lines.long && r.open {
		r.d.note("line %d is longer than %d bytes; the rest was dropped", r.lines.number, maxLine)
	}
	return nil
}

// begin starts a record. Fields that stand before their TY belong to it, unless another title follows it; else what was
// under way lacks its end.
func (r *risReader) begin() error {
	if r.open && !r.typed {
		if r.has("TI", "T1") {
			r.late = len(r.fields)
		}
		return nil
	}

	if err := r.end("its end tag (ER) is missing"); err != nil {
		return err
	}
	r.open, r.start = true, r.lines.number
	r.d = newDraft(r.start)
	return nil
}

// emitUntyped emits the fields before a TY as a record of their own if the fields behind it have a title, too.
func (r *risReader) emitUntyped(tag string) error {
	if r.late == 0 || tag != "TI" && tag != "T1" {
		return nil
	}
	behind := slices.Clone(r.fields[r.late:])

	r.fields, r.typed, r.late = r.fields[:r.late], false, 0
	if err := r.end("its end tag (ER) is missing"); err != nil {
		return err
	}
	r.open, r.typed, r.start = true, true, r.lines.number
	r.d = newDraft(r.start)
	r.fields = append(r.fields, behind...)
	return nil
}

// endTag ends the record under way, unless that has nothing but its type so far: then its fields are still to come.
func (r *risReader) endTag() error {
	if r.open && r.typed && len(r.fields) == 1 && !r.early {
		r.early = true
		return nil
	}
	return r.end("")
}

func (r *risReader) has(tags ...string) bool {
	return slices.ContainsFunc(r.fields, func(f field) bool { return slices.Contains(tags, f.tag) })
}

// end emits the current record; remark describes a faulty end.
func (r *risReader) end(remark string) error {
	if !r.open {
		return nil
	}

	if remark != "" && !(r.early && len(r.fields) > 1) {
		r.d.note("%s", remark)
	}

	switch {
	case !r.typed:
		r.d.note("its type (TY) is missing")
	case r.late > 0:
		r.d.note("its type (TY) stands behind its title")
	case r.early && len(r.fields) > 1:
		r.d.note("its end tag (ER) stands before its fields")
	}
	readRISFields(r.d, FormatRIS, r.fields)
	err := r.record(r.d)
	r.fields, r.open, r.typed, r.early, r.late, r.d = r.fields[:0], false, false, false, 0, nil
	return err
}

func (r *risReader) add(tag, value string) {
	if r.d.fits(value) && len(r.fields) < maxFields {
		r.fields = append(r.fields, field{tag: tag, parts: []string{value}})
	}
}

// continueField adds a line to the last field. A list's next line is its next entry: EndNote leaves the tag out there.
func (r *risReader) continueField(value string) {
	if len(r.fields) == 0 || !r.d.fits(value) {
		return
	}

	last := &r.fields[len(r.fields)-1]
	switch last.tag {
	case "TY":
	case "KW", "AU", "A1", "UR", "L1", "L2", "SN":
		r.add(last.tag, value)
	default:
		last.parts = append(last.parts, value)
	}
}

// risTag reads the tag at the beginning of a line. The standard form is "TY  - JOUR"; of others ("TY - JOUR", "ty  -
// JOUR", "TY  -JOUR") only tags that RIS knows are taken, since running text may look like one: "IL-6 - a cytokine".
func risTag(text string) (tag, value string, ok bool) {
	if m := longTag().FindStringSubmatch(text); m != nil {
		return longTags[m[1]], strings.TrimSpace(m[2]), true
	}
	s := strings.TrimLeft(text, " \t\u00a0")

	indent := len(text) - len(s)
	if len(s) < 4 || indent > 6 || !isLetter(s[0]) || !isLetter(s[1]) && (s[1] < '0' || s[1] > '9') {
		return "", "", false
	}
	rest := strings.TrimLeft(s[2:], " \t\u00a0")
	gap := strings.Count(s[2:len(s)-len(rest)], "") - 1 // in characters

	rest, found := strings.CutPrefix(rest, "-")
	if !found || gap == 0 || gap > 4 {
		return "", "", false
	}
	tag, value = strings.ToUpper(s[:2]), strings.TrimSpace(rest)
	standard := gap == 2 && indent == 0 && tag == s[:2] && (rest == "" || rest[0] == ' ')
	return tag, value, standard || isOddTag(s[:2], value, gap)
}

// isOddTag reports whether what has not the standard form is a tag all the same.
func isOddTag(written, value string, gap int) bool {
	tag := strings.ToUpper(written)
	switch {
	case !risTags(tag), written != tag && gap < 2:
		return false
	case tag == "ER":
		return value == ""
	case tag == "TY":
		return len(value) <= 10 && !strings.Contains(value, " ")
	}
	return true
}

// longTag is a tag that some write with the identifier's whole name.
var longTag = text.LazyRegexp(`^(DOI|PMID|PMCID) {1,2}-(?: (.*)|)$`)

var longTags = map[string]string{"DOI": "DO", "PMID": "PM", "PMCID": "C2"}

func isLetter(b byte) bool { return b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' }

// risTags are the tags of the RIS specification and of the databases' dialects.
var risTags = text.Set(
	`TY ER ID TI T1 T2 T3 TA TT CT BT ST AU A1 A2 A3 A4 A5 ED AD AF PY Y1 Y2 DA JO JF JA J1 J2 VL IS CP SP EP AB N1
	N2 KW DO UR L1 L2 L3 L4 LK SN AN DI M1 M2 M3 U1 U2 U3 U4 U5 C1 C2 C3 C4 C5 C6 C7 C8 CA CN CY DB DP DS ET LA LB NV
	OP PB PM PP PT RI RN RP SE TS VO WT`)
