package evidence

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

type row = SnapshotRow

func shown(sample ...row) Snapshot {
	return Snapshot{Form: SnapshotForm, Sample: sample}
}

func registered(trials ...row) Snapshot {
	return Snapshot{Form: SnapshotForm, Trials: trials}
}

func TestChangesBetween(t *testing.T) {
	a := row{Record: "PMID:99000001", Title: "A", Bucket: RCT, Score: 8}
	b := row{Record: "PMID:99000002", Title: "B", Bucket: RCT, Score: 7}
	trial := func(status string, results bool) row {
		return row{Record: "NCT:NCT99000001", Title: "T", Status: status, Results: results}
	}
	with := func(r row, change func(*row)) row { change(&r); return r }
	withRemoved := shown()
	withRemoved.Removed = []string{a.Record}
	retracted := with(a, func(r *row) { r.Retracted = true })
	without := func(excluded row, removed ...string) Snapshot {
		s := shown(b)
		s.Excluded, s.Removed = []row{excluded}, removed
		return s
	}
	doubted := with(a, func(r *row) { r.Notices = []Relation{ErratumIn, ConcernIn} })
	for _, tc := range []struct {
		name          string
		before, after Snapshot
		want          []string
	}{
		{"nothing", shown(a, b), shown(a, b), nil},
		{"another order is no change", shown(a, b), shown(b, a), nil},
		{"a new record", shown(a), shown(a, b), []string{"New PMID:99000002"}},
		{"one that is gone", shown(a, b), shown(b), []string{"No longer here PMID:99000001"}},
		{"one that was retracted", shown(a), withRemoved, []string{"Retracted PMID:99000001"}},
		{"one that was known to be retracted",
			shown(with(a, func(r *row) { r.Retracted = true })), withRemoved, nil},
		{"a retracted one that never was in the sample", shown(), withRemoved, nil},
		{"another bucket and another score", shown(a),
			shown(with(a, func(r *row) { r.Bucket, r.Score = Observational, 6.5 })),
			[]string{"Reclassified PMID:99000001 clinical trials → observational studies",
				"Scored anew PMID:99000001 8 → 6.5"}},
		{"a bucket that nothing tells any more", shown(a), shown(with(a, func(r *row) { r.Bucket = "" })),
			[]string{"Reclassified PMID:99000001 clinical trials → design not stated"}},
		{"a notice", shown(a), shown(doubted),
			[]string{"Corrected or in doubt PMID:99000001 erratum, expression of concern"}},
		{"a notice that was known", shown(doubted), shown(doubted), nil},
		{"a notice of which the earlier snapshot could not tell",
			Snapshot{Sample: []row{a}}, shown(doubted), nil},
		{"one that readers excluded", shown(a, b), without(a), []string{"Excluded by readers PMID:99000001"}},
		{"one that they had excluded", without(a), without(a), nil},
		{"one that they take back", without(a), shown(a, b), []string{"New PMID:99000001"}},
		{"an excluded one that is retracted", without(a), without(retracted), []string{"Retracted PMID:99000001"}},
		{"an excluded one that is retracted, and would stand in the sample", without(a), without(retracted, a.Record),
			[]string{"Retracted PMID:99000001"}},
		{"one that is retracted, and excluded for that", shown(a, b), without(retracted, a.Record),
			[]string{"Retracted PMID:99000001", "Excluded by readers PMID:99000001"}},
		{"an excluded one that was known to be retracted", without(retracted), without(retracted, a.Record), nil},
		{"a notice on an excluded one", without(a), without(doubted),
			[]string{"Corrected or in doubt PMID:99000001 erratum, expression of concern"}},
		{"a new trial", registered(), registered(trial("RECRUITING", false)),
			[]string{"New trial NCT:NCT99000001 recruiting"}},
		{"a trial that opened", registered(trial("NOT_YET_RECRUITING", false)), registered(trial("RECRUITING", false)),
			[]string{"Trial opened NCT:NCT99000001 not yet recruiting → recruiting"}},
		{"a trial that closed", registered(trial("RECRUITING", false)), registered(trial("TERMINATED", false)),
			[]string{"Trial closed NCT:NCT99000001 recruiting → terminated"}},
		{"a closed trial that moved on", registered(trial("ACTIVE_NOT_RECRUITING", false)),
			registered(trial("COMPLETED", true)),
			[]string{"Trial’s status NCT:NCT99000001 active not recruiting → completed", "Trial has results NCT:NCT99000001"}},
		{"results of which the earlier snapshot could not tell",
			Snapshot{Trials: []row{trial("COMPLETED", false)}}, registered(trial("COMPLETED", true)), nil},
		{"a trial that is gone", registered(trial("RECRUITING", false)), registered(),
			[]string{"Trial no longer listed NCT:NCT99000001 recruiting"}},
		{"all by kind", shown(a), shown(with(a, func(r *row) { r.Score = 9 }), b),
			[]string{"New PMID:99000002", "Scored anew PMID:99000001 8 → 9"}},
		{"a hostile title is one plain line", shown(), shown(row{Record: "import:x|1", Title: "a\n\x1b[31mb"}),
			[]string{"New import:x|1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, c := range ChangesBetween(&tc.before, &tc.after) {
				got = append(got, strings.TrimSpace(c.Name()+" "+c.Record+" "+c.FromTo()))
				if c.Title == "" || strings.ContainsAny(c.Title, "\n\x1b") {
					t.Errorf("title %q", c.Title)
				}
				if id, err := ParseIdentifier(c.Record); err == nil && c.URL != id.URL() {
					t.Errorf("%s leads to %q", c.Record, c.URL)
				}
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("got %q\nwant %q", got, tc.want)
			}
		})
	}
}

func TestLastChanges(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 11, n, 2, 30, 0, 0, time.UTC) }
	at := func(n int, s Snapshot) Snapshot { s.Built = day(n); return s }
	a, b := row{Record: "PMID:99000001", Score: 5}, row{Record: "PMID:99000002", Score: 5}
	scored := row{Record: "PMID:99000001", Score: 6}
	now := shown(a)
	for _, tc := range []struct {
		name    string
		history []Snapshot
		apart   []ChangeKind
		since   int
		changes int
	}{
		{"the youngest that differs", []Snapshot{at(1, shown()), at(2, shown(a, b)), at(3, shown(a))}, nil, 2, 1},
		{"none differs: since the first", []Snapshot{at(1, shown(a)), at(2, shown(a))}, nil, 1, 0},
		{"a score counts", []Snapshot{at(1, shown(b)), at(2, shown(scored))}, nil, 2, 1},
		{"a score does not count", []Snapshot{at(1, shown(b)), at(2, shown(scored))}, []ChangeKind{ChangeRescored}, 1, 2},
	} {
		since, items := LastChanges(tc.history, &now, tc.apart...)
		if !since.Equal(day(tc.since)) || len(items) != tc.changes || items == nil {
			t.Errorf("%s: since %v, %+v", tc.name, since, items)
		}
	}
}

func TestTellChangesSince(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 11, n, 2, 30, 0, 0, time.UTC) }
	at := func(n int, sample ...row) Snapshot { s := shown(sample...); s.Built = day(n); return s }
	a, b := row{Record: "PMID:99000001", Score: 5}, row{Record: "PMID:99000002", Score: 5}
	for _, tc := range []struct {
		name    string
		history []Snapshot
		changed bool
		since   time.Time
		items   int
		note    string
	}{
		{"no answer", nil, false, time.Time{}, 0, ""},
		{"no answer since then", []Snapshot{at(1), at(2, a)}, false, time.Time{}, 0, ""},
		{"the first answer of all", []Snapshot{at(3, a, b)}, true, time.Time{}, 0,
			"This is the first answer: 2 records in the sample, 0 trials."},
		{"against the last one before", []Snapshot{at(1), at(2, a), at(3, a, b)}, true, day(2), 1, ""},
		{"two answers in one run", []Snapshot{at(2, a), at(3, b), at(4, a, b)}, true, day(2), 1, ""},
		{"there and back in one run", []Snapshot{at(2, a), at(3, b), at(4, a)}, false, day(2), 0, ""},
	} {
		var topic TopicChanges
		changed := TellChangesSince(&topic, tc.history, day(3))
		if changed != tc.changed || !topic.Since.Equal(tc.since) || len(topic.Items) != tc.items || topic.Note != tc.note {
			t.Errorf("%s: %v, %+v", tc.name, changed, topic)
		}
	}
}

// A paper that has got its PMID is the same paper.
func TestResolvedHistory(t *testing.T) {
	record := func(id string) (Record, bool, error) {
		if id == "DOI:10.5555/a" {
			id = "PMID:99000001"
		}
		return Record{ID: id}, id != "PMID:99000009", nil
	}
	old := shown(row{Record: "DOI:10.5555/a"}, row{Record: "PMID:99000009"})
	old.Removed = []string{"DOI:10.5555/a"}
	got, err := ResolvedHistory([]Snapshot{old}, record)
	if err != nil || got[0].Sample[0].Record != "PMID:99000001" || got[0].Sample[1].Record != "PMID:99000009" ||
		got[0].Removed[0] != "PMID:99000001" {
		t.Errorf("%+v, %v", got, err)
	}
	failing := func(string) (Record, bool, error) { return Record{}, false, fmt.Errorf("no") }
	if _, err := ResolvedHistory([]Snapshot{old}, failing); err == nil {
		t.Error("a record that can't be read is passed over")
	}
}
