package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/document/documenttest"
	"dossier/internal/lexicon"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; go test -update writes it", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); if the change is meant, go test -update\n%s", name, diff)
	}
}

func TestGoldenReports(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	byRules := rulesOnly()
	byRules.Reader = words.Subject(exampleInput(t).Answer.Topic.Question)
	byModel := byRules
	byModel.Model = exampleModel()
	for _, c := range []struct {
		name string
		opt  Options
	}{{"rules", byRules}, {"model", byModel}} {
		t.Run(c.name, func(t *testing.T) {
			r := build(t, exampleInput(t), c.opt)
			golden(t, c.name+".md", documenttest.Written(t, r.Document().Markdown))
			golden(t, c.name+".html", documenttest.Written(t, r.Document().HTML))
			golden(t, c.name+".json", documenttest.Written(t, r.JSON))
		})
	}
}

func TestGoldenSheets(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	opt := rulesOnly()
	opt.Reader = words.Subject(exampleInput(t).Answer.Topic.Question)
	r := build(t, exampleInput(t), opt)
	golden(t, "short.md", documenttest.Written(t, shortOf(t, r).Markdown))
	opt.Sheet = true // which is no other on the sheet
	again := build(t, exampleInput(t), opt)
	packet := Packet{Title: "lung", Meeting: "3 December 2026", Cases: []IndexEntry{
		{Topic: "first", Question: r.Question, Report: r}, {Topic: "second", Question: "of nothing", Failed: "no evidence"},
		{Topic: "third", Question: again.Question, Report: again}}}
	golden(t, "packet.md", documenttest.Written(t, packetOf(t, &packet).Markdown))
}

func shortOf(t *testing.T, r *Report) document.Document {
	t.Helper()
	laid, err := r.Short()
	if err != nil {
		t.Fatal(err)
	}
	return laid
}

func packetOf(t *testing.T, p *Packet) document.Document {
	t.Helper()
	laid, err := p.Laid()
	if err != nil {
		t.Fatal(err)
	}
	return laid
}

// TestPacketNumbersThrough: a record has one number in all cases, each number that a case cites has its reference, and
// each reference is cited.
func TestPacketNumbersThrough(t *testing.T) {
	opt := rulesOnly()
	first, second := build(t, exampleInput(t), opt), build(t, exampleInput(t), opt)
	slices.Reverse(second.References) // another report may have other numbers for the same records
	for i := range second.References {
		second.References[i].Number = i + 1
	}
	packet := Packet{Cases: []IndexEntry{{Topic: "a", Report: first}, {Topic: "b", Report: second}}}
	d := packetOf(t, &packet)
	references := d.Sections[len(d.Sections)-1].Blocks[0].Refs
	cited := map[int]bool{}
	for _, section := range d.Sections {
		eachLine(section.Blocks, func(line []document.Inline) {
			for _, in := range line {
				for _, n := range in.Refs {
					cited[n] = true
				}
			}
		})
	}
	if len(references) == 0 || len(cited) != len(references) {
		t.Fatalf("%d references, %d of them cited", len(references), len(cited))
	}
	texts := map[string]bool{}
	for i, ref := range references {
		if ref.Number != i+1 || !cited[ref.Number] || texts[ref.Line[0].Text] {
			t.Errorf("reference %d is numbered %d, cited: %v: %q", i+1, ref.Number, cited[ref.Number], ref.Line[0].Text)
		}
		texts[ref.Line[0].Text] = true
	}
}

// TestGoldenLanguages shows what a board reads in a language of Latin letters and in one of others.
func TestGoldenLanguages(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	opt := rulesOnly()
	opt.Reader = words.Subject(exampleInput(t).Answer.Topic.Question)
	for _, tag := range []string{"de", "zh"} {
		t.Run(tag, func(t *testing.T) {
			opt.Say = speaking(t, tag)
			r := build(t, exampleInput(t), opt)
			golden(t, "rules."+tag+".md", documenttest.Written(t, r.Document().Markdown))
			golden(t, "rules."+tag+".html", documenttest.Written(t, r.Document().HTML))
			packet := Packet{Title: "lung", Meeting: "3.12.2026", Say: opt.Say, Cases: []IndexEntry{
				{Topic: "first", Question: r.Question, Report: r},
				{Topic: "second", Question: "of nothing", Failed: "no evidence"}}}
			golden(t, "packet."+tag+".md", documenttest.Written(t, packetOf(t, &packet).Markdown))
		})
	}
}

func speaking(t *testing.T, tag string) *catalogue.Say {
	t.Helper()
	say, err := catalogue.In(tag)
	if err != nil {
		t.Fatal(err)
	}
	return say
}

func TestGoldenDiagrams(t *testing.T) {
	r := build(t, exampleInput(t), rulesOnly())
	golden(t, "flow.svg", styled(t, r.Methodology.flowDrawing(nil)))
	golden(t, "years.svg", styled(t, r.Methodology.yearsDrawing(nil)))
	golden(t, "fit.svg", styled(t, r.fitDrawing()))
}

// TestWriteFiles writes the example to a folder named in REPORT_DIR, for looking at.
func TestWriteFiles(t *testing.T) {
	dir := os.Getenv("REPORT_DIR")
	if dir == "" {
		t.Skip("REPORT_DIR names no folder to write the example reports to")
	}
	opt := rulesOnly()
	opt.Model = exampleModel()
	for name, r := range map[string]*Report{"model": build(t, exampleInput(t), opt), "rules": build(t, exampleInput(t),
		rulesOnly())} {
		for ext, write := range map[string]func(io.Writer) error{"html": r.Document().HTML, "docx": r.Document().DOCX,
			"md": r.Document().Markdown, "json": r.JSON} {
			if err := os.WriteFile(filepath.Join(dir, name+"."+ext), documenttest.Written(t, write), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// styled is a diagram as a file of its own, with its style in it.
func styled(t *testing.T, d *document.Drawing) []byte {
	t.Helper()
	style, err := os.ReadFile(filepath.Join("..", "document", "drawing.css"))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(d.SVG(), []byte("</desc>"), []byte("</desc><style>"+string(style)+"</style>"), 1)
}
