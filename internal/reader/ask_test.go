package reader_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/reader"
)

const (
	g12cTitle = "KRAS G12C resistance to sotorasib in colorectal cancer"
	g12dTitle = "KRAS G12D resistance in colorectal cancer"
)

// TestTheOrderOfAnswers: the topic by id or question, a topic that asks the same, the full text.
func TestTheOrderOfAnswers(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle), paper(2, g12dTitle), paper(3, "Sotorasib in pancreatic cancer"))
	s.night(topic("kras-crc", "KRAS G12C colorectal cancer sotorasib"), topic("pancreas", "pancreatic cancer"),
		topic("all-kras", "KRAS colorectal cancer"))
	s.offline = true
	for _, tc := range []struct {
		name, question string
		origin         answer.Origin
		topic          string // "" where no topic answers
		warning        string
		sample         []string
	}{
		{"a topic's id", "kras-crc", answer.FromTopic, "kras-crc", "", []string{"PMID:1"}},
		{"a topic's question, in other capitals and with a question mark", "kras g12c colorectal cancer  SOTORASIB?",
			answer.FromTopic, "kras-crc", "", []string{"PMID:1"}},
		{"a question on the same things", "sotorasib for CRC with KRAS p.G12C", answer.FromTopic, "kras-crc",
			"topic's question \"KRAS G12C colorectal cancer sotorasib\", which asks the same.", []string{"PMID:1"}},
		{"records that have all concepts", "sotorasib pancreatic cancer", answer.FromStore, "", "", []string{"PMID:3"}},
		{"the variant beside that of a topic", "KRAS G12D colorectal cancer", answer.FromStore, "", "", []string{"PMID:2"}},
		{"pasted with control characters", "KRAS\tG12D\x1b\u202e colorectal\ncancer", answer.FromStore, "", "",
			[]string{"PMID:2"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := s.must(tc.question)
			if a.Origin != tc.origin || tc.topic != "" && a.Answer.Topic.ID != tc.topic {
				t.Errorf("answered from %s %s, want %s %s", a.Origin, a.Answer.Topic.ID, tc.origin, tc.topic)
			}
			if diff := cmp.Diff(tc.sample, ids(a.Sample)); diff != "" {
				t.Errorf("sample (-want +got):\n%s", diff)
			}
			if got := strings.Join(a.Warnings, " "); !strings.Contains(got, tc.warning) || tc.warning == "" && got != "" {
				t.Errorf("warnings %q, want %q", got, tc.warning)
			}
			if a.Generation != 1 || !a.Answer.Built.Equal(lastNight) {
				t.Errorf("generation %d of %s, want 1 of %s", a.Generation, a.Answer.Built, lastNight)
			}
		})
	}
}

// TestNoNearTopicAnswers holds questions that differ from a topic, and from all of its records, in one thing that
// matters.
func TestNoNearTopicAnswers(t *testing.T) {
	for _, tc := range []struct{ topic, title, question string }{
		{"KRAS G12D colorectal cancer", g12dTitle, "KRAS G12C colorectal cancer"},
		{"KRAS G12C colorectal cancer", g12cTitle, "KRAS G12C lung cancer"},
		{"EGFR exon 19 deletion lung cancer", "EGFR exon 19 deletions in lung cancer", "EGFR exon 20 insertion lung cancer"},
		{"ALK fusion lung cancer", "ALK fusions in lung cancer", "ALK mutation lung cancer"},
		{"BRAF V600E melanoma dabrafenib", "Dabrafenib in BRAF V600E melanoma", "BRAF V600E melanoma vemurafenib"},
		{"MSI-H colorectal cancer pembrolizumab", "Pembrolizumab in MSI-H colorectal cancer",
			"MSS colorectal cancer pembrolizumab"},
		{"MSS colorectal cancer pembrolizumab", "Pembrolizumab in MSS colorectal cancer",
			"MSI-H colorectal cancer pembrolizumab"},
		{"KRAS colorectal cancer", g12cTitle, "KRAS G12C colorectal cancer acupuncture"},
		{"EGFR T790M lung cancer osimertinib", "Osimertinib in EGFR T790M lung cancer, not chemotherapy",
			"EGFR T790M- lung cancer osimertinib"},
		{"lung cancer sotorasib", "Sotorasib in lung cancer: not yet approved", "lung cancer not suitable for sotorasib"},
		{"lung cancer MRD sotorasib", "Sotorasib, lung cancer and MRD in HER2-negative cells",
			"MRD-negative lung cancer sotorasib"},
	} {
		t.Run(tc.question, func(t *testing.T) {
			s := newSite(t, paper(1, tc.title))
			s.night(topic("near", tc.topic))
			s.offline = true
			_, err := s.ask(tc.question)
			if !errors.As(err, new(*reader.MissError)) {
				t.Errorf("the error is %v, want a miss", err)
			}
			if s.must(tc.topic).Origin != answer.FromTopic {
				t.Errorf("the topic itself is not found")
			}
		})
	}
}

// TestLettersInAnotherCase ask the same only where they are read as the same.
func TestLettersInAnotherCase(t *testing.T) {
	for _, tc := range []struct {
		topic, question string
		same            bool
	}{
		{"AML ALL patients", "AML all patients", false},
		{"KRAS G12C colorectal cancer", "kras g12c Colorectal Cancer", true},
	} {
		t.Run(tc.question, func(t *testing.T) {
			s := newSite(t, paper(1, tc.topic))
			s.night(topic("written", tc.topic))
			s.offline = true
			found, err := s.ask(tc.question)
			if is := err == nil && found.Origin == answer.FromTopic; is != tc.same {
				t.Errorf("answered from the topic: %v, want %v", is, tc.same)
			}
		})
	}
}

func TestQuestionsThatNobodyCanAnswer(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle))
	s.night(topic("kras", "KRAS G12C"))
	night := s.pubmed.asked
	for name, question := range map[string]string{
		"empty": "  \n", "control characters only": "\x1b\x07", "signs only": "???",
		"words that say nothing":        "what does the of and",
		"a language that no rule reads": "колоректальный рак", "an organ alone": "breast", "digits only": "12345",
		"too long": strings.Repeat("kras ", 1000),
	} {
		for _, s.offline = range []bool{true, false} {
			if _, err := s.ask(question); !errors.As(err, new(*reader.QuestionError)) {
				t.Errorf("%s, offline %v: the error is %v, want a QuestionError", name, s.offline, err)
			}
		}
	}
	if s.pubmed.asked != night {
		t.Errorf("the services were asked %d times, want only %d last night", s.pubmed.asked, night)
	}
}

// TestALiveAnswerIsKept follows a question from its miss through the inbox into the store.
func TestALiveAnswerIsKept(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	s.pubmed.records = append(s.pubmed.records, paper(7, "Nivolumab in melanoma"))
	const question = "nivolumab melanoma"

	s.now = lastNight.Add(8 * time.Hour)
	s.offline = true
	if _, err := s.ask(question); !errors.As(err, new(*reader.MissError)) {
		t.Fatalf("offline: %v, want a miss", err)
	}
	s.offline = false
	asked := s.pubmed.asked
	live := s.must(question)
	if live.Origin != answer.FromLive || s.pubmed.asked == asked || s.waiting() != 1 {
		t.Fatalf("answered from %s, asked %d times, %d answers wait", live.Origin, s.pubmed.asked-asked, s.waiting())
	}
	asked = s.pubmed.asked
	for _, again := range []string{question, "Nivolumab  melanoma?", "melanoma: nivolumab"} {
		a := s.must(again)
		if a.Origin != answer.FromInbox || a.Generation != 0 {
			t.Errorf("%q is answered from %s of generation %d, want the inbox", again, a.Origin, a.Generation)
		}
		if diff := cmp.Diff(ids(live.Sample), ids(a.Sample)); diff != "" {
			t.Errorf("%q: sample (-live +again):\n%s", again, diff)
		}
	}
	if s.pubmed.asked != asked {
		t.Errorf("the services were asked again")
	}

	s.now = lastNight.Add(24 * time.Hour)
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	if s.waiting() != 0 {
		t.Errorf("%d answers still wait", s.waiting())
	}
	s.offline = true
	if a := s.must(question); a.Origin != answer.FromTopic || a.Generation != 2 || len(a.Sample) != 1 {
		t.Errorf("after the next run it is answered from %s of generation %d with %d records", a.Origin, a.Generation,
			len(a.Sample))
	}
}

func TestServicesThatFail(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	s.pubmed.err = errors.New("503 from the service")
	for name, question := range map[string]string{
		"nothing is near":              "nivolumab melanoma",
		"the store has what is nearby": "KRAS G12C colorectal cancer panitumumab",
	} {
		_, err := s.ask(question)
		if err == nil || !strings.Contains(err.Error(), "503 from the service") || errors.As(err, new(*reader.MissError)) {
			t.Errorf("%s: the error is %v, want the service's", name, err)
		}
	}
	if s.waiting() != 0 {
		t.Errorf("an answer of nothing was kept")
	}
}

func TestADamagedInboxIsWorthAWarning(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle), paper(7, "Nivolumab in melanoma"))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	s.must("nivolumab melanoma")
	files, err := filepath.Glob(filepath.Join(s.dir, "inbox", "*.answer"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files in the inbox: %v", len(files), err)
	}
	if err := os.Truncate(files[0], 20); err != nil {
		t.Fatal(err)
	}
	s.offline = true
	var miss *reader.MissError
	if _, err := s.ask("nivolumab melanoma"); !errors.As(err, &miss) || !strings.Contains(err.Error(), "can't be read") {
		t.Errorf("the error is %v, want a miss that tells of the damaged file", err)
	}
	if a := s.must("kras"); len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "can't be read") {
		t.Errorf("warnings %q, want one of the damaged file", a.Warnings)
	}
}

// TestAnInboxThatCannotBeWritten: the answer is worth more than its copy.
func TestAnInboxThatCannotBeWritten(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle), paper(7, "Nivolumab in melanoma"))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	inbox := filepath.Join(s.dir, "inbox")
	if err := errors.Join(os.RemoveAll(inbox), os.WriteFile(inbox, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	a := s.must("nivolumab melanoma")
	if len(a.Sample) != 1 || !strings.Contains(strings.Join(a.Warnings, " "), "could not be kept") {
		t.Errorf("%d records, warnings %q", len(a.Sample), a.Warnings)
	}
}

func TestWhatTheStoreLearntAfterTheSampleWasMade(t *testing.T) {
	key := func(r evidence.Record) string { return r.Origins[0].Key() }
	retract := func(r evidence.Record) evidence.Record {
		r.ID = "PMID:" + r.Origins[0].ID
		r.Retraction = evidence.Retraction{Status: evidence.Yes, Source: evidence.SourcePubMed, Checked: "2026-03-01"}
		return r
	}
	t.Run("a retraction", func(t *testing.T) {
		s := newSite(t, paper(1, g12cTitle), paper(4, g12cTitle+" again"))
		s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
		s.commit(evidence.Batch{Put: []evidence.Merged{{Record: retract(paper(1, g12cTitle)),
			Members: []string{key(paper(1, ""))}}}})
		a := s.must("kras")
		if diff := cmp.Diff([]string{"PMID:4"}, ids(a.Sample)); diff != "" {
			t.Errorf("sample (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"PMID:1"}, ids(a.Removed)); diff != "" {
			t.Errorf("removed (-want +got):\n%s", diff)
		}
		if len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "PMID:1 was retracted") {
			t.Errorf("warnings %q", a.Warnings)
		}
	})
	t.Run("a retraction of what waits in the inbox", func(t *testing.T) {
		s := newSite(t, paper(1, g12cTitle), paper(7, "Nivolumab in melanoma"))
		s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
		s.must("nivolumab melanoma")
		retracted := retract(paper(7, "Nivolumab in melanoma"))
		s.commit(evidence.Batch{SourceRecords: []evidence.Record{retracted},
			Put: []evidence.Merged{{Record: retracted, Members: []string{key(retracted)}, New: true}}})
		if a := s.must("nivolumab melanoma"); a.Origin != answer.FromInbox || len(a.Sample) != 0 || len(a.Removed) != 1 {
			t.Errorf("from %s: sample %v, removed %v", a.Origin, ids(a.Sample), ids(a.Removed))
		}
	})
	t.Run("a withdrawal", func(t *testing.T) {
		s := newSite(t, paper(1, g12cTitle), paper(4, g12cTitle+" again"))
		s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
		s.commit(evidence.Batch{DropSources: []string{key(paper(1, ""))}, Drop: []string{"PMID:1"}})
		a := s.must("kras")
		if diff := cmp.Diff([]string{"PMID:4"}, ids(a.Sample)); diff != "" {
			t.Errorf("sample (-want +got):\n%s", diff)
		}
		if len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "PMID:1 was withdrawn") {
			t.Errorf("warnings %q", a.Warnings)
		}
	})
}

// TestCuratorsWordsReachAnswersWhereverTheyComeFrom: what a file brings stands beside the records of a stored answer,
// of the full text, of a live answer, and of one that waits in the inbox since before the file.
func TestCuratorsWordsReachAnswersWhereverTheyComeFrom(t *testing.T) {
	const melanoma = "BRAF V600E melanoma nivolumab"
	s := newSite(t, paper(1, g12cTitle), paper(7, "Nivolumab in BRAF V600E melanoma"),
		paper(8, "Nivolumab in BRAF V600K melanoma"))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	s.must(melanoma)
	statement := func(pmid, profile, disease, drug string) evidence.CuratedStatement {
		return evidence.CuratedStatement{Source: evidence.CuratedCIViC, ID: "EID" + pmid, PMID: pmid, Profile: profile,
			Disease:   disease,
			Therapies: []string{drug}, Level: "B", Status: evidence.StatementAccepted, FileDate: "2026-02-01"}
	}
	s.commit(evidence.Batch{Curated: &evidence.CuratedFile{Source: evidence.CuratedCIViC, Date: "2026-02-01",
		Statements: []evidence.CuratedStatement{
			statement("1", "KRAS G12C", "Colorectal Cancer", "Sotorasib"), statement("7", "BRAF V600E", "Melanoma", "Nivolumab"),
			statement("8", "BRAF V600K", "Melanoma", "Nivolumab"),
		}}})
	for _, tc := range []struct {
		name, question string
		live           bool
		origin         answer.Origin
		forward        int
	}{
		{"a topic's answer, until it is sampled again", "kras", false, answer.FromTopic, 0},
		{"the full text", "KRAS G12C sotorasib", false, answer.FromStore, 1},
		{"the inbox, sampled again as it is shown", melanoma, false, answer.FromInbox, 1},
		{"live", "BRAF V600K melanoma nivolumab", true, answer.FromLive, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s.live = tc.live
			a := s.must(tc.question)
			if a.Origin != tc.origin || len(a.Sample) != 1 || a.Answer.Counts.PutForward != tc.forward {
				t.Fatalf("from %s: %v, %d put forward", a.Origin, ids(a.Sample), a.Answer.Counts.PutForward)
			}
			if got := a.Sample[0].Record.Curated; len(got) != 1 || "PMID:"+got[0].PMID != a.Sample[0].Record.ID {
				t.Errorf("%s comes with %v", a.Sample[0].Record.ID, got)
			}
		})
	}
}

func TestTheAgeOfAnAnswer(t *testing.T) {
	const eightDays = 8 * 24 * time.Hour
	s := newSite(t, paper(1, g12cTitle), paper(7, "Nivolumab in melanoma"))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	s.must("nivolumab melanoma")
	for _, tc := range []struct {
		name, question string
		after          time.Duration
		stale          bool
		warning        string
	}{
		{"fresh", "kras", 6 * 24 * time.Hour, false, ""},
		{"a stale topic", "kras", eightDays, true, "8 days old: check that the indexer runs"},
		{"the full text is as old as the store", "sotorasib resistance", eightDays, true,
			"8 days old: check that the indexer runs"},
		{"a stale live answer, which no run renews", "nivolumab melanoma", eightDays, true, "put it into a topic file"},
		{"a clock that is a little slow", "kras", -time.Minute, false, ""},
		{"a clock that is wrong", "kras", -48 * time.Hour, true, "which is yet to come"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s.now = lastNight.Add(tc.after)
			a := s.must(tc.question)
			want := tc.after
			if want > -time.Hour {
				want = max(0, want)
			}
			if a.Age != want || a.Stale != tc.stale {
				t.Errorf("age %s, stale %v", a.Age, a.Stale)
			}
			if got := strings.Join(a.Warnings, " "); !strings.Contains(got, tc.warning) || tc.warning == "" && got != "" {
				t.Errorf("warnings %q, want %q", got, tc.warning)
			}
		})
	}
}
