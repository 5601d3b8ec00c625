package web

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

// send sends a list of cases as the page's form does.
func (s *site) send(
	name, list string, fields map[string]string, change ...func(*http.Request),
) *httptest.ResponseRecorder {
	s.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	add := func(field, name, content string) {
		part, err := form.CreateFormFile(field, name)
		if err == nil {
			_, err = part.Write([]byte(content))
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
	if name != "" {
		add("list", name, list)
	}
	for field, value := range fields {
		if field == "before" {
			add(field, "topics.yaml", value)
		} else if err := form.WriteField(field, value); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		s.t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodPost, "/cases", &body)
	r.Host = "127.0.0.1:8080"
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	s.page.Handler().ServeHTTP(w, r)
	return w
}

const caseList = "case,tumour,alterations,question,board,date\n" +
	"T-1,colorectal cancer,KRAS G12C,sotorasib?,gi,2026-12-03\n"

func TestCases(t *testing.T) {
	s := usual(t)
	var log bytes.Buffer
	s.app.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s.open(Options{})
	before := filesBelow(t, s.app.Config.Data)
	const made = "case-t-1"
	for _, tc := range []struct {
		name, file, list string
		fields           map[string]string
		change           func(*http.Request)
		status           int
		want             []string
	}{
		{"a list becomes a topic file, to be read", "list.csv", caseList, nil, nil, http.StatusOK, []string{
			"- id: " + made, "tags: [gi, 2026-w49]", "tumours: colorectal cancer", "1 topic, as they are understood",
			"Download the topic file", "row 1 names the columns"}},
		{"what was edited the last time stays", "list.csv", caseList, map[string]string{"before": "topics:\n" +
			"  # of row 2, " + digestIn(t, s) + "\n  - id: " + made + "\n    question: edited by hand\n"}, nil, http.StatusOK,
			[]string{"question: edited by hand", "0 new, 0 changed, 0 gone, 1 as they were"}},
		{"columns as they are named", "list.csv", "a;b\nT-1;Melanom\n", map[string]string{"columns": "case=A, tumour=b"}, nil,
			http.StatusOK, []string{made, "tumours: melanoma"}},
		{"a column that is none", "list.csv", caseList, map[string]string{"columns": "patient=A"}, nil,
			http.StatusUnprocessableEntity, []string{"there is no field", "Nothing was made of the list"}},
		{"a table of variants", "panel.maf",
			"Hugo_Symbol\tHGVSp_Short\tTumor_Sample_Barcode\nBRAF\tp.V600E\tS1\nTTN\tp.A1B\tS1\n",
			map[string]string{"tumour": "melanoma"}, nil, http.StatusOK, []string{"BRAF V600E", "Not asked (1)", "TTN"}},
		{"a name in a column, and in the file's name", "Erika Invented.csv",
			"name,case,tumour\nErika Invented,T-1,melanoma\n", nil, nil, http.StatusUnprocessableEntity,
			[]string{"tells who a patient is", "the list.csv, row 2, column A", "not Erika", "not - id:"}},
		{"text is text", "list.csv", "case,tumour,question\nT-1,melanoma,<script>alert</script> nivolumab\n", nil, nil,
			http.StatusOK, []string{"&lt;script&gt;", "not <script>"}},
		{"macros", "list.xlsm", "PK\x03\x04", nil, nil, http.StatusUnprocessableEntity, []string{"macros"}},
		{"nothing", "", "", nil, nil, http.StatusUnprocessableEntity, []string{"There is no list"}},
		{"too large", "list.csv", strings.Repeat("x", maxList), nil, nil, http.StatusRequestEntityTooLarge,
			[]string{"At most 4194304 bytes"}},
		{"packed to more than is read", "list.csv.gz", zipped(t, strings.Repeat("x", maxUnpackedList+1)), nil, nil,
			http.StatusUnprocessableEntity, []string{"the list.gz"}},
		{"from another site", "list.csv", caseList, nil, header("Sec-Fetch-Site", "cross-site"), http.StatusForbidden,
			[]string{"another site", "not " + made}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var change []func(*http.Request)
			if tc.change != nil {
				change = append(change, tc.change)
			}
			contains(t, s.body(s.send(tc.file, tc.list, tc.fields, change...), tc.status), tc.want...)
		})
	}
	if after := filesBelow(t, s.app.Config.Data); after != before {
		t.Errorf("something was written:\n%s\nbefore:\n%s", after, before)
	}
	contains(t, log.String(), "not Erika", "not sotorasib", "not T-1", "not "+made)
}

// TestTheTopicFileIsTakenAlong: as it was shown, whatever ends its lines on the way.
func TestTheTopicFileIsTakenAlong(t *testing.T) {
	s := usual(t)
	r := s.do(http.MethodPost, "/cases/file", url.Values{"file": {"topics:\r\n- id: <b>\r\n"}})
	if got := s.body(r, http.StatusOK); got != "topics:\n- id: <b>\n" {
		t.Errorf("it is %q", got)
	}
	if h := r.Header(); h.Get("Content-Disposition") != `attachment; filename="topics.yaml"` ||
		h.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%v", h)
	}
	large := url.Values{"file": {strings.Repeat("x", 2*maxBody)}}
	s.body(s.do(http.MethodPost, "/cases/file", large), http.StatusOK)
	s.body(s.do(http.MethodPost, "/ask", large), http.StatusRequestEntityTooLarge)
}

// digestIn is the digest of the list's row, as its topic file has it.
func digestIn(t *testing.T, s *site) string {
	t.Helper()
	page := s.body(s.send("list.csv", caseList, nil), http.StatusOK)
	_, row, found := strings.Cut(page, "# of row 2, ")
	if !found {
		t.Fatalf("no row is told:\n%s", page)
	}
	digest, _, _ := strings.Cut(row, "\n")
	return digest
}

func zipped(t *testing.T, content string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write([]byte(content))
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// filesBelow lists a folder's files, with when they were written last.
func filesBelow(t *testing.T, folder string) string {
	t.Helper()
	var list strings.Builder
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			list.WriteString(path + " " + info.ModTime().String() + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list.String()
}
