package local

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
)

// An invented corner of the tree: Growths (Z01) holds Blue Growths (Z01.100), which holds Pale Blue Growths
// (Z01.100.200 and, at a second place, Z09.300), and Red Growths (Z01.400). Z010 is no part of Z01.
const descriptorsXML = `<?xml version="1.0"?>
<!DOCTYPE DescriptorRecordSet SYSTEM "x.dtd">
<DescriptorRecordSet LanguageCode="eng">
` + growths + blue + `
<DescriptorRecord><DescriptorUI>D9903</DescriptorUI><DescriptorName><String>Pale Blue Growths</String></DescriptorName>
 <TreeNumberList><TreeNumber>Z01.100.200</TreeNumber><TreeNumber>Z09.300</TreeNumber></TreeNumberList></DescriptorRecord>
<DescriptorRecord><DescriptorName><String>Red Growths</String></DescriptorName>
 <TreeNumberList><TreeNumber>Z01.400</TreeNumber></TreeNumberList></DescriptorRecord>
<DescriptorRecord><DescriptorName><String>Neighbours</String></DescriptorName>
 <TreeNumberList><TreeNumber>Z010.100</TreeNumber></TreeNumberList></DescriptorRecord>
</DescriptorRecordSet>`

const growths = `<DescriptorRecord DescriptorClass="1"><DescriptorUI>D9901</DescriptorUI>
 <DescriptorName><String>Growths</String></DescriptorName>
 <SeeRelatedList><SeeRelatedDescriptor><DescriptorReferredTo><DescriptorUI>D1</DescriptorUI>
  <DescriptorName><String>Elsewhere</String></DescriptorName></DescriptorReferredTo></SeeRelatedDescriptor></SeeRelatedList>
 <TreeNumberList><TreeNumber>Z01</TreeNumber></TreeNumberList>
 <ConceptList><Concept><ConceptName><String>No term</String></ConceptName><TermList>
  <Term><TermUI>T1</TermUI><String>Growths</String></Term><Term><String>Lumps &amp; Bumps</String></Term></TermList></Concept></ConceptList>
</DescriptorRecord>`

const blue = `<DescriptorRecord><DescriptorName><String>Blue Growths</String></DescriptorName>
 <TreeNumberList><TreeNumber>Z01.100</TreeNumber></TreeNumberList>
 <ConceptList><Concept><TermList><Term><String>Growths, Azure</String></Term></TermList></Concept>
  <Concept><TermList><Term><String>Blueness</String></Term></TermList></Concept></ConceptList></DescriptorRecord>`

const supplementaryXMLText = `<?xml version="1.0"?><SupplementalRecordSet>
<SupplementalRecord><SupplementalRecordUI>C9901</SupplementalRecordUI><SupplementalRecordName><String>inventinib</String></SupplementalRecordName>
 <HeadingMappedToList><HeadingMappedTo><DescriptorReferredTo><DescriptorUI>*D9902</DescriptorUI>
  <DescriptorName><String>*Blue Growths</String></DescriptorName></DescriptorReferredTo></HeadingMappedTo></HeadingMappedToList>
 <ConceptList><Concept><TermList><Term><String>inventinib</String></Term><Term><String>XYZ9901</String></Term></TermList></Concept></ConceptList>
</SupplementalRecord></SupplementalRecordSet>`

const descriptorsBin = `*NEWRECORD
RECTYPE = D
MH = Growths
AQ = BL CF
ENTRY = Lumps & Bumps|T109|T195|LAB|NRW|NLM (1991)|900308|abbcdef
MN = Z01
UI = D9901

*NEWRECORD
RECTYPE = D
MH = Blue Growths
PRINT ENTRY = Growths, Azure|T1
ENTRY = Blueness
MN = Z01.100

*NEWRECORD
MH = Pale Blue Growths
MN = Z01.100.200
MN = Z09.300

*NEWRECORD
MH = Red Growths
MN = Z01.400

*NEWRECORD
MH = Neighbours
MN = Z010.100
`

const supplementaryBin = `*NEWRECORD
RECTYPE = C
NM = inventinib
SY = XYZ9901|T1|NRW
HM = *Blue Growths
UI = C9901
`

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	data := []byte(text)
	if strings.HasSuffix(name, ".gz") {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		fmt.Fprint(w, text)
		w.Close()
		data = packed.Bytes()
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t *testing.T, folder string, files ...string) (*Headings, []string) {
	t.Helper()
	var told []string
	table, err := OpenHeadings(HeadingsOptions{
		Files: files, Folder: folder, Tell: func(line string) { told = append(told, line) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	return table, told
}

// TestFormats holds every form in which NLM gives its files to the same table.
func TestFormats(t *testing.T) {
	want, err := compile([]string{write(t, "desc.xml", descriptorsXML), write(t, "supp.xml", supplementaryXMLText)})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name  string
		files []string
	}{
		{"XML, packed", []string{write(t, "desc.xml.gz", descriptorsXML), write(t, "supp.gz", supplementaryXMLText)}},
		{"lines", []string{write(t, "d.bin", descriptorsBin), write(t, "c.bin", supplementaryBin)}},
		{"lines, packed, in the other order", []string{write(t, "c.bin.gz", supplementaryBin),
			write(t, "d.bin.gz", descriptorsBin)}},
		{"lines as Windows ends them", []string{write(t, "d.bin", strings.ReplaceAll(descriptorsBin, "\n", "\r\n")),
			write(t, "c.bin", supplementaryBin)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			headings, others, err := SplitHeadingFiles(tc.files)
			if len(headings) != len(tc.files) || len(others) != 0 || err != nil {
				t.Errorf("SplitHeadingFiles took %v for headings and %v for others, %v", headings, others, err)
			}
			got, err := compile(tc.files)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("table (-XML +this):\n%s", diff)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	table, _ := open(t, t.TempDir(), write(t, "desc.xml", descriptorsXML), write(t, "supp.xml", supplementaryXMLText))
	for _, tc := range []struct {
		name, query string
		want        string // the terms that are looked for in the place of the query's one term
		note        string // a part of the note; empty for none
	}{
		{"a heading and all below it", `Growths[mh]`,
			"Blue Growths[mh] | Growths[mh] | Pale Blue Growths[mh] | Red Growths[mh]", ""},
		{"a heading as it is not written", `"growths"[mh]`,
			`"Blue Growths"[mh] | "Growths"[mh] | "Pale Blue Growths"[mh] | "Red Growths"[mh]`, ""},
		{"a branch", `Blue Growths[mh]`, "Blue Growths[mh] | Pale Blue Growths[mh]", ""},
		{"not exploded", `Growths[mh:noexp]`, "Growths[mh:noexp]", ""},
		{"main headings are exploded, too", `Blue Growths[majr]`, "Blue Growths[majr] | Pale Blue Growths[majr]", ""},
		{"main headings, not exploded", `Blue Growths[majr:noexp]`, "Blue Growths[majr:noexp]", ""},
		{"with a subheading", `Blue Growths/genetics[mh]`, "Blue Growths/genetics[mh] | Pale Blue Growths/genetics[mh]", ""},
		{"an entry term", `"azure growths"[mh]`, `"azure growths"[mh]`, "have no heading and no entry term ‘azure growths’"},
		{"an entry term as NLM turns it round", `"Growths, Azure"[mh]`, `"Blue Growths"[mh] | "Pale Blue Growths"[mh]`,
			"entry term of the heading Blue Growths"},
		{"an entry term with a sign", `"lumps & bumps"[mh:noexp]`, `"Growths"[mh:noexp]`,
			"‘lumps & bumps’ is an entry term of the heading Growths"},
		{"the name of a concept is no term", `"No term"[mh]`, `"No term"[mh]`, "no heading"},
		{"another heading that is referred to is none", `Elsewhere[mh]`, `Elsewhere[mh]`, "no heading"},
		{"truncated", `Growth*[mh]`, `Growth*[mh]`, ""},
		{"a supplementary concept", `inventinib[mh]`, `inventinib[mh]`,
			`write "inventinib"[nm]; the heading that NLM maps it to: Blue Growths`},
		{"a substance", `inventinib[nm]`, `inventinib[nm]`, ""},
		{"a substance by its code", `XYZ9901[nm]`, `XYZ9901[nm] | inventinib[nm]`,
			"another name of the substance inventinib"},
		{"a substance that is not known", `nothingmab[nm]`, `nothingmab[nm]`, ""},
		{"another field", `Growths[tiab]`, `Growths[tiab]`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n, err := boolean.Parse(tc.query)
			if err != nil {
				t.Fatal(err)
			}
			got, err := table.Resolve(n)
			if err != nil {
				t.Fatal(err)
			}
			var terms []string
			for _, term := range got.Terms(n.(boolean.Term)) {
				terms = append(terms, boolean.Print(term))
			}
			if diff := cmp.Diff(tc.want, strings.Join(terms, " | ")); diff != "" {
				t.Errorf("looked for (-want +got):\n%s", diff)
			}
			if notes := strings.Join(got.Notes, "\n"); (notes == "") != (tc.note == "") || !strings.Contains(notes, tc.note) {
				t.Errorf("notes %q, want %q", notes, tc.note)
			}
		})
	}
}

// TestOpen holds when a table is made: once for each state of the files, and in memory where it can't be kept.
func TestOpen(t *testing.T) {
	file, folder := write(t, "d.bin", descriptorsBin), filepath.Join(t.TempDir(), "cache")
	kept := func() []string {
		names, _ := filepath.Glob(filepath.Join(folder, "*"))
		return names
	}
	_, told := open(t, folder, file)
	if len(told) != 1 || !strings.Contains(told[0], "reading NLM's headings from "+file) || len(kept()) != 1 {
		t.Errorf("the first time %q was told, and %v kept", told, kept())
	}
	first := kept()
	table, told := open(t, folder, file)
	if found, ok, err := table.Find("blueness"); len(told) != 0 || !ok || found.Name != "Blue Growths" || err != nil {
		t.Errorf("the second time %q was told, and %+v found, %v", told, found, err)
	}
	if err := os.WriteFile(file, []byte(descriptorsBin+"\n*NEWRECORD\nMH = Green Growths\nMN = Z01.500\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	table, told = open(t, folder, file)
	if _, ok, err := table.Find("Green Growths"); len(told) != 1 || !ok || err != nil || len(kept()) != 1 || kept()[0] == first[0] {
		t.Errorf("after a change %q was told, %v kept, found %v, %v", told, kept(), ok, err)
	}
	if err := os.WriteFile(kept()[0], []byte("cut"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, told = open(t, folder, file); len(told) != 1 {
		t.Errorf("of a table that was cut, %q was told; it must be made again", told)
	}
	nowhere := filepath.Join(file, "no folder")
	table, told = open(t, nowhere, file)
	if _, ok, err := table.Find("Green Growths"); len(told) != 2 || !strings.Contains(told[1],
		"can't be kept") || !ok || err != nil {
		t.Errorf("where nothing can be kept, %q was told, found %v, %v", told, ok, err)
	}
}

func TestBadFiles(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"cut.xml", descriptorsXML[:len(descriptorsXML)-300], "line "},
		{"noname.xml", "<DescriptorRecordSet>\n<DescriptorRecord></DescriptorRecord></DescriptorRecordSet>",
			"noname.xml, line 2: a record ends here that has no name"},
		{"crossed.xml", "<DescriptorRecordSet>\n<DescriptorRecord></String></DescriptorRecordSet>",
			"</String> closes what is not open"},
		{"empty.xml", "<DescriptorRecordSet></DescriptorRecordSet>", "holds no heading"},
		{"q.xml", "<QualifierRecordSet></QualifierRecordSet>", "subheadings, which nothing needs"},
		{"q.bin", "*NEWRECORD\nRECTYPE = Q\nSH = genetics\n", "holds no heading"},
		{"long.bin", "*NEWRECORD\nMH = " + strings.Repeat("x", maxName+1) + "\n", "longer than any of NLM's"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := write(t, tc.name, tc.text)
			if headings, _, err := SplitHeadingFiles([]string{path}); len(headings) != 1 || err != nil {
				t.Error("Split does not take it for NLM's")
			}
			if _, err := compile([]string{path}); err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(
				err.Error(), tc.name) {
				t.Errorf("compile: %v; want %q in it, and the file", err, tc.want)
			}
		})
	}
	headings, others, err := SplitHeadingFiles([]string{write(t, "own.yaml", "tumours: []")})
	if len(headings) != 0 || len(others) != 1 || err != nil {
		t.Errorf("SplitHeadingFiles took %v for headings, %v", headings, err)
	}
	for _, path := range []string{"missing.xml", write(t, "broken", "\x1f\x8bno gzip")} {
		if _, _, err := SplitHeadingFiles([]string{path}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("Split of %s: %v; want an error that names it", path, err)
		}
	}
}

func FuzzReadHeadings(f *testing.F) {
	for _, seed := range []string{descriptorsXML, supplementaryXMLText, descriptorsBin, supplementaryBin,
		"*NEWRECORD\nMH = \n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var names []string
		made := &compiling{}
		add := func(r record) {
			names = append(names, r.name)
			made.add(r)
		}
		if err := unpacking("file", bytes.NewReader(data), recordsOf("file", add)); err != nil {
			return
		}
		text := made.table()
		table := &Headings{text: bytes.NewReader(text), size: int64(len(text))}
		for _, name := range names {
			if key(name) == "" {
				continue
			}
			if _, ok, err := table.Find(name); err != nil || !ok {
				t.Fatalf("%q is in the file, and is found: %v, %v", name, ok, err)
			}
		}
	})
}
