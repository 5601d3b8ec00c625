package fulltext_test

import (
	"path/filepath"
	"testing"

	"dossier/internal/fulltext"
	"dossier/internal/fulltext/fulltexttest"
	"dossier/internal/fulltext/segments"
	"dossier/internal/fulltext/writing"
)

// local is a full text on disk, open for writing.
type local struct {
	*fulltext.Index
	segments.Writer
}

func (l local) Close() error           { return l.Index.Close() }
func (l local) Count() (uint64, error) { return l.Index.Count() }
func (l local) Mark() (uint64, error)  { return l.Index.Mark() }

// TestLocalEngine holds the full text on disk to the suite that every engine passes.
func TestLocalEngine(t *testing.T) {
	t.Parallel()
	fulltexttest.Run(t, fulltexttest.Engine{ExactScores: true, NDCG: .4935, New: func(t testing.TB) fulltexttest.Index {
		t.Helper()
		writer, err := writing.Texts{}.Create(filepath.Join(t.TempDir(), "text.bleve"))
		if err != nil {
			t.Fatal(err)
		}
		ix := local{fulltext.New(writer, "the index under test"), writer}
		t.Cleanup(func() {
			if err := ix.Close(); err != nil {
				t.Error(err)
			}
		})
		return ix
	}})
}
