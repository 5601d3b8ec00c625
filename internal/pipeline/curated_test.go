package pipeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// stated is an accepted statement on a paper and on the question of bowelTopic, as fakeDictionary takes it.
func stated(pmid, id, level string, changes ...func(*evidence.CuratedStatement)) evidence.CuratedStatement {
	s := evidence.CuratedStatement{
		Source: evidence.CuratedCIViC, ID: id, PMID: pmid, Profile: "KRAS G12C", Disease: "colorectal cancer", Level: level,
		Direction: "Supports", Status: evidence.StatementAccepted,
	}
	for _, change := range changes {
		change(&s)
	}
	return s
}

func flagged(s *evidence.CuratedStatement)   { s.Flagged = true }
func submitted(s *evidence.CuratedStatement) { s.Status = evidence.StatementSubmitted }
func against(s *evidence.CuratedStatement)   { s.Direction = evidence.SpeaksAgainst }
func onG12D(s *evidence.CuratedStatement)    { s.Profile = "KRAS G12D" }

func TestPutForward(t *testing.T) {
	type statements = []evidence.CuratedStatement
	for _, tc := range []struct {
		name       string
		score      float64
		change     func(*Assessed)
		statements statements
		want       float64
		criterion  string // empty: not put forward
		passed     bool
	}{
		{"nothing is said", 6, nil, nil, 6, "", true},
		{"level A", 6, nil, statements{stated("1", "EID1", "A")}, 7.5, "CIViC level A (EID1), +1.5", true},
		{"level B", 6, nil, statements{stated("1", "EID1", "B")}, 7, "CIViC level B (EID1), +1.0", true},
		{"level C", 6, nil, statements{stated("1", "EID1", "C")}, 6.5, "CIViC level C (EID1), +0.5", true},
		{"level D", 6, nil, statements{stated("1", "EID1", "D")}, 6, "", true},
		{"level E", 6, nil, statements{stated("1", "EID1", "E")}, 6, "", true},
		{"the best of several", 6, nil, statements{stated("1", "EID1", "A", onG12D), stated("1", "EID2", "B"),
			stated("1", "EID3", "C")}, 7, "CIViC level B (EID2), +1.0", true},
		{"against it", 6, nil, statements{stated("1", "EID1", "B", against)}, 7,
			"CIViC level B (EID1, does not support), +1.0", true},
		{"on another question", 6, nil, statements{stated("1", "EID1", "A", onG12D)}, 6, "", true},
		{"not accepted yet", 6, nil, statements{stated("1", "EID1", "A", submitted)}, 6, "", true},
		{"flagged", 6, nil, statements{stated("1", "EID1", "A", flagged)}, 6, "", true},
		{"at most ten", 9.5, nil, statements{stated("1", "EID1", "B")}, 10, "CIViC level B (EID1), +1.0, at most 10", true},
		{"tenths stay tenths", 6.7, nil, statements{stated("1", "EID1", "A")}, 8.2, "CIViC level A (EID1), +1.5", true},
		{"lifted over the score that passes", 4.2, nil, statements{stated("1", "EID1", "B")}, 5.2,
			"CIViC level B (EID1), +1.0", true},
		{"not lifted far enough", 3.2, nil, statements{stated("1", "EID1", "B")}, 4.2, "CIViC level B (EID1), +1.0", false},
		{"a title that contradicts", 4.2, func(a *Assessed) { a.Assessment.Contradiction = "its title is on lung cancer" },
			statements{stated("1", "EID1", "A")}, 4.2, "", false},
		{"retracted", 6, func(a *Assessed) { a.Assessment.Excluded = "retracted" }, statements{stated("1", "EID1", "A")}, 6,
			"", true},
		{"a registered trial", 6, func(a *Assessed) { a.Record.Trial = &evidence.Trial{} },
			statements{stated("1", "EID1", "A")}, 6, "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := passing(1, evidence.RCT, tc.score)
			a.Assessment.Criteria = []string{"KRAS G12C"}
			a.Assessment.Passed = tc.score >= 5
			if tc.change != nil {
				tc.change(&a)
			}
			before := a.Assessment
			a.Record.Curated = tc.statements
			p, asked := testPipeline(), lexicon.Question{Text: bowelQuestion}
			all := []Assessed{a}
			if otherwise := p.putForward(&asked, false, all); otherwise != (tc.criterion != "") {
				t.Errorf("says that it changed: %v", otherwise)
			}
			got := all[0].Assessment
			criteria := []string{"KRAS G12C"}
			if tc.criterion != "" {
				criteria = append(criteria, tc.criterion)
			}
			if diff := cmp.Diff(criteria, got.Criteria); diff != "" || got.Score != tc.want || got.Passed != tc.passed ||
				(got.PutForward != nil) != (tc.criterion != "") {
				t.Errorf("score %v, passed %v, want %v, %v; criteria (-want +got):\n%s", got.Score, got.Passed, tc.want,
					tc.passed, diff)
			}
			if again := p.putForward(&asked, false, all); again || !cmp.Equal(got, all[0].Assessment) {
				t.Errorf("the same again says %v and makes %+v", again, all[0].Assessment)
			}
			all[0].Record.Curated = nil
			p.putForward(&asked, false, all)
			if diff := cmp.Diff(before, all[0].Assessment); diff != "" {
				t.Errorf("without the statement the judgement is another (-before +after):\n%s", diff)
			}
		})
	}
}

// twoCohorts is a store with an answer in which one of two cohorts has the only place.
func twoCohorts(t *testing.T) (*Pipeline, *fakeStore, evidence.Topic) {
	t.Helper()
	first := paper(11, "KRAS G12C colorectal cancer in practice", "Observational Study")
	second := paper(12, "KRAS G12C in practice, an account of many years and places", "Observational Study")
	second.Abstract = []evidence.Section{{Text: "Colorectal cancer."}}
	p, store, topic := testPipeline(&fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{first, second}}),
		newFakeStore(), topicOn(bowelQuestion)
	topic.MaxResults = 1
	mustRun(t, p, store, topic)
	if a := store.answerOn(t, topic); !cmp.Equal(a.Sample, []string{"PMID:11"}) || a.Counts.Passed != 2 {
		t.Fatalf("the sample is %v of %+v", a.Sample, a.Counts)
	}
	return p, store, topic
}

func importOf(t *testing.T, p *Pipeline, store Library, day evidence.Date, statements ...evidence.CuratedStatement) (
	evidence.Run, CuratedCounts) {
	t.Helper()
	file := evidence.CuratedFile{Source: evidence.CuratedCIViC, Name: "summaries.tsv", Date: day, Imported: p.Now(),
		Statements: statements}
	run, counts, err := p.ImportCurated(t.Context(), store, file, ImportOptions{ID: "civic-" + string(day),
		Files: "summaries.tsv"})
	if err != nil {
		t.Fatal(err)
	}
	return run, counts
}

func TestAnImportReachesAnswersThatAreStored(t *testing.T) {
	p, store, topic := twoCohorts(t)
	judged := store.answerOn(t, topic)
	run, counts := importOf(t, p, store, "2026-01-01", stated("12", "EID1", "A"), stated("77", "EID2", "A"))
	want := CuratedCounts{Statements: 2, CuratedChanges: evidence.CuratedChanges{New: 2}, Papers: 2, Joined: 1,
		Corrected: []string{topic.ID}}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if run.Generation == 0 || run.Finished.IsZero() || run.Import != "summaries.tsv" || len(run.Notes) != 2 {
		t.Errorf("the run's record: %+v", run)
	}
	a := store.answerOn(t, topic)
	if !cmp.Equal(a.Sample, []string{"PMID:12"}) || a.Counts.PutForward != 1 || !a.Built.Equal(judged.Built) ||
		!a.Corrected.After(a.Built) {
		t.Errorf("after the import: sample %v, counts %+v, built %v, corrected %v", a.Sample, a.Counts, a.Built, a.Corrected)
	}
	checkSums(t, a.Counts)

	mustRun(t, p, store, topic)
	if a := store.answerOn(t, topic); !cmp.Equal(a.Sample, []string{"PMID:12"}) || a.Counts.PutForward != 1 {
		t.Errorf("after the next night: sample %v, counts %+v", a.Sample, a.Counts)
	}

	_, counts = importOf(t, p, store, "2026-02-01", stated("12", "EID1", "D"))
	want = CuratedCounts{Statements: 1, Before: 2, BeforeDate: "2026-01-01",
		CuratedChanges: evidence.CuratedChanges{Changed: 1, Gone: 1}, Papers: 1, Joined: 1, Corrected: []string{topic.ID}}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("counts of the later file (-want +got):\n%s", diff)
	}
	a = store.answerOn(t, topic)
	if diff := cmp.Diff(judged.Assessments, a.Assessments); diff != "" || !cmp.Equal(judged.Sample, a.Sample) {
		t.Errorf("without the statement the answer is not what it was (-want +got):\n%s", diff)
	}
}

func TestTheSameFileAgainWritesNothing(t *testing.T) {
	p, store, _ := twoCohorts(t)
	importOf(t, p, store, "2026-01-01", stated("12", "EID1", "A"))
	store.batches = nil
	run, counts := importOf(t, p, store, "2026-01-01", stated("12", "EID1", "A"))
	if len(store.batches) > 0 || counts.Corrected != nil || counts.CuratedChanges != (evidence.CuratedChanges{}) ||
		run.Finished.After(run.Started) {
		t.Errorf("%d batches, %+v, %+v", len(store.batches), counts, run)
	}
	_, counts = importOf(t, p, store, "2026-02-01", stated("12", "EID1", "A"))
	if file, _, _ := store.CuratedFile(); file.Date != "2026-02-01" || counts.Changed != 0 || counts.Corrected != nil {
		t.Errorf("the same statements on a later day: %+v, the store has the file of %s", counts, file.Date)
	}
}

// An import that was interrupted between its statements and the answers is finished by the next import or run,
// whichever comes first.
func TestAnInterruptedImportIsFinished(t *testing.T) {
	for _, tc := range []struct {
		name string
		next func(*testing.T, *Pipeline, *fakeStore, evidence.Topic)
	}{
		{"by the same import", func(t *testing.T, p *Pipeline, store *fakeStore, _ evidence.Topic) {
			importOf(t, p, store, "2026-01-01", stated("12", "EID1", "A"))
		}},
		{"by a run of other topics", func(t *testing.T, p *Pipeline, store *fakeStore, _ evidence.Topic) {
			mustRun(t, p, store, topicOn("melanoma"))
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, store, topic := twoCohorts(t)
			file := evidence.CuratedFile{Date: "2026-01-01", Statements: []evidence.CuratedStatement{stated("12", "EID1", "A")}}
			if err := store.Commit(t.Context(), evidence.Batch{Curated: &file}); err != nil {
				t.Fatal(err)
			}
			tc.next(t, p, store, topic)
			if a := store.answerOn(t, topic); !cmp.Equal(a.Sample, []string{"PMID:12"}) {
				t.Errorf("the sample is %v", a.Sample)
			}
		})
	}
}

// What is kept of a model's judgement is what it said; what is added stands in the answer alone.
func TestAKeptJudgementIsNotRewritten(t *testing.T) {
	p, store, topic := twoCohorts(t)
	p.Judge = &fakeJudge{says: map[string]evidence.Assessment{
		"PMID:11": {Record: "PMID:11", Relevant: true, Score: 7, Criteria: []string{"disease"}},
		"PMID:12": {Record: "PMID:12", Relevant: true, Score: 6, Criteria: []string{"disease"}},
	}}
	importOf(t, p, store, "2026-01-01", stated("12", "EID1", "A"))
	mustRun(t, p, store, topic)
	a := store.answerOn(t, topic)
	if !cmp.Equal(a.Sample, []string{"PMID:12"}) || a.Assessments[1].Score != 7.5 {
		t.Errorf("the sample is %v, scores %+v", a.Sample, a.Assessments)
	}
	kept, ok, err := store.Judgement(evidence.JudgementKey(topic.Question, a.Assessments[1].Content, "model-1",
		"prompt-1"))
	if err != nil || !ok || kept.Assessment.Score != 6 || len(kept.Assessment.Criteria) != 1 ||
		kept.Assessment.PutForward != nil {
		t.Errorf("kept is %+v, %v, %v", kept.Assessment, ok, err)
	}
}

// A live answer has the levels of papers that were fetched just now, and what it leaves for the store has not.
func TestALiveAnswerPutsForwardToo(t *testing.T) {
	p, store, topic := twoCohorts(t)
	importOf(t, p, store, "2026-01-01", stated("13", "EID1", "A"))
	third := paper(13, "KRAS G12C in practice, and colorectal cancer", "Observational Study")
	p.Sources[0].(*fakeSource).records = append(p.Sources[0].(*fakeSource).records, third)
	topic.ID = evidence.LiveTopicID(topic.Question)
	in, _, err := askLive(t, p, store, topic)
	if err != nil || !cmp.Equal(in.Answer.Sample, []string{"PMID:13"}) || in.Answer.Counts.PutForward != 1 {
		t.Errorf("sample %v, counts %+v, %v", in.Answer.Sample, in.Answer.Counts, err)
	}
	for id, r := range in.Records {
		if r.Curated != nil {
			t.Errorf("%s is left with %v", id, r.Curated)
		}
	}
	if diff := cmp.Diff(store.answerOn(t, topicOn(bowelQuestion)).Sample, []string{"PMID:11"},
		cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the stored answer changed:\n%s", diff)
	}
}
