package lexicon

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"dossier/internal/strictyaml"
)

func FuzzUnderstand(f *testing.F) {
	for _, b := range boardQuestions {
		f.Add(b.question)
	}
	for _, q := range []string{"", "\xff\xfe", "p.", "KRAS", "KRAS p.(G12C)", "anti-", "anti EGFR", "V600E/K/R BRAF", "基因",
		"t(11;14)", "Ünïcödé Ⅳ٣", strings.Repeat("MET ", 50),
		"A0*", "without", "versus", "or or or", "HER2-", "::", "PML::", "EGFR::x", "(+)", "PD-L1 ≥", "姓名:张三", "Mr X"} {
		f.Add(q)
	}
	l := mustDefault(f)
	f.Fuzz(func(t *testing.T, question string) {
		q := l.Understand(question)
		for _, a := range q.Alterations {
			checkPart(t, &q, a.Part)
		}
		for _, c := range slices.Concat(q.Tumours, q.Conditions) {
			checkPart(t, &q, c.Part)
		}
		for _, d := range q.Drugs {
			checkPart(t, &q, d.Part)
		}
		if rest := unplaced(&q); len(rest) > 0 {
			t.Errorf("%q: %q ends nowhere: %s", question, rest, q.String())
		}
		again := l.Understand(question)
		if q.Key() != again.Key() {
			t.Errorf("%q: two keys for one question", question)
		}
		l.Named(&q)
		l.Contradicts(&q, question)
		for n := range 6 {
			layer, ok := l.Layer(&q, n)
			if ok != (len(layer.Groups) > 0) {
				t.Errorf("%q: layer %d is %v with %d groups", question, n, ok, len(layer.Groups))
			}
			for _, g := range layer.Groups {
				if len(g.Terms) == 0 {
					t.Errorf("%q: layer %d has an empty group", question, n)
				}
			}
		}
	})
}

func checkPart(t *testing.T, q *Question, p Part) {
	t.Helper()
	if p.Start < 0 || p.End > len(q.Text) || p.Start >= p.End || q.Text[p.Start:p.End] != p.Text {
		t.Errorf("%q: part %+v does not fit its text", q.Text, p)
	}
}

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{hgnc, geneList, geneInfo, "genes:\n  - name: x\n",
		"DrugBank ID,Common name,Synonyms\nDB1,a,b | c\n",
		"Column1;Column2\nDrugBank ID;Common name;Synonyms\nDB1;a;b", "\x1f\x8b", "{", "a: &a [*a]",
		"genes: [~]\nfillers: [~, a]", "fillers: [a, b\n c]\n# end"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkFileError(t, func() error {
			b := newBuilder(&Lexicon{})
			err := b.addFile(File{Name: "f", Data: data})
			b.finish()
			return err
		})
	})
}

func checkFileError(t *testing.T, read func() error) {
	t.Helper()
	if err := read(); err != nil {
		if fault := new(strictyaml.Error); !errors.As(err, &fault) || fault.File == "" {
			t.Errorf("%v names no file", err)
		}
	}
}
