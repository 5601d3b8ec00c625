package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"dossier/internal/text"
)

// TopicChanges is what changed of one topic.
type TopicChanges struct {
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
	Kind   ChangeKind `json:"kind"`
	Record string     `json:"record"`
	Title  string     `json:"title"`
	URL    string     `json:"url"`
	// of a bucket, a score or a status: what it was and what it is; of a notice, what it is
	From string `json:"from"`
	To   string `json:"to"`
}

// ChangeKind says what happened.
type ChangeKind string

// The kinds of change, in the order in which they are shown.
const (
	ChangeRetracted    ChangeKind = "retracted"
	ChangeCorrected    ChangeKind = "corrected" // or in doubt: an erratum, an expression of concern
	ChangeNew          ChangeKind = "new"
	ChangeRebucketed   ChangeKind = "rebucketed"
	ChangeRescored     ChangeKind = "rescored"
	ChangeDropped      ChangeKind = "dropped"
	ChangeExcluded     ChangeKind = "excluded" // by readers
	ChangeTrialNew     ChangeKind = "trial_new"
	ChangeTrialStatus  ChangeKind = "trial_status"
	ChangeTrialResults ChangeKind = "trial_results"
	ChangeTrialDropped ChangeKind = "trial_dropped"
)

// ChangeKinds are all of them, in order.
var ChangeKinds = []ChangeKind{ChangeRetracted, ChangeCorrected, ChangeNew, ChangeRebucketed, ChangeRescored,
	ChangeDropped, ChangeExcluded, ChangeTrialNew, ChangeTrialStatus, ChangeTrialResults, ChangeTrialDropped}

var changeNames = map[ChangeKind]string{
	ChangeRetracted: "Retracted", ChangeCorrected: "Corrected or in doubt", ChangeNew: "New",
	ChangeRebucketed: "Reclassified", ChangeRescored: "Scored anew", ChangeDropped: "No longer here",
	ChangeExcluded: "Excluded by readers",
	ChangeTrialNew: "New trial", ChangeTrialStatus: "Trial’s status", ChangeTrialResults: "Trial has results",
	ChangeTrialDropped: "Trial no longer listed",
}

// Name is what people read.
func (c Change) Name() string {
	if c.Kind != ChangeTrialStatus {
		return changeNames[c.Kind]
	}

	switch was, is := isOpen(c.From), isOpen(c.To); {
	case is && !was:
		return "Trial opened"
	case was && !is:
		return "Trial closed"
	}
	return changeNames[c.Kind]
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

// ChangesSummary counts changes by kind: "Retracted: 1; New: 2".
func ChangesSummary(items []Change) string {
	var parts []string
	for _, kind := range ChangeKinds {
		n := 0
		for _, c := range items {
			if c.Kind == kind {
				n++
			}
		}

		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d", changeNames[kind], n))
		}
	}
	return strings.Join(parts, "; ")
}

// SnapshotOf takes down what is shown today.
func SnapshotOf(sample, trials, removed, excluded []Item) Snapshot {
	s := Snapshot{Form: SnapshotForm}
	for _, it := range excluded {
		s.Excluded = append(s.Excluded, RowOf(it))
	}

	for _, it := range sample {
		s.Sample = append(s.Sample, RowOf(it))
	}

	for _, it := range trials {
		s.Trials = append(s.Trials, RowOf(it))
	}

	for _, it := range removed {
		s.Removed = append(s.Removed, it.Record.ID)
	}
	return s
}

// ChangesBetween lists what changed from one snapshot to another, by kind, and within one in the order in which it is
// shown. Changes of the kinds apart are left out.
func ChangesBetween(before, after *Snapshot, apart ...ChangeKind) []Change {
	c := snapshotComparison{was: byID(slices.Concat(before.Sample, before.Trials)), tells: before.Form > 0,
		shown: map[string]bool{}}
	for _, id := range after.Removed {
		c.shown[id] = true
		if row, there := c.was[id]; there && !row.Retracted {
			c.add(ChangeRetracted, row, "", "")
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
			c.add(ChangeDropped, row, "", "")
		}
	}

	for _, row := range before.Trials {
		if !c.shown[row.Record] {
			c.add(ChangeTrialDropped, row, statusWords(row.Status), "")
		}
	}
	slices.SortStableFunc(c.found, func(a, b Change) int {
		return cmp.Compare(slices.Index(ChangeKinds, a.Kind), slices.Index(ChangeKinds, b.Kind))
	})
	return slices.DeleteFunc(c.found, func(c Change) bool { return slices.Contains(apart, c.Kind) })
}

// snapshotComparison is of what was shown, by record, with what is. A trial is in no sample.
type snapshotComparison struct {
	was   map[string]SnapshotRow
	tells bool            // of notices and posted results
	shown map[string]bool // today
	found []Change
}

func (c *snapshotComparison) add(kind ChangeKind, r SnapshotRow, from, to string) {
	change := Change{Kind: kind, Record: r.Record, From: from, To: to,
		Title: cmp.Or(text.Cut(text.Line(r.Title), maxChangeTitle), "[no title]")}
	if id, err := ParseIdentifier(r.Record); err == nil {
		change.URL = id.URL()
	}
	c.found = append(c.found, change)
}

// excluded compares a record that readers have excluded. What becomes of it is told as of any other.
func (c *snapshotComparison) excluded(row SnapshotRow, before map[string]SnapshotRow) {
	old, shown := c.was[row.Record]
	told := shown && c.shown[row.Record] // that it is retracted, among what was removed

	c.shown[row.Record] = true
	if shown {
		c.add(ChangeExcluded, row, "", "")
	} else if old, shown = before[row.Record]; !shown {
		return
	}

	if row.Retracted && !old.Retracted && !told {
		c.add(ChangeRetracted, row, "", "")
	}

	if notices := newNotices(&old, &row); c.tells && notices != "" {
		c.add(ChangeCorrected, row, "", notices)
	}
}

// sampled compares a record of the sample.
func (c *snapshotComparison) sampled(row SnapshotRow) {
	c.shown[row.Record] = true

	old, there := c.was[row.Record]
	if !there {
		c.add(ChangeNew, row, "", "")
		return
	}

	if notices := newNotices(&old, &row); c.tells && notices != "" {
		c.add(ChangeCorrected, row, "", notices)
	}

	if old.Bucket != row.Bucket {
		c.add(ChangeRebucketed, row, old.Bucket.Title(), row.Bucket.Title())
	}

	if old.Score != row.Score {
		c.add(ChangeRescored, row, scoreText(old.Score), scoreText(row.Score))
	}
}

// listed compares a registered trial.
func (c *snapshotComparison) listed(row SnapshotRow) {
	c.shown[row.Record] = true

	old, there := c.was[row.Record]
	if !there {
		c.add(ChangeTrialNew, row, "", statusWords(row.Status))
		return
	}

	if old.Status != row.Status {
		c.add(ChangeTrialStatus, row, statusWords(old.Status), statusWords(row.Status))
	}

	if c.tells && row.Results && !old.Results {
		c.add(ChangeTrialResults, row, "", "")
	}
}

func byID(rows []SnapshotRow) map[string]SnapshotRow {
	out := map[string]SnapshotRow{}
	for _, r := range rows {
		out[r.Record] = r
	}
	return out
}

var noticeNames = map[Relation]string{
	ConcernIn: "expression of concern", ErratumIn: "erratum",
	RepublishedIn: "corrected and republished",
}

// newNotices names the kinds of notice that a record has now and had not.
func newNotices(old, now *SnapshotRow) string {
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
	maxChangeTitle  = 600
	maxChangeStatus = 100
)

func statusWords(code string) string {
	return StatusWords(text.Cut(text.Line(code), maxChangeStatus))
}

// LastChanges compares an answer with those before it, the youngest first, and gives what differs from the first that
// showed something else: what a reader of the last different answer has not seen. The history is in order of time.
// Changes of the kinds apart don't count.
func LastChanges(history []Snapshot, now *Snapshot, apart ...ChangeKind) (since time.Time, items []Change) {
	for _, before := range slices.Backward(history) {
		since = before.Built.UTC()
		if items = ChangesBetween(&before, now, apart...); len(items) > 0 {
			return since, items
		}
	}
	return since, []Change{}
}

// TellChangesSince fills in what changed of a topic since a time: of its newest answer against the last one before
// that. Changed is false where no answer since then showed something else. The first answer of all changes nothing, and
// is told by its note alone. The history is in order of time.
func TellChangesSince(t *TopicChanges, history []Snapshot, since time.Time) (changed bool) {
	n := len(history)
	if n == 0 || history[n-1].Built.Before(since) {
		return false
	}
	now := &history[n-1]

	t.Until, t.Items = now.Built.UTC(), []Change{}
	for _, before := range slices.Backward(history[:n-1]) {
		if before.Built.Before(since) {
			t.Since, t.Items = before.Built.UTC(), ChangesBetween(&before, now)
			return len(t.Items) > 0
		}
	}
	t.Note = fmt.Sprintf("This is the first answer: %s in the sample, %s.", text.Plural(len(now.Sample), "record"),
		text.Plural(len(now.Trials), "trial"))
	return true
}

// ResolvedHistory gives a history the ids that its records have now: a paper that has got its PMID is not gone. What
// record does not know keeps its id. The history is changed in place.
func ResolvedHistory(
	history []Snapshot, record func(id string) (Record, bool, error),
) ([]Snapshot, error) {
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
		for _, rows := range [][]SnapshotRow{then.Sample, then.Trials, then.Excluded} {
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
