package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

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

func TestGoldenDiagrams(t *testing.T) {
	r := build(t, exampleInput(t), rulesOnly())
	golden(t, "flow.svg", styled(t, r.Methodology.flowDrawing()))
	golden(t, "years.svg", styled(t, r.Methodology.yearsDrawing()))
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
