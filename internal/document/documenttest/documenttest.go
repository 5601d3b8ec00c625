// Package documenttest holds what every document has to keep to, whatever text is in it.
package documenttest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
)

// Hostile is a text that means something to every format.
const Hostile = "=HYPERLINK(\"http://evil.example\") <script>alert(1)</script><img src=x onerror=alert(1)> | `code` ](javascript:alert(1)) [x](javascript:alert(2)) \x1b[31mred\x1b[0m \u202egnp.exe \u200bzero \u009b31m \u2066x\u2069 \u00ad\u2060 *bold* ]]> &amp; {{.Title}} \ufffe\uffff\x00 </title></style> $x$ ~~gone~~"

// HostileTexts are such texts of other sorts: Markdown's signs at the beginning of lines, and what grounding looks for.
var HostileTexts = []string{
	Hostile,
	"| --- |\n# heading\n1. list\n> quote\n    code\n```\n<!-- ",
	"Response 41% [PMID:97000001] (Smith et al., 2020) “quote of words” 5–6 months n=12 HR 0.5, 95% CI 0.3-0.8",
}

// allowedElements are those that do nothing and ask for nothing.
var allowedElements = sync.OnceValue(func() map[string]bool {
	allowed := map[string]bool{}
	for _, name := range strings.Fields(`html head meta title style body header footer img p h1 h2 h3 h4 dl dt dd article nav ul ol li a bdi main section div table caption thead tbody tr th td span strong mark figure pre code br svg desc rect path text`) {
		allowed[name] = true
	}
	return allowed
})

// CheckHTML holds a page to elements and attributes that do nothing and ask for nothing, and to tags that match.
func CheckHTML(t testing.TB, page []byte) {
	t.Helper()
	allowed := allowedElements()
	z := html.NewTokenizer(bytes.NewReader(page))

	var open []string
	for {
		switch z.Next() {
		case html.ErrorToken:
			if !errors.Is(z.Err(), io.EOF) {
				t.Error(z.Err())
			}

			if len(open) > 0 {
				t.Errorf("left open: %v", open)
			}
			return
		case html.StartTagToken:
			tok := z.Token()
			checkTag(t, tok, allowed)

			if !slices.Contains([]string{"meta", "br", "img"}, tok.Data) {
				open = append(open, tok.Data)
			}
		case html.SelfClosingTagToken:
			checkTag(t, z.Token(), allowed)
		case html.EndTagToken:
			tok := z.Token()
			if len(open) == 0 || open[len(open)-1] != tok.Data {
				t.Fatalf("</%s> closes what is not open: %v", tok.Data, open)
			}
			open = open[:len(open)-1]
		}
	}
}

func checkTag(t testing.TB, tok html.Token, allowed map[string]bool) {
	t.Helper()

	if !allowed[tok.Data] {
		t.Errorf("there is a <%s>", tok.Data)
	}

	for _, a := range tok.Attr {
		switch {
		case tok.Data == "img" && a.Key == "src" && strings.HasPrefix(a.Val, "data:image/png;base64,"):
		case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "src", a.Key == "srcset":
			t.Errorf("<%s> has %s=%q", tok.Data, a.Key, a.Val)
		case a.Key == "href" && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "https://") &&
			!strings.HasPrefix(a.Val, "./"):
			t.Errorf("a link goes to %q", a.Val)
		}
	}
}

var dangerousRE = regexp.MustCompile(
	`(?i)<script|<img|<iframe|<style|onerror=|href="(?:javascript|data|vbscript|http:)`)

// CheckMarkdown renders a page with raw HTML passed through, which is the worst that a reader's program may do, and
// holds it to one of so many sections, so that no text makes one of its own.
func CheckMarkdown(t testing.TB, doc []byte, sections ...int) {
	t.Helper()
	m := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))

	var b bytes.Buffer
	if err := m.Convert(doc, &b); err != nil {
		t.Fatal(err)
	}

	if found := dangerousRE.FindString(stripText(b.String())); found != "" {
		t.Errorf("the rendered Markdown has %q", found)
	}

	for i, line := range strings.Split(string(doc), "\n") {
		if strings.HasPrefix(line, "| ") && !strings.HasSuffix(line, " |") {
			t.Errorf("line %d begins a table's row and does not end one: %q", i+1, line)
		}
	}

	if n := strings.Count(b.String(), "<h2"); !slices.Contains(sections, n) {
		t.Errorf("%d sections, want one of %v", n, sections)
	}
}

// stripText leaves the tags alone: text may name a script, as long as it is text.
func stripText(page string) string {
	var b strings.Builder

	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
		default:
			b.Write(z.Raw())
		}
	}
}

// CheckXML reads a part to its end; an XML reader stops at the first fault.
func CheckXML(t testing.TB, name string, part []byte) {
	t.Helper()

	d := xml.NewDecoder(bytes.NewReader(part))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

var (
	relationRE = regexp.MustCompile(`r:(?:id|embed)="([^"]+)"`)
	givenRE    = regexp.MustCompile(`Relationship Id="([^"]+)"[^>]*?Target="([^"]*)"( TargetMode="External")?`)
	styleRE    = regexp.MustCompile(`<w:(?:pStyle|rStyle|tblStyle|basedOn|next) w:val="([^"]+)"`)
	anchorRE   = regexp.MustCompile(`w:anchor="([^"]+)"`)
)

// Parts reads every part of a DOCX file, by name; pictures are decoded, and all else is read as XML.
func Parts(t testing.TB, file []byte) map[string]string {
	t.Helper()

	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}

	parts := map[string]string{}
	for _, f := range z.File {
		parts[f.Name] = readPart(t, f)
		switch path.Ext(f.Name) {
		case ".png":
			if _, err := png.Decode(strings.NewReader(parts[f.Name])); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		default:
			CheckXML(t, f.Name, []byte(parts[f.Name]))
		}
	}
	return parts
}

// CheckDOCX reads every part, and holds what parts refer to against what there is.
func CheckDOCX(t testing.TB, file []byte) {
	t.Helper()
	parts := Parts(t, file)

	document := parts["word/document.xml"]
	for _, name := range []string{"document", "header1", "footer1"} {
		given := map[string]bool{}
		for _, m := range givenRE.FindAllStringSubmatch(parts["word/_rels/"+name+".xml.rels"], -1) {
			given[m[1]] = true
			if _, here := parts["word/"+m[2]]; m[3] == "" && !here {
				t.Errorf("the relation %s leads to %s, which is not there", m[1], m[2])
			}

			if m[3] != "" && !strings.HasPrefix(m[2], "https://") {
				t.Errorf("a link goes to %q", m[2])
			}
		}

		for _, m := range relationRE.FindAllStringSubmatch(parts["word/"+name+".xml"], -1) {
			if !given[m[1]] {
				t.Errorf("%s refers to %s, which no relation gives", name, m[1])
			}
		}
	}

	for _, m := range styleRE.FindAllStringSubmatch(document+parts["word/styles.xml"]+parts["word/header1.xml"]+
		parts["word/footer1.xml"], -1) {
		if !strings.Contains(parts["word/styles.xml"], `w:styleId="`+m[1]+`"`) {
			t.Errorf("there is no style %s", m[1])
		}
	}

	for _, m := range anchorRE.FindAllStringSubmatch(document, -1) {
		if !strings.Contains(document, `<w:bookmarkStart w:id="`+strings.TrimPrefix(m[1], "ref")+`" w:name="`+m[1]+`"`) {
			t.Errorf("a citation leads to %s, which is not there", m[1])
		}
	}
}

func readPart(t testing.TB, f *zip.File) string {
	t.Helper()

	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()

	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Written is what write writes.
func Written(t testing.TB, write func(io.Writer) error) []byte {
	t.Helper()

	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
