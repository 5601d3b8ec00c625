package evidence

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestBoundKeepsARealRecordAsItIs(t *testing.T) {
	record := func() Record {
		return Record{
			Title: strings.Repeat("t", MaxTitle), Abstract: []Section{{Label: "METHODS", Text: strings.Repeat("m", 5000)},
				{Text: "é"}},
			Authors: []Author{{Family: "Doe", Affiliations: []string{strings.Repeat("a", maxLine)}}, {Collective: "The Group"}},
			MeSH:    []Heading{{Name: "Neoplasms", Qualifiers: []Qualifier{{Name: "genetics"}}}},
			Trial:   &Trial{Eligibility: "Inclusion:\n* one", Sites: []Site{{City: "Ulm", Contacts: []Contact{{Name: "Doe"}}}}},
		}
	}
	got := record()
	got.Bound()
	if diff := cmp.Diff(record(), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBoundCutsAndMarks(t *testing.T) {
	many := func(n int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprint("word ", i)
		}
		return list
	}
	for _, tc := range []struct {
		name   string
		record Record
		want   string
	}{
		{"a title", Record{Title: strings.Repeat("é", 40_000)}, "title cut at 2 KB, 80 KB came"},
		{"an abstract of one section", Record{Abstract: []Section{{Text: strings.Repeat("x", 812_000)}}},
			"abstract cut at 100 KB, 812 KB came"},
		{"an abstract of many sections", Record{Abstract: slicesOf(Section{Label: "A", Text: strings.Repeat("x", 30_000)},
			5)},
			"abstract cut at 100 KB, 150 KB came"},
		{"sections of one letter", Record{Abstract: slicesOf(Section{Text: "x"}, 3000)}, "abstract cut at 1 KB, 3 KB came"},
		{"a translation", Record{OtherAbstracts: []OtherAbstract{{Sections: []Section{{Text: strings.Repeat("x",
			200_000)}}}}},
			"other_abstracts.sections cut at 100 KB, 200 KB came"},
		{"authors", Record{Authors: slicesOf(Author{Family: "Doe"}, 6000)}, "authors cut at 5000, 6000 came"},
		{"an author's name", Record{Authors: []Author{{Family: strings.Repeat("x", 3000)}}},
			"authors.name cut at 500 bytes, 3 KB came"},
		{"affiliations of one author", Record{Authors: []Author{{Affiliations: many(101)}}},
			"authors.affiliations cut at 100, 101 came"},
		{"a list that is long by its texts", Record{Links: slicesOf(Link{Citation: strings.Repeat("x", 2000)}, 600)},
			"links cut at 501, 600 came"},
		{"keywords", Record{Keywords: many(1001)}, "keywords cut at 1000, 1001 came"},
		{"a heading", Record{MeSH: []Heading{{Name: strings.Repeat("x", 501)}}},
			"mesh.name cut at 500 bytes, 501 bytes came"},
		{"identifiers", Record{Identifiers: slicesOf(Identifier{DOI, "10.5555/x"}, 101)}, "identifiers cut at 100, 101 came"},
		{"a trial's criteria", Record{Trial: &Trial{Eligibility: strings.Repeat("x", 100_001)}},
			"trial.eligibility cut at 100 KB, 100 KB came"},
		{"a trial's sites", Record{Trial: &Trial{Sites: slicesOf(Site{City: "Ulm"}, 5001)}},
			"trial.sites cut at 5000, 5001 came"},
		{"a journal", Record{Journal: Journal{Title: strings.Repeat("x", 9000)}}, "journal.title cut at 2 KB, 9 KB came"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.record.Bound()
			if got := fmt.Sprint(tc.record.Cut); got != "["+tc.want+"]" {
				t.Errorf("cuts are %s, want [%s]", got, tc.want)
			}
			if !utf8.ValidString(tc.record.Title) || len(tc.record.Title) > MaxTitle ||
				len(tc.record.AbstractText()) > MaxAbstract+100 {
				t.Errorf("the title has %d bytes, the abstract %d", len(tc.record.Title), len(tc.record.AbstractText()))
			}
			once := tc.record
			if tc.record.Bound(); !cmp.Equal(once, tc.record) {
				t.Errorf("bounded once more it is another: %v", tc.record.Cut)
			}
		})
	}
}

func slicesOf[T any](v T, n int) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = v
	}
	return list
}

func TestBoundTakesOutWhatShowsNothing(t *testing.T) {
	r := Record{
		Title: "zero\u200bwidth", Abstract: []Section{{Text: "turned\u202e"}}, Authors: []Author{{Family: "Do\u009be\u2066"}},
		Trial: &Trial{Eligibility: "one\n\u2060two"},
	}
	r.Bound()
	want := Record{
		Title: "zerowidth", Abstract: []Section{{Text: "turned"}}, Authors: []Author{{Family: "Doe"}},
		Trial: &Trial{Eligibility: "one\ntwo"},
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
