package pipeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// notice is PubMed's record of something that was published about the paper with a PMID.
func notice(pmid int, relation evidence.Relation, about string, types ...string) evidence.Record {
	r := paper(pmid, "Notice "+about+" to a paper on KRAS", types...)
	if about != "" {
		r.Links = []evidence.Link{{Relation: relation, Target: evidence.Identifier{Kind: evidence.PMID, Value: about},
			Source: evidence.SourcePubMed}}
	}
	return r
}

// keep commits what Identify makes of records.
func keep(t *testing.T, store *fakeStore, records ...evidence.Record) {
	t.Helper()
	id, err := Identify(store, records)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Commit(t.Context(), id.Batch); err != nil {
		t.Fatal(err)
	}
}

func takeOut(t *testing.T, store *fakeStore, keys ...string) {
	t.Helper()
	id, err := Withdraw(store, keys)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Commit(t.Context(), id.Batch); err != nil {
		t.Fatal(err)
	}
}

func mustRecord(t *testing.T, store View, id string) evidence.Record {
	t.Helper()
	r, ok, err := store.Record(id)
	if err != nil || !ok {
		t.Fatalf("no record %s: %v", id, err)
	}
	return r
}

func TestRetractionNotices(t *testing.T) {
	article := func() evidence.Record {
		return paper(1, "KRAS G12C in colorectal cancer", "Randomized Controlled Trial")
	}
	retraction := func() evidence.Record { return notice(9, evidence.Retracts, "1", "Retraction Notice") }
	byNotice := evidence.Retraction{Status: evidence.Yes, Source: evidence.SourcePubMed, Checked: "2026-03-01",
		Notice: evidence.Identifier{Kind: evidence.PMID, Value: "9"}}
	for _, tt := range []struct {
		name  string
		steps func(t *testing.T, store *fakeStore)
		want  evidence.Retraction
	}{
		{"notice arrives later", func(t *testing.T, s *fakeStore) {
			keep(t, s, article())
			keep(t, s, retraction())
		}, byNotice},
		{"article arrives after its notice", func(t *testing.T, s *fakeStore) {
			keep(t, s, retraction())
			keep(t, s, article())
		}, byNotice},
		{"both at once", func(t *testing.T, s *fakeStore) { keep(t, s, article(), retraction()) }, byNotice},
		{"article comes again, changed", func(t *testing.T, s *fakeStore) {
			keep(t, s, article(), retraction())
			again := article()
			again.CitedBy = 7
			keep(t, s, again)
		}, byNotice},
		{"notice withdrawn", func(t *testing.T, s *fakeStore) {
			keep(t, s, article(), retraction())
			takeOut(t, s, "pubmed|9")
		}, evidence.Retraction{}},
		{"notice corrected: it retracts another paper", func(t *testing.T, s *fakeStore) {
			keep(t, s, article(), retraction())
			keep(t, s, notice(9, evidence.Retracts, "2", "Retraction Notice"))
		}, evidence.Retraction{}},
		{"notice corrected: it only comments", func(t *testing.T, s *fakeStore) {
			keep(t, s, article(), retraction())
			keep(t, s, notice(9, evidence.CommentOn, "1", "Comment"))
		}, evidence.Retraction{}},
		{"one of two notices withdrawn", func(t *testing.T, s *fakeStore) {
			keep(t, s, article(), notice(8, evidence.Retracts, "1", "Retraction Notice"), retraction())
			takeOut(t, s, "pubmed|8")
		}, byNotice},
		{"notice withdrawn, and the article says so itself", func(t *testing.T, s *fakeStore) {
			marked := article()
			marked.PublicationTypes = append(marked.PublicationTypes, evidence.PublicationType{Name: "Retracted Publication"})
			keep(t, s, marked, retraction())
			takeOut(t, s, "pubmed|9")
		}, evidence.Retraction{Status: evidence.Yes, Source: evidence.SourcePubMed}},
		{"an erratum is no retraction", func(t *testing.T, s *fakeStore) {
			keep(t, s, article(), notice(9, evidence.ErratumFor, "1", "Published Erratum"))
		}, evidence.Retraction{}},
		{"an erratum that is a retraction notice by its title is one", func(t *testing.T, s *fakeStore) {
			said := notice(9, evidence.ErratumFor, "1", "Published Erratum")
			said.Title = "Retraction notice to \"" + article().Title + "\""
			keep(t, s, article(), said)
		}, byNotice},
		{"an expression of concern is no retraction", func(t *testing.T, s *fakeStore) {
			keep(t, s, article(), notice(9, evidence.ConcernFor, "1", "Expression of Concern"))
		}, evidence.Retraction{}},
		{"the article names its own erratum and concern", func(t *testing.T, s *fakeStore) {
			named := article()
			named.Links = []evidence.Link{
				{Relation: evidence.ErratumIn, Target: evidence.Identifier{Kind: evidence.PMID, Value: "8"}},
				{Relation: evidence.ConcernIn, Target: evidence.Identifier{Kind: evidence.PMID, Value: "9"}},
			}
			keep(t, s, named)
		}, evidence.Retraction{}},
		{"the article names its own retraction", func(t *testing.T, s *fakeStore) {
			named := article()
			named.Links = []evidence.Link{{Relation: evidence.RetractedBy, Target: evidence.Identifier{Kind: evidence.PMID,
				Value: "9"}, Source: evidence.SourcePubMed}}
			keep(t, s, named)
		}, evidence.Retraction{Status: evidence.Yes, Source: evidence.SourcePubMed,
			Notice: evidence.Identifier{Kind: evidence.PMID, Value: "9"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := newFakeStore()
			tt.steps(t, store)
			if diff := cmp.Diff(tt.want, mustRecord(t, store, "PMID:1").Retraction); diff != "" {
				t.Errorf("retraction (-want +got):\n%s", diff)
			}
		})
	}
}

// What belongs to a record without retracting it stays visible: the record links to it, or it to the record.
func TestConcernStaysVisible(t *testing.T) {
	store := newFakeStore()
	keep(t, store, paper(1, "KRAS G12C in colorectal cancer", "Randomized Controlled Trial"))
	keep(t, store, notice(9, evidence.ConcernFor, "1", "Expression of Concern"))
	r := mustRecord(t, store, "PMID:1")
	linking, err := store.LinkingTo(r.Identifiers[0])
	if diff := cmp.Diff([]string{"PMID:9"}, linking); diff != "" || err != nil {
		t.Errorf("linking to the article (-want +got):\n%s %v", diff, err)
	}
	if r.Bucket != evidence.RCT || mustRecord(t, store, "PMID:9").Design != evidence.DesignConcern {
		t.Errorf("the article is in %q, the notice is %q", r.Bucket, mustRecord(t, store, "PMID:9").Design)
	}
}

func TestRetractionIsTriState(t *testing.T) {
	said := func(name evidence.SourceName, id string, status evidence.Ternary, day evidence.Date) evidence.Record {
		r := copyIn(name, id, paper(1, "KRAS G12C in colorectal cancer"))
		r.Retraction = evidence.Retraction{Status: status, Source: name, Checked: day}
		return r
	}
	pubmed, openalex, europe := evidence.SourcePubMed, evidence.SourceOpenAlex, evidence.SourceEuropePMC
	for _, tt := range []struct {
		name    string
		records []evidence.Record
		want    evidence.Retraction
	}{
		{"PubMed says no, OpenAlex yes", []evidence.Record{said(pubmed, "1", evidence.No, "2026-02-01"),
			said(openalex, "W1", evidence.Yes, "2026-03-01")},
			evidence.Retraction{Status: evidence.Yes, Source: openalex, Checked: "2026-03-01"}},
		{"unknown stays unknown", []evidence.Record{said(europe, "MED/1", evidence.Unknown, "2026-02-01")},
			evidence.Retraction{Status: evidence.Unknown, Source: europe, Checked: "2026-02-01"}},
		{"a no beats unknown", []evidence.Record{said(europe, "MED/1", evidence.Unknown, ""),
			said(openalex, "W1", evidence.No, "2026-03-01")},
			evidence.Retraction{Status: evidence.No, Source: openalex, Checked: "2026-03-01"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := newFakeStore()
			for _, r := range tt.records {
				keep(t, store, r)
			}
			r := mustRecord(t, store, "PMID:1")
			if diff := cmp.Diff(tt.want, r.Retraction); diff != "" || r.Retracted() != (tt.want.Status == evidence.Yes) {
				t.Errorf("retraction (-want +got):\n%s", diff)
			}
		})
	}
}

// The store finds a trial's publications by the links of merged records: those that only an abstract makes are among
// them.
func TestMergedRecordsLinkToTheTrialsTheyName(t *testing.T) {
	named := paper(1, "KRAS G12C in colorectal cancer")
	named.Abstract = []evidence.Section{{Text: "ClinicalTrials.gov number NCT04185883."}}
	store := storeWith(t, named, registered("NCT04185883", "KRAS G12C", "RECRUITING"))
	linking, err := store.LinkingTo(evidence.Identifier{Kind: evidence.NCT, Value: "NCT04185883"})
	if diff := cmp.Diff([]string{"PMID:1"}, linking); diff != "" || err != nil {
		t.Errorf("(-want +got):\n%s %v", diff, err)
	}
}

func TestOverlayFindsByIdentifierAndLink(t *testing.T) {
	base := storeWith(t, paper(1, "KRAS in practice"), paper(2, "KRAS in theory"), notice(9, evidence.CommentOn, "1"))
	over := NewOverlay(base)
	id, err := Identify(over, []evidence.Record{notice(9, evidence.CommentOn, "2"), notice(8, evidence.ErratumFor, "1",
		"Published Erratum")})
	if err != nil {
		t.Fatal(err)
	}
	if err := over.Commit(t.Context(), id.Batch); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		ask  func(evidence.Identifier) ([]string, error)
		id   evidence.Identifier
		want []string
	}{
		{"a record of the base", over.Lookup, pmid(1), []string{"PMID:1"}},
		{"a record put here", over.Lookup, pmid(8), []string{"PMID:8"}},
		{"a record put over the base's", over.Lookup, pmid(9), []string{"PMID:9"}},
		{"nobody", over.Lookup, pmid(77), nil},
		{"a link that was replaced", over.LinkingTo, pmid(1), []string{"PMID:8"}},
		{"a link put here", over.LinkingTo, pmid(2), []string{"PMID:9"}},
		{"the base is as it was", base.LinkingTo, pmid(1), []string{"PMID:9"}},
	} {
		got, err := tt.ask(tt.id)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s (-want +got):\n%s %v", tt.name, diff, err)
		}
	}
}
