package fulltext

import (
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext/corpustest"
)

// TestInMemoryFindsWhatTheDiskFinds: the same records give the same hits, scores and facets, and leave nothing
// behind.
func TestInMemoryFindsWhatTheDiskFinds(t *testing.T) {
	t.Chdir(t.TempDir())
	records := slices.Concat(corpustest.Catalogue(), corpustest.Records(40))
	var pointers []*evidence.Record
	for i := range records {
		pointers = append(pointers, &records[i])
	}
	memory, err := InMemory(pointers)
	if err != nil {
		t.Fatal(err)
	}
	disk := newIndex(t, records, 2)
	node, err := boolean.Parse("melanoma[ti] AND english[la]")
	if err != nil {
		t.Fatal(err)
	}
	for name, req := range map[string]Request{
		"plain words":     {Text: "melanoma again", Limit: 50, Facets: FacetNames()},
		"a boolean query": {Node: node, Limit: 50},
		"a filter":        {Filter: Filter{Kind: Trials, Countries: []string{"Germany"}}, Limit: 50, Sort: ByNewest},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := memory.Search(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			want, err := disk.Search(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" || want.Total == 0 {
				t.Errorf("%d hits (-disk +memory):\n%s", want.Total, diff)
			}
		})
	}
	if err := memory.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
