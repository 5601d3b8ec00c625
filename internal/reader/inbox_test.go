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
	"dossier/internal/pipeline"
	"dossier/internal/reader"
	"dossier/internal/store"
)

const melanomaQuestion = "nivolumab melanoma"

// keep puts an answer of our own making into the inbox, with papers that PubMed is said to have given.
func (s *site) keep(question string, built time.Time, papers ...evidence.Record) {
	s.t.Helper()
	in := evidence.InboxAnswer{SourceRecords: papers}
	in.Answer.Topic, in.Answer.Built = topic(evidence.LiveTopicID(question), question), built
	for _, p := range papers {
		in.Answer.Assessments = append(in.Answer.Assessments, evidence.Assessment{Record: "PMID:" + p.Origins[0].ID})
	}
	if err := store.PutInbox(s.dir, in); err != nil {
		s.t.Fatal(err)
	}
}

// giveAway makes another user the owner of all that waits.
func (s *site) giveAway() {
	s.t.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "inbox", "*.answer"))
	for _, file := range files {
		err = errors.Join(err, os.Chown(file, 54321, -1))
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func TestALiveAnswerIsShownAsWhatItIs(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle), paper(7, "Nivolumab in melanoma"))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	s.now = lastNight.Add(8 * time.Hour)
	s.must(melanomaQuestion)
	s.offline = true
	a := s.must(melanomaQuestion)
	want := &evidence.Live{Topic: evidence.LiveTopicID(melanomaQuestion), Owner: a.Live.Owner, Fetched: s.now,
		Vouched: true}
	if diff := cmp.Diff(want, a.Live); diff != "" || a.Live.Owner == "" || a.Sample[0].Live == nil {
		t.Errorf("the record's %v; the answer's (-want +got):\n%s", a.Sample[0].Live, diff)
	}
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	if a := s.must(melanomaQuestion); a.Origin != answer.FromInbox {
		t.Errorf("a night that may not ask the services has taken the answer in: from %s", a.Origin)
	}
	s.offline = false
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	if a := s.must(melanomaQuestion); a.Origin != answer.FromTopic || a.Live != nil || a.Sample[0].Live != nil {
		t.Errorf("taken in: from %s, live %v, the record's %v", a.Origin, a.Live, a.Sample[0].Live)
	}
}

// TestAStrangersAnswer is shown, with whose word it is, and goes behind every answer that is vouched for.
func TestAStrangersAnswer(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
	s := newSite(t, paper(1, g12cTitle))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	s.offline = true
	s.keep(melanomaQuestion, lastNight.Add(9*time.Hour), paper(99000001, "Nivolumab in melanoma: FORGED"),
		paper(1, "FORGED"))
	s.giveAway()
	a := s.must(melanomaQuestion)
	if a.Live == nil || a.Live.Vouched || a.Live.Owner != "user 54321" || !strings.Contains(strings.Join(a.Warnings, " "),
		"is neither you nor the owner") {
		t.Errorf("live %+v, warnings %q", a.Live, a.Warnings)
	}
	asker, stored := s.asker()
	defer stored.Close()
	items, _, ok, err := asker.LiveItems(t.Context(), evidence.LiveTopicID(melanomaQuestion))
	if err != nil || !ok || len(items) != 2 || items[0].Record.Title != g12cTitle || items[0].Live != nil ||
		items[1].Live == nil {
		t.Errorf("the store's own record is the stranger's, or lost: %+v, %v", items, err)
	}
	s.keep(melanomaQuestion, lastNight.Add(time.Hour), paper(99000002, "Nivolumab in melanoma"))
	if a := s.must(melanomaQuestion); !a.Live.Vouched || len(a.Sample) != 1 || a.Sample[0].Record.ID != "PMID:99000002" {
		t.Errorf("the stranger's newer answer goes before ours: %+v, %v", a.Live, ids(a.Sample))
	}
}

// TestTheNewerLiveAnswerCounts before an older one that the store has taken in, and neither before a topic's.
func TestTheNewerLiveAnswerCounts(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle), paper(7, "Nivolumab in melanoma"))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	s.must(melanomaQuestion)
	s.night()
	s.offline = true
	s.keep(melanomaQuestion, lastNight.Add(time.Hour), paper(8, "Nivolumab in melanoma, again"))
	for _, question := range []string{melanomaQuestion, "melanoma: nivolumab", evidence.LiveTopicID(melanomaQuestion)} {
		if a := s.must(question); a.Origin != answer.FromInbox {
			t.Errorf("%q is answered from %s", question, a.Origin)
		}
	}
	const kras = "KRAS G12C colorectal cancer sotorasib"
	s.keep(kras, lastNight.Add(time.Hour), paper(8, g12cTitle+", again"))
	for _, question := range []string{kras, "sotorasib for CRC with KRAS p.G12C", "kras"} {
		if a := s.must(question); a.Origin != answer.FromTopic || a.Answer.Topic.ID != "kras" {
			t.Errorf("%q is answered from %s %s", question, a.Origin, a.Answer.Topic.ID)
		}
	}
}

// TestAQueryInALiveAnswerIsNotSent, when it is asked again by its id: of a file's topic only the question counts.
func TestAQueryInALiveAnswerIsNotSent(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle), paper(7, "Nivolumab in melanoma"))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	in := evidence.InboxAnswer{SourceRecords: []evidence.Record{paper(7, "Nivolumab in melanoma")}}
	in.Answer.Topic = topic(evidence.LiveTopicID(melanomaQuestion), melanomaQuestion)
	in.Answer.Topic.Query, in.Answer.Topic.MaxResults = "FORGED[tiab]", 500
	if err := store.PutInbox(s.dir, in); err != nil {
		t.Fatal(err)
	}
	s.live = true
	a := s.must(evidence.LiveTopicID(melanomaQuestion))
	if a.Origin != answer.FromLive || a.Answer.Topic.MaxResults != 20 || strings.Contains(strings.Join(s.pubmed.queries,
		" "), "FORGED") {
		t.Errorf("from %s with %+v; asked were %q", a.Origin, a.Answer.Topic, s.pubmed.queries)
	}
}

// TestLiveRecords are those that the store lacks, each once.
func TestLiveRecords(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	s.keep("one", lastNight.Add(time.Hour), paper(1, "FORGED"), paper(8, "Newer"), paper(9, "Alone"))
	s.keep("two", lastNight, paper(8, "Older"))
	_, stored := s.asker()
	defer stored.Close()
	for name, view := range map[string]pipeline.View{"beside a store": stored,
		"without a store": pipeline.NewOverlay(nil)} {
		items, warnings, err := reader.LiveRecords(t.Context(), view, s.dir)
		if err != nil || len(warnings) > 0 {
			t.Fatal(warnings, err)
		}
		got := []string{}
		for _, it := range items {
			got = append(got, it.Record.ID+" "+it.Record.Title)
		}
		want := []string{"PMID:8 Newer", "PMID:9 Alone"}
		if name == "without a store" {
			want = append([]string{"PMID:1 FORGED"}, want...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
