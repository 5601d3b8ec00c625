package fulltext

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/corpustest"
)

// TestFeedbackTakesTheHeaviestWords: those that are never looked up are none of them.
func TestFeedbackTakesTheHeaviestWords(t *testing.T) {
	records := corpustest.Records(400)
	for i := range records[:FeedbackDocuments] { // alike, as a crowd of abstracts on one subject
		records[i].Abstract = append(records[i].Abstract, evidence.Section{Text: "quokka wombats wombat bilby numbat"})
	}
	ix := newIndex(t, records, 150)
	for name, of := range map[string][]int{
		"of twenty all over": {3, 20, 40, 60, 77, 99, 120, 140, 160, 180, 200, 225, 250, 275, 300, 320, 350, 370, 380,
			399},
		"of ten that share much":    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		"of three, two of them one": {10, 11, 10},
	} {
		t.Run(name, func(t *testing.T) {
			err := ix.read(func(s *snapshot) error {
				s.record = ix.record
				docs, err := numbersOf(s, records, of)
				if err != nil {
					return err
				}
				r, err := s.newRanking()
				if err != nil {
					return err
				}
				got, err := r.commonWords(t.Context(), docs, []string{"cancer"})
				if err != nil {
					return err
				}
				shared, err := r.sharedWords(docs, []string{"cancer"})
				if err != nil {
					return err
				}
				var want []weightedWord
				for _, word := range slices.Concat(shared[2:]...) {
					if err := r.weigh(t.Context(), &word, len(docs)); err != nil {
						return err
					}
					if word.weight > 0 {
						want = append(want, word)
					}
				}
				slices.SortFunc(want, byWeight)
				if len(want) <= FeedbackWords && name != "of three, two of them one" {
					t.Errorf("%d words: too few to leave any out", len(want))
				}
				want = want[:min(FeedbackWords, len(want))]
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(weightedWord{})); diff != "" {
					t.Errorf("-all weighed +got:\n%s", diff)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// numbersOf gives the numbers that records have in an index, which are as its segments were merged.
func numbersOf(s *snapshot, records []evidence.Record, of []int) ([]uint32, error) {
	number := map[string]uint32{}
	for docs := s.all().Iterator(); docs.HasNext(); {
		doc := docs.Next()
		id, err := s.id(doc)
		if err != nil {
			return nil, err
		}
		number[id] = doc
	}
	out := make([]uint32, len(of))
	for i, n := range of {
		out[i] = number[records[n].ID]
	}
	return out, nil
}
