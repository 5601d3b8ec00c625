package source

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

func readTitle(raw json.RawMessage) (evidence.Record, string, error) {
	var w struct{ ID, Title Text }
	if err := Decode(raw, &w); err != nil {
		return evidence.Record{}, "", err
	}
	if w.Title == "" {
		return evidence.Record{}, string(w.ID), errors.New("it has no title")
	}
	return evidence.Record{Title: string(w.Title)}, string(w.ID), nil
}

func TestParseFile(t *testing.T) {
	for _, tc := range []struct {
		name, file string
		titles     []string
		problems   []string // ids
		fails      bool
	}{
		{"an answer", `{"n":2,"list":{"item":[{"title":"a"},{"title":"b"}]}}`, []string{"a", "b"}, nil, false},
		{"an answer with one object for its list", `{"list":{"item":{"title":"a"}}}`, []string{"a"}, nil, false},
		{"an answer without records", `{"list":{"item":[]}}`, nil, nil, false},
		{"an answer without a list", `{"list":{}}`, nil, nil, false},
		{"an answer with null for its list", `{"list":null}`, nil, nil, false},
		{"a list", `[{"title":"a"},{"title":"b"}]`, []string{"a", "b"}, nil, false},
		{"one record", `{"title":"a"}`, []string{"a"}, nil, false},
		{"one record over several lines", "{\n\"title\":\n\"a\"\n}", []string{"a"}, nil, false},
		{"records a line", "{\"title\":\"a\"}\n\n{\"title\":\"b\"}\r\n", []string{"a", "b"}, nil, false},
		{"answers a line", "{\"list\":{\"item\":[{\"title\":\"a\"}]}}\n{\"list\":{\"item\":[{\"title\":\"b\"}]}}",
			[]string{"a", "b"}, nil, false},
		{"with a byte order mark", "\ufeff{\"title\":\"a\"}", []string{"a"}, nil, false},
		{"a broken line costs only itself", "{\"title\":\"a\"}\n{\"title\":\n{\"title\":\"c\"}", []string{"a", "c"},
			[]string{"record 2"}, false},
		{"a record that cannot be read is named", `[{"title":"a"},{"id":"7"},5]`, []string{"a"}, []string{"7", "record 3"},
			false},
		{"an empty file", " \n", nil, nil, true},
		{"an answer that was cut", `{"list":{"item":[{"title":"a"},`, nil, nil, true},
		{"no JSON", "PMID- 1", nil, nil, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			records, problems, err := ParseFile(strings.NewReader(tc.file), readTitle, "list", "item")
			if (err != nil) != tc.fails {
				t.Fatalf("got %v", err)
			}
			var titles, ids []string
			for _, r := range records {
				titles = append(titles, r.Title)
			}
			for _, p := range problems {
				ids = append(ids, p.ID)
				if p.Reason == "" {
					t.Errorf("%s has no reason", p.ID)
				}
			}
			if diff := cmp.Diff(tc.titles, titles); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tc.problems, ids); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzParseFile(f *testing.F) {
	for _, seed := range []string{`{"list":{"item":[{"title":"a"}]}}`, "{\"title\":\"a\"}\n{", "[[[]]]", "\ufeff",
		`{"list":{"item":null}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		records, problems, err := ParseFile(strings.NewReader(string(data)), readTitle, "list", "item")
		if err != nil && len(records)+len(problems) > 0 {
			t.Errorf("%d records and %d problems beside the error %v", len(records), len(problems), err)
		}
	})
}

func TestDate(t *testing.T) {
	for in, want := range map[string]evidence.Date{
		"2024": "2024", "2024-03": "2024-03", "2024-03-05": "2024-03-05", "2023-03-31T08:33:23.315062": "2023-03-31",
		"2022-04-25 18:30": "2022-04-25", "2024-13-01": "2024", "2024-02-30": "2024-02", "": "", "soon": "", "0000": "",
		"2024-xx": "2024",
	} {
		if got := Date(in); got != want {
			t.Errorf("Date(%q) is %q, want %q", in, got, want)
		}
	}
}

func TestORCID(t *testing.T) {
	for in, want := range map[string]string{
		"https://orcid.org/0000-0001-5163-794x": "0000-0001-5163-794X", "0000000151637943": "0000-0001-5163-7943",
		"0000-0001": "", "": "",
	} {
		if got := ORCID(in); got != want {
			t.Errorf("ORCID(%q) is %q, want %q", in, got, want)
		}
	}
}

func TestDistinct(t *testing.T) {
	got := Distinct(3, " KRAS", "kras", "", "<i>EGFR</i>", "BRAF", "one too many")
	if diff := cmp.Diff([]string{"KRAS", "EGFR", "BRAF"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAddresses(t *testing.T) {
	got := Addresses("https://a.example/x", "javascript:alert(1)", "HTTP://b.example", "https://a.example/x", "",
		"https://c.example/a b", "file:///etc/passwd",
		"https://"+strings.Repeat("x", maxAddress))
	if diff := cmp.Diff([]string{"https://a.example/x", "HTTP://b.example"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestIdentifiers(t *testing.T) {
	got := Identifiers(Named{evidence.DOI, "https://doi.org/10.1000/X"}, Named{evidence.PMID, "007"},
		Named{evidence.PMCID, "none"}, Named{evidence.DOI, ""})
	want := []evidence.Identifier{{Kind: evidence.PMID, Value: "7"}, {Kind: evidence.DOI, Value: "10.1000/x"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestStampDatesOnlyARetractionThatIsKnown(t *testing.T) {
	at := time.Date(2026, 3, 2, 1, 0, 0, 0, time.UTC)
	for status, want := range map[evidence.Ternary]evidence.Date{evidence.Yes: "2026-03-02", evidence.No: "2026-03-02",
		evidence.Unknown: "", "": ""} {
		r := evidence.Record{Origins: make([]evidence.Origin, 1), Retraction: evidence.Retraction{Status: status}}
		Stamp(&r, at)
		if r.Retraction.Checked != want || !r.Origins[0].Fetched.Equal(at) {
			t.Errorf("%q: checked %q, fetched %v", status, r.Retraction.Checked, r.Origins[0].Fetched)
		}
	}
}
