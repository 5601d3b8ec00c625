package report

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"

	"dossier/internal/evidence"
	"dossier/internal/plaintext"
	"dossier/internal/render"
)

func formats(r *Report) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{"Markdown": r.Document().Markdown, "HTML": r.Document().HTML, "DOCX": r.Document().DOCX, "JSON": r.JSON}
}

// hostile is a text that means something to every format.
const hostile = "=HYPERLINK(\"http://evil.example\") <script>alert(1)</script><img src=x onerror=alert(1)> | `code` ](javascript:alert(1)) [x](javascript:alert(2)) \x1b[31mred\x1b[0m \u202egnp.exe \u200bzero \u009b31m \u2066x\u2069 \u00ad\u2060 *bold* ]]> &amp; {{.Title}} \ufffe\uffff\x00 </title></style> $x$ ~~gone~~"

// hostileTexts are such texts of other sorts: Markdown's signs at the beginning of lines, and what grounding looks for.
var hostileTexts = []string{
	hostile,
	"| --- |\n# heading\n1. list\n> quote\n    code\n```\n<!-- ",
	"Response 41% [PMID:97000001] (Smith et al., 2020) “quote of words” 5–6 months n=12 HR 0.5, 95% CI 0.3-0.8",
}

// hostileInput has the text wherever a stranger may put one.
func hostileInput(t testing.TB, text string) Input { return hostileIn(exampleInput(t), text) }

func hostileIn(in Input, text string) Input {
	a := *in.Answer
	in.Answer = &a
	a.Topic.Question, a.Screening, a.Query.Text, a.Query.By = text, text, text, text
	a.Query.Failed = []evidence.FailedQuery{{Layer: 1, Text: text, Reason: text}}
	a.Searches = []evidence.Search{{Source: text, Status: evidence.SearchPartial, Query: text, Error: text, Hint: text, Warnings: []string{text}, From: "2020", Found: 1, Hits: 2}}
	in.Warnings, in.Program = []string{text}, text
	r := &evidence.Record{
		ID: "PMID:97000001", Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: "97000001"}, {Kind: evidence.DOI, Value: "10.1002/(sici)1097<1::aid-x>3.0.co;2-#\"><script>"}},
		Title: text, Abstract: []evidence.Section{{Label: text, Text: "Response was 41% in this study of many people. " + text + " was found in all patients who took part."}},
		Authors: []evidence.Author{{Family: text, Initials: "X"}, {Collective: text}}, Journal: evidence.Journal{Title: text, Abbreviation: text}, Date: "2024", Preprint: true,
	}
	long := &evidence.Record{ID: "PMID:97000002", Title: strings.Repeat(text+" ", 20), Abstract: []evidence.Section{{Text: strings.Repeat("y", 10_000)}}}
	untitled := &evidence.Record{ID: text}
	in.Sample = append(in.Sample, render.Item{Record: r, Assessment: &evidence.Assessment{Score: 6, Design: evidence.Design(text), Bucket: evidence.Bucket(text)}}, render.Item{Record: long}, render.Item{Record: untitled})
	in.Trials = append(in.Trials, render.Item{Record: &evidence.Record{ID: "NCT:NCT97000003", Title: text, Trial: &evidence.Trial{Status: text, Phases: []string{text}, Sites: []evidence.Site{{Country: text}}, LastVerified: evidence.Date("2024")}}})
	retracted := *r
	retracted.ID, retracted.Retraction = "PMID:97000004", evidence.Retraction{Status: evidence.Yes, Source: text}
	retracted.Identifiers = []evidence.Identifier{{Kind: evidence.PMID, Value: "97000004"}}
	in.Removed = append(in.Removed, render.Item{Record: &retracted})
	return in
}

func hostileModel(text string) *fakeModel {
	cite := []string{"PMID:97000001"}
	model := exampleModel()
	model.hypotheses = append(model.hypotheses, DraftHypothesis{Drug: "", Target: text, Pathway: text, Effect: text, Supporting: cite})
	model.assessments = []DraftAssessment{{Reasoning: text, Missing: []string{text}, Sufficient: true}}
	statement := DraftStatement{text + " in 77%.", cite}
	model.draft = Draft{ExecutiveSummary: text, MechanisticFindings: []DraftStatement{statement}, ClinicalFindings: []DraftStatement{statement}, Limitations: []string{text}, Conclusion: []DraftStatement{statement}, DrugCandidates: []DraftDrug{{text, cite}}}
	return model
}

func TestHostileTextStaysText(t *testing.T) {
	for i, hostile := range hostileTexts {
		withModel := rulesOnly()
		withModel.Model = hostileModel(hostile)
		for name, opt := range map[string]Options{"rules": rulesOnly(), "model": withModel} {
			name = fmt.Sprintf("%s, text %d: ", name, i)
			r := build(t, hostileInput(t, hostile), opt)
			t.Run(name+"HTML", func(t *testing.T) { checkHTML(t, written(t, r.Document().HTML)) })
			t.Run(name+"Markdown", func(t *testing.T) {
				checkMarkdown(t, written(t, r.Document().Markdown), judgedSections, unjudgedSections)
			})
			t.Run(name+"DOCX", func(t *testing.T) { checkDOCX(t, written(t, r.Document().DOCX)) })
			t.Run(name+"JSON", func(t *testing.T) { checkJSON(t, written(t, r.JSON)) })
			t.Run(name+"SVG", func(t *testing.T) {
				checkXML(t, "flow", r.Methodology.flowDrawing().svg())
				checkXML(t, "years", r.Methodology.yearsDrawing().svg())
			})
			t.Run(name+"nothing invisible", func(t *testing.T) {
				for form, page := range map[string][]byte{
					"HTML": written(t, r.Document().HTML), "Markdown": written(t, r.Document().Markdown), "DOCX": documentXML(t, r.Document()),
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
	r := build(t, hostileInput(t, hostile), rulesOnly())
	doc, err := html.Parse(bytes.NewReader(written(t, r.Document().HTML)))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range doc.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	for _, part := range []string{`=HYPERLINK("http://evil.example") <script>alert(1)</script>`, "](javascript:alert(1))", "{{.Title}}", "{{.Title}} "} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("%q is not in the page's text", part)
		}
	}
}

// allowedElements are those that do nothing and ask for nothing.
var allowedElements = sync.OnceValue(func() map[string]bool {
	allowed := map[string]bool{}
	for _, name := range strings.Fields(`html head meta title style body header p h1 h2 h3 h4 dl dt dd article nav ul ol li a bdi main section div table caption thead tbody tr th td span strong mark figure pre code br svg desc rect path text`) {
		allowed[name] = true
	}
	return allowed
})

// checkHTML holds a page to elements and attributes that do nothing and ask for nothing, and to tags that match.
func checkHTML(t *testing.T, page []byte) {
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
			if tok.Data != "meta" && tok.Data != "br" {
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

func checkTag(t *testing.T, tok html.Token, allowed map[string]bool) {
	t.Helper()
	if !allowed[tok.Data] {
		t.Errorf("there is a <%s>", tok.Data)
	}
	for _, a := range tok.Attr {
		switch {
		case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "src", a.Key == "srcset":
			t.Errorf("<%s> has %s=%q", tok.Data, a.Key, a.Val)
		case a.Key == "href" && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "https://") && !strings.HasPrefix(a.Val, "./"):
			t.Errorf("a link goes to %q", a.Val)
		}
	}
}

var dangerousRE = regexp.MustCompile(`(?i)<script|<img|<iframe|<style|onerror=|href="(?:javascript|data|vbscript|http:)`)

// checkMarkdown renders the document with raw HTML passed through, which is the worst that a reader's program may do.
// The sections of a whole report; where nothing was judged three of them are one.
const judgedSections, unjudgedSections = 14, 12

// checkMarkdown holds a page to one of so many sections, so that no text makes one of its own.
func checkMarkdown(t *testing.T, doc []byte, sections ...int) {
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

// checkXML reads a part to its end; an XML reader stops at the first fault.
func checkXML(t *testing.T, name string, part []byte) {
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

// checkDOCX reads every part, and holds what parts refer to against what there is.
func checkDOCX(t *testing.T, file []byte) {
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
			checkXML(t, f.Name, []byte(parts[f.Name]))
		}
	}
	document := parts["word/document.xml"]
	given := map[string]bool{}
	for _, m := range givenRE.FindAllStringSubmatch(parts["word/_rels/document.xml.rels"], -1) {
		given[m[1]] = true
		if _, here := parts["word/"+m[2]]; m[3] == "" && !here {
			t.Errorf("the relation %s leads to %s, which is not there", m[1], m[2])
		}
		if m[3] != "" && !strings.HasPrefix(m[2], "https://") {
			t.Errorf("a link goes to %q", m[2])
		}
	}
	for _, m := range relationRE.FindAllStringSubmatch(document, -1) {
		if !given[m[1]] {
			t.Errorf("the document refers to %s, which no relation gives", m[1])
		}
	}
	for _, m := range styleRE.FindAllStringSubmatch(document+parts["word/styles.xml"]+parts["word/footer1.xml"], -1) {
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

func readPart(t *testing.T, f *zip.File) string {
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
	if m := regexp.MustCompile(`"(statements|items|records|references|marks|trials|missing|links|warnings|sources|papers)": null`).Find(doc); m != nil {
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
			checkHTML(t, written(t, r.Document().HTML))
			checkMarkdown(t, written(t, r.Document().Markdown), judgedSections, unjudgedSections)
			checkDOCX(t, written(t, r.Document().DOCX))
			checkJSON(t, written(t, r.JSON))
		})
	}
}

func TestHTMLAsksForNothing(t *testing.T) {
	r := build(t, exampleInput(t), rulesOnly())
	page := html.UnescapeString(string(written(t, r.Document().HTML)))
	for _, want := range []string{"default-src 'none'", "style-src 'sha256-", "base-uri 'none'", "form-action 'none'", "@page", "prefers-color-scheme", "width=device-width"} {
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
		NewIndexEntry(r, IndexFile{"HTML", "kras-g12c-crc.html"}, IndexFile{"DOCX", "kras-g12c-crc.docx"}),
		{Topic: "a-topic", Question: hostile, Failed: hostile},
		{Topic: "odd", Question: "A file with an odd name", Files: []IndexFile{{hostile, "javascript:alert(1)"}}},
	}
	page := written(t, func(w io.Writer) error { return Index(w, 42, entries) })
	checkHTML(t, page)
	entries[0], entries[2] = entries[2], entries[0]
	if again := written(t, func(w io.Writer) error { return Index(w, 42, entries) }); !bytes.Equal(page, again) {
		t.Error("the order of the entries shows in the index")
	}
	for _, want := range []string{`href="./kras-g12c-crc.html"`, "No report:", "2 reports", "1 topic without one"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("%q is not in the index", want)
		}
	}
}

// documentOf holds the text where a document may hold one: in each kind of block once, with each kind of inline; or, with a place
// above 0, in that one of the blocks alone.
func documentOf(s string, place int) document {
	line := []inline{{text: s}, {text: s, bold: true}, {text: s, soft: true}, {text: s, link: "https://doi.org/10.5555/x"}, {refs: []int{1}},
		{text: s, badge: toneWarn}, {text: s, doubt: s}}
	facts := []fact{{name: s, line: text(s), items: [][]inline{text(s)}, tone: toneWarn}}
	makers := []func() block{
		func() block { return heading(s) }, func() block { return paragraph(line) }, func() block { return remarkOf(text(s)) },
		func() block { return block{kind: blockCode, line: text(s)} },
		func() block { return block{kind: blockList, items: [][]inline{text(s)}} },
		func() block { return cardBlock(card{title: text(s), badges: line[5:6], facts: facts}) },
		func() block { return block{kind: blockFacts, facts: facts} },
		func() block {
			head := []column{{title: s, share: 1}}
			return block{kind: blockTable, table: &table{caption: s, head: head, rows: [][][]inline{{text(s)}}}}
		},
		func() block {
			return block{kind: blockReferences, refs: []entry{{1, []inline{{text: s}, {text: s, link: "https://doi.org/10.5555/x"}}}}}
		},
	}
	if place %= len(makers) + 1; place > 0 {
		return document{
			name: "A title", short: "A title", title: "A title", subtitle: "Evidence report", lead: section{"brief", "In brief", []block{remarkOf(text("A brief."))}},
			sections: []section{{"all", "All", []block{makers[place-1]()}}},
		}
	}
	var blocks []block
	for _, make := range makers {
		blocks = append(blocks, make())
	}
	return document{
		name: s, short: s, title: s, subtitle: "Evidence report", meta: []string{s}, warnings: [][]inline{text(s)},
		lead: section{"brief", "In brief", []block{{kind: blockFacts, facts: facts}}}, sections: []section{{"all", s, blocks}},
	}
}

// fuzzFormat gives any text to what all formats are made of, in most runs to one block of it, which takes a tenth of the time of all;
// TestHostileTextStaysText has it in whole reports, which take too long for many inputs.
func fuzzFormat(f *testing.F, check func(t *testing.T, d document)) {
	for _, text := range hostileTexts {
		f.Add(text, byte(0))
	}
	f.Fuzz(func(t *testing.T, text string, place byte) {
		if len(text) <= 400 {
			check(t, documentOf(text, int(place)))
		}
	})
}

func FuzzHTML(f *testing.F) {
	fuzzFormat(f, func(t *testing.T, d document) {
		page := written(t, func(w io.Writer) error { return d.HTML(w) })
		checkHTML(t, bytes.Replace(page, []byte(pageStyle+drawingStyle), nil, 1)) // which is always the same, and most of a page
	})
}

func FuzzMarkdown(f *testing.F) {
	fuzzFormat(f, func(t *testing.T, d document) {
		checkMarkdown(t, written(t, func(w io.Writer) error { return d.Markdown(w) }), 2)
	})
}

func FuzzDOCX(f *testing.F) {
	fuzzFormat(f, func(t *testing.T, d document) { checkXML(t, "document.xml", documentXML(t, d)) })
}

// documentXML is the text of the DOCX file without its pictures, which are slow to draw and hold nothing of a stranger's.
func documentXML(t *testing.T, laidOut document) []byte {
	d := &docx{linkIDs: map[string]int{}}
	for _, s := range append([]section{laidOut.lead}, laidOut.sections...) {
		for _, b := range s.blocks {
			if b.kind != blockFigure {
				if err := d.block(b); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return d.document()
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
	opt.More = func(context.Context, []string) ([]render.Item, error) { return manyItems(1), nil }
	in.Answer.Query.Failed = []evidence.FailedQuery{{Layer: 1, Text: "a query", Reason: "found nothing"}}
	doc := written(t, build(t, in, opt).JSON)
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
