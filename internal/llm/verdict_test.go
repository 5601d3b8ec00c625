package llm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

var camelCase = strings.NewReplacer("is_relevant", "isRelevant", "relevance_score", "relevanceScore",
	"study_type", "studyType", "matched_criteria", "matchedCriteria", "key_findings", "keyFindings")

func TestReadItem(t *testing.T) {
	with := func(field, value string) string {
		fields := map[string]string{"id": `"A"`, "is_relevant": `true`, "relevance_score": `8`, "study_type": `"rct"`,
			"matched_criteria": `["x"]`, "key_findings": `"y"`}
		fields[field] = value
		var out []string
		for _, name := range []string{"id", "is_relevant", "relevance_score", "study_type", "matched_criteria",
			"key_findings"} {
			if fields[name] != "" {
				out = append(out, fmt.Sprintf("%q:%s", name, fields[name]))
			}
		}
		return "{" + strings.Join(out, ",") + "}"
	}
	plain := evidence.Assessment{Record: "A", Relevant: true, Score: 8, StudyType: evidence.RCT, Criteria: []string{"x"},
		KeyFindings: "y"}
	but := func(change func(*evidence.Assessment)) evidence.Assessment {
		a := plain
		change(&a)
		return a
	}
	for _, tc := range []struct {
		name, item string
		want       evidence.Assessment
		reason     string
	}{
		{"good", with("id", `"A"`), plain, ""},
		{"a score with a fraction", with("relevance_score", `7.5`), but(func(a *evidence.Assessment) { a.Score = 7.5 }), ""},
		{"a score of 0, not relevant", strings.Replace(with("relevance_score", `0`), "true", "false", 1),
			but(func(a *evidence.Assessment) { a.Score, a.Relevant = 0, false }), ""},
		{"relevant, and indirect", with("relevance_score", `3`), but(func(a *evidence.Assessment) { a.Score = 3 }), ""},
		{"relevant with a score of 0", with("relevance_score", `0`), evidence.Assessment{}, rejectedContradiction},
		{"relevant with a score of 2", with("relevance_score", `2`), evidence.Assessment{}, rejectedContradiction},
		{"not relevant with a score of 9", strings.Replace(with("relevance_score", `9`), "true", "false", 1),
			evidence.Assessment{}, rejectedContradiction},
		{"a score as a string says the same", with("relevance_score", `"8"`), plain, ""},
		{"a score of 11", with("relevance_score", `11`), evidence.Assessment{}, rejectedScore},
		{"a score of -3", with("relevance_score", `-3`), evidence.Assessment{}, rejectedScore},
		{"a score that no number holds", with("relevance_score", `1e999`), evidence.Assessment{}, rejectedScore},
		{"no score", with("relevance_score", `null`), evidence.Assessment{}, rejectedScore},
		{"the score left out", with("relevance_score", ``), evidence.Assessment{}, rejectedScore},
		{"a score out of five", with("relevance_score", `"4/5"`), evidence.Assessment{}, rejectedScore},
		{"a score in words", with("relevance_score", `"eight"`), evidence.Assessment{}, rejectedScore},
		{"a list of scores", with("relevance_score", `[8]`), evidence.Assessment{}, rejectedScore},
		{"relevance as a string", strings.Replace(with("is_relevant", `"False"`), ":8", ":2", 1),
			but(func(a *evidence.Assessment) { a.Relevant, a.Score = false, 2 }), ""},
		{"relevance as a word", with("is_relevant", `"yes"`), plain, ""},
		{"relevance left out", with("is_relevant", ``), evidence.Assessment{}, rejectedRelevance},
		{"relevance as a number", with("is_relevant", `1`), evidence.Assessment{}, rejectedRelevance},
		{"a study type in capitals", with("study_type", `"SYSTEMATIC REVIEW"`),
			but(func(a *evidence.Assessment) { a.StudyType = evidence.SystematicReview }), ""},
		{"a study type with a hyphen", with("study_type", `"Case-Report"`),
			but(func(a *evidence.Assessment) { a.StudyType = evidence.CaseReport }), ""},
		{"an unknown study type costs the type", with("study_type", `"cohort"`),
			but(func(a *evidence.Assessment) { a.StudyType = "" }), ""},
		{"two study types cost the type", with("study_type", `["rct","guideline"]`),
			but(func(a *evidence.Assessment) { a.StudyType = "" }), ""},
		{"no study type", with("study_type", `null`), but(func(a *evidence.Assessment) { a.StudyType = "" }), ""},
		{"the study type left out", with("study_type", ``), but(func(a *evidence.Assessment) { a.StudyType = "" }), ""},
		{"an id with spaces around", with("id", `" A "`), plain, ""},
		{"no id", with("id", ``), evidence.Assessment{}, rejectedShape},
		{"an id of another kind", with("id", `{"pmid": 5}`), evidence.Assessment{}, rejectedShape},
		{"a number for an id", with("id", `5`), evidence.Assessment{}, rejectedID},
		{"names in camel case", camelCase.Replace(with("id", `"A"`)), plain, ""},
		{"names with spaces and capitals", strings.NewReplacer("is_relevant", "Is Relevant", "relevance_score",
			"Relevance Score").Replace(with("id", `"A"`)), plain, ""},
		{"pmid for id", strings.Replace(with("id", `"A"`), `"id"`, `"pmid"`, 1), plain, ""},
		{"an id that is none beside a pmid that is one", with("id", `1,"pmid":"A"`), plain, ""},
		{"a list for an item", `["A", 8]`, evidence.Assessment{}, rejectedShape},
		{"one criterion without its list", with("matched_criteria", `"x"`), plain, ""},
		{"criteria of another kind", with("matched_criteria", `[1, {"a": 2}, "x"]`), plain, ""},
		{"findings of another kind", with("key_findings", `{"a": 1}`), but(func(a *evidence.Assessment) {
			a.KeyFindings = ""
		}), ""},
		{"findings that would steer a terminal", with("key_findings", `"y\u001b[31m\u202e\n z"`),
			but(func(a *evidence.Assessment) { a.KeyFindings = "y[31m z" }), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := readItem(json.RawMessage(tc.item), spellingsOf([]string{"A"}))
			if got.reason != tc.reason {
				t.Fatalf("rejected for %q, want %q", got.reason, tc.reason)
			}
			if diff := cmp.Diff(tc.want, got.Assessment); got.reason == "" && diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestVerdictBoundsTexts(t *testing.T) {
	long, err := json.Marshal(strings.Repeat("long é ", 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	got := readItem(json.RawMessage(fmt.Sprintf(
		`{"id":"A","is_relevant":true,"relevance_score":8,"matched_criteria":[%s],"key_findings":%s}`, long, long)),
		spellingsOf([]string{"A"}))
	if got.reason != "" || len(got.KeyFindings) > maxFindings+5 || len(got.Criteria[0]) > maxCriterion+5 {
		t.Errorf("%q: findings of %d bytes, a criterion of %d", got.reason, len(got.KeyFindings), len(got.Criteria[0]))
	}
}

func TestVerdictsOnAReply(t *testing.T) {
	names := spellingsOf([]string{"A", "B", "C"})
	for _, tc := range []struct {
		name     string
		items    []string
		want     []string
		rejected map[string]int
	}{
		{"one each", []string{verdictOn("A", 7), verdictOn("B", 7)}, []string{"A", "B"}, map[string]int{}},
		{"twice the same", []string{verdictOn("A", 7), verdictOn("A", 7)}, []string{"A"}, map[string]int{}},
		{"twice, with different scores: neither", []string{verdictOn("A", 7), verdictOn("A", 3), verdictOn("B", 7)},
			[]string{"B"}, map[string]int{rejectedTwice: 1}},
		{"twice, once bad: neither", []string{verdictOn("A", 7), verdictOn("A", `"x"`)}, nil,
			map[string]int{rejectedTwice: 1}},
		{"three times, the third as the first: none", []string{verdictOn("A", 7), verdictOn("A", 3), verdictOn("A", 7)}, nil,
			map[string]int{rejectedTwice: 1}},
		{"not asked about", []string{verdictOn("X", 7), verdictOn("A", 7)}, []string{"A"}, map[string]int{rejectedID: 1}},
		{"an id in small letters", []string{verdictOn("a", 7)}, []string{"A"}, map[string]int{}},
		{"an id twice, in two spellings", []string{verdictOn("A", 7), verdictOn("a", 7)}, []string{"A"}, map[string]int{}},
		{"bad ones beside good ones", []string{verdictOn("A", `"x"`), `null`, `7`, verdictOn("B", 7)}, []string{"B"},
			map[string]int{rejectedScore: 1, rejectedShape: 2}},
		{"a study type that is none", []string{strings.Replace(verdictOn("A", 7), "rct", "cohort", 1)}, []string{"A"},
			map[string]int{droppedStudyType: 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var reply screeningReply
			if err := json.Unmarshal([]byte(assessments(tc.items...)), &reply); err != nil {
				t.Fatal(err)
			}
			read := readVerdicts(reply, names, false)
			accepted, rejected := read.accepted, read.counts
			var got []string
			for _, id := range []string{"A", "B", "C"} {
				if _, ok := accepted[id]; ok {
					got = append(got, id)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || len(accepted) != len(got) {
				t.Errorf("accepted %v (-want +got):\n%s", accepted, diff)
			}
			if diff := cmp.Diff(tc.rejected, rejected); diff != "" {
				t.Errorf("rejected (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzVerdict looks for an item that is accepted with what may not be.
func FuzzVerdict(f *testing.F) {
	for _, seed := range []string{verdictOn("A", 7), verdictOn("A", `"8"`), `{"id":"A","relevance_score":1e999}`, `[]`,
		`{"id":"A","is_relevant":"TRUE","relevance_score":0,"study_type":"_"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := readItem(json.RawMessage(text), spellingsOf([]string{"A", "PMID:99000001"}))
		if a.reason != "" {
			return
		}
		if !(a.Score >= 0 && a.Score <= 10) || a.Record != "A" && a.Record != "PMID:99000001" ||
			len(a.KeyFindings) > maxFindings+5 || len(a.Criteria) > maxCriteria {
			t.Errorf("accepted %+v from %q", a.Assessment, text)
		}
		if _, err := evidence.ParseBucket(string(a.StudyType)); a.StudyType != "" && err != nil {
			t.Error(err)
		}
	})
}

func TestSpellings(t *testing.T) {
	names := spellingsOf([]string{"PMID:99000001", "PMID:99000002", "DOI:10.5555/Abc", "PPR:99000002", "NCT:NCT99000001"})
	for _, tc := range []struct{ name, id, want string }{
		{"the id", `"PMID:99000001"`, "PMID:99000001"},
		{"in small letters", `"pmid:99000001"`, "PMID:99000001"},
		{"with a space", `"PMID: 99000001"`, "PMID:99000001"},
		{"with a space for the colon", `"PMID 99000001"`, "PMID:99000001"},
		{"bare", `"99000001"`, "PMID:99000001"},
		{"a number", `99000001`, "PMID:99000001"},
		{"a bare DOI", `"10.5555/abc"`, "DOI:10.5555/Abc"},
		{"bare, and two records may be meant", `"99000002"`, ""},
		{"its own kind, and two have its number", `"PPR:99000002"`, "PPR:99000002"},
		{"an unknown one", `"PMID:99000003"`, ""},
		{"nothing", `""`, ""},
		{"null", `null`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, reason := names.resolve([]json.RawMessage{json.RawMessage(tc.id)})
			if got != tc.want || (got == "") != (reason != "") {
				t.Errorf("got %q for %q, want %q", got, reason, tc.want)
			}
		})
	}
}
