package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func (s *site) marks(reader, record, decision string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	s.t.Helper()
	form := url.Values{"reader": {reader}, "record": {record}, "decision": {decision}, "back": {"topic"},
		"reason": {"wrong outcome"}, "note": {"of <b>toxicity</b>"}}
	return s.do(http.MethodPost, "/topics/"+kras+"/marks", form, change...)
}

// TestMarksAreKeptAndTakenAlong follows two readers' decisions from the buttons to the files for screening tools.
func TestMarksAreKeptAndTakenAlong(t *testing.T) {
	s := usual(t)
	r := s.marks("Ada", "PMID:99000001", "keep")
	s.body(r, http.StatusSeeOther)
	if to := r.Header().Get("Location"); to != "/topics/"+kras+"?reader=Ada#"+anchorOf("PMID:99000001") {
		t.Errorf("back to %s", to)
	}
	s.marks("Ada", "PMID:99000003", "keep")
	s.marks("Ada", "PMID:99000002", "exclude")
	s.marks("Ben", "PMID:99000001", "exclude")
	s.now = s.now.Add(1)
	s.marks("Ben", "PMID:99000002", "exclude")

	contains(t, s.get("/topics/"+kras+"?reader=Ada"), `aria-pressed="true">Kept</button>`,
		`aria-pressed="true">Excluded</button>`, "<bdi>Ben</bdi>: exclude, wrong outcome",
		"of &lt;b&gt;toxicity", "Excluded by readers (1)", `value="settle-keep"`)
	contains(t, s.get("/topics/"+kras+"/records?reader=Ben"),
		"2 records with more than one reader’s decision; they agree on 1; 1 in conflict, and settled by nobody",
		"<bdi>Ada</bdi></th><td class=\"num\">2</td><td class=\"num\">1</td>")
	contains(t, s.get("/topics/"+kras+"/marks/ris?verdict=kept"), "10.5555/99000003", "not 10.5555/99000001",
		"not 10.5555/99000002", "RETRACTED")
	contains(t, s.get("/topics/"+kras+"/marks/ris?verdict=conflict"), "10.5555/99000001", "not 10.5555/99000003",
		`N1  - Note: RAYYAN-INCLUSION: {"Ada"=>"Included", "Ben"=>"Excluded"} | RAYYAN-EXCLUSION-REASONS: wrong outcome`)
	contains(t, s.get("/topics/"+kras+"/marks/csv"), "key,title,year",
		`RAYYAN-INCLUSION: {""Ada""=>""Excluded"", ""Ben""=>""Excluded""}`,
		"RETRACTED: "+bad, "10.5555/99000002")

	s.now = s.now.Add(1)
	s.marks("Ada", "PMID:99000001", "undecided")
	contains(t, s.get("/topics/"+kras+"/marks/ris?verdict=kept"), "not 10.5555/99000001", "10.5555/99000003")

	s.night() // marks are no part of a generation, and outlast it
	contains(t, s.get("/topics/"+kras+"/records?reader=Ben"), "<bdi>Ada</bdi>")
}

// TestAConflictIsSettledOnThePage: nothing is excluded before that, and what is leaves the sample at once.
func TestAConflictIsSettledOnThePage(t *testing.T) {
	s := usual(t)
	s.marks("Ada", "PMID:99000001", "keep")
	s.body(s.marks("Cleo", "PMID:99000001", "settle-exclude"), http.StatusUnprocessableEntity)
	s.marks("Ben", "PMID:99000001", "exclude")
	contains(t, s.get("/topics/"+kras), "not Excluded by readers")
	s.body(s.marks("Cleo", "PMID:99000001", "settle-exclude"), http.StatusSeeOther)
	contains(t, s.get("/topics/"+kras), "Excluded by readers (1)")
	s.marks("Ada", "PMID:99000002", "presented")
	contains(t, s.get("/topics/"+kras+"?reader=Ada"), `aria-pressed="true">Was presented</button>`, "presented by Ada")
}

// TestReadersAreBlindUntilAllHaveDecided: on the page and in its files.
func TestReadersAreBlindUntilAllHaveDecided(t *testing.T) {
	s := usual(t)
	s.app.Config.Marks.Readers = 2
	s.marks("Ada", "PMID:99000001", "exclude")
	contains(t, s.get("/topics/"+kras+"?reader=Ben"), "1 of 2 readers have decided", "not <bdi>Ada</bdi>: exclude",
		"not Excluded by readers")
	contains(t, s.get("/topics/"+kras+"/marks/csv"), "not RAYYAN")
	s.marks("Ben", "PMID:99000001", "exclude")
	contains(t, s.get("/topics/"+kras+"?reader=Ben"), "<bdi>Ada</bdi>: exclude", "Excluded by readers (1)")
}

// TestWithJavaScriptOnlyTheButtonsAreShownAnew: what htmx is given is the form alone.
func TestWithJavaScriptOnlyTheButtonsAreShownAnew(t *testing.T) {
	s := usual(t)
	part := s.body(s.marks("Ada", "PMID:99000001", "keep", header("HX-Request", "true")), http.StatusOK)
	contains(t, part, `aria-pressed="true">Kept</button>`, `value="undecided"`, "not <html")
	if !strings.HasPrefix(part, "<form") {
		t.Errorf("it begins with %.40q", part)
	}
}

func TestMarksThatCantBeTaken(t *testing.T) {
	s := usual(t)
	for _, tc := range []struct {
		name, reader, record, decision string
		status                         int
		want                           string
	}{
		{"no name", " ", "PMID:99000001", "keep", http.StatusUnprocessableEntity, "write your name"},
		{"another record", "Ada", "PMID:99000009", "keep", http.StatusNotFound, "is not among the topic’s"},
		{"another decision", "Ada", "PMID:99000001", "maybe", http.StatusUnprocessableEntity, "is no decision"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			contains(t, s.body(s.marks(tc.reader, tc.record, tc.decision), tc.status), tc.want)
		})
	}
	if _, err := os.Stat(filepath.Join(s.app.Config.Data, "marks")); err == nil {
		t.Error("something was written")
	}
}

// TestMarksThatCantBeWritten: a reader of a store that may not be written is told, and nothing is lost in silence.
func TestMarksThatCantBeWritten(t *testing.T) {
	s := usual(t)
	if err := os.WriteFile(filepath.Join(s.app.Config.Data, "marks"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	contains(t, s.body(s.marks("Ada", "PMID:99000001", "keep"), http.StatusInternalServerError), "could not be kept",
		"has to be writable")
}
