package store

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/database"
	"dossier/internal/evidence"
)

// changesTo are the changes with the sequence numbers first to last, each of a record that is named by its number.
func changesTo(first, last int) database.Changes {
	made := database.Changes{Last: uint64(last)}
	for n := first; n <= last; n++ {
		id := fmt.Sprint(n)
		made.List = append(made.List, database.Change{ID: id, Record: &evidence.Record{ID: id, Title: "A title"}})
	}
	return made
}

func TestWhatIsHandedToTheText(t *testing.T) {
	ids := func(c database.Changes) string {
		var all []string
		for _, change := range c.List {
			all = append(all, change.ID)
		}
		return fmt.Sprint(strings.Join(all, " "), " to ", c.Last)
	}
	large := changesTo(6, 6)
	large.List[0].Record.Title = strings.Repeat("x", maxRecentBytes)
	for _, tc := range []struct {
		name    string
		commits []database.Changes
		mark    uint64
		limit   int
		want    string
	}{
		{"nothing", nil, 3, 9, " to 3"},
		{"all", []database.Changes{changesTo(1, 2), changesTo(3, 5)}, 0, 9, "1 2 3 4 5 to 5"},
		{"as many as are wanted", []database.Changes{changesTo(1, 2), changesTo(3, 5)}, 0, 4, "1 2 3 4 to 4"},
		{"what comes after the mark", []database.Changes{changesTo(1, 2), changesTo(3, 5)}, 3, 9, "4 5 to 5"},
		{"none where the text has all", []database.Changes{changesTo(1, 5)}, 5, 9, " to 5"},
		{"none where the next is not held", []database.Changes{changesTo(4, 5)}, 2, 9, " to 2"},
		{"none from before a gap", []database.Changes{changesTo(1, 2), changesTo(4, 5)}, 0, 9, " to 0"},
		{"what comes after a gap", []database.Changes{changesTo(1, 2), changesTo(4, 5)}, 3, 9, "4 5 to 5"},
		{"a commit that changes no record is no gap", []database.Changes{changesTo(1, 2), {}, changesTo(3, 5)}, 1, 9,
			"2 3 4 5 to 5"},
		{"none where they are too large", []database.Changes{changesTo(4, 5), large}, 3, 9, " to 3"},
		{"what comes after those that were too large", []database.Changes{changesTo(4, 5), large, changesTo(7, 8)}, 6, 9,
			"7 8 to 8"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var h recentCommits
			for _, c := range tc.commits {
				h.add(c)
			}
			if got := ids(h.take(tc.mark, tc.limit)); got != tc.want {
				t.Errorf("%s, want %s", got, tc.want)
			}
		})
	}
}

func TestWhatIsTakenIsLetGoOf(t *testing.T) {
	var h recentCommits
	h.add(changesTo(1, 5))
	h.take(1, 2) // 2 and 3, and 1 before them
	if got := h.take(1, 9); len(got.List) > 0 {
		t.Errorf("taken twice: %v", got)
	}
	if got := h.take(3, 9); len(got.List) != 2 || got.Last != 5 {
		t.Errorf("the rest is %v", got)
	}
	if h.bytes != 0 || len(h.changes.List) > 0 {
		t.Errorf("%d bytes of %d changes are held", h.bytes, len(h.changes.List))
	}
}

// TestTheTextIsHandedWhatTheDatabaseHolds compares the changes that are handed over with those that are read back: new
// records, some that change, one that is withdrawn, and some that stay as they are.
func TestTheTextIsHandedWhatTheDatabaseHolds(t *testing.T) {
	w := begin(t, filepath.Join(t.TempDir(), "data"), testOptions())
	commit(t, w, papers(1, 10))
	changed := papers(3, 4)
	for i := range changed.Put {
		changed.SourceRecords[i].Title = "Adagrasib"
		changed.Put[i] = merge(paperID(3+i), changed.SourceRecords[i])
	}
	commit(t, w, changed)
	commit(t, w, Batch{Drop: []string{paperID(5)}, DropSources: []string{"pubmed|5"}})
	commit(t, w, papers(6, 7))
	want, err := w.view.db.Pending(0, 100)
	must(t, err)
	got := w.view.recent.take(0, 100)
	if got.Last != want.Last {
		t.Errorf("the last is %d, want %d", got.Last, want.Last)
	}
	if diff := cmp.Diff(asTheyAre(want), asTheyAre(got)); diff != "" {
		t.Errorf("(-read +handed):\n%s", diff)
	}
}

// asTheyAre gives each record's last change.
func asTheyAre(changes database.Changes) map[string]*evidence.Record {
	last := map[string]*evidence.Record{}
	for _, c := range changes.List {
		last[c.ID] = c.Record
	}
	return last
}
