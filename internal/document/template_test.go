package document

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// folder writes a template's files.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "house")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func logo(t testing.TB, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Black})); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestWhatIsWrongIsToldAtTheStart: with the file, the line, and what to do.
func TestWhatIsWrongIsToldAtTheStart(t *testing.T) {
	const withHead = "hospital: A\nhead: head.html\nfields: {site: 'https://a.example', bad: 'javascript:alert(1)'}\n"
	for _, tc := range []struct {
		name, settings, head string
		want                 []string
	}{
		{"an unknown key", "hospitl: A\n", "", []string{"template.yaml:1: hospitl: unknown key", "hospital"}},
		{"no such section", "omit: [drugs, druggs]\n", "", []string{":1: omit[1]: there is no section", "drugs"}},
		{"a section twice", "sections: [trials, trials]\n", "", []string{"sections[1]: trials is named twice"}},
		{"a section that is both first and left out", "sections: [trials]\nomit: [trials]\n", "",
			[]string{":2: omit[0]: trials is named under sections, too"}},
		{"the brief put elsewhere", "sections: [brief]\n", "", []string{"brief always comes first"}},
		{"a file elsewhere", "head: ../head.html\n", "", []string{":1: head: ", "no file of this folder"}},
		{"a whole path", "head: /etc/passwd\n", "", []string{":1: head: ", "no file of this folder"}},
		{"a file that is not there", "head: nothing.html\n", "", []string{"nothing.html", "no such file"}},
		{"a logo for nobody", "logo: logo.png\n", "", []string{":1: logo: needs the hospital's name"}},
		{"a logo that is no PNG", "hospital: A\nlogo: logo.svg\n", "", []string{":2: logo: logo.svg is no PNG"}},
		{"half a logo", "hospital: A\nlogo: half.png\n", "", []string{":2: logo: half.png is damaged"}},
		{"a logo of too many pixels", "hospital: A\nlogo: huge.png\n", "",
			[]string{":2: logo: huge.png has 4001 × 1 pixels"}},
		{"a name that is none", "fields: {'a-b': x}\n", "", []string{"is no name of a field"}},
		{"a field too long", "fields: {a: " + strings.Repeat("x", 201) + "}\n", "", []string{"fields.a: is longer than 200"}},

		{"no end", withHead, "<p>{{if .Title}}", []string{"head.html:1: unexpected EOF"}},
		{"an unknown function", withHead, "\n{{env}}", []string{`head.html:2: function "env" not defined`}},
		{"a field that no document has", withHead, "\n\n{{.Titel}}",
			[]string{"head.html:3: there is no .Titel; there are Board, Cases"}},
		{"one in a branch that isn't taken", withHead, "{{if .Title}}\n{{else}}{{$.Titel}}{{end}}",
			[]string{"head.html:2: there is no .Titel"}},
		{"a field that template.yaml has not", withHead, "{{.Fields.sites}}",
			[]string{"head.html:1: template.yaml names no field sites; did you mean site?"}},
		{"a loop", withHead, "\n{{range 1000000000}}x{{end}}", []string{"head.html:2: ", "can't be used here"}},
		{"a text that doubles", withHead, `{{$x := "x"}}`, []string{"head.html:1: variables can't be used here"}},
		{"a width", withHead, `{{printf "%1000000d" 1}}`, []string{"head.html:1: printf can't be used here"}},
		{"a call of itself", withHead, `{{define "x"}}{{template "x"}}{{end}}`,
			[]string{"head.html: defines a template of its own"}},
		{"another template", withHead, "\n{{template \"part\"}}", []string{"head.html:2: ", "can't be used here"}},
		{"a method's name", withHead, "{{.Fields.site.String}}", []string{"head.html:1: "}},

		{"a script", withHead, "<p>\n<script>alert(1)</script>",
			[]string{"head.html:2: <script> can't stand here; there are <a>"}},
		{"a script in a branch that isn't taken", withHead, "{{if .Title}}{{else}}\n<script>1</script>{{end}}",
			[]string{"head.html:2: <script>"}},
		{"a picture from elsewhere", withHead, "<img src='https://a.example/1.png'>", []string{"head.html:1: <img>"}},
		{"a style", withHead, "<style>p{}</style>", []string{"head.html:1: <style>"}},
		{"a handler", withHead, "<p onclick='x()'>", []string{"head.html:1: onclick=… can't stand in <p>"}},
		{"a link over plain http", withHead, "\n<a href='http://a.example'>x</a>",
			[]string{`head.html:2: the link to "http://a.example" must begin with https://`}},
		{"a link that runs", withHead, "<a href='{{.Fields.bad}}'>x</a>",
			[]string{"head.html: ", "must begin with https://"}},
		{"an element put together", withHead, "<{{.Fields.site}}>", nil},
		{"too many lines", withHead, strings.Repeat("<p>x", 9),
			[]string{":2: head: head.html may make 9 lines, and has room for 8"}},
		{"too much text", withHead, strings.Repeat("x", 3001), []string{":2: head: head.html may make 3001 bytes"}},
		{"too much source", withHead, strings.Repeat(" ", 16<<10+1), []string{"head.html: is larger than 16 KB"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := folder(t, map[string]string{TemplateFileName: tc.settings, "head.html": tc.head, "logo.png": logo(t, 2, 2),
				"logo.svg": "<svg/>", "half.png": logo(t, 90, 90)[:60], "huge.png": logo(t, 4001, 1)})
			_, err := LoadTemplate(dir, os.Geteuid())
			if (err == nil) != (tc.want == nil) {
				t.Fatalf("the error is %v", err)
			}
			for _, want := range tc.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in the error: %v", want, err)
				}
			}
		})
	}
}

// TestWhatABoardNeedsCantBeLeftOut: each of these says something that nobody may miss.
func TestWhatABoardNeedsCantBeLeftOut(t *testing.T) {
	needed := []string{"brief", "changes", "evidence", "excluded", "limitations", "references", "about"}
	for _, name := range SectionNames() {
		_, err := LoadTemplate(folder(t, map[string]string{TemplateFileName: "\nomit: [" + name + "]\n"}), os.Geteuid())
		refused := err != nil && strings.Contains(err.Error(), ":2: omit[0]: "+name+" can't be left out: it ") ||
			err != nil && strings.Contains(err.Error(), name+" can't be left out: citations")
		if refused != slices.Contains(needed, name) || !refused && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNobodyElseMayWriteIt: a template could put anything on a hospital's paper.
func TestNobodyElseMayWriteIt(t *testing.T) {
	for name, spoil := range map[string]func(dir string) error{
		"the folder": func(dir string) error { return os.Chmod(dir, 0o777) },
		"a file":     func(dir string) error { return os.Chmod(filepath.Join(dir, "head.html"), 0o666) },
		"a file that is a link": func(dir string) error {
			head := filepath.Join(dir, "head.html")
			if err := os.Rename(head, head+".other"); err != nil {
				return err
			}
			return os.Symlink(head+".other", head)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{TemplateFileName: "head: head.html\n", "head.html": "x"})
			if _, err := LoadTemplate(dir, os.Geteuid()); err != nil {
				t.Fatal(err)
			}
			if err := spoil(dir); err != nil {
				t.Fatal(err)
			}
			_, err := LoadTemplate(dir, os.Geteuid())
			if err == nil || !strings.Contains(err.Error(), "may be written by others") &&
				!strings.Contains(err.Error(), "is a link") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// TestDress fills in head and foot: what is filled in is text, whatever it looks like.
func TestDress(t *testing.T) {
	for _, tc := range []struct {
		name, head string
		model      TemplateModel
		want       [][]Inline
	}{
		{"lines and styles", "<p>a  b\nc<br><b>d</b> <small>e</small>", TemplateModel{}, [][]Inline{
			{{Text: "a b c"}}, {{Text: "d", Bold: true}, {Text: " "}, {Text: "e", Soft: true}}}},
		{"markup in a title", "{{.Title}}", TemplateModel{Title: "<b>x</b> <script>"},
			[][]Inline{{{Text: "<b>x</b> <script>"}}}},
		{"an element put together", "<{{.Title}}>x", TemplateModel{Title: "script"}, [][]Inline{{{Text: "<script>x"}}}},
		{"two lines in a title", "{{.Title}}", TemplateModel{Title: "a\nb"}, [][]Inline{{{Text: "a b"}}}},
		{"what a report has not", "a{{with .Meeting}}, {{.}}{{end}}<p>{{.Meeting}}", TemplateModel{},
			[][]Inline{{{Text: "a"}}}},
		{"a field, and a link", `<a href="{{.Fields.site}}?t={{.Topic}}">{{.Fields.site}}</a>`, TemplateModel{Topic: "a b"},
			[][]Inline{{{Text: "https://a.example", Link: "https://a.example?t=a%20b"}}}},
		{"the kind", `{{if eq .Kind "packet"}}{{.Cases}} cases{{else}}one{{end}}`, TemplateModel{Kind: KindPacket, Cases: 3},
			[][]Inline{{{Text: "3 cases"}}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t1, err := LoadTemplate(folder(t, map[string]string{"head.html": tc.head,
				TemplateFileName: "hospital: A\nhead: head.html\nfields: {site: 'https://a.example'}\n"}), os.Geteuid())
			if err != nil {
				t.Fatal(err)
			}
			var d Document
			if err := t1.Dress(&d, tc.model); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, d.Letterhead.Head); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWithoutAHeadTheNameStandsThere(t *testing.T) {
	t1, err := LoadTemplate(folder(t, map[string]string{
		TemplateFileName: "hospital: A\nlogo: logo.png\n", "logo.png": logo(t, 30, 20)}), os.Geteuid())
	if err != nil {
		t.Fatal(err)
	}
	var d Document
	if err := t1.Dress(&d, TemplateModel{}); err != nil {
		t.Fatal(err)
	}
	if l := d.Letterhead; l.Logo.Width != 30 || l.Logo.Height != 20 || l.Logo.Alt != "A" || len(l.Head) != 1 {
		t.Errorf("the letterhead is %+v", l)
	}
}

func TestArrange(t *testing.T) {
	all := []Section{{ID: "a", Title: "A"}, {ID: "b", Title: "B"}, {ID: "c", Title: "C"}, {ID: "d", Title: "D"}}
	t1 := &Template{settings: settings{Sections: []string{"c", "x", "b"}, Omit: []string{"y", "d"}}}
	kept, left := t1.Arrange(all)
	var order []string
	for _, s := range kept {
		order = append(order, s.ID)
	}
	if diff := cmp.Diff([]string{"c", "b", "a"}, order); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"D"}, left); diff != "" {
		t.Error(diff)
	}
	if kept, left := (*Template)(nil).Arrange(all); len(kept) != 4 || left != nil {
		t.Error("no template arranges sections")
	}
}

// The template that ships is one, and every key and name that it may use is documented.
func TestTheSampleAndItsDescription(t *testing.T) {
	sample, err := LoadTemplate(filepath.Join("..", "..", "sample", "template"), os.Geteuid())
	if err != nil {
		t.Skip("the clone lies where others may write, as it may: ", err)
	}
	if sample.logo == nil || sample.head == nil || sample.foot == nil {
		t.Error("the sample shows less than there is")
	}
	described, err := os.ReadFile(filepath.Join("..", "..", "docs", "REPORT.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names() {
		if !strings.Contains(string(described), "`."+name) {
			t.Errorf("docs/REPORT.md does not describe .%s", name)
		}
	}
	for _, name := range SectionNames() {
		if !strings.Contains(string(described), "`"+name+"`") {
			t.Errorf("docs/REPORT.md does not name the section %s", name)
		}
	}
}

func FuzzHead(f *testing.F) {
	f.Add("<p>{{.Title}}<br><b>x</b>")
	f.Add("{{if .Board}}<a href='https://a.example/{{.Topic}}'>{{.Board}}</a>{{end}}")
	f.Fuzz(func(t *testing.T, head string) {
		s := source{file: "head.html", text: head}
		parsed, _, err := s.parse()
		if err != nil {
			return
		}
		for _, m := range samples() {
			made, err := new(Template).lines(parsed, m)
			if err != nil {
				return
			}
			for _, line := range made {
				for _, run := range line {
					if run.Link != "" && !strings.HasPrefix(run.Link, "https://") {
						t.Errorf("a link goes to %q", run.Link)
					}
				}
			}
		}
	})
}
