package eligibility

import (
	"html"
	"slices"
	"strings"

	"dossier/internal/text"
)

// Bounds on what is read from a registry's text.
const (
	maxText  = 32 << 10 // bytes
	maxLines = 400
	maxLine  = 8 << 10 // bytes of a line
)

// criterion is one line of a trial's criteria.
type criterion struct {
	text      string // as the registry has it, without its bullet
	inclusion bool
	parent    int  // the index of the line that it is an item of; -1 for none
	opens     bool // a list follows that belongs to it
	part      bool // it holds for a part of the trial, such as a cohort
	sub       bool // it holds for a study within the trial, whose own criteria precede it
	either    bool // one of its items is enough
	others    bool // it is on people who are not patients: donors, controls
	branch    int  // which alternative of its section, from 1: a line "OR" separates them
}

// Line is one line of a registry's criteria, without its bullet; Inclusion reports whether it is under inclusion.
type Line struct {
	Text      string
	Inclusion bool
}

// Lines lists a registry's criteria in order, without the headings.
func Lines(criteria string) []Line { return reading(criteria).listed }

// reader goes through a text line by line.
type reader struct {
	listed  []Line
	lines   []criterion
	open    []opened // the lines that the next one may be an item of, outermost first
	section criterion
	headed  bool   // a heading has been read
	cut     string // the line at which reading stopped before the text's end
}

// opened is a line with its indent.
type opened struct {
	indent, at int
	bulleted   bool // it has a bullet
}

// reading splits a registry's criteria. Text before any heading counts as inclusion, as registries use it.
func reading(criteria string) *reader {
	r := &reader{section: criterion{inclusion: true, parent: -1}}
	whole := text.Visible(strings.ToValidUTF8(html.UnescapeString(criteria), " "))
	clean := text.Head(whole, maxText)
	clean = forms("heading in a line").ReplaceAllString(clean, "$1\n$2")
	clean = forms("heading before text").ReplaceAllString(clean, "$1\n$2")

	clean = forms("escaped").ReplaceAllString(clean, "$1") // Markdown's escapes: "\>" is ">"
	for line := range strings.Lines(clean) {
		if len(r.lines) >= maxLines {
			r.cut = line
			break
		}
		r.line(strings.TrimRight(line, "\r\n\t "))
	}

	if len(whole) > maxText && len(r.listed) > 0 {
		r.cut = r.listed[len(r.listed)-1].Text
	}
	return r
}

// line reads one line: a heading, which sets the section of the next ones, or one or more criteria.
func (r *reader) line(raw string) {
	indent := len(raw) - len(strings.TrimLeft(raw, " \t"))
	body := text.Line(raw)
	bullet := forms("bullet").FindString(body)

	full := strings.TrimSpace(body[len(bullet):])
	if body = text.Head(full, maxLine); len(full) > maxLine {
		r.cut = body
	}

	switch {
	case body == "":
		return
	case r.heading(body, bullet == ""):
		r.open = nil
		return
	case forms("or alone").MatchString(body):
		r.divide()
		return
	}
	r.listed = append(r.listed, Line{Text: body, Inclusion: r.section.inclusion})
	r.close(indent, bullet)
	opens := strings.HasSuffix(body, ":") || strings.HasSuffix(body, "：")

	all := sentences(body)
	for i, sentence := range all {
		c := r.section

		c.text, c.opens = sentence, opens && i == len(all)-1
		if len(r.open) > 0 {
			c.parent = r.open[len(r.open)-1].at
			c.part = c.part || r.lines[c.parent].part
		}
		c.part = c.part || forms("part of a trial").MatchString(sentence)

		c.others = c.others || forms("on others").MatchString(sentence)
		if !r.enumerate(c) {
			r.lines = append(r.lines, c)
		}
	}

	if len(all) > 0 {
		r.open = append(r.open, opened{indent, len(r.lines) - 1, bullet != ""})
	}
}

// enumerate makes lines of the numbered parts of a sentence: "one of: (1) stage III, or (2) stage IV".
func (r *reader) enumerate(c criterion) bool {
	marks := forms("enumerated").FindAllStringIndex(c.text, -1)
	if len(marks) < 2 || marks[0][0] == 0 {
		return false
	}
	parent := c
	parent.text, parent.opens = c.text[:marks[0][0]], true
	parent.either = forms("or before").MatchString(c.text[:marks[len(marks)-1][0]])
	at := len(r.lines)

	r.lines = append(r.lines, parent)
	for i, m := range marks {
		end := len(c.text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		item := c
		item.parent, item.opens = at, false

		item.text = strings.TrimSpace(forms("joint").ReplaceAllString(c.text[m[1]:end], ""))
		if item.text != "" && len(r.lines) < maxLines {
			r.lines = append(r.lines, item)
		}
	}
	return true
}

// close drops the lines that the next one is not an item of: those indented as far or further. A line without a bullet
// that opens a list owns the bullets below it, whatever their indent.
func (r *reader) close(indent int, bullet string) {
	for len(r.open) > 0 {
		last := r.open[len(r.open)-1]
		if indent > last.indent || r.lines[last.at].opens && !last.bulleted && bullet != "" && indent == last.indent {
			return
		}
		r.open = r.open[:len(r.open)-1]
	}
}

// heading reports whether a line is a heading, and takes the next lines' section from it.
func (r *reader) heading(line string, plain bool) bool {
	m := forms("heading").FindStringSubmatchIndex(line)
	if m != nil && !forms("no heading").MatchString(line[:m[2]]) && !strings.HasPrefix(line[m[3]:], " of ") {
		named := strings.ToLower(line[m[2]:m[3]])
		if strings.HasPrefix(named, "eligib") && r.headed {
			return true // it repeats its section's heading
		}
		r.headed = true
		r.section = criterion{inclusion: !strings.HasPrefix(named, "ex") && !strings.HasPrefix(named, "non"), parent: -1,
			part: forms("part of a trial").MatchString(line), others: isOnOthers(line)}
		r.section.sub = r.section.part && r.hasWhole(r.section.inclusion)
		return true
	}

	if plain && forms("part heading").MatchString(line) {
		r.section.part, r.section.sub = true, r.hasWhole(r.section.inclusion)
		r.section.others = isOnOthers(line)
		return true
	}
	return false
}

// isOnOthers reports whether a heading's criteria are not on patients.
func isOnOthers(heading string) bool {
	return forms("no patients").MatchString(heading) && !forms("patients").MatchString(heading)
}

// hasWhole reports whether criteria for the whole trial precede.
func (r *reader) hasWhole(inclusion bool) bool {
	return slices.ContainsFunc(r.lines, func(c criterion) bool { return c.inclusion == inclusion && !c.part && !c.others })
}

// divide begins the next alternative of a section at a line "OR"; the lines before it become the first.
func (r *reader) divide() {
	if r.section.branch == 0 {
		r.section.branch = 1
		for i := len(r.lines) - 1; i >= 0 && r.lines[i].inclusion == r.section.inclusion && r.lines[i].branch == 0; i-- {
			r.lines[i].branch = 1
		}
	}
	r.section.branch++
	r.open = nil
}

// sentences splits a line at its full stops and semicolons, and a paragraph of the registry's old form, which has none,
// at the words that begin a criterion.
func sentences(line string) []string {
	var out, parts []string
	for _, s := range joined(text.Sentences(forms("or behind").ReplaceAllString(line, " or; or "))) {
		parts = append(parts, forms("semicolon").Split(s, -1)...)
	}

	for _, part := range joined(parts) {
		for one := range strings.Lines(forms("old form").ReplaceAllString(part, "$1\n$2")) {
			if one = strings.TrimSpace(one); one != "" {
				out = append(out, one)
			}
		}
	}
	return out
}

// joined rejoins what a full stop within brackets or behind a short form split, and the numbered parts of a sentence.
func joined(sentences []string) []string {
	var out []string
	for _, s := range sentences {
		if n := len(out) - 1; n >= 0 && (strings.Count(out[n], "(") > strings.Count(out[n], ")") ||
			forms("short form").MatchString(out[n]) || startOf("enumerated", out[n]) > 0 && forms("goes on").MatchString(s)) {
			out[n] += " " + s
			continue
		}
		out = append(out, s)
	}
	return out
}
