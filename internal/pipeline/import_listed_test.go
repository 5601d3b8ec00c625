package pipeline

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// TestListedRecordsTakeTheirPlaces: every entry of a list becomes PubMed's record or is named, in the list's order and
// as often as it is listed, among what a file holds itself.
func TestListedRecordsTakeTheirPlaces(t *testing.T) {
	pubmed := &fakeSource{name: evidence.SourcePubMed, problems: map[string]string{"2": "it is gone"},
		records: []evidence.Record{paper(1, "A"), paper(3, "C")}}
	own := fromFile(9, paper(9, "Z"))
	items := itemsOf(ImportItem{PMID: "3", File: "l"}, ImportItem{PMID: "2", File: "l"}, ImportItem{PMID: "1", File: "l"},
		ImportItem{PMID: "3", File: "l"}, ImportItem{PMID: "4", File: "l"}, own, ImportItem{PMID: "1", File: "m"})
	var got []string
	p := testPipeline(pubmed)
	for item, err := range p.fetchListed(t.Context(), items) {
		if err != nil {
			t.Fatal(err)
		}
		if item.Unreadable != nil {
			got = append(got, fmt.Sprintf("%s %s: %s", item.File, item.Unreadable.ID, item.Unreadable.Reason))
			continue
		}
		got = append(got, item.File+" "+item.Record.Title)
	}
	want := []string{"l C", "l 2: it is gone", "l A", "l C", "l 4: PubMed did not return it", " Z", "m A"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestListedRecordsCannotBeHad(t *testing.T) {
	down := errors.New("no answer")
	for _, tt := range []struct {
		name    string
		offline bool
		want    error
	}{{"PubMed does not answer", false, down}, {"nobody may be asked", true, ErrListedOffline}} {
		t.Run(tt.name, func(t *testing.T) {
			pubmed := &fakeSource{name: evidence.SourcePubMed, fetchErr: down}
			p := testPipeline(pubmed)
			p.Offline = tt.offline
			_, counts, err := p.Import(t.Context(), newFakeStore(), itemsOf(fromFile(9, paper(9, "Z")), ImportItem{PMID: "3"}),
				ImportOptions{ID: "i", Files: "list.txt"})
			if !errors.Is(err, tt.want) || counts.Stored != 0 {
				t.Errorf("got %v with %+v, want %v", err, counts, tt.want)
			}
			if tt.offline && len(pubmed.fetched) > 0 {
				t.Errorf("PubMed was asked for %v", pubmed.fetched)
			}
		})
	}
}
