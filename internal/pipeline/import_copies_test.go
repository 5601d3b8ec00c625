package pipeline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// fromPlace is a record at a place of a file that gives no ids of its own.
func fromPlace(file string, n int, r evidence.Record) ImportItem {
	r.Origins = []evidence.Origin{{Source: "import:" + file, ID: fmt.Sprintf("#%d", n)}}
	return ImportItem{Record: r}
}

func TestEqualRecordsOfOneFileAreOne(t *testing.T) {
	one, other := paper(1, "A paper"), paper(1, "A paper")
	other.Keywords = []string{"another word"}
	for _, tc := range []struct {
		name  string
		items []ImportItem
		want  ImportCounts
	}{
		{"at two places", []ImportItem{fromPlace("a.ris", 1, one), fromPlace("a.ris", 2, one)},
			ImportCounts{Read: 2, Stored: 1, New: 1, Repeated: 1}},
		{"under one id, which the reader has numbered", []ImportItem{
			{Record: withOrigin(one, "import:a.ris", "PMID1")}, {Record: withOrigin(one, "import:a.ris", "PMID1~2")},
		}, ImportCounts{Read: 2, Stored: 1, New: 1, Repeated: 1}},
		{"not under two ids of a database", []ImportItem{fromFile(1, one), fromFile(2, one)},
			ImportCounts{Read: 2, Stored: 2, New: 1, Merged: 1}},
		{"not where a word differs", []ImportItem{fromPlace("a.ris", 1, one), fromPlace("a.ris", 2, other)},
			ImportCounts{Read: 2, Stored: 2, New: 1, Merged: 1}},
		{"not of two files", []ImportItem{fromPlace("a.ris", 1, one), fromPlace("b.ris", 1, one)},
			ImportCounts{Read: 2, Stored: 2, New: 1, Merged: 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, mustImport(t, newFakeStore(), tc.items...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func withOrigin(r evidence.Record, source, id string) evidence.Record {
	r.Origins = []evidence.Origin{{Source: source, ID: id}}
	return r
}

// copies are records of one paper that differ in a word each.
func copies(from, to int) []ImportItem {
	var items []ImportItem
	for i := from; i < to; i++ {
		r := paper(1, "A paper")
		r.Keywords = []string{fmt.Sprint("word ", i)}
		items = append(items, fromPlace("a.ris", i, r))
	}
	return items
}

func TestAPaperHasOnlySoManySourceRecords(t *testing.T) {
	store := newFakeStore()
	if got := mustImport(t, store, copies(0, maxCopies)...); got.LeftOut != 0 || got.Stored != maxCopies {
		t.Fatalf("as many as a paper may have: %+v", got)
	}
	var named []evidence.Problem
	_, got, err := testPipeline().Import(t.Context(), store, itemsOf(copies(maxCopies, maxCopies+7)...),
		ImportOptions{ID: "i", LeftOut: func(p evidence.Problem) { named = append(named, p) }})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ImportCounts{Read: 7, LeftOut: 7}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(named) != 7 || named[0].ID != "#200" || !strings.Contains(named[0].Reason, "PMID:1 has 200 source records") {
		t.Errorf("named: %v", named)
	}
	if !strings.Contains(got.String(), "left out 7") {
		t.Errorf("told: %s", got)
	}
}

func TestWhatIsNeverLeftOut(t *testing.T) {
	retracted := paper(1, "A paper")
	retracted.Retraction = evidence.Retraction{Status: evidence.Yes}
	second := retracted
	second.Keywords = []string{"another"}
	for _, tc := range []struct {
		name  string
		items []ImportItem
		left  int
		check func(evidence.Record) bool
	}{
		{"the first that says that the paper is retracted",
			[]ImportItem{fromPlace("b.ris", 1, retracted), fromPlace("b.ris", 2, second)}, 1,
			func(r evidence.Record) bool { return r.Retracted() }},
		{"a service's record", []ImportItem{{Record: paper(1, "A paper as PubMed has it")}}, 0,
			func(r evidence.Record) bool { return r.Title == "A paper as PubMed has it" }},
		{"another paper with the same identifier", []ImportItem{fromPlace("b.ris", 1,
			paper(1, "Something else entirely on another matter"))}, 0,
			func(r evidence.Record) bool { return len(r.Origins) == maxCopies }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			store := newFakeStore()
			mustImport(t, store, copies(0, maxCopies)...)
			got := mustImport(t, store, tc.items...)
			r, _, err := store.Record("PMID:1")
			if err != nil || got.LeftOut != tc.left || !tc.check(r) {
				t.Errorf("%+v; %q, retracted %v, %d origins; %v", got, r.Title, r.Retracted(), len(r.Origins), err)
			}
		})
	}
}

func TestImportCountsWhatItCuts(t *testing.T) {
	long := paper(1, strings.Repeat("long ", 1000))
	store := newFakeStore()
	got := mustImport(t, store, fromFile(1, long), fromFile(2, paper(2, "Short")))
	if got.Cut != 1 || !strings.Contains(got.String(), "cut 1") {
		t.Errorf("%s", got)
	}
	r, _, _ := store.Record("PMID:1")
	if len(r.Title) > evidence.MaxTitle || len(r.Cut) != 1 || r.Cut[0].String() != "title cut at 2 KB, 5 KB came" {
		t.Errorf("a title of %d bytes, %v", len(r.Title), r.Cut)
	}
}
