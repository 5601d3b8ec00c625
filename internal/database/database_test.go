package database

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dossier/internal/evidence"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// paper is a source record of PubMed's.
func paper(n int) evidence.Record {
	pmid := evidence.Identifier{Kind: evidence.PMID, Value: fmt.Sprint(n)}
	return evidence.Record{
		ID: pmid.String(), Title: fmt.Sprintf("Sotorasib in tumour %d", n), Identifiers: []evidence.Identifier{pmid},
		Origins: []evidence.Origin{{Source: evidence.SourcePubMed, ID: pmid.Value}},
	}
}

// papers are records of one origin each, as a batch.
func papers(first, last int) *evidence.Batch {
	batch := &evidence.Batch{}
	for n := first; n <= last; n++ {
		record := paper(n)
		batch.SourceRecords = append(batch.SourceRecords, record)
		batch.Put = append(batch.Put, evidence.Merged{Record: record, Members: []string{record.Origins[0].Key()}})
	}
	return batch
}

func create(t *testing.T) *DB {
	t.Helper()
	db, err := Create(filepath.Join(t.TempDir(), "evidence.db"))
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

// commitTo writes a batch as generation 1's.
func commitTo(t *testing.T, db *DB, batch *evidence.Batch) {
	t.Helper()
	must(t, Validate(batch))
	must(t, db.Commit(t.Context(), batch, Numbers{Number: 1}, 0, func(Changes) {}))
}

func statements(pmid string, ids ...string) *evidence.CuratedFile {
	file := &evidence.CuratedFile{Source: "civic", Name: "civic.tsv"}
	for _, id := range ids {
		file.Statements = append(file.Statements, evidence.CuratedStatement{ID: id, PMID: pmid})
	}
	return file
}

// TestARecordOfOneOriginIsStoredOnce: what curators say of it is joined when it is read, and no reason to store it
// whole.
func TestARecordOfOneOriginIsStoredOnce(t *testing.T) {
	db, batch := create(t), papers(1, 1)
	batch.Curated = statements("1", "EID7")
	batch.Put[0].Record.Curated = batch.Curated.Statements
	commitTo(t, db, batch)
	must(t, db.read(func(in tx) error {
		value, _, err := in.table(bucketRecords).get([]byte("PMID:1"))
		if err != nil || value[0] != formOverlay {
			t.Errorf("the record is stored whole: %.40q, %v", value, err)
		}
		return nil
	}))
	if record, ok, err := db.Record("PMID:1"); err != nil || !ok || len(
		record.Curated) != 1 || record.Curated[0].ID != "EID7" {
		t.Errorf("Record: %+v, %v, %v", record, ok, err)
	}
}

// A newer program's addition is left as it is, and so is the schema that announces it.
func TestWritingKeepsANewerAddition(t *testing.T) {
	db := create(t)
	newer := CurrentSchema
	newer.Addition += 3
	must(t, db.update(func(t tx) error { return t.Bucket(bucketMeta).Put(metaSchema, []byte(newer.String())) }))
	commitTo(t, db, papers(1, 1))
	must(t, db.read(func(in tx) error {
		if got := string(in.Bucket(bucketMeta).Get(metaSchema)); got != newer.String() {
			t.Errorf("the schema is %s, want %s", got, newer)
		}
		return nil
	}))
}

func TestAuditReadsCuratedStatements(t *testing.T) {
	for _, tc := range []struct {
		name   string
		damage func(curated, meta table) error
		want   string
	}{
		{"a list that is none", func(curated, _ table) error { return curated.put([]byte("1"), []byte("jx")) },
			"the curators' statements on PMID \"1\" can't be read"},
		{"under another paper", func(curated, _ table) error {
			value, _, err := curated.get([]byte("1"))
			return errors.Join(err, curated.put([]byte("2"), value))
		}, `"EID7" on PMID "1" is stored under "2"`},
		{"a file without sense", func(_, meta table) error { return meta.put(metaCurated, []byte("{")) },
			"the file that curators' statements come from can't be read"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			db, batch := create(t), papers(1, 2)
			batch.Curated = statements("1", "EID7")
			commitTo(t, db, batch)
			must(t, db.update(func(t tx) error { return tc.damage(t.table(bucketCurated), t.table(bucketMeta)) }))
			var found []error
			counts, err := db.Audit(t.Context(), func(err error) { found = append(found, err) }, func(err error) {
				t.Errorf("a warning: %v", err)
			})
			if err != nil || counts.Records != 2 || len(found) != 1 || !strings.Contains(found[0].Error(), tc.want) {
				t.Errorf("%+v, %v, %v; want one finding with %q", counts, found, err, tc.want)
			}
		})
	}
}

// TestAWalkGivesWhatCameBeforeDamage: judgements are taken over from databases that are broken further on.
func TestAWalkGivesWhatCameBeforeDamage(t *testing.T) {
	db, batch := create(t), &evidence.Batch{}
	for n := range scanChunk + 20 {
		batch.Judgements = append(batch.Judgements, evidence.Judgement{Key: fmt.Sprintf("k%04d", n)})
	}
	commitTo(t, db, batch)
	for _, hurt := range []int{scanChunk + 10, 3} {
		must(t, db.update(func(t tx) error {
			return t.Bucket(bucketJudgements).Put(fmt.Appendf(nil, "k%04d", hurt), []byte("zero"))
		}))
		read := 0
		var told error
		for _, err := range db.Judgements(t.Context()) {
			if told = err; err == nil {
				read++
			}
		}
		if read != hurt || told == nil || !strings.Contains(told.Error(), fmt.Sprintf("k%04d", hurt)) {
			t.Errorf("%d of %d judgements were read, and then: %v", read, hurt, told)
		}
	}
}

// TestWithholdLeavesNoByte of what needs a licence, and all else.
func TestWithholdLeavesNoByte(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.db")
	db, err := Create(path)
	must(t, err)
	both := &evidence.Interpretations{Files: []evidence.GivenFile{
		{Source: evidence.CuratedCIViC, Name: "free.tsv", Kept: 1}, {Source: evidence.CuratedOncoKB, Name: "held.tsv", Kept: 1}}}
	for _, f := range both.Files {
		both.Entries = append(both.Entries, evidence.Interpretation{Source: f.Source, ID: "1", Keys: []string{"KRAS"}})
	}
	commitTo(t, db, &evidence.Batch{Interpretations: both})
	must(t, db.Close())
	must(t, RemoveLicensed(t.Context(), path))
	content, err := os.ReadFile(path)
	if err != nil || bytes.Contains(content, []byte("held.tsv")) || !bytes.Contains(content, []byte("free.tsv")) {
		t.Errorf("%v; of held.tsv something is left: %v", err, bytes.Contains(content, []byte("held.tsv")))
	}
	db, err = Open(path, true, time.Second)
	must(t, err)
	defer db.Close()
	if left, err := db.InterpretationsOf([]string{"KRAS"}); err != nil || len(left) != 1 || left[0].Source != evidence.CuratedCIViC {
		t.Errorf("%+v, %v", left, err)
	}
}
