package render

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// TestADisputedRetractionIsShownEverywhere has a record that a file with a hostile name says is retracted, judged and
// never judged.
func TestADisputedRetractionIsShownEverywhere(t *testing.T) {
	disputed := paper("99000001", "Claimed to be retracted", evidence.RCT, 5)
	disputed.Record.Retraction.Disputed = evidence.Dispute{By: "an imported file",
		Source: "import:<b>x</b>\x1b[31m.ris", ID: "7", Date: "2026-11-02"}
	disputed.Assessment.Review = "the model gives 10, the rules 5"
	unjudged := disputed
	unjudged.Assessment = nil
	answer := exampleAnswer()
	answer.Sample = []evidence.Item{disputed}
	search := &Search{Query: "x", Hits: []Hit{{Item: unjudged}}}
	terminal := Terminal{Width: 300}
	const said = "retraction disputed: claimed by import:<b>x</b>[31m.ris 7 (an imported file), 2026-11-02"
	const escaped = `retraction disputed: claimed by import:&#60;b&#62;x&#60;/b&#62;\[31m.ris 7 (an imported file), 2026-11-02`
	for _, tc := range []struct {
		name  string
		write func(io.Writer) error
		want  []string
	}{
		{"an answer's table", func(w io.Writer) error { return answer.Table(w, terminal) }, []string{
			"(1 of them with a disputed retraction, see “check”)", "check: " + said + "; the model gives 10, the rules 5",
		}},
		{"an answer in Markdown", answer.Markdown, []string{"1 of them with a disputed retraction", "check: " + escaped}},
		{"an answer as CSV", answer.CSV, []string{`,no,false,`, said + "; the model gives 10"}},
		{"an answer as JSON",
			answer.JSON, []string{`"retracted": "no"`, `"disputed": {`, `"by": "an imported file"`,
				`"review": "retraction disputed: claimed by`}},
		{"a search's table", func(w io.Writer) error { return search.Table(w, terminal) }, []string{"check: " + said}},
		{"a search as CSV", search.CSV, []string{said}},
		{"a search as JSON lines", search.JSONLines, []string{`"disputed":{"by":"an imported file"`}},
		{"a record by itself",
			func(w io.Writer) error { return RecordTable(w, terminal, unjudged) }, []string{"check        " + said,
				"retracted    no, says pubmed"}},
		{"a record in Markdown",
			func(w io.Writer) error { return RecordMarkdown(w, unjudged) }, []string{"- check: " + escaped}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := tc.write(&out); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(out.String(), "\x1b[31m") {
				t.Error("the terminal is coloured by a file's name")
			}
			for _, want := range tc.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in:\n%s", want, out.String())
				}
			}
		})
	}
}

func TestARecordTellsWhereItsFieldsAreFrom(t *testing.T) {
	of := func(provenance map[string]string) evidence.Item {
		it := paper("99000001", "A study", evidence.RCT, 5)
		it.Record.Provenance = provenance
		return it
	}
	for _, tc := range []struct {
		name       string
		provenance map[string]string
		words      string
		json       []string
	}{
		{"nothing known", nil, "", []string{`"provenance": {}`}},
		{"one source",
			map[string]string{"title": "pubmed", "abstract": "pubmed", "links": "pubmed"}, "told by      everything: pubmed",
			[]string{`"family": [`}},
		{"several",
			map[string]string{"title": "pubmed", "abstract": "import:a.ris#1", "keywords": "pubmed,openalex",
				"cited_by": "openalex"},
			"told by      title: pubmed; abstract: import:a.ris#1; keywords: pubmed and openalex; citations: openalex",
			[]string{`"openalex"`, `"import:a.ris#1"`}},
		{"a hostile file name",
			map[string]string{"title": "import:\x1b[31mx\u202e"}, "told by      everything: import:[31mx", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var table, json bytes.Buffer
			it := of(tc.provenance)
			if err := RecordTable(&table, Terminal{Width: 300}, it); err != nil {
				t.Fatal(err)
			}
			if err := RecordJSON(&json, it, 1); err != nil {
				t.Fatal(err)
			}
			if tc.words == "" && strings.Contains(table.String(), "told by") || !strings.Contains(table.String(), tc.words) {
				t.Errorf("no %q in:\n%s", tc.words, table.String())
			}
			for _, want := range tc.json {
				if !strings.Contains(json.String(), want) {
					t.Errorf("no %q in:\n%s", want, json.String())
				}
			}
		})
	}
}
