package changes

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Topic is what changed of one topic.
type Topic struct {
	ID       string    `json:"topic"`
	Question string    `json:"question"`
	Tags     []string  `json:"tags"`
	Since    time.Time `json:"since,omitzero"` // when the answer was made that this one is compared with
	Until    time.Time `json:"until"`          // when the answer of today was
	Note     string    `json:"note"`           // what a reader should know where there is nothing to compare or to list
	Items    []Change  `json:"items"`
}

// Change is one record or trial that came, went or is told otherwise.
type Change struct {
	Kind   Kind   `json:"kind"`
	Record string `json:"record"`
	Title  string `json:"title"`
	URL    string `json:"url"`
	From   string `json:"from"` // of a bucket, a score or a status: what it was and what it is; of a notice, what it is
	To     string `json:"to"`
}

// Kind says what happened.
type Kind string

// The kinds of change, in the order in which they are shown.
const (
	Retracted    Kind = "retracted"
	Corrected    Kind = "corrected" // or in doubt: an erratum, an expression of concern
	New          Kind = "new"
	Rebucketed   Kind = "rebucketed"
	Rescored     Kind = "rescored"
	Dropped      Kind = "dropped"
	Excluded     Kind = "excluded" // by readers
	TrialNew     Kind = "trial_new"
	TrialStatus  Kind = "trial_status"
	TrialResults Kind = "trial_results"
	TrialDropped Kind = "trial_dropped"
)

// Kinds are all of them, in order.
var Kinds = []Kind{Retracted, Corrected, New, Rebucketed, Rescored, Dropped, Excluded,
	TrialNew, TrialStatus, TrialResults, TrialDropped}

var names = map[Kind]string{
	Retracted: "Retracted", Corrected: "Corrected or in doubt", New: "New", Rebucketed: "Reclassified",
	Rescored: "Scored anew", Dropped: "No longer here", Excluded: "Excluded by readers",
	TrialNew: "New trial", TrialStatus: "Trial’s status", TrialResults: "Trial has results",
	TrialDropped: "Trial no longer listed",
}

// Name is what people read.
func (c Change) Name() string {
	if c.Kind != TrialStatus {
		return names[c.Kind]
	}

	switch was, is := isOpen(c.From), isOpen(c.To); {
	case is && !was:
		return "Trial opened"
	case was && !is:
		return "Trial closed"
	}
	return names[c.Kind]
}

// FromTo is what it was and what it is, in part of a line; empty where the kind says all.
func (c Change) FromTo() string {
	if c.From != "" && c.To != "" {
		return strings.ToLower(c.From + " → " + c.To)
	}
	return strings.ToLower(c.From + c.To)
}

// isOpen reports whether a trial of that status, in statusWords, takes patients.
func isOpen(status string) bool {
	return status == "recruiting" || status == "enrolling by invitation" || status == "available"
}

// Show takes down what is shown today.
func Show(sample, trials, removed, excluded []evidence.Item) evidence.Snapshot {
	s := evidence.Snapshot{Form: evidence.SnapshotForm}
	for _, it := range excluded {
		s.Excluded = append(s.Excluded, evidence.RowOf(it))
	}

	for _, it := range sample {
		s.Sample = append(s.Sample, evidence.RowOf(it))
	}

	for _, it := range trials {
		s.Trials = append(s.Trials, evidence.RowOf(it))
	}

	for _, it := range removed {
		s.Removed = append(s.Removed, it.Record.ID)
	}
	return s
}

// Between lists what changed from one snapshot to another, by kind, and within one in the order in which it is shown.
func Between(before, after *evidence.Snapshot) []Change {
	c := comparison{was: byID(slices.Concat(before.Sample, before.Trials)), tells: before.Form > 0,
		shown: map[string]bool{}}
	for _, id := range after.Removed {
		c.shown[id] = true
		if row, there := c.was[id]; there && !row.Retracted {
			c.add(Retracted, row, "", "")
		}
	}

	excluded := byID(before.Excluded)
	for _, row := range after.Excluded {
		c.excluded(row, excluded)
	}

	for _, row := range after.Sample {
		c.sampled(row)
	}

	for _, row := range after.Trials {
		c.listed(row)
	}

	for _, row := range before.Sample {
		if !c.shown[row.Record] {
			c.add(Dropped, row, "", "")
		}
	}

	for _, row := range before.Trials {
		if !c.shown[row.Record] {
			c.add(TrialDropped, row, statusWords(row.Status), "")
		}
	}
	slices.SortStableFunc(c.found, func(a, b Change) int {
		return cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind))
	})
	return c.found
}

// comparison is of what was shown, by record, with what is. A trial is in no sample.
type comparison struct {
	was   map[string]evidence.SnapshotRow
	tells bool            // of notices and posted results
	shown map[string]bool // today
	found []Change
}

func (c *comparison) add(kind Kind, r evidence.SnapshotRow, from, to string) {
	change := Change{Kind: kind, Record: r.Record, Title: cmp.Or(text.Cut(text.Line(r.Title), maxTitle), "[no title]"),
		From: from, To: to}
	if id, err := evidence.ParseIdentifier(r.Record); err == nil {
		change.URL = id.URL()
	}
	c.found = append(c.found, change)
}

// excluded compares a record that readers have excluded. What becomes of it is told as of any other.
func (c *comparison) excluded(row evidence.SnapshotRow, before map[string]evidence.SnapshotRow) {
	old, shown := c.was[row.Record]
	told := shown && c.shown[row.Record] // that it is retracted, among what was removed

	c.shown[row.Record] = true
	if shown {
		c.add(Excluded, row, "", "")
	} else if old, shown = before[row.Record]; !shown {
		return
	}

	if row.Retracted && !old.Retracted && !told {
		c.add(Retracted, row, "", "")
	}

	if notices := newNotices(&old, &row); c.tells && notices != "" {
		c.add(Corrected, row, "", notices)
	}
}

// sampled compares a record of the sample.
func (c *comparison) sampled(row evidence.SnapshotRow) {
	c.shown[row.Record] = true

	old, there := c.was[row.Record]
	if !there {
		c.add(New, row, "", "")
		return
	}

	if notices := newNotices(&old, &row); c.tells && notices != "" {
		c.add(Corrected, row, "", notices)
	}

	if old.Bucket != row.Bucket {
		c.add(Rebucketed, row, old.Bucket.Title(), row.Bucket.Title())
	}

	if old.Score != row.Score {
		c.add(Rescored, row, scoreText(old.Score), scoreText(row.Score))
	}
}

// listed compares a registered trial.
func (c *comparison) listed(row evidence.SnapshotRow) {
	c.shown[row.Record] = true

	old, there := c.was[row.Record]
	if !there {
		c.add(TrialNew, row, "", statusWords(row.Status))
		return
	}

	if old.Status != row.Status {
		c.add(TrialStatus, row, statusWords(old.Status), statusWords(row.Status))
	}

	if c.tells && row.Results && !old.Results {
		c.add(TrialResults, row, "", "")
	}
}

func byID(rows []evidence.SnapshotRow) map[string]evidence.SnapshotRow {
	out := map[string]evidence.SnapshotRow{}
	for _, r := range rows {
		out[r.Record] = r
	}
	return out
}

var noticeNames = map[evidence.Relation]string{
	evidence.ConcernIn: "expression of concern", evidence.ErratumIn: "erratum",
	evidence.RepublishedIn: "corrected and republished",
}

// newNotices names the kinds of notice that a record has now and had not.
func newNotices(old, now *evidence.SnapshotRow) string {
	var fresh []string
	for _, n := range now.Notices {
		if !slices.Contains(old.Notices, n) {
			fresh = append(fresh, noticeNames[n])
		}
	}
	return strings.Join(fresh, ", ")
}

func scoreText(score float64) string { return strconv.FormatFloat(score, 'g', 3, 64) }

// What is shown of a title and of a registry's code, in bytes; the longest code is ACTIVE_NOT_RECRUITING.
const (
	maxTitle  = 600
	maxStatus = 100
)

func statusWords(code string) string {
	return evidence.StatusWords(text.Cut(text.Line(code), maxStatus))
}

// Last compares an answer with those before it, the youngest first, and gives what differs from the first that showed
// something else: what a reader of the last different answer has not seen. The history is in order of time. Changes of
// the kinds apart don't count.
func Last(history []evidence.Snapshot, now *evidence.Snapshot, apart ...Kind) (since time.Time, items []Change) {
	for _, before := range slices.Backward(history) {
		since = before.Built.UTC()
		if items = between(&before, now, apart...); len(items) > 0 {
			return since, items
		}
	}
	return since, []Change{}
}

// TellSince fills in what changed of a topic since a time: of its newest answer against the last one before that.
// Changed is false where no answer since then showed something else. The first answer of all changes nothing, and is
// told by its note alone. The history is in order of time.
func TellSince(t *Topic, history []evidence.Snapshot, since time.Time) (changed bool) {
	n := len(history)
	if n == 0 || history[n-1].Built.Before(since) {
		return false
	}
	now := &history[n-1]

	t.Until, t.Items = now.Built.UTC(), []Change{}
	for _, before := range slices.Backward(history[:n-1]) {
		if before.Built.Before(since) {
			t.Since, t.Items = before.Built.UTC(), Between(&before, now)
			return len(t.Items) > 0
		}
	}
	t.Note = fmt.Sprintf("This is the first answer: %s in the sample, %s.", text.Plural(len(now.Sample), "record"),
		text.Plural(len(now.Trials), "trial"))
	return true
}

func between(before, after *evidence.Snapshot, apart ...Kind) []Change {
	return slices.DeleteFunc(Between(before, after), func(c Change) bool { return slices.Contains(apart, c.Kind) })
}

// Resolved gives a history the ids that its records have now: a paper that has got its PMID is not gone. What record
// does not know keeps its id. The history is changed in place.
func Resolved(
	history []evidence.Snapshot, record func(id string) (evidence.Record, bool, error),
) ([]evidence.Snapshot, error) {
	resolve := func(id *string) error {
		now, ok, err := record(*id)
		if err != nil {
			return fmt.Errorf("reading a record that was shown before: %w", err)
		}

		if ok {
			*id = now.ID
		}
		return nil
	}
	for _, then := range history {
		for _, rows := range [][]evidence.SnapshotRow{then.Sample, then.Trials, then.Excluded} {
			for j := range rows {
				if err := resolve(&rows[j].Record); err != nil {
					return nil, err
				}
			}
		}

		for j := range then.Removed {
			if err := resolve(&then.Removed[j]); err != nil {
				return nil, err
			}
		}
	}
	return history, nil
}
