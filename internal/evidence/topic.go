package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/text"
)

// Topic is a clinical question that is run every night. One that was read from a file has all
// defaults filled in; Validate holds.
type Topic struct {
	ID               string       `json:"id"`
	Question         string       `json:"question"`
	Tags             []string     `json:"tags,omitempty"`
	YearWindow       int          `json:"year_window"`        // years back from today
	MaxResults       int          `json:"max_results"`        // size of the sample
	BroadSearchCount int          `json:"broad_search_count"` // records taken from each source
	Sources          []SourceName `json:"sources"`
	Quotas           Quotas       `json:"quotas"`
	SkipScreening    bool         `json:"skip_screening,omitempty"`
	Trials           TrialFilter  `json:"trials,omitzero"`
	Query            string       `json:"query,omitempty"` // a PubMed query written by hand; replaces step 1
	// the PMIDs of papers that a good search must find, known beforehand to the topic's author
	Pivotal []string `json:"pivotal,omitempty"`
}

// Bounds of a topic's numbers; PubMed gives at most 9,999 records to a search.
const (
	MaxYearWindow       = 200
	MaxSampleSize       = 500
	MaxBroadSearchCount = 9999
	MaxQuestionLength   = 2000
	MaxPivotal          = 20
)

var (
	topicIDRE  = text.LazyRegexp(`^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$`)
	pivotalRE  = text.LazyRegexp(`^[1-9][0-9]{0,8}$`)
	deviceName = text.LazyRegexp(`^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$`)
)

// ValidTopicID returns why id can't name a topic; nil where it can. An id is also the name of files: of the topic's
// report, and of an answer in the inbox. So it has no dots or slashes, and is no name that Windows reserves for a
// device, with any ending: a store or a report may lie on a share.
func ValidTopicID(id string) error {
	switch {
	case !topicIDRE().MatchString(id):
		return fmt.Errorf("%.120q must be 1 to 100 characters of a-z, 0-9 and hyphens, with no hyphen at either end", id)
	case deviceName().MatchString(id):
		return fmt.Errorf("%q is the name of a device on Windows, and can't name a report there; add a word: %s-topic",
			id, id)
	}
	return nil
}

// FieldError names the invalid key of a topic, so that a reader of files can point at its line.
type FieldError struct {
	Key string
	Err error
}

func (e *FieldError) Error() string { return e.Key + ": " + e.Err.Error() }
func (e *FieldError) Unwrap() error { return e.Err }

// LiveTopicPrefix begins the ids of questions that were asked live. No topic file may use it, so that what anybody
// asks can never take the place of a topic.
const LiveTopicPrefix = "asked-"

// LiveTopicID names a question that was asked live: the same question gets the same id.
func LiveTopicID(question string) string {
	sum := sha256.Sum256([]byte(NormalQuestion(question)))
	return LiveTopicPrefix + hex.EncodeToString(sum[:8])
}

// IsLiveTopic reports whether an id is that of a question that was asked live, and of no topic file.
func IsLiveTopic(id string) bool { return strings.HasPrefix(id, LiveTopicPrefix) }

// Validate checks every rule for a single topic; the error is a *FieldError.
func (t *Topic) Validate() error {
	if err := ValidTopicID(t.ID); err != nil {
		return &FieldError{Key: "id", Err: err}
	}

	switch {
	case strings.TrimSpace(t.Question) == "":
		return fieldErrorf("question", "is empty; write the clinical question in a sentence or in key words")
	case len(t.Question) > MaxQuestionLength:
		return fieldErrorf("question", "has %d bytes; at most %d are allowed", len(t.Question), MaxQuestionLength)
	case len(t.Sources) == 0:
		return fieldErrorf("sources", "is empty; name at least one of %s", strings.Join(SourceNames, ", "))
	}

	for _, s := range t.Sources {
		if !slices.Contains(SourceNames, s) {
			return fieldErrorf("sources", "%q is no source; the sources are %s", s, strings.Join(SourceNames, ", "))
		}
	}

	for _, s := range t.Trials.Statuses {
		if !slices.Contains(TrialStatuses, s) {
			return fieldErrorf("trials.statuses", "%q is no status; the registry's are %s", s, strings.Join(TrialStatuses, ", "))
		}
	}

	if _, err := ParseCountries(t.Trials.Countries); err != nil {
		return &FieldError{Key: "trials.countries", Err: err}
	}

	if err := t.validatePivotal(); err != nil {
		return err
	}
	return t.validateNumbers()
}

func (t *Topic) validatePivotal() error {
	if t.Pivotal == nil {
		return nil
	}

	if n := len(t.Pivotal); n == 0 || n > MaxPivotal {
		return fieldErrorf("pivotal", "has %d papers; name 1 to %d, or leave the key out", n, MaxPivotal)
	}

	for i, id := range t.Pivotal {
		switch {
		case !pivotalRE().MatchString(id):
			return fieldErrorf(fmt.Sprintf("pivotal[%d]", i), "%.120q is no PMID; write its digits alone, such as 32955177", id)
		case slices.Contains(t.Pivotal[:i], id):
			return fieldErrorf(fmt.Sprintf("pivotal[%d]", i), "%s stands there twice", id)
		}
	}
	return nil
}

func (t *Topic) validateNumbers() error {
	for _, n := range []struct {
		key             string
		value, min, max int
	}{
		{"year_window", t.YearWindow, 1, MaxYearWindow},
		{"max_results", t.MaxResults, 1, MaxSampleSize},
		{"broad_search_count", t.BroadSearchCount, 1, MaxBroadSearchCount},
	} {
		if n.value < n.min || n.value > n.max {
			return fieldErrorf(n.key, "%d is out of range; allowed are %d to %d", n.value, n.min, n.max)
		}
	}

	total := 0
	for bucket, quota := range t.Quotas {
		if _, err := ParseBucket(string(bucket)); err != nil {
			return fieldErrorf("quotas", "%w", err)
		}

		if quota < 0 {
			return fieldErrorf("quotas."+string(bucket), "%d is negative", quota)
		}
		total += quota
	}

	if total == 0 {
		return fieldErrorf("quotas", "give no bucket a place")
	}
	return nil
}

func fieldErrorf(key, format string, args ...any) error {
	return &FieldError{Key: key, Err: fmt.Errorf(format, args...)}
}
