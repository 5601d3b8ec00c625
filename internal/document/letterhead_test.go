package document

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"image"
	"image/color"
	"image/png"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dossier/internal/document/documenttest"
)

func housed(t *testing.T, said string) Document {
	t.Helper()
	var logo bytes.Buffer
	if err := png.Encode(&logo, image.NewPaletted(image.Rect(0, 0, 300, 60), color.Palette{color.Black})); err != nil {
		t.Fatal(err)
	}
	return Document{Title: "A question", Footer: "topic · 2026-11-27", Lead: Section{ID: "brief", Title: "In brief"},
		Letterhead: &Letterhead{Logo: &Picture{PNG: logo.Bytes(), Width: 300, Height: 60, Alt: said},
			Head: [][]Inline{{{Text: said, Bold: true}}, {{Text: "Board"}}},
			Foot: [][]Inline{{{Text: said}, {Text: "more", Link: "https://a.example"}}}}}
}

// TestLetterheadAsksForNothing: whatever head and foot say, a page holds what it did before and the logo, its policy
// lets in its own style alone, and Word finds all parts.
func TestLetterheadAsksForNothing(t *testing.T) {
	for _, said := range append(slices.Clone(documenttest.HostileTexts), `"}</style><script>alert(1)</script>`, "a\nb\\") {
		d := housed(t, said)
		page := documenttest.Written(t, d.HTML)
		documenttest.CheckHTML(t, page)
		style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindSubmatch(page)[1]
		sum := sha256.Sum256(style)
		want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; base-uri 'none'; form-action 'none'; img-src data:"
		if d.Policy() != want || !strings.Contains(html.UnescapeString(string(page)), want) {
			t.Errorf("the policy is %s, want %s", d.Policy(), want)
		}
		if ends := regexp.MustCompile(`["{}<>]`).FindAll(style[len(Stylesheet()):], -1); len(ends) != 6 {
			t.Errorf("the foot's style is %s", style[len(Stylesheet()):])
		}
		documenttest.CheckDOCX(t, documenttest.Written(t, d.DOCX))
		documenttest.CheckMarkdown(t, documenttest.Written(t, d.Markdown), 1)
	}
}

// TestLetterheadStandsOnPaper: logo and head on the first page, foot and page numbers on all; without a letterhead
// nothing is there.
func TestLetterheadStandsOnPaper(t *testing.T) {
	d := housed(t, "Klinikum")
	parts := documenttest.Parts(t, documenttest.Written(t, d.DOCX))
	for part, wanted := range map[string][]string{
		"word/header1.xml": {"Klinikum", `r:embed="logo"`, `cx="2160000" cy="432000"`},
		"word/footer1.xml": {"Klinikum", "topic · 2026-11-27", "NUMPAGES", `r:id="link1"`},
		"word/document.xml": {`<w:headerReference w:type="first" r:id="header1"/>`, `<w:titlePg/>`,
			`<w:footerReference w:type="first" r:id="footer1"/>`, `<w:footerReference w:type="default" r:id="footer1"/>`},
		"[Content_Types].xml":         {"/word/header1.xml"},
		"word/_rels/header1.xml.rels": {"media/logo.png"},
	} {
		for _, want := range wanted {
			if !strings.Contains(parts[part], want) {
				t.Errorf("%s lacks %q: %s", part, want, parts[part])
			}
		}
	}
	if !bytes.Equal(documenttest.Written(t, d.DOCX), documenttest.Written(t, d.DOCX)) {
		t.Error("the same document gives other bytes")
	}
	page := string(documenttest.Written(t, d.HTML))
	if !strings.Contains(page, `@bottom-left{content:"Klinikummore\A topic \B7  2026\2D 11\2D 27"`) {
		t.Error("the foot is not at the bottom of the printed pages")
	}
	if md := string(documenttest.Written(t, d.Markdown)); !strings.HasPrefix(md, "**Klinikum**\n\nBoard\n\n# ") ||
		!strings.HasSuffix(md, "\n---\n\nKlinikum[more](<https://a.example>)\n") {
		t.Errorf("the Markdown is %s", md)
	}
	d.Letterhead = nil
	for name, write := range map[string]func(io.Writer) error{"HTML": d.HTML, "DOCX": d.DOCX, "Markdown": d.Markdown} {
		written := string(documenttest.Written(t, write))
		for _, not := range []string{"<footer", "letterhead\"", "img-src", "header1", "titlePg", "\n---"} {
			if strings.Contains(written, not) {
				t.Errorf("%s without a letterhead has %q", name, not)
			}
		}
	}
}
