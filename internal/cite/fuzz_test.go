package cite

import (
	"bufio"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"dossier/internal/files"
	"dossier/internal/text"
)

// checkItems holds what is so for any input: each item is a record or a problem, has a line, and its texts are bounded,
// plain UTF-8.
func checkItems(t *testing.T, file string, read func(emit func(Item) error) error) {
	lines := strings.Count(file, "\n") + strings.Count(file, "\r") + 1
	keys := map[string]bool{}
	err := read(func(i Item) error {
		if (i.Record != nil) == (i.Problem != nil || i.PMID != "") || i.Line < 1 || i.Line > lines {
			t.Errorf("item %+v of a text of %d lines", i, lines)
		}
		if i.Record == nil {
			return nil
		}
		r := i.Record
		if len(r.Origins) != 1 || r.Origins[0].ID == "" || keys[r.Origins[0].Key()] {
			t.Errorf("origins %+v", r.Origins)
		}
		keys[r.Origins[0].Key()] = true
		for _, s := range []string{r.Title, r.AbstractText(), r.Journal.Title, r.Journal.Pages, r.Origins[0].ID} {
			if len(s) > maxText+10 || !utf8.ValidString(s) || strings.ContainsAny(s, "\r\x00\u202e") {
				t.Errorf("a text is not plain: %q", text.Cut(s, 200))
			}
		}
		for _, a := range r.Authors {
			if (a.Family == "") == (a.Collective == "") {
				t.Errorf("author %+v", a)
			}
		}
		return nil
	})
	if _, unknown := errors.AsType[*files.UnknownError](err); err != nil && !unknown {
		t.Errorf("reading: %v", err)
	}
}

// fuzzReader gives the reader of one format any text, whatever sniff would say of it.
func fuzzReader(f *testing.F, format Format, seeds ...string) {
	seeds = append(seeds, hostile, "", "\xff\xfe")
	if slices.Contains(Formats, format) {
		seeds = append(seeds, written(f, format, refs()[1:3]...))
	}
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var read func(emit func(Item) error) error
		read = func(emit func(Item) error) error {
			decoded, m, err := files.Text(strings.NewReader(text))
			if err != nil {
				return err
			}
			in := bufio.NewReaderSize(decoded, sniffBytes)
			x := &receiver{source: "import:a", emit: emit, mended: m, next: map[uint64]uint32{}}
			switch format {
			case FormatRIS:
				return readRIS(in, x)
			case FormatNBIB:
				return readNBIB(in, x)
			case FormatBibTeX:
				return readBibTeX(in, x)
			case FormatEndNote:
				return readEndNote(in, x)
			case FormatPubMedText:
				return readPubMedText(in, x)
			case FormatCSV:
				return readCSV(in, x, ',', nil)
			case FormatPubMedCSV:
				return readPubMedCSV(in, x)
			default:
				return readCSL(in, x)
			}
		}
		checkItems(t, text, read)
	})
}

func FuzzRIS(f *testing.F) {
	fuzzReader(f, FormatRIS, "TY  - JOUR\nTI  - A\nER  - \n", "TY -\nty  - x\n  AU - Doe J, Roe R;\nKW  - a\nb\nER -",
		"TY  - JOUR\rDO  - 12345678\rSP  - 1-\rEP  - -2\r")
}

func FuzzNBIB(f *testing.F) {
	fuzzReader(f, FormatNBIB, medline, "PMID- 1\n\nAU  - \nFAU - ,\nAU  - X Y\nMH  - */*\nRN  - (\n")
}

func FuzzBibTeX(f *testing.F) {
	fuzzReader(f, FormatBibTeX, "@article{a, title={A}}",
		"@string{x=\"y\"#x}@article(a, title=x#{\\\"{o}}#2, author={A, B, C, D and {E} and ,,},",
		"@article{a title = \"\\'{\\", "@a{b,c={$\\alpha}}")
}

func FuzzCSLJSON(f *testing.F) {
	fuzzReader(f, FormatCSLJSON, `[{"title":"A","author":[{"family":"x"},"y",7],"issued":{"date-parts":[["2011",2]]}}]`,
		"{}\n{}\n{", `{"items":[{"items":{}}]}`, "[[]]", "5 \"x\" null")
}

func FuzzEndNote(f *testing.F) {
	fuzzReader(f, FormatEndNote, endnoteXML, "<xml><records><record><titles><title>A", "<record></x></record>",
		"<record><a>&amp;&nbsp;&x;</a></record>")
}

func FuzzPubMedCSV(f *testing.F) {
	fuzzReader(f, FormatPubMedCSV, pubmedTable, "PMID,Title\n1,\"A\n2,B\n", "PMID,Title\r1,A\r", "a\"b,c\n\n,\n")
}

// FuzzRead gives any file to the reader as a librarian would.
func FuzzRead(f *testing.F) {
	for _, format := range Formats {
		f.Add(written(f, format, refs()[1:3]...))
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkItems(t, text, func(emit func(Item) error) error {
			err := Read(strings.NewReader(text), "a", emit)
			if unknown := new(FormatError); errors.As(err, &unknown) {
				return nil
			}
			return err
		})
	})
}

// FuzzTagged reads any text in each of the tagged formats.
func FuzzTagged(f *testing.F) {
	for _, s := range []string{enwFile, wosFile, refWorksFile, ovidFile, ovidNamed, "%0\n%\n%%",
		"PT\nER\nER\n   x", "<1>\n<2>\n",
		hostile} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for format := range dialects {
			checkItems(t, text, func(emit func(Item) error) error {
				decoded, m, err := files.Text(strings.NewReader(text))
				if err != nil {
					return err
				}
				x := &receiver{source: "import:a", emit: emit, mended: m, next: map[uint64]uint32{}}
				return readTagged(bufio.NewReaderSize(decoded, sniffBytes), x, format)
			})
		}
	})
}

func FuzzPubMedText(f *testing.F) {
	fuzzReader(f, FormatPubMedText, pubmedAbstracts, pubmedSummaries, "1. \n\n2. x\n\n\nPMID: 1", "1: PMID: 1.")
}

func FuzzTable(f *testing.F) {
	fuzzReader(f, FormatCSV, rayyanTable, "Title,DOI\n\"A\n", "Title,DOI\r1,A\r", "title;doi\n;\n")
}
