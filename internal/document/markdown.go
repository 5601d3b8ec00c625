package document

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"dossier/internal/catalogue"
	"dossier/internal/text"
)

// Markdown writes the document as Markdown (GitHub's tables). Diagrams are written as tables.
func (doc Document) Markdown(w io.Writer) error {
	m := &markdown{say: doc.Say}

	house := doc.Letterhead
	if house == nil {
		house = &Letterhead{}
	}

	for _, line := range house.Head {
		m.line(m.inlines(line))
		m.line("")
	}
	m.line("# " + md(doc.Name))
	m.line("")
	m.line(md(strings.Join(doc.Meta, " · ")))
	m.section(doc.Lead)

	for _, warning := range doc.Warnings {
		m.line("")
		m.line("> **" + strings.TrimSpace(doc.Say.Text("Note: ")) + "** " + m.inlines(warning))
	}

	for _, s := range doc.Sections {
		m.section(s)
	}

	if len(house.Foot) > 0 {
		m.line("\n---")
	}

	for _, line := range house.Foot {
		m.line("\n" + m.inlines(line))
	}
	_, err := w.Write(m.b.Bytes())
	return err
}

// Markdown writes the section as it stands in its document.
func (s Section) Markdown(w io.Writer) error {
	m := &markdown{}
	m.section(s)
	_, err := w.Write(m.b.Bytes())
	return err
}

type markdown struct {
	b   bytes.Buffer
	say *catalogue.Say
}

func (m *markdown) line(s string) {
	m.b.WriteString(s)
	m.b.WriteByte('\n')
}

func (m *markdown) section(s Section) {
	m.line("")
	m.line("## " + md(s.Title))

	for _, b := range s.Blocks {
		m.block(b)
	}
}

func (m *markdown) block(b Block) {
	m.line("")

	switch {
	case b.Style == styleHeading:
		m.line("### " + m.inlines(b.Line))
	case b.Style == styleParagraph:
		m.line(m.inlines(b.Line))
	case b.Style == styleRemark:
		m.line("> " + m.inlines(b.Line))
	case b.Style == styleCode:
		for _, l := range strings.Split(b.Line[0].Text, "\n") {
			m.line("    " + text.Line(l)) // indented, which nothing in the text can end
		}
	case b.Items != nil:
		for _, item := range b.Items {
			m.line("- " + m.inlines(item))
		}
	case b.Table != nil:
		m.table(b.Table)
	case b.Figure != nil:
		m.row([]string{md(b.Figure.title), ""})
		m.row([]string{"---", "---"})

		for _, r := range b.Figure.rows {
			m.row([]string{md(r[0]), md(r[1])})
		}
	case b.Refs != nil:
		for _, ref := range b.Refs {
			m.line(fmt.Sprintf("%d. %s", ref.Number, m.inlines(ref.Line)))
		}
	case b.Facts != nil:
		m.facts(b.Facts)
	case b.Card != nil:
		m.line("#### " + m.inlines(b.Card.Title))
		m.line("")

		for _, badge := range b.Card.Badges {
			m.line("- " + m.inlines([]Inline{badge}))
		}
		m.facts(b.Card.Facts)
	}
}

func (m *markdown) facts(facts []Fact) {
	for _, f := range facts {
		name := text.Markdown(strings.TrimSpace(f.Name + m.say.Word(": ")))
		m.line(strings.TrimSpace("- **" + name + "** " + m.inlines(f.Line)))

		for _, item := range f.Items {
			m.line("  - " + m.inlines(item))
		}
	}
}

func (m *markdown) table(t *Table) {
	heads, rules := []string{}, []string{}
	for _, c := range t.Head {
		heads = append(heads, md(c.Title))
		if c.Number {
			rules = append(rules, "---:")
		} else {
			rules = append(rules, "---")
		}
	}
	m.row(heads)
	m.row(rules)

	for _, row := range t.Rows {
		cells := text.Each(row, m.inlines)
		m.row(cells)
	}
}

func (m *markdown) row(cells []string) { m.line("| " + strings.Join(cells, " | ") + " |") }

// inlines writes a run of inlines.
func (m *markdown) inlines(line []Inline) string {
	var b strings.Builder
	for i, in := range line {
		escaped := text.Markdown(in.Text)
		if i == 0 {
			escaped = md(in.Text)
		}

		switch {
		case in.Refs != nil:
			b.WriteString(`\[` + strings.Join(text.Each(in.Refs, strconv.Itoa), ", ") + `\]`)
		case in.Doubt != "":
			doubt := text.Markdown(m.say.Text("unverified: %s", in.Doubt))
			b.WriteString("**" + strings.TrimSpace(escaped) + "** *(" + doubt + ")*")
		case in.Link != "":
			if before, ends := strings.CutSuffix(b.String(), "!"); ends { // an exclamation mark would make an image of the link
				b.Reset()
				b.WriteString(before + `\!`)
			}
			b.WriteString("[" + escaped + "](<" + text.MarkdownAddress(in.Link) + ">)")
		case in.Bold, in.Badge == ToneGood, in.Badge == ToneWarn:
			b.WriteString("**" + strings.TrimSpace(escaped) + "**" + strings.Repeat(" ",
				len(in.Text)-len(strings.TrimRight(in.Text, " "))))
		default:
			b.WriteString(edges(in.Text, escaped))
		}
	}
	return strings.TrimSpace(b.String())
}

// edges gives back the spaces at the ends of a run, which escaping trims.
func edges(raw, escaped string) string {
	if escaped == "" {
		if raw != "" {
			return " "
		}
		return ""
	}

	if raw[0] == ' ' {
		escaped = " " + escaped
	}

	if raw[len(raw)-1] == ' ' {
		escaped += " "
	}
	return escaped
}

var mdStartRE = text.LazyRegexp(`^(\d{1,9})([.)])(?:\s|$)`)

// md escapes a text that begins a line, where a few more characters mean something.
func md(s string) string {
	escaped := text.Markdown(s)
	if m := mdStartRE().FindStringSubmatchIndex(escaped); m != nil {
		return escaped[:m[4]] + `\` + escaped[m[4]:]
	}

	if escaped != "" && strings.ContainsRune("+-=", rune(escaped[0])) {
		return `\` + escaped
	}
	return escaped
}
