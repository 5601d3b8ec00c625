package report

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dossier/internal/document"
	"dossier/internal/document/documenttest"
	"dossier/internal/lexicon"
)

func templateOf(t *testing.T, settings string) *document.Template {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "house")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{document.TemplateFileName: settings,
		"head.html": "{{.Hospital}}{{with .Board}}, {{.}}{{end}}{{with .Meeting}}, {{.}}{{end}}: {{.Kind}} on {{.Title}}",
		"foot.html": "{{.Cases}} cases, {{.Records}} records, {{.Trials}} trials of {{.Evidence}}, " +
			"{{.Generation}}, {{.Program}}, {{.Language}}{{with .Topic}}, {{.}}{{end}}"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	made, err := document.LoadTemplate(dir, os.Geteuid())
	if err != nil {
		t.Fatal(err)
	}
	return made
}

const houseSettings = `
hospital: Klinikum
head: head.html
foot: foot.html
sections: [trials, evidence]
omit: [mechanistic, drugs, methodology]
`

// TestGoldenTemplate shows a report in short and a packet in a hospital's template.
func TestGoldenTemplate(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	opt := rulesOnly()
	opt.Reader = words.Subject(exampleInput(t).Answer.Topic.Question)
	opt.Template = templateOf(t, houseSettings)
	r := build(t, exampleInput(t), opt)
	golden(t, "short.template.md", documenttest.Written(t, shortOf(t, r).Markdown))
	packet := Packet{Title: "lung", Meeting: "3 December 2026", Template: opt.Template,
		Cases: []IndexEntry{{Topic: "first", Question: r.Question, Report: r}}}
	golden(t, "packet.template.md", documenttest.Written(t, packetOf(t, &packet).Markdown))
}

func ids(d *document.Document) (all []string) {
	for _, s := range d.Sections {
		all = append(all, s.ID)
	}
	return all
}

// TestTemplateLosesNothingElse: what a template orders moves, what it leaves out is named below the brief, and all else
// stands where it did. The report's own layout, which the page and agents show parts of, stays whole.
func TestTemplateLosesNothingElse(t *testing.T) {
	opt := rulesOnly()
	opt.Template = templateOf(t, houseSettings)
	r := build(t, exampleInput(t), opt)
	whole := r.Document()
	laid, err := r.Laid()
	if err != nil {
		t.Fatal(err)
	}
	want := slices.DeleteFunc(ids(&whole), func(id string) bool {
		return slices.Contains([]string{"trials", "evidence", "mechanistic", "drugs", "methodology"}, id)
	})
	if got := ids(&laid); !slices.Equal(got, append([]string{"trials", "evidence"}, want...)) {
		t.Errorf("the sections are %q", got)
	}
	wording := laid.Lead.Blocks[len(laid.Lead.Blocks)-1].Line[0].Text
	if wording != "The hospital’s template leaves out: Mechanistic findings, Drug candidates, Question and methodology." {
		t.Errorf("below the brief stands %q", wording)
	}
	if whole.Letterhead != nil || laid.Letterhead == nil || len(whole.Lead.Blocks) == len(laid.Lead.Blocks) {
		t.Error("the report's own layout is in the template")
	}
	if len(whole.Warnings) != len(laid.Warnings) || !slices.Equal(whole.Meta, laid.Meta) {
		t.Error("the template has changed warnings, or the moment of the evidence")
	}
}

// TestShortCitesWhatIsLeft: the references of a short report are those that its own sections cite.
func TestShortCitesWhatIsLeft(t *testing.T) {
	opt := rulesOnly()
	opt.Template = templateOf(t, "sections: [references]\nomit: [trials]\n")
	short := shortOf(t, build(t, exampleInput(t), opt))
	if len(short.Sections[0].Blocks) == 0 || short.Sections[0].ID != "references" {
		t.Fatalf("the sections are %q", ids(&short))
	}
	for _, ref := range short.Sections[0].Blocks[0].Refs {
		if !cites(short.Lead.Blocks, ref.Number) && !slices.ContainsFunc(short.Sections, func(s document.Section) bool {
			return cites(s.Blocks, ref.Number)
		}) {
			t.Errorf("nothing cites %d", ref.Number)
		}
	}
}

// TestTemplatesNameAllSections: a name that templates may use is a section's of some report, and the other way round.
func TestTemplatesNameAllSections(t *testing.T) {
	withModel := rulesOnly()
	withModel.Model = exampleModel()
	// all but the first have nothing to say in the example
	found := map[string]bool{"brief": true, "excluded": true, "curated": true, "approvals": true, "levels": true}
	for _, opt := range []Options{rulesOnly(), withModel} {
		r := build(t, exampleInput(t), opt)
		for _, d := range []document.Document{r.Document(), shortOf(t, r)} {
			for _, id := range ids(&d) {
				found[id] = true
				if !slices.Contains(document.SectionNames(), id) {
					t.Errorf("no template can name the section %s", id)
				}
			}
		}
	}
	for _, name := range document.SectionNames() {
		if !found[name] {
			t.Errorf("no report has the section %s", name)
		}
	}
}
