package document

import (
	"bytes"
	"io"
	"testing"

	"dossier/internal/document/documenttest"
)

// documentOf holds the text where a document may hold one: in each kind of block once, with each kind of inline; or,
// with a place above 0, in that one of the blocks alone.
func documentOf(s string, place int) Document {
	line := []Inline{{Text: s}, {Text: s, Bold: true}, {Text: s, Soft: true}, {Text: s, Link: "https://doi.org/10.5555/x"},
		{Refs: []int{1}},
		{Text: s, Badge: ToneWarn}, {Text: s, Doubt: s}}
	facts := []Fact{{Name: s, Line: Text(s), Items: [][]Inline{Text(s)}, Tone: ToneWarn}}
	makers := []func() Block{
		func() Block { return Heading(s) }, func() Block { return Paragraph(line) }, func() Block { return Remark(Text(s)) },
		func() Block { return Code(s) },
		func() Block { return Block{Items: [][]Inline{Text(s)}} },
		func() Block { return Block{Card: &Card{Title: Text(s), Badges: line[5:6], Facts: facts}} },
		func() Block { return Block{Facts: facts} },
		func() Block {
			head := []Column{{Title: s, Share: 1}}
			return Block{Table: &Table{Caption: s, Head: head, Rows: [][][]Inline{{Text(s)}}}}
		},
		func() Block {
			return Block{Refs: []Reference{{1, []Inline{{Text: s}, {Text: s, Link: "https://doi.org/10.5555/x"}}}}}
		},
	}
	if place %= len(makers) + 1; place > 0 {
		return Document{
			Name: "A title", Short: "A title", Title: "A title", Subtitle: "Evidence report",
			Lead:     Section{ID: "brief", Title: "In brief", Blocks: []Block{Remark(Text("A brief."))}},
			Sections: []Section{{ID: "all", Title: "All", Blocks: []Block{makers[place-1]()}}},
		}
	}
	var blocks []Block
	for _, make := range makers {
		blocks = append(blocks, make())
	}
	return Document{
		Name: s, Short: s, Title: s, Subtitle: "Evidence report", Meta: []string{s}, Warnings: [][]Inline{Text(s)},
		Lead:     Section{ID: "brief", Title: "In brief", Blocks: []Block{{Facts: facts}}},
		Sections: []Section{{ID: "all", Title: s, Blocks: blocks}},
	}
}

// fuzzFormat gives any text to what all formats are made of, in most runs to one block of it, which takes a tenth of
// the time of all; the tests of reports have it in whole reports, which take too long for many inputs.
func fuzzFormat(f *testing.F, check func(t *testing.T, d Document)) {
	for _, text := range documenttest.HostileTexts {
		f.Add(text, byte(0))
	}
	f.Fuzz(func(t *testing.T, text string, place byte) {
		if len(text) <= 400 {
			check(t, documentOf(text, int(place)))
		}
	})
}

func FuzzHTML(f *testing.F) {
	fuzzFormat(f, func(t *testing.T, d Document) {
		page := documenttest.Written(t, func(w io.Writer) error { return d.HTML(w) })
		// which is always the same, and most of a page
		documenttest.CheckHTML(t, bytes.Replace(page, []byte(pageStyle+drawingStyle), nil, 1))
	})
}

func FuzzMarkdown(f *testing.F) {
	fuzzFormat(f, func(t *testing.T, d Document) {
		documenttest.CheckMarkdown(t, documenttest.Written(t, func(w io.Writer) error { return d.Markdown(w) }), 2)
	})
}

func FuzzDOCX(f *testing.F) {
	fuzzFormat(f, func(t *testing.T, d Document) { documenttest.CheckXML(t, "document.xml", documentXML(d)) })
}

// documentXML is the text of the DOCX file without its pictures, which are slow to draw and hold nothing of a
// stranger's.
func documentXML(laidOut Document) []byte {
	d := &docx{linkIDs: map[string]int{}}
	for _, s := range append([]Section{laidOut.Lead}, laidOut.Sections...) {
		for _, b := range s.Blocks {
			if b.Figure == nil {
				d.block(b)
			}
		}
	}
	return d.document(newAround(nil, laidOut))
}
