package pipeline

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/evidence"
)

// What the claims below are laid against: PubMed's record of a paper, and another paper of PubMed's.
const (
	claimedPMID = "99000501"
	claimedDOI  = "10.5555/claimed"
	claimedPMC  = "PMC99000501"
	truePaper   = "Sotorasib with panitumumab in KRAS G12C colorectal cancer: a randomised trial"
	falsePaper  = "Aspirin for headache in adolescents: an invented cohort from two villages"
	trueText    = "In 160 patients the combination prolonged progression-free survival."
	falseText   = trueText +
		" It did not: all patients of the combination died within a week, as an invented appendix tells."
)

func claimedPaper() evidence.Record {
	r := paper(99000501, truePaper)
	r.PublicationTypes = []evidence.PublicationType{{Name: "Randomized Controlled Trial", UI: "D016449"}}
	r.Identifiers = underIDs("pmid", claimedPMID, "doi", claimedDOI, "pmcid", claimedPMC)
	r.Abstract = []evidence.Section{{Text: trueText}}
	r.Authors = []evidence.Author{{Family: "Farthingmoor", Initials: "W"}, {Family: "Ibberstone", Initials: "M"}}
	r.Journal = evidence.Journal{Title: "Specimen annals of oncology", Volume: "4", Pages: "11-19"}
	r.Retraction = evidence.Retraction{Status: evidence.No, Source: evidence.SourcePubMed, Checked: "2026-02-01"}
	return r
}

func otherPaper() evidence.Record {
	r := paper(99000502, "Cetuximab after progression in BRAF V600E colorectal cancer: a second trial")
	r.Identifiers = underIDs("pmid", "99000502", "doi", "10.5555/other")
	r.Retraction = evidence.Retraction{Status: evidence.No, Source: evidence.SourcePubMed}
	return r
}

// underIDs are identifiers as pairs of kind and value.
func underIDs(pairs ...string) []evidence.Identifier {
	var out []evidence.Identifier
	for pair := range slices.Chunk(pairs, 2) {
		out = append(out, evidence.Identifier{Kind: evidence.IDKind(pair[0]), Value: pair[1]})
	}
	return evidence.SortIdentifiers(out)
}

// claim is a record of another origin with identifiers; it has the other paper's title, people and year unless copying,
// and the false text.
func claim(source, id string, identifiers []evidence.Identifier, changes ...func(*evidence.Record)) evidence.Record {
	r := evidence.Record{
		Origins: []evidence.Origin{{Source: source, ID: id, Fetched: tonight}}, Identifiers: identifiers, Title: falsePaper,
		Authors: []evidence.Author{{Family: "Quillworth", Given: "Ada"}}, Date: "2011",
		Abstract: []evidence.Section{{Text: falseText}},
	}
	for _, change := range changes {
		change(&r)
	}
	return r
}

func copying(r *evidence.Record) {
	own := claimedPaper()
	r.Title, r.Authors, r.Date = own.Title, own.Authors, own.Date
}

func retractedClaim(r *evidence.Record) { r.Retraction = evidence.Retraction{Status: evidence.Yes} }

func ofTypes(names ...string) func(*evidence.Record) {
	return func(r *evidence.Record) {
		for _, n := range names {
			r.PublicationTypes = append(r.PublicationTypes, evidence.PublicationType{Name: n})
		}
	}
}

func linkingTo(relation evidence.Relation, pmid string) func(*evidence.Record) {
	return func(r *evidence.Record) {
		r.Links = append(r.Links, evidence.Link{Relation: relation, Target: evidence.Identifier{Kind: evidence.PMID,
			Value: pmid}, Source: r.Origins[0].Source})
	}
}

// atDOI is a change of a record by Crossref's word on a DOI.
func atDOI(relation evidence.Relation, doi string) func(*evidence.Record) {
	return func(r *evidence.Record) {
		r.Links = append(r.Links, evidence.Link{Relation: relation, Source: evidence.SourceCrossref,
			Target: evidence.Identifier{Kind: evidence.DOI, Value: doi}})
	}
}

func inSections(r *evidence.Record) {
	r.Abstract = []evidence.Section{{Label: "RESULTS", Text: trueText}, {Label: "CONCLUSIONS", Text: falseText}}
}

func savedIn(file string) func(*evidence.Record) {
	return func(r *evidence.Record) { r.Origins[0].File = file }
}

// TestNobodySpeaksForAnotherPaper lays every known way to claim another paper's identity against PubMed's record of it.
// Whatever comes, in whatever order, the record says what PubMed says; a false retraction is shown as disputed with who
// claims it; and when the claim goes, nothing of it stays.
func TestNobodySpeaksForAnotherPaper(t *testing.T) {
	const ris, nbib = "import:claims.ris", "import:claims.nbib"
	openalex, europe := evidence.SourceOpenAlex, evidence.SourceEuropePMC
	const stranger = "does not show that it is this paper"
	one := func(r evidence.Record) []evidence.Record { return []evidence.Record{r} }
	work := underIDs("openalex", "W99000501", "pmid", claimedPMID)
	for _, c := range []struct {
		name     string
		claims   []evidence.Record
		disputed string // by whom; empty where there is no dispute
	}{
		{"OpenAlex, the PMID, a longer abstract", one(claim(openalex, "W99000501", work)), ""},
		{"OpenAlex, the PMID, an abstract in sections", one(claim(openalex, "W99000501", work, inSections)), ""},
		{"OpenAlex, the PMID under the paper's own title, a longer abstract",
			one(claim(openalex, "W99000501", work, copying)), ""},
		{"OpenAlex, the PMID under the paper's own title, an abstract in sections",
			one(claim(openalex, "W99000501", work, copying, inSections)), ""},
		{"OpenAlex, the PMID, another title by the same people",
			one(claim(openalex, "W99000501", work, copying, func(r *evidence.Record) { r.Title = falsePaper })), ""},
		{"OpenAlex, the PMID, the same title by other people",
			one(claim(openalex, "W99000501", work, copying, retractedClaim, func(r *evidence.Record) {
				r.Authors = []evidence.Author{{Family: "Quillworth", Given: "Ada"}}
			})), stranger},
		{"OpenAlex, the PMID, the same title of another year",
			one(claim(openalex, "W99000501", work, copying, retractedClaim, func(r *evidence.Record) { r.Date = "2019" })),
			stranger},
		{"OpenAlex, the PMID, retracted", one(claim(openalex, "W99000501", work, retractedClaim)), stranger},
		{"OpenAlex, the paper's title with another DOI, retracted",
			one(claim(openalex, "W99000501", underIDs("openalex", "W99000501", "pmid", claimedPMID, "doi", "10.5555/elsewhere"),
				copying, retractedClaim)),
			stranger},
		{"OpenAlex, the paper's own title and no identifier of it, retracted",
			one(claim(openalex, "W99000501", underIDs("openalex", "W99000501"), copying, retractedClaim)),
			"without this paper's identifiers"},
		{"OpenAlex, the PMID, a guideline", one(claim(openalex, "W99000501", work, ofTypes("Practice Guideline"))), ""},
		{"OpenAlex, the PMID under the paper's own title, a guideline",
			one(claim(openalex, "W99000501", work, copying, ofTypes("Practice Guideline"))), ""},
		{"OpenAlex, the paper's own title, called an erratum",
			one(claim(openalex, "W99000501", work, copying, ofTypes("Letter", "preprint"))), ""},
		{"OpenAlex, the DOI",
			one(claim(openalex, "W99000501", underIDs("openalex", "W99000501", "doi", claimedDOI), retractedClaim)), stranger},
		{"Crossref, the DOI under another title, retracted",
			one(claim(evidence.SourceCrossref, claimedDOI, underIDs("doi", claimedDOI), retractedClaim)), stranger},
		{"Crossref, a publisher's notice that names another paper",
			one(claim(evidence.SourceCrossref, "10.5555/notice", underIDs("doi", "10.5555/notice"),
				atDOI(evidence.Retracts, claimedDOI))), "names another paper"},
		{"Europe PMC's MED record under a false PMID",
			one(claim(europe, "MED/"+claimedPMID, underIDs("pmid", claimedPMID, "doi", "10.5555/elsewhere"), retractedClaim,
				ofTypes("Practice Guideline"))),
			stranger},
		{"Europe PMC's PMC record, the PMID",
			one(claim(europe, "PMC/PMC99000777", underIDs("pmid", claimedPMID, "pmcid", "PMC99000777"), inSections)), ""},
		{"a preprint with the article's DOI, withdrawn",
			one(claim(europe, "PPR/PPR99000501", underIDs("ppr", "PPR99000501", "doi", claimedDOI), retractedClaim,
				ofTypes("Preprint"))), "a preprint"},
		{"a preprint with the article's PMID, withdrawn",
			one(claim(europe, "PPR/PPR99000501", underIDs("ppr", "PPR99000501", "pmid", claimedPMID), copying, retractedClaim,
				ofTypes("Preprint"))), "a preprint"},
		{"a preprint that says it retracts the article",
			one(claim(europe, "PPR/PPR99000501", underIDs("ppr", "PPR99000501"), linkingTo(evidence.Retracts, claimedPMID),
				ofTypes("Preprint"))), "among preprints"},
		{"RIS, the PMID", one(claim(ris, "1", underIDs("pmid", claimedPMID), retractedClaim)), "an imported file"},
		{"RIS, the DOI", one(claim(ris, "1", underIDs("doi", claimedDOI), retractedClaim)), "an imported file"},
		{"RIS, the PMCID", one(claim(ris, "1", underIDs("pmcid", claimedPMC), retractedClaim)), "an imported file"},
		{"RIS, the paper's own title, retracted",
			one(claim(ris, "1", underIDs("doi", claimedDOI), copying, retractedClaim)), "an imported file"},
		{"RIS without a title",
			one(claim(ris, "1", underIDs("pmid", claimedPMID, "doi", "10.5555/elsewhere"), retractedClaim,
				func(r *evidence.Record) { r.Title, r.Authors, r.Date = "", nil, "" })), "an imported file"},
		{"NBIB that poses as PubMed's",
			one(claim(nbib, claimedPMID, underIDs("pmid", claimedPMID), copying, ofTypes("Retracted Publication",
				"Practice Guideline"))), "an imported file"},
		{"NBIB that names a retraction notice of the paper's",
			one(claim(nbib, claimedPMID, underIDs("pmid", claimedPMID), copying, linkingTo(evidence.RetractedBy, "99000502"))),
			"an imported file"},
		{"NBIB that retracts it",
			one(claim(nbib, "99000599", underIDs("pmid", "99000599"), ofTypes("Retraction of Publication"),
				linkingTo(evidence.Retracts, claimedPMID))), "notice in an imported file"},
		{"NBIB that makes an erratum of it",
			one(claim(nbib, claimedPMID, underIDs("pmid", claimedPMID), copying, linkingTo(evidence.ErratumFor, "99000502"))),
			""},
		{"BibTeX, the DOI in its URL", one(claim("import:claims.bib", "farthing", underIDs("doi", claimedDOI))), ""},
		{"CSL-JSON, the PMID and the PMCID",
			one(claim("import:claims.json", "csl", underIDs("pmid", claimedPMID, "pmcid", claimedPMC), retractedClaim)),
			"an imported file"},
		{"a saved answer of Europe PMC's",
			one(claim(europe, "MED/"+claimedPMID, underIDs("pmid", claimedPMID), copying, retractedClaim, inSections,
				savedIn("epmc.json#1"))), "an imported file"},
		{"a saved answer of OpenAlex's",
			one(claim(openalex, "W99000501", work, copying, retractedClaim, ofTypes("Practice Guideline"),
				savedIn("oa.json#1"))), "an imported file"},
		{"a notice of Europe PMC's whose title names another paper",
			one(claim(europe, "PMC/PMC99000777", underIDs("pmcid", "PMC99000777"), linkingTo(evidence.Retracts, claimedPMID),
				func(r *evidence.Record) { r.Title = "Retraction: " + falsePaper })), "names another paper"},
		{"a chain: the first claims the second's DOI, the second the paper's PMID", []evidence.Record{
			claim(openalex, "W99000503", underIDs("openalex", "W99000503", "doi", "10.5555/between"), retractedClaim),
			claim(ris, "1", underIDs("doi", "10.5555/between", "pmid", claimedPMID), func(r *evidence.Record) {
				r.Title,
					r.Authors, r.Date = "", nil, ""
			}),
		}, ""},
		{"a bridge between two papers",
			one(claim(openalex, "W99000501", underIDs("openalex", "W99000501", "pmid", claimedPMID, "doi", "10.5555/other"),
				copying, inSections)), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			truth := storeWith(t, claimedPaper(), otherPaper())
			want := mustRecord(t, truth, "PMID:"+claimedPMID)
			for order, steps := range map[string][][]evidence.Record{
				"the claim last":  {{claimedPaper(), otherPaper()}, c.claims},
				"the claim first": {c.claims, {otherPaper()}, {claimedPaper()}},
				"at once":         {slices.Concat(c.claims, []evidence.Record{otherPaper(), claimedPaper()})},
			} {
				store := newFakeStore()
				for _, records := range steps {
					keep(t, store, records...)
				}
				got := mustRecord(t, store, "PMID:"+claimedPMID)
				if diff := cmp.Diff(spokenOf(want), spokenOf(got)); diff != "" {
					t.Errorf("%s: PubMed's word (-want +got):\n%s", order, diff)
				}
				if by := got.Retraction.Disputed.By; !strings.Contains(by, c.disputed) || (by == "") != (c.disputed == "") {
					t.Errorf("%s: disputed by %q, want %q", order, by, c.disputed)
				}
				for _, id := range want.Identifiers {
					if found, err := store.Lookup(id); err != nil || !slices.Equal(found, []string{want.ID}) {
						t.Errorf("%s: %s leads to %v, %v", order, id, found, err)
					}
				}
				for _, r := range c.claims {
					takeOut(t, store, r.Origins[0].Key())
				}
				if diff := cmp.Diff(want, mustRecord(t, store, "PMID:"+claimedPMID)); diff != "" {
					t.Errorf("%s, after it has gone (-want +got):\n%s", order, diff)
				}
			}
		})
	}
}

// TestARefusedClaimStaysRefused has a claimant that a notice retracts: it is made anew, and gets nothing back.
func TestARefusedClaimStaysRefused(t *testing.T) {
	store := storeWith(t, claimedPaper(), claim(evidence.SourceOpenAlex, "W99000501", underIDs("openalex", "W99000501",
		"pmid", claimedPMID)))
	retracting := notice(99000599, evidence.Retracts, "", "Retraction Notice")
	retracting.Links = []evidence.Link{{Relation: evidence.Retracts, Target: underIDs("openalex", "W99000501")[0],
		Source: evidence.SourcePubMed}}
	keep(t, store, retracting)
	claimant := mustRecord(t, store, "OpenAlex:W99000501")
	if diff := cmp.Diff(underIDs("openalex", "W99000501"), claimant.Identifiers); diff != "" || !claimant.Retracted() {
		t.Errorf("retracted: %v; identifiers (-want +got):\n%s", claimant.Retracted(), diff)
	}
	if r := mustRecord(t, store, "PMID:"+claimedPMID); r.Retracted() {
		t.Errorf("the paper is %+v", r.Retraction)
	}
}

// spokenOf is what of a record only its own authority may say.
func spokenOf(r evidence.Record) evidence.Record {
	r.Retraction.Disputed = evidence.Dispute{}
	return evidence.Record{
		ID: r.ID, Title: r.Title, Abstract: r.Abstract, PublicationTypes: r.PublicationTypes, Authors: r.Authors,
		Journal: r.Journal, Date: r.Date,
		Retraction: r.Retraction, Preprint: r.Preprint, Bucket: r.Bucket, BucketSource: r.BucketSource, Design: r.Design,
		Links: r.Links,
	}
}

// TestGenuineCopiesStillCount is the other side: what is the paper's own copy, or a notice on it, says what it has to
// say.
func TestGenuineCopiesStillCount(t *testing.T) {
	openalex, europe := evidence.SourceOpenAlex, evidence.SourceEuropePMC
	work := underIDs("openalex", "W99000501", "pmid", claimedPMID, "doi", claimedDOI)
	without := func(r evidence.Record, change func(*evidence.Record)) evidence.Record { change(&r); return r }
	yes := func(source string) evidence.Retraction {
		return evidence.Retraction{Status: evidence.Yes, Source: source}
	}
	for _, c := range []struct {
		name    string
		records []evidence.Record
		members int
		check   func(evidence.Record) (got, want any)
	}{
		{"OpenAlex's flag, from Retraction Watch, under the paper's title and identifiers",
			[]evidence.Record{claimedPaper(), claim(openalex, "W99000501", work, copying, retractedClaim)}, 2,
			func(r evidence.Record) (any, any) { return r.Retraction, yes(openalex) }},
		{"Crossref's word under the paper's title and DOI, from its publisher or Retraction Watch",
			[]evidence.Record{claimedPaper(), claim(evidence.SourceCrossref, claimedDOI, underIDs("doi", claimedDOI), copying,
				retractedClaim, atDOI(evidence.RetractedBy, "10.5555/notice"))}, 2, func(r evidence.Record) (any, any) {
				return [2]string{r.Retraction.Source, r.Retraction.Notice.Value}, [2]string{evidence.SourceCrossref,
					"10.5555/notice"}
			}},
		{"a publisher's notice at Crossref with the paper's title",
			[]evidence.Record{claimedPaper(), claim(evidence.SourceCrossref, "10.5555/notice", underIDs("doi", "10.5555/notice"),
				atDOI(evidence.Retracts, claimedDOI), func(r *evidence.Record) { r.Title = "Retraction: " + truePaper })}, 1,
			func(r evidence.Record) (any, any) {
				return [2]string{r.Retraction.Source, r.Retraction.Notice.Value}, [2]string{evidence.SourceCrossref,
					"10.5555/notice"}
			}},
		{"the same with the subtitle left out, in capitals, a year earlier",
			[]evidence.Record{claimedPaper(), claim(openalex, "W99000501", work, copying, retractedClaim,
				func(r *evidence.Record) {
					r.Title, r.Date = "SOTORASIB WITH PANITUMUMAB IN KRAS G12C COLORECTAL CANCER", "2023-12-30"
				})}, 2, func(r evidence.Record) (any, any) { return r.Retraction, yes(openalex) }},
		{"Europe PMC's copy of PubMed's record",
			[]evidence.Record{claimedPaper(), claim(europe, "MED/"+claimedPMID, underIDs("pmid", claimedPMID), copying,
				retractedClaim)}, 2,
			func(r evidence.Record) (any, any) { return r.Retraction, yes(europe) }},
		{"its text, where PubMed's was cut off",
			[]evidence.Record{claimedPaper(), claim(europe, "MED/"+claimedPMID, underIDs("pmid", claimedPMID), copying)}, 2,
			func(r evidence.Record) (any, any) { return r.AbstractText(), falseText }},
		{"OpenAlex's text, where PubMed has none",
			[]evidence.Record{without(claimedPaper(), func(r *evidence.Record) { r.Abstract = nil }), claim(openalex,
				"W99000501", work, copying)}, 2,
			func(r evidence.Record) (any, any) { return r.Provenance["abstract"], openalex }},
		{"a group that signs first, which OpenAlex leaves out",
			[]evidence.Record{without(claimedPaper(), func(r *evidence.Record) {
				r.Authors = append([]evidence.Author{{Collective: "COPPERLINE Investigators"}}, r.Authors...)
			}), claim(openalex, "W99000501", work, copying)}, 2, func(r evidence.Record) (any, any) {
				return len(r.Authors),
					3
			}},
		{"a file's word on a paper that only files know",
			[]evidence.Record{claim("import:a.ris", "1", underIDs("doi", claimedDOI), copying, retractedClaim,
				ofTypes("Practice Guideline"))}, 1,
			func(r evidence.Record) (any, any) {
				return [2]any{r.Retraction.Status, r.Bucket}, [2]any{evidence.Yes, evidence.Guideline}
			}},
		{"a preprint's word on itself",
			[]evidence.Record{claim(europe, "PPR/PPR99000501", underIDs("ppr", "PPR99000501"), retractedClaim,
				ofTypes("Preprint"))}, 1,
			func(r evidence.Record) (any, any) { return r.Retraction.Status, evidence.Yes }},
		{"PubMed's notice, whatever its title",
			[]evidence.Record{claimedPaper(), notice(99000599, evidence.Retracts, claimedPMID, "Retraction Notice")}, 1,
			func(r evidence.Record) (any, any) { return r.Retraction.Notice.Value, "99000599" }},
		{"a notice of Europe PMC's with the paper's title",
			[]evidence.Record{claimedPaper(), claim(europe, "PMC/PMC99000777", underIDs("pmcid", "PMC99000777"),
				linkingTo(evidence.Retracts, claimedPMID),
				func(r *evidence.Record) { r.Title = "Retraction: " + truePaper })}, 1, func(r evidence.Record) (any, any) {
				return r.Retraction.Source, europe
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := storeWith(t, c.records...)
			key := c.records[0].Origins[0].Key()
			id, members, _, err := store.RecordOf(key)
			if err != nil || len(members) != c.members {
				t.Fatalf("%s has %v, want %d members; %v", id, members, c.members, err)
			}
			got, want := c.check(mustRecord(t, store, id))
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
