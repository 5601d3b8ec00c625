package fulltext

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/boolean/booleantest"
	"dossier/internal/evidence"
	"dossier/internal/fulltext/fields"
	"dossier/internal/text"
)

// matchingIDs is what package boolean says to a query.
func matchingIDs(records []evidence.Record, documents []boolean.Document, n boolean.Node) []string {
	out := []string{}
	for i := range records {
		if booleantest.Match(n, documents[i]) {
			out = append(out, records[i].ID)
		}
	}
	slices.Sort(out)
	return out
}

func documentsOf(records []evidence.Record) []boolean.Document {
	out := make([]boolean.Document, len(records))
	for i := range records {
		out[i] = boolean.DocumentOf(&records[i])
	}
	return out
}

func foundIDs(t *testing.T, ix searchable, n boolean.Node) []string {
	t.Helper()
	return ids(search(t, ix, Request{Node: n, Limit: 1 << 20, Sort: ByID}).Hits)
}

// allFields are the fields of boolean queries that hold words.
var allFields = []boolean.Field{
	boolean.FieldAll, boolean.FieldTitleAbs, boolean.FieldTitle, boolean.FieldAbstract, boolean.FieldMeSH,
	boolean.FieldMeSHNoExp,
	boolean.FieldMeSHMajor, boolean.FieldMeSHMajorNoExp, boolean.FieldSubheading, boolean.FieldTextWord, boolean.FieldType,
	boolean.FieldAuthor, boolean.FieldFirstAuthor, boolean.FieldLastAuthor, boolean.FieldLanguage, boolean.FieldSubstance,
	boolean.FieldJournal, boolean.FieldKeyword, boolean.FieldPMID, boolean.FieldDOI, boolean.FieldAffiliation,
}

var dateRangeFields = []boolean.Field{boolean.FieldDatePub, boolean.FieldDateModified}

// text gives something that stands in some record's field, or nearly.
func (m maker) text(field boolean.Field, records []evidence.Record) string {
	doc := boolean.DocumentOf(&records[m.IntN(len(records))])
	passages := doc.Passages(field)
	if len(passages) == 0 || m.IntN(8) == 0 {
		return m.words(1 + m.IntN(3))
	}
	words := text.Tokens(pick(m, passages))
	if len(words) == 0 || m.IntN(3) == 0 {
		return pick(m, passages)
	}
	from := m.IntN(len(words))
	return strings.Join(words[from:min(len(words), from+1+m.IntN(4))], " ")
}

func (m maker) term(records []evidence.Record) boolean.Node {
	if m.IntN(8) == 0 {
		ends := []string{"", "2019", "2020/03", "2020/03/05", "2021/12", "2024/01/10", "2024"}
		return boolean.DateRange{Field: pick(m, dateRangeFields), From: pick(m, ends), To: pick(m, ends)}
	}
	t := boolean.Phrase("", pick(m, allFields))
	t.Text, t.Quoted = m.text(t.Field, records), m.IntN(2) == 0
	switch m.IntN(5) {
	case 0:
		t.Truncated = true
		if runes := []rune(t.Text); len(runes) > 3 {
			t.Text = string(runes[:len(runes)-1-m.IntN(2)])
		}
	case 1:
		t.Near = m.IntN(6)
	}
	return t
}

func (m maker) query(records []evidence.Record, depth int) boolean.Node {
	if depth == 0 || m.IntN(3) == 0 {
		return m.term(records)
	}
	switch m.IntN(3) {
	case 0:
		return boolean.And{Of: []boolean.Node{m.query(records, depth-1), m.query(records, depth-1)}}
	case 1:
		return boolean.Or{Of: []boolean.Node{m.query(records, depth-1), m.query(records, depth-1), m.query(records, depth-1)}}
	}
	return boolean.Not{Keep: m.query(records, depth-1), Drop: m.query(records, depth-1)}
}

func TestSearchFindsWhatBooleanMatchSays(t *testing.T) {
	t.Parallel()
	records := madeUpRecords(300)
	documents := documentsOf(records)
	ix := newIndex(t, records, 70)
	m := newMaker(11)
	matched := 0
	for i := range 1500 {
		n := m.query(records, i%4)
		want := matchingIDs(records, documents, n)
		if diff := cmp.Diff(want, foundIDs(t, ix, n)); diff != "" {
			t.Fatalf("query %d, %#v: boolean.Match (-) and the index (+) differ:\n%s", i, n, diff)
		}
		if len(want) > 0 {
			matched++
		}
	}
	if matched < 700 {
		t.Errorf("only %d of 1500 queries matched anything; the test says little", matched)
	}
}

func TestSearchMatchesEveryField(t *testing.T) {
	t.Parallel()
	records := madeUpRecords(300)
	documents := documentsOf(records)
	ix := newIndex(t, records, 300)
	m := newMaker(13)
	for _, field := range allFields {
		t.Run("field "+string(field), func(t *testing.T) {
			matched := 0
			for range 60 {
				n := boolean.Phrase(m.text(field, records), field)
				want := matchingIDs(records, documents, n)
				if diff := cmp.Diff(want, foundIDs(t, ix, n)); diff != "" {
					t.Fatalf("%#v: boolean.Match (-) and the index (+) differ:\n%s", n, diff)
				}
				matched += len(want)
			}
			if matched == 0 {
				t.Error("no query matched anything; the test says nothing")
			}
		})
	}
}

func TestBooleanQueries(t *testing.T) {
	records := []evidence.Record{
		{ID: "of", Title: "Cancer of the colon"},
		{ID: "in", Title: "Cancer in a colon"},
		{ID: "hyphen", Title: "Anti-PD-1 therapy",
			Abstract: []evidence.Section{{Text: "Resistance to sotorasib in KRAS G12C."}}},
		{ID: "apart", Title: "Anti", Abstract: []evidence.Section{{Text: "PD-1 and then, much later, therapy"}}},
		{ID: "mesh", Title: "Untitled", MeSH: []evidence.Heading{{Name: "Lung Neoplasms", Major: true,
			Qualifiers: []evidence.Qualifier{{Name: "drug therapy"}}}}},
		{ID: "narrow", Title: "Untitled", MeSH: []evidence.Heading{{Name: "Small Cell Lung Carcinoma"}}},
		{ID: "dated", Title: "Untitled", Date: "2020-03"},
	}
	ix := newIndex(t, records, 100)
	for _, c := range []struct {
		name, query string
		want        []string
	}{
		{"a phrase keeps its stop words", `"cancer of the colon"[tiab]`, []string{"of"}},
		{"and means them", `"cancer in a colon"[ti]`, []string{"in"}},
		{"hyphens part words", `"anti pd 1"[tiab]`, []string{"hyphen"}},
		{"a phrase stays in its field", `"anti pd"[tiab]`, []string{"hyphen"}},
		{"nothing is stemmed", `resistances[tiab]`, []string{}},
		{"truncation", `resist*[tiab]`, []string{"hyphen"}},
		{"truncation ends a phrase", `"sotorasib in KRAS*"[tiab]`, []string{"hyphen"}},
		{"proximity in any order", `"colon cancer"[tiab:~2]`, []string{"in", "of"}},
		{"proximity too far", `"colon cancer"[tiab:~1]`, []string{}},
		{"a heading is not exploded", `"Lung Neoplasms"[mh]`, []string{"mesh"}},
		{"a heading with its subheading", `"Lung Neoplasms/drug therapy"[mh]`, []string{"mesh"}},
		{"a major heading", `"Lung Neoplasms"[majr]`, []string{"mesh"}},
		{"a month inside a year", `2020[dp]`, []string{"dated"}},
		{"a day inside a month", `2020/03/10:2020/03/11[dp]`, []string{"dated"}},
		{"not", `colon NOT "in a"`, []string{"of"}},
		{"only not found", `untitled[ti] NOT lung[mh]`, []string{"dated", "mesh", "narrow"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := boolean.Parse(c.query)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, foundIDs(t, ix, n)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.query, diff)
			}
		})
	}
}

// The tables of fields must keep up with package boolean.
func TestEveryFieldIsLookedFor(t *testing.T) {
	for _, field := range allFields {
		if len(fields.Exact[field]) == 0 {
			t.Errorf("field %q is looked for nowhere", field)
		}
	}
	for _, field := range dateRangeFields {
		if field.Matching() != boolean.ByDate {
			t.Errorf("field %q is not compared by date", field)
		}
	}
}

func TestTooBroadTruncationIsRefused(t *testing.T) {
	var words []string
	for i := range maxVariants + 1 {
		words = append(words, fmt.Sprintf("x%d", i))
	}
	ix := newIndex(t, []evidence.Record{{ID: "long", Title: strings.Join(words, " ")}}, 1)
	_, err := ix.Search(t.Context(), Request{Node: boolean.Term{Text: "x", Field: boolean.FieldTitle, Truncated: true,
		Near: boolean.NoProximity}})
	if !errors.Is(err, ErrTooBroad) {
		t.Errorf("got %v, want ErrTooBroad", err)
	}
}

func TestNodesOfNothingFindNothing(t *testing.T) {
	ix := newIndex(t, madeUpRecords(10), 10)
	for name, n := range map[string]boolean.Node{
		"and of nothing":       boolean.And{},
		"or of nothing":        boolean.Or{},
		"a term with no words": boolean.Phrase("...", boolean.FieldAll),
		"a term in a date":     boolean.Phrase("2020", boolean.FieldDatePub),
		"not of nothing":       boolean.Not{},
	} {
		t.Run(name, func(t *testing.T) {
			if got := foundIDs(t, ix, n); len(got) > 0 {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestSearchFindsWhatBooleanMatchSaysOfRealAbstracts(t *testing.T) {
	t.Parallel()
	records := cysticFibrosis(t)
	documents := documentsOf(records)
	ix := newIndex(t, records, 1000)
	m := newMaker(17)
	for i := range 300 {
		n := m.query(records, i%3)
		if diff := cmp.Diff(matchingIDs(records, documents, n), foundIDs(t, ix, n)); diff != "" {
			t.Fatalf("query %d, %#v: boolean.Match (-) and the index (+) differ:\n%s", i, n, diff)
		}
	}
}
