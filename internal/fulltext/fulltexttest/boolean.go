package fulltexttest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/corpustest"
)

func (e Engine) testBoolean(t *testing.T) {
	t.Run("queries made of chance", e.testMadeUpQueries)
	t.Run("queries that say a thing twice", e.testRepeatedParts)
	t.Run("every field", e.testEveryField)
	t.Run("real abstracts", e.testRealAbstracts)
	t.Run("queries by name", e.testQueriesByName)
	t.Run("headings explode", e.testHeadings)
	t.Run("nodes of nothing", e.testNothing)
	t.Run("long and odd words", e.testOddWords)
}

// matchingIDs are the oracle's results for a query.
func matchingIDs(records []evidence.Record, documents []boolean.Document, n boolean.Node) []string {
	out := []string{}
	for i := range records {
		if boolean.Match(n, documents[i]) {
			out = append(out, records[i].ID)
		}
	}
	slices.Sort(out)
	return out
}

// agree holds the index against the oracle, and gives how many records match.
func agree(
	t *testing.T, ix Index, records []evidence.Record, documents []boolean.Document, n boolean.Node,
) (matching int) {
	t.Helper()

	want := matchingIDs(records, documents, n)
	if diff := cmp.Diff(want, foundIDs(t, ix, n)); diff != "" {
		t.Fatalf("%#v: boolean.Match (-) and the index (+) differ:\n%s", n, diff)
	}
	return len(want)
}

func documentsOf(records []evidence.Record) []boolean.Document {
	out := make([]boolean.Document, len(records))
	for i := range records {
		out[i] = boolean.DocumentOf(&records[i])
	}
	return out
}

func (e Engine) testMadeUpQueries(t *testing.T) {
	records := madeUp()
	documents := documentsOf(records)
	ix := e.of(t, records, 70)
	m := corpustest.NewMaker(11)

	matched, queries := 0, fewerInShort(1500)
	for i := range queries {
		n := m.Query(records, i%4)
		if agree(t, ix, records, documents, n) > 0 {
			matched++
		}
	}

	if 15*matched < 7*queries {
		t.Errorf("only %d of %d queries matched anything; the test says little", matched, queries)
	}
}

// fewerInShort is a fifth of a number of queries in short tests: on a cluster each query is a request.
func fewerInShort(queries int) int {
	if testing.Short() {
		return queries / 5
	}
	return queries
}

// testRepeatedParts: what was found out of a part among some records holds for its other places in the query, where
// other records are left.
func (e Engine) testRepeatedParts(t *testing.T) {
	records := madeUp()
	documents := documentsOf(records)
	ix := e.of(t, records, 70)
	m := corpustest.NewMaker(19)

	matched := 0
	for i := range fewerInShort(400) {
		a, b, c := m.Query(records, i%2), m.Query(records, i%2), m.Query(records, i%2)
		for _, n := range []boolean.Node{
			boolean.Or{Of: []boolean.Node{boolean.And{Of: []boolean.Node{a, b}}, boolean.And{Of: []boolean.Node{c, a}}}},
			boolean.And{Of: []boolean.Node{boolean.Or{Of: []boolean.Node{a, b}}, boolean.Or{Of: []boolean.Node{c, a}}}},
			boolean.Not{Keep: boolean.Or{Of: []boolean.Node{b, a}}, Drop: boolean.And{Of: []boolean.Node{a, c}}},
			boolean.Not{Keep: boolean.Not{Keep: a, Drop: b}, Drop: boolean.Not{Keep: a, Drop: c}},
		} {
			matched += agree(t, ix, records, documents, n)
		}
	}

	if matched == 0 {
		t.Error("no query matched anything; the test says nothing")
	}
}

func (e Engine) testEveryField(t *testing.T) {
	records := madeUp()
	documents := documentsOf(records)
	ix := e.of(t, records, 300)

	m := corpustest.NewMaker(13)
	for _, field := range corpustest.Fields {
		t.Run("field "+string(field), func(t *testing.T) {
			matched := 0
			for range 60 {
				n := boolean.Phrase(m.Text(field, records), field)
				matched += agree(t, ix, records, documents, n)
			}

			if matched == 0 {
				t.Error("no query matched anything; the test says nothing")
			}
		})
	}
}

func (e Engine) testRealAbstracts(t *testing.T) {
	records := corpustest.CysticFibrosis(t)
	documents := documentsOf(records)
	ix := e.of(t, records, 1000)

	m := corpustest.NewMaker(17)
	for i := range 300 {
		n := m.Query(records, i%3)
		agree(t, ix, records, documents, n)
	}
}

func (e Engine) testQueriesByName(t *testing.T) {
	records := []evidence.Record{
		{ID: "of", Title: "Cancer of the colon"},
		{ID: "in", Title: "Cancer in a colon"},
		{ID: "hyphen", Title: "Anti-PD-1 therapy",
			Abstract: []evidence.Section{{Text: "Resistance to sotorasib in KRAS G12C."}}},
		{ID: "apart", Title: "Anti", Abstract: []evidence.Section{{Text: "PD-1 and then, much later, therapy"}}},
		{ID: "twice", Title: "Lung to lung", Abstract: []evidence.Section{{Text: "Lung, then liver, then lung again, then brain"}}},
		{ID: "keywords", Title: "Untold", Keywords: []string{"renal", "cell carcinoma"}},
		{ID: "mesh", Title: "Untitled", MeSH: []evidence.Heading{{Name: "Lung Neoplasms", Major: true,
			Qualifiers: []evidence.Qualifier{{Name: "drug therapy"}}}}},
		{ID: "narrow", Title: "Untitled", MeSH: []evidence.Heading{{Name: "Small Cell Lung Carcinoma"}}},
		{ID: "dated", Title: "Untitled", Date: "2020-03"},
	}

	ix := e.of(t, records, 100)
	for _, c := range []struct {
		name, query string
		want        []string
	}{
		{"a phrase keeps its stop words", `"cancer of the colon"[tiab]`, []string{"of"}},
		{"and means them", `"cancer in a colon"[ti]`, []string{"in"}},
		{"hyphens part words", `"anti pd 1"[tiab]`, []string{"hyphen"}},
		{"a phrase stays in its field", `"anti pd"[tiab]`, []string{"hyphen"}},
		{"a phrase stays in its value", `"renal cell"[ot]`, []string{}},
		{"proximity stays in its value", `"renal cell"[tiab:~1000]`, []string{}},
		{"nothing is stemmed", `resistances[tiab]`, []string{}},
		{"truncation", `resist*[tiab]`, []string{"hyphen"}},
		{"truncation ends a phrase", `"sotorasib in KRAS*"[tiab]`, []string{"hyphen"}},
		{"proximity in any order", `"colon cancer"[tiab:~2]`, []string{"in", "of"}},
		{"proximity too far", `"colon cancer"[tiab:~1]`, []string{}},
		{"proximity of a word given twice", `"lung lung"[ti:~1]`, []string{"twice"}},
		{"which stands there once", `"colon colon"[ti:~9]`, []string{}},
		{"given twice, too far", `"lung lung"[tiab:~0]`, []string{}},
		{"given twice, and another", `"lung liver lung"[tiab:~2]`, []string{"twice"}},
		{"given twice, and another too far", `"lung brain lung"[tiab:~4]`, []string{}},
		{"the same, just as far", `"lung brain lung"[tiab:~5]`, []string{"twice"}},
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

			if diff := cmp.Diff(matchingIDs(records, documentsOf(records), n), c.want); diff != "" {
				t.Fatalf("%s: the oracle (-) and the test (+) differ:\n%s", c.query, diff)
			}

			if diff := cmp.Diff(c.want, foundIDs(t, ix, n)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.query, diff)
			}
		})
	}
}

// testHeadings: what a heading stands for is looked for in its place, and ranks nothing.
func (e Engine) testHeadings(t *testing.T) {
	records := []evidence.Record{
		{ID: "lung", MeSH: []evidence.Heading{{Name: "Lung Neoplasms"}}},
		{ID: "small", MeSH: []evidence.Heading{{Name: "Small Cell Lung Carcinoma"}}},
		{ID: "colon", MeSH: []evidence.Heading{{Name: "Colonic Neoplasms"}}},
		{ID: "drug", Substances: []evidence.Substance{{Name: "sotorasib"}}},
	}
	ix := e.of(t, records, 10)

	explode := func(t boolean.Term) []boolean.Term {
		switch t.Text {
		case "Lung Neoplasms":
			return []boolean.Term{t, boolean.Phrase("Small Cell Lung Carcinoma", t.Field)}
		case "AMG 510":
			return []boolean.Term{boolean.Phrase("sotorasib", t.Field)}
		}
		return nil
	}
	for _, c := range []struct{ name, query, want string }{
		{"with what is below it", `"Lung Neoplasms"[mh]`, "lung small"},
		{"one that stands for nothing", `"Colonic Neoplasms"[mh]`, ""},
		{"a substance by another name", `"AMG 510"[nm]`, "drug"},
		{"a text word explodes nothing", `"Lung Neoplasms"[tw]`, "lung"},
		{"excluded with what is below it", `(lung[tw] OR colonic[tw]) NOT "Lung Neoplasms"[mh]`, "colon"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := boolean.Parse(c.query)
			if err != nil {
				t.Fatal(err)
			}

			found := search(t, ix, fulltext.Request{Node: n, Headings: explode, Limit: 10, Sort: fulltext.ByID})
			if got := strings.Join(ids(found.Hits), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func (e Engine) testNothing(t *testing.T) {
	ix := e.of(t, corpustest.Records(10), 10)
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

// testOddWords: a sequence of a gene is one word of thousands of letters, and a record may have hundreds of values.
func (e Engine) testOddWords(t *testing.T) {
	sequence := strings.Repeat("acgt", 4000)

	names := make([]string, 700)
	for i := range names {
		names[i] = strings.Repeat("x", i%7+1) + " carcinoma"
	}
	records := []evidence.Record{
		{ID: "sequence", Title: "Of " + sequence + " and more"},
		{ID: "other", Title: "Of " + sequence[:len(sequence)-1] + "a and more"},
		{ID: "ideographs", Title: "心 肺", Keywords: []string{"ﬁ½ß€"}},
		{ID: strings.Repeat("long ", 150), Title: "A name of its own", Keywords: names},
	}
	documents := documentsOf(records)
	ix := e.of(t, records, 10)

	truncated := func(text string) boolean.Term {
		return boolean.Term{Text: text, Field: boolean.FieldTitle, Truncated: true, Near: boolean.NoProximity}
	}
	for name, n := range map[string]boolean.Node{
		"a long word":                boolean.Phrase(sequence, boolean.FieldTitle),
		"a long word in a phrase":    boolean.Phrase("of "+sequence+" and", boolean.FieldTitle),
		"how a long word begins":     truncated(sequence[:100]),
		"a long beginning":           truncated(sequence[:150]),
		"how a phrase's last begins": truncated("of " + sequence[:20]),
		"characters that are words":  boolean.Phrase("肺", boolean.FieldTitle),
		"ligatures":                  boolean.Phrase("fi1", boolean.FieldKeyword),
		"the last of many values":    boolean.Phrase("x carcinoma", boolean.FieldKeyword),
		"from one value to the next": boolean.Phrase("carcinoma x", boolean.FieldKeyword),
		"a long name":                boolean.Phrase("name of its own", boolean.FieldTitle),
		"one letter, truncated":      truncated("a"),
		"many ORs of one word":       orOf(3000),
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(matchingIDs(records, documents, n), foundIDs(t, ix, n)); diff != "" {
				t.Errorf("the oracle (-) and the index (+) differ:\n%s", diff)
			}
		})
	}
}

// orOf is a query of n words.
func orOf(n int) boolean.Node {
	var of []boolean.Node
	for i := range n {
		of = append(of, boolean.Phrase("carcinoma"+strings.Repeat("x", i%9), boolean.FieldAll))
	}
	return boolean.Or{Of: of}
}
