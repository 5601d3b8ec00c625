package ask_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"dossier/internal/ask"
	"dossier/internal/store"
)

// TestPersonalDataIsNeitherKeptNorSent: a date of birth in a question reaches no service, no file, no log and no output; what is asked
// besides is answered.
func TestPersonalDataIsNeitherKeptNorSent(t *testing.T) {
	const birth = "12.03.1961"
	const question = "nivolumab melanoma, patient born " + birth
	s := newSite(t, paper(1, g12cTitle), paper(7, "Nivolumab in melanoma"))
	s.night(topic("kras", "KRAS G12C colorectal cancer sotorasib"))
	check := func(where, text string) {
		t.Helper()
		if strings.Contains(text, "1961") {
			t.Errorf("%s holds the date of birth: %s", where, text)
		}
	}

	s.offline = true
	var miss *ask.MissError
	if _, err := s.ask(question); !errors.As(err, &miss) {
		t.Fatalf("offline the error is %v, want a miss", err)
	}
	var out bytes.Buffer
	if err := miss.JSON(&out); err != nil {
		t.Fatal(err)
	}
	check("the miss", miss.Error()+out.String())

	s.offline = false
	var log bytes.Buffer
	s.log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	live := s.must(question)
	out.Reset()
	if err := live.JSON(&out); err != nil {
		t.Fatal(err)
	}
	check("the answer", out.String())
	check("the log", log.String())
	check("a request", strings.Join(s.pubmed.queries, "\n"))
	if len(live.Sample) != 1 || len(s.pubmed.queries) == 0 {
		t.Errorf("%d records from %d requests; what is asked besides goes unanswered", len(live.Sample), len(s.pubmed.queries))
	}
	if warnings := strings.Join(live.Understood.Warnings, " "); !strings.Contains(warnings, "personal") {
		t.Errorf("warnings %q, want one of personal data", warnings)
	}

	entries, _, err := store.ReadInbox(t.Context(), s.dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d answers wait: %v", len(entries), err)
	}
	kept, err := json.Marshal(entries)
	if err != nil {
		t.Fatal(err)
	}
	check("the inbox", string(kept))

	explanation := s.explainer().Explain(question)
	out.Reset()
	if err := explanation.JSON(&out); err != nil {
		t.Fatal(err)
	}
	check("the explanation", out.String())
}
