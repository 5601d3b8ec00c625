package store

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// approvalsOf are entries of one file, all on sotorasib.
func approvalsOf(ids ...string) *evidence.Approvals {
	all := &evidence.Approvals{}
	file := evidence.GivenFile{Source: evidence.ApprovalsOpenFDA, Name: "labels.json", Date: "2026-11-01",
		Imported: night, Seen: len(ids), Kept: len(ids)}
	for _, id := range ids {
		all.Entries = append(all.Entries, evidence.Approval{Source: evidence.ApprovalsOpenFDA, Agency: "FDA", ID: id,
			Names: []string{"INVENTEX", "Sotorasib"}, Drugs: []string{"sotorasib"}, Words: "Indicated for " + id + ".",
			Status: evidence.StatusApproved, Date: "2025-01-16", DateOf: evidence.DateOfLabel, File: file.Name,
			FileDate: file.Date, Labels: 1})
	}
	all.Files = []evidence.GivenFile{file}
	return all
}

// TestApprovalsAreFoundByAnyNameOfTheDrug: by brand or substance, in any case, each entry once; and the next files take
// their place.
func TestApprovalsAreFoundByAnyNameOfTheDrug(t *testing.T) {
	dir := t.TempDir()
	w := begin(t, dir, testOptions())
	commit(t, w, Batch{Approvals: approvalsOf("set-1", "set-2")})
	publish(t, w)
	r := open(t, dir)
	for name, want := range map[string]int{"sotorasib": 2, "Inventex": 2, "SOTORASIB": 2, "adagrasib": 0} {
		if got, err := r.ApprovalsOf([]string{name, "sotorasib " + name}); err != nil || len(got) != want {
			t.Errorf("ApprovalsOf(%q): %+v, %v; want %d", name, got, err, want)
		}
	}
	next := approvalsOf("set-2", "set-3")
	commit(t, w, Batch{Approvals: next})
	publish(t, w)
	got, err := open(t, dir).Approvals()
	if diff := cmp.Diff(*next, got); diff != "" || err != nil {
		t.Errorf("Approvals (-want +got):\n%s%v", diff, err)
	}
	if findings, err := Folder(dir).Verify(t.Context(), true); err != nil || len(findings) != 0 {
		t.Errorf("Verify: %v, %v", findings, err)
	}
}

// TestVerifyCountsApprovals: an entry that is lost, or stands under another drug, is damage.
func TestVerifyCountsApprovals(t *testing.T) {
	dir := t.TempDir()
	w := begin(t, dir, testOptions())
	short := approvalsOf("set-1")
	short.Files[0].Kept = 2
	commit(t, w, Batch{Approvals: short})
	publish(t, w)
	findings, err := Folder(dir).Verify(t.Context(), true)
	if err != nil || len(findings) != 1 || !strings.Contains(findings[0].String(), "1 entries on what is approved") {
		t.Errorf("Verify: %v, %v", findings, err)
	}
}

func TestAnApprovalWithoutANumberIsRefused(t *testing.T) {
	w := begin(t, t.TempDir(), testOptions())
	err := w.Commit(t.Context(), Batch{Approvals: approvalsOf("")})
	if err == nil || !strings.Contains(err.Error(), "a name or number of an entry on what is approved is empty") {
		t.Errorf("Commit: %v", err)
	}
}

// interpretationsOf are entries of one file, all on KRAS.
func interpretationsOf(ids ...string) *evidence.Interpretations {
	all := &evidence.Interpretations{Files: []evidence.GivenFile{{Source: evidence.CuratedCIViC, Name: "assertions.tsv",
		Date: "2026-11-01", Imported: night, Seen: len(ids), Kept: len(ids)}}}
	for _, id := range ids {
		all.Entries = append(all.Entries, evidence.Interpretation{Source: evidence.CuratedCIViC, ID: id,
			On: evidence.OnTherapy, Name: "KRAS G12C", Profiles: []string{"KRAS G12C"}, Keys: []string{"KRAS", "KRAS G12C"},
			Regimens: [][]string{{"Sotorasib"}}, Grades: []evidence.Grade{{Scale: "AMP/ASCO/CAP", Value: "Tier I - Level A"}},
			File: "assertions.tsv", FileDate: "2026-11-01"})
	}
	return all
}

// TestInterpretationsAreFoundByGeneAndChange: in any case, each entry once; an entry that is lost is damage, and one
// that nothing would find is refused.
func TestInterpretationsAreFoundByGeneAndChange(t *testing.T) {
	dir := t.TempDir()
	w := begin(t, dir, testOptions())
	want := interpretationsOf("AID1", "AID2")
	commit(t, w, Batch{Interpretations: want})
	publish(t, w)
	r := open(t, dir)
	for name, want := range map[string]int{"kras": 2, "KRAS g12c": 2, "NRAS": 0} {
		if got, err := r.InterpretationsOf([]string{name, "x" + name}); err != nil || len(got) != want {
			t.Errorf("InterpretationsOf(%q): %+v, %v; want %d", name, got, err, want)
		}
	}
	got, err := r.Interpretations()
	if diff := cmp.Diff(*want, got); diff != "" || err != nil {
		t.Errorf("Interpretations (-want +got):\n%s%v", diff, err)
	}
	short := interpretationsOf("AID1")
	short.Files[0].Kept = 2
	commit(t, w, Batch{Interpretations: short})
	publish(t, w)
	findings, err := Folder(dir).Verify(t.Context(), true)
	if err != nil || len(findings) != 1 || !strings.Contains(findings[0].String(), "1 entries on what curators say") {
		t.Errorf("Verify: %v, %v", findings, err)
	}
	lost := interpretationsOf("AID1")
	lost.Entries[0].Keys = nil
	err = w.Commit(t.Context(), Batch{Interpretations: lost})
	if err == nil || !strings.Contains(err.Error(), "a name or number of an entry on what curators say is empty") {
		t.Errorf("Commit: %v", err)
	}
}
