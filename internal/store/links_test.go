package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// The index of links follows the merged records: what is put anew or dropped leaves nothing behind.
func TestLinkingTo(t *testing.T) {
	pmid := func(value string) evidence.Identifier { return evidence.Identifier{Kind: evidence.PMID, Value: value} }
	linked := func(n int, links ...evidence.Link) Batch {
		source := sourceRecord(evidence.SourcePubMed, n)
		source.Links = links
		return Batch{SourceRecords: []evidence.Record{source}, Put: []Merged{merge(paperID(n), source)}}
	}
	retracts := func(value string) evidence.Link {
		return evidence.Link{Relation: evidence.Retracts, Target: pmid(value)}
	}
	w := newStore(t)
	for _, step := range []struct {
		name         string
		batch        Batch
		toOne, toTen []string
	}{
		{"nothing links", Batch{}, nil, nil},
		{"a link of two relations", linked(2, retracts("1"), evidence.Link{Relation: evidence.CommentOn, Target: pmid("1")}),
			[]string{"PMID:2"}, nil},
		{"another record", linked(3, retracts("1"), retracts("10"), evidence.Link{Relation: evidence.ErratumIn,
			Citation: "J Cit 2024"}), []string{"PMID:2", "PMID:3"}, []string{"PMID:3"}},
		{"a link is corrected", linked(2, retracts("10")), []string{"PMID:3"}, []string{"PMID:2", "PMID:3"}},
		{"a record goes", Batch{DropSources: []string{"pubmed|3"}, Drop: []string{"PMID:3"}}, nil, []string{"PMID:2"}},
	} {
		t.Run(step.name, func(t *testing.T) {
			if !step.batch.Empty() {
				commit(t, w, step.batch)
			}
			for value, want := range map[string][]string{"1": step.toOne, "10": step.toTen} {
				got, err := w.LinkingTo(pmid(value))
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Errorf("LinkingTo %s (-want +got): %s %v", value, diff, err)
				}
			}
		})
	}
}
