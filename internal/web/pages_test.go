package web

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dossier/internal/document/documenttest"
	"dossier/internal/evidence"
)

const (
	good = "Sotorasib in KRAS G12C colorectal cancer"
	bad  = "Withdrawn: sotorasib in KRAS G12C colorectal cancer organoids"
)

func usual(t *testing.T) *site {
	t.Helper()
	s := newSite(t, paper(1, good), paper(2, "Adagrasib in KRAS G12C colorectal cancer"), paper(3, bad, retracted))
	s.night()
	return s
}

// TestPageInALanguage: what the page shows of a report is in the language of reports, and says so; the page is English.
func TestPageInALanguage(t *testing.T) {
	s := usual(t)
	s.app.Config.Report.Language = "de"
	body := s.do(http.MethodGet, "/topics/"+kras, nil).Body.String()
	for _, want := range []string{`<html lang="en">`, `class="lead" lang="de"`, ">In Kürze</h2>", "Stärkste Studie",
		"Was sich geändert hat", "Registrierte Studien", "How the question was read", "<figcaption>Enthaltene Publikationen"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	report := s.do(http.MethodGet, "/topics/"+kras+"/report", nil).Body.String()
	if !strings.Contains(report, `<html lang="de">`) || strings.Contains(report, "Evidence report") {
		t.Error("the report that the page leads to is not in its language")
	}
}

// TestReportInATemplate: the report that the page leads to has the hospital's letterhead, under a policy that lets its
// style and logo in; what the page itself shows of it is whole.
func TestReportInATemplate(t *testing.T) {
	s := usual(t)
	house := t.TempDir()
	if err := os.Chmod(house, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"template.yaml": "hospital: Klinikum\nfoot: foot.html\nomit: [trials]\n",
		"foot.html": "As of {{.Evidence}}"} {
		if err := os.WriteFile(filepath.Join(house, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.app.Config.Report.Template = house
	r := s.do(http.MethodGet, "/topics/"+kras+"/report", nil)
	report := html.UnescapeString(r.Body.String())
	policy, _, _ := strings.Cut(r.Header().Get("Content-Security-Policy"), "; frame-ancestors")
	for _, want := range []string{"<footer>", "Klinikum", "The hospital’s template leaves out: Registered trials.",
		`http-equiv="Content-Security-Policy" content="` + policy + `"`} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %s", want)
		}
	}
	contains(t, s.get("/topics/"+kras), "Registered trials", "not Klinikum", "not template leaves out")
}

func TestPages(t *testing.T) {
	s := usual(t)
	for _, tc := range []struct {
		name, address string
		want          []string
	}{
		{"topics by board, with age and counts", "/", []string{
			`<h2>colorectal <a class="aside" href="/packets?tag=colorectal">`, "<strong>1 direct</strong>",
			`<a href="/topics/kras-g12c-crc"><bdi>KRAS G12C colorectal cancer sotorasib</bdi></a>`,
			"2 records in the sample, 2 passed, 3 found · 0 registered trials", "less than a minute old", "Generation 1 of 1 March 2026"}},
		{"a topic: brief, sample, cards, pictures, what changed", "/topics/" + kras, []string{
			"In brief", "Clinical trials (2)", good, "What changed", "the first report on the topic", "Registered trials",
			"Included records by year",
			"Records identified by source", "/topics/kras-g12c-crc/report/docx", "/topics/kras-g12c-crc/export/ris"}},
		{"what is retracted is said to be, and struck out", "/topics/" + kras, []string{
			"Retracted, and therefore left out of the sample (1)", "RETRACTED:", "<s>Withdrawn: sotorasib",
			"retracted: yes, says pubmed on 2026-02-01"}},
		{"a citation leads to its record", "/topics/" + kras, []string{`href="#ref-1"`, `id="ref-1"`}},
		{"without a name nothing can be marked", "/topics/" + kras, []string{"write your name", "not >Keep<"}},
		{"with one it can", "/topics/" + kras + "?reader=Ada", []string{">Keep</button>", `value="Ada"`}},
		{"a search with marked words and facets", "/search?q=sotorasib", []string{
			`<mark class="found">Sotorasib</mark> in KRAS`, "Kind of evidence", `name="narrow" value="bucket=rct"`,
			`formaction="/search/export/nbib"`, "not ?q="}},
		{"a search that a button narrows", "/search?q=sotorasib&narrow=bucket%3Drct", []string{"bucket: rct", "3 hits"}},
		{"and one that a button widens", "/search?q=sotorasib&bucket=rct&widen=bucket%3Drct", []string{"not bucket: rct<"}},
		{"a year's", "/search?q=sotorasib&narrow=year%3D2025", []string{"from: 2025", "to: 2025", "3 hits"}},
		{"a search finds what is retracted as retracted", "/search?q=organoids", []string{"RETRACTED:", `<s>Withdrawn`}},
		{"a search that is narrowed", "/search?q=sotorasib&bucket=rct&retracted=yes", []string{"bucket: rct",
			"leave this out", "1 hit"}},
		{"no search yet", "/search", []string{"Any word counts", "not Narrow to"}},
		{"nothing is found", "/search?q=xylophone", []string{"0 hits"}},
		{"a record with all that is known", "/record?id=10.5555/99000001", []string{
			good, "RESULTS.", "Judged for", "of 10, by rules", "and stands in the sample",
			"https://pubmed.ncbi.nlm.nih.gov/99000001/",
			"https://doi.org/10.5555/99000001", "told by"}},
		{"a retracted record", "/record?id=PMID:99000003", []string{"RETRACTED:", "is no evidence",
			"can’t be sampled: retracted"}},
		{"all records of a topic", "/topics/" + kras + "/records?reader=Ada", []string{"3 records found", "RETRACTED:",
			">Exclude</button>"}},
		{"what changed in all topics", "/changes", []string{"This is the first answer", "/topics/kras-g12c-crc",
			"since the last answer that showed"}},
		{"what changed since a day", "/changes?since=2020-01-01", []string{"The topic had no answer then",
			"<strong>New</strong>", "/record?id=PMID%3A99000001&amp;topic=kras-g12c-crc"}},
		{"the report", "/topics/" + kras + "/report", []string{"Evidence report", "PRISMA", "Made by rules"}},
		{"RIS of a topic", "/topics/" + kras + "/export/ris", []string{"TY  - JOUR", "DO  - 10.5555/99000001"}},
		{"BibTeX of a record", "/record/export/bibtex?id=PMID:99000001", []string{"@article{", "10.5555/99000001"}},
		{"CSV of a search", "/search/export/csv?q=sotorasib", []string{"place,id,pmid", "PMID:99000001"}},
		{"health", "/healthz", []string{"ok, generation 1"}},
	} {
		t.Run(tc.name, func(t *testing.T) { contains(t, s.get(tc.address), tc.want...) })
	}
}

func TestReportsAreFilesToKeep(t *testing.T) {
	s := usual(t)
	for format, begins := range map[string]string{"html": "<!DOCTYPE", "markdown": "# Evidence", "json": "{\n",
		"docx": "PK"} {
		r := s.do(http.MethodGet, "/topics/"+kras+"/report/"+format, nil)
		if page := s.body(r, http.StatusOK); !strings.HasPrefix(page, begins) {
			t.Errorf("%s begins with %.20q", format, page)
		}
		if d := r.Header().Get("Content-Disposition"); !strings.HasPrefix(d, `attachment; filename="kras-g12c-crc.`) {
			t.Errorf("%s: %s", format, d)
		}
	}
}

func TestAsking(t *testing.T) {
	s := usual(t)
	for _, tc := range []struct {
		name, question string
		status         int
		want           []string
	}{
		{"a topic's question in other words", "sotorasib for CRC with KRAS p.G12C", http.StatusOK,
			[]string{"From topic kras-g12c-crc", "which asks the same", "/topics/kras-g12c-crc/report"}},
		{"a near one is never answered", "KRAS G12D colorectal cancer sotorasib", http.StatusOK,
			[]string{"The store has no answer", "Near, and not the same", "/topics/kras-g12c-crc",
				"KRAS G12C here, KRAS G12D asked", "Nobody else was asked"}},
		{"nothing to ask", "  ", http.StatusUnprocessableEntity, []string{"the question is empty"}},
		{"nothing understood", "???", http.StatusUnprocessableEntity, []string{"can&#39;t be answered"}},
		{"too much", strings.Repeat("kras ", 1000), http.StatusRequestEntityTooLarge, []string{"too many words"}},
		{"markup", "<script>alert(1)</script> KRAS G12D colorectal cancer", http.StatusOK, []string{"&lt;script&gt;",
			"not <script>alert"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			page := s.body(s.do(http.MethodPost, "/ask", url.Values{"question": {tc.question}}), tc.status)
			contains(t, page, tc.want...)
		})
	}
}

// TestAQuestionStandsInNoAddress: what may be about a patient is in nobody's log and in no history.
func TestAQuestionStandsInNoAddress(t *testing.T) {
	s := usual(t)
	contains(t, s.get("/search?q=sotorasib"), `method="post" action="/search"`, "not ?q=", "not &amp;q=")
	for _, address := range []string{"/search?q=sotorasib", "/search?bucket=rct&q=sotorasib"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		r.Host = "127.0.0.1:8080"
		w := httptest.NewRecorder()
		s.page.Handler().ServeHTTP(w, r)
		contains(t, s.body(w, http.StatusOK), "Any word counts", "not sotorasib")
	}
	if r := s.do(http.MethodGet, "/search/export/ris", nil); r.Code != http.StatusMethodNotAllowed &&
		r.Code != http.StatusNotFound {
		t.Errorf("an export by its address: %d", r.Code)
	}
	contains(t, s.get("/"), `method="post" action="/ask"`)
	if r := s.do(http.MethodGet, "/ask?question=KRAS", nil); r.Code != http.StatusSeeOther ||
		r.Header().Get("Location") != "/" {
		t.Errorf("%d to %q", r.Code, r.Header().Get("Location"))
	}
}

func TestWhatIsNotThere(t *testing.T) {
	s := usual(t)
	for address, status := range map[string]int{
		"/topics/no-such-topic": http.StatusNotFound, "/topics/KRAS%20G12C": http.StatusNotFound,
		"/topics/asked-0123":    http.StatusNotFound,
		"/topics/..%2f..%2fetc": http.StatusNotFound, "/topics/no-such-topic/report": http.StatusNotFound,
		"/topics/no-such-topic/marks/ris":  http.StatusNotFound,
		"/topics/no-such-topic/export/ris": http.StatusNotFound, "/topics/" + kras + "/report/exe": http.StatusNotFound,
		"/topics/" + kras + "/export/exe": http.StatusNotFound, "/topics/" + kras + "/marks/exe": http.StatusNotFound,
		"/topics/" + kras + "/marks/ris?decision=keep": http.StatusBadRequest,
		"/topics/" + kras + "/marks/ris?verdict=maybe": http.StatusBadRequest,
		"/record?id=PMID:99999999":                     http.StatusNotFound,
		"/record?id=":                                  http.StatusBadRequest,
		"/record?id=%00%ff<script>":                    http.StatusBadRequest,
		"/record":                                      http.StatusBadRequest,
		"/search?q=(lung+AND":                          http.StatusBadRequest,
		"/search?q=x&bucket=rtc":                       http.StatusBadRequest,
		"/search?q=x&from=then":                        http.StatusBadRequest,
		"/search?q=x&offset=-1":                        http.StatusBadRequest, "/changes?since=then": http.StatusBadRequest,
		"/changes?since=99": http.StatusBadRequest, "/changes?topic=none": http.StatusNotFound,
		"/static/nothing.css": http.StatusNotFound, "/nothing": http.StatusNotFound,
		"/metrics": http.StatusNotFound,
	} {
		t.Run(address, func(t *testing.T) {
			page := s.body(s.do(http.MethodGet, address, nil), status)
			contains(t, page, "not <script>", "not goroutine")
		})
	}
}

// TestStrangersTexts: whatever a record says, it is shown as text, and leads nowhere but to the record's own page.
func TestStrangersTexts(t *testing.T) {
	hostile := []string{
		`<script>alert(1)</script> KRAS G12C colorectal cancer sotorasib`,
		`"><img src=x onerror=alert(1)> KRAS G12C colorectal cancer sotorasib`,
		documenttest.Hostile + " KRAS G12C colorectal cancer sotorasib",
	}
	var papers []evidence.Record
	for i, title := range hostile {
		papers = append(papers, paper(i+1, title, func(r *evidence.Record) {
			r.Abstract = []evidence.Section{{Label: title, Text: title}}
			r.Journal.Title, r.Authors[0].Family = title, title
			r.FullText = []string{"javascript:alert(1)", "data:text/html,<script>alert(1)</script>",
				"https://example.org/\"><script>"}
			r.Keywords = []string{title}
		}))
	}
	s := newSite(t, papers...)
	s.night()
	reader := "?reader=" + url.QueryEscape(`"><script>alert(1)</script>`)
	for _, address := range []string{
		"/", "/topics/" + kras, "/topics/" + kras + reader, "/topics/" + kras + "/records" + reader, "/topics/" +
			kras + "/report",
		"/search?q=sotorasib", "/search?q=" + url.QueryEscape(`<script>alert(1)</script>"><img onerror=1>`),
		"/record?id=PMID:99000001",
		"/record?id=PMID:99000002", "/record?id=PMID:99000003",
	} {
		page := s.get(address)
		contains(t, page, "not <script>alert", "not <img", `not href="javascript`, `not href="data:text`,
			"not \u202e", "not \x1b")
		if n := strings.Count(page, "<script"); n > 1 {
			t.Errorf("%s has %d scripts", address, n)
		}
	}
}

func TestNoStoreAndADamagedOne(t *testing.T) {
	s := newSite(t, paper(1, good))
	contains(t, s.body(s.do(http.MethodGet, "/", nil), http.StatusServiceUnavailable), "There is no store yet",
		"indexer init")
	s.body(s.do(http.MethodGet, "/healthz", nil), http.StatusServiceUnavailable)
	s.night()
	s.now = s.now.Add(retryAfter)
	contains(t, s.get("/"), question)

	if err := os.WriteFile(filepath.Join(s.app.Config.Data, "CURRENT"), []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	contains(t, s.get("/"), "The store can&#39;t be opened as it is now", "indexer rollback",
		"the generation before", question)
	s.body(s.do(http.MethodGet, "/healthz", nil), http.StatusServiceUnavailable)

	s.open(Options{}) // a page that has nothing to fall back on
	r := s.do(http.MethodGet, "/topics/"+kras, nil)
	if r.Header().Get("Retry-After") == "" {
		t.Error("it does not say when to try again")
	}
	contains(t, s.body(r, http.StatusServiceUnavailable), "can&#39;t be read", "indexer rollback")
}

// TestQueriesThatCantBeRead: the words stay in the box, and what is meant in another syntax can be used.
func TestQueriesThatCantBeRead(t *testing.T) {
	s := usual(t)
	for _, tc := range []struct {
		name, query string
		want        []string
	}{
		{"in Ovid's syntax", "sotorasib.ti,ab. and exp Colorectal Neoplasms/", []string{"field names between full stops",
			`name="q" value="sotorasib[tiab] AND &#34;Colorectal Neoplasms&#34;[mh]"><p><button class="first">Search with this`,
			`<input type="hidden" name="bucket" value="rct"><input type="hidden" name="q"`}},
		{"in Embase's, with what may be other than meant", "'colorectal cancer'/exp AND sotorasib:ti,ab", []string{
			"Search with this", "Emtree", `class="warning" role="note"`}},
		{"in nobody's", "(lung AND", []string{"At character 7", "(lung AND\n      ^", "not Search with this"}},
		{"as text", "(<script> AND", []string{"not <script>", "&lt;script&gt;"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			form := url.Values{"q": {tc.query}, "bucket": {"rct"}}
			page := s.body(s.do(http.MethodPost, "/search", form), http.StatusBadRequest)
			contains(t, page, append(tc.want, "The query can’t be read", "<textarea id=\"words\"")...)
		})
	}
	r := s.do(http.MethodPost, "/search", url.Values{"q": {`sotorasib[tiab] AND "KRAS G12C"[tiab]`}})
	contains(t, s.body(r, http.StatusOK), "3 hits", "not can’t be read")
}
