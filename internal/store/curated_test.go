package store

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/database"
	"dossier/internal/evidence"
)

// curatedOn is a statement on a paper.
func curatedOn(pmid, id string) evidence.CuratedStatement {
	return evidence.CuratedStatement{Source: evidence.CuratedCIViC, ID: id, PMID: pmid, Profile: "KRAS G12C", Level: "B",
		Status: evidence.StatementAccepted}
}

// curatedFile is a day's file.
func curatedFile(day evidence.Date, statements ...evidence.CuratedStatement) *evidence.CuratedFile {
	for i := range statements {
		statements[i].FileDate = day
	}
	slices.SortFunc(statements, evidence.CompareCuratedIDs)
	return &evidence.CuratedFile{Source: evidence.CuratedCIViC, Name: string(day) + ".tsv", Date: day, Imported: night,
		Statements: statements}
}

// levelsOf lists what curators say of a record, as it is read one by one and in a walk over all.
func levelsOf(t *testing.T, r interface {
	Record(string) (evidence.Record, bool, error)
}, id string) []string {
	t.Helper()
	record, _, err := r.Record(id)
	must(t, err)
	var out []string
	for _, s := range record.Curated {
		out = append(out, s.ID+" "+s.Level+" "+string(s.FileDate))
	}
	return out
}

func TestCuratedStatementsAreJoinedWhenARecordIsRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 3)
	w := begin(t, dir, testOptions())
	submitted := curatedOn("2", "EID5")
	submitted.Level, submitted.Status = "A", evidence.StatementSubmitted
	commit(t, w, Batch{Curated: curatedFile("2026-10-01", curatedOn("2", "EID30"), curatedOn("2", "EID4"), submitted,
		curatedOn("9", "EID9"))})
	want := []string{"EID4 B 2026-10-01", "EID30 B 2026-10-01", "EID5 A 2026-10-01"}
	if diff := cmp.Diff(want, levelsOf(t, w, "PMID:2")); diff != "" {
		t.Errorf("what counts first, then by level and number (-want +got):\n%s", diff)
	}
	if got := levelsOf(t, w, "PMID:1"); got != nil {
		t.Errorf("a record that no statement is on has %v", got)
	}
	commit(t, w, papers(9, 9))
	if diff := cmp.Diff([]string{"EID9 B 2026-10-01"}, levelsOf(t, w, "PMID:9")); diff != "" {
		t.Errorf("a record that came after the file (-want +got):\n%s", diff)
	}
	publish(t, w)
	for record, err := range open(t, dir).Records(t.Context()) {
		must(t, err)
		if want := map[string]int{"PMID:2": 3, "PMID:9": 1}[record.ID]; len(record.Curated) != want {
			t.Errorf("in a walk %s has %d statements, want %d", record.ID, len(record.Curated), want)
		}
	}
	mark, err := w.Curated([]evidence.Identifier{{Kind: evidence.DOI, Value: "10.1000/2"},
		{Kind: evidence.PMID, Value: "9"}, {Kind: evidence.PMID, Value: "2"}})
	if err != nil || len(mark) != 4 {
		t.Errorf("by identifiers: %v, %v", mark, err)
	}
}

func TestAFileTakesThePlaceOfTheOneBefore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 3)
	w := begin(t, dir, testOptions())
	if _, found, err := w.CuratedFile(); found || err != nil {
		t.Fatalf("before any file: %v, %v", found, err)
	}
	first := curatedFile("2026-10-01", curatedOn("1", "EID2"), curatedOn("2", "EID10"))
	commit(t, w, Batch{Curated: first})
	publish(t, w)
	second := curatedFile("2026-11-01", curatedOn("2", "EID10"), curatedOn("3", "EID1"))
	commit(t, w, Batch{Curated: second})
	publish(t, w)
	must(t, w.Close())

	r := open(t, dir)
	got, found, err := r.CuratedFile()
	if diff := cmp.Diff(*second, got); diff != "" || !found || err != nil {
		t.Errorf("the file (-want +got): %v %v\n%s", found, err, diff)
	}
	if got := levelsOf(t, r, "PMID:1"); got != nil {
		t.Errorf("a statement that is no more is still shown: %v", got)
	}
	if diff := cmp.Diff([]string{"EID10 B 2026-11-01"}, levelsOf(t, r, "PMID:2")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	later := publishPapers(t, dir, 4, 6) // a night's run clones what is there
	if findings, err := Folder(dir).Verify(t.Context(), true); err != nil || len(findings) > 0 {
		t.Errorf("Verify: %v, %v", findings, err)
	}
	if got, _, err := open(t, dir).CuratedFile(); err != nil || !cmp.Equal(*second, got) {
		t.Errorf("after generation %d: %+v, %v", later.Number, got, err)
	}
	_, err = Folder(dir).Rollback(t.Context(), 2, testOptions())
	must(t, err)
	if diff := cmp.Diff([]string{"EID2 B 2026-10-01"}, levelsOf(t, open(t, dir), "PMID:1")); diff != "" {
		t.Errorf("a rollback brings the file of then back (-want +got):\n%s", diff)
	}
}

// What was joined never becomes part of what is stored: a later file would not reach it.
func TestWhatCuratorsSayIsNoPartOfAStoredRecord(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 2)
	w := begin(t, dir, testOptions())
	before, _, err := w.Record("PMID:1")
	must(t, err)
	before.Curated = []evidence.CuratedStatement{curatedOn("1", "EID1")}
	source := sourceRecord(evidence.SourcePubMed, 1)
	source.Curated = before.Curated
	batch := Batch{SourceRecords: []evidence.Record{source},
		Put: []Merged{{Record: before, Members: []string{"pubmed|1"}}}}
	commit(t, w, batch)
	if got := levelsOf(t, w, "PMID:1"); got != nil {
		t.Errorf("the record was stored with %v", got)
	}
	kept, _, err := w.SourceRecord("pubmed|1")
	if err != nil || kept.Curated != nil {
		t.Errorf("the source record was stored with %v, %v", kept.Curated, err)
	}
	if batch.Put[0].Record.Curated == nil || batch.SourceRecords[0].Curated == nil {
		t.Error("the caller's own batch was changed")
	}
}

// A store that an older program made has no place for statements: reading finds none, and the first commit makes it.
func TestAnOlderStoreTakesAFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	must(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "store-1.0.0"))))
	r := open(t, dir)
	if got, err := r.Curated([]evidence.Identifier{firstPaper}); got != nil || err != nil {
		t.Errorf("before: %v, %v", got, err)
	}
	w := begin(t, dir, testOptions())
	commit(t, w, Batch{Curated: curatedFile("2026-10-01", curatedOn("1", "EID7"))})
	if got := publish(t, w).Schema; got != database.CurrentSchema {
		t.Errorf("published with schema %v", got)
	}
	if findings, err := Folder(dir).Verify(t.Context(), true); err != nil || len(findings) > 0 {
		t.Errorf("Verify: %v, %v", findings, err)
	}
	if diff := cmp.Diff([]string{"EID7 B 2026-10-01"}, levelsOf(t, open(t, dir), "PMID:1")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCommitRefusesAStatementWithoutAPaper(t *testing.T) {
	w := begin(t, filepath.Join(t.TempDir(), "data"), testOptions())
	err := w.Commit(t.Context(), Batch{Curated: curatedFile("2026-10-01", curatedOn("", "EID7"))})
	if err == nil || !strings.Contains(err.Error(), "a curated statement's PMID is empty") {
		t.Errorf("error %v", err)
	}
}
