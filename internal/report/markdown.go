package report

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"dossier/internal/lazy"
	"dossier/internal/plaintext"
)

// Markdown writes the document as Markdown (GitHub's tables). Diagrams are written as tables.
func (d document) Markdown(w io.Writer) error {
	m := &markdown{}
	m.line("# " + md(d.name))
	m.line("")
	m.line(md(strings.Join(d.meta, " · ")))
	m.section(d.lead)
	for _, warning := range d.warnings {
		m.line("")
		m.line("> **Note:** " + mdLine(warning))
	}
	for _, s := range d.sections {
		m.section(s)
	}
	_, err := w.Write(m.b.Bytes())
	return err
}

type markdown struct{ b bytes.Buffer }

func (m *markdown) line(s string) {
	m.b.WriteString(s)
	m.b.WriteByte('\n')
}

func (m *markdown) section(s section) {
	m.line("")
	m.line("## " + md(s.title))
	for _, b := range s.blocks {
		m.block(b)
	}
}

func (m *markdown) block(b block) {
	m.line("")
	switch b.kind {
	case blockHeading:
		m.line("### " + mdLine(b.line))
	case blockParagraph:
		m.line(mdLine(b.line))
	case blockRemark:
		m.line("> " + mdLine(b.line))
	case blockCode:
		m.code(b.line)
	case blockList:
		for _, item := range b.items {
			m.line("- " + mdLine(item))
		}
	case blockTable:
		m.table(b.table)
	case blockFigure:
		m.figure(b.figure)
	case blockReferences:
		for _, ref := range b.refs {
			m.line(fmt.Sprintf("%d. %s", ref.number, mdLine(ref.line)))
		}
	case blockFacts:
		m.facts(b.facts)
	case blockCard:
		m.line("#### " + mdLine(b.card.title))
		m.line("")
		for _, badge := range b.card.badges {
			m.line("- " + mdLine([]inline{badge}))
		}
		m.facts(b.card.facts)
	}
}

func (m *markdown) facts(facts []fact) {
	for _, f := range facts {
		m.line(strings.TrimSpace("- **" + plaintext.Markdown(f.name) + ":** " + mdLine(f.line)))
		for _, item := range f.items {
			m.line("  - " + mdLine(item))
		}
	}
}

// code indents, which nothing in the text can end.
func (m *markdown) code(line []inline) {
	for _, l := range strings.Split(line[0].text, "\n") {
		m.line("    " + plaintext.Line(l))
	}
}

func (m *markdown) table(t *table) {
	heads, rules := []string{}, []string{}
	for _, c := range t.head {
		heads = append(heads, md(c.title))
		if c.number {
			rules = append(rules, "---:")
		} else {
			rules = append(rules, "---")
		}
	}
	m.row(heads)
	m.row(rules)
	for _, row := range t.rows {
		cells := []string{}
		for _, cell := range row {
			cells = append(cells, mdLine(cell))
		}
		m.row(cells)
	}
}

func (m *markdown) row(cells []string) { m.line("| " + strings.Join(cells, " | ") + " |") }

func (m *markdown) figure(d *drawing) {
	m.row([]string{md(d.title), ""})
	m.row([]string{"---", "---"})
	for _, r := range d.rows {
		m.row([]string{md(r[0]), md(r[1])})
	}
}

// mdLine writes a run of inlines.
func mdLine(line []inline) string {
	var b strings.Builder
	for i, in := range line {
		escaped := plaintext.Markdown(in.text)
		if i == 0 {
			escaped = md(in.text)
		}
		switch {
		case in.refs != nil:
			b.WriteString(`\[` + numbersText(in.refs) + `\]`)
		case in.doubt != "":
			b.WriteString("**" + strings.TrimSpace(escaped) + "** *(unverified: " + plaintext.Markdown(in.doubt) + ")*")
		case in.link != "":
			if before, ends := strings.CutSuffix(b.String(), "!"); ends { // an exclamation mark would make an image of the link
				b.Reset()
				b.WriteString(before + `\!`)
			}
			b.WriteString("[" + escaped + "](<" + plaintext.MarkdownAddress(in.link) + ">)")
		case in.bold, in.badge == toneGood, in.badge == toneWarn:
			b.WriteString("**" + strings.TrimSpace(escaped) + "**" + strings.Repeat(" ", len(in.text)-len(strings.TrimRight(in.text, " "))))
		default:
			b.WriteString(edges(in.text, escaped))
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

var mdStartRE = lazy.Regexp(`^(\d{1,9})([.)])(?:\s|$)`)

// md escapes a text that begins a line, where a few more characters mean something.
func md(s string) string {
	escaped := plaintext.Markdown(s)
	if m := mdStartRE().FindStringSubmatchIndex(escaped); m != nil {
		return escaped[:m[4]] + `\` + escaped[m[4]:]
	}
	if escaped != "" && strings.ContainsRune("+-=", rune(escaped[0])) {
		return `\` + escaped
	}
	return escaped
}

// numbersText is "1, 2, 5".
func numbersText(numbers []int) string {
	parts := make([]string, len(numbers))
	for i, n := range numbers {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ", ")
}
