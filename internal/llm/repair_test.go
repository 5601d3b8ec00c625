package llm

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var screeningSchema = NewTask(Screening, 0).Schema

// itemIDs lists the ids of a document's items.
func itemIDs(t testing.TB, doc []byte) []string {
	t.Helper()
	var reply struct {
		Assessments []struct {
			ID    string `json:"id"`
			Score any    `json:"relevance_score"`
		} `json:"assessments"`
	}
	if err := json.Unmarshal(doc, &reply); err != nil {
		t.Fatalf("no valid JSON: %v\n%s", err, doc)
	}
	ids := []string{}
	for _, a := range reply.Assessments {
		ids = append(ids, a.ID)
	}
	return ids
}

func TestReadReplySavesWhatIsThere(t *testing.T) {
	both := []string{"A", "B"}
	a, b := `{"id": "A", "relevance_score": 10}`, `{"id": "B", "relevance_score": 1}`
	clean := `{"assessments": [` + a + `, ` + b + `]}`
	for _, tc := range []struct {
		name, text string
		want       []string
		cut        bool
	}{
		{"clean", clean, both, false},
		{"with a byte order mark", "\ufeff" + clean, both, false},
		{"in a fence", "```json\n" + clean + "\n```", both, false},
		{"in a fence, with words", "Here is the JSON you asked for:\n\n```json\n" + clean +
			"\n```\nI hope it helps {and more}.", both, false},
		{"behind words with brackets", "As asked [see above] and {as said}: " + clean, both, false},
		{"behind thoughts", "<think>First {\"assessments\": [{\"id\": \"X\"}]}, no.</think>\n" + clean, both, false},
		{"behind thoughts whose beginning was swallowed", "Let me see. {\"assessments\": [{\"id\": \"X\"}]}</think>" + clean,
			both, false},
		{"behind two thoughts", "<think>a</think><think>b</think>" + clean, both, false},
		{"with a thought's tag in a text", `{"assessments": [{"id": "A", "key_findings": "</think>"}, ` + b + `,]}`, both,
			false},
		{"behind an echo of the document", `{"question": "x", "articles": [{"id": "A"}]}` + "\n" + clean, both, false},
		{"the bare list", "[" + a + ", " + b + "]", both, false},
		{"the bare list in a fence", "```\n[" + a + ", " + b + "]\n```", both, false},
		{"one bare item",
			`{"id":"A","is_relevant":true,"relevance_score":5,"study_type":"rct","matched_criteria":[],"key_findings":""}`,
			[]string{"A"}, false},
		{"comments to the end of the line",
			"{\"assessments\": [ // two papers\n{\"id\": \"A\", \"relevance_score\": 7 // good, {or} better\n}, # the other\n" +
				b + "]}", both, false},
		{"comments in between", `{"assessments": /* two, "papers" */ [` + a + `, /* {} */ ` + b + `]}`, both, false},
		{"what looks like a comment in a text",
			`{"assessments": [{"id": "A", "key_findings": "see https://x.org/ # 1 /* so */"}, ` + b + `,]}`, both, false},
		{"JSON lines", verdictOn("A", 7) + "\n" + verdictOn("B", 7) + "\n", both, false},
		{"JSON lines with commas, in a fence", "```json\n" + verdictOn("A", 7) + ",\n" + verdictOn("B", 7) + "\n```", both,
			false},
		{"a document a line", `{"assessments": [` + a + "]}\n" + `{"assessments": [` + b + "]}", both, false},
		{"JSON lines, the second cut", verdictOn("A", 7) + "\n" +
			`{"id":"B","is_relevant":true,"relevance_score":1,"study_type":"rc`, []string{"A"}, true},
		{"JSON lines with words between", verdictOn("A", 7) + "\nAnd also:\n" + verdictOn("B", 7), []string{"A"}, false},
		{"the list under another name", `{"results": [` + verdictOn("A", 7) + `, ` + verdictOn("B", 7) + `]}`, both, false},
		{"names in camel case, one bare item", `{"id":"A","isRelevant":true,"relevanceScore":5,"studyType":"rct"}`,
			[]string{"A"}, false},
		{"doubled braces", `{{"assessments": [{{"id": "A", "relevance_score": 10}}, {{"id": "B", "relevance_score": 1}}]}}`,
			both, false},
		{"doubled braces, the outer ones alone", `{{"assessments": [` + a + `, ` + b + `]}}`, both, false},
		{"trailing commas", `{"assessments": [{"id": "A", "relevance_score": 10,}, ` + b + `,],}`, both, false},
		{"missing commas between items", `{"assessments": [` + a + "\n" + b + `]}`, both, false},
		{"single quotes", `{'assessments': [{'id': 'A', 'key_findings': 'the patients\' own {words}'}, {'id': 'B'}]}`, both,
			false},
		{"single quotes with an apostrophe",
			`{'assessments': [{'id': 'A', 'key_findings': 'it's well tolerated'}, {'id': 'B'}]}`, both, false},
		{"typographic quotes", `{“assessments”: [{“id”: “A”}, {“id”: “B”}]}`, both, false},
		{"Python's words", `{"assessments": [{"id": "A", "is_relevant": True, "relevance_score": None}, ` + b + `,]}`, both,
			false},
		{"bare names", `{assessments: [{id: "A"}, {id: "B"}]}`, both, false},
		{"quotes within a text", `{"assessments": [{"id": "A", "key_findings": "the "best" one"}, ` + b + `]}`, both, false},
		{"line breaks within a text", "{\"assessments\": [{\"id\": \"A\", \"key_findings\": \"one\ntwo\tthree\"}, " + b +
			"]}", both, false},
		{"formulas within a text", `{"assessments": [{"id": "A", "key_findings": "\alpha \u12 \x"}, ` + b + `]}`, both,
			false},
		{"broken characters within a text", "{\"assessments\": [{\"id\": \"A\", \"key_findings\": \"\xff\"}, " + b + ",]}",
			both, false},
		{"an item that makes no sense", `{"assessments": [` + a + `, {"id" "C" 5}, ` + b + `]}`, both, false},
		{"an item whose brace is missing", `{"assessments": [{"id": "C", "relevance_score": 3, ` + a + `, ` + b + `]}`, both,
			false},
		{"a brace too many", `{"assessments": [` + a + `}, ` + b + `]}`, both, false},
		{"dots for what was left out", `{"assessments": [` + a + `, ` + b + `, ...]}`, both, false},
		{"cut within an item", `{"assessments": [` + a + `, {"id": "B", "relevance_score": 1`, []string{"A"}, true},
		{"cut within a text", `{"assessments": [` + a + `, {"id": "B", "key_findings": "It wo`, []string{"A"}, true},
		{"cut behind an item", `{"assessments": [` + a + `, ` + b, both, true},
		{"cut within a fence", "```json\n{\"assessments\": [" + a + ", {\"id\"", []string{"A"}, true},
		{"the end is garbage", `{"assessments": [` + a + `, ` + b + `] "and so on`, both, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := readReply(tc.text, screeningSchema)
			if err != nil {
				t.Fatalf("%v\n%s", err, tc.text)
			}
			if diff := cmp.Diff(tc.want, itemIDs(t, got.JSON)); diff != "" || got.Cut != tc.cut {
				t.Errorf("cut %v, want %v; items (-want +got):\n%s\n%s", got.Cut, tc.cut, diff, got.JSON)
			}
			if tidy := json.Valid([]byte(strings.TrimPrefix(tc.text, "\ufeff"))); got.Repaired == tidy {
				t.Errorf("repaired is %v", got.Repaired)
			}
		})
	}
}

func TestReadReplyKeepsTexts(t *testing.T) {
	for _, tc := range []struct{ name, inside, want string }{
		{"escapes", `a \"quote\", a \\ and \u00e9 and \ud83d\ude00`, "a \"quote\", a \\ and é and 😀"},
		{"no escape of JSON's", `5 \mu m, \'so\'`, `5 \mu m, 'so'`},
		{"quotes and breaks", "the \"best\"\none", "the \"best\"\none"},
		{"the end is a backslash", `a\\`, `a\`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := readReply(`{"assessments": [{"id": "A", "key_findings": "`+tc.inside+`"},],}`, screeningSchema)
			if err != nil {
				t.Fatal(err)
			}
			var reply struct {
				Assessments []struct {
					Findings string `json:"key_findings"`
				} `json:"assessments"`
			}
			if err := json.Unmarshal(got.JSON, &reply); err != nil || len(reply.Assessments) != 1 ||
				reply.Assessments[0].Findings != tc.want {
				t.Errorf("%v, %v; want %q", reply, err, tc.want)
			}
		})
	}
}

func TestReadReplyTellsWordsFromCutDocuments(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       error
	}{
		{"words", "I am sorry, but I can't help with that.", errNoJSON},
		{"nothing", "", errNoJSON},
		{"all thought", "<think>What about {\"assessments\": [", errNoJSON},
		{"another document", `{"articles": []}`, errNoJSON},
		{"a list of numbers", `[1, 2]`, errNoJSON},
		{"a number", `7`, errNoJSON},
		{"cut before anything", `{"asse`, errCutJSON},
		{"cut before the first item's end", `{"assessments": [{"id": "A", "relevance_score": 1`, errCutJSON},
		{"brackets without end", strings.Repeat("[", 100_000), errCutJSON},
		{"braces without end", strings.Repeat(`{"a":`, 100_000), errNoJSON},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, err := readReply(tc.text, screeningSchema); !errors.Is(err, tc.want) {
				t.Errorf("%s, %v; want %v", got.JSON, err, tc.want)
			}
		})
	}
}

// TestCutAtEveryByte is the promise that what was complete is never lost, and that what was not is never made up.
func TestCutAtEveryByte(t *testing.T) {
	items := []string{
		`{"id": "A", "is_relevant": true, "relevance_score": 10, "matched_criteria": ["x", "y]"], "key_findings": "a \"b\" {c}"}`,
		`{"id": "B", "is_relevant": false, "relevance_score": 0.5, "matched_criteria": [], "key_findings": "é 😀"}`,
		`{"id": "C", "relevance_score": 7}`,
	}
	single := strings.NewReplacer(`\"`, `"`, `"`, `'`)
	doubled := strings.NewReplacer("{\"", "{{\"", "}", "}}", "{c}", "c")
	for _, tc := range []struct {
		name, before, between string
		items                 []string
	}{
		{"plain", `{"assessments": [`, ", ", items},
		{"pretty", "{\n  \"assessments\": [\n    ", ",\n    ", items},
		{"in a fence", "Here you are:\n```json\n{\"assessments\": [", ",", items},
		{"behind thoughts", "<think>Hm {</think>{\"assessments\": [", ",", items},
		{"the bare list", "[", ",", items},
		{"doubled braces", `{{"assessments": [`, ",", []string{doubled.Replace(items[0]), doubled.Replace(items[1]),
			doubled.Replace(items[2])}},
		{"single quotes", `{'assessments': [`, ",", []string{single.Replace(items[1]), single.Replace(items[2])}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text, ends, ids := tc.before, []int{}, []string{}
			for i, item := range tc.items {
				if i > 0 {
					text += tc.between
				}
				text += item
				end := len(text)
				if strings.HasSuffix(text, "}}") && strings.HasPrefix(item, "{{") {
					end-- // the first of two braces makes it complete
				}
				ends = append(ends, end)
				ids = append(ids, string(item[strings.IndexAny(item, "ABC")]))
			}
			text += "]}"
			for at := range len(text) {
				want := []string{}
				for i, end := range ends {
					if at >= end {
						want = append(want, ids[i])
					}
				}
				got, err := readReply(text[:at], screeningSchema)
				have := []string{}
				if err == nil {
					have = itemIDs(t, got.JSON)
				}
				if diff := cmp.Diff(want, have); diff != "" {
					t.Fatalf("cut at %d (-want +got):\n%s\n%s\n%s", at, diff, text[:at], got.JSON)
				}
			}
		})
	}
}

// FuzzReadReply looks for replies that the reader does not survive, or makes no JSON of.
func FuzzReadReply(f *testing.F) {
	for _, seed := range []string{
		assessments(verdictOn("A", 7)), "```json\n" + assessments(verdictOn("A", 7)) + "\n```",
		`{{"assessments": [{{"id": "A"}}]}}`,
		`{'assessments': [{'id': 'it's', b: None},]}`, "<think>{</think>[{\"id\":\"A\"}]",
		`{"assessments":[{"id":"A","x":"\u12"},{"id"`, "[[[[{{{{", `{"assessments":[}{]]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := readReply(text, screeningSchema)
		if err != nil {
			return
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal(got.JSON, &object); err != nil {
			t.Fatalf("no JSON object: %v\n%q", err, got.JSON)
		}
		again, err := readReply(string(got.JSON), screeningSchema)
		if err != nil || again.Repaired || string(again.JSON) != strings.TrimSpace(string(got.JSON)) {
			t.Fatalf("what was put right is put right again: %q, %v", again.JSON, err)
		}
	})
}
