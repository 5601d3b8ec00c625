package cite

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"dossier/internal/text"
)

// layout is how a format writes an entry, with $id, $title, $year and $text in their places, and what stands around and
// between entries. Torn is an entry of which a part is lost, in the middle of a file; empty one that says nothing.
type layout struct {
	name, head, entry, between, tail string
	torn, empty                      string
	escape                           func(string) string // of a text within an entry
}

func plainly(s string) string { return s }

var layouts = []layout{
	{"RIS", "",
		"TY  - JOUR\nID  - $id\nTI  - $title\nPY  - $year\nVL  - $year\nAB  - $text\nER  - \n", "\n", "",
		"TY  - JOUR\nTI  - Torn\n", "TY  - JOUR\nER  - \n", plainly},
	{"NBIB", "", "PMID- $id\nTI  - $title\nDP  - $year\nVI  - $year\nAB  - $text\n", "\n", "",
		"PMID- \nTI  - Torn\n", "PMID: 99000009\n", plainly},
	{"BibTeX", "",
		"@article{$id,\n title={$title},\n year={$year},\n volume={$year},\n abstract={$text}\n}\n", "\n", "",
		"@article{torn,\n title={Torn,\n", "@article{empty,\n}\n", plainly},
	{"CSL-JSON", "[",
		`{"id":"$id","title":"$title","issued":{"date-parts":[[$year]]},"volume":$year,"abstract":"$text"}`, ",\n", "]",
		`{"id":"torn","title":7}`, "7", jsonText},
	{"CSL-JSON lines", "",
		`{"id":"$id","title":"$title","issued":{"date-parts":[[$year]]},"volume":$year,"abstract":"$text"}`, "\n", "",
		`{"id":"torn","title":"Torn`, "{}", jsonText},
	{"EndNote's XML", "<xml><records>", "<record><rec-number>$id</rec-number><titles><title>$title</title></titles>" +
		"<volume>$year</volume><dates><year>$year</year></dates><abstract>$text</abstract></record>", "\n",
		"</records></xml>", "<record><titles><title>Torn</title></titles>", "<record></record>", xmlText},
	{"EndNote, tagged", "", "%0 Journal Article\n%F $id\n%T $title\n%D $year\n%V $year\n%X $text\n", "\n", "",
		"%0 Journal Article\n%T Torn\n", "%0 Journal Article\n", plainly},
	{"Web of Science", "FN Clarivate Analytics Web of Science\nVR 1.0\n",
		"PT J\nTI $title\nPY $year\nVL $year\nAB $text\nUT $id\nER\n", "\n", "EF\n",
		"PT J\nTI Torn\n", "PT J\nER\n", plainly},
	{"RefWorks", "", "RT Journal Article\nID $id\nT1 $title\nYR $year\nVO $year\nAB $text\n", "\n", "",
		"RT Journal Article\nT1 Torn\n", "RT Journal Article\n", plainly},
	{"Ovid", "", "<1. >\nVN  - Ovid Technologies\nUI  - $id\nTI  - $title\nYR  - $year\nAB  - $text\n", "\n", "",
		"<1. >\nTI  - Torn\n", "<1. >\n", plainly},
	{"PubMed's text", "", "$n. J Invent. $year Mar 5;12(3):45-49.\n\n$title\n\nAsh A.\n\n$text\n\nPMID: $id\n",
		"\n\n", "",
		"2. J Invent. 2021 Mar 5;12(3):45-49.\n\nTorn\n", "2. J Invent. 2021 Mar 5;12(3):45-49.\n", plainly},
	{"PubMed's table",
		"PMID,Title,Authors,Citation,First Author,Journal/Book,Publication Year,Create Date,PMCID,NIHMS ID,DOI\n",
		`"$id","$title","Ash A","$text","Ash A","J","$year","","","",""`, "\n", "\n",
		`"99000009","Torn"`, `"","","","","","","","","","",""`, csvText},
	{"a table", "key,title,year,volume,abstract\n", `"$id","$title","$year","$year","$text"`, "\n", "\n",
		`"torn","Torn"`, `"","","","",""`, csvText},
}

func jsonText(s string) string { return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) }
func xmlText(s string) string  { return strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(s) }
func csvText(s string) string  { return strings.ReplaceAll(s, `"`, `""`) }

// one writes an entry.
func (l *layout) one(id, title, year, abstract string) string {
	n := cmp.Or(map[string]string{"First": "1", "Third": "3"}[title], "2")
	return strings.NewReplacer("$id", id, "$title", l.escape(title), "$year", year, "$text", l.escape(abstract),
		"$n", n).Replace(l.entry)
}

// of writes a file of these entries.
func (l *layout) of(entries ...string) string {
	return l.head + strings.Join(entries, l.between) + l.tail
}

// three are whole entries.
func (l *layout) three() [3]string {
	return [3]string{l.one("99000001", "First", "2021", "Of cells."), l.one("99000002", "Second", "2022", "Of mice."),
		l.one("99000003", "Third", "2023", "Of men.")}
}

// attacks are ways in which a file of three entries comes to harm.
var attacks = []struct {
	name string
	file func(l *layout) string
}{
	{"none", func(l *layout) string { e := l.three(); return l.of(e[:]...) }},
	{"cut off within the last entry", func(l *layout) string {
		e := l.three()
		return strings.TrimSuffix(l.of(e[0], e[1], e[2][:strings.Index(e[2], "hird")]), l.tail)
	}},
	{"an entry torn between two", func(l *layout) string { e := l.three(); return l.of(e[0], l.torn, e[2]) }},
	{"an entry that says nothing", func(l *layout) string { e := l.three(); return l.of(e[0], l.empty, e[2]) }},
	{"bytes of another encoding", func(l *layout) string {
		e := l.three()
		return l.of(e[0], l.one("99000002", "Gr\xf6\xdfe \x96", "2022", "\xc3"), e[2])
	}},
	{"UTF-16", func(l *layout) string {
		e := l.three()
		out := []byte("\xff\xfe")
		for _, u := range utf16.Encode([]rune(l.of(e[:]...))) {
			out = append(out, byte(u), byte(u>>8))
		}
		return string(out)
	}},
	{"a field of 10 MB", func(l *layout) string {
		e := l.three()
		return l.of(e[0], l.one("99000002", "Second", "2022", strings.Repeat("word ", 2<<20)), e[2])
	}},
	{"markup within markup", func(l *layout) string {
		e := l.three()
		const nested = `<i><sub><i>a</sub></i> {{\"{o}}} &amp;lt;record&amp;gt; <![CDATA[ ]]> "quoted" ER- @article`
		return l.of(e[0], l.one("99000002", "Second "+strings.Repeat("<i>", 100), "2022", nested), e[2])
	}},
	{"NULs", func(l *layout) string {
		e := l.three()
		return l.of(e[0], strings.ReplaceAll(e[1], "e", "e\x00"), e[2])
	}},
	{"one id three times", func(l *layout) string {
		return l.of(l.one("99000001", "First", "2021", "A."), l.one("99000001", "Second", "2022", "B."),
			l.one("99000001", "Third", "2023", "C."))
	}},
	{"a byte order mark before each entry", func(l *layout) string {
		e := l.three()
		return "\ufeff" + l.of(e[0], "\ufeff"+e[1], "\ufeff"+e[2])
	}},
	{"CRLF", func(l *layout) string { e := l.three(); return strings.ReplaceAll(l.of(e[:]...), "\n", "\r\n") }},
	{"CR", func(l *layout) string { e := l.three(); return strings.ReplaceAll(l.of(e[:]...), "\n", "\r") }},
	{"numbers that overflow", func(l *layout) string {
		e := l.three()
		return l.of(e[0], l.one("99000002", "Second", strings.Repeat("9", 400), "B."), e[2])
	}},
}

// stops are the files behind whose harm there is no telling where the next entry would begin: the problem says that.
var stops = map[string]bool{"EndNote's XML/markup within markup": true}

// TestEveryEntryIsAccountedFor: whatever befalls a file, the entries in it are as many as the records and the named
// problems that come of them; none is lost in silence, and none is told twice.
func TestEveryEntryIsAccountedFor(t *testing.T) {
	for _, l := range layouts {
		for _, attack := range attacks {
			t.Run(l.name+"/"+attack.name, func(t *testing.T) {
				t.Parallel()
				var records, problems int
				var seen strings.Builder
				want := 3
				if stops[l.name+"/"+attack.name] {
					want = 2
				}
				err := Read(strings.NewReader(attack.file(&l)), "refs", func(i Item) error {
					switch {
					case i.Record != nil:
						records++
						fmt.Fprintf(&seen, "%s: %.80q %q\n", i.Record.Origins[0].ID, i.Record.Title, i.Notes)
					case i.Problem != nil && i.Problem.ID != "" && strings.HasPrefix(i.Problem.Reason, "line "):
						problems++
						fmt.Fprintf(&seen, "%s\n", text.Cut(i.Problem.ID+": "+i.Problem.Reason, 200))
					}
					return nil
				})
				if err != nil && !errors.As(err, new(*FormatError)) {
					t.Fatal(err)
				}
				told := want == 3 || strings.Contains(seen.String(), "nothing behind it was read")
				if records+problems != want || !told {
					t.Errorf("three came to %d records and %d problems (%v):\n%s", records, problems, err, &seen)
				}
			})
		}
	}
}
