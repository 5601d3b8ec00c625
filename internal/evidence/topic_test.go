package evidence

import (
	"encoding/json"
	"slices"
	"testing"
)

// An answer keeps its topic as JSON; one that names no papers has no key for them.
func TestTopicKeepsItsPivotalPapers(t *testing.T) {
	for _, pivotal := range [][]string{nil, {"32955177", "33207094"}} {
		data, err := json.Marshal(Answer{Topic: Topic{ID: "x", Pivotal: pivotal}})
		if err != nil {
			t.Fatal(err)
		}
		var back Answer
		if err := json.Unmarshal(data, &back); err != nil || !slices.Equal(back.Topic.Pivotal, pivotal) {
			t.Errorf("%q is kept as %s: %v", pivotal, data, err)
		}
	}
}
