package evidence

import (
	"slices"
	"time"
)

// TopicInfo is a topic's row in a list: what was asked and how its newest answer came out.
type TopicInfo struct {
	ID       string    `json:"id"`
	Question string    `json:"question"`
	Tags     []string  `json:"tags,omitempty"`
	Built    time.Time `json:"built"`
	Run      string    `json:"run"`
	Counts   Counts    `json:"counts"`
	Trials   int       `json:"trials"`
	Errors   int       `json:"errors"` // sources that failed or were skipped
	Owners   []string  `json:"owners,omitempty"`
	Retired  time.Time `json:"retired,omitzero"` // see Answer.Retired
}

// ListedFor reports whether the topic appears in a list for a user of this machine: a topic of the files in every list,
// a retired one in none, a live question in its asker's. An empty user is no one in particular.
func (t *TopicInfo) ListedFor(user string) bool {
	if IsLiveTopic(t.ID) {
		return user != "" && slices.Contains(t.Owners, user)
	}
	return t.Retired.IsZero()
}

// Info is the answer's row in a list of topics.
func (a *Answer) Info() TopicInfo {
	info := TopicInfo{
		ID: a.Topic.ID, Question: a.Topic.Question, Tags: a.Topic.Tags, Built: a.Built, Owners: a.Owners, Retired: a.Retired,
		Run: a.Run, Counts: a.Counts, Trials: len(a.Trials),
	}
	for _, search := range a.Searches {
		if search.Status != SearchOK {
			info.Errors++
		}
	}
	return info
}
