package cite

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// items reads text as a file of the name "refs.txt".
func items(t testing.TB, text string) []Item {
	t.Helper()
	var out []Item
	if err := Read(strings.NewReader(text), "refs.txt", func(i Item) error {
		out = append(out, i)
		return nil
	}); err != nil {
		t.Fatalf("Read: %v", err)
	}
	return out
}

// one reads text that holds one record.
func one(t testing.TB, text string) Item {
	t.Helper()
	all := items(t, text)
	if len(all) != 1 || all[0].Record == nil {
		t.Fatalf("got %s; want one record", summary(all))
	}
	return all[0]
}

// summary is a line an item: its line, its id, and its title or problem.
func summary(all []Item) string {
	var b strings.Builder
	for _, i := range all {
		if i.Problem != nil {
			fmt.Fprintf(&b, "%d problem %s: %s\n", i.Line, i.Problem.ID, i.Problem.Reason)
			continue
		}
		if i.PMID != "" {
			fmt.Fprintf(&b, "%d PMID %s\n", i.Line, i.PMID)
			continue
		}
		fmt.Fprintf(&b, "%d %s: %s\n", i.Line, i.Record.Origins[0].ID, i.Record.Title)
		for _, n := range i.Notes {
			fmt.Fprintf(&b, "  note: %s\n", n)
		}
	}
	return b.String()
}

func checkSummary(t *testing.T, text, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimLeft(want, "\n"), summary(items(t, text))); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
}

func identifiers(r *evidence.Record) string {
	var out []string
	for _, id := range r.Identifiers {
		out = append(out, id.String())
	}
	return strings.Join(out, " ")
}

func TestFormatIsToldByContent(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"RIS", "TY  - JOUR\nTI  - A\nER  - \n", "1 #1: A\n"},
		{"RIS behind a byte order mark and a heading", "\ufeffProvider: a database\n\nTY  - JOUR\nTI  - A\nER  - \n",
			"3 #1: A\n"},
		{"RIS that lost its first line", "TI  - A\nAU  - Doe, J\nER  - \n", "1 #1: A\n  note: its type (TY) is missing\n"},
		{"RIS behind a numbered heading", "1. Results of a search\nTY  - JOUR\nTI  - A\nAB  - See PMID: 99000001\nER  - \n", "2 #1: A\n"},
		{"NBIB", "\nPMID- 7\nTI  - A\n", "2 7: A\n"},
		{"BibTeX behind a comment", "made by somebody@example.org\n@article{k, title={A}}", "2 k: A\n"},
		{"Ovid's RIS", "1. \nTY  - JOUR\nVN  - Ovid Technologies\nTI  - A\nER  - \n", "2 #1: A\n"},
		{"CSL-JSON", `[{"id":"k","title":"A"}]`, "1 k: A\n"},
		{"one CSL-JSON item", `{"id":"k","title":"A"}`, "1 k: A\n"},
		{"CSL-JSON with items inside", `{"version":1,"items":[{"id":"k","title":"A"}]}`, "1 k: A\n"},
		{"CSL-JSON lines", "{\"id\":1,\"title\":\"A\"}\n{\"id\":2,\"title\":\"B\"}\n", "1 1: A\n2 2: B\n"},
		{"no items", "[]", ""},
		{"PMIDs, one a line, behind a byte order mark", "\ufeff99000001\r\n99000002\r\n",
			"1 PMID 99000001\n2 PMID 99000002\n"},
		{"PMIDs parted by commas and by nothing but spaces", "99000001, 99000002;99000003 99000004",
			"1 PMID 99000001\n1 PMID 99000002\n1 PMID 99000003\n1 PMID 99000004\n"},
		{"PMIDs behind their label, which lets them be short", "PMID: 99000001\nPMID:99000002\npmid 22\n",
			"1 PMID 99000001\n2 PMID 99000002\n3 PMID 22\n"},
		{"a table of one column", "PMID\n\"99000001\"\n\n\"99000002\"\n", "2 PMID 99000001\n4 PMID 99000002\n"},
		{"addresses of PubMed's page", "https://pubmed.ncbi.nlm.nih.gov/99000001/\n", "1 PMID 99000001\n"},
		{"a list with an entry that is no PMID, and a year", "99000001\n10.5555/abc\n99000002\n99000003\n2024\n99000001\n",
			"1 PMID 99000001\n2 problem 10.5555/abc: line 2: it is no PMID\n3 PMID 99000002\n4 PMID 99000003\n" +
				"5 problem 2024: line 5: it is no PMID\n6 PMID 99000001\n"},
	} {
		t.Run(tc.name, func(t *testing.T) { checkSummary(t, tc.text, tc.want) })
	}
}

func TestFileOfAnotherKind(t *testing.T) {
	for _, tc := range []struct{ name, text, seen string }{
		{"empty", "", "nothing"},
		{"white space", " \r\n \n", "nothing"},
		{"page", "<!DOCTYPE html><html><body>Please log in",
			"an HTML page, perhaps a database's page of an error or a login"},
		{"PubMed XML", "<?xml version=\"1.0\"?>\n<PubmedArticleSet>", "PubMed XML, which `indexer import-pubmed` reads"},
		{"other XML", "<?xml version=\"1.0\"?>\n<xml><papers>", "XML"},
		{"table", "\"Wer\",\"Was\",\"Wann\"\n",
			"what looks like a table (CSV) whose columns are not known (--columns tells which is which)"},
		{"small numbers", "1, 2, 3\n2024\n",
			"what looks like a table (CSV) whose columns are not known (--columns tells which is which)"},
		{"PMIDs beside years", "99000001;2024\n99000002;2023\n", "text that begins \"99000001;2024\""},
		{"archive", "PK\x03\x04\x00\x00", "a ZIP archive, or a document or table of an office program"},
		{"PDF", "%PDF-1.7\n", "a PDF document"},
		{"prose", "Dear colleague", "text that begins \"Dear colleague\""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := Read(strings.NewReader(tc.text), "/tmp/refs.ris", func(Item) error {
				t.Error("an item was handed on")
				return nil
			})
			var wrong *FormatError
			if !errors.As(err, &wrong) {
				t.Fatalf("got %v; want a *FormatError", err)
			}
			if wrong.Seen != tc.seen || wrong.File != "refs.ris" {
				t.Errorf("got %q in %q; want %q", wrong.Seen, wrong.File, tc.seen)
			}
		})
	}
}

func TestEncodings(t *testing.T) {
	const text = "TY  - JOUR\nTI  - Größe – naïve\nAU  - Müller, Jörg\nER  - \n"
	const cp1252 = "TY  - JOUR\nTI  - Gr\xf6\xdfe \x96 na\xefve\nAU  - M\xfcller, J\xf6rg\nER  - \n"
	wide := func(mark string, order func(uint16) []byte) string {
		out := []byte(mark)
		for _, u := range utf16.Encode([]rune(text)) {
			out = append(out, order(u)...)
		}
		return string(out)
	}
	for _, tc := range []struct {
		name, text string
		mended     bool
	}{
		{"UTF-8", text, false},
		{"UTF-8 with mark", "\ufeff" + text, false},
		{"UTF-16 LE", wide("\xff\xfe", func(u uint16) []byte { return []byte{byte(u), byte(u >> 8)} }), false},
		{"UTF-16 BE", wide("\xfe\xff", func(u uint16) []byte { return []byte{byte(u >> 8), byte(u)} }), false},
		{"Windows-1252", cp1252, true},
		{"UTF-8 and Windows-1252 in one file", strings.Replace(text, "Jörg", "J\xf6rg", 1), true},
		{"CRLF", strings.ReplaceAll(text, "\n", "\r\n"), false},
		{"CR", strings.ReplaceAll(text, "\n", "\r"), false},
		{"NUL bytes", strings.ReplaceAll(text, "e", "\x00e"), false},
		{"a mark in the middle", strings.Replace(text, "AU", "\ufeffAU", 1), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := one(t, tc.text)
			if got.Record.Title != "Größe – naïve" || got.Record.Authors[0].Family != "Müller" ||
				got.Record.Authors[0].Given != "Jörg" {
				t.Errorf("got %q by %+v", got.Record.Title, got.Record.Authors)
			}
			if noted := strings.Contains(strings.Join(got.Notes, ""), "Windows-1252"); noted != tc.mended {
				t.Errorf("notes %q; the encoding noted: want %v", got.Notes, tc.mended)
			}
		})
	}
}

func TestOrigins(t *testing.T) {
	ris := func(ids ...string) string {
		var b strings.Builder
		for _, id := range ids {
			b.WriteString("TY  - JOUR\nTI  - A\n" + id + "ER  - \n")
		}
		return b.String()
	}
	for _, tc := range []struct {
		name, file, text string
		want             []string
	}{
		{"the file's id", "x/embase.ris", ris("ID  - a1\n"), []string{"import:embase.ris|a1"}},
		{"the place where there is none", "a.ris", ris("", "ID  - x\n", ""), []string{"import:a.ris|#1", "import:a.ris|x",
			"import:a.ris|#3"}},
		{"an id that comes again", "a.ris", ris("ID  - x\n", "ID  - x\n", "ID  - x\n"), []string{"import:a.ris|x",
			"import:a.ris|x~2", "import:a.ris|x~3"}},
		{"a repeat that meets its own number", "a.ris", ris("ID  - x~2\n", "ID  - x\n", "ID  - x\n"),
			[]string{"import:a.ris|x~2", "import:a.ris|x", "import:a.ris|x~3"}},
		{"a folder of another system, and the key's bar", `C:\refs\a|b.ris`, ris("ID  - x|y\n"),
			[]string{"import:a_b.ris|x_y"}},
		{"standard input", "-", ris("ID  - x\n"), []string{"import:unnamed|x"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			err := Read(strings.NewReader(tc.text), tc.file, func(i Item) error {
				got = append(got, i.Record.Origins[0].Key())
				return nil
			})
			if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
				t.Errorf("error %v, keys (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestReadStopsWithTheReceiver(t *testing.T) {
	stop := errors.New("enough")
	for _, text := range []string{"TY  - JOUR\nTI  - A\nER  - \n", "PMID- 1\nTI  - A\n", "@article{k, title={A}}",
		`[{"title":"A"}]`, "{\"id\":1}\n{\"id\":2}\n"} {
		if err := Read(strings.NewReader(text), "a", func(Item) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("%q: got %v; want the receiver's error", text, err)
		}
	}
}

type failing struct{ before *strings.Reader }

var errDisk = errors.New("disk on fire")

func (f failing) Read(p []byte) (int, error) {
	if f.before.Len() > 0 {
		return f.before.Read(p)
	}
	return 0, errDisk
}

func TestReadSaysWhyReadingFailed(t *testing.T) {
	for name, text := range map[string]string{
		"RIS": "TY  - JOUR\nTI  - A\nER  - \n", "NBIB": "PMID- 1\nTI  - A\n", "BibTeX": "@article{k, title={A}}\n",
		"CSL-JSON": `[{"title":"A"},`, "CSL-JSON lines": "{\"id\":1}\n{\"id\":2}\n",
	} {
		t.Run(name, func(t *testing.T) {
			long := text + strings.Repeat(" ", 2*sniffBytes) // so that the format is told before the failure
			err := Read(failing{strings.NewReader(long)}, "a", func(Item) error { return nil })
			if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "reading a") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestBounds(t *testing.T) {
	t.Run("a line of 10 MB", func(t *testing.T) {
		got := one(t, "TY  - JOUR\nTI  - A\nAB  - "+strings.Repeat("word ", 2<<20)+"\nID  - x\nER  - \n")
		if n := len(got.Record.AbstractText()); n > maxText+10 {
			t.Errorf("the abstract has %d bytes", n)
		}
		if got.Record.Origins[0].ID != "x" || len(got.Notes) == 0 || !strings.Contains(got.Notes[0], "line 3") {
			t.Errorf("id %q, notes %q", got.Record.Origins[0].ID, got.Notes)
		}
	})
	t.Run("a record of many lines", func(t *testing.T) {
		got := one(t, "TY  - JOUR\nTI  - A\n"+strings.Repeat("KW  - "+strings.Repeat("x", 900)+"\n", 6000)+"ER  - \n")
		if !strings.Contains(strings.Join(got.Notes, ""), "longer than") {
			t.Errorf("notes %q", got.Notes)
		}
	})
	t.Run("a BibTeX entry that never ends", func(t *testing.T) {
		all := items(t, "@article{k, abstract={"+strings.Repeat("text\n", 1<<20)+"\n@article{l, title={B}}\n")
		if len(all) != 2 || all[0].Problem == nil || all[1].Record == nil {
			t.Errorf("got %s", text.Cut(summary(all), 500))
		}
	})
	t.Run("a CSL item that never ends", func(t *testing.T) {
		all := items(t, `[{"id":"k","title":"A"},{"abstract":"`+strings.Repeat("text ", 4<<20)+`"}]`)
		if len(all) != 2 || all[0].Record == nil || all[1].Problem == nil {
			t.Errorf("got %s", text.Cut(summary(all), 500))
		}
	})
	t.Run("CSL nested without end", func(t *testing.T) {
		all := items(t, strings.Repeat(`{"items":`, 100_000))
		if len(all) != 1 || all[0].Problem == nil {
			t.Errorf("got %s", text.Cut(summary(all), 500))
		}
	})
	t.Run("many records need no more than one", func(t *testing.T) {
		count := 0
		text := bytes.Repeat([]byte("TY  - JOUR\nID  - x\nTI  - A\nER  - \n"), 20_000)
		if err := Read(bytes.NewReader(text), "a", func(Item) error { count++; return nil }); err != nil || count != 20_000 {
			t.Errorf("%d records, error %v", count, err)
		}
	})
}
