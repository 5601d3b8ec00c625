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
	for name, docs := range map[string][]uint32{
		"of ten that share little":  {3, 40, 77, 120, 160, 200, 250, 300, 350, 399},
		"of ten that share much":    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		"of three, two of them one": {10, 11, 10},
	} {
		t.Run(name, func(t *testing.T) {
			err := ix.read(func(s *snapshot) error {
				s.record = ix.record
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
