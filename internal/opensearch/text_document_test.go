package opensearch

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
)

// fromJSON reads JSON into what every JSON becomes.
func fromJSON(t *testing.T, raw []byte) any {
	t.Helper()
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return out
}

// TestDocument shows all that goes in of one record.
func TestDocument(t *testing.T) {
	raw, err := newDocument("PMID:1", &evidence.Record{
		ID:              "PMID:1",
		Identifiers:     []evidence.Identifier{{Kind: evidence.PMID, Value: "1"}},
		Origins:         []evidence.Origin{{Source: "pubmed", ID: "1", Revised: "2024-05"}},
		Title:           "The role of β-catenin",
		VernacularTitle: "Über β-Catenin",
		Abstract:        []evidence.Section{{Text: "Tumours were seen."}},
		Keywords:        []string{"Wnt signalling", "colon"},
		Journal:         evidence.Journal{Title: "Cancer"},
		Languages:       []string{"eng"},
		Date:            "2024-03",
		CitedBy:         7,
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
		"id": "PMID:1", "date": ["2024-03"], "date_first": 20240300, "date_last": 20240399,
		"modified_first": 20240500, "modified_last": 20240599,
		"title": ["the role of beta catenin", "uber beta catenin"], "abstract": ["tumours were seen"],
		"keyword": ["wnt signalling", "colon"], "name": ["1", "cancer"],
		"ranked": "role beta catenin uber beta catenin role beta catenin uber beta catenin tumour seen 1 wnt signal colon uber beta catenin",
		"la": ["en", "eng", "english"], "ta": ["cancer"], "pmid": ["1"],
		"kind": ["papers"], "kind_folded": ["PAPERS"], "bucket": ["not_stated"], "bucket_folded": ["NOT_STATED"],
		"design": ["design not stated"], "design_folded": ["DESIGN NOT STATED"],
		"source": ["pubmed"], "source_folded": ["PUBMED"], "journal": ["Cancer"], "journal_folded": ["CANCER"],
		"language": ["eng"], "language_folded": ["ENG"], "year": ["2024"],
		"retracted": ["unknown"], "retracted_folded": ["UNKNOWN"], "preprint": ["no"], "preprint_folded": ["NO"],
		"has_abstract_folded": ["YES"], "cited": ["000000007"]
	}`
	if diff := cmp.Diff(fromJSON(t, []byte(want)), fromJSON(t, raw)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestEveryFieldHasItsPlace: the mapping takes no field that it does not know.
func TestEveryFieldHasItsPlace(t *testing.T) {
	raw, err := newDocument("x", &evidence.Record{Title: "x", Trial: &evidence.Trial{Status: "RECRUITING",
		Phases: []string{"PHASE2"}, Sites: []evidence.Site{{Country: "France"}}},
		MeSH:    []evidence.Heading{{Name: "Humans", Major: true, Qualifiers: []evidence.Qualifier{{Name: "genetics"}}}},
		Journal: evidence.Journal{Title: "Cancer (Paris)", Abbreviation: "Cancer"}})
	if err != nil {
		t.Fatal(err)
	}
	mapped := fromJSON(t, mustMarshal(t, definition().Mappings["properties"])).(map[string]any)
	for field := range fromJSON(t, raw).(map[string]any) {
		if mapped[field] == nil {
			t.Errorf("the mapping has no %q", field)
		}
	}
}

func mustMarshal(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestSqueeze(t *testing.T) {
	long := strings.Repeat("ü", 200)
	for name, tt := range map[string]struct {
		s, head string
		bytes   int
	}{
		"a word":               {"carcinoma", "carcinoma", 9},
		"as long as it may be": {strings.Repeat("a", maxWord), strings.Repeat("a", maxWord), maxWord},
		"one longer":           {strings.Repeat("a", maxWord+1), strings.Repeat("a", 135) + "#", maxWord},
		"cut between letters":  {long, strings.Repeat("ü", 67) + "#", 67*2 + 1 + 64},
	} {
		t.Run(name, func(t *testing.T) {
			got := shorten(tt.s, maxWord)
			if !strings.HasPrefix(got, tt.head) || len(got) != tt.bytes {
				t.Errorf("got %q of %d bytes", got, len(got))
			}
		})
	}
	if shorten(long, maxWord) == shorten(long+"ü", maxWord) {
		t.Error("two words have become one")
	}
}

// TestFold: filters compare as strings.EqualFold does.
func TestFold(t *testing.T) {
	words := []string{"Straße", "STRASSE", "straße", "Kelvin", "\u212Aelvin", "kelvin", "ſun", "SUN", "ΣΑΣ", "σας", "É", "é", "e",
		"", "İ", "i", "Ǆ", "ǅ", "ǆ"}
	for _, a := range words {
		for _, b := range words {
			if want, got := strings.EqualFold(a, b), fold(a) == fold(b); got != want {
				t.Errorf("%q and %q: got %v, want %v", a, b, got, want)
			}
		}
	}
}

// TestQuery shows boolean queries in OpenSearch's words.
func TestQuery(t *testing.T) {
	for _, tt := range []struct{ name, query, want string }{
		{"a word", `kras[ti]`, `{"terms":{"title":["kras"]}}`},
		{"the beginning of a word", `kras*[ti]`, `{"prefix":{"title":{"value":"kras"}}}`},
		{"a phrase", `"lung cancer"[ti]`, `{"match_phrase":{"title":"lung cancer"}}`},
		{"proximity", `"lung cancer"[ti:~3]`,
			`{"intervals":{"title":{"match":{"query":"lung cancer","ordered":false,"max_gaps":3}}}}`},
		{"words joined by OR are one clause", `kras[ti] OR (egfr[ti] OR alk[ti])`, `{"terms":{"title":["alk","egfr","kras"]}}`},
		{"a name", `smith[au]`, `{"bool":{"should":[{"terms":{"au":["smith"]}},{"prefix":{"au":{"value":"smith "}}}],
			"minimum_should_match":1}}`},
		{"a heading", `"Lung Neoplasms"[mh]`, `{"terms":{"mh":["lung neoplasms"]}}`},
		{"and, not", `kras[ti] AND egfr[ti] NOT alk[ti]`, `{"bool":{"filter":{"bool":{"filter":[{"terms":{"title":["kras"]}},
			{"terms":{"title":["egfr"]}}]}},"must_not":{"terms":{"title":["alk"]}}}}`},
		{"a year", `2024[dp]`, `{"bool":{"filter":[{"range":{"date_first":{"lte":20249999}}},
			{"range":{"date_last":{"gte":20240000}}}]}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n, err := boolean.Parse(tt.query)
			if err != nil {
				t.Fatal(err)
			}
			got, err := renderer{}.node(n)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(fromJSON(t, []byte(tt.want)), fromJSON(t, mustMarshal(t, got))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.query, diff)
			}
		})
	}
}

// TestShortBeginnings: the shortest word that ends a truncated phrase is noticed, wherever it stands, and no other.
func TestShortBeginnings(t *testing.T) {
	for query, want := range map[string]string{
		`"anti PD-L1*"[ti]`: "l1",
		`"lung canc*"[ti]`:  "",
		`PDL1*[ti]`:         "",
		`kras[ti] NOT ("anti PD-1*"[tiab] OR "anti PD-L1*"[ab])`: "1",
	} {
		t.Run(query, func(t *testing.T) {
			n, err := boolean.Parse(query)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			if _, err := (renderer{broad: &got}).node(n); err != nil || got != want {
				t.Errorf("got %q, %v; want %q", got, err, want)
			}
		})
	}
}
