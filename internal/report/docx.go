package report

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Sizes of the page, in twentieths of a point: A4 with margins of 2 cm.
const (
	docxPageWidth  = 11906
	docxPageHeight = 16838
	docxMargin     = 1134
	docxTextWidth  = docxPageWidth - 2*docxMargin
	emuPerTwip     = 635
)

// docx writes the document as a Word document (Office Open XML, transitional): styles for headings, tables with repeated heads,
// numbered references that the text leads to, and the diagrams as pictures. The same document gives the same bytes.
func (doc document) DOCX(w io.Writer) error {
	letters, err := newLettering()
	if err != nil {
		return fmt.Errorf("write %q as DOCX: %w", doc.name, err)
	}
	d := &docx{letters: letters}
	if err := d.body(doc); err != nil {
		return fmt.Errorf("write %q as DOCX: %w", doc.name, err)
	}
	var b bytes.Buffer
	if err := d.pack(&b, doc); err != nil {
		return fmt.Errorf("write %q as DOCX: %w", doc.name, err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// docx is a document being made: its text, and what the text refers to.
type docx struct {
	letters  *lettering
	b        bytes.Buffer
	links    []string // targets of external links, in order of first use
	linkIDs  map[string]int
	pictures [][]byte
}

func (d *docx) body(doc document) error {
	d.linkIDs = map[string]int{}
	d.paragraph("Subtitle", text(doc.subtitle))
	d.paragraph("Title", text(doc.title))
	d.paragraph("Meta", text(strings.Join(doc.meta, " · ")))
	if err := d.section(doc.lead); err != nil {
		return err
	}
	for _, warning := range doc.warnings {
		d.paragraph("Warning", warning)
	}
	for _, s := range doc.sections {
		if err := d.section(s); err != nil {
			return err
		}
	}
	return nil
}

func (d *docx) section(s section) error {
	d.paragraph("Heading1", text(s.title))
	for _, b := range s.blocks {
		if err := d.block(b); err != nil {
			return err
		}
	}
	return nil
}

func (d *docx) block(b block) error {
	switch b.kind {
	case blockHeading:
		d.paragraph("Heading2", b.line)
	case blockParagraph:
		d.paragraph("", b.line)
	case blockRemark:
		d.paragraph("Remark", b.line)
	case blockCode:
		d.paragraph("Code", b.line)
	case blockList:
		for _, item := range b.items {
			d.paragraph("ListBullet", item)
		}
	case blockTable:
		d.table(b.table)
	case blockFigure:
		return d.figure(b.figure)
	case blockReferences:
		for _, ref := range b.refs {
			d.reference(ref)
		}
	case blockFacts:
		d.facts(b.facts, "Brief")
	case blockCard:
		d.paragraph("Heading3", b.card.title)
		var badges []inline
		for _, badge := range b.card.badges {
			badges = append(badges, badge, inline{text: "   "})
		}
		d.paragraph("Fact", badges)
		d.facts(b.card.facts, "Fact")
	}
	return nil
}

func (d *docx) facts(facts []fact, style string) {
	for _, f := range facts {
		d.paragraph(style, append([]inline{{text: f.name + ": ", bold: true}}, f.line...))
		for _, item := range f.items {
			d.paragraph("FactItem", item)
		}
	}
}

func (d *docx) paragraph(style string, line []inline) {
	d.b.WriteString("<w:p>")
	if style != "" {
		fmt.Fprintf(&d.b, `<w:pPr><w:pStyle w:val="%s"/></w:pPr>`, style)
	}
	d.line(line)
	d.b.WriteString("</w:p>")
}

func (d *docx) line(line []inline) {
	for _, in := range line {
		switch {
		case in.refs != nil:
			d.citations(in.refs)
		case in.doubt != "":
			d.run(in.text, `<w:rStyle w:val="Unverified"/>`)
			d.run(" [unverified: "+in.doubt+"]", `<w:rStyle w:val="UnverifiedNote"/>`)
		case in.link != "":
			d.link(in.text, in.link)
		case in.badge == toneWarn:
			d.run(in.text, `<w:rStyle w:val="UnverifiedNote"/>`)
		case in.badge != "" && in.badge != tonePlain:
			d.run(in.text, `<w:rStyle w:val="Badge"/>`)
		case in.soft:
			d.run(in.text, `<w:rStyle w:val="Beside"/>`)
		case in.bold:
			d.run(in.text, "<w:b/>")
		default:
			d.run(in.text, "")
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

func (d *docx) link(s, target string) {
	id, ok := d.linkIDs[target]
	if !ok {
		d.links = append(d.links, target)
		id = len(d.links)
		d.linkIDs[target] = id
	}
	fmt.Fprintf(&d.b, `<w:hyperlink r:id="link%d" w:history="1">`, id)
	d.run(s, `<w:rStyle w:val="Hyperlink"/>`)
	d.b.WriteString("</w:hyperlink>")
}

// reference is a paragraph of the numbered list. Word makes the number; the bookmark is what citations lead to.
func (d *docx) reference(ref entry) {
	fmt.Fprintf(&d.b, `<w:p><w:pPr><w:pStyle w:val="Reference"/></w:pPr><w:bookmarkStart w:id="%d" w:name="ref%d"/>`, ref.number, ref.number)
	d.line(ref.line)
	fmt.Fprintf(&d.b, `<w:bookmarkEnd w:id="%d"/>`, ref.number)
	d.b.WriteString("</w:p>")
}

func (d *docx) table(t *table) {
	if !t.quiet {
		d.paragraph("Caption", text(t.caption))
	}
	widths := t.widths()
	fmt.Fprintf(&d.b, `<w:tbl><w:tblPr><w:tblStyle w:val="Evidence"/><w:tblW w:w="%d" w:type="dxa"/><w:tblLayout w:type="fixed"/><w:tblLook w:val="0420" w:firstRow="1" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/></w:tblPr><w:tblGrid>`, docxTextWidth)
	for _, width := range widths {
		fmt.Fprintf(&d.b, `<w:gridCol w:w="%d"/>`, width)
	}
	d.b.WriteString("</w:tblGrid>")
	head := make([][]inline, len(t.head))
	for i, c := range t.head {
		head[i] = text(c.title)
	}
	d.row(t, widths, head, `<w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>`)
	for _, row := range t.rows {
		d.row(t, widths, row, `<w:trPr><w:cantSplit/></w:trPr>`)
	}
	d.b.WriteString("</w:tbl>")
	d.paragraph("AfterTable", nil)
}

func (t *table) widths() []int {
	total := 0
	for _, c := range t.head {
		total += c.share
	}
	widths := make([]int, len(t.head))
	for i, c := range t.head {
		widths[i] = docxTextWidth * c.share / total
	}
	return widths
}

func (d *docx) row(t *table, widths []int, cells [][]inline, properties string) {
	d.b.WriteString("<w:tr>" + properties)
	for i, cell := range cells {
		style := "Cell"
		if t.head[i].number {
			style = "NumberCell"
		}
		fmt.Fprintf(&d.b, `<w:tc><w:tcPr><w:tcW w:w="%d" w:type="dxa"/></w:tcPr>`, widths[i])
		d.paragraph(style, cell)
		d.b.WriteString("</w:tc>")
	}
	d.b.WriteString("</w:tr>")
}

// figure places a picture over the width of the text, with the diagram's description as its alternative text.
func (d *docx) figure(f *drawing) error {
	picture, err := f.picture(d.letters)
	if err != nil {
		return err
	}
	d.pictures = append(d.pictures, picture)
	n := len(d.pictures)
	width := docxTextWidth * emuPerTwip
	height := int(float64(width) * f.height / f.width)
	fmt.Fprintf(&d.b, `<w:p><w:pPr><w:pStyle w:val="Figure"/></w:pPr><w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="%d" cy="%d"/><wp:docPr id="%d" name="%s" title="%s" descr="%s"/>`+
		`<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="%d" name="%s"/><pic:cNvPicPr/></pic:nvPicPr>`+
		`<pic:blipFill><a:blip r:embed="picture%d"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="%d" cy="%d"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`,
		width, height, n, f.name, xmlText(f.title), xmlText(f.desc), n, f.name, n, width, height)
	return nil
}

// pack puts the parts into a zip file, all with the same time, in a fixed order.
func (d *docx) pack(w io.Writer, doc document) error {
	z := zip.NewWriter(w)
	parts := []struct {
		name string
		data []byte
	}{
		{"[Content_Types].xml", []byte(docxContentTypes)},
		{"_rels/.rels", []byte(docxRootRels)},
		{"docProps/core.xml", []byte(doc.coreProperties())},
		{"docProps/app.xml", []byte(docxApp)},
		{"word/document.xml", d.document()},
		{"word/_rels/document.xml.rels", []byte(d.relations())},
		{"word/styles.xml", []byte(docxStyles)},
		{"word/numbering.xml", []byte(docxNumbering)},
		{"word/settings.xml", []byte(docxSettings)},
		{"word/footer1.xml", []byte(doc.pageFooter())},
	}
	for i, p := range d.pictures {
		parts = append(parts, struct {
			name string
			data []byte
		}{fmt.Sprintf("word/media/picture%d.png", i+1), p})
	}
	for _, p := range parts {
		method := zip.Deflate
		if strings.HasSuffix(p.name, ".png") {
			method = zip.Store // packed already
		}
		f, err := z.CreateHeader(&zip.FileHeader{Name: p.name, Method: method, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return fmt.Errorf("begin the part %s: %w", p.name, err)
		}
		if _, err := f.Write(p.data); err != nil {
			return fmt.Errorf("write the part %s: %w", p.name, err)
		}
	}
	return z.Close()
}

func (d *docx) document() []byte {
	var b bytes.Buffer
	b.WriteString(xmlHead + docxOpen)
	b.Write(d.b.Bytes())
	fmt.Fprintf(&b, `<w:sectPr><w:footerReference w:type="default" r:id="footer1"/><w:pgSz w:w="%d" w:h="%d"/><w:pgMar w:top="%d" w:right="%d" w:bottom="%d" w:left="%d" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr></w:body></w:document>`,
		docxPageWidth, docxPageHeight, docxMargin, docxMargin, docxMargin, docxMargin)
	return b.Bytes()
}

func (d *docx) relations() string {
	var b strings.Builder
	b.WriteString(xmlHead + docxDocRels)
	for i := range d.pictures {
		fmt.Fprintf(&b, `<Relationship Id="picture%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/picture%d.png"/>`, i+1, i+1)
	}
	for i, target := range d.links {
		fmt.Fprintf(&b, `<Relationship Id="link%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="%s" TargetMode="External"/>`, i+1, xmlText(target))
	}
	b.WriteString("</Relationships>")
	return b.String()
}

// coreProperties dates the document by the answer, not by the clock.
func (doc document) coreProperties() string {
	at := doc.built.UTC().Format(time.RFC3339)
	return xmlHead + `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` +
		`<dc:title>` + xmlText(doc.name) + `</dc:title><dc:creator>` + xmlText(doc.creator) + `</dc:creator>` +
		`<dcterms:created xsi:type="dcterms:W3CDTF">` + at + `</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">` + at + `</dcterms:modified></cp:coreProperties>`
}

func (doc document) pageFooter() string {
	field := func(code string) string {
		return `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ` + code + ` </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
	}
	return xmlHead + `<w:ftr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:p><w:pPr><w:pStyle w:val="Footer"/></w:pPr><w:r><w:t xml:space="preserve">` + xmlText(doc.footer) +
		`</w:t></w:r><w:r><w:tab/></w:r>` + field("PAGE") + `<w:r><w:t xml:space="preserve"> / </w:t></w:r>` + field("NUMPAGES") + `</w:p></w:ftr>`
}
