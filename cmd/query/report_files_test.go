package main

import (
	"strings"
	"testing"
)

func TestFormatFor(t *testing.T) {
	for _, tc := range []struct {
		name, path, given string
		isGiven           bool
		want, wrong       string
	}{
		{"no file", "", "markdown", false, "markdown", ""},
		{"the ending alone", "a.docx", "markdown", false, "docx", ""},
		{"another ending of it", "a.htm", "markdown", false, "html", ""},
		{"capitals", "A.JSON", "markdown", false, "json", ""},
		{"both agree", "a.html", "html", true, "html", ""},
		{"no ending", "/dev/stdout", "json", true, "json", ""},
		{"a folder with a dot", "v1.2/report", "json", true, "json", ""},
		{"they contradict", "a.docx", "html", true, "", "Word by its name"},
		{"the default format, asked for", "a.html", "markdown", true, "", "HTML by its name"},
		{"an ending of no format", "a.pdf", "markdown", false, "",
			"there are HTML (.html, .htm), Word (.docx), Markdown (.md, .markdown), JSON (.json)"},
		{"an ending of no format, with a format", "a.txt", "markdown", true, "", `no report in ".txt"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := formatFor(tc.path, tc.given, tc.isGiven)
			if got != tc.want || (err != nil) != (tc.wrong != "") || err != nil && !strings.Contains(err.Error(), tc.wrong) {
				t.Errorf("got %q, %v; want %q, an error with %q", got, err, tc.want, tc.wrong)
			}
		})
	}
}

// TestFileStem: what is joined with a path is a topic's id, and no name that a system keeps for itself, wherever the id
// comes from.
func TestFileStem(t *testing.T) {
	for id, want := range map[string]string{
		"kras-g12c-crc":                  "kras-g12c-crc",
		"asked-0011223344556677":         "asked-0011223344556677",
		"index":                          "topic_index",
		"con":                            "",
		"nul":                            "",
		"com1":                           "",
		"com10":                          "com10",
		"":                               "",
		".":                              "",
		"..":                             "",
		"../../../PWNED":                 "",
		"/etc/cron.d/pwned":              "",
		`..\..\pwned`:                    "",
		"a/b":                            "",
		"CON":                            "",
		"con.html":                       "",
		"topic_index":                    "",
		"a\x00b":                         "",
		strings.Repeat("a", 100):         strings.Repeat("a", 100),
		strings.Repeat("a", 101):         "",
		strings.Repeat("../", 100) + "x": "",
	} {
		got, err := fileStem(id)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("the files of %.40q are named %q, %v; want %q", id, got, err, want)
		}
	}
}
