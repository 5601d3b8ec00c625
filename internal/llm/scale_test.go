package llm

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestOtherScale says which replies are taken to be of another scale, as a whole.
func TestOtherScale(t *testing.T) {
	yes := func(score any) string { return verdictOn("", score) }
	typed := func(relevant bool, score any, study string) string {
		return fmt.Sprintf(`{"is_relevant":%v,"relevance_score":%v,"study_type":%q}`, relevant, score, study)
	}
	no := func(score any) string { return typed(false, score, "observational") }
	cell := func(score any) string { return typed(true, score, "preclinical") }
	const (
		parts  = `written as parts of a whole, like "4/5" or "80%"`
		unit   = "from 0 to 1"
		cent   = "from 0 to 100"
		clash  = "low for what it calls relevant, or high for what it does not"
		low    = "below 5 for all that it calls relevant"
		beyond = "beyond 10, up to 900"
	)
	for _, tc := range []struct {
		name   string
		items  []string
		strict bool
		want   string
	}{
		{"good", []string{yes(9), yes(5), no(3), no(0)}, false, ""},
		{"nothing is relevant", []string{no(0), no(0), no(1), no(4)}, false, ""},
		{"nothing but zeros", []string{no(0), no(0)}, false, ""},
		{"one good one", []string{yes(10)}, false, ""},
		{"halves", []string{yes(7.5), no(0.5)}, false, ""},
		{"0 to 1", []string{yes(0.9), yes(0.5), no(0.1), no(0)}, false, unit},
		{"0 to 1, the best of all", []string{yes(1), no(0.2)}, false, unit},
		{"0 to 1, one record", []string{yes(0.9)}, false, unit},
		{"0 or 1", []string{yes(1), yes(1), no(0)}, false, clash},
		{"0 to 100", []string{yes(90), yes(55), no(10), no(0)}, false, cent},
		{"0 to 100, one that is relevant", []string{yes(85), no(0), no(0)}, false, cent},
		{"0 to 100, as percentages", []string{yes(`"90%"`), no(`"5%"`)}, false, parts},
		{"one score beyond the scale", []string{yes(11), yes(8), yes(7), no(2)}, false, ""},
		{"beyond 100", []string{yes(900), yes(300)}, false, beyond},
		{"of ten", []string{yes(`"8/10"`), yes(`"6 out of 10"`), no(`"0 / 10"`)}, false, ""},
		{"of five", []string{yes(`"4/5"`), yes(`"3 out of 5"`), no(`"0 / 5"`)}, false, parts},
		{"one of five among numbers", []string{yes(`"4/5"`), yes(8), yes(6)}, false, ""},
		{"relevant with 2", []string{yes(2), yes(2), no(1), no(1)}, false, clash},
		{"1 to 3", []string{yes(3), yes(3), yes(3), no(1)}, false, low},
		{"0 to 5", []string{yes(4), yes(3), yes(4), no(1)}, false, low},
		{"two that are indirect", []string{yes(4), yes(3), no(1)}, false, ""},
		{"two that are indirect, after the scale was said", []string{yes(4), yes(3), no(1)}, true, low},
		{"cells alone", []string{cell(4), cell(4), cell(3), no(0)}, false, ""},
		{"cells alone, after the scale was said", []string{cell(4), no(0)}, true, ""},
		{"turned around", []string{no(9), no(8), no(7)}, false, clash},
		{"one turned around", []string{no(9), yes(8), yes(7)}, false, ""},
		{"no score at all", []string{yes(`"high"`), yes("null")}, false, ""},
		{"nothing", nil, false, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var reply screeningReply
			var ids []string
			for i, text := range tc.items {
				var members map[string]json.RawMessage
				if err := json.Unmarshal([]byte(text), &members); err != nil {
					t.Fatal(err)
				}
				id := fmt.Sprintf("PMID:%d", 99000001+i)
				ids = append(ids, id)
				members["id"], _ = json.Marshal(id)
				raw, _ := json.Marshal(members)
				reply.Assessments = append(reply.Assessments, raw)
			}
			got := readVerdicts(reply, spellingsOf(ids), tc.strict)
			if got.scale != tc.want {
				t.Errorf("%q, want %q", got.scale, tc.want)
			}
			if got.scale != "" && len(got.accepted) > 0 {
				t.Errorf("%d are accepted all the same", len(got.accepted))
			}
		})
	}
}
