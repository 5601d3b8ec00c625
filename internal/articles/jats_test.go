package articles

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"dossier/internal/evidence"
)

// head is the front of an article that may be kept.
const head = `<front><article-meta><article-id pub-id-type="pmc">99000901</article-id>` +
	`<title-group><article-title>An invented title</article-title></title-group><permissions>` +
	`<license xlink:href="http://creativecommons.org/licenses/by/4.0/"/></permissions></article-meta></front>`

func articleOf(body string) string { return "<article>" + head + body + "</article>" }

// read gives all that a file holds.
func read(t testing.TB, file []byte) (articles []Article, problems []evidence.Problem, counts FileCounts, err error) {
	t.Helper()
	counts, err = ReadJATS(t.Context(), bytes.NewReader(file), func(a Article) error {
		articles = append(articles, a)
		return nil
	}, func(p evidence.Problem) { problems = append(problems, p) })
	return articles, problems, counts, err
}

// bodyOf is the body of a file's one article.
func bodyOf(t testing.TB, file string) *evidence.Body {
	t.Helper()
	articles, problems, _, err := read(t, []byte(file))
	if err != nil || len(problems) > 0 || len(articles) != 1 {
		t.Fatalf("%d articles, problems %v, %v", len(articles), problems, err)
	}
	return articles[0].Record.Body
}

func TestTheSample(t *testing.T) {
	file, err := os.ReadFile("../../sample/fulltext.xml")
	if err != nil {
		t.Fatal(err)
	}
	articles, problems, _, err := read(t, file)
	if err != nil || len(problems) > 0 || len(articles) != 4 {
		t.Fatalf("%d articles, problems %v, %v", len(articles), problems, err)
	}
	first := articles[0].Record
	var ids []string
	for _, id := range first.Identifiers {
		ids = append(ids, id.String())
	}
	if diff := cmp.Diff([]string{"PMID:99000003", "DOI:10.5555/sacr.2024.0003", "PMCID:PMC99000103"}, ids); diff != "" {
		t.Errorf("identifiers (-want +got):\n%s", diff)
	}
	if first.Date != "2024-06-03" || first.Authors[0].Family != "Farthingmoor" || first.Abstract[0].Label != "Background" {
		t.Errorf("read as %+v", first)
	}
	b := first.Body
	for kind, want := range map[evidence.SectionKind]string{
		evidence.Introduction: "within hours¹.",
		evidence.Methods:      "at a depth of 10⁴.",
		evidence.Results:      "(HR 2.10, 95% CI 1.22–3.61)",
		evidence.Discussion:   "MET amplification may mark",
		evidence.Interests:    "declare no competing interests",
	} {
		if got := strings.Join(b.Texts(kind), "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: %q is not in %q", kind, want, got)
		}
	}
	if got := strings.Join(b.Texts(evidence.Methods), "\n"); !strings.Contains(got, "; α = 0.05 was") {
		t.Errorf("a formula: %q", got)
	}
	want := []evidence.BodyTable{{
		Label: "Table 1", Kind: evidence.Results, Caption: "Resistance alterations at progression", Header: 2,
		Rows: [][]string{
			{"Gene", "Patients, n (%)", "Patients, n (%)"},
			{"Gene", "Combination", "Control"},
			{"KRAS", "Y96D 12 (17)", "0"},
			{"KRAS", "amplification 9 (13)", "1 (2)"},
			{"MET", "14 (20)", "3 (5)"},
		},
		Footnotes: []string{"Several alterations may stand in one patient."},
	}}
	if diff := cmp.Diff(want, b.Tables); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
	cited := []evidence.Reference{{Label: "1", Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: "99000005"}}},
		{Label: "2", Text: "A book without any number, 2019."}}
	if diff := cmp.Diff(cited, b.References); diff != "" {
		t.Errorf("references (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"mmc1.pdf: Supplementary appendix"}, b.Supplements); diff != "" {
		t.Errorf("supplements (-want +got):\n%s", diff)
	}
	if len(b.Figures) != 1 || b.Figures[0].Label != "Figure 1" {
		t.Errorf("figures: %+v", b.Figures)
	}
	if nc := articles[1].Record.Body; !nc.Noncommercial || nc.Licence != "CC BY-NC-ND 4.0" {
		t.Errorf("the second's licence: %q, %v", nc.Licence, nc.Noncommercial)
	}
	if a := articles[2]; a.Record.Body != nil || !strings.Contains(a.Licence, "reading only") {
		t.Errorf("the third is kept, or its licence not told: %q", a.Licence)
	}
	if got := articles[3].Record.Body.Licence; got != "CC0 1.0" {
		t.Errorf("the fourth's licence: %q", got)
	}
}

func TestLicences(t *testing.T) {
	for words, want := range map[string]licence{
		"http://creativecommons.org/licenses/by/4.0/":                             {"CC BY 4.0", false},
		"https://creativecommons.org/licenses/by-nc/4.0/":                         {"CC BY-NC 4.0", true},
		"https://creativecommons.org/licenses/by-nd/3.0/ open-access":             {"CC BY-ND 3.0", false},
		"https://creativecommons.org/publicdomain/zero/1.0/":                      {"CC0 1.0", false},
		"under the CC-BY-NC-SA 4.0 licence":                                       {"CC BY-NC-SA 4.0", true},
		"CC0":                                                                     {"CC0", false},
		"Creative Commons Attribution Non-Commercial License":                     {"CC BY-NC", true},
		"the Creative Commons Attribution NoDerivatives licence":                  {"CC BY-ND", false},
		"This is a work in the public domain":                                     {"public domain", false},
		"by/4.0 http://creativecommons.org/licenses/by/4.0/ and licenses/by-nc/4": {"CC BY 4.0", false},
		"open-access":                            {},
		"© The Publisher. All rights reserved.":  {},
		"made free for reading; ACCENT BY NIGHT": {},
		"":                                       {},
	} {
		t.Run(words, func(t *testing.T) {
			if got := licenceOf([]string{words}); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
	strictest := licenceOf([]string{"CC BY 4.0", "creativecommons.org/licenses/by-nc/4.0", "CC0"})
	if strictest != (licence{"CC BY-NC 4.0", true}) {
		t.Errorf("of several licences %+v counts", strictest)
	}
}

// Where articles of different years name their licence.
func TestPlacesOfALicence(t *testing.T) {
	const attribution = "Some authors. This is an open-access article distributed under the terms of the Creative Commons " +
		"Attribution License."
	for _, tc := range []struct{ name, front, want string }{
		{"a licence", `<permissions><license xlink:href="http://creativecommons.org/licenses/by/4.0/"/></permissions>`, "CC BY 4.0"},
		{"a reference to it", "<permissions><ali:license_ref>http://creativecommons.org/licenses/by/4.0/</ali:license_ref>" +
			"</permissions>", "CC BY 4.0"},
		{"the copyright's statement", "<permissions><copyright-statement>" + attribution + "</copyright-statement></permissions>",
			"CC BY"},
		{"that statement without permissions", "<copyright-statement>" + attribution + "</copyright-statement>", "CC BY"},
		{"a statement that names none", "<permissions><copyright-statement>Copyright 2010 A Society</copyright-statement>" +
			"<license>Under the CC BY-NC 4.0 licence.</license></permissions>", "CC BY-NC 4.0"},
		{"none", "<permissions><copyright-statement>Copyright 2010 A Society</copyright-statement></permissions>", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			articles, problems, _, err := read(t, []byte(`<article><front><article-meta><article-id pub-id-type="pmc">99000901`+
				"</article-id><title-group><article-title>An invented title</article-title></title-group>"+tc.front+
				"</article-meta></front><body><p>Text.</p></body></article>"))
			if err != nil || len(problems) > 0 || len(articles) != 1 {
				t.Fatalf("%d articles, problems %v, %v", len(articles), problems, err)
			}
			if got := articles[0]; got.Licence != tc.want || (got.Record.Body != nil) != (tc.want != "") {
				t.Errorf("licence %q, text kept: %v; want %q", got.Licence, got.Record.Body != nil, tc.want)
			}
		})
	}
}

func TestSections(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       []evidence.BodySection
	}{
		{"kinds by type and by title, told by what is around them",
			`<body><sec sec-type="materials|methods"><title>2</title><sec><title>Results of the pilot</title><p>a</p></sec></sec>` +
				`<sec><label>3.</label><title>Results and discussion</title><p>b</p></sec><sec><title>Outlook</title><p>c</p></sec></body>`,
			[]evidence.BodySection{
				{Kind: evidence.Methods, Title: "2"},
				{Kind: evidence.Methods, Title: "2 > Results of the pilot", Paragraphs: []string{"a"}},
				{Kind: evidence.Results, Title: "Results and discussion", Paragraphs: []string{"b"}},
				{Kind: evidence.OtherSection, Title: "Outlook", Paragraphs: []string{"c"}},
			}},
		{"what stands within a paragraph and behind it",
			`<body><p>before <table-wrap><label>T</label></table-wrap> behind<list><list-item><label>1.</label><p>one</p></list-item>` +
				`<list-item><p>two</p></list-item></list>last</p>loose <bold>words</bold></body>`,
			[]evidence.BodySection{{Kind: evidence.OtherSection,
				Paragraphs: []string{"before behind", "1.", "one", "two", "last", "loose words"}}}},
		{"an unknown element's words", `<body><sec><title>Results</title><new-thing><p>kept</p> too</new-thing></sec></body>`,
			[]evidence.BodySection{{Kind: evidence.Results, Title: "Results", Paragraphs: []string{"kept", "too"}}}},
		{"entities that nobody declares, and comments", `<body><p>a &lt; b &nothing; <!-- </p> -->&#945;</p></body>`,
			[]evidence.BodySection{{Kind: evidence.OtherSection, Paragraphs: []string{"a < b &nothing; α"}}}},
		{"a formula as TeX alone, and as MathML", `<body><p>x <inline-formula><tex-math>\begin{document}a^2\end{document}</tex-math>` +
			`</inline-formula> <mml:math><mml:msup><mml:mi>10</mml:mi><mml:mn>3</mml:mn></mml:msup></mml:math></p></body>`,
			[]evidence.BodySection{{Kind: evidence.OtherSection, Paragraphs: []string{"x a^2 10³"}}}},
		{"a formula on lines of its own stands in its sentence", `<body><p>We have <disp-formula><label>(1)</label>` +
			`<mml:math><mml:mi>x</mml:mi></mml:math></disp-formula>in which x counts.</p><disp-formula>y</disp-formula></body>`,
			[]evidence.BodySection{{Kind: evidence.OtherSection,
				Paragraphs: []string{"We have (1) x in which x counts.", "y"}}}},
		{"a formula that is a picture is named", `<body><p>The ratio was <inline-formula><inline-graphic xlink:href="e1"/></inline-formula>, ` +
			`of <disp-formula><alternatives><graphic xlink:href="e2"/></alternatives></disp-formula> and <inline-formula><alternatives>` +
			`<tex-math>a</tex-math><inline-graphic xlink:href="e3"/></alternatives></inline-formula>.</p></body>`,
			[]evidence.BodySection{{Kind: evidence.OtherSection,
				Paragraphs: []string{"The ratio was [formula], of [formula] and a."}}}},
		{"reviews and translations are named", `<body><p>a</p></body><sub-article article-type="referee-report"><body><p>b</p></body></sub-article>`,
			[]evidence.BodySection{{Kind: evidence.OtherSection, Paragraphs: []string{"a"}}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, bodyOf(t, articleOf(tc.body)).Sections); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTables(t *testing.T) {
	wrap := func(table string) string { return articleOf("<body><table-wrap>" + table + "</table-wrap></body>") }
	for _, tc := range []struct {
		name, file string
		want       [][]string
	}{
		{"a table in a cell", wrap(`<table><tr><td>a<table><tr><td>b</td><td>c</td></tr><tr><td>d</td></tr></table></td><td>e</td></tr></table>`),
			[][]string{{"a b | c | ; d | ;", "e"}}},
		{"spans beyond the table's end", wrap(`<table><tr><td rowspan="99" colspan="2">a</td><td>b</td></tr><tr><td>c</td></tr></table>`),
			[][]string{{"a", "a", "b"}, {"a", "a", "c"}}},
		{"OASIS's spans", wrap(`<oasis:table><oasis:tgroup><oasis:colspec colname="c1"/><oasis:colspec colname="c2"/><oasis:colspec colname="c3"/>` +
			`<oasis:thead><oasis:row><oasis:entry namest="c1" nameend="c2">a</oasis:entry><oasis:entry morerows="1">b</oasis:entry></oasis:row>` +
			`<oasis:row><oasis:entry>c</oasis:entry><oasis:entry>d</oasis:entry></oasis:row></oasis:thead></oasis:tgroup></oasis:table>`),
			[][]string{{"a", "a", "b"}, {"c", "d", "b"}}},
		{"OASIS's columns by number and name, spans by name, and cells left out", wrap(`<oasis:table><oasis:tgroup cols="4">` +
			`<oasis:colspec colnum="1"/><oasis:colspec/><oasis:colspec colname="c3"/><oasis:colspec colname="c4"/>` +
			`<oasis:spanspec spanname="both" namest="c3" nameend="c4"/><oasis:tbody>` +
			`<oasis:row><oasis:entry colname="c3">a</oasis:entry><oasis:entry namest="c4">b</oasis:entry></oasis:row>` +
			`<oasis:row><oasis:entry>c</oasis:entry><oasis:entry>d</oasis:entry><oasis:entry spanname="both">e</oasis:entry></oasis:row>` +
			`</oasis:tbody></oasis:tgroup></oasis:table>`), [][]string{{"", "", "a", "b"}, {"c", "d", "e", "e"}}},
		{"a foot that stands before the rows", wrap(`<table><thead><tr><th>a</th></tr></thead><tfoot><tr><td>c</td></tr></tfoot>` +
			`<tbody><tr><td>b</td></tr></tbody></table>`), [][]string{{"a"}, {"b"}, {"c"}}},
		{"a picture in words, and one's owner", wrap(`<alt-text>x</alt-text><table><tr><td>a<inline-graphic><alt-text>y</alt-text>` +
			`</inline-graphic></td></tr></table><permissions><copyright-statement>z</copyright-statement></permissions>`), [][]string{{"a"}}},
		{"a picture beside the table", wrap(`<alternatives><graphic/><table><tr><td>a</td></tr></table></alternatives>`),
			[][]string{{"a"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			table := bodyOf(t, tc.file).Tables[0]
			if diff := cmp.Diff(tc.want, table.Rows); diff != "" || len(table.Footnotes) > 0 {
				t.Errorf("footnotes %q; (-want +got):\n%s", table.Footnotes, diff)
			}
		})
	}
	var long strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&long, "<tr><td>row %d</td><td>%d</td></tr>", i, i)
	}
	if rows := bodyOf(t, wrap("<table>"+long.String()+"</table>")).Tables[0].Rows; len(rows) != 3000 || rows[2999][0] != "row 2999" {
		t.Errorf("of 3000 rows there are %d", len(rows))
	}
	wide := bodyOf(t, wrap(`<table><tr><td colspan="999999999">`+strings.Repeat("a", 100_000)+`</td></tr></table>`))
	if len(wide.Cut) != 1 || wide.Cut[0].Field != "body" {
		t.Errorf("a cell that would fill the memory: cut %v", wide.Cut)
	}
}

// TestHeads: which rows are a table's head, where there is an element for it and where there is none.
func TestHeads(t *testing.T) {
	row := func(cell string, words ...string) string {
		return "<tr><" + cell + ">" + strings.Join(words, "</"+cell+"><"+cell+">") + "</" + cell + "></tr>"
	}
	for _, tc := range []struct {
		name, table string
		want        int
	}{
		{"an element", "<thead>" + row("td", "a", "b") + row("td", "c", "d") + "</thead><tbody>" + row("th", "e", "f") + "</tbody>", 2},
		{"none, and rows of heads", "<tbody>" + row("th", "a", "b") + row("th", "c", "d") + row("td", "e", "f") + "</tbody>", 2},
		{"none, and a line between the rows", row("td", "a", "b") + row("th", "c", "d"), 0},
		{"none, and a title over all", row("th", "a") + row("td", "c", "d"), 0},
		{"all are heads", row("th", "a", "b") + row("th", "c", "d"), 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			body := bodyOf(t, articleOf("<body><table-wrap><table>"+tc.table+"</table></table-wrap></body>"))
			if got := body.Tables[0].Header; got != tc.want {
				t.Errorf("%d rows are the head, want %d", got, tc.want)
			}
		})
	}
}

// TestGroups: what tables or figures share stands before what each has of its own, and is no section's.
func TestGroups(t *testing.T) {
	body := bodyOf(t, articleOf(`<body><sec><title>Results</title><p>Before.</p><table-wrap-group><label>Table 1</label>`+
		`<caption><title>Both arms.</title></caption><table-wrap><caption><p>Harms.</p></caption><table><tr><td>a</td></tr></table>`+
		`</table-wrap><table-wrap><label>Table 1b</label><table><tr><td>b</td></tr></table></table-wrap></table-wrap-group>`+
		`<fig-group><label>Figure 1</label><caption><title>Curves.</title></caption><fig><label>A</label></fig></fig-group>`+
		`<fig-group><caption><p>Alone.</p></caption><graphic><alt-text>x</alt-text></graphic></fig-group><p>After.</p></sec></body>`))
	want := &evidence.Body{Licence: body.Licence,
		Sections: []evidence.BodySection{{Kind: evidence.Results, Title: "Results", Paragraphs: []string{"Before.", "After."}}},
		Tables: []evidence.BodyTable{
			{Label: "Table 1", Kind: evidence.Results, Caption: "Both arms. Harms.", Rows: [][]string{{"a"}}},
			{Label: "Table 1b", Kind: evidence.Results, Caption: "Both arms.", Rows: [][]string{{"b"}}}},
		Figures: []evidence.BodyFigure{{Label: "A", Caption: "Curves."}, {Caption: "Alone."}},
	}
	if diff := cmp.Diff(want, body); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestASentenceGoesOn around what a publisher has put in the midst of it.
func TestASentenceGoesOn(t *testing.T) {
	body := bodyOf(t, articleOf(`<body><p>As the table<table-wrap><label>Table 1</label><table><tr><td>a</td></tr></table></table-wrap>`+
		`and the figure <fig><label>Figure 1</label></fig> show.</p></body>`))
	if got := body.Sections[0].Paragraphs; len(got) != 1 || got[0] != "As the table and the figure show." {
		t.Errorf("%q", got)
	}
}

// TestPeopleAndCitations in the forms that publishers give them.
func TestPeopleAndCitations(t *testing.T) {
	people := `<contrib-group><contrib contrib-type="author"><name-alternatives><name><surname>Abel</surname><given-names>Ada` +
		`</given-names></name><name><surname>阿</surname></name></name-alternatives></contrib><contrib><string-name><surname>Blum` +
		`</surname></string-name></contrib><contrib><collab>An Invented Group<contrib-group><contrib><name><surname>Cole</surname>` +
		`</name></contrib></contrib-group></collab></contrib></contrib-group>`
	refs := `<back><ref-list><ref><mixed-citation>Abel A. <ext-link ext-link-type="uri" xlink:href="https://doi.org/10.5555/Ref.1">x` +
		`</ext-link></mixed-citation></ref><ref><citation-alternatives><element-citation><pub-id pub-id-type="doi">10.5555/ref.2</pub-id>` +
		`</element-citation><mixed-citation><ext-link ext-link-type="doi" xlink:href="10.5555/ref.2"/></mixed-citation>` +
		`</citation-alternatives></ref><ref><mixed-citation>Blum. <ext-link xlink:href="https://a.example/b">y</ext-link>` +
		`</mixed-citation></ref></ref-list></back>`
	articles, _, _, err := read(t, []byte(strings.Replace(articleOf(refs), "<permissions>", people+"<permissions>", 1)))
	if err != nil || len(articles) != 1 {
		t.Fatalf("%+v, %v", articles, err)
	}
	record := &articles[0].Record
	if diff := cmp.Diff([]evidence.Author{{Family: "Abel", Given: "Ada"}, {Family: "Blum"}, {Collective: "An Invented Group"}},
		record.Authors); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var cited []string
	for _, r := range record.Body.References {
		cited = append(cited, fmt.Sprint(r.Identifiers, r.Text))
	}
	if got := strings.Join(cited, "; "); got != "[DOI:10.5555/ref.1]; [DOI:10.5555/ref.2]; []Blum. y" {
		t.Error(got)
	}
}

// TestLargeArticles holds what an article can make us keep in memory.
func TestLargeArticles(t *testing.T) {
	var refs strings.Builder
	refs.WriteString("<body><p>text</p></body><back><ref-list>")
	n := 0
	for ; refs.Len() < 40<<20; n++ {
		fmt.Fprintf(&refs, "<ref><mixed-citation>%s<pub-id pub-id-type=\"pmid\">%d</pub-id></mixed-citation></ref>",
			strings.Repeat("words ", 40), 99000000+n)
	}
	refs.WriteString("</ref-list></back>")
	file := articleOf(refs.String())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b := bodyOf(t, file)
	runtime.ReadMemStats(&after)
	if len(b.References) != n || len(b.Cut) > 0 {
		t.Errorf("of %d references %d were kept, cut %v", n, len(b.References), b.Cut)
	}
	if grown := (after.Sys - before.Sys) >> 20; grown > 400 {
		t.Errorf("the memory grew by %d MB", grown)
	}
	long := bodyOf(t, articleOf("<body>"+strings.Repeat("<p>"+strings.Repeat("word ", 200_000)+"</p>", 20)+"<p>end</p></body>"))
	if len(long.Cut) != 1 || long.Cut[0].Came < 19_000_000 || len(long.Texts("")) != 6 {
		t.Errorf("a text of 20 MB has %d paragraphs, cut %v", len(long.Texts("")), long.Cut)
	}
}

// TestWhatIsKeptFitsTheStore has signs that take six times their size where they are stored.
func TestWhatIsKeptFitsTheStore(t *testing.T) {
	many := strings.Repeat("<p>"+strings.Repeat("&lt;&amp;\"", 100_000)+"</p>", 60)
	b := bodyOf(t, articleOf("<body>"+many+"</body>"))
	stored, err := json.Marshal(b)
	if err != nil || len(stored) > maxKept+1000 || len(b.Cut) != 1 || len(stored) < maxKept*8/10 {
		t.Errorf("%d bytes are stored, cut %v, %v", len(stored), b.Cut, err)
	}
}

func packed(t testing.TB, plain []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func archiveOf(t testing.TB, entries ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range entries {
		content := []byte(articleOf("<body><p>" + h.Name + "</p></body>"))
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Typeflag != tar.TypeReg {
			content = nil
		}
		h.Size, h.Mode = int64(len(content)), 0o644
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFiles(t *testing.T) {
	good := tar.Header{Name: "PMC99000901/a.nxml"}
	whole := archiveOf(t, tar.Header{Name: "PMC99000901/", Typeflag: tar.TypeDir}, good, tar.Header{Name: "PMC99000901/a.pdf"},
		tar.Header{Name: "b.xml"})
	for _, tc := range []struct {
		name               string
		file               []byte
		articles, problems int
		passed             int
		err                string
	}{
		{name: "one article", file: []byte(articleOf("<body/>")), articles: 1},
		{name: "packed", file: packed(t, []byte(articleOf("<body/>"))), articles: 1},
		{name: "a package of PMC", file: packed(t, whole), articles: 2, passed: 1},
		{name: "an archive that is not packed", file: whole, articles: 2, passed: 1},
		{name: "a document type with declarations", articles: 1,
			file: []byte(`<?xml version="1.0"?><!DOCTYPE article SYSTEM "http://nowhere.invalid/x.dtd" [<!ENTITY a "&a;&a;">]>` +
				articleOf("<body><p>&a;</p></body>"))},
		{name: "cut within the second", file: []byte(articleOf("<body/>") + "<article><front>"), articles: 1, problems: 1},
		{name: "the first is broken", file: []byte("<all><article><b></article>" + articleOf("") + "</all>"), articles: 1, problems: 1},
		{name: "no identifier", file: []byte(`<article><body/></article>`), problems: 1},
		{name: "a page of the web", file: []byte("<!DOCTYPE html><html><body>article</body></html>"), err: "no article of JATS"},
		{name: "nothing", err: "no article of JATS"},
		{name: "an archive that climbs out", file: packed(t, archiveOf(t, good, tar.Header{Name: "../../etc/a.xml"})), err: "leads out"},
		{name: "an archive with a path of the machine", file: archiveOf(t, good, tar.Header{Name: "/etc/a.xml"}), err: "leads out"},
		{name: "an archive with a link", file: archiveOf(t, good, tar.Header{Name: "a", Typeflag: tar.TypeSymlink, Linkname: "/"}),
			err: "neither a file nor a folder"},
		{name: "an archive without articles", file: archiveOf(t, tar.Header{Name: "a.pdf"}), passed: 1, err: "no file of JATS"},
		{name: "a cut archive", file: whole[:len(whole)-3000], err: "no whole archive"},
		{name: "a bomb", file: packed(t, append([]byte("<article>"), bytes.Repeat([]byte(" "), 64<<20)...)), err: "times its size"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			articles, problems, counts, err := read(t, tc.file)
			if (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
				t.Errorf("error %v, want %q", err, tc.err)
			}
			if len(articles) != tc.articles || len(problems) != tc.problems || counts.Passed != tc.passed {
				t.Errorf("%d articles, problems %v, %d passed", len(articles), problems, counts.Passed)
			}
		})
	}
}

func TestReadEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stop := errors.New("enough")
	for _, file := range [][]byte{[]byte(articleOf("")), archiveOf(t, tar.Header{Name: "a.xml"})} {
		take := func(Article) error { return stop }
		if _, err := ReadJATS(ctx, bytes.NewReader(file), take, func(evidence.Problem) {}); !errors.Is(err, stop) {
			t.Errorf("whoever takes them wants no more: %v", err)
		}
	}
	cancel()
	_, err := ReadJATS(ctx, bytes.NewReader([]byte(articleOf(""))), func(Article) error { return nil },
		func(evidence.Problem) {})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// FuzzReadJATS: no file crashes the reader, or makes it keep more than a bound.
func FuzzReadJATS(f *testing.F) {
	sample, err := os.ReadFile("../../sample/fulltext.xml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sample)
	f.Add(archiveOf(f, tar.Header{Name: "a.xml"}))
	f.Add([]byte(articleOf(`<body><table-wrap><table><tr><td rowspan="0" colspan="7">a</td></tr></table></table-wrap></body>`)))
	f.Add([]byte(articleOf(`<body><p><inline-formula><tex-math>x</tex-math><fn fn-type="conflict"><label>1</label>`)))
	f.Fuzz(func(t *testing.T, file []byte) {
		_, _ = ReadJATS(t.Context(), bytes.NewReader(file), func(a Article) error {
			if a.Record.Best().IsZero() {
				t.Error("an article that nothing identifies was handed on")
			}
			if b := a.Record.Body; b != nil {
				size := 0
				for _, words := range append(append(b.Texts(""), b.TableTexts()...), b.FigureTexts()...) {
					size += len(words)
				}
				if size > 3*maxKept || b.Licence == "" {
					t.Errorf("%d bytes of text under %q", size, b.Licence)
				}
			}
			return nil
		}, func(evidence.Problem) {})
	})
}

func BenchmarkReadJATS(b *testing.B) {
	sample, err := os.ReadFile("../../sample/fulltext.xml")
	if err != nil {
		b.Fatal(err)
	}
	_, articles, _ := bytes.Cut(sample, []byte("<articles>"))
	articles, _, _ = bytes.Cut(articles, []byte("</articles>"))
	file := bytes.Repeat(articles, 8<<20/len(articles))
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		_, err := ReadJATS(b.Context(), bytes.NewReader(file), func(Article) error { return nil }, func(evidence.Problem) {})
		if err != nil && !errors.Is(err, io.EOF) {
			b.Fatal(err)
		}
	}
}
