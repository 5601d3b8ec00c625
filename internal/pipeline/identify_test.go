package pipeline

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// storeWith is a store that holds records, as a run would have left them.
func storeWith(t *testing.T, records ...evidence.Record) *fakeStore {
	t.Helper()
	store := newFakeStore()
	identified, err := Identify(store, records)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Commit(t.Context(), identified.Batch); err != nil {
		t.Fatal(err)
	}
	store.batches = nil
	return store
}

func TestIdentifyWritesOnlyWhatChanged(t *testing.T) {
	stored := paper(1, "KRAS in practice", "Review")
	stored.Origins[0].Revised = "2025-06-01"
	change := func(f func(*evidence.Record)) evidence.Record {
		r := paper(1, "KRAS in practice", "Review")
		r.Origins[0].Revised = "2025-06-01"
		f(&r)
		return r
	}
	tests := []struct {
		name     string
		incoming evidence.Record
		changes  bool
	}{
		{"the same record", change(func(*evidence.Record) {}), false},
		{"fetched at another time", change(func(r *evidence.Record) { r.Origins[0].Fetched = tonight.Add(time.Hour) }),
			false},
		{"retraction status asked on another day", change(func(r *evidence.Record) { r.Retraction.Checked = "2026-03-02" }),
			false},
		{"more citations", change(func(r *evidence.Record) { r.CitedBy = 5 }), true},
		{"another title", change(func(r *evidence.Record) { r.Title = "KRAS" }), true},
		{"retracted now", change(func(r *evidence.Record) { r.Retraction.Status = evidence.Yes }), true},
		{"another title in an older revision", change(func(r *evidence.Record) {
			r.Title, r.Origins[0].Revised = "Old", "2025-05-01"
		}), false},
		{"another title without a revision", change(func(r *evidence.Record) { r.Title, r.Origins[0].Revised = "New", "" }),
			true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			identified, err := Identify(storeWith(t, stored), []evidence.Record{tt.incoming})
			if err != nil || identified.Batch.Empty() == tt.changes {
				t.Errorf("batch %+v, %v; want changes: %v", identified.Batch, err, tt.changes)
			}
		})
	}
}

func TestIdentifyMarksAndIndexes(t *testing.T) {
	incoming := paper(1, "A guideline on the treatment of colorectal cancer", "Practice Guideline")
	identified, err := Identify(NewOverlay(nil), []evidence.Record{incoming, incoming})
	if err != nil {
		t.Fatal(err)
	}
	b := identified.Batch
	if len(b.SourceRecords) != 1 || len(b.Put) != 1 || !b.Put[0].New {
		t.Fatalf("a record given twice counts once: %+v", b)
	}
	if r := b.Put[0].Record; r.Bucket != evidence.Guideline || r.BucketSource != evidence.BucketFromXML {
		t.Errorf("bucket %q by %q", r.Bucket, r.BucketSource)
	}
	if r := b.SourceRecords[0]; r.Bucket != "" || r.Design != "" {
		t.Errorf("what a source said carries our own word on it: %q, %q", r.Bucket, r.Design)
	}
	if len(b.Keys["pubmed|1"]) == 0 {
		t.Error("the source record cannot be looked up by its title")
	}
}

func TestIdentifyRefusesRecordsWithoutTheirOneOrigin(t *testing.T) {
	for name, origins := range map[string][]evidence.Origin{"none": nil, "two": {{Source: "a", ID: "1"},
		{Source: "b", ID: "1"}}} {
		t.Run(name, func(t *testing.T) {
			if _, err := Identify(NewOverlay(nil), []evidence.Record{{Title: "x", Origins: origins}}); err == nil {
				t.Error("no error")
			}
		})
	}
}

func TestOverlayOnAStore(t *testing.T) {
	// The store has PubMed's and Europe PMC's copies apart, each under its own identifier; a third record that carries
	// both identifiers joins them, in the overlay alone.
	doi := evidence.Identifier{Kind: evidence.DOI, Value: "10.1000/x"}
	first := paper(1, "KRAS") // too short a title to say anything
	second := copyIn(evidence.SourceEuropePMC, "MED/x", first)
	second.Identifiers = []evidence.Identifier{doi}
	store := storeWith(t, first, second)
	if _, ok, _ := store.Record("DOI:10.1000/x"); !ok {
		t.Fatal("they should be apart")
	}
	both := copyIn(evidence.SourceOpenAlex, "W1", first)
	both.Identifiers = []evidence.Identifier{first.Identifiers[0], doi}
	over := NewOverlay(store)
	identified, err := Identify(over, []evidence.Record{both})
	if err != nil {
		t.Fatal(err)
	}
	if err := over.Commit(t.Context(), identified.Batch); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"pubmed|1", "europepmc|MED/x", "openalex|W1"} {
		id, members, ok, err := over.RecordOf(key)
		if err != nil || !ok || id != "PMID:1" || len(members) != 3 {
			t.Errorf("%s is in %q with %v (%v, %v)", key, id, members, ok, err)
		}
	}
	if r, ok, _ := over.Record("DOI:10.1000/x"); !ok || r.ID != "PMID:1" {
		t.Errorf("the old id leads to %q (there: %v)", r.ID, ok)
	}
	if keys, _ := over.ByIdentifier(doi, evidence.Span{}); !cmp.Equal(keys, []string{"europepmc|MED/x", "openalex|W1"}) {
		t.Errorf("by identifier: %v", keys)
	}
	if _, _, ok, _ := store.RecordOf("openalex|W1"); ok {
		t.Error("the store itself has changed")
	}
}

func TestOverlayHidesWhatIsWithdrawn(t *testing.T) {
	over := NewOverlay(storeWith(t, paper(1, "KRAS in practice of oncology")))
	identified, err := Withdraw(over, []string{"pubmed|1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := over.Commit(t.Context(), identified.Batch); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := over.SourceRecord("pubmed|1"); ok {
		t.Error("its source record is still there")
	}
	if _, ok, _ := over.Record("PMID:1"); ok {
		t.Error("its record is still there")
	}
	if keys, _ := over.ByIdentifier(evidence.Identifier{Kind: evidence.PMID, Value: "1"}, evidence.Span{}); len(keys) > 0 {
		t.Errorf("it is still found: %v", keys)
	}
}

// The highest version of a PMID stands, in whatever order and batches the versions come.
func TestTheHighestVersionStands(t *testing.T) {
	version := func(n int, title string) evidence.Record {
		r := paper(99000701, title)
		r.Origins[0].Version, r.Origins[0].Revised = n, "2026-01-01"
		return r
	}
	first, second := version(0, "The first version of a paper on KRAS"), version(2, "The second version of a paper on KRAS")
	for name, steps := range map[string][][]evidence.Record{
		"in order": {{first}, {second}}, "the second first": {{second}, {first}}, "at once": {{first, second}},
		"at once, the second first": {{second, first}},
	} {
		store := newFakeStore()
		for _, records := range steps {
			keep(t, store, records...)
		}
		if got := mustRecord(t, store, "PMID:99000701").Title; got != second.Title {
			t.Errorf("%s: %q stands", name, got)
		}
	}
}
