package pipeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// toldByOlderRules is a store in which a guideline was left open, and a record that nothing tells was called
// observational.
func toldByOlderRules(t *testing.T) Library {
	t.Helper()
	guideline := paper(1, "Guideline on the treatment of colorectal cancer", "Practice Guideline")
	unknown := paper(2, "KRAS G12C in colorectal cancer")
	store := storeWith(t, guideline, unknown)
	for id, told := range map[string]Kind{"PMID:1": {}, "PMID:2": {evidence.Observational, evidence.BucketFromRules,
		evidence.DesignObservational}} {
		r, ok, err := store.Record(id)
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", id, ok, err)
		}
		r.Bucket, r.BucketSource, r.Design = told.Bucket, told.Source, told.Design
		_, members, _, err := store.RecordOf(r.Origins[0].Key())
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Commit(t.Context(), evidence.Batch{Put: []evidence.Merged{{Record: r,
			Members: members}}}); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

func TestAnUpgradeTellsDesignsAnew(t *testing.T) {
	cases := []struct {
		name, last string
		want       map[string]Kind
		note       string
	}{
		{"another version", "1.0.0", map[string]Kind{
			"PMID:1": {evidence.Guideline, evidence.BucketFromXML, evidence.DesignGuideline}, "PMID:2": {},
		}, "2 records made anew by the rules of this version"},
		{"the same version", "1.1.0", map[string]Kind{
			"PMID:1": {}, "PMID:2": {evidence.Observational, evidence.BucketFromRules, evidence.DesignObservational},
		}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			store := toldByOlderRules(t)
			report, err := testPipeline().Run(t.Context(), store, nil, RunOptions{ID: "night", Program: "1.1.0",
				LastProgram: c.last})
			if err != nil {
				t.Fatal(err)
			}
			for id, want := range c.want {
				r, _, err := store.Record(id)
				if got := (Kind{r.Bucket, r.BucketSource, r.Design}); err != nil || got != want {
					t.Errorf("%s is told as %+v, want %+v (%v)", id, got, want, err)
				}
				if _, members, ok, err := store.RecordOf(r.Origins[0].Key()); err != nil || !ok || len(members) != 1 {
					t.Errorf("%s has lost its source record: %q, %v, %v", id, members, ok, err)
				}
			}
			if notes := strings.Join(report.Run.Notes, "; "); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
				t.Errorf("the run says %q, want %q", notes, c.note)
			}
		})
	}
}

// Older rules believed a stranger's title, abstract and retraction, and made one record of two papers.
func TestAnUpgradeTakesBackWhatOlderRulesBelieved(t *testing.T) {
	stranger := claim(evidence.SourceOpenAlex, "W99000501", underIDs("openalex", "W99000501", "pmid", claimedPMID),
		retractedClaim)
	store := storeWith(t, claimedPaper(), otherPaper(), stranger)
	want, other := mustRecord(t, store, "PMID:"+claimedPMID), mustRecord(t, store, "OpenAlex:W99000501")
	poisoned := want
	poisoned.Title, poisoned.Abstract, poisoned.Retraction = falsePaper, stranger.Abstract,
		evidence.Retraction{Status: evidence.Yes, Source: evidence.SourceOpenAlex}
	poisoned.Origins, poisoned.Identifiers = append(slices.Clone(stranger.Origins), want.Origins...),
		append(slices.Clone(want.Identifiers), stranger.Identifiers[1])
	err := store.Commit(t.Context(), evidence.Batch{
		Drop: []string{other.ID}, Put: []evidence.Merged{{Record: poisoned, Members: []string{stranger.Origins[0].Key(),
			want.Origins[0].Key()}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	report, err := testPipeline().Run(t.Context(), store, nil, RunOptions{ID: "night", Program: "1.1.0",
		LastProgram: "1.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []evidence.Record{want, other} {
		if diff := cmp.Diff(r, mustRecord(t, store, r.ID)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.ID, diff)
		}
	}
	if diff := cmp.Diff([]string{"2 records made anew by the rules of this version"}, report.Run.Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// A store made before has two copies under the keys of then, by which they do not meet.
func TestAnUpgradeJoinsWhatOlderKeysKeptApart(t *testing.T) {
	copies := [2]evidence.Record{}
	for i, title := range []string{"Adaptive resistance to inventumab in glioma of adults",
		"Adaptive resistence to inventumab in glioma of adults"} {
		copies[i] = evidence.Record{Title: title, Date: "2020",
			Authors: []evidence.Author{{Family: "Quillworth", Given: "A"}},
			Journal: evidence.Journal{Title: "Annals of specimens", Pages: "1129-1139"},
			Origins: []evidence.Origin{{Source: fmt.Sprint("import:", i, ".ris"), ID: "1"}}}
	}
	store := storeWith(t, copies[0], copies[1])
	joined, _, _, err := store.RecordOf(copies[0].Origins[0].Key())
	if err != nil {
		t.Fatal(err)
	}
	batch := evidence.Batch{Drop: []string{joined}, Keys: map[string][]string{}}
	for _, r := range copies {
		key := r.Origins[0].Key()
		r.ID = key
		batch.Put = append(batch.Put, evidence.Merged{Record: r, Members: []string{key}})
		batch.Keys[key] = []string{"t:of then " + key}
	}
	if err := store.Commit(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	report, err := testPipeline().Run(t.Context(), store, nil, RunOptions{ID: "night", Program: "1.1.0",
		LastProgram: "1.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	_, members, _, err := store.RecordOf(copies[1].Origins[0].Key())
	told := slices.Contains(report.Run.Notes, "1 records made anew by the rules of this version")
	if err != nil || len(members) != 2 || !told {
		t.Errorf("the copies are in %q (%v), and the run says %q", members, err, report.Run.Notes)
	}
}

func TestTheLastProgramIsTheOneThatToldAllRecords(t *testing.T) {
	night, older := evidence.Run{Program: "1.1.0"}, evidence.Run{Program: "1.0.0"}
	imported, newer := evidence.Run{Program: "1.1.0", Import: "x.ris"}, evidence.Run{Program: "1.2.0", Import: "y.ris"}
	for _, c := range []struct {
		name  string
		runs  []evidence.Run // newest first
		whole bool
		want  string
	}{
		{"an empty store", nil, true, ""},
		{"a night, and one by another version before", []evidence.Run{night, older}, true, "1.1.0"},
		{"an import since the night", []evidence.Run{imported, night, older}, true, "1.1.0"},
		{"an import by another version since", []evidence.Run{newer, night}, true, ""},
		{"imports alone", []evidence.Run{imported, imported}, true, "1.1.0"},
		{"an import by nobody knows which version", []evidence.Run{{Import: "x.ris"}, night}, true, ""},
		{"imports alone, by two versions", []evidence.Run{newer, imported}, true, ""},
		{"imports, and what was before is not known", []evidence.Run{imported, imported}, false, ""},
		{"a night, and what was before is not known", []evidence.Run{imported, night}, false, "1.1.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := LastProgram(c.runs, c.whole); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
