package evidence

import (
	"slices"
	"testing"
)

func curated(id, level, status string, flagged bool) CuratedStatement {
	return CuratedStatement{ID: id, Level: level, Status: status, Flagged: flagged}
}

func TestCompareCuratedPutsFirstWhatCounts(t *testing.T) {
	want := []CuratedStatement{
		curated("EID7", "A", StatementAccepted, false), curated("EID3", "B", StatementAccepted, false),
		curated("EID20", "B", StatementAccepted, false),
		curated("EID1", "A", StatementSubmitted, false), curated("EID2", "B", StatementAccepted, true),
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, CompareCurated)
	for i := range want {
		if got[i].ID != want[i].ID {
			t.Fatalf("place %d has %s, want %s", i+1, got[i].ID, want[i].ID)
		}
	}
}

func TestChangesSinceTellsWhatAFileBrings(t *testing.T) {
	first := CuratedStatement{ID: "EID1", Level: "B", Therapies: []string{"a"}, FileDate: "2026-10-01"}
	second := CuratedStatement{ID: "EID2", Level: "C", FileDate: "2026-10-01"}
	later := func(s CuratedStatement, change func(*CuratedStatement)) CuratedStatement {
		s.FileDate, s.Therapies = "2026-11-01", slices.Clone(s.Therapies)
		change(&s)
		return s
	}
	same := func(*CuratedStatement) {}
	for _, tc := range []struct {
		name       string
		statements []CuratedStatement
		want       CuratedChanges
	}{
		{"the same on another day", []CuratedStatement{later(first, same), later(second, same)}, CuratedChanges{}},
		{"one new", []CuratedStatement{first, second, {ID: "EID3"}}, CuratedChanges{New: 1}},
		{"one gone", []CuratedStatement{second}, CuratedChanges{Gone: 1}},
		{"another level", []CuratedStatement{later(first, func(s *CuratedStatement) { s.Level = "A" }), second},
			CuratedChanges{Changed: 1}},
		{"another therapy", []CuratedStatement{later(first, func(s *CuratedStatement) { s.Therapies[0] = "b" }), second},
			CuratedChanges{Changed: 1}},
		{"one for another", []CuratedStatement{first, {ID: "EID3"}}, CuratedChanges{New: 1, Gone: 1}},
		{"none", nil, CuratedChanges{Gone: 2}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			before := CuratedFile{Statements: []CuratedStatement{first, second}}
			if got := (&CuratedFile{Statements: tc.statements}).ChangesSince(&before); got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestCriterionSaysWhatWasAdded(t *testing.T) {
	for _, tc := range []struct {
		name string
		put  PutForward
		want string
	}{
		{"a statement for", PutForward{Statement: "EID1", Level: "B", Direction: "Supports", By: 1, Judged: 7},
			"CIViC level B (EID1), +1.0"},
		{"a statement against", PutForward{Statement: "EID1", Level: "A", Direction: SpeaksAgainst, By: 1.5, Judged: 7},
			"CIViC level A (EID1, does not support), +1.5"},
		{"more than there is room for", PutForward{Statement: "EID1", Level: "C", By: 0.5, Judged: 9.8},
			"CIViC level C (EID1), +0.5, at most 10"},
	} {
		if got := tc.put.Criterion(); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}
