package zapfile

import (
	"hash/maphash"
	"slices"
	"testing"

	"dossier/internal/fulltext/fields"
)

// TestDigestsAreOfWhatIsSaid: however often its documents were merged, with whom, and by whom they were written, a
// segment says the same of each as is counted of it now.
func TestDigestsAreOfWhatIsSaid(t *testing.T) {
	seed := maphash.MakeSeed()
	for name, documents := range corpora() {
		t.Run(name, func(t *testing.T) {
			builder, err := NewBuilder()
			if err != nil {
				t.Fatal(err)
			}
			digests := map[string]uint64{}
			for i, digest := range builder.Digests(documents, seed) {
				digests[documents[i].ID] = digest
			}
			if made, err := builder.BuildReadable(documents); err != nil || len(made.Digests(seed)) != len(documents) {
				t.Fatal(err)
			}
			segments, drops := cut(t, documents, 3, 0.3)
			whole, _ := merged(t, new(Plugin), segments, drops)
			compared := 0
			for _, each := range append(segments, whole) {
				s := readable(t, each)
				for doc, digest := range s.Digests(seed) {
					if id := string(s.ID(uint64(doc))); digest != digests[id] {
						t.Fatalf("%s has another digest", id)
					}
					compared++
				}
			}
			if compared < len(documents) {
				t.Errorf("%d documents were compared", compared)
			}
		})
	}
}

// TestDigestsTellWhatDiffers: any word, place, length, value or name, and nothing of the other documents.
func TestDigestsTellWhatDiffers(t *testing.T) {
	document := func() Document {
		return Document{ID: "PMID:99000001", Fields: []fields.Field{
			{Name: fields.TitleWords, Form: fields.PlacedText, Words: []string{"lung", "cancer", "lung"},
				Places: []int{1, 2, 3}, Length: 3},
			{Name: fields.TermsWords, Words: []string{"lung", "cancer"}, Length: 2},
			{Name: fields.Year, Form: fields.Values, Words: []string{"2024"}, Length: 1},
			{Name: fields.MeSH, Form: fields.Passages, Words: []string{"lung neoplasms"}, Length: 2},
		}}
	}
	for name, change := range map[string]func(d *Document){
		"its name":                      func(d *Document) { d.ID = "PMID:99000002" },
		"a word":                        func(d *Document) { d.Fields[0].Words[1] = "cancers" },
		"a word more":                   func(d *Document) { d.Fields[1].Words = append(d.Fields[1].Words, "trial") },
		"how often a word stands":       func(d *Document) { d.Fields[1].Words = append(d.Fields[1].Words, "lung") },
		"the order of words":            func(d *Document) { slices.Reverse(d.Fields[0].Places); d.Fields[0].Places[0] = 9 },
		"a place":                       func(d *Document) { d.Fields[0].Places[2] = 4 },
		"a place far away":              func(d *Document) { d.Fields[0].Places[2] = 1 << 40 },
		"a length":                      func(d *Document) { d.Fields[0].Length = 2 },
		"a value":                       func(d *Document) { d.Fields[2].Words[0] = "2023" },
		"a passage":                     func(d *Document) { d.Fields[3].Words[0] = "lung" },
		"a field's name":                func(d *Document) { d.Fields[1].Name = "other" },
		"a field less":                  func(d *Document) { d.Fields = d.Fields[:3] },
		"a word moved to another field": func(d *Document) { d.Fields[1].Words = []string{"lung"}; d.Fields[3].Words[0] = "cancer" },
	} {
		t.Run(name, func(t *testing.T) {
			changed := document()
			change(&changed)
			other := Document{ID: "PMID:99000009", Fields: document().Fields}
			seed := maphash.MakeSeed()
			builder, err := NewBuilder()
			if err != nil {
				t.Fatal(err)
			}
			of := func(d Document) (digest, beside uint64) {
				made, err := builder.BuildReadable([]Document{d, other})
				if err != nil {
					t.Fatal(err)
				}
				found := made.Digests(seed)
				return found[0], found[1]
			}
			was, besideIt := of(document())
			is, beside := of(changed)
			if was == is {
				t.Error("the digest is the same")
			}
			if beside != besideIt {
				t.Error("another document has another digest")
			}
		})
	}
}

// TestHoldsLooksAtEachWord: a document that lacks one of its words, or has them in another field, is told.
func TestHoldsLooksAtEachWord(t *testing.T) {
	documents := recorded(40)
	builder, err := NewBuilder()
	if err != nil {
		t.Fatal(err)
	}
	s, err := builder.BuildReadable(documents)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range documents {
		if !s.Holds(uint32(i), d) {
			t.Fatalf("%s is said to lack a word of its own", d.ID)
		}
		if s.Holds(uint32((i+1)%len(documents)), d) {
			t.Fatalf("%s is said to hold all words of another", d.ID)
		}
	}
}
