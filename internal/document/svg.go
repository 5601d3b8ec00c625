package document

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"strconv"
	"strings"

	"dossier/internal/text"
)

//go:embed drawing.css
var drawingStyle string

// SVG draws the diagram. Classes carry the colours, so that a page can show it light and dark; nothing outside is
// referred to.
func (d *Drawing) SVG() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" class="dg" viewBox="0 0 %s %s" width="%s" height="%s" role="img" aria-labelledby="%s-title %s-desc">`,
		px(d.width), px(d.height), px(d.width), px(d.height), d.name, d.name)
	fmt.Fprintf(&b, `<title id="%s-title">%s</title><desc id="%s-desc">%s</desc>`, d.name, xmlText(d.title), d.name,
		xmlText(d.desc))

	for _, s := range d.shapes {
		s.svg(&b)
	}
	b.WriteString("</svg>")
	return b.Bytes()
}

func (s shape) svg(b *bytes.Buffer) {
	switch s.kind {
	case shapeRect:
		fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s" class="dg-%s"`, px(s.x), px(s.y), px(s.width),
			px(s.height), s.class)

		if s.tip != "" {
			fmt.Fprintf(b, `><title>%s</title></rect>`, xmlText(s.tip))
		} else {
			b.WriteString(`/>`)
		}
	case shapeLine:
		fmt.Fprintf(b, `<path d="M%s %sh%sv%s" class="dg-line"/>`, px(s.x), px(s.y), px(s.width), px(s.height))
	case shapeArrow:
		head := "l-8 -4v8z"
		if s.height > 0 {
			head = "l-4 -8h8z"
		}
		fmt.Fprintf(b, `<path d="M%s %sl%s %s" class="dg-arrow"/><path d="M%s %s%s" class="dg-head"/>`,
			px(s.x), px(s.y), px(s.width), px(s.height), px(s.x+s.width), px(s.y+s.height), head)
	case shapeText:
		class, place := "dg-text", [...]string{"start", "middle", "end"}[s.anchor]
		if s.bold {
			class += " dg-bold"
		}
		fmt.Fprintf(b, `<text x="%s" y="%s" class="%s" text-anchor="%s">%s</text>`, px(s.x), px(s.y), class, place,
			xmlText(s.text))
	}
}

// px writes a length with at most two decimals.
func px(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".")
}

// xmlText escapes for XML and HTML, and drops what neither may hold and what shows nothing.
func xmlText(s string) string { return html.EscapeString(strings.Map(xmlRune, text.Visible(s))) }

// xmlRune keeps the characters that XML 1.0 allows, of those that text.Visible leaves.
func xmlRune(r rune) rune {
	if r == '\v' || r == '\f' || r == 0xfffe || r == 0xffff {
		return -1
	}
	return r
}
