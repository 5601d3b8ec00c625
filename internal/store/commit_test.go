package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/segments"
)

func newStore(t testing.TB) *Writer {
	t.Helper()
	return begin(t, filepath.Join(t.TempDir(), "data"), testOptions())
}

func TestCommitRefuses(t *testing.T) {
	twoOrigins := sourceRecord("pubmed", 50)
	twoOrigins.Origins = append(twoOrigins.Origins, twoOrigins.Origins[0])
	fifty := sourceRecord("pubmed", 50)
	tests := []struct {
		name  string
		batch Batch
		want  string
	}{
		{"a source record of two origins", Batch{SourceRecords: []evidence.Record{twoOrigins}}, "has 2 origins"},
		{"a record with no id", Batch{Put: []Merged{merge("", fifty)}}, "record id is empty"},
		{"a record whose id holds a NUL", Batch{Put: []Merged{merge("a\x00b", fifty)}}, "holds a NUL byte"},
		{"a record whose id is too long", Batch{Put: []Merged{merge(strings.Repeat("x", 9000), fifty)}}, "at most 8192"},
		{"a record put twice", Batch{SourceRecords: []evidence.Record{fifty}, Put: []Merged{merge("a", fifty),
			merge("a", fifty)}}, "put twice"},
		{"a record put and dropped", Batch{Put: []Merged{merge("a", fifty)}, Drop: []string{"a"}}, "both put and dropped"},
		{"a record of no source record", Batch{Put: []Merged{{Record: evidence.Record{ID: "a"}}}},
			"made of no source record"},
		{"a record of an unknown source record", Batch{Put: []Merged{merge("a", fifty)}}, `"pubmed|50": not in the store`},
		{"a source record in two records", Batch{Put: []Merged{merge("a", sourceRecord("pubmed", 1))}},
			`is in record "PMID:1" too`},
		{"a dropped source record that a record holds", Batch{DropSources: []string{"pubmed|1"}},
			`record "PMID:1" still holds it`},
		{"a redirect to nowhere", Batch{Redirect: map[string]string{"old": "new"}}, `redirecting record "old"`},
		{"a redirect to itself", Batch{Redirect: map[string]string{"old": "old"}}, "redirected to itself"},
		{"an answer that names an unknown record", Batch{Answers: answersOf("topic", 77)}, `"PMID:77": not in the store`},
		{"an answer with no topic", Batch{Answers: answersOf("")}, "topic id: \"\" must be"},
		{"a judgement with no key", Batch{Judgements: []Judgement{{}}}, "judgement's key is empty"},
		{"a run with no id", Batch{Run: &evidence.Run{}}, "run's id is empty"},
	}
	w := newStore(t)
	commit(t, w, papers(1, 3))
	before, err := w.Counts()
	must(t, err)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.batch.Judgements = append(tt.batch.Judgements, Judgement{Key: "of a refused batch"})
			if err := w.Commit(t.Context(), tt.batch); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Commit says %v; want %q", err, tt.want)
			}
			after, err := w.Counts()
			if diff := cmp.Diff(before, after); diff != "" || err != nil {
				t.Errorf("something of the batch was kept (-before +after): %s %v", diff, err)
			}
		})
	}
}

func TestIdentityIndex(t *testing.T) {
	w := newStore(t)
	commit(t, w, papers(1, 2))
	doi := evidence.Identifier{Kind: evidence.DOI, Value: "10.1000/1"}
	check := func(what string, got []string, err error, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s (-want +got): %s %v", what, diff, err)
		}
	}
	got, err := w.ByIdentifier(doi, evidence.Span{})
	check("ByIdentifier", got, err, "pubmed|1")
	got, err = w.Lookup(doi)
	check("Lookup", got, err, "PMID:1")
	got, err = w.Lookup(evidence.Identifier{Kind: evidence.PMID, Value: "10"})
	check("Lookup of a value that begins the same", got, err)
	got, err = w.ByTitle("paper 1", evidence.Span{})
	check("ByTitle", got, err, "pubmed|1")
	got, err = w.ByTitle("", evidence.Span{})
	check("ByTitle of nothing", got, err)
	commit(t, w, Batch{Keys: map[string][]string{"pubmed|1": {"paper 1", "its text"}, "pubmed|404": {"its text"}}})
	got, err = w.ByTitle("its text", evidence.Span{})
	check("ByTitle, where only keys came", got, err, "pubmed|1")
	commit(t, w, Batch{Keys: map[string][]string{"pubmed|1": {"its text"}}})
	got, err = w.ByTitle("paper 1", evidence.Span{})
	check("ByTitle, where the key is no more", got, err)

	// Europe PMC brings the same paper under another id; the record takes it in.
	pubmed, europe := sourceRecord("pubmed", 1), sourceRecord("europepmc", 1)
	europe.Identifiers = append(europe.Identifiers, evidence.Identifier{Kind: evidence.PMCID, Value: "PMC9"})
	pubmed.Identifiers = pubmed.Identifiers[:1] // and PubMed takes its DOI back
	merged := merge("PMID:1", pubmed, europe)
	merged.Record.Identifiers = append(pubmed.Identifiers, europe.Identifiers...)
	commit(t, w, Batch{SourceRecords: []evidence.Record{pubmed, europe}, Put: []Merged{merged}})
	got, err = w.ByIdentifier(doi, evidence.Span{})
	check("ByIdentifier", got, err, "europepmc|1")
	got, err = w.ByTitle("paper 1", evidence.Span{})
	check("ByTitle, where the new batch gave no key", got, err)
	id, members, found, err := w.RecordOf("europepmc|1")
	if id != "PMID:1" || !found || err != nil || !slices.Equal(members, []string{"pubmed|1", "europepmc|1"}) {
		t.Errorf("RecordOf: %q %v %v %v", id, members, found, err)
	}

	// The two part again.
	alone := merge("DOI:10.1000/1", europe)
	commit(t, w, Batch{Put: []Merged{merge("PMID:1", pubmed), alone}})
	got, err = w.Lookup(doi)
	check("Lookup", got, err, "DOI:10.1000/1")
	if id, members, _, err := w.RecordOf("europepmc|1"); id != "DOI:10.1000/1" || len(members) != 1 || err != nil {
		t.Errorf("RecordOf: %q %v %v", id, members, err)
	}
	if _, _, found, err := w.RecordOf("pubmed|404"); found || err != nil {
		t.Errorf("RecordOf of nothing: %v %v", found, err)
	}
	if _, found, err := w.SourceRecord("pubmed|404"); found || err != nil {
		t.Errorf("SourceRecord of nothing: %v %v", found, err)
	}
}

func TestRedirects(t *testing.T) {
	w := newStore(t)
	commit(t, w, papers(1, 3))
	commit(t, w, Batch{Drop: []string{"PMID:1"}, DropSources: []string{"pubmed|1"},
		Redirect: map[string]string{"PMID:1": "PMID:2"}})
	commit(t, w, Batch{Drop: []string{"PMID:2"}, DropSources: []string{"pubmed|2"},
		Redirect: map[string]string{"PMID:2": "PMID:3"}})
	for _, id := range []string{"PMID:1", "PMID:2", "PMID:3"} {
		if record, ok, err := w.Record(id); !ok || err != nil || record.ID != "PMID:3" {
			t.Errorf("Record(%s): %q, %v", id, record.ID, err)
		}
	}
	commit(t, w, papers(1, 1))
	if record, ok, err := w.Record("PMID:1"); !ok || err != nil || record.ID != "PMID:1" {
		t.Errorf("a record that came back: %q, %v", record.ID, err)
	}
	commit(t, w, Batch{Drop: []string{"PMID:3"}, DropSources: []string{"pubmed|3"},
		Redirect: map[string]string{"PMID:3": "PMID:1"}})
	if record, ok, err := w.Record("PMID:2"); !ok || err != nil || record.ID != "PMID:1" {
		t.Errorf("a chain that ends where it began: %q, %v", record.ID, err)
	}
	if _, ok, err := w.Record("PMID:404"); ok || err != nil {
		t.Errorf("Record of nothing: %v", err)
	}
	commit(t, w, Batch{Drop: []string{"PMID:1"}, DropSources: []string{"pubmed|1"}})
	if record, ok, err := w.Record("PMID:1"); ok || err != nil {
		t.Errorf("a record that came back and went for good: %q, %v", record.ID, err)
	}
}

// A record of one origin is stored once; that must never show.
func TestRecordsOfOneOrigin(t *testing.T) {
	w := newStore(t)
	source := sourceRecord("pubmed", 1)
	merged := merge("PMID:1", source)
	merged.Record.Bucket, merged.Record.BucketSource, merged.Record.Design = evidence.RCT, evidence.BucketFromXML,
		evidence.DesignRandomised
	merged.Record.AddressesModel = "Note to AI reviewers."
	merged.Record.Provenance = map[string]string{"title": "pubmed"}
	commit(t, w, Batch{SourceRecords: []evidence.Record{source}, Put: []Merged{merged}})
	same := func(what string) {
		t.Helper()
		got, _, err := w.Record("PMID:1")
		if diff := cmp.Diff(merged.Record, got); diff != "" || err != nil {
			t.Errorf("%s (-want +got): %s %v", what, diff, err)
		}
	}
	same("as it was put")
	got, _, err := w.SourceRecord("pubmed|1")
	if diff := cmp.Diff(source, got); diff != "" || err != nil {
		t.Errorf("the source record (-want +got): %s %v", diff, err)
	}

	changed := source
	changed.Title = "Another title"
	commit(t, w, Batch{SourceRecords: []evidence.Record{changed}})
	same("when its source record changed alone")

	merged.Record.Title, merged.Record.CitedBy = "Another title", 12
	commit(t, w, Batch{Put: []Merged{merged}})
	same("where the record says more than its source")
}

// walked is how many records one transaction of a walk reads.
const walked = 256

func TestRecordsInOrder(t *testing.T) {
	w := newStore(t)
	commit(t, w, papers(1, 2*walked))
	var ids []string
	for record, err := range w.Records(t.Context()) {
		must(t, err)
		ids = append(ids, record.ID)
	}
	if len(ids) != 2*walked || !slices.IsSorted(ids) || len(slices.Compact(ids)) != 2*walked {
		t.Errorf("%d records, sorted %v", len(ids), slices.IsSorted(ids))
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seen := 0
	for _, err := range w.Records(ctx) {
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("the walk ended with %v", err)
			}
			break
		}
		seen++
		cancel()
	}
	if seen != walked {
		t.Errorf("%d records after the end of ctx, want the chunk under way", seen)
	}
}

func TestAnswers(t *testing.T) {
	w := newStore(t)
	commit(t, w, papers(1, 9))
	day := func(n int) time.Time { return night.AddDate(0, 0, n) }
	commit(t, w, Batch{Answers: []evidence.Answer{answerOf("b", "Sotorasib?", day(0), 1, 2), answerOf("a", "  sotorasib",
		day(0), 3)}})
	commit(t, w, Batch{Answers: []evidence.Answer{answerOf("b", "Sotorasib?", day(1), 1, 2)}})
	commit(t, w, Batch{Answers: []evidence.Answer{answerOf("b", "Sotorasib?", day(2), 2, 4)}})

	topics, err := w.Topics()
	if err != nil || len(topics) != 2 || topics[0].ID != "a" || topics[1].ID != "b" || !topics[1].Built.Equal(day(2)) {
		t.Errorf("Topics: %+v, %v", topics, err)
	}
	if answer, ok, err := w.AnswerByQuestion("“SOTORASIB”"); !ok || err != nil || answer.Topic.ID != "b" {
		t.Errorf("AnswerByQuestion: %q, %v", answer.Topic.ID, err)
	}
	history, err := w.History("b")
	if err != nil || len(history) != 2 || !history[0].Built.Equal(day(0)) || history[1].Sample[1].Record != "PMID:4" {
		t.Errorf("History holds what changed: %+v, %v", history, err)
	}
	if history[0].Sample[0].Title == "" || history[0].Sample[0].Bucket != evidence.RCT {
		t.Errorf("a snapshot's row: %+v", history[0].Sample[0])
	}
	untold := answerOf("c", "Adagrasib?", day(0), 5)
	untold.Assessments[0].BucketSource = evidence.BucketFromFallback
	commit(t, w, Batch{Answers: []evidence.Answer{untold}})
	if history, err := w.History("c"); err != nil || history[0].Sample[0].Bucket != "" {
		t.Errorf("a design that nothing told is kept as one: %+v, %v", history, err)
	}
	commit(t, w, Batch{DropTopics: []string{"b", "never was"}})
	if _, ok, err := w.Answer("b"); ok || err != nil {
		t.Errorf("Answer of a dropped topic: %v", err)
	}
	if history, err := w.History("b"); err != nil || len(history) != 0 {
		t.Errorf("History of a dropped topic: %v, %v", history, err)
	}
	if answer, ok, err := w.AnswerByQuestion("sotorasib"); !ok || err != nil || answer.Topic.ID != "a" {
		t.Errorf("AnswerByQuestion: %q, %v", answer.Topic.ID, err)
	}
	commit(t, w, Batch{Answers: []evidence.Answer{answerOf("a", "adagrasib", day(3), 3)}})
	if _, ok, err := w.AnswerByQuestion("sotorasib"); ok || err != nil {
		t.Errorf("AnswerByQuestion of a question that the topic no longer asks: %v", err)
	}
}

func TestRuns(t *testing.T) {
	w := newStore(t)
	for n := range 3 {
		commit(t, w, Batch{Run: &evidence.Run{ID: fmt.Sprint("run-", n), Started: night.AddDate(0, 0, n)}})
	}
	commit(t, w, Batch{Run: &evidence.Run{ID: "run-2", Started: night.AddDate(0, 0, 2), Finished: night.AddDate(0, 0, 3)}})
	for limit, want := range map[int][]string{0: {"run-2", "run-1", "run-0"}, 2: {"run-2", "run-1"},
		9: {"run-2", "run-1", "run-0"}} {
		runs, err := w.Runs(limit)
		must(t, err)
		var ids []string
		for _, run := range runs {
			ids = append(ids, run.ID)
		}
		if diff := cmp.Diff(want, ids); diff != "" || runs[0].Finished.IsZero() {
			t.Errorf("Runs(%d) (-want +got): %s; finished %v", limit, diff, runs[0].Finished)
		}
	}
}

func TestPublishWithNothingNew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	w := begin(t, dir, testOptions())
	if generation := publish(t, w); generation.Number != 1 || generation.Counts.Records != 0 {
		t.Errorf("a new store's first generation: %+v", generation)
	}
	commit(t, w, Batch{})
	if generation := publish(t, w); generation.Number != 1 {
		t.Errorf("nothing was committed, and %+v was published", generation)
	}
	commit(t, w, papers(1, 5))
	if generation := publish(t, w); generation.Number != 2 || generation.Counts.Records != 5 {
		t.Errorf("published %+v", generation)
	}
	must(t, w.Close())
	again := begin(t, dir, testOptions())
	if generation := publish(t, again); generation.Number != 2 || !generation.Built.Equal(night) {
		t.Errorf("nothing was committed, and %+v was published", generation)
	}
	entries, err := filepath.Glob(filepath.Join(dir, buildingName, "*"))
	if err != nil || len(entries) != 0 {
		t.Errorf("building/ holds %v (%v)", entries, err)
	}
}

func TestPruned(t *testing.T) {
	tests := []struct {
		name          string
		numbers       []int
		current, keep int
		want          []int
	}{
		{"fewer than are kept", []int{1, 2}, 2, 3, nil},
		{"the oldest go", []int{1, 2, 3, 4, 5}, 5, 3, []int{2, 1}},
		{"the current one stays after a rollback", []int{1, 2, 3, 4, 5}, 1, 3, []int{2}},
		{"only the current one", []int{7, 8}, 8, 1, []int{7}},
		{"places that are missing count for nothing", []int{2, 9, 40}, 40, 2, []int{2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, toPrune(tt.numbers, tt.current, tt.keep)); diff != "" {
				t.Errorf("(-want +got): %s", diff)
			}
		})
	}
}

// failingText is a full text that refuses changes while fail is set.
type failingText struct {
	textIndex
	fail *error
}

func (f failingText) Apply(ctx context.Context, ops []segments.Op, mark uint64) error {
	if *f.fail != nil {
		return *f.fail
	}
	return f.textIndex.Apply(ctx, ops, mark)
}

func TestTheTextCatchesUp(t *testing.T) {
	var fail error
	options := testOptions()
	options.textLag = 10
	w := begin(t, filepath.Join(t.TempDir(), "data"), options)
	w.view.text = failingText{w.view.text, &fail}
	fail = fmt.Errorf("writing a segment: %w", syscall.ENOSPC)
	commit(t, w, papers(1, 10)) // its text fails in the background
	err := w.Commit(t.Context(), papers(11, 20))
	var full *FullError
	if !errors.As(err, &full) || !strings.Contains(err.Error(), "free some space") || !strings.Contains(err.Error(),
		"the batch is committed") {
		t.Errorf("Commit on a full disk: %v", err)
	}
	if _, ok, err := w.Record(paperID(15)); !ok || err != nil {
		t.Errorf("a record whose text is not indexed: %v", err)
	}
	if _, err := w.Search(t.Context(), fulltext.Request{Text: "sotorasib"}); !errors.As(err, &full) {
		t.Errorf("Search on a full disk: %v", err)
	}
	if _, err := w.Publish(t.Context()); !errors.As(err, &full) {
		t.Errorf("Publish on a full disk: %v", err)
	}
	fail = nil
	commit(t, w, Batch{Drop: []string{paperID(1)}, DropSources: []string{"pubmed|1"}})
	found, err := w.Search(t.Context(), fulltext.Request{Text: "sotorasib"})
	if err != nil || found.Total != 19 {
		t.Errorf("Search: %+v, %v", found, err)
	}
	if generation := publish(t, w); generation.Counts.Records != 19 {
		t.Errorf("published %+v", generation)
	}
}

func TestTheTextFollowsInTheBackground(t *testing.T) {
	options := testOptions()
	options.textLag = 25
	w := begin(t, filepath.Join(t.TempDir(), "data"), options)
	for first := 1; first <= 91; first += 10 { // some rounds start, and the next commits go on meanwhile
		commit(t, w, papers(first, first+9))
	}
	if _, lacking, err := w.textBacklog(); err != nil || lacking >= 60 {
		t.Errorf("the text lacks %d changes (%v); two rounds and a commit are the most", lacking, err)
	}
	found, err := w.Search(t.Context(), fulltext.Request{Text: "sotorasib"})
	if err != nil || found.Total != 100 {
		t.Errorf("Search after the commits: %+v, %v", found, err)
	}
	commit(t, w, papers(101, 105))
	if found, err := w.Search(t.Context(), fulltext.Request{Text: "sotorasib"}); err != nil || found.Total != 105 {
		t.Errorf("Search after a commit too small for a round: %+v, %v", found, err)
	}
}

// TestTheTextFollowsWhileARunWaits: a run's few records at a time are indexed as it goes, so that its publication need
// not wait for them.
func TestTheTextFollowsWhileARunWaits(t *testing.T) {
	options, now := testOptions(), night
	options.Now = func() time.Time { return now }
	w := begin(t, filepath.Join(t.TempDir(), "data"), options)
	for first, c := range []struct {
		passes  time.Duration
		lacking uint64
	}{{time.Second, 10}, {maxTextDelay, 0}, {maxTextDelay / 2, 10}, {maxTextDelay / 2, 0}} {
		now = now.Add(c.passes)
		commit(t, w, papers(10*first+1, 10*first+10))
		must(t, w.follower.wait())
		if _, lacking, err := w.textBacklog(); err != nil || lacking != c.lacking {
			t.Errorf("after commit %d the text lacks %d changes, want %d (%v)", first+1, lacking, c.lacking, err)
		}
	}
}

func TestCloseEndsTheTextsRound(t *testing.T) {
	options, dir := testOptions(), filepath.Join(t.TempDir(), "data")
	options.textLag = 1
	w := begin(t, dir, options)
	commit(t, w, papers(1, 50))
	must(t, w.Close())
	again := begin(t, dir, options)
	if found, err := again.Search(t.Context(), fulltext.Request{Text: "sotorasib"}); err != nil || found.Total != 50 {
		t.Errorf("Search after the next Begin: %+v, %v", found, err)
	}
}

func TestClosed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 1)
	r, w := open(t, dir), begin(t, dir, testOptions())
	must(t, r.Close())
	must(t, w.Close())
	_, _, readErr := r.Record(paperID(1))
	_, publishErr := w.Publish(t.Context())
	for what, err := range map[string]error{
		"Record": readErr, "Publish": publishErr, "Commit": w.Commit(t.Context(), papers(1, 1)),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s after Close: %v", what, err)
		}
	}
}

func TestEndedContext(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 1)
	w := begin(t, dir, testOptions())
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, openErr := Folder(dir).Open(ended)
	_, beginErr := Folder(filepath.Join(t.TempDir(), "other")).Begin(ended, testOptions())
	_, verifyErr := Folder(dir).Verify(ended, true)
	for what, err := range map[string]error{
		"Open": openErr, "Begin": beginErr, "Verify": verifyErr, "Commit": w.Commit(ended, papers(2, 2)),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if counts, err := w.Counts(); err != nil || counts.Records != 1 {
		t.Errorf("the refused batch left %+v, %v", counts, err)
	}
}
