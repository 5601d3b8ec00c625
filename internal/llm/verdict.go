package llm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// screeningReply is the reply to the task screening with undecoded items: a bad one must not spoil the others.
type screeningReply struct {
	Assessments []json.RawMessage `json:"assessments"`
}

// The reasons for rejecting an item, in words for the run's log.
const (
	rejectedShape         = "no object, or without an id"
	rejectedID            = "an id that was not asked about"
	rejectedTwice         = "an id twice, with different judgements"
	rejectedScore         = "no score from 0 to 10"
	rejectedRelevance     = "neither relevant nor not"
	rejectedContradiction = "relevance and score contradict each other"
)

// droppedStudyType is the reason for dropping only an item's study type.
const droppedStudyType = "a study type that is none, left out"

// Bounds of a model's texts, in bytes; the schema's are lower, for models that follow it.
const (
	maxCriteria  = 12
	maxCriterion = 200
	maxFindings  = 1000
)

// item is an element of a reply, as far as it could be decoded.
type item struct {
	evidence.Assessment
	score   rawScore // as written
	reason  string   // why it is rejected; empty if it is good
	dropped string   // what was dropped from a good one
}

// verdicts is a reply's result for the records asked about.
type verdicts struct {
	accepted map[string]evidence.Assessment // by record
	counts   map[string]int                 // of what was rejected or left out, by reason
	scale    string                         // how the scores are of another scale; then no item is accepted
}

// readVerdicts decodes a reply into at most one assessment per record. An item is rejected as a whole: nothing is
// guessed or corrected. A record judged twice in one reply is accepted only if both judgements are the same. strict is
// for a model that was sent the scale again.
func readVerdicts(reply screeningReply, names spellings, strict bool) verdicts {
	out := verdicts{accepted: map[string]evidence.Assessment{}, counts: map[string]int{}}
	seen := map[string]item{}

	var items []item
	for _, raw := range reply.Assessments {
		it := readItem(raw, names)
		if it.Record == "" {
			out.counts[it.reason]++
			continue
		}

		if before, again := seen[it.Record]; again {
			if !reflect.DeepEqual(before, it) {
				out.counts[rejectedTwice]++
				delete(out.accepted, it.Record)
			}
			continue
		}
		seen[it.Record] = it

		items = append(items, it)
		for _, why := range []string{it.reason, it.dropped} {
			if why != "" {
				out.counts[why]++
			}
		}

		if it.reason == "" {
			out.accepted[it.Record] = it.Assessment
		}
	}

	if out.scale = otherScale(items, strict); out.scale != "" {
		clear(out.accepted)
	}
	return out
}

// readItem decodes one item. Record is empty where it is about none of the records asked about.
func readItem(raw json.RawMessage, names spellings) item {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return item{reason: rejectedShape}
	}
	fields, ids := fieldsOf(members)

	id, reason := names.resolve(ids)
	if reason != "" {
		return item{reason: reason}
	}
	it := item{Assessment: evidence.Assessment{
		Record: id, Criteria: texts(fields["matched_criteria"]), KeyFindings: textIn(fields["key_findings"]),
	}}

	var scored, decided, known bool
	if it.score = scoreIn(fields["relevance_score"]); it.score.onScale() {
		it.Score, scored = it.score.value, true
	}

	it.Relevant, decided = truth(fields["is_relevant"])
	if it.StudyType, known = studyType(fields["study_type"]); !known {
		it.StudyType, it.dropped = "", droppedStudyType
	}

	switch {
	case !scored:
		it.reason = rejectedScore
	case !decided:
		it.reason = rejectedRelevance
	case it.Relevant && it.Score < minRelevantScore, !it.Relevant && it.Score >= directScore: // contradictory on our scale
		it.reason = rejectedContradiction
	}
	return it
}

// fieldNames are the names of an item's fields.
var fieldNames = []string{"id", "is_relevant", "relevance_score", "study_type", "matched_criteria", "key_findings"}

// fieldsOf finds an item's fields in any spelling of their names, preferring the exact one. ids are all values that may
// identify the record, the best first.
func fieldsOf(members map[string]json.RawMessage) (fields map[string]json.RawMessage, ids []json.RawMessage) {
	fields = map[string]json.RawMessage{}
	for _, own := range []bool{true, false} {
		for _, name := range slices.Sorted(maps.Keys(members)) {
			field := standsFor(name, fieldNames)
			if field == "" || (name == field) != own {
				continue
			}

			if _, ok := fields[field]; !ok {
				fields[field] = members[name]
			}

			if field == "id" {
				ids = append(ids, members[name])
			}
		}
	}
	return fields, ids
}

// spellings maps every spelling of a record's id to the id, and to "" where two records may be meant.
type spellings map[string]string

func spellingsOf(ids []string) spellings {
	s := spellings{}
	for _, id := range ids {
		_, value, _ := strings.Cut(id, ":")
		for _, spelling := range []string{plainID(id), plainID(value)} {
			if other, taken := s[spelling]; taken && other != id {
				s[spelling] = ""
			} else {
				s[spelling] = id
			}
		}
	}

	for _, id := range ids {
		s[id] = id
	}
	s[""] = ""
	return s
}

// plainID is an id in lower case, without spaces and the colon after its kind.
func plainID(id string) string {
	return strings.Replace(strings.Join(strings.Fields(strings.ToLower(id)), ""), ":", "", 1)
}

// resolve is the one record that an item's possible ids identify.
func (s spellings) resolve(ids []json.RawMessage) (id, reason string) {
	reason = rejectedShape
	for _, raw := range ids {
		text := strings.TrimSpace(string(raw))
		if json.Unmarshal(raw, &text) != nil && json.Unmarshal(raw, new(json.Number)) != nil {
			continue
		}

		text = strings.TrimSpace(text)
		if text == "" || text == "null" {
			continue
		}

		this := s[text]
		if this == "" {
			this = s[plainID(text)]
		}

		for _, in := range evidence.IdentifiersInURL(text) {
			this = cmp.Or(this, s[in.String()])
		}

		switch {
		case this == "":
			if id == "" {
				reason = rejectedID
			}
		case id == "":
			id, reason = this, ""
		case this != id:
			return "", rejectedID
		}
	}
	return id, reason
}

// truth parses true and false, also as strings and as yes and no.
func truth(raw json.RawMessage) (value, ok bool) {
	switch strings.ToLower(strings.Trim(strings.TrimSpace(string(raw)), `"`)) {
	case "true", "yes":
		return true, true
	case "false", "no":
		return false, true
	}
	return false, false
}

// studyType parses the six buckets, ignoring case and separators. A missing one is no error: the bucket then comes from
// elsewhere (docs/METHOD.md, "Design").
func studyType(raw json.RawMessage) (bucket evidence.Bucket, ok bool) {
	var text string
	if len(raw) > 0 && json.Unmarshal(raw, &text) != nil {
		return "", false
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ' ' || r == '_' || r == '-' })
	bucket = evidence.Bucket(strings.Join(words, "_"))
	return bucket, bucket == "" || slices.Contains(evidence.Buckets, bucket)
}

// texts parses a list of strings, or one. It only explains a score, so other values are dropped.
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
	var words string
	if json.Unmarshal(raw, &words) != nil {
		return ""
	}
	return plain(words, maxFindings)
}

// inWords lists counts by reason, in order.
func inWords(counts map[string]int) string {
	var out []string
	for reason, n := range counts {
		out = append(out, fmt.Sprintf("%d: %s", n, reason))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}
