package document

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"image/png"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"dossier/internal/files"
	"dossier/internal/strictyaml"
	"dossier/internal/text"
)

// TemplateFileName is the file of a template's folder that says what else is in it.
const TemplateFileName = "template.yaml"

// Bounds on what a folder holds, so that a head stays one.
const (
	maxSettings = 64 << 10
	maxSource   = 16 << 10 // of a head or a foot
	maxHead     = 8        // lines
	maxFoot     = 4
	maxText     = 3000
	maxValue    = 200 // bytes of what is filled in
	maxFields   = 50
	maxLogo     = 512 << 10
	maxPixels   = 4000 // of a logo's side
)

// settings are the documented keys of the file.
type settings struct {
	Hospital string            `yaml:"hospital"`
	Logo     string            `yaml:"logo"`
	Head     string            `yaml:"head"`
	Foot     string            `yaml:"foot"`
	Fields   map[string]string `yaml:"fields"`
	Sections []string          `yaml:"sections"`
	Omit     []string          `yaml:"omit"`
}

// Template is a hospital's own. A nil one changes nothing.
type Template struct {
	Folder string

	settings
	logo       *Picture
	head, foot *template.Template
}

// LoadTemplate reads a template's folder for the user with that number: nobody but user and root may be able to write
// what is read. An error names the file, and the line where one is at fault.
func LoadTemplate(folder string, user int) (*Template, error) {
	if err := files.Folder(folder); err != nil {
		return nil, fmt.Errorf("reading the template of reports: %w", err)
	}
	r := templateReader{folder: folder, user: user}
	path := filepath.Join(folder, TemplateFileName)

	data, err := r.read(TemplateFileName, maxSettings)
	if err != nil {
		return nil, err
	}
	t := &Template{Folder: folder}

	doc, err := strictyaml.Decode(path, data, &t.settings)
	if err != nil {
		return nil, err
	}

	if err := t.check(doc); err != nil {
		return nil, err
	}

	if t.Logo != "" {
		if t.logo, err = r.picture(t.Logo, doc); err != nil {
			return nil, err
		}
		t.logo.Alt = t.Hospital
	}

	if t.head, err = r.part(t, t.Head, "head", maxHead, doc); err != nil {
		return nil, err
	}
	t.foot, err = r.part(t, t.Foot, "foot", maxFoot, doc)
	return t, err
}

var fieldRE = text.LazyRegexp(`^[A-Za-z][A-Za-z0-9_]*$`)

// check holds the settings to what they may be. All that is filled in is one bounded line from here on.
func (t *Template) check(doc *strictyaml.Document) error {
	if err := t.checkSections(doc); err != nil {
		return err
	}

	if t.Hospital = text.Line(t.Hospital); len(t.Hospital) > maxValue {
		return doc.Errorf("hospital", "is longer than %d bytes", maxValue)
	}

	if t.Logo != "" && t.Hospital == "" {
		return doc.Errorf("logo", "needs the hospital's name, under hospital, for those who can't see it")
	}

	if len(t.Fields) > maxFields {
		return doc.Errorf("fields", "are more than %d", maxFields)
	}

	for _, name := range slices.Sorted(maps.Keys(t.Fields)) {
		key := "fields." + name
		if !fieldRE().MatchString(name) {
			return doc.Errorf(key, "is no name of a field; write a letter, then letters, digits and _")
		}

		if t.Fields[name] = text.Line(t.Fields[name]); len(t.Fields[name]) > maxValue {
			return doc.Errorf(key, "is longer than %d bytes", maxValue)
		}
	}

	for key, name := range map[string]string{"logo": t.Logo, "head": t.Head, "foot": t.Foot} {
		if name != "" && (name != filepath.Base(name) || !filepath.IsLocal(name)) {
			return doc.Errorf(key, "%q is no file of this folder; write its name alone", name)
		}
	}
	return nil
}

// templateReader reads the files of one folder.
type templateReader struct {
	folder string
	user   int
}

func (r *templateReader) read(name string, most int64) ([]byte, error) {
	path := filepath.Join(r.folder, name)

	data, err := files.ReadHeld(path, r.user, most)
	if foreign := new(files.ForeignError); errors.As(err, &foreign) {
		return nil, fmt.Errorf("the template in %s is not used: %w", r.folder, err)
	}

	if err != nil {
		return nil, fmt.Errorf("reading the template of reports: %w", err)
	}

	if int64(len(data)) > most {
		return nil, &strictyaml.Error{File: path,
			Msg: fmt.Sprintf("is larger than %d KB, the most that is read here", most>>10)}
	}
	return data, nil
}

// picture reads the logo whole, to see that it is one.
func (r *templateReader) picture(name string, doc *strictyaml.Document) (*Picture, error) {
	data, err := r.read(name, maxLogo)
	if err != nil {
		return nil, err
	}

	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, doc.Errorf("logo", "%s is no PNG, the one format that pages and Word show alike (%v); save it as PNG",
			name, err)
	}

	if size.Width > maxPixels || size.Height > maxPixels {
		return nil, doc.Errorf("logo", "%s has %d × %d pixels, and may have %d a side; make it smaller", name, size.Width,
			size.Height, maxPixels)
	}

	if _, err := png.Decode(bytes.NewReader(data)); err != nil {
		return nil, doc.Errorf("logo", "%s is damaged: %v", name, err)
	}
	return &Picture{PNG: data, Width: size.Width, Height: size.Height}, nil
}

// part reads head or foot, and fills it in for documents of every kind; nil where there is none.
func (r *templateReader) part(
	t *Template, name, key string, most int, doc *strictyaml.Document,
) (*template.Template, error) {
	if name == "" {
		return nil, nil //nolint:nilnil // no head is no failure
	}

	data, err := r.read(name, maxSource)
	if err != nil {
		return nil, err
	}
	s := source{file: filepath.Join(r.folder, name), text: string(data), fields: t.Fields}

	parsed, lines, err := s.parse()
	if err != nil {
		return nil, err
	}

	for _, m := range samples() {
		made, err := t.lines(parsed, m)
		if err != nil {
			return nil, s.located(err)
		}

		if length(made) > maxText {
			return nil, doc.Errorf(key, "%s may make %d bytes of text, and has room for %d", name, length(made), maxText)
		}
		lines = max(lines, len(made))
	}

	if lines > most {
		return nil, doc.Errorf(key, "%s may make %d lines, and has room for %d", name, lines, most)
	}
	return parsed, nil
}

func length(lines [][]Inline) (n int) {
	for _, line := range lines {
		for _, run := range line {
			n += len(run.Text)
		}
	}
	return n
}

// Dress gives a document the logo, and head and foot filled in for it.
func (t *Template) Dress(d *Document, m TemplateModel) error {
	if t == nil {
		return nil
	}
	house := Letterhead{Logo: t.logo}

	var err error
	if house.Head, err = t.lines(t.head, m); err == nil {
		house.Foot, err = t.lines(t.foot, m)
	}

	if err != nil {
		return fmt.Errorf("filling in the template of %s: %w", t.Folder, err)
	}

	if t.head == nil && t.Hospital != "" {
		house.Head = [][]Inline{{{Text: t.Hospital, Bold: true}}}
	}
	d.Letterhead = &house
	return nil
}

// lines fills in head or foot.
func (t *Template) lines(part *template.Template, m TemplateModel) ([][]Inline, error) {
	if part == nil {
		return nil, nil
	}
	m = m.bounded()
	m.Hospital, m.Fields = t.Hospital, t.Fields

	var made strings.Builder
	if err := part.Execute(&made, m); err != nil {
		return nil, err
	}
	return linesOf(made.String())
}

// String is the template in a line.
func (t *Template) String() string {
	parts := []string{t.Folder}
	if t.logo != nil {
		parts = append(parts, fmt.Sprintf("logo of %d × %d pixels", t.logo.Width, t.logo.Height))
	}

	for _, part := range []struct{ name, file string }{{"head", t.Head}, {"foot", t.Foot}} {
		if part.file != "" {
			parts = append(parts, part.name)
		}
	}

	if len(t.Sections) > 0 {
		parts = append(parts, "first "+strings.Join(t.Sections, ", "))
	}

	if len(t.Omit) > 0 {
		parts = append(parts, "without "+strings.Join(t.Omit, ", "))
	}
	return strings.Join(parts, "; ")
}
