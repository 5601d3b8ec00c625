package fulltext

import (
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// TestEqualDocumentsComeInTheOrderOfTheirNames however many are asked for, and of no others the names are looked up.
func TestEqualDocumentsComeInTheOrderOfTheirNames(t *testing.T) {
	var records []evidence.Record
	for _, id := range []string{"h", "c", "a", "g", "b", "f", "e", "d"} {
		records = append(records, paper(id, "a title", ""))
	}
	ix := newIndex(t, records, len(records))
	for name, tc := range map[string]struct {
		scores     map[string]float64
		n, ordered int
		want       string // of the ordered, in order, and then of the others, sorted
		looked     int    // names that are looked up for it
	}{
		"all differ":                   {map[string]float64{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8}, 3, 3, "hgf", 0},
		"all equal":                    {nil, 3, 3, "abc", 8},
		"equal ones go beyond the end": {map[string]float64{"h": 9, "g": 8}, 4, 4, "hgab", 6},
		"equal ones end with the end":  {map[string]float64{"h": 9, "g": 9, "c": 8, "d": 8}, 4, 4, "ghcd", 4},
		"what comes behind need not be in order": {map[string]float64{"h": 9, "a": 8, "c": 2, "d": 2, "e": 2}, 5, 2,
			"hacde", 0},
		"but is the right ones": {map[string]float64{"h": 9, "a": 8, "c": 2, "d": 2, "e": 2}, 4, 2, "hacd", 3},
		"more than there are":   {map[string]float64{"d": 1}, 99, 99, "dabcefgh", 7},
		"none":                  {nil, 0, 0, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			err := ix.read(func(s *snapshot) error {
				scores := make([]float64, s.size())
				found := roaring.New()
				for doc := range uint32(s.size()) {
					id, err := s.id(doc)
					if err != nil {
						return err
					}
					scores[doc] = tc.scores[id]
					found.Add(doc)
				}
				clear(s.ids)
				docs, err := s.best(found, scores, tc.n, tc.ordered)
				if err != nil {
					return err
				}
				if len(s.ids) != tc.looked {
					t.Errorf("%d names were looked up, not %d", len(s.ids), tc.looked)
				}
				var got []string
				for _, doc := range docs {
					id, err := s.id(doc)
					if err != nil {
						return err
					}
					got = append(got, id)
				}
				slices.Sort(got[min(tc.ordered, len(got)):])
				if diff := cmp.Diff(tc.want, strings.Join(got, "")); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
