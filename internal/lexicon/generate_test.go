package lexicon

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func TestTablesAreMadeOfTheFiles(t *testing.T) {
	want, err := Generate(os.DirFS("data"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("tables_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("tables_gen.go is not what data says; run: go generate ./internal/lexicon")
	}
}

func TestGenerateRefusesAFileWithAFault(t *testing.T) {
	_, err := Generate(fstest.MapFS{"a.yaml": {Data: []byte("genes: []\n")},
		"b.yaml": {Data: []byte("genes:\n  - {nam: x}\n")}})
	if err == nil || !strings.Contains(err.Error(), `b.yaml:2: genes[0].nam: unknown key; did you mean "name"?`) {
		t.Errorf("error %v", err)
	}
}

// Lists claim words in the order of wordLists and kinds claim names in that of kinds, however the files are called.
func TestCompileOrdersFilesByKind(t *testing.T) {
	l, err := compile(fstest.MapFS{
		"a.yaml": {Data: []byte("drugs:\n  - {name: shared7}\nfillers: [without]\n")},
		"b.yaml": {Data: []byte("genes:\n  - {name: SHARED7}\nabsence: [without]\nambiguous: [shared7]\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := l.Lookup("", "shared7"); !ok || e.Kind != KindGene || e.File != "b.yaml" {
		t.Errorf("shared7 is %+v", e)
	}
	if e, ok := l.Lookup(KindDrug, "shared7"); !ok || e.Name != "shared7" {
		t.Errorf("the drug shared7 is %+v", e)
	}
	if got := l.wordList("without").name(); got != wordsAbsence || !l.key("shared7").ambiguous {
		t.Errorf("without is in the list %q, and shared7 is ambiguous: %v", got, l.key("shared7").ambiguous)
	}
}
