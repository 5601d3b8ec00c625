package reader_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/reader"
)

func topicInfo(id, question string) evidence.TopicInfo {
	return evidence.TopicInfo{ID: id, Question: question}
}

func nearIDs(near []answer.Near) []string {
	out := []string{}
	for _, n := range near {
		out = append(out, n.Topic)
	}
	return out
}

func (s *site) explainer(topics ...evidence.TopicInfo) *reader.Explainer {
	return &reader.Explainer{Lexicon: s.words, Catalogue: reader.NewCatalogue(s.words, topics, nil, "")}
}

// TestNearTopics: those that name something that is asked and differ, the nearest first.
func TestNearTopics(t *testing.T) {
	s := newSite(t)
	e := s.explainer(
		topicInfo("b-two-off", "KRAS colorectal cancer panitumumab"),
		topicInfo("melanoma", "BRAF V600E melanoma"),
		topicInfo("a-two-off", "KRAS colorectal cancer cetuximab"),
		topicInfo("one-off", "KRAS colorectal cancer sotorasib resistance"),
		topicInfo("same", "sotorasib for CRC with KRAS"),
		topicInfo("three-off", "colorectal cancer panitumumab"),
		topicInfo("four-off", "colorectal cancer panitumumab cetuximab"),
		topicInfo("five-off", "colorectal cancer panitumumab cetuximab bevacizumab"),
	)
	got := e.Explain("KRAS colorectal cancer sotorasib")
	if got.Topic != "same" {
		t.Errorf("it asks the same as %q, want same", got.Topic)
	}
	want := []string{"one-off", "a-two-off", "b-two-off", "three-off", "four-off"}
	if diff := cmp.Diff(want, nearIDs(got.Near)); diff != "" {
		t.Errorf("near (-want +got):\n%s", diff)
	}
	differs := got.Near[0].Differs
	if len(differs) != 1 || differs[0].Slot != "setting" || differs[0].Asked == nil || len(differs[0].Stored) != 1 {
		t.Errorf("the nearest differs in %+v, want in one setting that only it has", differs)
	}
	for _, question := range []string{"xylophone", "12345", "", "EGFR lung cancer"} {
		if near := e.Explain(question).Near; len(near) > 0 {
			t.Errorf("%q is near %v, want nothing", question, nearIDs(near))
		}
	}
}

// TestMissesAndAnswersNameWhatIsNear: topics and live answers, and never the one that answers.
func TestMissesAndAnswersNameWhatIsNear(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle), paper(7, "Nivolumab in melanoma"))
	s.night(topic("g12c", "KRAS G12C colorectal cancer sotorasib"))
	live := s.must("nivolumab melanoma")
	s.offline = true
	var miss *reader.MissError
	if _, err := s.ask("KRAS G12D colorectal cancer sotorasib"); !errors.As(err, &miss) {
		t.Fatalf("the error is %v, want a miss", err)
	}
	if diff := cmp.Diff([]string{"g12c"}, nearIDs(miss.Near)); diff != "" {
		t.Errorf("near (-want +got):\n%s", diff)
	}
	if got := miss.Error(); !strings.Contains(got, "\nNear: g12c (KRAS G12C here, KRAS G12D asked)") {
		t.Errorf("the miss says %q", got)
	}
	if len(miss.Slots.Tumours) != 1 {
		t.Errorf("the miss understood %+v", miss.Slots)
	}
	if _, err := s.ask("pembrolizumab melanoma"); !errors.As(err, &miss) {
		t.Fatalf("the error is %v, want a miss", err)
	}
	if diff := cmp.Diff([]string{live.Answer.Topic.ID}, nearIDs(miss.Near)); diff != "" {
		t.Errorf("near (-want +got):\n%s", diff)
	}
	if a := s.must(live.Answer.Topic.ID); a.Origin != answer.FromInbox || a.Question != "nivolumab melanoma" {
		t.Errorf("the near live answer cannot be asked for by its id: %s, %q", a.Origin, a.Question)
	}
	if a := s.must("g12c"); len(a.Near) > 0 {
		t.Errorf("near the answer is %v, want nothing", nearIDs(a.Near))
	}
}

// TestTheFullTextNeedsEnoughRecords holds the threshold.
func TestTheFullTextNeedsEnoughRecords(t *testing.T) {
	s := newSite(t, paper(1, g12dTitle), paper(2, "More on "+g12dTitle), paper(3, "Yet more on "+g12dTitle),
		paper(4, g12cTitle))
	s.night(topic("kras", "KRAS colorectal cancer"))
	s.offline = true
	for hits, origin := range map[int]answer.Origin{2: answer.FromStore, 3: answer.FromStore, 4: ""} {
		s.fullTextHits = hits
		a, err := s.ask("KRAS G12D colorectal cancer")
		switch {
		case origin == "" && !errors.As(err, new(*reader.MissError)):
			t.Errorf("full_text_hits %d: the error is %v, want a miss", hits, err)
		case origin != "" && (err != nil || a.Origin != origin):
			t.Errorf("full_text_hits %d: %+v, %v; want an answer from the store", hits, a, err)
		}
	}
}

// TestLiveAsksTheServicesWhateverTheStoreHolds: by question and by id, and it is kept.
func TestLiveAsksTheServicesWhateverTheStoreHolds(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	s.now, s.live = lastNight.Add(time.Hour), true
	for _, question := range []string{"KRAS G12C colorectal cancer sotorasib", "kras"} {
		asked := s.pubmed.asked
		a := s.must(question)
		if a.Origin != answer.FromLive || s.pubmed.asked == asked {
			t.Errorf("%q is answered from %s, the services asked %d times", question, a.Origin, s.pubmed.asked-asked)
		}
		if a.Question != "KRAS G12C colorectal cancer sotorasib" {
			t.Errorf("%q answers %q", question, a.Question)
		}
	}
	if s.waiting() == 0 {
		t.Error("the live answer was not kept")
	}
	if _, err := s.ask("what does the of and"); !errors.As(err, new(*reader.QuestionError)) {
		t.Errorf("the error is %v, want a QuestionError", err)
	}
}

// TestWithoutAStore: a question goes live, is kept, and then answered without the services.
func TestWithoutAStore(t *testing.T) {
	s := newSite(t, paper(7, "Nivolumab in melanoma"))
	s.dir += "/not/there/yet"
	if a := s.must("nivolumab melanoma"); a.Origin != answer.FromLive || len(a.Sample) != 1 || s.waiting() != 1 {
		t.Fatalf("answered from %s with %d records, %d answers wait", a.Origin, len(a.Sample), s.waiting())
	}
	s.offline = true
	if a := s.must("melanoma: nivolumab"); a.Origin != answer.FromInbox || len(a.Sample) != 1 {
		t.Errorf("again: from %s with %d records", a.Origin, len(a.Sample))
	}
	if _, err := s.ask("pembrolizumab melanoma"); !errors.As(err, new(*reader.MissError)) {
		t.Errorf("offline: the error is %v, want a miss", err)
	}
	s.offline = false
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	if a := s.must("nivolumab melanoma"); a.Origin != answer.FromTopic || s.waiting() != 0 {
		t.Errorf("after the first run: from %s, %d answers wait", a.Origin, s.waiting())
	}
}

// TestWhatTheHeadSaysIsOfTheQuestionAskedNow, whatever the stored one was.
func TestWhatTheHeadSaysIsOfTheQuestionAskedNow(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	s.offline = true
	for question, dropped := range map[string]int{"KRAS G12C colorectal cancer sotorasib": 0, "kras": 0,
		"What does sotorasib do in CRC with KRAS p.G12C?": 5} {
		if a := s.must(question); len(a.Understood.Slots.Dropped) != dropped || len(a.Understood.Slots.Drugs) != 1 {
			t.Errorf("%q: dropped %v", question, a.Understood.Slots.Dropped)
		}
	}
}

// TestOneAskerServesMany at once.
func TestOneAskerServesMany(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	s.offline = true
	asker, stored := s.asker()
	defer stored.Close()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			a, err := asker.Ask(t.Context(), fmt.Sprintf("sotorasib CRC KRAS G12C%s", strings.Repeat("?", i)), asker.Topic)
			if err != nil || a.Answer.Topic.ID != "kras" {
				t.Errorf("%d: %v", i, err)
			}
		})
	}
	wg.Wait()
}

// TestRefusals: what is refused, what of it is named, and what may go on.
func TestRefusals(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	s.offline = true
	for _, tc := range []struct {
		name, question string
		want           string // "" where it is not refused
	}{
		{"unknown words", "xylophone quartet", `not understood: "xylophone", "quartet"; name a disease`},
		{"fillers", "what does the of and", "name a disease, a gene or a drug"},
		{"digits", "12345", `not understood: "12345"`},
		{"signs", "???", "name a disease"},
		{"an age and nothing else", "72 years old", "name a disease"},
		{"a line of treatment and nothing else", "first-line", "name a disease"},
		{"an organ alone", "breast", `"breast" is an organ`},
		{"an organ beside a drug", "sotorasib breast", ""},
		{"a language that is not read", "колоректальный рак", "question would be half understood"},
		{"a language that is not read, beside a gene", "KRAS G12C колоректальный рак", `"рак" (Cyrillic script)`},
		{"a language that is read", "结直肠癌", ""},
		{"an unknown word beside a tumour", "melanoma xylophone", ""},
		{"a biomarker", "TMB-high", ""},
		{"a setting that can be sought", "brain metastases", ""},
		{"a contradiction is warned of, and asked", "EGFR-mutated EGFR wild-type lung cancer", ""},
	} {
		got := strings.Join(s.explainer().Explain(tc.question).Warnings, "\n")
		_, err := s.ask(tc.question)
		refused := errors.As(err, new(*reader.QuestionError))
		if refused != (tc.want != "") || !strings.Contains(got, tc.want) || refused && !strings.Contains(err.Error(),
			tc.want) {
			t.Errorf("%s: %v, explained as %q; want %q", tc.name, err, got, tc.want)
		}
	}
}
