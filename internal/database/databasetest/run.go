package databasetest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	bolt "go.etcd.io/bbolt"

	"dossier/internal/database"
	"dossier/internal/evidence"
)

// Run tests that tables, which fresh returns empty, behave as database.Tables requires.
func Run(t *testing.T, fresh func(t *testing.T) database.Tables) {
	t.Run("entries", func(t *testing.T) { entries(t, fresh(t)) })
	t.Run("all or nothing", func(t *testing.T) { allOrNothing(t, fresh(t)) })
	t.Run("the same as in a file", func(t *testing.T) { sameAsFile(t, fresh(t)) })
	t.Run("there and back", func(t *testing.T) { copyBothWays(t, fresh(t)) })
	t.Run("nothing but what this program reads", func(t *testing.T) { newerSchema(t, fresh(t)) })
}

func must(t testing.TB, err error) {
	t.Helper()

	if err != nil {
		t.Fatal(err)
	}
}

// aKey is one of some dozens, of all kinds: equal but for their ends, with bytes of any value, long ones.
func aKey(random *rand.Rand) []byte {
	key := []byte{"ab\x00\x01\x7f\x80\xff"[random.IntN(7)]}
	for range random.IntN(4) {
		key = append(key, "a\x00\xff"[random.IntN(3)])
	}

	if random.IntN(8) == 0 {
		key = append(key, slices.Repeat([]byte("long \xc3"), 90+random.IntN(2)*2000)...)
	}
	return key
}

// entries compares tables with Memory, transaction after transaction, within each and behind it.
func entries(t *testing.T, tables database.Tables) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same changes each time

	want := NewMemory()
	for round := range 6 {
		var compared error
		must(t, want.Update(t.Context(), func(mine database.Entries) error {
			return tables.Update(t.Context(), func(theirs database.Entries) error {
				for range 40 {
					change(t, random, mine, theirs)
				}
				compared = sameAnswers(random, mine, theirs)
				return nil
			})
		}))

		if compared != nil {
			t.Fatalf("round %d, within the transaction: %v", round, compared)
		}
		mine, _ := want.Read()

		theirs, end := tables.Read()
		if err := sameAnswers(random, mine, theirs); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		end()
	}
}

func change(t *testing.T, random *rand.Rand, both ...database.Entries) {
	t.Helper()
	table, key := []string{"records", "titles"}[random.IntN(2)], aKey(random)
	value := slices.Repeat([]byte{byte(random.IntN(256))}, random.IntN(3)*20)

	what := random.IntN(100)
	for _, e := range both {
		switch {
		case what == 0:
			must(t, e.Clear(table))
		case what < 30:
			must(t, e.Delete(table, key))
		default:
			must(t, e.Put(table, key, value))
		}
	}
}

// sameAnswers compares the results of the same queries.
func sameAnswers(random *rand.Rand, want, got database.Entries) error {
	for _, table := range []string{"records", "titles", "links"} {
		for range 6 {
			key := aKey(random)
			mine, is, _ := want.Get(table, key)

			theirs, ok, err := got.Get(table, key)
			if err != nil || ok != is || ok && string(mine) != string(theirs) {
				return fmt.Errorf("%s %.80q is %q, %v; want %q, %v: %w", table, key, theirs, ok, mine, is, err)
			}
		}

		r := database.Range{}
		for range 8 {
			mine, _ := list(want.Walk(table, r))

			theirs, err := list(got.Walk(table, r))
			if diff := cmp.Diff(mine, theirs); err != nil || diff != "" {
				return fmt.Errorf("%s from %.80q to %.80q, backwards %v: %.2000s %w", table, r.From, r.To, r.Backwards, diff, err)
			}

			r = database.Range{From: aKey(random), To: aKey(random), Backwards: random.IntN(2) == 0, Limit: random.IntN(3)}
			if random.IntN(3) == 0 {
				r.To = nil
			}
		}
		mine, _ := want.Count(table)

		theirs, err := got.Count(table)
		if err != nil || mine != theirs {
			return fmt.Errorf("%s has %d entries; want %d: %w", table, theirs, mine, err)
		}

		sample, err := got.Sample(table, 5)
		for _, e := range sample {
			if stored, _, _ := want.Get(table, e.Key); string(stored) != string(e.Stored) {
				return fmt.Errorf("%s has %q in a sample as %.80q; want %.80q", table, e.Key, e.Stored, stored)
			}
		}

		if err != nil || len(sample) < min(mine, 5) {
			return fmt.Errorf("a sample of %s, which has %d: %d: %w", table, mine, len(sample), err)
		}
	}
	return nil
}

func list(walk iter.Seq2[database.Entry, error]) (listed []string, err error) {
	for e, err := range walk {
		if err != nil {
			return listed, err
		}
		listed = append(listed, fmt.Sprintf("%q: %q", e.Key, e.Stored))
	}
	return listed, nil
}

// allOrNothing: what fails leaves nothing behind.
func allOrNothing(t *testing.T, tables database.Tables) {
	db, err := database.On(tables, false)
	must(t, err)
	commit(t, db, Papers(1, 3), 0)
	bad := Papers(4, 8)

	bad.Redirect = map[string]string{"PMID:90": "PMID:91"} // which leads nowhere
	if err := db.Commit(t.Context(), bad, database.Numbers{Number: 1}, 0, Unseen); err == nil {
		t.Fatal("a batch that can't be written was")
	}
	ctx, cancel := context.WithCancel(t.Context())

	err = db.Commit(ctx, Papers(4, 8), database.Numbers{Number: 1}, 0, func(database.Changes) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a commit that was interrupted: %v", err)
	}

	if counts, err := db.Counts(); err != nil || counts.Records != 3 || counts.SourceRecords != 3 {
		t.Errorf("%+v, %v", counts, err)
	}

	if _, ok, err := db.Record("PMID:4"); ok || err != nil {
		t.Errorf("record 4: %v, %v", ok, err)
	}
}

// step is a batch with what the text has taken when it is written.
type step struct {
	name  string
	batch *evidence.Batch
	mark  uint64
}

// steps are batches that touch every table.
func steps() []step {
	renamed := Papers(3, 3)
	renamed.Put[0].Record.ID = "DOI:10.1000/3"
	renamed.Redirect, renamed.Drop = map[string]string{"PMID:3": "DOI:10.1000/3"}, []string{"PMID:3"}
	merged := Papers(1, 2)
	merged.Put = merged.Put[:1]
	merged.Put[0].Members = []string{"pubmed|1", "pubmed|2"}
	merged.Drop, merged.Redirect = []string{"PMID:2"}, map[string]string{"PMID:2": "PMID:1"}
	withdrawn := &evidence.Batch{DropSources: []string{"pubmed|5"}, Drop: []string{"PMID:5"}}
	judged := &evidence.Batch{Judgements: []evidence.Judgement{{Key: "a"}, {Key: "b"}}}
	return []step{
		{"papers", Papers(1, 30), 0}, {"judgements", judged, 0}, {"one forgotten", &evidence.Batch{Forget: []string{"a"}}, 0},
		{"one renamed", renamed, 12}, {"two become one", merged, 12}, {"and come apart", Papers(1, 2), 30},
		{"one withdrawn", withdrawn, 31}, {"the same again", Papers(6, 12), 31}, {"an answer", answer(1, 1, 4), 31},
		{"another one", answer(2, 4, 9), 31}, {"to another question", answer(3, 6, 9), 31},
		{"curated", &evidence.Batch{Curated: statements("1", "6")}, 31}, {"anew", &evidence.Batch{Curated: statements("6")}, 31},
		{"approvals", &evidence.Batch{Approvals: approvals("a", "b")}, 31},
		{"others", &evidence.Batch{Approvals: approvals("b")}, 31},
		{"no topic", &evidence.Batch{DropTopics: []string{"topic"}}, 31},
		{"a run", &evidence.Batch{Run: &evidence.Run{ID: "r", Started: day(1)}}, 31},
	}
}

func day(n int) time.Time { return time.Date(2026, 1, n, 4, 0, 0, 0, time.UTC) }

func answer(n, first, last int) *evidence.Batch {
	a := evidence.Answer{Topic: evidence.Topic{ID: "topic", Question: fmt.Sprintf("What of %d?", n/3)}, Run: "r", Built: day(n)}
	for i := first; i <= last; i++ {
		if i != 5 {
			a.Sample = append(a.Sample, fmt.Sprintf("PMID:%d", i))
		}
	}
	return &evidence.Batch{Answers: []evidence.Answer{a}}
}

func statements(pmids ...string) *evidence.CuratedFile {
	file := &evidence.CuratedFile{Source: "civic", Name: "civic.tsv"}
	for i, pmid := range pmids {
		file.Statements = append(file.Statements, evidence.CuratedStatement{ID: fmt.Sprintf("EID%d", i+1), PMID: pmid})
	}
	return file
}

func approvals(ids ...string) *evidence.Approvals {
	all := &evidence.Approvals{Files: []evidence.GivenFile{{Source: "ema", Name: "ema.json", Kept: len(ids)}}}
	for _, id := range ids {
		all.Entries = append(all.Entries, evidence.Approval{Source: "ema", ID: id, Names: []string{"Invented " + id},
			Drugs: []string{"sotorasib"}, Words: "For " + id + ".", Status: evidence.StatusApproved})
	}
	return all
}

// Unseen ignores the changes of a commit.
func Unseen(database.Changes) {}

// Papers are records of PubMed's, of one origin each, whose titles come twice each.
func Papers(first, last int) *evidence.Batch {
	batch := &evidence.Batch{Keys: map[string][]string{}}
	for n := first; n <= last; n++ {
		pmid := evidence.Identifier{Kind: evidence.PMID, Value: fmt.Sprint(n)}
		record := evidence.Record{
			ID: pmid.String(), Title: fmt.Sprintf("Sotorasib in tumour %d", n/2),
			Identifiers: []evidence.Identifier{pmid, {Kind: evidence.DOI, Value: fmt.Sprintf("10.1000/%d", n/4)}},
			Links:       []evidence.Link{{Target: evidence.Identifier{Kind: evidence.PMID, Value: fmt.Sprint(n + 1)}}},
			Origins:     []evidence.Origin{{Source: evidence.SourcePubMed, ID: pmid.Value}},
		}
		key := record.Origins[0].Key()
		batch.SourceRecords = append(batch.SourceRecords, record)
		batch.Put = append(batch.Put, evidence.Merged{Record: record, Members: []string{key}})
		batch.Keys[key] = []string{record.Title}
	}
	return batch
}

func commit(t *testing.T, db *database.DB, batch *evidence.Batch, mark uint64) {
	t.Helper()
	must(t, database.Validate(batch))
	must(t, db.Commit(t.Context(), batch, database.Numbers{Number: 1}, mark, Unseen))
}

// sameAsFile writes the same batches to the tables and to a file, and compares all that they hold and say.
func sameAsFile(t *testing.T, tables database.Tables) {
	file, err := database.Create(filepath.Join(t.TempDir(), "evidence.db"))
	must(t, err)
	t.Cleanup(func() { must(t, file.Close()) })
	db, err := database.On(tables, false)
	must(t, err)

	for _, s := range steps() {
		must(t, db.Prefetch(wanted(s.batch)))
		commit(t, file, s.batch, s.mark)
		commit(t, db, s.batch, s.mark)

		if diff := cmp.Diff(answersOf(t, file), answersOf(t, db)); diff != "" {
			t.Fatalf("after %s: -file +tables\n%s", s.name, diff)
		}

		if diff := cmp.Diff(content(t, file), content(t, db)); diff != "" {
			t.Fatalf("after %s: -file +tables\n%s", s.name, diff)
		}
	}
	must(t, db.CheckSample(t.Context()))

	if _, err := db.Audit(t.Context(), func(err error) { t.Error(err) }, func(error) {}); err != nil {
		t.Error(err)
	}
}

func wanted(batch *evidence.Batch) (w evidence.Wanted) {
	for i := range batch.SourceRecords {
		r := &batch.SourceRecords[i]
		w.Origins = append(w.Origins, r.Origins[0].Key())
		w.Identifiers = append(w.Identifiers, r.Identifiers...)
		w.Titles = append(w.Titles, batch.Keys[r.Origins[0].Key()]...)
	}
	return w
}

// answersOf lists a database's results for queries of every kind.
func answersOf(t *testing.T, db *database.DB) (all []string) {
	say := func(what string, answer any, err error) {
		must(t, err)
		all = append(all, fmt.Sprintf("%s: %+v", what, answer))
	}
	counts, err := db.Counts()
	say("counts", counts, err)
	progress, err := db.Progress()
	say("progress", progress, err)
	pending, err := db.Pending(progress.Settled, 7)
	say("pending", pending.Last, err)

	for _, c := range pending.List {
		say("change", fmt.Sprint(c.ID, c.Record == nil), nil)
	}

	for n := range 14 {
		key := fmt.Sprint("pubmed|", n)
		record, ok, err := db.Record(fmt.Sprint("PMID:", n))
		say("record", fmt.Sprint(record, ok), err)
		id, members, ok, err := db.RecordOf(key)
		say("record of", fmt.Sprint(id, members, ok), err)
		source, ok, err := db.SourceRecord(key)
		say("source", fmt.Sprint(source, ok), err)

		for _, span := range []evidence.Span{{}, {Limit: 1}, {To: key, Limit: 2, Backwards: true}, {From: key, Limit: 1}} {
			keys, err := db.ByTitle(fmt.Sprintf("Sotorasib in tumour %d", n), span)
			say("title", keys, err)
			keys, err = db.ByIdentifier(evidence.Identifier{Kind: evidence.DOI, Value: fmt.Sprintf("10.1000/%d", n)}, span)
			say("identifier", keys, err)
		}
		ids, err := db.Lookup(evidence.Identifier{Kind: evidence.DOI, Value: fmt.Sprintf("10.1000/%d", n)})
		say("lookup", ids, err)
		ids, err = db.LinkingTo(evidence.Identifier{Kind: evidence.PMID, Value: fmt.Sprint(n)})
		say("linking", ids, err)
	}
	answered, ok, err := db.AnswerByQuestion("what of 0?")
	say("answer", fmt.Sprint(answered, ok), err)
	history, err := db.History("topic")
	say("history", history, err)
	runs, err := db.Runs(2)
	say("runs", runs, err)
	return all
}

// content is all that a database holds, read from a copy of it.
func content(t *testing.T, db *database.DB) map[string]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "copy.db")
	copied, err := database.Create(path)
	must(t, err)
	_, err = db.CopyTo(t.Context(), copied)
	must(t, errors.Join(err, copied.Close()))
	file, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true})
	must(t, err)
	defer file.Close()
	all := map[string]string{}
	must(t, file.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			return b.ForEach(func(key, value []byte) error {
				all[fmt.Sprintf("%s %q", name, key)] = string(value)
				return nil
			})
		})
	}))
	return all
}

// copyBothWays copies a file to tables and these to a file.
func copyBothWays(t *testing.T, tables database.Tables) {
	file, err := database.Create(filepath.Join(t.TempDir(), "evidence.db"))
	must(t, err)
	t.Cleanup(func() { must(t, file.Close()) })

	for _, s := range steps() {
		commit(t, file, s.batch, s.mark)
	}
	db, err := database.On(tables, false)
	must(t, err)
	entries, err := file.CopyTo(t.Context(), db)
	must(t, err)

	want := content(t, file)
	if diff := cmp.Diff(want, content(t, db)); diff != "" || entries != len(want) {
		t.Errorf("%d of %d entries were copied: %s", entries, len(want), diff)
	}

	if _, err := file.CopyTo(t.Context(), db); err == nil {
		t.Error("a copy went over what was there")
	}
}

// newerSchema: what a newer program wrote is neither read nor written to.
func newerSchema(t *testing.T, tables database.Tables) {
	newer := database.CurrentSchema
	newer.Revision++
	must(t, tables.Update(t.Context(), func(e database.Entries) error {
		return e.Put("meta", []byte("schema"), []byte(newer.String()))
	}))

	for _, readOnly := range []bool{true, false} {
		var refused *database.SchemaError
		if _, err := database.On(tables, readOnly); !errors.As(err, &refused) || refused.Found != newer {
			t.Errorf("read only %v: %v", readOnly, err)
		}
	}
}
