package lexicon

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzRecognise(f *testing.F) {
	for _, q := range boardQuestions {
		f.Add(q.question)
	}
	for _, q := range []string{"", "\xff\xfe", "p.", "KRAS", "KRAS p.(G12C)", "anti-", "anti EGFR", "V600E/K/R BRAF", "基因", "t(11;14)", "Ünïcödé Ⅳ٣", strings.Repeat("MET ", 50)} {
		f.Add(q)
	}
	l := mustDefault(f)
	f.Fuzz(func(t *testing.T, question string) {
		c := l.Recognise(question)
		for _, m := range c.Mentions {
			if m.Start < 0 || m.End > len(c.Question) || m.Start >= m.End || c.Question[m.Start:m.End] != m.Text || m.Name == "" || m.Concept == "" {
				t.Errorf("%q: mention %+v does not fit its text", question, m)
			}
		}
		if c.Key() != l.Recognise(question).Key() {
			t.Errorf("%q: two keys for one question", question)
		}
		for n := range 6 {
			q, ok := l.layer(question, n)
			if ok != (len(q.Groups) > 0) {
				t.Errorf("%q: layer %d is %v with %d groups", question, n, ok, len(q.Groups))
			}
			for _, g := range q.Groups {
				if len(g.Terms) == 0 {
					t.Errorf("%q: layer %d has an empty group", question, n)
				}
			}
		}
		if utf8.ValidString(question) && !utf8.ValidString(Clean(question)) {
			t.Errorf("%q: cleaning broke a character", question)
		}
	})
}

func FuzzFlow(f *testing.F) {
	f.Add("genes:\n  - {name: x, synonyms: [y, \"z\"]}\n")
	f.Add("fillers: [a, b\n c]\n# end")
	f.Add("genes:\n  - {")
	f.Fuzz(func(t *testing.T, text string) {
		checkFileError(t, func() error { _, err := readFlow("f", text); return err })
	})
}

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{hgnc, geneList, geneInfo, "genes:\n  - name: x\n", "DrugBank ID,Common name,Synonyms\nDB1,a,b | c\n",
		"Column1;Column2\nDrugBank ID;Common name;Synonyms\nDB1;a;b", "\x1f\x8b", "{", "a: &a [*a]"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkFileError(t, func() error {
			l := &Lexicon{index: map[string]int32{}, words: map[string]wordList{}, ambiguous: map[string]bool{}, english: map[string]bool{}}
			return l.addFile(File{Name: "f", Data: data})
		})
	})
}

func checkFileError(t *testing.T, read func() error) {
	t.Helper()
	if err := read(); err != nil {
		if fault := new(FileError); !errors.As(err, &fault) || fault.File == "" {
			t.Errorf("%v names no file", err)
		}
	}
}
