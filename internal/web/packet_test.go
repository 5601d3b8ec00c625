package web

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestPackets(t *testing.T) {
	s := usual(t)
	contains(t, s.get("/packets?tag=KRAS"), `value="KRAS" checked> <bdi>KRAS</bdi> <span class="soft">1 case</span>`,
		`value="colorectal"> `, `formaction="/packet/docx"`, `formaction="/packet/markdown"`)
	for _, tc := range []struct {
		name, address string
		form          url.Values
		change        func(*http.Request)
		status        int
		file          string
		want          []string
	}{
		{"to be read", "/packet", url.Values{"tag": {"colorectal"}, "meeting": {"3 December 2026"}}, nil, http.StatusOK, "",
			[]string{"Packet for the board", "Meeting 3 December 2026", `id="case-1"`, "1. " + kras, good,
				"<h1><bdi>colorectal<"}},
		{"all that is ticked has to be there", "/packet", url.Values{"tag": {"colorectal", "kras"}}, nil, http.StatusOK, "",
			[]string{"<bdi>colorectal, kras</bdi>", `id="case-1"`}},
		{"with a title, which is text", "/packet", url.Values{"tag": {"KRAS"}, "title": {"<script>Thursday"}}, nil,
			http.StatusOK, "", []string{"&lt;script&gt;Thursday", "not <script>"}},
		{"as Word", "/packet/docx", url.Values{"tag": {"KRAS"}}, nil, http.StatusOK, "packet.docx", []string{"PK\x03\x04"}},
		{"as Markdown", "/packet/markdown", url.Values{"tag": {"KRAS"}}, nil, http.StatusOK, "packet.md",
			[]string{"# KRAS", `## 1\. ` + kras}},
		{"as HTML", "/packet/html", url.Values{"tag": {"KRAS"}}, nil, http.StatusOK, "packet.html", []string{"<!DOCTYPE"}},
		{"as nothing that is written", "/packet/json", url.Values{"tag": {"KRAS"}}, nil, http.StatusNotFound, "",
			[]string{"There is no such format"}},
		{"nothing is ticked", "/packet", url.Values{}, nil, http.StatusBadRequest, "", []string{"tick a board"}},
		{"no topic has it", "/packet", url.Values{"tag": {"lung"}}, nil, http.StatusBadRequest, "",
			[]string{"no topic has the tags lung; there are KRAS, colorectal"}},
		{"from another site", "/packet/pdf", url.Values{"tag": {"KRAS"}}, header("Sec-Fetch-Site", "cross-site"),
			http.StatusForbidden, "", []string{"another site"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var change []func(*http.Request)
			if tc.change != nil {
				change = append(change, tc.change)
			}
			r := s.do(http.MethodPost, tc.address, tc.form, change...)
			contains(t, s.body(r, tc.status), tc.want...)
			if got := r.Header().Get("Content-Disposition"); !strings.Contains(got, tc.file) || (tc.file == "") != (got == "") {
				t.Errorf("it is to be kept as %q, want %q", got, tc.file)
			}
			if policy := r.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") {
				t.Errorf("the policy is %s", policy)
			}
		})
	}
}

// TestPacketsArePrinted where a program for it is there, one at a time: it takes more memory than the page does.
func TestPacketsArePrinted(t *testing.T) {
	s := usual(t)
	folder := t.TempDir()
	t.Setenv("PATH", folder)
	contains(t, s.get("/packets"), `"/packet/html"`, `not "/packet/pdf"`)
	form := url.Values{"tag": {"KRAS"}}
	none := s.body(s.do(http.MethodPost, "/packet/pdf", form), http.StatusInternalServerError)
	contains(t, none, "no program that makes a PDF")

	const prints = `#!/bin/sh
for a; do case $a in --print-to-pdf=*) echo %PDF-1.7 > "${a#--print-to-pdf=}";; esac; done
`
	if err := os.WriteFile(filepath.Join(folder, "chromium"), []byte(prints), 0o700); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("the program that prints here is a script of a Unix shell")
	}
	contains(t, s.get("/packets"), `"/packet/pdf"`)
	contains(t, s.body(s.do(http.MethodPost, "/packet/pdf", form), http.StatusOK), "%PDF-")

	s.page.printing <- struct{}{}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	r := s.do(http.MethodPost, "/packet/pdf", form, func(r *http.Request) { *r = *r.WithContext(ctx) })
	contains(t, r.Body.String(), "not %PDF")
}
