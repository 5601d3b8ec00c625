package mcp

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type exampleIn struct {
	Query  string   `json:"query" about:"what to look for"`
	Limit  int      `json:"limit,omitempty"`
	Status []string `json:"status,omitempty"`
	Full   bool     `json:"full,omitempty"`
	paging
}

// TestArgumentsAreTakenAsTheyAreMeant: models write them as they can.
func TestArgumentsAreTakenAsTheyAreMeant(t *testing.T) {
	plainly := exampleIn{Query: "KRAS", Limit: 5, Status: []string{"A", "B"}, Full: true}
	for _, tc := range []struct {
		name, written string
		want          exampleIn
	}{
		{"as the schema has it", `{"query":"KRAS","limit":5,"status":["A","B"],"full":true}`, plainly},
		{"numbers and lists as strings", `{"query":"KRAS","limit":" 5 ","status":"A, B","full":"True"}`, plainly},
		{"a number with a fraction of nothing", `{"query":"KRAS","limit":5.0,"status":"[\"A\",\"B\"]","full":1}`, plainly},
		{"all of it a string", `"{\"query\":\"KRAS\",\"limit\":5,\"status\":[\"A\",\"B\"],\"full\":true}"`, plainly},
		{"a byte order mark", "\ufeff" + `{"query":"KRAS"}`, exampleIn{Query: "KRAS"}},
		{"a byte order mark in a string", `"\ufeff{\"query\":\"KRAS\"}"`, exampleIn{Query: "KRAS"}},
		{"null for what is left out", `{"query":"KRAS","limit":null,"status":null,"full":null,"cursor":null}`,
			exampleIn{Query: "KRAS"}},
		{"nothing in what is left out", `{"query":"KRAS","limit":"","status":"","cursor":""}`,
			exampleIn{Query: "KRAS", Status: []string{}}},
		{"a number for words", `{"query":99000001,"cursor":"1.2.3"}`,
			exampleIn{Query: "99000001", paging: paging{Cursor: "1.2.3"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got exampleIn
			_, err := readArguments([]byte(tc.written), &got)
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(exampleIn{})); err != nil || diff != "" {
				t.Errorf("%v %s", err, diff)
			}
		})
	}
}

func TestArgumentsThatCantBeMeantAreRefused(t *testing.T) {
	const takes = "it takes query (needed), limit, status, full, cursor"
	for _, tc := range []struct{ name, written, want string }{
		{"a missing one", `{}`, "query is missing: what to look for"},
		{"nothing at all", ``, "query is missing"},
		{"null", `null`, "query is missing"},
		{"a list of them", `["KRAS"]`, takes},
		{"words alone", `"KRAS"`, takes},
		{"an unknown one, the first by name", `{"query":"KRAS","size":5,"most":3}`, `no argument "most"; ` + takes},
		{"a word for a number", `{"query":"KRAS","limit":"few"}`, `limit: "few" is no whole number`},
		{"a part of a number", `{"query":"KRAS","limit":2.5}`, `limit: "2.5" is no whole number`},
		{"more than numbers have", `{"query":"KRAS","limit":1e300}`, `no whole number`},
		{"an object for a word", `{"query":{"text":"KRAS"}}`, "query: it must be one value"},
		{"lists in a list", `{"query":"KRAS","status":[["A"]]}`, "status: it must be one value"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got exampleIn
			if _, err := readArguments([]byte(tc.written), &got); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q in it", err, tc.want)
			}
		})
	}
}

func FuzzArguments(f *testing.F) {
	f.Add([]byte(`{"query":"KRAS","status":"[\"A\"]"}`))
	f.Add([]byte(`"{\"query\":1}"`))
	f.Fuzz(func(t *testing.T, written []byte) {
		var got, again exampleIn
		given, err := readArguments(written, &got)
		if err != nil {
			return
		}
		if got.Query == "" || given["query"] != got.Query {
			t.Errorf("%q gives %+v, said %v", written, got, given)
		}
		if _, err := readArguments(written, &again); err != nil || !reflect.DeepEqual(got, again) {
			t.Errorf("%q gives %+v, then %+v, %v", written, got, again, err)
		}
	})
}
