package fulltext

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/fulltext/corpustest"
)

// cancelledLater is cancelled when it has been asked a number of times whether it is.
type cancelledLater struct {
	context.Context
	left int
}

func (c *cancelledLater) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestASearchThatIsGivenUpLeavesNothing: whoever goes away in the middle of a search must not change what the next one
// finds, which takes over the room for its scores.
func TestASearchThatIsGivenUpLeavesNothing(t *testing.T) {
	records := corpustest.Records(200)
	ix := newIndex(t, records, 50)
	req := Request{Text: "resistance trials of immunotherapy in cancer", Limit: 1000, Record: corpustest.LookupIn(records)}
	want, err := ix.Search(t.Context(), req)
	if err != nil || len(want.Hits) == 0 {
		t.Fatal(err, len(want.Hits))
	}
	for given := 0; ; given++ {
		_, err := ix.Search(&cancelledLater{Context: t.Context(), left: given}, req)
		got, after := ix.Search(t.Context(), req)
		if after != nil {
			t.Fatal(after)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("after a search that was given up at its %dth question (-want +got):\n%s", given, diff)
		}
		if err == nil {
			if given < 10 {
				t.Errorf("a search asks %d times only", given)
			}
			return
		}
	}
}
