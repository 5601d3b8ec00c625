package reader_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"dossier/internal/answer"
	"dossier/internal/guard"
	"dossier/internal/reader"
	"dossier/internal/render"
	"dossier/internal/store"
)

const (
	patient        = "12.03.1961"
	privateTopic   = "nivolumab melanoma, patient born " + patient
	strippedTopic  = "nivolumab melanoma, patient " + guard.Mark
	melanomaAnswer = "Nivolumab in melanoma"
)

// TestAPatientsQuestionStaysHere: by default a question that tells who the patient is reaches no service, no file, no
// log and no output; what this machine has on it, it gives.
func TestAPatientsQuestionStaysHere(t *testing.T) {
	s := newSite(t, paper(1, g12cTitle), paper(7, melanomaAnswer))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	asked := len(s.pubmed.queries)
	log := s.logged()
	for _, live := range []bool{false, true} {
		s.live = live
		_, err := s.ask(privateTopic)
		var private *reader.PrivateError
		if !errors.As(err, &private) {
			t.Fatalf("live %v: the error is %v, want a PrivateError", live, err)
		}
		if !strings.Contains(err.Error(), "birth date (characters 29 to 43)") || !strings.Contains(err.Error(),
			"patient_identifiers: strip") {
			t.Errorf("the error says neither what and where, nor what to do: %v", err)
		}
		s.holdsNoPatient("the error", err.Error())
	}
	s.live, s.offline = false, true
	var miss *reader.MissError
	if _, err := s.ask(privateTopic); !errors.As(err, &miss) {
		t.Fatalf("offline the error is %v, want a miss", err)
	}
	s.holdsNoPatient("the miss", miss.Error()+written(t, (*render.Miss)(&miss.Miss).JSON))
	s.offline = false

	local := s.must("KRAS G12C colorectal cancer sotorasib, DOB " + patient)
	if local.Origin != answer.FromTopic || local.Understood.Privacy == nil || local.Understood.Privacy.SentAs != "" {
		t.Errorf("answered from %s, privacy %+v; want the topic, and nothing sent", local.Origin, local.Understood.Privacy)
	}
	if said := strings.Join(local.Understood.Warnings, " "); !strings.Contains(said, "nothing was sent or kept") {
		t.Errorf("warnings %q", said)
	}
	s.holdsNoPatient("the answer", written(t, (*render.Answer)(local).JSON))
	s.holdsNoPatient("the log", log.String())
	s.holdsNoPatient("the inbox", s.kept(0))
	if len(s.pubmed.queries) != asked {
		t.Errorf("%d requests went out: %q", len(s.pubmed.queries)-asked, s.pubmed.queries[asked:])
	}
}

// TestAStrippedQuestionGoesOutWithoutThePatient: with strip, what is asked besides is answered, sent and kept, and
// shown as it was sent.
func TestAStrippedQuestionGoesOutWithoutThePatient(t *testing.T) {
	s := newSite(t, paper(7, melanomaAnswer))
	s.privacy = guard.Gate{Policy: guard.Remove, Lexicon: s.words}
	s.live = true
	log := s.logged()
	live := s.must(privateTopic)
	if len(live.Sample) != 1 || len(s.pubmed.queries) == 0 {
		t.Errorf("%d records from %d requests; what is asked besides goes unanswered", len(live.Sample),
			len(s.pubmed.queries))
	}
	if p := live.Understood.Privacy; p == nil || p.SentAs != strippedTopic || len(p.Found) != 1 ||
		p.Found[0] != (answer.Private{Kind: "birth date", Start: 28, End: 43}) {
		t.Errorf("privacy %+v", p)
	}
	if said := strings.Join(live.Understood.Warnings, " "); !strings.Contains(said, "Sent as: \""+strippedTopic) {
		t.Errorf("warnings %q", said)
	}
	s.holdsNoPatient("the answer", written(t, (*render.Answer)(live).JSON))
	s.holdsNoPatient("the log", log.String())
	s.holdsNoPatient("a request", strings.Join(s.pubmed.queries, "\n"))
	s.holdsNoPatient("the inbox", s.kept(1))
}

// TestAllowedQuestionsGoOutWhole: the hospital has said so, and the answer says so.
func TestAllowedQuestionsGoOutWhole(t *testing.T) {
	s := newSite(t, paper(7, melanomaAnswer))
	s.privacy = guard.Gate{Policy: guard.Allow, Lexicon: s.words}
	live := s.must(privateTopic)
	if live.Question != privateTopic || !strings.Contains(s.kept(1), patient) {
		t.Errorf("%q was asked and kept", live.Question)
	}
	if said := strings.Join(live.Understood.Warnings, " "); !strings.Contains(said, "The configuration allows") {
		t.Errorf("warnings %q", said)
	}
}

// TestExplainingTellsWhatWouldBecomeOfAPatientsQuestion, and sends nothing.
func TestExplainingTellsWhatWouldBecomeOfAPatientsQuestion(t *testing.T) {
	s := newSite(t)
	for policy, want := range map[guard.Policy]string{
		guard.Refuse: "answered from this machine or not at all", guard.Remove: "Sent as: \"" + strippedTopic,
		guard.Allow: "The configuration allows",
	} {
		e := s.explainer()
		e.Privacy = guard.Gate{Policy: policy, Lexicon: s.words}
		explanation := e.Explain(privateTopic)
		if len(explanation.Warnings) == 0 || !strings.Contains(explanation.Warnings[0], want) {
			t.Errorf("%s: warnings %q, want %q", policy, explanation.Warnings, want)
		}
		if policy != guard.Allow {
			s.holdsNoPatient("the explanation", written(t, (*render.Explanation)(&explanation).JSON))
		}
	}
}

func (s *site) holdsNoPatient(where, text string) {
	s.t.Helper()
	if strings.Contains(text, "1961") {
		s.t.Errorf("%s holds the date of birth: %s", where, text)
	}
}

// logged has everything logged from now on.
func (s *site) logged() *bytes.Buffer {
	log := &bytes.Buffer{}
	s.log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return log
}

// kept is what waits in the inbox, so many answers.
func (s *site) kept(answers int) string {
	s.t.Helper()
	entries, _, err := store.ReadInbox(s.t.Context(), s.dir)
	if err != nil || len(entries) != answers {
		s.t.Fatalf("%d answers wait, want %d: %v", len(entries), answers, err)
	}
	kept, err := json.Marshal(entries)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(kept)
}

// written is what a writer of JSON writes.
func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestWordsThatNothingKnowsStayHere: a surname that no sign marks reaches no service, no file and no log; the question
// is asked without it, the answer says so, and serves the next time, too. A person may have it sent.
func TestWordsThatNothingKnowsStayHere(t *testing.T) {
	s := newSite(t, paper(7, melanomaAnswer))
	log := s.logged()
	first := s.must("nivolumab melanoma Kowalska")
	if said := strings.Join(first.Understood.Warnings, " "); first.Origin != answer.FromLive || !strings.Contains(said,
		`Neither sent nor kept: "Kowalska"`) || !strings.Contains(said, "--send-unknown") {
		t.Errorf("from %s, warnings %q", first.Origin, said)
	}
	asked := len(s.pubmed.queries)
	again := s.must("nivolumab melanoma Kowalska")
	if again.Origin != answer.FromInbox || len(s.pubmed.queries) != asked || !strings.Contains(
		strings.Join(again.Understood.Warnings, " "), "Kowalska") {
		t.Errorf("again: from %s, %d requests more, warnings %q", again.Origin, len(s.pubmed.queries)-asked,
			again.Understood.Warnings)
	}
	for where, text := range map[string]string{"the queries": strings.Join(s.pubmed.queries, " "), "the log": log.String(),
		"the inbox": s.kept(1)} {
		if strings.Contains(strings.ToLower(text), "kowalska") {
			t.Errorf("%s: %s", where, text)
		}
	}
	s.must("for grace black: nivolumab melanoma brain metastases, faith wood")
	for where, text := range map[string]string{"the queries": strings.Join(s.pubmed.queries, " "), "the log": log.String(),
		"the inbox": s.kept(2)} {
		if strings.Contains(text, "grace") || strings.Contains(text, "black") || strings.Contains(text, "wood") {
			t.Errorf("a name of everyday words is in %s: %s", where, text)
		}
	}
	var impossible *reader.QuestionError
	if _, err := s.ask("Kowalska"); !errors.As(err, &impossible) {
		t.Errorf("a name alone: %v, want a question that can't be asked", err)
	}
	asker, stored := s.asker()
	if stored != nil {
		defer stored.Close()
	}
	asker.SendUnknown = true
	sent, err := asker.Ask(t.Context(), "nivolumab melanoma Kowalska", asker.Topic)
	if err != nil || sent.Origin != answer.FromLive || !strings.Contains(s.kept(3), "Kowalska") {
		t.Errorf("sent: %v, %v", sent, err)
	}
}
