package report

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"dossier/internal/document"
	"dossier/internal/document/documenttest"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

func formats(r *Report) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{"Markdown": r.Document().Markdown, "HTML": r.Document().HTML,
		"DOCX": r.Document().DOCX, "JSON": r.JSON}
}

// hostileInput has the text wherever a stranger may put one.
func hostileInput(t testing.TB, text string) Input { return hostileIn(exampleInput(t), text) }

func hostileIn(in Input, text string) Input {
	a := *in.Answer
	in.Answer = &a
	a.Topic.Question, a.Screening, a.Query.Text, a.Query.By = text, text, text, text
	a.Query.Failed = []evidence.FailedQuery{{Layer: 1, Text: text, Reason: text}}
	a.Searches = []evidence.Search{{Source: text, Status: evidence.SearchPartial, Query: text, Error: text, Hint: text,
		Warnings: []string{text}, From: "2020", Found: 1, Hits: 2}}
	in.Warnings, in.Program = []string{text}, text
	r := &evidence.Record{
		ID: "PMID:97000001", Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: "97000001"},
			{Kind: evidence.DOI, Value: "10.1002/(sici)1097<1::aid-x>3.0.co;2-#\"><script>"}},
		Title: text, Abstract: []evidence.Section{{Label: text, Text: "Response was 41% in this study of many people. " +
			text + " was found in all patients who took part."}},
		Authors: []evidence.Author{{Family: text, Initials: "X"}, {Collective: text}}, Journal: evidence.Journal{Title: text,
			Abbreviation: text}, Date: "2024", Preprint: true,
	}
	long := &evidence.Record{ID: "PMID:97000002", Title: strings.Repeat(text+" ", 20),
		Abstract: []evidence.Section{{Text: strings.Repeat("y", 10_000)}}}
	untitled := &evidence.Record{ID: text}
	in.Sample = append(in.Sample, evidence.Item{Record: r, Assessment: &evidence.Assessment{Score: 6,
		Design: evidence.Design(text), Bucket: evidence.Bucket(text)}}, evidence.Item{Record: long},
		evidence.Item{Record: untitled})
	in.Trials = append(in.Trials, evidence.Item{Record: &evidence.Record{ID: "NCT:NCT97000003", Title: text,
		Trial: &evidence.Trial{Status: text, Phases: []string{text}, Sites: []evidence.Site{{Country: text}},
			LastVerified: evidence.Date("2024")}}})
	retracted := *r
	retracted.ID, retracted.Retraction = "PMID:97000004", evidence.Retraction{Status: evidence.Yes, Source: text}
	retracted.Identifiers = []evidence.Identifier{{Kind: evidence.PMID, Value: "97000004"}}
	in.Removed = append(in.Removed, evidence.Item{Record: &retracted})
	return in
}

func hostileModel(text string) *fakeModel {
	cite := []string{"PMID:97000001"}
	model := exampleModel()
	model.hypotheses = append(model.hypotheses, DraftHypothesis{Drug: "", Target: text, Pathway: text, Effect: text,
		Supporting: cite})
	model.assessments = []DraftAssessment{{Reasoning: text, Missing: []string{text}, Sufficient: true}}
	statement := DraftStatement{text + " in 77%.", cite}
	model.draft = Draft{ExecutiveSummary: text, MechanisticFindings: []DraftStatement{statement},
		ClinicalFindings: []DraftStatement{statement}, Limitations: []string{text}, Conclusion: []DraftStatement{statement},
		DrugCandidates: []DraftDrug{{text, cite}}}
	return model
}

func TestHostileTextStaysText(t *testing.T) {
	for i, hostile := range documenttest.HostileTexts {
		withModel := rulesOnly()
		withModel.Model = hostileModel(hostile)
		for name, opt := range map[string]Options{"rules": rulesOnly(), "model": withModel} {
			name = fmt.Sprintf("%s, text %d: ", name, i)
			r := build(t, hostileInput(t, hostile), opt)
			t.Run(name+"HTML", func(t *testing.T) { documenttest.CheckHTML(t, documenttest.Written(t, r.Document().HTML)) })
			t.Run(name+"Markdown", func(t *testing.T) {
				documenttest.CheckMarkdown(t, documenttest.Written(t, r.Document().Markdown), judgedSections, unjudgedSections)
			})
			t.Run(name+"DOCX", func(t *testing.T) { documenttest.CheckDOCX(t, documenttest.Written(t, r.Document().DOCX)) })
			t.Run(name+"JSON", func(t *testing.T) { checkJSON(t, documenttest.Written(t, r.JSON)) })
			t.Run(name+"SVG", func(t *testing.T) {
				documenttest.CheckXML(t, "flow", r.Methodology.flowDrawing(nil).SVG())
				documenttest.CheckXML(t, "years", r.Methodology.yearsDrawing(nil).SVG())
				documenttest.CheckXML(t, "fit", r.fitDrawing().SVG())
			})
			t.Run(name+"nothing invisible", func(t *testing.T) {
				for form, page := range map[string][]byte{
					"HTML": documenttest.Written(t, r.Document().HTML), "Markdown": documenttest.Written(t, r.Document().Markdown),
					"DOCX": []byte(documenttest.Parts(t, documenttest.Written(t, r.Document().DOCX))["word/document.xml"]),
				} {
					if bytes.ContainsFunc(page, plaintext.Invisible) {
						t.Errorf("%s lets an invisible character out", form)
					}
				}
			})
		}
	}
}

// Nothing of a title is lost but what shows nothing.
func TestHostileTitleIsStillReadable(t *testing.T) {
	r := build(t, hostileInput(t, documenttest.Hostile), rulesOnly())
	doc, err := html.Parse(bytes.NewReader(documenttest.Written(t, r.Document().HTML)))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range doc.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	for _, part := range []string{`=HYPERLINK("http://evil.example") <script>alert(1)</script>`, "](javascript:alert(1))",
		"{{.Title}}", "{{.Title}} "} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("%q is not in the page's text", part)
		}
	}
}

// The sections of a whole report; where nothing was judged three of them are one.
const judgedSections, unjudgedSections = 14, 12

// checkJSON reads the report back and looks for null where a list belongs.
func checkJSON(t *testing.T, doc []byte) {
	t.Helper()
	var back Report
	if err := json.Unmarshal(doc, &back); err != nil {
		t.Fatal(err)
	}
	if back.Schema != Schema || back.Command != "report" {
		t.Errorf("schema %q, command %q", back.Schema, back.Command)
	}
	if m := regexp.MustCompile(
		`"(statements|items|records|references|marks|trials|missing|links|warnings|sources|papers)": null`).Find(
		doc); m != nil {
		t.Errorf("a list is null: %s", m)
	}
}

func TestFormatsAtAllSizes(t *testing.T) {
	for _, n := range []int{1, 2, 60, 500} {
		t.Run(fmt.Sprint(n, " records"), func(t *testing.T) {
			in := exampleInput(t)
			in.Sample = manyItems(n)
			r := build(t, in, rulesOnly())
			if len(r.References) != n || len(r.Included) != n {
				t.Errorf("%d references, %d records", len(r.References), len(r.Included))
			}
			documenttest.CheckHTML(t, documenttest.Written(t, r.Document().HTML))
			documenttest.CheckMarkdown(t, documenttest.Written(t, r.Document().Markdown), judgedSections, unjudgedSections)
			documenttest.CheckDOCX(t, documenttest.Written(t, r.Document().DOCX))
			checkJSON(t, documenttest.Written(t, r.JSON))
		})
	}
}

func TestHTMLAsksForNothing(t *testing.T) {
	r := build(t, exampleInput(t), rulesOnly())
	page := html.UnescapeString(string(documenttest.Written(t, r.Document().HTML)))
	for _, want := range []string{"default-src 'none'", "style-src 'sha256-", "base-uri 'none'", "form-action 'none'",
		"@page", "prefers-color-scheme", "width=device-width"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not in the page", want)
		}
	}
	if strings.Contains(page, "@import") || strings.Contains(page, "url(") {
		t.Error("the style refers to something")
	}
}

func TestIndexListsReportsAndFailures(t *testing.T) {
	r := build(t, exampleInput(t), rulesOnly())
	entries := []IndexEntry{
		{Topic: r.Topic, Question: r.Question, Report: r, Files: []document.File{{Format: "HTML", Name: "kras-g12c-crc.html"},
			{Format: "DOCX", Name: "kras-g12c-crc.docx"}}},
		{Topic: "a-topic", Question: documenttest.Hostile, Failed: documenttest.Hostile},
		{Topic: "odd", Question: "A file with an odd name", Report: &Report{},
			Files: []document.File{{Format: documenttest.Hostile, Name: "javascript:alert(1)"}}},
	}
	page := documenttest.Written(t, func(w io.Writer) error { return WriteIndex(w, nil, 42, entries) })
	documenttest.CheckHTML(t, page)
	entries[0], entries[2] = entries[2], entries[0]
	again := documenttest.Written(t, func(w io.Writer) error { return WriteIndex(w, nil, 42, entries) })
	if !bytes.Equal(page,
		again) {
		t.Error("the order of the entries shows in the index")
	}
	for _, want := range []string{`href="./kras-g12c-crc.html"`, "No report:", "2 reports", "1 topic without one"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("%q is not in the index", want)
		}
	}
}

// Every key that a report has is in docs/REPORT.md.
func TestJSONIsDocumented(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "REPORT.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, code := range regexp.MustCompile("`[^`]+`").FindAllString(string(raw), -1) {
		for _, w := range regexp.MustCompile(`[a-z_]+`).FindAllString(code, -1) {
			words[w] = true
		}
	}
	in := exampleInput(t)
	model := exampleModel()
	model.assessments = []DraftAssessment{{Missing: []string{"more"}}}
	opt := rulesOnly()
	opt.Model = model
	opt.More = func(context.Context, []string) ([]evidence.Item, error) { return manyItems(1), nil }
	in.Answer.Query.Failed = []evidence.FailedQuery{{Layer: 1, Text: "a query", Reason: "found nothing"}}
	doc := documenttest.Written(t, build(t, in, opt).JSON)
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(`"([a-z_]+)": `).FindAllStringSubmatch(string(doc), -1) {
		if !words[m[1]] && !seen[m[1]] {
			t.Errorf("docs/REPORT.md does not name %q", m[1])
		}
		seen[m[1]] = true
	}
	if len(seen) < 80 {
		t.Errorf("the report has only %d keys; is the example still whole?", len(seen))
	}
}
