package llm

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/evidence"
)

// screeningReply is the reply to the task screening, its items not yet looked at: one that is bad must not spoil the others.
type screeningReply struct {
	Assessments []json.RawMessage `json:"assessments"`
}

// item is an element of the reply. Every field is read by itself, so that a wrong type in one says which.
type item struct {
	ID        json.RawMessage `json:"id"`
	Relevant  json.RawMessage `json:"is_relevant"`
	Score     json.RawMessage `json:"relevance_score"`
	StudyType json.RawMessage `json:"study_type"`
	Criteria  json.RawMessage `json:"matched_criteria"`
	Findings  json.RawMessage `json:"key_findings"`
}

// The reasons for which an item is rejected, in words for the run's log.
const (
	rejectedShape     = "no object, or without an id"
	rejectedID        = "an id that was not asked about"
	rejectedTwice     = "an id twice, with different judgements"
	rejectedScore     = "no score from 0 to 10"
	rejectedRelevance = "neither relevant nor not"
	rejectedStudyType = "a study type that is none"
)

// Bounds of a model's texts, in bytes.
const (
	maxCriteria  = 12
	maxCriterion = 200
	maxFindings  = 1000
)

// verdicts sorts a reply into assessments, one a record, and counts what was rejected, by reason. What is rejected is rejected
// whole: nothing of it is guessed or put right. A record that is judged twice in one reply keeps its judgement only if both
// are the same.
func verdicts(reply screeningReply, asked map[string]bool) (map[string]evidence.Assessment, map[string]int) {
	accepted, rejected := map[string]evidence.Assessment{}, map[string]int{}
	seen := map[string]judged{}
	for _, raw := range reply.Assessments {
		id, a, reason := verdict(raw)
		if reason != rejectedShape && !asked[id] {
			reason = rejectedID
		}
		if reason == rejectedShape || reason == rejectedID {
			rejected[reason]++
			continue
		}
		this := judged{a, reason}
		if before, again := seen[id]; again {
			if !reflect.DeepEqual(before, this) {
				rejected[rejectedTwice]++
				delete(accepted, id)
			}
			continue
		}
		seen[id] = this
		if reason != "" {
			rejected[reason]++
			continue
		}
		accepted[id] = a
	}
	return accepted, rejected
}

// judged is what a reply said of a record, or why that was not taken.
type judged struct {
	evidence.Assessment
	reason string
}

// verdict reads one item. reason is empty where it is good; the id is known unless reason is rejectedShape.
func verdict(raw json.RawMessage) (id string, a evidence.Assessment, reason string) {
	var it item
	if json.Unmarshal(raw, &it) != nil || json.Unmarshal(it.ID, &id) != nil || strings.TrimSpace(id) == "" {
		return "", a, rejectedShape
	}
	id = strings.TrimSpace(id)
	a = evidence.Assessment{Record: id, Criteria: texts(it.Criteria), KeyFindings: textIn(it.Findings)}
	var ok bool
	if a.Score, ok = score(it.Score); !ok {
		return id, a, rejectedScore
	}
	if a.Relevant, ok = truth(it.Relevant); !ok {
		return id, a, rejectedRelevance
	}
	if a.StudyType, ok = studyType(it.StudyType); !ok {
		return id, a, rejectedStudyType
	}
	return id, a, ""
}

// score takes a number from 0 to 10, also one that is written as a string: "8" says what 8 says. "8/10", null and 11 are
// none.
func score(raw json.RawMessage) (float64, bool) {
	text := strings.TrimSpace(string(raw))
	var quoted string
	if json.Unmarshal(raw, &quoted) == nil && text != "null" {
		text = strings.TrimSpace(quoted)
	}
	var n json.Number
	if json.Unmarshal([]byte(text), &n) != nil || n == "" || text[0] == '"' {
		return 0, false
	}
	value, err := strconv.ParseFloat(string(n), 64)
	return value, err == nil && value >= 0 && value <= 10
}

// truth takes true and false, also as strings.
func truth(raw json.RawMessage) (value, ok bool) {
	switch strings.ToLower(strings.Trim(strings.TrimSpace(string(raw)), `"`)) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

// studyType takes the six buckets, however their words are joined and whatever their case. None at all is no mistake: the
// bucket then comes from elsewhere (SPEC section 2, step 5).
func studyType(raw json.RawMessage) (evidence.Bucket, bool) {
	var text string
	if len(raw) > 0 && json.Unmarshal(raw, &text) != nil {
		return "", false
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ' ' || r == '_' || r == '-' })
	bucket := evidence.Bucket(strings.Join(words, "_"))
	return bucket, bucket == "" || slices.Contains(evidence.Buckets, bucket)
}

// texts takes a list of strings, or one. It only explains a score, so that one of another kind is left out.
func texts(raw json.RawMessage) []string {
	var list []any
	if json.Unmarshal(raw, &list) != nil {
		list = []any{textIn(raw)}
	}
	var out []string
	for _, v := range list[:min(len(list), maxCriteria)] {
		if s, ok := v.(string); ok && plain(s, maxCriterion) != "" {
			out = append(out, plain(s, maxCriterion))
		}
	}
	return out
}

func textIn(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return plain(text, maxFindings)
}

// inWords lists counts by reason, in order.
func inWords(rejected map[string]int) string {
	var out []string
	for reason, n := range rejected {
		out = append(out, fmt.Sprintf("%d: %s", n, reason))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}
