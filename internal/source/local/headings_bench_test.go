package local

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dossier/internal/boolean"
)

// realSize writes a file of invented descriptors of about the size and shape of NLM's: 30,000 of ten entry terms each,
// in a tree nine levels deep, 300 MB in all.
func realSize(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "desc.xml")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	fmt.Fprint(w, `<?xml version="1.0"?><!DOCTYPE DescriptorRecordSet SYSTEM "x"><DescriptorRecordSet LanguageCode="eng">`)
	filler := strings.Repeat("<AllowableQualifier><QualifierReferredTo><QualifierUI>Q000008</QualifierUI><QualifierName>"+
		"<String>administration &amp; dosage</String></QualifierName></QualifierReferredTo><Abbreviation>AD</Abbreviation></AllowableQualifier>\n", 30)
	for i := range 30_000 {
		number := "C04"
		for n := i; n > 0; n /= 6 {
			number += fmt.Sprintf(".%03d", n%6)
		}
		fmt.Fprintf(w,
			"<DescriptorRecord><DescriptorUI>D%06d</DescriptorUI><DescriptorName><String>Growth %d</String></DescriptorName>"+
				"<AllowableQualifiersList>%s</AllowableQualifiersList><TreeNumberList><TreeNumber>%s</TreeNumber></TreeNumberList>"+
				"<ConceptList><Concept><TermList>", i, i, filler, number)
		for term := range 10 {
			fmt.Fprintf(w,
				"<Term ConceptPreferredTermYN=\"Y\"><TermUI>T%06d%02d</TermUI><String>Growth, Form %d of %d</String><DateCreated>"+
					"<Year>1999</Year><Month>01</Month><Day>01</Day></DateCreated></Term>\n", i, term, term, i)
		}
		fmt.Fprint(w, "</TermList></Concept></ConceptList></DescriptorRecord>\n")
	}
	fmt.Fprint(w, "</DescriptorRecordSet>")
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

func BenchmarkHeadings(b *testing.B) {
	file, folder := realSize(b), b.TempDir()
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	o := HeadingsOptions{Files: []string{file}, Folder: folder, Tell: func(string) {}}
	b.Run("made", func(b *testing.B) {
		b.SetBytes(info.Size())
		for b.Loop() {
			if _, err := compile(o.Files); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("opened and asked", func(b *testing.B) {
		first, err := OpenHeadings(o)
		if err != nil {
			b.Fatal(err)
		}
		if err := first.Close(); err != nil {
			b.Fatal(err)
		}
		query := boolean.Phrase("Growth, Form 3 of 100", boolean.FieldMeSH)
		for b.Loop() {
			table, err := OpenHeadings(o)
			if err != nil {
				b.Fatal(err)
			}
			resolved, err := table.Resolve(query)
			if err != nil {
				b.Fatal(err)
			}
			if n := len(resolved.Terms(query)); n < 100 {
				b.Fatalf("%d headings", n)
			}
			if err := table.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
