package fields

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext/corpustest"
)

func TestWhatIsComparedWhole(t *testing.T) {
	for _, field := range whole {
		if field.Matching() == boolean.ByWords {
			t.Errorf("field %q is indexed by whole passages, but compared by words", field)
		}
	}
}

func TestOf(t *testing.T) {
	r := evidence.Record{
		ID:    "PMID:99000001",
		Title: "The effect of the drug",
		Origins: []evidence.Origin{{Source: "pubmed", ID: "99000001"}, {Source: "import:a.ris", ID: "1"},
			{Source: "import:b.ris", ID: "1"}},
		Keywords:  []string{"Two words", "of", "Two words"},
		Languages: []string{"eng", "", "ger"},
		Date:      "2024-05",
		Journal:   evidence.Journal{Title: "Annals of X"},
	}
	byName := map[string]Field{}
	for _, f := range Of(&r) {
		if _, twice := byName[f.Name]; twice {
			t.Errorf("there are two fields %q", f.Name)
		}
		byName[f.Name] = f
	}
	for name, want := range map[string]Field{
		"words in their order, stop words not counted": {Name: TitleWords, Form: PlacedText,
			Words: []string{"the", "effect", "of", "the", "drug"}, Places: []int{1, 2, 3, 4, 5}, Length: 2},
		"values apart, one that is there twice once": {Name: KeywordWords, Form: PlacedText,
			Words: []string{"two", "words", "of"}, Places: []int{1, 2, 2 + Gap + 1}, Length: 2},
		"a length":                           {Name: TitleWords + LengthSuffix, Form: Passages, Words: []string{"2"}, Length: 1},
		"whole passages":                     {Name: JournalPassage, Form: Passages, Words: []string{"annals of x"}, Length: 1},
		"values, an empty one left out":      {Name: Language, Form: Values, Words: []string{"eng", "ger"}, Length: 2},
		"imported files count as one source": {Name: Source, Form: Values, Words: []string{"import", "pubmed"}, Length: 2},
		"a year of a date":                   {Name: Year, Form: Values, Words: []string{"2024"}, Length: 1},
		"no bucket, and no design that says why": {Name: Bucket, Form: Values, Words: []string{NotStated},
			Length: 1},
		"a text that is not there": {Name: AbstractWords, Form: PlacedText},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(want, byName[want.Name], cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if got, there := byName[AbstractWords+LengthSuffix]; there {
		t.Errorf("a text that is not there has the length %v", got)
	}
}

// TestWhatIsIndexedIsWhatIsStored: a record is indexed as it was committed or as it was read back from the database,
// whichever comes first.
func TestWhatIsIndexedIsWhatIsStored(t *testing.T) {
	for _, r := range append(corpustest.Records(300), corpustest.Catalogue()...) {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back evidence.Record
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Of(&r), Of(&back)); diff != "" {
			t.Errorf("%s (-committed +read back):\n%s", r.ID, diff)
		}
	}
}
