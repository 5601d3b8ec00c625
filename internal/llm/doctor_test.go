package llm

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDoctor(t *testing.T) {
	good := func(int, sent) answer { return says(goodQuery) }
	list := func(ids string) answer { return answer{body: `{"data":[` + ids + `]}`} }
	for _, tc := range []struct {
		name    string
		models  answer
		says    func(int, sent) answer
		want    map[string]Verdict
		finding string // among the findings and remedies
	}{
		{"all well", list(`{"id":"test-model"}`), good, map[string]Verdict{"endpoint": Good, "model": Good, "schema": Good,
			"speed": Good, "context": Good}, "takes a JSON schema"},
		{"another model", list(`{"id":"b"},{"id":"a"}`), good, map[string]Verdict{"endpoint": Good, "model": Warn,
			"schema": Good, "speed": Good, "context": Good}, "there are 2: a, b"},
		{"no list of models", answer{status: 404, body: "404 page not found"}, good, map[string]Verdict{"endpoint": Good,
			"model": Skipped, "schema": Good, "speed": Good, "context": Good}, "lists no models"},
		{"no JSON schema", list(`{"id":"test-model"}`), takes(""), map[string]Verdict{"endpoint": Good, "model": Good,
			"schema": Warn, "speed": Good, "context": Good}, "mode plain"},
		{"a small context", list(`{"id":"test-model","max_model_len":2048}`), good, map[string]Verdict{
			"endpoint": Good, "model": Good, "schema": Good, "speed": Good, "context": Warn,
		}, "a context of 2048 tokens takes 2 of 20 papers"},
		{"a large context", list(`{"id":"test-model","context_length":131072}`), good, map[string]Verdict{
			"endpoint": Good, "model": Good, "schema": Good, "speed": Good, "context": Good,
		}, "takes 20 of 20 papers"},
		{"a refused key", status(401, "bad key "+testKey), good, map[string]Verdict{"endpoint": Bad, "model": Skipped,
			"schema": Skipped, "speed": Skipped}, "DOSSIER_LLM_API_KEY"},
		{"a web page", answer{body: "<html>Log in</html>"}, func(int, sent) answer {
			return answer{body: "<html>Log in</html>"}
		}, map[string]Verdict{"endpoint": Good, "model": Skipped, "schema": Bad, "speed": Skipped}, "llm.base_url"},
		{"a model that does not follow", list(`{"id":"test-model"}`), func(int, sent) answer { return says("Hello!") },
			map[string]Verdict{"endpoint": Good, "model": Good, "schema": Bad, "speed": Skipped}, "no JSON in the reply"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEndpoint(t, tc.says)
			e.models = tc.models
			got, text := map[string]Verdict{}, ""
			for _, check := range e.client().Doctor(t.Context(), false) {
				got[check.Name] = check.Verdict
				text += fmt.Sprintf("%s: %s; %s\n", check.Name, check.Finding, check.Remedy)
				if check.Verdict != Good && check.Verdict != Skipped && check.Remedy == "" {
					t.Errorf("%s says not what to do", check.Name)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, text)
			}
			if !strings.Contains(text, tc.finding) || strings.Contains(text, "secret") || !strings.Contains(text,
				"a key is set") {
				t.Errorf("%s", text)
			}
		})
	}
}

func TestDoctorWithoutAServer(t *testing.T) {
	checks := New(Options{BaseURL: "http://127.0.0.1:1/v1", Model: "m"}).Doctor(t.Context(), false)
	if len(checks) != 4 || checks[0].Verdict != Bad || !strings.Contains(checks[0].Remedy, "server runs") ||
		!strings.Contains(checks[0].Finding, "no key is set") {
		t.Errorf("%+v", checks)
	}
}

func TestDoctorOnSpeed(t *testing.T) {
	c := New(Options{Timeout: 30 * time.Second})
	if got := c.checkSpeed(5 * time.Second); got.Verdict != Good {
		t.Errorf("%+v", got)
	}
	if got := c.checkSpeed(7 * time.Second); got.Verdict != Warn || !strings.Contains(got.Remedy, "llm.timeout") {
		t.Errorf("%+v", got)
	}
}
