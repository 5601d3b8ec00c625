package store

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
)

var update = flag.Bool("update", false, "write the store of the current schema into testdata again")

// released lists the schemas that programs in use may have written. A store of each is kept in testdata: what was once
// published must stay readable, until the model changes.
var released = []string{"1.0.0", "1.0.1", "1.0.2", "1.1.0", "1.1.1", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0", "1.7.0",
	"1.7.1", "1.7.2", "1.7.3"}

var firstPaper = evidence.Identifier{Kind: evidence.PMID, Value: "1"}

var disputed = evidence.Dispute{By: "an imported file", Source: "europepmc", ID: "MED/3"}

func TestStoresOfReleasedSchemas(t *testing.T) {
	if *update {
		dir := filepath.Join("testdata", "store-"+database.CurrentSchema.String())
		must(t, os.RemoveAll(dir))
		w := begin(t, dir, testOptions())
		batch := papers(1, 3)
		batch.Answers = answersOf("kras", 1, 2)
		batch.Run = &evidence.Run{ID: "run-1", Program: "test", Started: night, Finished: night}
		batch.Curated = curatedFile("2026-10-01", curatedOn("1", "EID7"))
		batch.Approvals = approvalsOf("set-1")
		batch.Interpretations = interpretationsOf("AID1")
		commit(t, w, batch)
		europe := sourceRecord("europepmc", 3)
		europe.Origins[0].File = "saved.json#1"
		joined := merge(paperID(3), sourceRecord("pubmed", 3), europe)
		joined.Record.Retraction = evidence.Retraction{Status: evidence.No, Source: "pubmed", Disputed: disputed}
		joined.Record.Links = []evidence.Link{{Relation: evidence.CommentOn, Target: firstPaper}}
		commit(t, w, Batch{SourceRecords: []evidence.Record{europe}, Put: []Merged{joined},
			Drop: []string{paperID(2)}, DropSources: []string{"pubmed|2"}, Redirect: map[string]string{paperID(2): paperID(1)}})
		publish(t, w)
	}
	for _, schema := range released {
		t.Run(schema, func(t *testing.T) {
			dir := filepath.Join("testdata", "store-"+schema)
			if findings, err := Folder(dir).Verify(t.Context(), true); err != nil || len(findings) != 0 {
				t.Errorf("Verify: %v, %v", findings, err)
			}
			r := open(t, dir)
			checkReleased(t, r)
			if record, ok, err := r.Record("PMID:3"); !ok || err != nil || (record.Retraction.Disputed == disputed) != (schema >= "1.0.2") {
				t.Errorf("disputed: %+v, %v", record.Retraction, err)
			}
			if _, found, err := r.CuratedFile(); err != nil || found != (schema != "1.0.0") {
				t.Errorf("CuratedFile: %v, %v", found, err)
			}
			if files, err := r.ApprovalsFiles(); err != nil || (len(files) == 1) != (schema >= "1.7.1") {
				t.Errorf("ApprovalsFiles: %v, %v", files, err)
			}
			if files, err := r.InterpretationsFiles(); err != nil || (len(files) == 1) != (schema >= "1.7.2") {
				t.Errorf("InterpretationsFiles: %v, %v", files, err)
			}
		})
	}
}

// A store of an older schema is brought to the current one by the next writer: first in its copy, so that readers go
// on.
func TestMigration(t *testing.T) {
	for _, schema := range released[:len(released)-1] {
		t.Run(schema, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			must(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "store-"+schema))))
			before := open(t, dir)
			w := begin(t, dir, testOptions())
			commit(t, w, papers(7, 7))
			checkReleased(t, before)
			if got := publish(t, w).Schema; got != database.CurrentSchema {
				t.Errorf("published with schema %v", got)
			}
			if findings, err := Folder(dir).Verify(t.Context(), true); err != nil || len(findings) != 0 {
				t.Errorf("Verify: %v, %v", findings, err)
			}
			commit(t, w, Batch{Drop: []string{paperID(7)}, DropSources: []string{"pubmed|7"}})
			publish(t, w)
			checkReleased(t, open(t, dir))
			findings, err := Folder(dir).Verify(t.Context(), true) // which compares every entry's sum
			if err != nil || len(findings) != 0 {
				t.Errorf("Verify at last: %v, %v", findings, err)
			}
		})
	}
}

// checkReleased asks a kept store everything once.
func checkReleased(t *testing.T, r *Reader) {
	t.Helper()
	ids := []string{}
	for record, err := range r.Records(t.Context()) {
		must(t, err)
		ids = append(ids, record.ID)
	}
	if diff := cmp.Diff([]string{"PMID:1", "PMID:3"}, ids); diff != "" {
		t.Errorf("records (-want +got): %s", diff)
	}
	if record, ok, err := r.Record("PMID:2"); !ok || err != nil || record.ID != "PMID:1" || record.Title == "" {
		t.Errorf("a redirected record: %+v, %v", record, err)
	}
	if record, ok, err := r.Record("PMID:3"); !ok || err != nil || len(record.Origins) != 2 {
		t.Errorf("a record of two origins: %+v, %v", record, err)
	}
	if found, err := r.Lookup(evidence.Identifier{Kind: evidence.DOI, Value: "10.1000/3"}); err != nil || len(found) != 1 {
		t.Errorf("Lookup: %v, %v", found, err)
	}
	if found, err := r.LinkingTo(firstPaper); err != nil || !slices.Equal(found, []string{"PMID:3"}) {
		t.Errorf("LinkingTo: %v, %v", found, err)
	}
	if answer, ok, err := r.AnswerByQuestion("Sotorasib"); !ok || err != nil || len(answer.Sample) != 2 {
		t.Errorf("AnswerByQuestion: %+v, %v", answer, err)
	}
	if runs, err := r.Runs(0); err != nil || len(runs) != 1 {
		t.Errorf("Runs: %v, %v", runs, err)
	}
	if _, found, err := r.Judgement(evidence.JudgementKey("q", "2", "m", "1")); err != nil || !found {
		t.Errorf("Judgement: %v, %v", found, err)
	}
	if result, err := r.Search(t.Context(), fulltext.Request{Text: "sotorasib"}); err != nil || result.Total != 2 {
		t.Errorf("Search: %+v, %v", result, err)
	}
	phrase, err := boolean.Parse(`"sotorasib in colorectal"[ti]`)
	must(t, err)
	if result, err := r.Search(t.Context(), fulltext.Request{Node: phrase}); err != nil || result.Total != 2 {
		t.Errorf("Search for a phrase: %+v, %v", result, err)
	}
}
