package pipeline

import (
	"errors"
	"fmt"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

func itemsOf(items ...ImportItem) iter.Seq2[ImportItem, error] {
	return func(yield func(ImportItem, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}

func fromFile(n int, r evidence.Record) ImportItem {
	r.Origins = []evidence.Origin{{Source: "import:embase.ris", ID: fmt.Sprint(n)}}
	return ImportItem{Record: r}
}

func mustImport(t *testing.T, store Library, items ...ImportItem) ImportCounts {
	t.Helper()
	_, counts, err := testPipeline().Import(t.Context(), store, itemsOf(items...),
		ImportOptions{ID: "i", Files: "embase.ris"})
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

func TestImportJoinsWhatTheStoreHas(t *testing.T) {
	store := newFakeStore()
	mustRun(t, testPipeline(bowelSources()...), store, bowelTopic())
	known := paper(1, "KRAS G12C colorectal cancer: a randomised trial")
	got := mustImport(t, store, fromFile(1, known), fromFile(2, paper(77, "Another paper on cell lines",
		"Journal Article")))
	if diff := cmp.Diff(ImportCounts{Read: 2, Stored: 2, New: 1, Merged: 1}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	id, members, _, _ := store.RecordOf("import:embase.ris|1")
	if id != "PMID:1" || len(members) != 3 {
		t.Errorf("the file's copy is in %s with %v", id, members)
	}
	r, _, _ := store.Record("PMID:77")
	if r.Bucket != evidence.Preclinical {
		t.Errorf("imported records carry step 3's marks, this one %q", r.Bucket)
	}
	if again := mustImport(t, store, fromFile(1, known)); again.Stored != 0 {
		t.Errorf("the same file again stored %d", again.Stored)
	}
}

func TestImportOfUpdates(t *testing.T) {
	revised := func(r evidence.Record, day evidence.Date, title string) ImportItem {
		r.Title = title
		r.Origins = []evidence.Origin{{Source: evidence.SourcePubMed, ID: r.Origins[0].ID, Revised: day}}
		return ImportItem{Record: r}
	}
	one := paper(1, "")
	tests := []struct {
		name  string
		items []ImportItem
		title string // "": the record is gone
	}{
		{"a later revision replaces", []ImportItem{revised(one, "2024-01-01", "old"), revised(one, "2025-01-01", "new")},
			"new"},
		{"the baseline after its updates does not undo them", []ImportItem{revised(one, "2025-01-01", "new"),
			{Withdrawn: "pubmed|9"}, revised(one, "2024-01-01", "old")}, "new"},
		{"withdrawn", []ImportItem{revised(one, "2024-01-01", "old"), {Withdrawn: "pubmed|1"}}, ""},
		{"withdrawn and given again", []ImportItem{revised(one, "2024-01-01", "old"), {Withdrawn: "pubmed|1"},
			revised(one, "2025-01-01", "new")}, "new"},
		{"withdrawn without having been there", []ImportItem{{Withdrawn: "pubmed|1"}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			store := newFakeStore()
			mustImport(t, store, tt.items...)
			r, ok, err := store.Record("PMID:1")
			if err != nil || ok != (tt.title != "") || r.Title != tt.title {
				t.Errorf("got %q (there: %v), want %q; %v", r.Title, ok, tt.title, err)
			}
		})
	}
}

func TestWithdrawingOneSourceLeavesTheOthers(t *testing.T) {
	store := newFakeStore()
	mustRun(t, testPipeline(bowelSources()...), store, bowelTopic())
	counts := mustImport(t, store, ImportItem{Withdrawn: "pubmed|1"})
	r, ok, _ := store.Record("PMID:1")
	if !ok || len(r.Origins) != 1 || r.Origins[0].Source != evidence.SourceEuropePMC || counts.Withdrawn != 1 {
		t.Errorf("%+v (there: %v), %+v", r.Origins, ok, counts)
	}
}

func TestImportInTransactions(t *testing.T) {
	var items []ImportItem
	for i := range importBatch + 5 {
		items = append(items, ImportItem{Record: paper(i+1, fmt.Sprintf("Paper number %d", i))})
	}
	store := newFakeStore()
	if got := mustImport(t, store, items...); got.Stored != importBatch+5 || store.published != 1 {
		t.Errorf("%+v, published %d", got, store.published)
	}
	if len(store.batches) != 3 || store.batches[2].Run == nil {
		t.Errorf("%d transactions, want two and the run's record", len(store.batches))
	}
}

func TestImportStopsAtAnError(t *testing.T) {
	broken := errors.New("line 7: no tag")
	items := func(yield func(ImportItem, error) bool) {
		_ = yield(ImportItem{Record: paper(1, "x")}, nil) && yield(ImportItem{}, broken)
	}
	store := newFakeStore()
	if _, _, err := testPipeline().Import(t.Context(), store, items, ImportOptions{Files: "x.ris"}); !errors.Is(err,
		broken) || store.published != 0 {
		t.Errorf("published %d, error %v", store.published, err)
	}
}

// TestImportReadsAhead: the files are read one part ahead, and are done with after the import ends, however it does.
func TestImportReadsAhead(t *testing.T) {
	full := errors.New("the disk is full")
	for _, tc := range []struct {
		name   string
		commit error
		read   int // parts that were begun
	}{
		{"all", nil, 5},
		{"a commit fails", full, 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			begun, closed := 0, make(chan struct{})
			items := func(yield func(ImportItem, error) bool) {
				defer close(closed)
				for i := range 5 * importBatch {
					if i%importBatch == 0 {
						begun++
					}
					if !yield(ImportItem{Record: paper(i+1, fmt.Sprintf("Paper number %d", i))}, nil) {
						return
					}
				}
			}
			store := newFakeStore()
			store.commitErr = func(evidence.Batch) error { return tc.commit }
			_, _, err := testPipeline().Import(t.Context(), store, items, ImportOptions{ID: "i"})
			<-closed
			if !errors.Is(err, tc.commit) || begun > tc.read {
				t.Errorf("%v; %d parts were begun", err, begun)
			}
		})
	}
}

func TestWhatAnImportTellsComesInTheFilesOrder(t *testing.T) {
	doubtful := func(n int) ImportItem {
		item := fromFile(n, paper(n, fmt.Sprintf("Paper number %d", n)))
		item.Notes, item.File = []string{"no year"}, "scopus.ris"
		return item
	}
	unreadable := func(n string) ImportItem {
		return ImportItem{File: "embase.ris", Unreadable: &evidence.Problem{ID: n, Reason: "no title"}}
	}
	var told []string
	tell := func(file string, p evidence.Problem) { told = append(told, file+" "+p.ID+": "+p.Reason) }
	_, counts, err := testPipeline().Import(t.Context(), newFakeStore(),
		itemsOf(unreadable("1"), doubtful(2), unreadable("3"), ImportItem{Withdrawn: "pubmed|9"}, unreadable("4"), doubtful(5)),
		ImportOptions{ID: "i", Noted: tell, Unreadable: tell})
	want := []string{"embase.ris 1: no title", "scopus.ris 2: no year", "embase.ris 3: no title", "embase.ris 4: no title",
		"scopus.ris 5: no year"}
	if err != nil || !cmp.Equal(told, want) || counts.Read != 2 || counts.Noted != 2 {
		t.Errorf("%v, %+v, %v", told, counts, err)
	}
}

// TestAnImportThatFailsDoesNotWaitForItsInput: a pipe may be silent for hours.
func TestAnImportThatFailsDoesNotWaitForItsInput(t *testing.T) {
	full, silent := errors.New("the disk is full"), make(chan struct{})
	defer close(silent)
	items := func(yield func(ImportItem, error) bool) {
		for i := range importBatch {
			if !yield(ImportItem{Record: paper(i+1, fmt.Sprintf("Paper number %d", i))}, nil) {
				return
			}
		}
		<-silent
	}
	store := newFakeStore()
	store.commitErr = func(evidence.Batch) error { return full }
	if _, _, err := testPipeline().Import(t.Context(), store, items, ImportOptions{ID: "i"}); !errors.Is(err, full) {
		t.Error(err)
	}
}
