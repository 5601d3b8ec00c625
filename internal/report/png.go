package report

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// pngScale is how many pixels of the picture a pixel of the drawing has, so that it prints sharply.
const pngScale = 2

// lettering is the faces that pictures are lettered with. A face is for one goroutine at a time.
type lettering struct {
	regular, bold  font.Face
	palette        color.Palette
	boxIndex       uint8      // of the boxes' fill
	onPaper, onBox [256]uint8 // palette index by how much the lettering covers
}

func newLettering() (*lettering, error) {
	l := lettering{palette: palette()}
	l.boxIndex = uint8(l.palette.Index(inks("box").fill))
	for covered := range 256 {
		l.onPaper[covered] = uint8(l.palette.Index(mixed(inks("aside").fill, textInk, covered, 255)))
		l.onBox[covered] = uint8(l.palette.Index(mixed(inks("box").fill, textInk, covered, 255)))
	}
	for _, f := range []struct {
		to   *font.Face
		data []byte
	}{{&l.regular, goregular.TTF}, {&l.bold, gobold.TTF}} {
		parsed, err := opentype.Parse(f.data)
		if err != nil {
			return nil, fmt.Errorf("read the built-in font: %w", err)
		}
		if *f.to, err = opentype.NewFace(parsed, &opentype.FaceOptions{Size: (textSize - 0.5) * pngScale, DPI: 72}); err != nil {
			return nil, fmt.Errorf("size the built-in font: %w", err)
		}
	}
	return &l, nil
}

type ink struct{ fill, stroke color.RGBA }

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xff}
}

// inks are the colours of drawing.css on paper.
func inks(class string) ink {
	switch class {
	case "box":
		return ink{rgb(0xeef3f8), rgb(0x6b7f95)}
	case "aside":
		return ink{rgb(0xffffff), rgb(0xa3afbd)}
	case "guideline":
		return ink{fill: rgb(0x0072b2)}
	case "rct":
		return ink{fill: rgb(0x009e73)}
	case "systematic_review":
		return ink{fill: rgb(0xe69f00)}
	case "observational":
		return ink{fill: rgb(0x56b4e9)}
	case "case_report":
		return ink{fill: rgb(0xcc79a7)}
	case "preclinical":
		return ink{fill: rgb(0x8a8f98)}
	}
	return ink{fill: rgb(0x5b5f66)}
}

// palette is every colour that a picture may hold: paper, the inks, and the steps from paper and from a box to the lettering.
// A picture with a palette is a third of the size, and is packed three times as fast.
func palette() color.Palette {
	const steps = 24
	p := color.Palette{color.RGBA{0xff, 0xff, 0xff, 0xff}, lineInk, arrowInk}
	for _, class := range append([]string{"box", "aside"}, drawnBuckets()...) {
		c := inks(class)
		p = append(p, c.fill)
		if c.stroke.A != 0 {
			p = append(p, c.stroke)
		}
	}
	for _, ground := range []color.RGBA{inks("aside").fill, inks("box").fill} {
		for i := 1; i <= steps; i++ {
			p = append(p, mixed(ground, textInk, i, steps))
		}
	}
	return p
}

// mixed is share parts of to in whole parts.
func mixed(from, to color.RGBA, share, whole int) color.RGBA {
	mix := func(from, to uint8) uint8 { return uint8((int(from)*(whole-share) + int(to)*share) / whole) }
	return color.RGBA{mix(from.R, to.R), mix(from.G, to.G), mix(from.B, to.B), 0xff}
}

func drawnBuckets() []string {
	out := make([]string, 0, len(bucketsAndOpen))
	for _, b := range bucketsAndOpen {
		out = append(out, bucketClass(b))
	}
	return out
}

var lineInk, arrowInk, textInk = rgb(0xd5dbe2), rgb(0x6b7f95), rgb(0x1c2430)

// picture draws the diagram on white.
func (d *drawing) picture(l *lettering) ([]byte, error) {
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
		c := inks(s.class)
		if c.stroke.A != 0 {
			fill(img, x, y, width, height, c.stroke)
			x, y, width, height = x+pngScale, y+pngScale, width-2*pngScale, height-2*pngScale
		}
		fill(img, x, y, width, height, c.fill)
	case shapeLine:
		fill(img, x, y, max(width, pngScale), max(height, pngScale), lineInk)
	case shapeArrow:
		fill(img, x-1, y-1, max(width, pngScale+1), max(height, pngScale+1), arrowInk)
		arrowHead(img, x+width, y+height, height > 0, arrowInk)
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

// letter writes a text glyph by glyph. A glyph is a mask of how much of each pixel it covers, which is a step of the palette
// between the ground there and the lettering.
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
