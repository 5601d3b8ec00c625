package document

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"dossier/internal/text"
)

// pngScale is how many pixels of the picture a pixel of the drawing has, so that it prints sharply.
const pngScale = 2

// lettering is the colours of pictures, and the faces that they are lettered with. A face is for one goroutine at a
// time.
type lettering struct {
	font           *opentype.Font // the regular one; the other has the same letters
	regular, bold  font.Face
	inks           []ink
	palette        color.Palette
	boxIndex       uint8      // of the boxes' fill
	onPaper, onBox [256]uint8 // palette index by how much the lettering covers
}

// newLettering makes the palette of every colour that a picture may hold: paper, the inks, and the steps from paper and
// from a box to the lettering. A picture with a palette is a third of the size, and is packed three times as fast.
func newLettering() (*lettering, error) {
	const steps = 24

	l := lettering{inks: inks(), palette: color.Palette{white}}
	for _, i := range l.inks {
		for _, c := range []color.RGBA{i.fill, i.stroke} {
			if c.A != 0 {
				l.palette = append(l.palette, c)
			}
		}
	}

	box, text := l.ink("box").fill, l.ink("text").fill
	for _, ground := range []color.RGBA{white, box} {
		for i := 1; i <= steps; i++ {
			l.palette = append(l.palette, mixed(ground, text, i, steps))
		}
	}

	l.boxIndex = uint8(l.palette.Index(box))
	for covered := range 256 {
		l.onPaper[covered] = uint8(l.palette.Index(mixed(white, text, covered, 255)))
		l.onBox[covered] = uint8(l.palette.Index(mixed(box, text, covered, 255)))
	}

	for _, f := range []struct {
		to   *font.Face
		data []byte
	}{{&l.regular, goregular.TTF}, {&l.bold, gobold.TTF}} {
		parsed, err := opentype.Parse(f.data)
		if err != nil {
			return nil, fmt.Errorf("read the built-in font: %w", err)
		}

		l.font = parsed
		if *f.to, err = opentype.NewFace(parsed, &opentype.FaceOptions{Size: (textSize - 0.5) * pngScale,
			DPI: 72}); err != nil {
			return nil, fmt.Errorf("size the built-in font: %w", err)
		}
	}
	return &l, nil
}

// ink is what a class of drawing.css draws with on paper; a colour that is not opaque is none.
type ink struct {
	class        string
	fill, stroke color.RGBA
}

var white = color.RGBA{0xff, 0xff, 0xff, 0xff}

var classRE = text.LazyRegexp(`(?m)^\.dg-(\w+)\{(?:fill:(?:none|#(\w+)))?;?(?:stroke:#(\w+))?`)

func inks() []ink {
	paper, _, _ := strings.Cut(drawingStyle, "@media")
	return text.Each(classRE().FindAllStringSubmatch(paper, -1), func(m []string) ink {
		return ink{m[1], rgb(m[2]), rgb(m[3])}
	})
}

// ink is that of a class; a class that has none is drawn as text is.
func (l *lettering) ink(class string) ink {
	i := slices.IndexFunc(l.inks, func(i ink) bool { return i.class == class })
	if i < 0 {
		return l.ink("text")
	}
	return l.inks[i]
}

// rgb reads "6b7f95", and "fff" for "ffffff"; what is no colour is none.
func rgb(hex string) color.RGBA {
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}

	v, err := strconv.ParseUint(hex, 16, 24)
	if err != nil {
		return color.RGBA{}
	}
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}
}

// mixed is share parts of to in whole parts.
func mixed(from, to color.RGBA, share, whole int) color.RGBA {
	mix := func(from, to uint8) uint8 { return uint8((int(from)*(whole-share) + int(to)*share) / whole) }
	return color.RGBA{mix(from.R, to.R), mix(from.G, to.G), mix(from.B, to.B), 0xff}
}

// canLetter reports whether the font has every letter of a diagram.
func (l *lettering) canLetter(d *Drawing) bool {
	var b sfnt.Buffer
	return !slices.ContainsFunc(d.shapes, func(s shape) bool {
		return strings.ContainsFunc(s.text, func(r rune) bool {
			glyph, err := l.font.GlyphIndex(&b, r)
			return unicode.IsLetter(r) && (err != nil || glyph == 0)
		})
	})
}

// picture draws the diagram on white.
func (d *Drawing) picture(l *lettering) ([]byte, error) {
	img := image.NewPaletted(image.Rect(0, 0, scaled(d.width), scaled(d.height)), l.palette)
	for _, s := range d.shapes {
		s.paint(img, l)
	}
	var b bytes.Buffer

	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("draw %s as PNG: %w", d.name, err)
	}
	return b.Bytes(), nil
}

func scaled(v float64) int { return int(v*pngScale + 0.5) }

// fill paints a rectangle, as far as it is in the picture.
func fill(img *image.Paletted, x, y, width, height int, c color.RGBA) {
	area := image.Rect(x, y, x+width, y+height).Intersect(img.Bounds())

	index := uint8(img.Palette.Index(c))
	for py := area.Min.Y; py < area.Max.Y; py++ {
		row := img.Pix[img.PixOffset(area.Min.X, py):img.PixOffset(area.Max.X, py)]
		for i := range row {
			row[i] = index
		}
	}
}

func (s shape) paint(img *image.Paletted, l *lettering) {
	x, y, width, height := scaled(s.x), scaled(s.y), scaled(s.x+s.width)-scaled(s.x), scaled(s.y+s.height)-scaled(s.y)
	switch s.kind {
	case shapeRect:
		c := l.ink(s.class)
		if c.stroke.A != 0 {
			fill(img, x, y, width, height, c.stroke)
			x, y, width, height = x+pngScale, y+pngScale, width-2*pngScale, height-2*pngScale
		}
		fill(img, x, y, width, height, c.fill)
	case shapeLine:
		fill(img, x, y, max(width, pngScale), max(height, pngScale), l.ink("line").stroke)
	case shapeArrow:
		fill(img, x-1, y-1, max(width, pngScale+1), max(height, pngScale+1), l.ink("arrow").stroke)
		arrowHead(img, x+width, y+height, height > 0, l.ink("head").fill)
	case shapeText:
		s.letter(img, l)
	}
}

// arrowHead paints a triangle that points at x, y.
func arrowHead(img *image.Paletted, x, y int, down bool, c color.RGBA) {
	for i := range 8 * pngScale {
		half := i / 2
		if down {
			fill(img, x-half, y-i, 2*half+1, 1, c)
		} else {
			fill(img, x-i, y-half, 1, 2*half+1, c)
		}
	}
}

// letter writes a text glyph by glyph. A glyph is a mask of how much of each pixel it covers, which is a step of the
// palette between the ground there and the lettering.
func (s shape) letter(img *image.Paletted, l *lettering) {
	face := l.regular
	if s.bold {
		face = l.bold
	}

	at := fixed.I(scaled(s.x))
	switch s.anchor {
	case anchorMiddle:
		at -= font.MeasureString(face, s.text) / 2
	case anchorEnd:
		at -= font.MeasureString(face, s.text)
	}

	dot, last := fixed.Point26_6{X: at, Y: fixed.I(scaled(s.y))}, rune(-1)
	for _, r := range s.text {
		if last >= 0 {
			dot.X += face.Kern(last, r)
		}

		area, mask, from, advance, _ := face.Glyph(dot, r)
		if alpha, ok := mask.(*image.Alpha); ok {
			l.stamp(img, area, alpha, from)
		}
		dot.X, last = dot.X+advance, r
	}
}

func (l *lettering) stamp(img *image.Paletted, area image.Rectangle, mask *image.Alpha, from image.Point) {
	inside := area.Intersect(img.Bounds())
	for y := inside.Min.Y; y < inside.Max.Y; y++ {
		for x := inside.Min.X; x < inside.Max.X; x++ {
			covered := mask.AlphaAt(from.X+x-area.Min.X, from.Y+y-area.Min.Y).A
			if covered == 0 {
				continue
			}

			p := &img.Pix[img.PixOffset(x, y)]
			if *p == l.boxIndex {
				*p = l.onBox[covered]
			} else {
				*p = l.onPaper[covered]
			}
		}
	}
}
