package document

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"dossier/internal/catalogue"
)

// part is a part of a Word document.
func part(t *testing.T, doc Document, name string) string {
	t.Helper()
	var b bytes.Buffer
	if err := doc.DOCX(&b); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestLanguageOfDocuments: a document says which language it is in, and which parts of it are not.
func TestLanguageOfDocuments(t *testing.T) {
	for tag, want := range map[string]struct{ word, html, original string }{
		"en": {`w:val="en-GB"`, `<html lang="en">`, "<p>A title</p>"},
		"de": {`w:val="de-DE"`, `<html lang="de">`, `<p><span lang="en">A title</span></p>`},
		"zh": {`w:val="zh-CN"`, `<html lang="zh">`, `<p><span lang="en">A title</span></p>`},
	} {
		say, err := catalogue.In(tag)
		if err != nil {
			t.Fatal(err)
		}
		doc := Document{Say: say, Lead: Section{Blocks: []Block{Paragraph([]Inline{{Text: "A title", Original: true}})}}}
		if styles := part(t, doc, "word/styles.xml"); !strings.Contains(styles, want.word) {
			t.Errorf("%s: the styles are not in %s", tag, want.word)
		}
		marked := strings.Contains(part(t, doc, "word/document.xml"), `<w:lang w:val="en-GB"/>`)
		if marked != (tag != "en") {
			t.Errorf("%s: Word is told that the title is English: %v", tag, marked)
		}
		var page bytes.Buffer
		if err := doc.HTML(&page); err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{want.html, want.original} {
			if !strings.Contains(page.String(), part) {
				t.Errorf("%s: the page has no %s", tag, part)
			}
		}
	}
}

// TestDiagramInLettersWithoutGlyphs: Word gets a diagram as a table where the built-in font has no such letters.
func TestDiagramInLettersWithoutGlyphs(t *testing.T) {
	for label, drawn := range map[string]bool{"Études observationnelles": true, "Übersicht": true, "筛选的文献": false} {
		doc := Document{Lead: Section{Blocks: []Block{{Figure: FlowDiagram("flow", "a", [][2]Box{{{Head: label}, {}}})}}}}
		written := part(t, doc, "word/document.xml")
		if strings.Contains(written, "<w:drawing>") != drawn || strings.Contains(written, "<w:tbl>") == drawn {
			t.Errorf("%s: drawn is %v", label, !drawn)
		}
	}
}

func TestWrapByWidth(t *testing.T) {
	for text, want := range map[string]int{"": 1, "abcdefgh ijkl": 2, "筛选的文献": 2, "筛选 的": 1} {
		if got := wrap(text, 8*glyphWidth); len(got) != want {
			t.Errorf("%q takes %d lines, not %d: %q", text, len(got), want, got)
		}
		for _, line := range wrap(text, 8*glyphWidth) {
			if columns([]rune(line)) > 8 {
				t.Errorf("%q is too wide", line)
			}
		}
	}
}
