package document

import (
	"archive/zip"
	"bytes"
	"embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"dossier/internal/catalogue"
	plaintext "dossier/internal/text"
)

// Sizes of the page, in twentieths of a point: A4 with margins of 2 cm.
const (
	docxPageWidth  = 11906
	docxPageHeight = 16838
	docxMargin     = 1134
	docxTextWidth  = docxPageWidth - 2*docxMargin
	emuPerTwip     = 635
)

// DOCX writes the document as a Word document (Office Open XML, transitional): styles for headings, tables with
// repeated heads, numbered references that the text leads to, and the diagrams as pictures. The same document gives the
// same bytes.
func (doc Document) DOCX(w io.Writer) error {
	letters, err := newLettering()
	if err != nil {
		return fmt.Errorf("write %q as DOCX: %w", doc.Name, err)
	}
	d := &docx{letters: letters, say: doc.Say}
	d.body(doc)

	if d.err != nil {
		return fmt.Errorf("write %q as DOCX: %w", doc.Name, d.err)
	}

	var b bytes.Buffer
	if err := d.pack(&b, doc, newAround(letters, doc)); err != nil {
		return fmt.Errorf("write %q as DOCX: %w", doc.Name, err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// docx is a document being made: its text, and what the text refers to.
type docx struct {
	letters  *lettering
	say      *catalogue.Say
	b        bytes.Buffer
	links    []string // targets of external links, in order of first use
	linkIDs  map[string]int
	pictures [][]byte
	err      error // why a picture could not be drawn
}

func (d *docx) body(doc Document) {
	d.linkIDs = map[string]int{}
	d.paragraph("Subtitle", Text(doc.Subtitle))
	d.paragraph("Title", Text(doc.Title))
	d.paragraph("Meta", Text(strings.Join(doc.Meta, " · ")))
	d.section(doc.Lead)

	for _, warning := range doc.Warnings {
		d.paragraph("Warning", warning)
	}

	for _, s := range doc.Sections {
		d.section(s)
	}
}

func (d *docx) section(s Section) {
	if s.NewPage {
		d.b.WriteString(`<w:p><w:pPr><w:pStyle w:val="Heading1"/><w:pageBreakBefore/></w:pPr>`)
		d.line(Text(s.Title))
		d.b.WriteString("</w:p>")
	} else {
		d.paragraph("Heading1", Text(s.Title))
	}

	for _, b := range s.Blocks {
		d.block(b)
	}
}

func (d *docx) block(b Block) {
	switch {
	case b.Style == styleHeading:
		d.paragraph("Heading2", b.Line)
	case b.Style == styleParagraph:
		d.paragraph("", b.Line)
	case b.Style == styleRemark:
		d.paragraph("Remark", b.Line)
	case b.Style == styleCode:
		d.paragraph("Code", b.Line)
	case b.Items != nil:
		for _, item := range b.Items {
			d.paragraph("ListBullet", item)
		}
	case b.Table != nil:
		d.table(b.Table)
	case b.Figure != nil:
		d.figure(b.Figure)
	case b.Refs != nil:
		for _, ref := range b.Refs {
			// Word makes the number; the bookmark is what citations lead to.
			fmt.Fprintf(&d.b, `<w:p><w:pPr><w:pStyle w:val="Reference"/></w:pPr><w:bookmarkStart w:id="%d" w:name="ref%d"/>`,
				ref.Number, ref.Number)
			d.line(ref.Line)
			fmt.Fprintf(&d.b, `<w:bookmarkEnd w:id="%d"/>`, ref.Number)
			d.b.WriteString("</w:p>")
		}
	case b.Facts != nil:
		d.facts(b.Facts, "Brief")
	case b.Card != nil:
		d.paragraph("Heading3", b.Card.Title)

		var badges []Inline
		for _, badge := range b.Card.Badges {
			badges = append(badges, badge, Inline{Text: "   "})
		}
		d.paragraph("Fact", badges)
		d.facts(b.Card.Facts, "Fact")
	}
}

func (d *docx) facts(facts []Fact, style string) {
	for _, f := range facts {
		d.paragraph(style, append([]Inline{{Text: f.Name + d.say.Word(": "), Bold: true}}, f.Line...))

		for _, item := range f.Items {
			d.paragraph("FactItem", item)
		}
	}
}

func (d *docx) paragraph(style string, line []Inline) {
	d.b.WriteString("<w:p>")

	if style != "" {
		fmt.Fprintf(&d.b, `<w:pPr><w:pStyle w:val="%s"/></w:pPr>`, style)
	}
	d.line(line)
	d.b.WriteString("</w:p>")
}

func (d *docx) line(line []Inline) {
	for _, in := range line {
		language := ""
		if in.Original && !d.say.IsEnglish() {
			language = `<w:lang w:val="en-GB"/>`
		}

		switch {
		case in.Refs != nil:
			d.citations(in.Refs)
		case in.Doubt != "":
			d.run(in.Text, `<w:rStyle w:val="Unverified"/>`+language)
			d.run(" ["+d.say.Text("unverified: %s", in.Doubt)+"]", `<w:rStyle w:val="UnverifiedNote"/>`)
		case in.Link != "":
			d.link(in.Text, in.Link, language)
		case in.Badge == ToneWarn:
			d.run(in.Text, `<w:rStyle w:val="UnverifiedNote"/>`)
		case in.Badge != "" && in.Badge != TonePlain:
			d.run(in.Text, `<w:rStyle w:val="Badge"/>`)
		case in.Soft:
			d.run(in.Text, `<w:rStyle w:val="Beside"/>`+language)
		case in.Bold:
			d.run(in.Text, "<w:b/>")
		default:
			d.run(in.Text, language)
		}
	}
}

// run writes text; its lines are parted by breaks.
func (d *docx) run(s, properties string) {
	if s == "" {
		return
	}
	d.b.WriteString("<w:r>")

	if properties != "" {
		d.b.WriteString("<w:rPr>" + properties + "</w:rPr>")
	}

	for i, l := range strings.Split(s, "\n") {
		if i > 0 {
			d.b.WriteString("<w:br/>")
		}
		d.b.WriteString(`<w:t xml:space="preserve">` + xmlText(l) + "</w:t>")
	}
	d.b.WriteString("</w:r>")
}

// citations are numbers in brackets that lead to the list of references.
func (d *docx) citations(numbers []int) {
	d.run("[", "")

	for i, n := range numbers {
		if i > 0 {
			d.run(", ", "")
		}
		fmt.Fprintf(&d.b, `<w:hyperlink w:anchor="ref%d" w:history="1">`, n)
		d.run(strconv.Itoa(n), `<w:rStyle w:val="Hyperlink"/>`)
		d.b.WriteString("</w:hyperlink>")
	}
	d.run("]", "")
}

func (d *docx) link(s, target, language string) {
	id, ok := d.linkIDs[target]
	if !ok {
		d.links = append(d.links, target)
		id = len(d.links)
		d.linkIDs[target] = id
	}
	fmt.Fprintf(&d.b, `<w:hyperlink r:id="link%d" w:history="1">`, id)
	d.run(s, `<w:rStyle w:val="Hyperlink"/>`+language)
	d.b.WriteString("</w:hyperlink>")
}

func (d *docx) table(t *Table) {
	if !t.Quiet {
		d.paragraph("Caption", Text(t.Caption))
	}
	widths := t.widths()
	fmt.Fprintf(&d.b,
		`<w:tbl><w:tblPr><w:tblStyle w:val="Evidence"/><w:tblW w:w="%d" w:type="dxa"/><w:tblLayout w:type="fixed"/><w:tblLook w:val="0420" w:firstRow="1" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/></w:tblPr><w:tblGrid>`, docxTextWidth)

	for _, width := range widths {
		fmt.Fprintf(&d.b, `<w:gridCol w:w="%d"/>`, width)
	}
	d.b.WriteString("</w:tblGrid>")
	head := plaintext.Each(t.Head, func(c Column) []Inline { return Text(c.Title) })
	d.row(t, widths, head, `<w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>`)

	for _, row := range t.Rows {
		d.row(t, widths, row, `<w:trPr><w:cantSplit/></w:trPr>`)
	}
	d.b.WriteString("</w:tbl>")
	d.paragraph("AfterTable", nil)
}

func (t *Table) widths() []int {
	total := 0
	for _, c := range t.Head {
		total += c.Share
	}
	return plaintext.Each(t.Head, func(c Column) int { return docxTextWidth * c.Share / total })
}

func (d *docx) row(t *Table, widths []int, cells [][]Inline, properties string) {
	d.b.WriteString("<w:tr>" + properties)

	for i, cell := range cells {
		style := "Cell"
		if t.Head[i].Number {
			style = "NumberCell"
		}
		fmt.Fprintf(&d.b, `<w:tc><w:tcPr><w:tcW w:w="%d" w:type="dxa"/></w:tcPr>`, widths[i])
		d.paragraph(style, cell)
		d.b.WriteString("</w:tc>")
	}
	d.b.WriteString("</w:tr>")
}

// figure places a picture over the width of the text, with the diagram's description as its alternative text. A diagram
// in letters that the font does not have is written as a table.
func (d *docx) figure(f *Drawing) {
	if !d.letters.canLetter(f) {
		d.table(f.table())
		return
	}

	picture, err := f.picture(d.letters)
	if err != nil {
		d.err = err
		return
	}
	d.pictures = append(d.pictures, picture)
	n := len(d.pictures)
	width := docxTextWidth * emuPerTwip
	height := int(float64(width) * f.height / f.width)
	d.b.WriteString(`<w:p><w:pPr><w:pStyle w:val="Figure"/></w:pPr>` +
		inline(n, fmt.Sprintf("picture%d", n), f.name, f.title, f.desc, width, height) + "</w:p>")
}

// inline is a picture as a run of a line, by the id of its relation; its size is in EMU.
func inline(n int, relation, name, title, desc string, width, height int) string {
	return fmt.Sprintf(
		`<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="%d" cy="%d"/><wp:docPr id="%d" name="%s" title="%s" descr="%s"/>`+
			`<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="%d" name="%s"/><pic:cNvPicPr/></pic:nvPicPr>`+
			`<pic:blipFill><a:blip r:embed="%s"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="%d" cy="%d"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`,
		width, height, n, name, xmlText(title), xmlText(desc), n, name, relation, width, height)
}

// fixedParts are what is the same in every document: whole parts, and the beginnings of two (.head).
//
//go:embed docx
var fixedParts embed.FS

// fixedPart is one of them, which are all there is in the program: nothing can fail.
func fixedPart(name string) []byte {
	data, _ := fixedParts.ReadFile("docx/" + name)
	return data
}

// wordLanguages are the languages as Word names them.
var wordLanguages = map[string]string{"de": "de-DE", "fr": "fr-FR", "es": "es-ES", "it": "it-IT", "pt": "pt-BR",
	"zh": "zh-CN"}

// styles are those of all documents, with the document's language, in which Word checks what is written.
func (doc Document) styles() []byte {
	styles := fixedPart("styles.xml")
	if name := wordLanguages[doc.Say.Tag()]; name != "" {
		const english = `<w:lang w:val="en-GB" w:eastAsia="en-GB"`
		styles = bytes.Replace(styles, []byte(english), []byte(strings.ReplaceAll(english, "en-GB", name)), 1)
	}
	return styles
}

const xmlHead = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"

// zipPart is a file in the zip file that a document is.
type zipPart struct {
	name string
	data []byte
}

// pack puts the parts into a zip file, all with the same time, in a fixed order.
func (d *docx) pack(w io.Writer, doc Document, around *around) error {
	z := zip.NewWriter(w)
	parts := []zipPart{
		{"[Content_Types].xml", around.contentTypes()},
		{"_rels/.rels", fixedPart("package.rels")},
		{"docProps/core.xml", []byte(doc.coreProperties())},
		{"docProps/app.xml", fixedPart("app.xml")},
		{"word/document.xml", d.document(around)},
		{"word/_rels/document.xml.rels", []byte(d.relations(around))},
		{"word/styles.xml", doc.styles()},
		{"word/numbering.xml", fixedPart("numbering.xml")},
		{"word/settings.xml", fixedPart("settings.xml")},
	}

	parts = append(parts, around.parts()...)
	for i, p := range d.pictures {
		parts = append(parts, zipPart{fmt.Sprintf("word/media/picture%d.png", i+1), p})
	}

	for _, p := range parts {
		method := zip.Deflate
		if strings.HasSuffix(p.name, ".png") {
			method = zip.Store // packed already
		}

		f, err := z.CreateHeader(&zip.FileHeader{Name: p.name, Method: method, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0,
			time.UTC)})
		if err != nil {
			return fmt.Errorf("begin the part %s: %w", p.name, err)
		}

		if _, err := f.Write(p.data); err != nil {
			return fmt.Errorf("write the part %s: %w", p.name, err)
		}
	}
	return z.Close()
}

func (d *docx) document(around *around) []byte {
	var b bytes.Buffer
	b.Write(fixedPart("document.head"))
	b.Write(d.b.Bytes())
	b.WriteString("<w:sectPr>" + around.references())
	fmt.Fprintf(&b,
		`<w:pgSz w:w="%d" w:h="%d"/><w:pgMar w:top="%d" w:right="%d" w:bottom="%d" w:left="%d" w:header="567" w:footer="567" w:gutter="0"/>`+around.titlePage()+`</w:sectPr></w:body></w:document>`,
		docxPageWidth, docxPageHeight, docxMargin, docxMargin, docxMargin, docxMargin)
	return b.Bytes()
}

func (d *docx) relations(around *around) string {
	var b strings.Builder
	b.Write(fixedPart("document.rels.head"))
	b.WriteString(around.relation())

	for i := range d.pictures {
		fmt.Fprintf(&b,
			`<Relationship Id="picture%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/picture%d.png"/>`, i+1, i+1)
	}
	b.WriteString(d.linkRelations() + "</Relationships>")
	return b.String()
}

func (d *docx) linkRelations() string {
	var b strings.Builder
	for i, target := range d.links {
		fmt.Fprintf(&b,
			`<Relationship Id="link%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="%s" TargetMode="External"/>`, i+1, xmlText(target))
	}
	return b.String()
}

// coreProperties dates the document by the answer, not by the clock.
func (doc Document) coreProperties() string {
	at := doc.Built.UTC().Format(time.RFC3339)
	return xmlHead +
		`<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` +
		`<dc:title>` + xmlText(doc.Name) + `</dc:title><dc:creator>` + xmlText(doc.Creator) + `</dc:creator>` +
		`<dcterms:created xsi:type="dcterms:W3CDTF">` + at +
		`</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">` + at + `</dcterms:modified></cp:coreProperties>`
}
