package document

import (
	"bytes"
	"fmt"
	"strings"

	plaintext "dossier/internal/text"
)

// The most that a logo takes of a page, in millimetres.
const (
	logoHeight = 16
	logoWidth  = 60
	emuPerMM   = 36000
	twipsPerMM = 57
)

// around is what stands around a document's pages in Word: its foot on every one, and the head on the first.
type around struct {
	foot, head docx
	logo       *Picture
	hasHead    bool
}

func newAround(letters *lettering, doc Document) *around {
	part := func() docx { return docx{letters: letters, say: doc.Say, linkIDs: map[string]int{}} }

	a := &around{foot: part(), head: part()}
	if house := doc.Letterhead; house != nil {
		if len(house.Foot) > 0 {
			a.foot.paragraph("AfterTable", nil) // some room below the text
		}

		for _, line := range house.Foot {
			a.foot.paragraph("Footer", line)
		}

		a.logo = house.Logo
		if a.hasHead = a.logo != nil || len(house.Head) > 0; a.hasHead {
			a.makeHead(house.Head)
		}
	}
	a.foot.b.WriteString(pageNumbers(doc.Footer))
	return a
}

// makeHead puts the lines beside the logo.
func (a *around) makeHead(lines [][]Inline) {
	if a.logo == nil {
		for _, line := range lines {
			a.head.paragraph("Header", line)
		}
		return
	}
	scale := min(float64(logoHeight*emuPerMM)/float64(a.logo.Height), float64(logoWidth*emuPerMM)/float64(a.logo.Width))
	width, height := int(scale*float64(a.logo.Width)), int(scale*float64(a.logo.Height))
	left := width/emuPerTwip + 4*twipsPerMM
	b := &a.head.b
	cell := func(width int) {
		fmt.Fprintf(b, `<w:tc><w:tcPr><w:tcW w:w="%d" w:type="dxa"/><w:vAlign w:val="center"/></w:tcPr>`, width)
	}
	fmt.Fprintf(b, `<w:tbl><w:tblPr><w:tblW w:w="%d" w:type="dxa"/><w:tblLayout w:type="fixed"/><w:tblCellMar>`+
		`<w:left w:w="0" w:type="dxa"/></w:tblCellMar></w:tblPr><w:tblGrid><w:gridCol w:w="%d"/><w:gridCol w:w="%d"/>`+
		`</w:tblGrid><w:tr>`, docxTextWidth, left, docxTextWidth-left)
	cell(left)
	b.WriteString(`<w:p><w:pPr><w:pStyle w:val="Header"/></w:pPr>` +
		inline(1, "logo", "logo", a.logo.Alt, a.logo.Alt, width, height) + "</w:p></w:tc>")
	cell(docxTextWidth - left)

	for _, line := range lines {
		a.head.paragraph("Header", line)
	}

	if len(lines) == 0 { // a cell has to hold a paragraph
		a.head.paragraph("Header", nil)
	}
	b.WriteString("</w:tc></w:tr></w:tbl>")
	a.head.paragraph("AfterTable", nil)
}

// pageNumbers is the last line of every page: what the document is, and which page of how many.
func pageNumbers(said string) string {
	field := func(code string) string {
		char := func(kind string) string { return `<w:r><w:fldChar w:fldCharType="` + kind + `"/></w:r>` }
		return char("begin") + `<w:r><w:instrText xml:space="preserve"> ` + code + ` </w:instrText></w:r>` +
			char("separate") + `<w:r><w:t>1</w:t></w:r>` + char("end")
	}
	return `<w:p><w:pPr><w:pStyle w:val="Footer"/></w:pPr><w:r><w:t xml:space="preserve">` + xmlText(said) +
		`</w:t></w:r><w:r><w:tab/></w:r>` + field("PAGE") + `<w:r><w:t xml:space="preserve"> / </w:t></w:r>` +
		field("NUMPAGES") + `</w:p>`
}

// parts are those of the zip file that hold it; the fixed ones name the foot alone.
func (a *around) parts() []zipPart {
	parts := a.foot.asPart("footer1", "ftr", "")
	if !a.hasHead {
		return parts
	}

	logo := ""
	if a.logo != nil {
		logo = `<Relationship Id="logo" Type="` + wordRelations + `image" Target="media/logo.png"/>`
		parts = append(parts, zipPart{"word/media/logo.png", a.logo.PNG})
	}
	return append(parts, a.head.asPart("header1", "hdr", logo)...)
}

// asPart is what was written as a head or foot of its own, with the relations of what it refers to.
func (d *docx) asPart(name, element, relations string) []zipPart {
	var b bytes.Buffer
	before, after, _ := strings.Cut(string(fixedPart("document.head")), "<w:document")
	namespaces, _, _ := strings.Cut(after, "<w:body>")
	b.WriteString(before + "<w:" + element + namespaces)
	b.Write(d.b.Bytes())
	b.WriteString("</w:" + element + ">")

	parts := []zipPart{{"word/" + name + ".xml", b.Bytes()}}
	if relations += d.linkRelations(); relations != "" {
		parts = append(parts, zipPart{"word/_rels/" + name + ".xml.rels", []byte(xmlHead +
			`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + relations +
			"</Relationships>")})
	}
	return parts
}

const (
	wordTypes     = "application/vnd.openxmlformats-officedocument.wordprocessingml."
	wordRelations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
)

// contentTypes names the head among the parts, where there is one.
func (a *around) contentTypes() []byte {
	types := fixedPart("content_types.xml")
	if !a.hasHead {
		return types
	}
	head := `<Override PartName="/word/header1.xml" ContentType="` + wordTypes + `header+xml"/></Types>`
	return bytes.Replace(types, []byte("</Types>"), []byte(head), 1)
}

// relation is the document's to its head.
func (a *around) relation() string {
	if !a.hasHead {
		return ""
	}
	return `<Relationship Id="header1" Type="` + wordRelations + `header" Target="header1.xml"/>`
}

// references are the document's to head and foot. The first page has both, the others the foot.
func (a *around) references() string {
	foot := func(pages string) string { return `<w:footerReference w:type="` + pages + `" r:id="footer1"/>` }
	if !a.hasHead {
		return foot("default")
	}
	return plaintext.Join("", `<w:headerReference w:type="first" r:id="header1"/>`, foot("default"), foot("first"))
}

func (a *around) titlePage() string {
	if a.hasHead {
		return "<w:titlePg/>"
	}
	return ""
}
