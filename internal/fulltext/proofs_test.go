package fulltext

import (
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/corpustest"
	"dossier/internal/fulltext/segments"
)

// TestADocumentIsComparedOnce: whatever index it is in, as long as the record is stored as it was, and unless it was
// found wrong.
func TestADocumentIsComparedOnce(t *testing.T) {
	records := corpustest.Records(50)
	ix, err := create(filepath.Join(t.TempDir(), "text.bleve"))
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	if err := ix.Apply(t.Context(), opsOf(records), 1); err != nil {
		t.Fatal(err)
	}
	stored := make([]uint64, len(records))
	for i := range stored {
		stored[i] = uint64(i + 1)
	}
	proofs := segments.NewProofs()
	asked := 0
	prove := func() (wrong []segments.Mismatch) {
		t.Helper()
		asked = 0
		unknown := func(known func(string, uint64) bool) iter.Seq2[evidence.Record, error] {
			return func(yield func(evidence.Record, error) bool) {
				for i, r := range records {
					if known(r.ID, stored[i]) {
						continue
					}
					if asked++; !yield(r, nil) {
						return
					}
				}
			}
		}
		err := ix.Look(func(state *segments.State) (err error) {
			wrong, err = proofs.Prove(t.Context(), state, unknown)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return wrong
	}
	if wrong := prove(); len(wrong) > 0 || asked != 50 {
		t.Errorf("first: %v, %d records were compared", wrong, asked)
	}
	if wrong := prove(); len(wrong) > 0 || asked != 0 {
		t.Errorf("again: %v, %d records were compared", wrong, asked)
	}
	records[7].Title, stored[7] = "Something else", 99
	for range 2 { // what is wrong is told each time
		wrong := prove()
		if len(wrong) != 1 || wrong[0].Records != 1 || wrong[0].First != records[7].ID || asked != 1 {
			t.Errorf("of a record that says something else: %v, %d records were compared", wrong, asked)
		}
	}
	lacking := records[:49]
	records = lacking
	if wrong := prove(); len(wrong) != 1 || !strings.Contains(wrong[0].String(), "does not say what the records say") {
		t.Errorf("with a document that is nobody's: %v", wrong)
	}
}
