package pubmed

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/source/sourcetest"
)

func TestReadSearch(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       searchAnswer
	}{
		{"count and ids as strings", `{"header":{},"esearchresult":{"count":"5163","retmax":"2","idlist":["101","102"]}}`,
			searchAnswer{count: 5163, ids: []string{"101", "102"}}},
		{"count and ids as numbers", `{"esearchresult":{"count":2,"idlist":[101,102]}}`,
			searchAnswer{count: 2, ids: []string{"101", "102"}}},
		{"a byte order mark and line breaks", "\ufeff\r\n{\"esearchresult\":{\n\"count\":\"0\",\n\"idlist\":[]}}",
			searchAnswer{ids: []string{}}},
		{"nothing found says nothing more",
			`{"esearchresult":{"count":"0","idlist":[],"warninglist":{"phrasesignored":[],"quotedphrasesnotfound":[],"outputmessages":["No items found."]}}}`, searchAnswer{ids: []string{}}},
		{"a phrase that was left out",
			`{"esearchresult":{"count":"9","idlist":["1"],"errorlist":{"phrasesnotfound":["fleegle[MeSH Terms]"],"fieldsnotfound":[]}}}`,
			searchAnswer{count: 9, ids: []string{"1"}, dropped: []string{"fleegle"},
				notes: []string{"not found and left out: fleegle[MeSH Terms]"}}},
		{"a phrase that was searched as words",
			`{"esearchresult":{"count":"9","idlist":["1"],"warninglist":{"quotedphrasesnotfound":["\"kras g12c inhibitor failure\"[Title/Abstract]"]}}}`,
			searchAnswer{count: 9, ids: []string{"1"}, dropped: []string{"kras g12c inhibitor failure"},
				notes: []string{`not found as a phrase, its words were searched instead: "kras g12c inhibitor failure"[Title/Abstract]`}}},
		{"a word that was ignored", `{"esearchresult":{"count":"9","idlist":["1"],"warninglist":{"phrasesignored":["of"]}}}`,
			searchAnswer{count: 9, ids: []string{"1"}, dropped: []string{"of"}, notes: []string{"ignored: of"}}},
		{"a field that there is not",
			`{"esearchresult":{"count":"9","idlist":["1"],"errorlist":{"fieldsnotfound":["tiabs"]}}}`,
			searchAnswer{count: 9, ids: []string{"1"},
				notes: []string{"no such field, all fields were searched instead: tiabs"}}},
		{"other messages",
			`{"esearchresult":{"count":"9","idlist":["1"],"warninglist":{"outputmessages":["The wildcard search used only the first\n600 variations."]}}}`,
			searchAnswer{count: 9, ids: []string{"1"},
				notes: []string{"The wildcard search used only the first 600 variations."}}},
		{"one message that is no list",
			`{"esearchresult":{"count":"9","idlist":["1"],"warninglist":{"outputmessages":"Be careful"}}}`,
			searchAnswer{count: 9, ids: []string{"1"}, notes: []string{"Be careful"}}},
		{"an error with a raw line break, which is no JSON",
			"{\"esearchresult\":{\"ERROR\":\"Search Backend failed: Exception:\n'retstart' cannot be larger than 9998.\"}}",
			searchAnswer{refusal: "Search Backend failed: Exception: 'retstart' cannot be larger than 9998."}},
		{"an empty query", `{"esearchresult":{"ERROR":"Empty term and query_key - nothing todo"}}`,
			searchAnswer{refusal: "Empty term and query_key - nothing todo"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := readSearch([]byte(tc.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(searchAnswer{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadSearchKnowsItsOwnTroubles(t *testing.T) {
	for body, want := range map[string]error{
		`{"error":"API rate limit exceeded","api-key":"1.2.3.4","count":"4","limit":"3"}`: errRateLimit,
		`{"error":"API key invalid","api-key":"x"}`:                                       errKey,
	} {
		if _, err := readSearch([]byte(body)); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", body, err, want)
		}
	}
}

// TestRecordedAnswers reads what the service has really said.
func TestRecordedAnswers(t *testing.T) {
	read := func(t *testing.T, name string) (searchAnswer, error) {
		body, err := os.ReadFile(sourcetest.Shared(t, "data", "wire", name))
		if err != nil {
			t.Fatal(err)
		}
		return readSearch(body)
	}
	t.Run("a good one", func(t *testing.T) {
		got, err := read(t, "esearch.pubmed.json")
		if err != nil || got.count != 15169 || len(got.ids) != 100 || len(got.notes) != 0 {
			t.Errorf("count %d, %d ids, notes %v, %v", got.count, len(got.ids), got.notes, err)
		}
	})
	t.Run("one with a phrase left out", func(t *testing.T) {
		got, err := read(t, "esearch.error.json")
		if err != nil || got.count != 5163 || !cmp.Equal(got.dropped, []string{"fleegle"}) {
			t.Errorf("count %d, dropped %v, %v", got.count, got.dropped, err)
		}
	})
	t.Run("one without its envelope", func(t *testing.T) {
		if _, err := read(t, "esearch.error-2.json"); err == nil {
			t.Error("no error")
		}
	})
}

// FuzzSearchAnswer: no answer makes it panic, and what it takes for a search keeps its promises.
func FuzzSearchAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"esearchresult":{"count":"2","idlist":["1","2"]}}`,
		"{\"esearchresult\":{\"ERROR\":\"Backend\nfailed\"}}",
		`{"esearchresult":{"count":5,"idlist":[5,null,{}],"errorlist":{"phrasesnotfound":["a[b]","\"c\""]}}}`,
		`{"error":"API key invalid"}`, `null`, `[]`, `{"esearchresult":null}`,
		`{"esearchresult":{"count":"1e3","idlist":"7"}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := readSearch(body)
		switch {
		case err != nil && got.ids != nil, err != nil && got.refusal != "":
			t.Errorf("an error and an answer: %+v, %v", got, err)
		case err != nil:
			return
		case got.refusal != "" && len(got.ids) > 0, got.count < 0, len(got.ids) > got.count && got.refusal == "":
			t.Errorf("an answer that contradicts itself: %+v", got)
		}
		for _, note := range append(got.notes, got.dropped...) {
			if strings.ContainsAny(note, "\n\r\x00") || len(note) > 400 {
				t.Errorf("a note of %d bytes or several lines: %q", len(note), note)
			}
		}
		if _, err := json.Marshal(got.notes); err != nil {
			t.Error(err)
		}
	})
}
