package identity

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// holding is a store of merged records for families.
type holding map[string]evidence.Record

func holdingOf(m *memory) holding {
	s := holding{}
	for id, rec := range m.merged {
		s[id] = rec.Record
	}
	return s
}

// claims is a store of source records and merged ones.
type claims struct {
	Index
	Families
}

func (s holding) ids(fits func(evidence.Record) bool) []string {
	var out []string
	for id, rec := range s {
		if fits(rec) {
			out = append(out, id)
		}
	}
	return out
}

func (s holding) Record(id string) (evidence.Record, bool, error) {
	rec, ok := s[id]
	return rec, ok, nil
}

func (s holding) Lookup(id evidence.Identifier) ([]string, error) {
	return s.ids(func(r evidence.Record) bool { return slices.Contains(r.Identifiers, id) }), nil
}

func (s holding) LinkingTo(id evidence.Identifier) ([]string, error) {
	return s.ids(func(r evidence.Record) bool {
		return slices.ContainsFunc(r.Links, func(l evidence.Link) bool { return l.Target == id })
	}), nil
}

func abstracted(text string) func(*evidence.Record) {
	return func(r *evidence.Record) { r.Abstract = []evidence.Section{{Text: text}} }
}

func TestFamily(t *testing.T) {
	aTrial := func(r *evidence.Record) {
		r.Trial = &evidence.Trial{Status: "COMPLETED"}
		titled("A study of sotorasib")(r)
	}
	for _, c := range []struct {
		name    string
		records []evidence.Record
		of      string
		want    []string // relation and record, or relation and target in parentheses where the store lacks it
	}{
		{"a link out", []evidence.Record{paper("pubmed|1", "PMID:1", linked(evidence.ErratumIn, "PMID:2")),
			paper("pubmed|2", "PMID:2", titled("Erratum: x"))}, "PMID:1", []string{"ErratumIn PMID:2"}},
		{"a link in", []evidence.Record{paper("pubmed|1", "PMID:1"), paper("pubmed|2", "PMID:2", linked(evidence.ErratumFor,
			"PMID:1"), titled("Erratum: x"))}, "PMID:1", []string{"ErratumIn PMID:2"}},
		{
			"both sides say so: once",
			[]evidence.Record{paper("pubmed|1", "PMID:1", linked(evidence.CommentIn, "PMID:2")), paper("pubmed|2", "PMID:2",
				linked(evidence.CommentOn, "PMID:1"))},
			"PMID:1", []string{"CommentIn PMID:2"},
		},
		{"a target that the store lacks", []evidence.Record{paper("pubmed|1", "PMID:1", linked(evidence.UpdateOf, "PMID:2"))},
			"PMID:1", []string{"UpdateOf (PMID:2)"}},
		{
			"a trial named in an abstract, seen from the paper",
			[]evidence.Record{paper("pubmed|1", "PMID:1", abstracted("(ClinicalTrials.gov NCT01234567)")),
				paper("clinicaltrials|NCT01234567", "NCT01234567", aTrial)},
			"PMID:1", []string{"ReportsTrial NCT:NCT01234567"},
		},
		{
			"the same, seen from the trial",
			[]evidence.Record{paper("pubmed|1", "PMID:1", abstracted("(ClinicalTrials.gov NCT01234567)")),
				paper("clinicaltrials|NCT01234567", "NCT01234567", aTrial)},
			"NCT:NCT01234567", []string{"TrialReportedIn PMID:1"},
		},
		{
			"a registry's reference, seen from the paper",
			[]evidence.Record{paper("pubmed|1", "PMID:1"), paper("clinicaltrials|NCT01234567", "NCT01234567", aTrial,
				linked(evidence.TrialReportedIn, "PMID:1"))},
			"PMID:1", []string{"ReportsTrial NCT:NCT01234567"},
		},
		{
			"a trial's number on a paper that the registry's record is missing for",
			[]evidence.Record{paper("pubmed|1", "PMID:1 NCT01234567")}, "PMID:1", []string{"ReportsTrial (NCT:NCT01234567)"},
		},
		{
			"preprint and article under one DOI",
			[]evidence.Record{paper("europepmc|PPR/PPR9", "PPR9 10.1000/a", isAPreprint, titled("An early title")),
				paper("pubmed|1", "PMID:1 10.1000/a")},
			"PPR:PPR9", []string{"PreprintOf PMID:1"},
		},
		{
			"preprint and article by title",
			[]evidence.Record{paper("europepmc|PPR/PPR9", "PPR9", isAPreprint), paper("pubmed|1", "PMID:1", dated("2021"))},
			"PMID:1", []string{"PublishedFrom PPR:PPR9"},
		},
		{
			"no family of another author's preprint",
			[]evidence.Record{paper("europepmc|PPR/PPR9", "PPR9", isAPreprint, by("Other, P")), paper("pubmed|1", "PMID:1",
				dated("2021"))},
			"PMID:1", nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory()
			mustJoin(t, m, c.records...)
			store := claims{m, holdingOf(m)}
			rec, ok, _ := store.Record(c.of)
			if !ok {
				t.Fatalf("there are %v", m.state())
			}
			family, err := Family(store, &rec)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range family {
				if r.Record == "" {
					got = append(got, fmt.Sprintf("%s (%s)", r.Relation, r.Target))
				} else {
					got = append(got, fmt.Sprintf("%s %s", r.Relation, r.Record))
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestLinksFrom(t *testing.T) {
	rec := paper("pubmed|1", "PMID:1", abstracted(
		"Trials NCT01234567, nct 07654321 and NCT01234567; not NCT123 or XNCT01234568."), linked(evidence.ReportsTrial,
		"NCT07654321"))
	var got []string
	for _, l := range LinksFrom(&rec) {
		got = append(got, string(l.Relation)+" "+l.Target.Value)
	}
	if diff := cmp.Diff([]string{"ReportsTrial NCT07654321", "ReportsTrial NCT01234567"}, got); diff != "" {
		t.Error(diff)
	}
	if len(rec.Links) != 1 {
		t.Error("the record itself was changed")
	}
}

func TestRetractionByOthers(t *testing.T) {
	article := paper("pubmed|1", "PMID:1 10.1000/a", func(r *evidence.Record) {
		r.Retraction = evidence.Retraction{Status: evidence.No, Source: "pubmed"}
	})
	notice := paper("pubmed|9", "PMID:9", titled("Retraction: x"), linked(evidence.Retracts, "PMID:1"),
		func(r *evidence.Record) {
			r.Origins[0].Fetched = time.Date(2026, 11, 20, 2, 30, 0, 0, time.UTC)
		})
	other := evidence.Identifier{Kind: evidence.PMID, Value: "9"}
	naming := func(origin, title string) evidence.Record {
		return paper(origin, "10.1000/n", typed("Retraction of Publication"), titled(title), linked(evidence.Retracts,
			"PMID:1"))
	}
	doi := evidence.Identifier{Kind: evidence.DOI, Value: "10.1000/n"}
	title := "Retraction notice to: " + article.Title
	disputed := func(by, source string) evidence.Retraction {
		return evidence.Retraction{Status: evidence.No, Source: "pubmed", Disputed: evidence.Dispute{
			By: by, Source: source, ID: "DOI:10.1000/n", Date: "2020"}}
	}
	for _, c := range []struct {
		name    string
		records []evidence.Record
		want    evidence.Retraction
	}{
		{"no notice", []evidence.Record{article}, evidence.Retraction{Status: evidence.No, Source: "pubmed"}},
		{"a notice that arrived", []evidence.Record{article, notice}, evidence.Retraction{Status: evidence.Yes,
			Source: "pubmed", Checked: "2026-11-20", Notice: other}},
		{"a service's notice under the paper's title", []evidence.Record{article, naming("openalex|W9", title)},
			evidence.Retraction{Status: evidence.Yes, Source: "openalex", Checked: "2020", Notice: doi}},
		{"a service's notice under another title", []evidence.Record{article, naming("openalex|W9", otherTitle)},
			disputed("a retraction notice that names another paper", "openalex")},
		{"a file's notice of PubMed's paper", []evidence.Record{article, naming("import:a.ris|9", title)},
			disputed("a retraction notice in an imported file", "import:a.ris")},
		{"a file's notice of what only files know", []evidence.Record{paper("import:a.ris|1", "PMID:1"),
			naming("import:a.ris|9", title)}, evidence.Retraction{Status: evidence.Yes, Source: "import:a.ris",
			Checked: "2020", Notice: doi}},
		{"a comment is none", []evidence.Record{article, paper("pubmed|9", "PMID:9", linked(evidence.CommentOn, "PMID:1"))},
			evidence.Retraction{Status: evidence.No, Source: "pubmed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory()
			mustJoin(t, m, c.records...)
			rec := m.merged["PMID:1"].Record
			got, err := RetractionByOthers(claims{m, holdingOf(m)}, &rec)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got := RetractionTargets(&notice); len(got) != 1 || got[0].Value != "1" {
		t.Errorf("targets %v", got)
	}
}

// brokenHolding fails at every lookup.
type brokenHolding struct{ holding }

func (brokenHolding) LinkingTo(evidence.Identifier) ([]string, error) { return nil, errDisk }

func TestFamilyReportsTheStoresErrors(t *testing.T) {
	rec := paper("pubmed|1", "PMID:1")
	if _, err := Family(claims{newMemory(), brokenHolding{}}, &rec); !errors.Is(err, errDisk) {
		t.Error(err)
	}
	if _, err := RetractionByOthers(claims{newMemory(), brokenHolding{}}, &rec); !errors.Is(err, errDisk) {
		t.Error(err)
	}
}
